"""How weights of the evaluation are learned (`python -m tests.lab.learning`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

import pytest

pytest.importorskip("numpy", reason="what learns weights needs the extra `lab`")

from tests import lanes
from tests.lab.learning import FIRST_OF_MODULES, PARTS, Seen, as_fitted, fit_sets

pytestmark = lanes.tool

SEED = 5
GAMES, POSITIONS = 1200, 5


def test_how_much_each_part_counts_is_found_and_its_shape_kept() -> None:
    """Of positions by chance with the chances that known factors give, and what else is known."""
    shape, chance = as_fitted(FIRST_OF_MODULES), Random(SEED)
    factors = {
        1: [0.5, 1.5, 1.0, 2.0, 0.7, 1.2, 0.4, 1.1],
        4: [0.6, 1.3, 1.1, 1.8, 0.8, 1.1, 0.5, 1.0],
    }
    truth = {modules: _scaled(shape, each) for modules, each in factors.items()}
    played = {
        modules: [_game(weights, chance) for _ in range(GAMES)]
        for modules, weights in truth.items()
    }
    found = fit_sets(played, shape)
    for modules, weights in truth.items():
        assert found[modules] == pytest.approx(weights, rel=0.05, abs=0.03), SEED


def test_what_one_set_has_not_seen_it_takes_from_all() -> None:
    shape, chance = as_fitted(FIRST_OF_MODULES), Random(SEED)
    weights = _scaled(shape, [0.5, 1.5, 1.0, 2.0, 0.7, 1.2, 0.4, 1.1])
    played = {1: [_game(weights, chance) for _ in range(GAMES)], 2: [_game(weights, chance)]}
    assert fit_sets(played, shape)[2] == pytest.approx(weights, rel=0.1, abs=0.04), SEED


def _scaled(shape: Sequence[float], factors: Sequence[float]) -> list[float]:
    of_part = {at: factor for factor, part in zip(factors, PARTS, strict=True) for at in part}
    return [of_part[at] * weight for at, weight in enumerate(shape)]


def _game(weights: Sequence[float], chance: Random) -> list[Seen]:
    rows = [tuple(chance.randint(-1, 1) for _ in weights) for _ in range(POSITIONS)]
    seen = []
    for row in rows:
        known = chance.uniform(-1, 1)
        odds = known + sum(a * b for a, b in zip(weights, row, strict=True))
        seen.append(Seen(row, 1 / (1 + math.exp(-odds)), known=known))
    return seen


def test_parts_are_all_that_is_counted_each_once() -> None:
    places = [at for part in PARTS for at in part]
    assert sorted(places) == list(range(len(as_fitted(FIRST_OF_MODULES))))
