"""What the criteria of C.04.3 say of two players who are paired, as numbers to be kept small.

The criteria count players of a bracket. Each count is a sum over the pairs of a whole round, those
that are yet to be made below the bracket included: who is paired with somebody below is a
downfloater. So a round is best when the sum over its pairs is least, criterion by criterion.
C.1, C.2 and C.3 say which pairs there are at all, C.4 that the round is whole, and C.5 who may have
the bye; `dutch.py` sees to these.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import NamedTuple

from chronotable_club.tournament.swiss.player import BLACK, DOWN, STRONG, UP, WHITE, Player, seated

MOST_DIFFERENCE = 2
"""Of games with one colour and with the other (C.04.1 6)."""


class Bracket(NamedTuple):
    """Who is paired now, by rank: players who were moved down, and residents of one score."""

    moved_down: tuple[Player, ...]
    residents: tuple[Player, ...]
    following: tuple[Player, ...]
    """Residents of the next bracket."""
    counts_unplayed: bool
    """Whether the one player who is left over will get the bye (C.9)."""

    @property
    def players(self) -> tuple[Player, ...]:
        """All who are in it."""
        return self.moved_down + self.residents

    @property
    def numbers(self) -> Set[int]:
        """Their pairing numbers."""
        return {player.number for player in self.players}


class Criteria:
    """The criteria C.6 to C.21 in a bracket; `initial` is the colour that was drawn."""

    def __init__(self, bracket: Bracket, initial: str) -> None:
        self._bracket = bracket
        self._initial = initial
        self._inside = bracket.numbers
        self._near = self._inside | {player.number for player in bracket.following}
        self._moved_down = {player.number for player in bracket.moved_down}
        self._scores = _scores(bracket.players)
        self._near_scores = _scores(bracket.players + bracket.following)
        self._moved_scores = _scores(bracket.moved_down)

    def cost(self, high: Player, low: Player | None) -> list[int]:
        """Return how a pair fares by each criterion; `low` is None for the bye."""
        inside = high.number in self._inside
        floats = inside and (low is None or low.number not in self._inside)
        floats_on = high.number in self._near and (low is None or low.number not in self._near)
        return [
            int(floats),  # C.6
            *_at(high.score, self._scores, floats),  # C.7
            int(floats_on),  # C.8: C.6 and C.7 of the next bracket
            *_at(high.score, self._near_scores, floats_on),
            high.unplayed if self._bracket.counts_unplayed and low is None else 0,  # C.9
            *(self._colours(high, low) if inside and not floats and low else (0, 0, 0, 0)),
            *self._floats(high, low, floats),
        ]

    def _colours(self, high: Player, low: Player) -> Iterator[int]:
        """Yield C.10 to C.13 of two players of the bracket."""
        colours = [
            (player, (WHITE, BLACK)[number])
            for number, player in enumerate(seated(high, low, self._initial))
        ]
        if high.is_topscorer or low.is_topscorer:
            after = [player.colours + colour for player, colour in colours]
            yield sum(abs(2 * it.count(WHITE) - len(it)) > MOST_DIFFERENCE for it in after)
            yield sum(len(it) > 2 and len(set(it[-3:])) == 1 for it in after)
        else:
            yield from (0, 0)
        missed = [
            player.preference[1]
            for player, colour in colours
            if player.preference[0] not in ("", colour)
        ]
        yield len(missed)
        yield missed.count(STRONG)

    def _floats(self, high: Player, low: Player | None, floats: bool) -> Iterator[int]:
        """Yield C.14 to C.21."""
        was_moved = high.number in self._moved_down
        meets = was_moved and not floats and low is not None
        for rounds_ago in (0, 1):
            yield int(floats and not was_moved and high.floats[rounds_ago] == DOWN)
            yield int(meets and low is not None and low.floats[rounds_ago] == UP)
        for rounds_ago in (0, 1):
            # players who were moved down and stay unpaired differ most from whom they would meet;
            # how many of each score do is settled by then, and so are the differences of others
            again = was_moved and floats and high.floats[rounds_ago] == DOWN
            yield from _at(high.score, self._moved_scores, again)
            again = meets and low is not None and low.floats[rounds_ago] == UP
            yield from _at(high.score, self._moved_scores, again)


def _scores(players: tuple[Player, ...]) -> list[int]:
    """Return the scores that there are, the highest first."""
    return sorted({player.score for player in players}, reverse=True)


def _at(score: int, scores: list[int], counts: bool) -> Iterator[int]:
    """Yield 1 in the place of a score where it counts, so that the highest is looked at first."""
    return (int(counts and score == each) for each in scores)
