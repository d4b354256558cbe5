"""Pairing cards: what each round brought a player, and what each result is on them.

Points are counted in halves: a win has two.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

WIN = 2
DRAW = 1
LOSS = 0

PLAYED = "played"
WON_BY_FORFEIT = "won-by-forfeit"
LOST_BY_FORFEIT = "lost-by-forfeit"
PAIRING_BYE = "bye"
"""Of the one who is left over when the players are odd."""
REQUESTED_BYE = "requested-bye"
"""Asked for, with half a point or none; so is every round that somebody is not there for."""

REST = "rest"
"""Of the one who is free in a round of a round robin: no round at all."""

COLOURS = ("W", "B")


class CardRound(NamedTuple):
    """A round on a player's card; the opponent is 0 and the colour "" where there was none.

    A forfeit has both: who was to be met, with which colour.
    """

    kind: str
    points: int
    opponent: int = 0
    colour: str = ""

    @property
    def is_played(self) -> bool:
        """Whether there was a game."""
        return self.kind == PLAYED


Cards = Mapping[int, Sequence[CardRound]]
"""The rounds of each player, by pairing number: as many for everyone as were paired."""


def score(card: Sequence[CardRound]) -> int:
    """Return the points of a card, in halves."""
    return sum(entry.points for entry in card)


# ---- results


OPEN = ""
"""No result yet, or none any more."""

GAME_RESULTS = ("1-0", "0-1", "1/2-1/2")

_WON, _LOST = (WON_BY_FORFEIT, WIN), (LOST_BY_FORFEIT, LOSS)
ENTRIES: Mapping[str, tuple[tuple[str, int], tuple[str, int]]] = {
    "1-0": ((PLAYED, WIN), (PLAYED, LOSS)),
    "0-1": ((PLAYED, LOSS), (PLAYED, WIN)),
    "1/2-1/2": ((PLAYED, DRAW), (PLAYED, DRAW)),
    "+/-": (_WON, _LOST),
    "-/+": (_LOST, _WON),
    "-/-": (_LOST, _LOST),
}
"""What a result is on the cards of white and of black: the kind of round, and half points.

Forfeits say who was there: white, black, nobody.
"""
