"""What is the same in every program that plays these games: digests of states, and chance.

Chance is SplitMix64, and shuffling with it. The generator is its state, an integer of 64 bits, so
that it lies in the state of a game.
Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014).
"""

import hashlib
import json
from collections.abc import Iterable
from typing import Any, TypeVar

_DIGITS = 16


def canonical(value: Any) -> str:
    """Return the canonical text: keys sorted, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def digest(value: Any) -> str:
    """Return the first 16 hex digits of the SHA-256 of the canonical text."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:_DIGITS]


_MASK = (1 << 64) - 1

_T = TypeVar("_T")


def next_number(rng: int) -> tuple[int, int]:
    """Return a number of 64 bits, and the generator after it."""
    rng = (rng + 0x9E3779B97F4A7C15) & _MASK
    mixed = ((rng ^ (rng >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
    return mixed ^ (mixed >> 31), rng


def shuffled(items: Iterable[_T], rng: int) -> tuple[list[_T], int]:
    """Return the items in a random order (Fisher-Yates from the end), and the generator after."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        number, rng = next_number(rng)
        other = number % (last + 1)
        order[last], order[other] = order[other], order[last]
    return order, rng
