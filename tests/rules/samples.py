"""Positions with objects that a state of the engine has room for."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

from tests.oracle.pieces import Position
from tests.oracle.wild import wild_position

MOST_SEEDS = 7  # of three bits in the engine's state, on the boards and in the supply together


def wild(rng: random.Random, modules: Iterable[str]) -> Position:
    """Return a random crowded position; some of its seeds are taken away."""
    position = wild_position(rng, modules)
    places = [(era, space) for era in range(3) for space in sorted(position.sown[era])]
    kept = rng.sample(places, min(len(places), rng.randint(0, MOST_SEEDS)))
    sown = tuple(frozenset(space for there, space in kept if there == era) for era in range(3))
    left = min(position.seeds, MOST_SEEDS - len(kept))
    return replace(position, sown=sown, seeds=left)
