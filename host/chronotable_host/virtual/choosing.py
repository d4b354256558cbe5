"""Choosing an action with the action button, as hands and eyes do it at any table.

The button is pressed until the lights offer what is wanted; where they ask which copy acts, that
one is lifted and put back.
"""

from __future__ import annotations

from collections.abc import Callable

from chronotable.lights import meanings
from chronotable_host.virtual.steps import ButtonChoice

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
