"""What positions were worth before boards were looked at: an opponent.

Eighteen weights for how many copies stand where, for eras held, supplies and the move; they do not
know where anybody's focus is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from chronotable_host.engine.evaluation import Evaluation, evaluation_of
from chronotable_host.engine.games import ModuleGame, StandardGame
from chronotable_host.engine.levels import LevelPlayer
from chronotable_host.engine.patterns import MOST, PatternEvaluation, windows
from chronotable_host.engine.position import ERA, ERA_BITS, Position, Result
from ttykm import objects
from ttykm.game import Game
from ttykm.layout import STRICT_TWO_ACTIONS, SUPPLY

COUNTING: Mapping[str, Any] = {
    "eras": [
        {"centre": 170, "edge": 92, "corner": 93, "held": 34},
        {"centre": 133, "edge": 102, "corner": 68, "held": 61},
        {"centre": 125, "edge": 100, "corner": 82, "held": 4},
    ],
    "supply": [-438, -180, 11, 207, 400],
    "statue": 0,
    "hat": 0,
    "to_move": 8,
}
"""Learned from 34,891 positions of 800 games of 300 nodes a turn."""


FIRST_OF_MODULES: Mapping[str, Any] = {
    "eras": [
        {"centre": 97, "edge": 79, "corner": 62, "held": 41},
        {"centre": 84, "edge": 64, "corner": 66, "held": 19},
        {"centre": 37, "edge": 14, "corner": 8, "held": 102},
    ],
    "supply": [-188, -84, 3, 91, 177],
    "statue": 60,
    "hat": 20,
    "to_move": 11,
}
"""A fit to games of another program, and by hand what things of modules are worth."""


@cache
def _counting() -> Evaluation:
    return Evaluation(COUNTING)


@cache
def _no_patterns() -> PatternEvaluation:
    def nothing(times: int, each: object = 0) -> list[Any]:
        return [each] * times

    weights = {"foci": nothing(3, nothing(3)), "supply": nothing(2, nothing(SUPPLY + 1))}
    for name, count in ("patterns", windows()[1]), ("counts", (MOST + 1) ** 2):
        weights[name] = nothing(3, nothing(4, nothing(count)))
    return PatternEvaluation(weights)


class CountingPlayer(LevelPlayer):
    """A level that only counts: with modules by the weights that it has, else by COUNTING."""

    def _rules_of(self, game: Game) -> StandardGame | ModuleGame:
        if modules := objects.modules_of(game.state):
            return ModuleGame(game.options, evaluation_of(modules), _no_patterns())
        return StandardGame(bool(game.options & STRICT_TWO_ACTIONS), CountingEvaluation())


class CountingEvaluation(PatternEvaluation):
    """COUNTING, for `StandardGame`."""

    def __init__(self) -> None:
        self._weights = _counting()
        self.supply = [each + self._weights.to_move for each in self._weights.supply]

    def side(self, copies: int, supply: int) -> int:
        """Return what a player's copies and supply are worth, in points."""
        boards = self._weights.boards
        worth = sum(boards[era][copies >> ERA_BITS * era & ERA] for era in range(3))
        return worth + self._weights.supply[supply]

    def worth(self, position: Position) -> int:
        """Return what a position is worth to the player to move."""
        own, other, supply, other_supply, _, _ = position
        return self.side(own, supply) - self.side(other, other_supply) + self._weights.to_move

    def valued(
        self, ways: Iterable[tuple[Result, int]], focus: int, other_focus: int
    ) -> Iterator[tuple[Result, int, int, int]]:
        """Yield each way with what it is worth to who acts, wherever the focus is."""
        for (own, other, left), sequence in ways:
            worth = self.side(own, left) - self.side(other, 0) + self._weights.supply[0]
            yield (own, other, left), sequence, worth, worth
