"""The standard game as the search asks for it: bitboards, and an evaluation by looking up."""

from __future__ import annotations

from array import array

from chronotable_host.engine import position
from chronotable_host.engine.evaluation import Evaluation, evaluation_of
from chronotable_host.engine.position import Position, Result, eras_held, has_won, of_state, results

_ENTRIES = 200_000  # results that are kept: some 100 MB


class StandardGame:
    """The rules of the standard game, and what a position is worth; see `search.Rules`."""

    def __init__(self, strict: bool = False, evaluation: Evaluation | None = None) -> None:
        self._strict = strict
        self._evaluation = evaluation or evaluation_of(0)
        self._outcomes: dict[tuple[int, int, int, int], dict[Result, int]] = {}

    def node(self, state: array[int]) -> Position:
        """Return the position of a state."""
        return of_state(state)

    def focus(self, node: Position) -> int:
        """Return the era of the focus of the player to move."""
        return node[4]

    def outcomes(self, node: Position) -> dict[Result, int]:
        """Return what the actions of a turn can lead to, with a way to act for each."""
        own, other, supply, _, focus, _ = node
        return self._of(own, other, supply, focus)

    def valued(self, node: Position) -> list[tuple[int, Result]]:
        """Return the outcomes with their worth for the player who acts, the best first."""
        own, other, supply, other_supply, focus, _ = node
        past, present, future = self._evaluation.boards
        placed = self._evaluation.supply
        less = placed[other_supply] + self._evaluation.to_move
        found = [
            (
                past[mine & 0xFFFF]
                + present[mine >> 16 & 0xFFFF]
                + future[mine >> 32]
                - past[theirs & 0xFFFF]
                - present[theirs >> 16 & 0xFFFF]
                - future[theirs >> 32]
                + placed[left]
                - less,
                (mine, theirs, left),
            )
            for mine, theirs, left in self._of(own, other, supply, focus)
        ]
        found.sort(reverse=True)
        return found

    def after(self, node: Position, outcome: Result, focus: int) -> Position:
        """Return what the other player sees once the focus has shifted."""
        return position.after(node, outcome, focus)

    def wins(self, outcome: Result) -> bool:
        """Tell whether the turn wins that leads there (T29)."""
        return has_won(outcome[1])

    def can_win(self, node: Position) -> bool:
        """Tell whether the player to move wins with a turn (T29).

        Two eras cannot be emptied in one: it takes an action to get from one to the other.
        """
        own, other, supply, _, focus, _ = node
        held = eras_held(other)
        if held != 2:
            return held < 2
        return any(has_won(theirs) for _, theirs, _ in self._of(own, other, supply, focus))

    def worth(self, node: Position) -> int:
        """Return what a position is worth to the player to move, in points."""
        own, other, supply, other_supply, _, _ = node
        side = self._evaluation.side
        return side(own, supply) - side(other, other_supply) + self._evaluation.to_move

    def _of(self, own: int, other: int, supply: int, focus: int) -> dict[Result, int]:
        key = own, other, supply, focus
        found = self._outcomes.get(key)
        if found is None:
            if len(self._outcomes) >= _ENTRIES:
                self._outcomes.clear()
            found = self._outcomes[key] = results(own, other, supply, focus, self._strict)
        return found
