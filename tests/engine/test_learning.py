"""How weights of the evaluation are learned (`python -m tests.lab.learning`)."""

from __future__ import annotations

import math
from random import Random

import pytest

from tests.lab.learning import FIRST_OF_MODULES, PARTS, as_fitted, fit_parts

SEED = 5


def test_how_much_each_part_counts_is_found_and_its_shape_kept() -> None:
    """Of positions by chance with the chances that known factors give; the eras' mean is 1."""
    shape, chance = as_fitted(FIRST_OF_MODULES), Random(SEED)
    factors = [0.5, 1.5, 1.0, 2.0, 0.7, 1.2, 0.4, 1.1]
    truth = list(shape)
    for factor, part in zip(factors, PARTS, strict=True):
        for at in part:
            truth[at] *= factor
    rows = [tuple(chance.randint(-1, 1) for _ in shape) for _ in range(6000)]
    odds = [sum(map(float.__mul__, truth, map(float, row))) for row in rows]
    found = fit_parts(rows, [1 / (1 + math.exp(-each)) for each in odds], shape)
    assert found == pytest.approx(truth, rel=0.02, abs=0.01), SEED


def test_parts_are_all_that_is_counted_each_once() -> None:
    places = [at for part in PARTS for at in part]
    assert sorted(places) == list(range(len(as_fitted(FIRST_OF_MODULES))))
