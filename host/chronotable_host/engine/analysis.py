"""What a game's turns were worth: the value after each, what was better, and how much it cost.

Each position is searched with the nodes of a level, and nothing overlooked; so the same game has
the same analysis on every computer. A turn is judged by how much of the chance to win it gave
away, not by points: who is winning anyway may win slowly. Before a turn is called a mistake or
worse, or the only good one, what was played and what is better are searched again, deeper.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterator, Sequence
from math import exp
from typing import Any, NamedTuple

from chronotable_host.engine.evaluation import chance_of
from chronotable_host.engine.levels import Level, rules_of
from chronotable_host.engine.search import SOON, WON, Limits, Rules, Search, Thought, turns_to_end
from chronotable_host.rules.annotations import (
    ANNOTATOR,
    BEST,
    BLUNDER,
    ERRORS,
    GOOD,
    INACCURACY,
    LONGER_WIN,
    MISSED_WIN,
    MISTAKE,
    ONLY,
    Annotation,
    read_annotations,
)
from chronotable_host.rules.record import Record
from ttykm import objects
from ttykm.game import Game
from ttykm.layout import NOBODY, WHITE, mover

_LOSSES = ((0.15, BLUNDER), (0.10, MISTAKE), (0.05, INACCURACY))
"""Of the chance to win, 0 to 1; the steps are those that Lichess takes in chess."""

CLAIMS = (*ERRORS, ONLY)
"""Marks that are not given before what they say was searched again."""
_DEEPER = 10
_MOST_NODES = 100_000
"""What is searched again has so many times the nodes of the level, or this many."""

LEAST_LEVEL = 4
"""The first level that can be asked for a value: those below look as far, and see less."""


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
        better = _turns_earlier(self.best.score, -1)
        return Annotation(value, self.mark, value_text(better, self.player), self.best.line)


class Analyst:
    """Judges the turns of one game, with the nodes of a level; it has to be one that has some.

    `look` is called now and then while it searches; it may raise something to end that.
    """

    def __init__(
        self, start: array[int], options: int, level: Level, look: Callable[[], None] = lambda: None
    ) -> None:
        self._game = Game()
        self._game.start(start, options)
        self._modules = objects.modules_of(start)
        self._rules: Rules[Any, Any] = rules_of(start, options)
        self._nodes = level.nodes_with_modules if self._modules else level.nodes
        self._look = look
        self._played: list[Any] = []

    def judge(self, turns: Sequence[int], done: int = 0) -> Iterator[JudgedTurn]:
        """Yield what each turn was worth; the first `done` were judged before."""
        for turn in turns[:done]:
            self._apply(turn)
        best = None
        deeper = min(_DEEPER * self._nodes, _MOST_NODES)
        for turn in turns[done:]:
            best = best or self.thought(self._nodes)
            state, played = self._game.state, self._played[:]
            self._apply(turn)
            is_won = self._game.winner() != NOBODY
            found = None if is_won else self.thought(self._nodes)
            judged = self._judged(turn, state, played, best, found, self._nodes)
            if judged.mark in CLAIMS and deeper > self._nodes:
                again = self._search(state, played, deeper)
                assert again is not None
                after = None if is_won else self.thought(deeper)
                judged = self._judged(turn, state, played, again, after, deeper)
            yield judged
            best = found

    def thought(self, nodes: int) -> Thought:
        """Return what so many nodes find in the present position, nobody having won."""
        found = self._search(self._game.state, self._played, nodes)
        assert found is not None
        return found

    def _judged(
        self,
        turn: int,
        state: array[int],
        played: Collection[Any],
        best: Thought,
        found: Thought | None,
        nodes: int,
    ) -> JudgedTurn:
        """Judge the turn that was played in a state.

        `best` was found there and `found` behind it, None where it won, with so many nodes.
        """
        player = mover(state)
        value = WON if found is None else -found.score
        here = _turns_earlier(value, 1)
        before = max(best.score, here)
        loss = self._chance(before) - self._chance(value)
        game = Game()
        game.start(state, self._game.options)
        game.apply(best.line[0])
        is_best = game.state == self._game.state
        if is_best or here >= before:
            other = self._search(state, played, nodes, best.line[0]) if is_best else None
            lost = self._chance(before) - self._chance(other.score) if other else 0.0
            mark = ONLY if lost >= _LOSSES[0][0] else BEST
            return JudgedTurn(player, turn, value, best, 0.0, mark)
        mark = next((mark for least, mark in _LOSSES if loss >= least), GOOD)
        if before > SOON:
            mark = LONGER_WIN if value > SOON else MISSED_WIN if loss >= _LOSSES[-1][0] else GOOD
        return JudgedTurn(player, turn, value, best, loss, mark)

    def _chance(self, value: int) -> float:
        return chance_of(value, self._modules)

    def _search(
        self, state: array[int], played: Collection[Any], nodes: int, without: int | None = None
    ) -> Thought | None:
        """Return the deepest whole thought about a position, None where there is no such turn."""

        def is_over() -> bool:
            self._look()
            return False

        node = self._rules.node(state)
        limits = Limits(nodes, None, is_over)
        thoughts = [*Search(self._rules).think(node, limits, played, without=without)]
        if not thoughts:
            return None
        if abs(thoughts[-1].score) > SOON:
            return thoughts[-1]
        whole = [each for each in thoughts if each.nodes < nodes] or thoughts[-1:]
        return steady(whole[-1], whole[-2] if len(whole) > 1 else None)

    def _apply(self, turn: int) -> None:
        self._played.append(self._rules.node(self._game.state))
        self._game.apply(turn)


def steady(thought: Thought, before: Thought | None) -> Thought:
    """Return a thought with the mean of its score and that of the depth before, if there was one.

    Who moves last in a search looks better than it is. Its other lines stay as far behind as they
    were; what is won or lost stays as it is.
    """
    if before is None or abs(thought.score) > SOON:
        return thought
    more = (before.score - thought.score) // 2
    others = [(it if abs(it) > SOON else it + more, line) for it, line in thought.others]
    return thought._replace(score=thought.score + more, others=tuple(others))


class PlayerScore(NamedTuple):
    """How a player did in a game: the accuracy in percent, and how many turns were how wrong."""

    accuracy: int
    blunders: int
    mistakes: int
    """Missed wins among them."""
    inaccuracies: int


def scores(record: Record) -> tuple[PlayerScore, PlayerScore] | None:
    """Return the scores of White and Black, None where a turn was not analysed or made by one.

    How accurate a turn is follows from the chance that it gave away, as Lichess has it.
    """
    said = read_annotations(record.comments) if ANNOTATOR in record.headers else []
    if len(said) < max(len(record.turns), 2):
        return None
    modules, first = objects.modules_of(record.start), mover(record.start)
    found = []
    for player in range(2):
        own = said[player ^ first :: 2]
        exact = []
        for each in own:
            values = each.best_value or each.value, each.value
            best, had = (chance_of(value_of(value, player), modules) for value in values)
            exact.append(max(0.0, 103.17 * exp(-4.354 * max(0.0, best - had)) - 3.17))
        marks = [each.mark for each in own]
        mistakes = marks.count(MISTAKE) + marks.count(MISSED_WIN)
        counts = marks.count(BLUNDER), mistakes, marks.count(INACCURACY)
        found.append(PlayerScore(round(sum(exact) / len(exact)), *counts))
    return found[0], found[1]


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


def _turns_earlier(value: int, turns: int) -> int:
    """Return a value as it is so many turns earlier: a win or loss is that much farther away."""
    if abs(value) <= SOON:
        return value
    return value - turns if value > 0 else value + turns
