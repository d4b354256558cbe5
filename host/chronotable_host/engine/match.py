"""Two players against each other: openings, games, and what the results say of their strength.

Each opening is played twice with the sides swapped. A game that nobody has won after so many turns,
or whose position is there for the third time, is a draw.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from ttykm import objects
from ttykm.game import Game
from ttykm.layout import NOBODY, WHITE

LONGEST = 200
"""Turns of a game that nobody wins."""

OPENING = 4
"""Random turns that an opening has."""
_SURE = 1.96  # standard deviations: 95 %
REPEATED = 3
"""So often the same position is a draw."""

Choose = Callable[[Game], int]
"""Returns the turn of the player to move."""


class Score(NamedTuple):
    """Games won, drawn and lost by the first of two players."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """How many there were."""
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        """Points of the first player, of one a game; a half without any game."""
        return (self.won + self.drawn / 2) / self.games if self.games else 0.5

    def plus(self, winner: int, first: int) -> Score:
        """Return the score with one more game; `winner` and the first player's side are players."""
        if winner == NOBODY:
            return self._replace(drawn=self.drawn + 1)
        return (
            self._replace(won=self.won + 1)
            if winner == first
            else self._replace(lost=self.lost + 1)
        )

    def deviation(self) -> float:
        """Return the standard deviation of one game's points."""
        if not self.games:
            return 0.5
        share = self.share
        each = ((self.won, 1.0), (self.drawn, 0.5), (self.lost, 0.0))
        # one more game of each kind: a match without a loss is not without doubt
        spread = sum((count + 1 / 3) * (points - share) ** 2 for count, points in each)
        return math.sqrt(spread / (self.games + 1))

    def elo(self) -> tuple[float, float, float]:
        """Return the lower end, the middle and the upper end of how much stronger the first is.

        In Elo, at 95 %; infinite where all games went one way.
        """
        share = self.share
        by = _SURE * self.deviation() / math.sqrt(max(1, self.games))
        return elo_of(share - by), elo_of(share), elo_of(share + by)

    def evidence(self, weaker: float, stronger: float) -> float:
        """Return the log-likelihood ratio of `stronger` Elo against `weaker`, as an SPRT sums it.

        By the normal approximation that chess engines are tested with.
        """
        deviation = self.deviation()
        if not self.games or not deviation:
            return 0.0
        low, high = share_of(weaker), share_of(stronger)
        return self.games * (high - low) * (2 * self.share - low - high) / (2 * deviation**2)


def elo_of(share: float) -> float:
    """Return the difference in Elo that gives a share of the points; infinite from 0 or 1 on."""
    if share <= 0:
        return -math.inf
    return math.inf if share >= 1 else -400 * math.log10(1 / share - 1)


def share_of(elo: float) -> float:
    """Return the share of the points that a difference in Elo gives."""
    return 1 / (1 + 10 ** (-elo / 400))


def sprt_bounds(alpha: float = 0.05, beta: float = 0.05) -> tuple[float, float]:
    """Return the evidence below which and above which a test ends, for these chances of error."""
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def opening(seed: int, modules: int = 0, options: int = 0, turns: int = OPENING) -> array[int]:
    """Return the position after a few random turns, in which nobody has won."""
    rng = Random(seed)
    game = Game()
    while True:
        game.start(objects.new_state(modules), options)
        for _ in range(turns):
            game.apply(rng.choice([*game.legal_turns()]))
            if game.winner() != NOBODY:
                break
        else:
            return array("H", game.state)


def play_as(
    side: int, first: Choose, second: Choose, start: array[int], options: int = 0
) -> tuple[int, int]:
    """Play a game with the first player on a side; return who won, and that side."""
    white, black = (first, second) if side == WHITE else (second, first)
    return play(white, black, start, options)[0], side


def play(white: Choose, black: Choose, start: array[int], options: int = 0) -> tuple[int, Game]:
    """Play a game from a position; return who won, NOBODY for a draw, and the game."""
    game = Game()
    game.start(start, options)
    seen = Counter([start.tobytes()])
    while game.winner() == NOBODY and len(game.turns) < LONGEST:
        game.apply((white, black)[game.mover](game))
        seen[game.state.tobytes()] += 1
        if seen[game.state.tobytes()] == REPEATED:
            break
    return game.winner(), game
