"""The hand: how a person carries out a turn on the table, gesture by gesture.

It lifts and places pieces, in any order that an action allows; which turn that is the table has to
find out. The action button is pressed until the lights offer what is wanted; where they ask which
copy acts, that one is lifted and put back. A question is answered by the letter of the turn that
was meant.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from chronotable.lights import meanings
from chronotable_host.virtual.steps import ButtonChoice, turn_steps
from ttykm import layout
from ttykm.game import Game

LETTERS = "abc"
"""Of the choices of a question."""

_MOST_PRESSES = 16  # or taps: more than two rounds through all kinds of actions


def choose(
    target: int,
    choice: ButtonChoice,
    look: Callable[[], bytes],
    press: Callable[[], None],
    tap: Callable[[int], None],
) -> bool:
    """Press until the target is lit for the choice; False where that does not come.

    `look` returns the picture of a moment later, `press` presses the mover's action button, `tap`
    lifts the copy on a sensor and puts it back. The turn before may still be provisional.
    """
    for _ in range(_MOST_PRESSES):
        picture = look()
        if picture[target] == choice.meaning:
            return True
        if picture[choice.copy] == meanings.QUESTION:
            tap(choice.copy)
        else:
            press()
    return False


def letter_meant(game: Game, choices: Sequence[int], aim: array[int]) -> str | None:
    """Return the letter of the choice that leads to a position, None where none does."""
    after = array("H", aim)
    for letter, choice in zip(LETTERS, choices, strict=False):
        if game.after(choice, after) and after == aim:
            return letter
    return None


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


def act_out(game: Game, turn: int, rng: Random, is_orderly: bool = False) -> list[Gesture]:
    """Return the gestures of a legal turn in the game's position, marker included.

    The first gesture's `after_ms` counts from whatever came before; `is_orderly` as in steps.py.
    """
    steps = turn_steps(game, turn, rng, is_orderly)
    return [Gesture(rng.randint(*CLEAN_MS), *step) for step in steps]
