"""The search: iterative deepening with alpha-beta over the positions of a game.

A node is a position whose turns are looked at. Turns that lead to the same position are looked at
once. Where the depth ends, a position is only taken for what it is worth when the player to move
cannot win at once; so is a turn that gives everything away seen one turn later than it is played.
"""

from array import array
from collections.abc import Callable, Collection, Hashable, Iterator
from random import Random
from typing import Generic, NamedTuple, Protocol, TypeVar

WON = 1_000_000
"""What a won position is worth, less one for each turn until then."""
SOON = WON - 1000
"""What is worth more is won."""

EXACT, AT_LEAST, AT_MOST = range(3)

_ENTRIES = 200_000  # of the table: some 60 MB
_DEEPEST = 60
_REDUCED_FROM = 4  # the fifth turn and those behind it are looked at less deeply first
_FUTILE = 40  # points that a turn is hardly ever better by than it seems, for each turn of depth
_KILLER = 60  # points that a turn is put ahead by that refuted a sister of this position
_HISTORY = 40  # and at most for one that refuted others often
_LONGEST_KNOWN = 12  # turns of a line to a known end
_LOOK_EVERY = 128  # nodes between two looks at the clock

Node = TypeVar("Node", bound=Hashable)
Outcome = TypeVar("Outcome", bound=Hashable)

Child = tuple[int, int, Outcome]
"""What a turn is worth to who plays it, the turn as `ttykm` packs it, its outcome."""


class Rules(Protocol[Node, Outcome]):
    """A game as the search asks for it.

    A node is a position, an outcome what the actions of a turn lead to before the focus shifts.
    """

    def node(self, state: "array[int]", /) -> Node:
        """Return the position of a state."""

    def children(self, node: Node, /) -> tuple[int, list[Child[Outcome]]]:
        """Return the turns, one to each outcome and focus, the best first.

        The number before them is to be added to what each is worth.
        """

    def best(self, node: Node, enough: int, /) -> tuple[int, Outcome]:
        """Return what the best turn is worth to who plays it, and its outcome.

        One that is worth `enough` will do.
        """

    def after(self, node: Node, outcome: Outcome, focus: int, /) -> Node:
        """Return what the other player sees once the focus has shifted."""

    def wins(self, outcome: Outcome, /) -> bool:
        """Tell whether the turn wins that leads there (T29)."""

    def can_win(self, node: Node, /, is_leaf: bool = False) -> bool:
        """Tell whether the player to move wins with a turn; at a leaf rare wins may be missed."""

    def worth(self, node: Node, /) -> int:
        """Return what a position is worth to the player to move, in points."""

    def end(self, node: Node, /) -> int | None:
        """Return in how many turns of both players a position ends, None where it is not known.

        It is odd where the mover wins, even where the mover loses, 0 where neither has to.
        """


class Thought(NamedTuple):
    """What the search found at a depth."""

    depth: int
    score: int
    """Points for the player to move, or how far it is to a win or loss; see `turns_to_end`."""
    nodes: int
    line: tuple[int, ...]
    """The turns that both players would play, packed as in `ttykm`, beginning with the best."""
    others: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """Score and line of the next best turns, as many as were asked for."""


class Limits(NamedTuple):
    """When the search ends; the depth it is in then counts as far as it came."""

    nodes: int | None = None
    depth: int | None = None
    is_over: Callable[[], bool] | None = None
    """Asked now and then."""


class _StopError(Exception):
    pass


