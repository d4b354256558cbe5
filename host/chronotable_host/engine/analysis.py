"""What a game's turns were worth: the value after each, what was better, and how much it cost.

Each position is searched with the nodes of a level, and nothing overlooked; so the same game has
the same analysis on every computer. A turn is judged by how much of the chance to win it gave
away, not by points: who is winning anyway may win slowly.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

from chronotable_host.engine.chances import chance_of
from chronotable_host.engine.levels import LEVELS, rules_of
from chronotable_host.engine.search import (
    SOON,
    WON,
    Limits,
    Rules,
    Search,
    Thought,
    turns_to_end,
)
from chronotable_host.rules.annotations import (
    BEST,
    BLUNDER,
    GOOD,
    INACCURACY,
    MISSED_WIN,
    MISTAKE,
    ONLY,
    Annotation,
)
from ttykm import objects
from ttykm.game import Game
from ttykm.layout import NOBODY, WHITE

_LOSSES = ((0.15, BLUNDER), (0.10, MISTAKE), (0.05, INACCURACY))
"""Of the chance to win, 0 to 1; the steps are those that Lichess takes in chess."""

LEAST_LEVEL = next(number for number, each in enumerate(LEVELS, 1) if each.nodes)
"""The first level that searches by nodes, and can be asked for a value."""


class JudgedTurn(NamedTuple):
    """A turn and what it was worth; values are for the player whose turn it was."""

    player: int
    turn: int
    """Packed as in `ttykm`."""
    value: int
    """After it, as the search gives it; see `search.turns_to_end`."""
    best: Thought
    """What the search would have played, and its value."""
    loss: float
    """Of the chance to win, 0 to 1."""
    mark: str
    """One of `annotations.MARKS`."""

    def annotation(self) -> Annotation:
        """Return what the record says of the turn."""
        value = value_text(self.value, self.player)
        if self.mark in (BEST, ONLY):
            return Annotation(value, self.mark)
        # as of the position after the better turn, as the other value is
        better = _one_turn_later(self.best.score)
        return Annotation(value, self.mark, value_text(better, self.player), self.best.line)


class Analyst:
    """Judges the turns of one game, with the nodes of a level from LEAST_LEVEL on.

    `look` is called now and then while it searches; it may raise something to end that.
    """

    def __init__(
        self,
        start: array[int],
        options: int,
        level: int,
        look: Callable[[], None] = lambda: None,
    ) -> None:
        self._game = Game()
        self._game.start(start, options)
        self._modules = objects.modules_of(start)
        self._rules: Rules[Any, Any] = rules_of(start, options)
        chosen = LEVELS[level - 1]
        nodes = chosen.nodes_with_modules if self._modules else chosen.nodes

        def is_over() -> bool:
            look()
            return False

        self._limits = Limits(nodes, None, is_over)
        self._played: list[Any] = []

    def judge(self, turns: Sequence[int], done: int = 0) -> Iterator[JudgedTurn]:
        """Yield what each turn was worth; the first `done` were judged before."""
        for turn in turns[:done]:
            self._apply(turn)
        best = None
        for turn in turns[done:]:
            best = best or self.thought()
            player = self._game.mover
            position, played = self._game.state, self._played[:]
            self._apply(turn)
            found = None if self._game.winner() != NOBODY else self.thought()
            value = WON if found is None else -found.score
            is_best = self._state_after(position, best.line[0]) == self._game.state
            second = None
            if is_best:
                second = self._search(position, played, best.line[0])
            yield self._judged(player, turn, value, best, is_best, second)
            best = found

    def thought(self) -> Thought:
        """Return what the search finds in the present position, nobody having won."""
        found = self._search(self._game.state, self._played)
        assert found is not None
        return found

    def _judged(
        self,
        player: int,
        turn: int,
        value: int,
        best: Thought,
        is_best: bool,
        second: Thought | None,
    ) -> JudgedTurn:
        here = _one_turn_earlier(value)
        before = max(best.score, here)
        loss = self._chance(before) - self._chance(value)
        if is_best or here >= before:
            is_only = second is not None and self._loss_of(before, second) >= _LOSSES[0][0]
            return JudgedTurn(player, turn, value, best, 0.0, ONLY if is_only else BEST)
        if before > SOON >= value:
            mark = MISSED_WIN
        else:
            mark = next((mark for least, mark in _LOSSES if loss >= least), GOOD)
        return JudgedTurn(player, turn, value, best, loss, mark)

    def _loss_of(self, before: int, second: Thought) -> float:
        return self._chance(before) - self._chance(second.score)

    def _chance(self, value: int) -> float:
        return chance_of(value, self._modules)

    def _search(
        self, state: array[int], played: Collection[Any], without: int | None = None
    ) -> Thought | None:
        """Return the deepest thought about a position, None where there is no such turn."""
        node = self._rules.node(state)
        thoughts = [*Search(self._rules).think(node, self._limits, played, without=without)]
        return thoughts[-1] if thoughts else None

    def _apply(self, turn: int) -> None:
        self._played.append(self._rules.node(self._game.state))
        self._game.apply(turn)

    def _state_after(self, state: array[int], turn: int) -> array[int]:
        game = Game()
        game.start(state, self._game.options)
        game.apply(turn)
        return game.state


def value_text(value: int, player: int) -> str:
    """Return what a position is worth after a player's turn, as records say it: seen from White."""
    if abs(value) > SOON:
        winner = player if value > 0 else 1 - player
        left = abs(turns_to_end(-value))  # of the winner's own turns; 0 where that one won
        return f"#{'' if winner == WHITE else '-'}{left}"
    return f"{(value if player == WHITE else -value) / 100:+.2f}"


def value_of(text: str, player: int) -> int:
    """Return what a record says of a position, seen from a player; a win is `WON`."""
    value = round(100 * float(text)) if text[0] != "#" else -WON if text[1] == "-" else WON
    return value if player == WHITE else -value


def white_chance(text: str, modules: int) -> float:
    """Return how likely White wins by what a record says of a position, 0 to 1, rounded.

    `modules` is the set that is played, as bits.
    """
    return round(chance_of(value_of(text, WHITE), modules), 4)


def _one_turn_earlier(value: int) -> int:
    """Return a value after a turn as it was before it: a win or loss is one turn farther away."""
    if value > SOON:
        return value - 1
    return value + 1 if value < -SOON else value


def _one_turn_later(value: int) -> int:
    """Return a value before the best turn as it is after it."""
    if value > SOON:
        return value + 1
    return value - 1 if value < -SOON else value
