"""Which puzzle people ask for: by its number, the one of the day, or the next one."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from chronotable_host.errors import UserError, printable
from chronotable_host.language import tr
from chronotable_host.puzzles.box import PuzzleBox, of_the_day
from chronotable_host.puzzles.standing import Tries

TODAY, NEXT = "today", "next"


def todays_number() -> int:
    """Return the number of the puzzle of this day."""
    return of_the_day(date.today())


def asked_number(which: str, archive: Path, player: str = "") -> int:
    """Return the number of the puzzle that a word or number names; raises UserError and OSError.

    The next one is one that the player has not tried, and about as hard as the player is strong.
    """
    if which == TODAY:
        return todays_number()
    if which == NEXT:
        number = Tries(archive).standing(player).next_of(PuzzleBox(archive).open())
        if number is None:
            raise UserError(tr("you have tried all puzzles; `chronotable puzzles make` makes more"))
        return number
    if which.isascii() and which.isdecimal() and len(which) < 7:
        return int(which)
    raise UserError(
        tr("'{which}' is no puzzle; give its number, today or next", which=printable(which))
    )
