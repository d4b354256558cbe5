"""The solver: proves that a position is won in so many turns, whatever the other player answers.

It tries every turn and every answer. The search only says which are tried first, so that a mistake
of the search costs time and no proof.
"""

from array import array
from collections.abc import Iterator
from typing import Any

from chronotable_host.engine.levels import rules_of
from chronotable_host.engine.search import Limits, Search
from chronotable_host.learning.puzzles.puzzle import LONGEST

_GUESSED = 150  # nodes of the search for each turn of a win that is proven

Node = Any
Child = tuple[int, Node, bool]
"""A turn, packed, the node after it, and whether it wins (T29)."""


class Solver:
    """Proves forced wins in the game that a position is of; `node` makes its nodes of positions.

    What it has found it keeps.
    """

    def __init__(self, state: "array[int]", options: int = 0) -> None:
        self._rules = rules_of(state, options)
        self._search = Search(self._rules)
        self._known: dict[tuple[Node, int], int | None] = {}
        self._refuting: dict[int, int] = {}  # how often an answer showed that a turn wins nothing

    def node(self, state: "array[int]") -> Node:
        """Return a position as the solver has it."""
        return self._rules.node(state)

    def win(self, node: Node, turns: int) -> int | None:
        """Return a turn that wins in so many turns of the mover at most, None where none does."""
        key = node, turns
        if key not in self._known:
            self._known[key] = self._find(node, turns)
        return self._known[key]

    def distance(self, node: Node, most: int = LONGEST) -> int | None:
        """Return in how many turns the mover wins, None where it takes more than `most`."""
        end = self._rules.end(node)
        if end is not None:
            return (end + 1) // 2 if end & 1 and end < 2 * most else None
        return next((n for n in range(1, most + 1) if self.win(node, n) is not None), None)

    def results(self, node: Node, turns: int, enough: int) -> int:
        """Return how many results of the mover's actions win in so many turns, `enough` at most.

        What differs but in where the focus goes is one result.
        """
        rules = self._rules
        found: set[Any] = set()
        for _, turn, outcome in rules.children(node)[1]:
            if len(found) < enough and outcome not in found:
                then = rules.after(node, outcome, turn >> 16)
                if rules.wins(outcome) or (turns > 1 and self.refutation(then, turns - 1) is None):
                    found.add(outcome)
        return len(found)

    def refutation(self, node: Node, turns: int) -> int | None:
        """Return an answer after which the other one does not win in so many turns, or None."""
        end = self._rules.end(node)
        if end and not end & 1 and end <= 2 * turns:
            return None
        children = list(self._children(node))
        for turn, _, has_won in children:
            if has_won:
                return turn
        children.sort(key=lambda child: -self._refuting.get(child[0], 0))
        first = self._guess(node, turns) if turns > 1 else None
        children.sort(key=lambda child: child[0] != first)
        for turn, then, _ in children:
            if self.win(then, turns) is None:
                self._refuting[turn] = self._refuting.get(turn, 0) + 1
                return turn
        return None

    def longest_defence(self, node: Node, turns: int) -> int:
        """Return the answer after which the other one takes longest to win, in so many at most.

        Of several the one that leaves most to who answers.
        """
        length, answer = 0, 0
        for turn, then, _ in self._children(node):
            needed = self.distance(then, turns)
            assert needed is not None, "it was proven to be lost"
            if needed > length:
                length, answer = needed, turn
            if length == turns:
                break
        return answer

    def _find(self, node: Node, turns: int) -> int | None:
        end = self._rules.end(node)
        if end is not None and not (end & 1 and end < 2 * turns):
            return None
        children = list(self._children(node)) if self._rules.can_win(node) else []
        for turn, _, has_won in children:
            if has_won:
                return turn
        if turns == 1:
            return None
        first = self._guess(node, turns)
        children = sorted(children or self._children(node), key=lambda child: child[0] != first)
        for turn, then, _ in children:
            if self.refutation(then, turns - 1) is None:
                return turn
        return None

    def _children(self, node: Node) -> Iterator[Child]:
        """Yield a turn to each position that there is after one, the most promising first."""
        rules = self._rules
        for _, turn, outcome in rules.children(node)[1]:
            yield turn, rules.after(node, outcome, turn >> 16), rules.wins(outcome)

    def _guess(self, node: Node, turns: int) -> int | None:
        limits = Limits(nodes=_GUESSED * turns, depth=2 * turns)
        thoughts = list(self._search.think(node, limits))
        return thoughts[-1].line[0] if thoughts else None
