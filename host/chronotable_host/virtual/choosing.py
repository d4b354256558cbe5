"""What hands answer with buttons, at any table: which action they take, and which turn they meant.

The action button is pressed until the lights offer what is wanted; where they ask which copy acts,
that one is lifted and put back. A question is answered by the letter of the turn that was meant.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

from chronotable.lights import meanings
from chronotable_host.virtual.steps import ButtonChoice
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
