"""Results of pairings: those that a record can have, and those of games that were not played."""

from __future__ import annotations

from collections.abc import Mapping

from chronotable_club.tournament.cards import (
    DRAW,
    LOSS,
    LOST_BY_FORFEIT,
    PLAYED,
    WIN,
    WON_BY_FORFEIT,
)

OPEN = ""
"""No result yet, or none any more."""

GAME_RESULTS = ("1-0", "0-1", "1/2-1/2")
FORFEITS = ("+/-", "-/+", "-/-")
"""Who was there: white, black, nobody."""

_WON, _LOST = (WON_BY_FORFEIT, WIN), (LOST_BY_FORFEIT, LOSS)
ENTRIES: Mapping[str, tuple[tuple[str, int], tuple[str, int]]] = {
    "1-0": ((PLAYED, WIN), (PLAYED, LOSS)),
    "0-1": ((PLAYED, LOSS), (PLAYED, WIN)),
    "1/2-1/2": ((PLAYED, DRAW), (PLAYED, DRAW)),
    "+/-": (_WON, _LOST),
    "-/+": (_LOST, _WON),
    "-/-": (_LOST, _LOST),
}
"""What a result is on the cards of white and of black: the kind of round, and half points."""
