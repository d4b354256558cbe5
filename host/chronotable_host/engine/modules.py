"""A game with modules as the search asks for it: the turns of `ttykm`, and learned weights."""

from __future__ import annotations

from array import array

from chronotable_host.engine.evaluation import Evaluation
from chronotable_host.engine.search import Known
from ttykm import layout, objects
from ttykm.layout import META, MOVER_SHIFT, RECORD_WORDS, SEQUENCE, STATE_WORDS
from ttykm.turns import TurnTree

_ENTRIES = 5_000  # positions that are kept: some 45 MB
_MOST_DEATHS = 4  # of one player's copies in one turn; more are hardly ever possible
_MOST_DEATHS_AN_ACTION = 2  # where the copy acts: pushes kill one copy, or two in a paradox (T19)


class ModuleGame:
    """The rules of a game with modules, and what a position is worth; see `search.Rules`.

    A node is a state as bytes. An outcome is such a state, too, with the mover still as it was; the
    bits of both foci are 0 there, and `after` sets them.
    """

    def __init__(self, options: int, evaluation: Evaluation) -> None:
        self._options = options
        self._evaluation = evaluation
        self._turns = TurnTree()
        self._known: dict[bytes, Known[bytes]] = {}

    def node(self, state: array[int]) -> bytes:
        """Return the position of a state."""
        return state.tobytes()

    def focus(self, node: bytes) -> int:
        """Return the era of the focus of the player to move."""
        state = array("H", node)
        return layout.focus(state, layout.mover(state))

    def outcomes(self, node: bytes) -> dict[bytes, int]:
        """Return what the actions of a turn can lead to, with a way to act for each."""
        return self._of(array("H", node)).outcomes

    def valued(self, node: bytes) -> tuple[int, list[tuple[int, bytes]]]:
        """Return a number, and the outcomes with what they are worth to who acts but for it."""
        state = array("H", node)
        evaluation = self._evaluation
        known = self._of(state)
        if known.valued is None:
            player = layout.mover(state)
            known.valued = [
                (evaluation.of_state(array("H", outcome), player), outcome)
                for outcome in known.outcomes
            ]
            known.valued.sort(reverse=True)
        return -evaluation.to_move, known.valued

    def after(self, node: bytes, outcome: bytes, focus: int) -> bytes:
        """Return what the other player sees once the focus has shifted."""
        state = array("H", outcome)
        mover = layout.mover(state)
        foci = focus << _place(mover) | array("H", node)[META] & 3 << _place(1 - mover)
        state[META] = (state[META] | foci) ^ 1 << MOVER_SHIFT
        return state.tobytes()

    def wins(self, outcome: bytes) -> bool:
        """Tell whether the turn wins that leads there (T29)."""
        state = array("H", outcome)
        return layout.eras_held(state, 1 - layout.mover(state)) <= 1

    def can_win(self, node: bytes, is_leaf: bool = False) -> bool:
        """Tell whether the player to move wins with a turn, unless very many would have to die.

        At a leaf nobody looks for the turn that empties two eras by statues: it is rare, and its
        turns are not needed for anything else.
        """
        state = array("H", node)
        if not _may_win(state, is_leaf):
            return False
        known = self._of(state)
        if known.can_win is None:
            known.can_win = any(self.wins(outcome) for outcome in known.outcomes)
        return known.can_win

    def _of(self, state: array[int]) -> Known[bytes]:
        """Return what is known of a state, wherever the other's focus is."""
        state[META] &= ~(3 << _place(1 - layout.mover(state)))
        key = state.tobytes()
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _ENTRIES:
                self._known.clear()
            found = self._known[key] = Known(self._looked_up(state))
        return found

    def _looked_up(self, state: array[int]) -> dict[bytes, int]:
        tree = self._turns
        tree.build(state, self._options)
        records, lying = tree.records, tree.objects
        rest = len(state) - STATE_WORDS
        meta = ~(3 << _place(layout.mover(state)))
        found = {}
        for index in tree.whole_turns():
            base = index * RECORD_WORDS
            copies = records[base : base + STATE_WORDS]
            copies[META] &= meta
            outcome = copies.tobytes() + lying[base : base + rest].tobytes()
            found[outcome] = records[base + SEQUENCE]
        return found

    def worth(self, node: bytes) -> int:
        """Return what a position is worth to the player to move, in points."""
        state = array("H", node)
        mover = layout.mover(state)
        return self._evaluation.of_state(state, mover) + self._evaluation.to_move


def _place(player: int) -> int:
    """Return where the focus of a player lies in META."""
    return layout.FOCUS_SHIFT + 2 * player


def _may_win(state: array[int], is_leaf: bool) -> bool:
    """Tell whether a turn may win, as far as it is seen without looking at one (T29).

    An action acts in the era of the acting copy, and to get to another takes one of the two (T11).
    Statues alone do something in later eras, too (I2, I9).
    """
    mover = layout.mover(state)
    own, others = layout.COPIES + 3 * mover, layout.COPIES + 3 * (1 - mover)
    counts = [each.bit_count() for each in state[others : others + 3]]
    held = [era for era in range(3) if counts[era]]
    if len(held) < 2:
        return True
    here = layout.focus(state, mover)
    if not state[own + here]:
        return False
    if is_leaf and len(held) == 3:
        return False
    first = here - 1 if here and layout.supply(state, mover) else here
    if objects.modules_of(state) & objects.INFLUENCE:
        reached = sorted(counts[era] for era in held if era >= first)
        due = len(held) - 1
        return len(reached) >= due and sum(reached[:due]) <= _MOST_DEATHS
    return len(held) == 2 and any(
        counts[era] <= (_MOST_DEATHS if era == here else _MOST_DEATHS_AN_ACTION)
        for era in held
        if first <= era <= here + 1
    )
