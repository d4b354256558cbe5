"""What a position with modules is worth, and how likely who stands so well wins.

What is counted here comes on top of what the patterns of the standard game are worth. Learned
weights are looked up board by board. They are in `weights.json` in points, 100 of which
multiply the odds of winning by e; the file says how they were made (`python -m tests.lab.learning`,
and `python -m tests.lab.patterns` those of the standard game, which patterns.py reads). What
belongs to one player's copies on one board is added up beforehand for every way in which copies can
lie there.

Two points more matter little to who is winning anyway: what a turn can lose is the chance of
winning, one over one and e to the power of minus the value over so many points. How many they are
was fitted to games (`python -m tests.lab.chances`) and stands with the weights.
"""

from __future__ import annotations

import json
import math
from array import array
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from chronotable_host.engine.position import ERA_BITS
from chronotable_host.engine.search import SOON
from chronotable_host.rules.notation import format_modules
from ttykm import layout, objects

CORNERS, CENTRE = 0x9009, 0x0660

_HATS = (1 << objects.MODULES_SHIFT) - 1

FEATURES = ("centre", "edge", "corner", "held")
"""What counts of a player's copies on a board: where they stand, and whether there are any."""


def features(copies: int) -> tuple[int, ...]:
    """Return how often each of FEATURES is there, for a mask of one board's 16 spaces."""
    centre, corners = copies & CENTRE, copies & CORNERS
    edges = copies ^ centre ^ corners
    return centre.bit_count(), edges.bit_count(), corners.bit_count(), int(copies != 0)


def _by_copies(row: list[int]) -> array[int]:
    """Return what each mask of a board's 16 spaces is worth, by the weights of FEATURES.

    Only the last feature is of the whole mask; so two halves are worked out, and added up.
    """
    *placed, held = row
    low, high = (
        [
            sum(map(int.__mul__, features(copies << shift), placed))
            for copies in range(1 << ERA_BITS // 2)
        ]
        for shift in (0, ERA_BITS // 2)
    )
    worth = array("i", [upper + lower + held for upper in high for lower in low])
    worth[0] = 0
    return worth


class Evaluation:
    """Weights, ready to be looked up."""

    def __init__(self, weights: Mapping[str, Any]) -> None:
        self.boards = [_by_copies([int(era[name]) for name in FEATURES]) for era in weights["eras"]]
        self.supply = [int(value) for value in weights["supply"]]
        self.to_move = int(weights["to_move"])
        self.statue = int(weights["statue"])
        self.hat = int(weights["hat"])

    def of_state(self, state: array[int], player: int) -> int:
        """Return how much better a player stands than the other, the right to move left aside."""
        past, present, future = self.boards
        own = layout.COPIES + 3 * player
        other = layout.COPIES + 3 * (1 - player)
        total = (
            past[state[own]]
            + present[state[own + 1]]
            + future[state[own + 2]]
            - past[state[other]]
            - present[state[other + 1]]
            - future[state[other + 2]]
            + self.supply[layout.supply(state, player)]
            - self.supply[layout.supply(state, 1 - player)]
        )
        if len(state) > layout.STATE_WORDS:
            held = objects.holds_statue
            total += self.statue * (held(state, player) - held(state, 1 - player))
            total += self.hat * (hats(state, player) - hats(state, 1 - player))
        return total


def hats(state: array[int], player: int) -> int:
    """Return how many elephants wear a player's hat."""
    return _worn(state[layout.STATE_WORDS + objects.HATS] & _HATS, player)


@cache
def _worn(hats: int, player: int) -> int:
    """Return how many of the hats of a state's word of hats (objects.HATS) are a player's."""
    return sum(hats >> 2 * elephant & 3 == player + 1 for elephant in range(6))


@cache
def weights_of(modules: int) -> Mapping[str, Any]:
    """Return what is known of a set of modules, 0 for the standard game; see `weights.json`."""
    text = resources.files(__package__).joinpath("weights.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)[format_modules(modules)]
    return found


@cache
def evaluation_of(modules: int) -> Evaluation:
    """Return the evaluation of a game with a set of modules."""
    return Evaluation(weights_of(modules))


def chance_of(value: int, modules: int) -> float:
    """Return how likely the player wins for whom a search found `value`, 0 to 1.

    `modules` is the set that is played, as bits; a proven win is certain.
    """
    if abs(value) > SOON:
        return float(value > 0)
    return 1 / (1 + math.exp(-value / float(weights_of(modules)["chance"]["points"])))
