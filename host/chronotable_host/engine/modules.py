"""A game with modules as the search asks for it: the turns of `ttykm`, and learned weights."""

from __future__ import annotations

from array import array

from chronotable_host.engine.evaluation import Evaluation
from ttykm import layout
from ttykm.layout import META, MOVER_SHIFT, RECORD_WORDS, SEQUENCE, STATE_WORDS
from ttykm.turns import TurnTree

_ENTRIES = 50_000  # positions whose outcomes are kept
_MOST_DEATHS = 4  # of one player's copies in one turn; more are hardly ever possible


class ModuleGame:
    """The rules of a game with modules, and what a position is worth; see `search.Rules`.

    A node is a state as bytes; an outcome is such a state, too, with the mover and the focus still
    as they were.
    """

    def __init__(self, options: int, evaluation: Evaluation) -> None:
        self._options = options
        self._evaluation = evaluation
        self._turns = TurnTree()
        self._outcomes: dict[bytes, dict[bytes, int]] = {}

    def node(self, state: array[int]) -> bytes:
        """Return the position of a state."""
        return state.tobytes()

    def focus(self, node: bytes) -> int:
        """Return the era of the focus of the player to move."""
        state = array("H", node)
        return layout.focus(state, layout.mover(state))

    def outcomes(self, node: bytes) -> dict[bytes, int]:
        """Return what the actions of a turn can lead to, with a way to act for each."""
        found = self._outcomes.get(node)
        if found is None:
            if len(self._outcomes) >= _ENTRIES:
                self._outcomes.clear()
            found = self._outcomes[node] = self._looked_up(array("H", node))
        return found

    def _looked_up(self, state: array[int]) -> dict[bytes, int]:
        tree = self._turns
        tree.build(state, self._options)
        records, objects = tree.records, tree.objects
        rest = len(state) - STATE_WORDS
        found = {}
        for index in tree.whole_turns():
            base = index * RECORD_WORDS
            own, there = records[base : base + STATE_WORDS], objects[base : base + rest]
            found[own.tobytes() + there.tobytes()] = records[base + SEQUENCE]
        return found

    def valued(self, node: bytes) -> tuple[int, list[tuple[int, bytes]]]:
        """Return a number, and the outcomes with what they are worth to who acts but for it."""
        evaluation = self._evaluation
        player = layout.mover(array("H", node))
        found = [
            (evaluation.of_state(array("H", outcome), player), outcome)
            for outcome in self.outcomes(node)
        ]
        found.sort(reverse=True)
        return -evaluation.to_move, found

    def after(self, _node: bytes, outcome: bytes, focus: int) -> bytes:
        """Return what the other player sees once the focus has shifted."""
        state = array("H", outcome)
        meta = state[META]
        place = layout.FOCUS_SHIFT + 2 * (meta >> MOVER_SHIFT & 1)
        state[META] = (meta & ~(3 << place) | focus << place) ^ 1 << MOVER_SHIFT
        return state.tobytes()

    def wins(self, outcome: bytes) -> bool:
        """Tell whether the turn wins that leads there (T29)."""
        state = array("H", outcome)
        return layout.eras_held(state, 1 - layout.mover(state)) <= 1

    def can_win(self, node: bytes) -> bool:
        """Tell whether the player to move wins with a turn, unless very many would have to die."""
        state = array("H", node)
        other = 1 - layout.mover(state)
        counts = [state[layout.COPIES + 3 * other + era].bit_count() for era in range(3)]
        if sum(counts) - max(counts) > _MOST_DEATHS:
            return False
        return any(self.wins(outcome) for outcome in self.outcomes(node))

    def worth(self, node: bytes) -> int:
        """Return what a position is worth to the player to move, in points."""
        state = array("H", node)
        mover = layout.mover(state)
        return self._evaluation.of_state(state, mover) + self._evaluation.to_move
