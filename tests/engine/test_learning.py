"""The regression behind the weights: it finds what made the results, wherever it begins."""

from __future__ import annotations

import math
from random import Random

import pytest

from tests.lab.learning import fit, loss

MADE_BY = (0.5, -1.0, 2.0, 0.0, 3.0)


def observations(count: int) -> list[tuple[tuple[int, ...], float]]:
    rng = Random(count)
    rows = [tuple(rng.randint(-3, 3) for _ in MADE_BY) for _ in range(count)]
    chances = [
        1 / (1 + math.exp(-sum(map(float.__mul__, MADE_BY, map(float, row))))) for row in rows
    ]
    return [(row, float(rng.random() < chance)) for row, chance in zip(rows, chances, strict=True)]


@pytest.mark.parametrize("kept", [None, [0.0] * 5, [9.0, 9.0, 9.0, 9.0, -9.0]])
def test_no_beginning_leads_astray(kept: list[float] | None) -> None:
    """Whole steps of Newton's method from far away end at weights that foresee nothing."""
    seen = observations(4000)
    found = fit([row for row, _ in seen], [won for _, won in seen], kept)
    assert loss(found, seen) < loss(MADE_BY, seen) + 0.02
