"""The standard game as the search asks for it: bitboards, and an evaluation by looking up."""

from __future__ import annotations

from array import array

from chronotable_host.engine import position
from chronotable_host.engine.evaluation import Evaluation, evaluation_of
from chronotable_host.engine.position import Position, Result, eras_held, has_won, of_state, results
from chronotable_host.engine.search import Known

_ENTRIES = 100_000  # positions that are kept: some 200 MB


class StandardGame:
    """The rules of the standard game, and what a position is worth; see `search.Rules`."""

    def __init__(self, strict: bool = False, evaluation: Evaluation | None = None) -> None:
        self._strict = strict
        self._evaluation = evaluation or evaluation_of(0)
        self._known: dict[tuple[int, int, int, int], Known[Result]] = {}

    def node(self, state: array[int]) -> Position:
        """Return the position of a state."""
        return of_state(state)

    def focus(self, node: Position) -> int:
        """Return the era of the focus of the player to move."""
        return node[4]

    def outcomes(self, node: Position) -> dict[Result, int]:
        """Return what the actions of a turn can lead to, with a way to act for each."""
        own, other, supply, _, focus, _ = node
        return self._of(own, other, supply, focus).outcomes

    def valued(self, node: Position) -> tuple[int, list[tuple[int, Result]]]:
        """Return a number, and the outcomes with what they are worth to who acts but for it."""
        own, other, supply, other_supply, focus, _ = node
        evaluation = self._evaluation
        known = self._of(own, other, supply, focus)
        if known.valued is None:
            past, present, future = evaluation.boards
            placed = evaluation.supply
            known.valued = [
                (
                    past[mine & 0xFFFF]
                    + present[mine >> 16 & 0xFFFF]
                    + future[mine >> 32]
                    - past[theirs & 0xFFFF]
                    - present[theirs >> 16 & 0xFFFF]
                    - future[theirs >> 32]
                    + placed[left],
                    (mine, theirs, left),
                )
                for mine, theirs, left in known.outcomes
            ]
            known.valued.sort(reverse=True)
        return -evaluation.supply[other_supply] - evaluation.to_move, known.valued

    def after(self, node: Position, outcome: Result, focus: int) -> Position:
        """Return what the other player sees once the focus has shifted."""
        return position.after(node, outcome, focus)

    def wins(self, outcome: Result) -> bool:
        """Tell whether the turn wins that leads there (T29)."""
        return has_won(outcome[1])

    def can_win(self, node: Position, is_leaf: bool = False) -> bool:  # noqa: ARG002
        """Tell whether the player to move wins with a turn (T29).

        Two eras cannot be emptied in one: it takes an action to get from one to the other.
        """
        own, other, supply, _, focus, _ = node
        held = eras_held(other)
        if held != 2:
            return held < 2
        known = self._of(own, other, supply, focus)
        if known.can_win is None:
            known.can_win = any(has_won(theirs) for _, theirs, _ in known.outcomes)
        return known.can_win

    def worth(self, node: Position) -> int:
        """Return what a position is worth to the player to move, in points."""
        own, other, supply, other_supply, _, _ = node
        side = self._evaluation.side
        return side(own, supply) - side(other, other_supply) + self._evaluation.to_move

    def _of(self, own: int, other: int, supply: int, focus: int) -> Known[Result]:
        key = own, other, supply, focus
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _ENTRIES:
                self._known.clear()
            outcomes = results(own, other, supply, focus, self._strict)
            found = self._known[key] = Known(outcomes)
        return found