def turns_to_end(score: int) -> int:
    """Return in how many turns of its own the mover wins, or loses (negative); 0 for neither."""
    if score > SOON:
        return (WON - score + 1) // 2
    if score < -SOON:
        return -((WON + score + 1) // 2)
    return 0


class Search(Generic[Node, Outcome]):
    """A search; what it finds depends on nothing but what it is asked."""

    def __init__(self, rules: Rules[Node, Outcome]) -> None:
        self._rules = rules
        self._table: dict[Node, tuple[int, int, int, int]] = {}
        self._history: dict[int, int] = {}
        self._killers: list[list[int]] = []
        self._seen: set[Node] = set()
        self._nodes = 0
        self._limits = Limits()
        self._knows_ends = False
        self._looks_on = False

    def think(
        self,
        position: Node,
        limits: Limits,
        played: Collection[Node] = (),
        rng: Random | None = None,
        overlooks: float = 0.0,
        without: int | None = None,
        lines: int = 1,
    ) -> Iterator[Thought]:
        """Yield what is found, depth by depth; at least one thought, unless there is no such turn.

        `played` are the positions of the game so far: to come back to one of them is a draw here.
        `rng` decides between turns that are worth the same, as mirrored ones are, and which turns
        are not thought of: each of them with the chance `overlooks`, and all but one at most; who
        overlooks any knows no endgames either. `without` is a turn that is not to be played. So
        many `lines` are found, each beginning with a turn of its own.

        Where the end is known and neither has to lose, the score is 0, and of the turns that keep
        it so one is searched that is hard to answer.
        """
        self._begin(limits, played)
        self._knows_ends = not overlooks
        children = self._children(position, 0, None)
        if without is not None:
            children = [each for each in children if not self._is_same(each, without)]
        if not children:
            return
        if rng is not None:
            rng.shuffle(children)
            children = [each for each in children if rng.random() >= overlooks] or children[:1]
        if self._knows_ends and self._rules.end(position) is not None:
            known = self._known(position, children)
            score, child = known[0]
            if score:
                yield Thought(1, score, self._nodes, self._line_known(position, child))
                return
            self._looks_on = True
            children = [child for score, child in known if not score]
        scores: list[tuple[int, Child[Outcome]]] = [(child[0], child) for child in children]
        for depth in range(1, min(limits.depth or _DEEPEST, _DEEPEST) + 1):
            scores.sort(key=lambda each: -each[0])
            done: list[tuple[int, Child[Outcome]]] = []
            try:
                self._root(position, depth, [child for _, child in scores], done, lines)
            except _StopError:
                if depth > 1 and len(done) < lines:
                    return
            best, *next_best = sorted(done or scores, key=lambda each: -each[0])[:lines]
            others = tuple((score, self._line(position, it, depth)) for score, it in next_best)
            line = self._line(position, best[1], depth)
            score = 0 if self._looks_on else best[0]
            yield Thought(depth, score, self._nodes, line, others)
            if len(done) < len(scores) and not (done and best[0] > SOON):
                return
            if (abs(best[0]) > SOON and WON - abs(best[0]) <= depth) or len(scores) == 1:
                return
            rest = {id(child) for _, child in done}
            scores = done + [(-WON, child) for _, child in scores if id(child) not in rest]

    def values(self, position: Node) -> list[tuple[int, int]]:
        """Return each turn that leads to another position, packed, behind what it is worth.

        That is what its position is, whatever the other can do.
        """
        self._begin(Limits(), ())
        return [
            (WON - 1 if self._rules.wins(outcome) else worth, turn)
            for worth, turn, outcome in self._children(position, 0, None)
        ]

    def _known(
        self, position: Node, children: list[Child[Outcome]]
    ) -> list[tuple[int, Child[Outcome]]]:
        """Return what the turns of a position are worth whose end is known, the best first."""
        scores = []
        for child in children:
            node = self._rules.after(position, child[2], child[1] >> 16)
            wins = self._rules.wins(child[2])
            scores.append((WON - 1 if wins else -self._look(node, 0, -WON, WON, 1), child))
        return sorted(scores, key=lambda each: -each[0])

    def _line_known(self, position: Node, child: Child[Outcome]) -> tuple[int, ...]:
        """Return the first turns up to an end that is known."""
        line = [child[1]]
        while len(line) < _LONGEST_KNOWN and not self._rules.wins(child[2]):
            position = self._rules.after(position, child[2], child[1] >> 16)
            child = self._known(position, self._children(position, 0, None))[0][1]
            line.append(child[1])
        return tuple(line)

    def _is_same(self, child: Child[Outcome], turn: int) -> bool:
        """Tell whether a turn is this one; where it wins, whatever the focus does then."""
        differing = child[1] ^ turn
        return not differing or (not differing & 0xFFFF and self._rules.wins(child[2]))

    def _begin(self, limits: Limits, played: Collection[Node]) -> None:
        self._nodes = 0
        self._limits = limits
        self._knows_ends = self._looks_on = False
        self._seen = set(played)
        self._table.clear()
        self._history.clear()
        self._killers = [[] for _ in range(_DEEPEST + 2)]

    def _root(
        self,
        position: Node,
        depth: int,
        children: list[Child[Outcome]],
        done: list[tuple[int, Child[Outcome]]],
        lines: int,
    ) -> None:
        """Append the value of each turn to `done`; of those that are worse an upper bound."""
        alpha = -WON
        best: list[int] = []  # values of the best turns, the worst of them first
        for child in children:
            _, turn, outcome = child
            if self._rules.wins(outcome):
                done.append((WON - 1, child))
                return
            node = self._rules.after(position, outcome, turn >> 16)
            if len(best) == lines:
                value = -self._look(node, depth - 1, -alpha - 1, -alpha, 1)
                if value > alpha:
                    value = -self._look(node, depth - 1, -WON, -alpha, 1)
            else:
                value = -self._look(node, depth - 1, -WON, WON, 1)
            # of two that are no better than the best, the earlier one stays ahead
            is_better = value > alpha or len(best) < lines
            done.append((value if is_better else min(value, alpha - 1), child))
            best = sorted([*best, value])[-lines:]
            alpha = best[0] if len(best) == lines else -WON

    def _look(self, node: Node, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Return what a position is worth to the player to move, within the window."""
        if self._knows_ends:
            end = self._rules.end(node)
            if end:
                return WON - ply - end if end & 1 else ply + end - WON
            if end == 0 and not self._looks_on:
                return 0
        if node in self._seen:
            return 0
        if depth <= 0:
            return self._quiet(node, beta, ply)
        known = self._table.get(node)
        hint = None
        if known is not None:
            its_depth, kind, value, hint = known
            if its_depth >= depth:
                if value > SOON:
                    value -= ply
                elif value < -SOON:
                    value += ply
                if (
                    kind == EXACT
                    or (kind == AT_LEAST and value >= beta)
                    or (kind == AT_MOST and value <= alpha)
                ):
                    return value
        self._count()
        if self._rules.can_win(node):
            return WON - ply - 1
        if depth == 1:
            return self._last(node, alpha, beta, ply)
        children = self._children(node, ply, hint)
        killers = self._killers[ply]
        best, best_turn = -WON, 0
        begun = alpha
        self._seen.add(node)
        try:
            for number, (order, turn, outcome) in enumerate(children):
                if depth <= 3 and number and order + _FUTILE * depth <= alpha and best > -SOON:
                    break
                child = self._rules.after(node, outcome, turn >> 16)
                if not number:
                    value = -self._look(child, depth - 1, -beta, -alpha, ply + 1)
                else:
                    less = depth >= 3 and number >= _REDUCED_FROM
                    value = -self._look(child, depth - 1 - less, -alpha - 1, -alpha, ply + 1)
                    if value > alpha and less:
                        value = -self._look(child, depth - 1, -alpha - 1, -alpha, ply + 1)
                    if alpha < value < beta:
                        value = -self._look(child, depth - 1, -beta, -alpha, ply + 1)
                if value > best:
                    best, best_turn = value, turn
                    if value > alpha:
                        alpha = value
                        if alpha >= beta:
                            self._history[turn] = self._history.get(turn, 0) + depth * depth
                            if turn not in killers:
                                killers.insert(0, turn)
                                del killers[2:]
                            break
        finally:
            self._seen.discard(node)
        kind = AT_LEAST if best >= beta else EXACT if best > begun else AT_MOST
        value = best + ply if best > SOON else best - ply if best < -SOON else best
        if len(self._table) >= _ENTRIES:
            self._table.clear()
        self._table[node] = depth, kind, value, best_turn
        return best

    def _last(self, node: Node, alpha: int, beta: int, ply: int) -> int:
        """Return the best that a last turn leaves, within the window."""
        rules = self._rules
        worth, lost = rules.best(node, beta)
        if worth <= alpha or not rules.can_win(rules.after(node, lost, 0), is_leaf=True):
            return worth
        more, children = rules.children(node)
        for value, turn, outcome in children:
            if value + more <= alpha:
                return value + more
            if outcome is not lost:  # where the focus is, is the same to who answers
                if not rules.can_win(rules.after(node, outcome, turn >> 16), is_leaf=True):
                    return value + more
                lost = outcome
        return -(WON - ply - 2)

    def _quiet(self, node: Node, beta: int, ply: int) -> int:
        """Return what a position is worth without looking ahead, but for a win at once.

        What is `beta` or more without a win may be more with one: nobody asks then.
        """
        value = self._rules.worth(node)
        if value < beta and self._rules.can_win(node, is_leaf=True):
            return WON - ply - 1
        return value

    def _children(self, node: Node, ply: int, hint: int | None) -> list[Child[Outcome]]:
        """Return the turns of a position that lead to different ones, the most promising first."""
        history = self._history
        killers = self._killers[ply]
        found = []
        more, children = self._rules.children(node)
        for value, turn, outcome in children:
            order = value + more
            if turn == hint:
                order = WON
            elif turn in killers:
                order += _KILLER
            elif turn in history:
                order += min(_HISTORY, history[turn])
            found.append((order, turn, outcome))
        found.sort(reverse=True)
        return found

    def _count(self) -> None:
        self._nodes += 1
        nodes, _, is_over = self._limits
        if nodes is not None and self._nodes >= nodes:
            raise _StopError
        if is_over is not None and self._nodes % _LOOK_EVERY == 0 and is_over():
            raise _StopError

    def _line(self, position: Node, first: Child[Outcome], depth: int) -> tuple[int, ...]:
        """Return the turns that follow, as far as the table knows them."""
        _, turn, outcome = first
        found = [turn]
        node = self._rules.after(position, outcome, turn >> 16)
        met = {position}
        while len(found) < depth and node not in met and not self._rules.wins(outcome):
            met.add(node)
            known = self._table.get(node)
            if known is None or not known[3]:
                break
            turn = known[3]
            outcome = next(each[2] for each in self._rules.children(node)[1] if each[1] == turn)
            found.append(turn)
            node = self._rules.after(node, outcome, turn >> 16)
        return tuple(found)
