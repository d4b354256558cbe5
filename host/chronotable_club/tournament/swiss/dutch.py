"""The pairing of a round, bracket by bracket (C.04.3 1.9 and 3).

Each bracket is paired by the matching of all players who are not paired yet that costs least: by
the criteria, and behind these by the place that the handbook's order of candidates gives it
(articles 3.6, 3.7 and 4). Of the matching only what is within the bracket is kept; the rest shows
that the round can be completed (C.4), and how the next bracket may fare (C.8).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from chronotable_club.tournament.swiss.criteria import Bracket, Criteria
from chronotable_club.tournament.swiss.player import WHITE, Player, may_meet, seated
from chronotable_host.errors import UserError
from chronotable_host.language import tr

_BYE = -1  # a vertex; players are known by their numbers

Edge = tuple[int, int]
"""Two vertices."""
Costs = dict[Edge, list[int]]
"""Lists of equal length, summed up number by number: the first number that differs decides."""


class UnpairableError(Exception):
    """No pairing has everybody and complies with C.1, C.2 and C.3: the director decides (1.9.3)."""


class PairedRound(NamedTuple):
    """Who plays whom, white first, by board; and who has the bye, None for nobody."""

    pairs: tuple[tuple[int, int], ...]
    bye: int | None


def paired(players: Iterable[Player], initial: str = WHITE) -> PairedRound:
    """Return the pairing of a round; `initial` is the colour that was drawn (5.1).

    Raises UnpairableError.
    """
    field = sorted(players, key=lambda player: player.rank)
    if len(field) < 2:
        raise UnpairableError
    return _Field(field, initial).paired()


class _Field:
    """A round that is being paired; `rest` are the players who are not paired yet, by rank."""

    def __init__(self, field: Sequence[Player], initial: str) -> None:
        self.initial = initial
        self.players = {player.number: player for player in field}
        self.rest = list(field)
        self.edges: list[Edge] = [
            (a.number, b.number)
            for place, a in enumerate(field)
            for b in field[place + 1 :]
            if may_meet(a, b)
        ]
        self.bye_score = -1
        if len(field) % 2:
            self._find_bye_score()
        elif not self._matched({edge: [] for edge in self.edges}):
            raise UnpairableError

    def _find_bye_score(self) -> None:
        """Find the least score of somebody who has the bye while all others are paired (C.5)."""
        byes = [(player.number, _BYE) for player in self.rest if player.may_have_bye]  # C.2
        costs = {edge: [0] for edge in self.edges}
        costs.update({edge: [self.players[edge[0]].score] for edge in byes})
        found = self._matched(costs)
        if found is None:
            raise UnpairableError
        self.bye_score = self.players[found[_BYE]].score
        self.edges += [it for it in byes if self.players[it[0]].score == self.bye_score]

    def _matched(self, costs: Mapping[Edge, Sequence[int]]) -> dict[int, int] | None:
        """Return the matching of the whole field that costs least; none has who has no edge."""
        found = _perfect_matching(costs) if costs else None
        whole = len(self.rest) + len(self.rest) % 2
        return found if found is not None and len(found) == whole else None

    def paired(self) -> PairedRound:
        """Pair bracket after bracket."""
        pairs: list[Edge] = []
        moved_down: list[Player] = []
        while len(self.rest) > 1:
            score = self._resident_score(moved_down)
            found = self._pair_bracket(moved_down)
            gone = {number for pair in found for number in pair}
            pairs += found
            self.rest = [player for player in self.rest if player.number not in gone]
            self.edges = [edge for edge in self.edges if not gone & set(edge)]
            moved_down = [player for player in self.rest if player.score >= score]
        return PairedRound(tuple(self._boards(pairs)), self.rest[0].number if self.rest else None)

    def _resident_score(self, moved_down: Sequence[Player]) -> int:
        below = self.rest[len(moved_down) :]
        return below[0].score if below else -1

    def _bracket(self, moved_down: Sequence[Player], leaves_one: bool) -> Bracket:
        score = self._resident_score(moved_down)
        below = self.rest[len(moved_down) :]
        residents = tuple(player for player in below if player.score == score)
        lower = below[len(residents) :]
        following = tuple(player for player in lower if player.score == lower[0].score)
        counts = leaves_one and self.bye_score >= score
        return Bracket(tuple(moved_down), residents, following, counts)

    def _pair_bracket(self, moved_down: Sequence[Player]) -> list[Edge]:
        """Return the pairs of the next bracket, the higher player first."""
        size = len(self._bracket(moved_down, leaves_one=False).players)
        left = size % 2  # mostly; otherwise the first matching says how many are
        while True:
            bracket = self._bracket(moved_down, leaves_one=left == 1)
            found = _InBracket(self, bracket, (size - left) // 2)
            if found.left == left:
                return found.pairs
            left = found.left

    def _boards(self, pairs: Iterable[Edge]) -> list[tuple[int, int]]:
        """Return the pairs with colours, in the order of boards (C.04.2 3.6)."""
        known = [(self.players[a], self.players[b]) for a, b in pairs]
        known.sort(key=lambda it: (-it[0].score, -it[1].score, it[0].number))
        coloured = [seated(a, b, self.initial) for a, b in known]
        return [(white.number, black.number) for white, black in coloured]


class _InBracket:
    """How a bracket is paired when `most` pairs are made in it, and how many are `left`."""

    def __init__(self, field: _Field, bracket: Bracket, most: int) -> None:
        self._numbers = bracket.numbers
        criteria = Criteria(bracket, field.initial)
        players = field.players
        self._costs: Costs = {
            edge: criteria.cost(players[edge[0]], players.get(edge[1])) for edge in field.edges
        }
        self.pairs: list[Edge] = []
        residents = [player.number for player in bracket.residents]
        if bracket.moved_down:
            residents = self._pair_moved_down(bracket, residents)
        self._pair_remainder(residents, most - len(self.pairs))
        self.left = len(self._numbers) - 2 * len(self.pairs)

    def _pair_moved_down(self, bracket: Bracket, residents: Sequence[int]) -> list[int]:
        """Pair who was moved down (3.7); return the residents who are left.

        The first set of them is taken by their numbers in the bracket (4.4.2), then the first order
        of the residents whom they meet (4.2).
        """
        moved = [player.number for player in bracket.moved_down]
        place = {number: at for at, number in enumerate(residents)}
        costs = {}
        for edge, cost in self._costs.items():
            met = place.get(edge[1], -1)
            stays = [int(edge[0] == each and met < 0) for each in moved]
            costs[edge] = [*cost, *stays, *(met if edge[0] == each else 0 for each in moved)]
        found = _best(costs)
        self.pairs = [(each, found[each]) for each in moved if found[each] in place]
        gone = {number for pair in self.pairs for number in pair}
        stay = set(moved) - gone
        self._costs = {
            (a, b): cost
            for (a, b), cost in self._costs.items()
            if not {a, b} & gone and not (a in stay and b in self._numbers)
        }
        return [number for number in residents if number not in gone]

    def _pair_remainder(self, players: Sequence[int], most: int) -> None:
        """Pair players of one score (3.6): the upper half meets the lower one, where it may.

        Else as few as possible change halves, in the order of 4.3. Then the lower half is reordered
        as little as possible (4.2).
        """
        if most <= 0:
            return
        upper, lower = players[:most], players[most:]
        found = self._matched_with(_Halves(upper, lower).exchanges)
        moved = _Halves(upper, lower).moved(found)
        if moved:
            upper = sorted(set(upper) ^ moved - set(lower) | moved & set(lower))
            halves = _Halves(upper, sorted(set(players) - set(upper)))
            self._costs = {edge: it for edge, it in self._costs.items() if halves.allow(edge)}
            found = self._matched_with(halves.order)
        here = set(players)
        self.pairs += [(each, found[each]) for each in players if found[each] in here]
        self.pairs = [(a, b) for a, b in self.pairs if a not in here or a < b]

    def _matched_with(self, more: Callable[[Edge], list[int]]) -> dict[int, int]:
        return _best({edge: it + more(edge) for edge, it in self._costs.items()})


def _best(costs: Mapping[Edge, Sequence[int]]) -> dict[int, int]:
    """Return the best matching, which there is, since there was one of the whole field."""
    found = _perfect_matching(costs) if costs else {}
    assert found is not None
    return found


class _Halves:
    """The two halves S1 and S2 of players of one score, each by rank, and where a pair puts them.

    The higher player of a pair belongs to the upper half, the lower one and whoever is left over to
    the lower half.
    """

    def __init__(self, upper: Sequence[int], lower: Sequence[int]) -> None:
        self._upper = upper
        self._lower = lower
        self._place = {number: at for at, number in enumerate((*upper, *lower))}

    def _moves(self, edge: Edge) -> tuple[int | None, int | None]:
        """Return who leaves the upper half and who comes into it, by the place of each."""
        a, b = (self._place.get(number) for number in edge)
        size = len(self._upper)
        if a is None:
            return None, None
        if b is None:
            return (a if a < size else None), None
        if (a < size) != (b < size):
            return None, None
        return (b, None) if b < size else (None, a)

    def exchanges(self, edge: Edge) -> list[int]:
        """Return what a pair contributes to the order of exchanges (4.3), and behind it `order`."""
        out, into = self._moves(edge)
        size, whole = len(self._upper), len(self._place)
        return [
            int(out is not None),
            (into or 0) - (out or 0),
            *(-int(out == place) for place in reversed(range(size))),
            *(-int(into == place) for place in range(size, whole)),
            *self.order(edge),
        ]

    def order(self, edge: Edge) -> list[int]:
        """Return whom each of the upper half meets, by place (4.2)."""
        places = [self._place.get(number, -1) for number in edge]
        upper, lower = min(places), max(places)
        meets = 0 <= upper < len(self._upper) <= lower
        return [lower if meets and place == upper else 0 for place in range(len(self._upper))]

    def moved(self, found: Mapping[int, int]) -> set[int]:
        """Return who changes halves when these pairs are made."""
        numbers = (*self._upper, *self._lower)
        moved = set()
        for each in numbers:
            other = found[each]
            if other not in self._place or each < other:
                moved |= {numbers[it] for it in self._moves((each, other)) if it is not None}
        return moved

    def allow(self, edge: Edge) -> bool:
        """Tell whether a pair leaves everybody in the half where they are."""
        return self._moves(edge) == (None, None)


def _perfect_matching(costs: Mapping[Edge, Sequence[int]]) -> dict[int, int] | None:
    """Return who is matched with whom where all vertices are and the costs are least.

    `costs` has a list of equal length for each edge that there is. Costs of a matching are summed
    up, number by number, and compared in order. None where no matching has all the vertices.
    Raises UserError where networkx is not installed.
    """
    try:
        import networkx  # noqa: PLC0415 - a third of a second, and only who pairs a Swiss needs it
    except ImportError as error:
        raise UserError(
            tr("a Swiss is paired with the package networkx; install it: pip install networkx")
        ) from error

    vertices = {vertex for edge in costs for vertex in edge}
    graph: networkx.Graph[int] = networkx.Graph()
    # Python's integers have no end, so that one number can hold a whole list
    graph.add_weighted_edges_from(
        (*edge, -weight) for edge, weight in zip(costs, _weights(costs, len(vertices)), strict=True)
    )
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(found) != len(vertices):
        return None
    return {a: b for pair in found for a, b in (pair, pair[::-1])}


def _weights(costs: Mapping[Edge, Sequence[int]], vertices: int) -> list[int]:
    """Return each list as one number, whose sums are in the order of the lists' sums."""
    rows = list(costs.values())
    weights = [0] * len(rows)
    for column in zip(*rows, strict=True):
        low = min(column)
        span = (max(column) - low) * (vertices // 2)
        if span:  # all matchings have as many edges: what is the same on each edge says nothing
            shift = span.bit_length()
            weights = [
                (weight << shift) + value - low
                for weight, value in zip(weights, column, strict=True)
            ]
    return weights
