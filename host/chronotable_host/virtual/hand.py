"""The hand: how a person carries out a turn on the table, gesture by gesture.

It lifts and places pieces and nothing else, in any order that an action allows; which turn that is
the table has to find out.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from chronotable_host.virtual.steps import ButtonChoice, turn_steps
from ttykm import layout
from ttykm.game import Game

CLEAN_MS = (120, 700)
"""Between gestures."""


class Gesture(NamedTuple):
    """One lift (`closed` False) or place of a magnet, `after_ms` after the gesture before it.

    `piece` is which one it is (steps.py). With `flicker_ms` nothing is lifted or placed: a magnet
    that is carried past closes a reed for so long, or, where a piece lies, opens it. Nor is it with
    a `choice`: the action button is pressed until the sensor is lit for it.
    """

    after_ms: int
    sensor: int
    closed: bool
    piece: int = layout.WHITE
    choice: ButtonChoice | None = None
    flicker_ms: int = 0


def act_out(game: Game, turn: int, rng: Random) -> list[Gesture]:
    """Return the gestures of a legal turn in the game's position, marker included.

    The first gesture's `after_ms` counts from whatever came before.
    """
    return [Gesture(rng.randint(*CLEAN_MS), *step) for step in turn_steps(game, turn, rng)]
