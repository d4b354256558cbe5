"""A game as the search asks for it (`search.Rules`): the standard one, and one with modules.

The standard game is bitboards whose patterns have learned weights, one with modules the turns of
`ttykm` with weights of what is counted, besides those of the patterns.
"""

from __future__ import annotations

from array import array

from chronotable_host.engine import position
from chronotable_host.engine.endgames import MOST_OF_BOTH, end_of
from chronotable_host.engine.evaluation import Evaluation
from chronotable_host.engine.patterns import PatternEvaluation, standard_evaluation
from chronotable_host.engine.position import (
    OTHERS,
    Position,
    Result,
    eras_held,
    has_won,
    may_empty,
    of_state,
    results,
    ways,
)
from chronotable_host.engine.search import Child
from ttykm import layout, objects
from ttykm.layout import META, MOVER_SHIFT, RECORD_WORDS, SEQUENCE, STATE_WORDS
from ttykm.turns import TurnTree

_POSITIONS = 40_000  # whose turns are kept: some 200 MB
_ANSWERS = 200_000  # whether who moves can win, kept: some 40 MB


class StandardGame:
    """The rules of the standard game, and what a position is worth; see `search.Rules`."""

    def __init__(self, strict: bool = False, evaluation: PatternEvaluation | None = None) -> None:
        self._strict = strict
        self._evaluation = evaluation or standard_evaluation()
        self._children: dict[tuple[int, ...], list[Child[Result]]] = {}
        self._can_win: dict[tuple[int, ...], bool] = {}

    def node(self, state: array[int]) -> Position:
        """Return the position of a state."""
        return of_state(state)

    def children(self, node: Position) -> tuple[int, list[Child[Result]]]:
        """Return a number, and the turns with what they are worth to who acts but for it."""
        own, other, supply, other_supply, focus, other_focus = node
        key = own, other, supply, focus, other_focus
        found = self._children.get(key)
        if found is None:
            if len(self._children) >= _POSITIONS:
                self._children.clear()
            outcomes = results(own, other, supply, focus, self._strict)
            found = self._evaluation.children(outcomes.items(), focus, other_focus)
            self._children[key] = found
        return -self._evaluation.supply[other_supply], found

    def best(self, node: Position, enough: int) -> tuple[int, Result]:
        """Return what the best turn is worth to who acts, or one that is worth `enough`."""
        own, other, supply, other_supply, focus, other_focus = node
        more = -self._evaluation.supply[other_supply]
        acts = ways(own, other, supply, focus, self._strict)
        worth, outcome = self._evaluation.best(acts, focus, other_focus, enough - more)
        return worth + more, outcome

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
        key = own, other, supply, focus
        found = self._can_win.get(key)
        if found is None:
            if len(self._can_win) >= _ANSWERS:
                self._can_win.clear()
            found = self._can_win[key] = may_empty(own, other, supply, focus) and any(
                has_won(result[1]) for result, _ in ways(own, other, supply, focus, self._strict)
            )
        return found

    def worth(self, node: Position) -> int:
        """Return what a position is worth to the player to move, in points."""
        return self._evaluation.worth(node)

    def end(self, node: Position) -> int | None:
        """Return in how many turns of both players a position ends, None where it is not known."""
        own, other, supply, other_supply, _, _ = node
        if (own | other).bit_count() + supply + other_supply > MOST_OF_BOTH or self._strict:
            return None
        return end_of(node)


class _Known:
    """What is known of a state with modules, wherever the other's focus is.

    `outcomes` are those of its turns, with a way to act for each; `children` are by where that
    focus is; `can_win` is None as long as nobody asked.
    """

    __slots__ = ("can_win", "children", "outcomes")

    def __init__(self, outcomes: dict[bytes, int]) -> None:
        self.outcomes = outcomes
        self.children: dict[int, list[Child[bytes]]] = {}
        self.can_win: bool | None = None


_POSITIONS_WITH_MODULES = 5_000  # positions that are kept: some 45 MB
_MOST_DEATHS = 4  # of one player's copies in one turn; more are hardly ever possible
_MOST_DEATHS_AN_ACTION = 2  # where the copy acts: pushes kill one copy, or two in a paradox (T19)


class ModuleGame:
    """The rules of a game with modules, and what a position is worth; see `search.Rules`.

    A node is a state as bytes. An outcome is such a state, too, with the mover still as it was; the
    bits of both foci are 0 there, and `after` sets them.
    """

    def __init__(self, options: int, evaluation: Evaluation, patterns: PatternEvaluation) -> None:
        self._options = options
        self._evaluation = evaluation
        self._patterns = patterns
        self._turns = TurnTree()
        self._known: dict[bytes, _Known] = {}

    def node(self, state: array[int]) -> bytes:
        """Return the position of a state."""
        return state.tobytes()

    def children(self, node: bytes) -> tuple[int, list[Child[bytes]]]:
        """Return a number, and the turns with what they are worth to who acts but for it."""
        state = array("H", node)
        player = layout.mover(state)
        focus, other_focus = layout.focus(state, player), layout.focus(state, 1 - player)
        known = self._of(state)
        if other_focus not in known.children:
            states = [array("H", outcome) for outcome in known.outcomes]
            results = [of_state(each)[:3] for each in states]
            ways = zip(results, known.outcomes.values(), strict=True)
            first, second = OTHERS[focus]
            found = known.children[other_focus] = []
            for outcome, each, (_, sequence, worth, other_worth) in zip(
                known.outcomes, states, self._patterns.valued(ways, focus, other_focus), strict=True
            ):
                counted = self._evaluation.of_state(each, player)
                found.append((worth + counted, first << 16 | sequence, outcome))
                found.append((other_worth + counted, second << 16 | sequence, outcome))
            found.sort(reverse=True)
        supply = self._patterns.supply[layout.supply(state, 1 - player)]
        return -self._evaluation.to_move - supply, known.children[other_focus]

    def best(self, node: bytes, enough: int) -> tuple[int, bytes]:  # noqa: ARG002
        """Return what the best turn is worth to who acts, and its outcome."""
        more, children = self.children(node)
        return children[0][0] + more, children[0][2]

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

    def _of(self, state: array[int]) -> _Known:
        """Return what is known of a state, wherever the other's focus is."""
        state[META] &= ~(3 << _place(1 - layout.mover(state)))
        key = state.tobytes()
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _POSITIONS_WITH_MODULES:
                self._known.clear()
            found = self._known[key] = _Known(self._looked_up(state))
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
        counted = self._evaluation.of_state(state, layout.mover(state))
        return counted + self._patterns.worth(of_state(state)) + self._evaluation.to_move

    def end(self, node: bytes) -> int | None:  # noqa: ARG002
        """Return None: with modules no endgames are known."""
        return None


def passed(state: array[int]) -> array[int]:
    """Return a position as it would be if who is to move there passed, which no rule allows."""
    state = array("H", state)
    state[META] ^= 1 << MOVER_SHIFT
    return state


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
