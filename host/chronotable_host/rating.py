"""Ratings after M. E. Glickman, "Example of the Glicko-2 system" (glicko.net, 2012).

Written here because no well-kept library of it was found: `glicko2` 2.1.0 puts the rating where
step 5 has the deviation, and installs a package `tests`.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

_SCALE = 173.7178  # points of the Glicko scale in one of Glicko-2's
_AVERAGE = 1500.0
_TAU = 0.5  # how much the volatility may change
_ENOUGH = 0.000001  # of the volatility's iteration
_MOST_DEVIATION = 350.0


class Rating(NamedTuple):
    """How strong somebody is: points, the standard deviation of that, and how it wavers."""

    value: float = _AVERAGE
    deviation: float = _MOST_DEVIATION
    volatility: float = 0.06


Result = tuple[Rating, float]
"""Who was met, and the score: 1 for a win, 0 for a loss, 0.5 between."""


def rate(rating: Rating, results: Sequence[Result]) -> Rating:
    """Return a rating after a period with these results; the steps are Glickman's."""
    mu, phi = (rating.value - _AVERAGE) / _SCALE, rating.deviation / _SCALE  # step 2
    if not results:
        return _of(mu, math.hypot(phi, rating.volatility), rating.volatility)
    precision = surprise = 0.0
    for other, score in results:  # steps 3 and 4
        phi_j = other.deviation / _SCALE
        g = 1 / math.sqrt(1 + 3 * phi_j**2 / math.pi**2)
        expected = 1 / (1 + math.exp(-g * (mu - (other.value - _AVERAGE) / _SCALE)))
        precision += g**2 * expected * (1 - expected)
        surprise += g * (score - expected)
    variance = 1 / precision
    sigma = _volatility(phi, rating.volatility, variance, variance * surprise)
    spread = 1 / math.sqrt(1 / (phi**2 + sigma**2) + precision)  # steps 6 and 7
    return _of(mu + spread**2 * surprise, spread, sigma)


def _of(mu: float, phi: float, sigma: float) -> Rating:
    return Rating(mu * _SCALE + _AVERAGE, min(phi * _SCALE, _MOST_DEVIATION), sigma)


def _volatility(phi: float, sigma: float, variance: float, delta: float) -> float:
    """Return the new volatility (step 5, the Illinois algorithm)."""
    start = math.log(sigma**2)

    def f(x: float) -> float:
        e = math.exp(x)
        sum_ = phi**2 + variance + e
        return e * (delta**2 - sum_) / (2 * sum_**2) - (x - start) / _TAU**2

    a = start
    if delta**2 > phi**2 + variance:
        b = math.log(delta**2 - phi**2 - variance)
    else:
        b = start - _TAU
        while f(b) < 0:
            b -= _TAU
    f_a, f_b = f(a), f(b)
    while abs(b - a) > _ENOUGH:
        c = a + (a - b) * f_a / (f_b - f_a)
        f_c = f(c)
        if f_c * f_b <= 0:
            a, f_a = b, f_b
        else:
            f_a /= 2
        b, f_b = c, f_c
    return math.exp(a / 2)
