"""Pairings by the FIDE (Dutch) System, FIDE Handbook C.04.3 as in force from 1 February 2026.

Numbers such as C.7 (there "[C7]") are its criteria, those such as 4.2 its articles; others name the
chapter, as in C.04.2 3.4. Only the result is the handbook's: it tries candidates one after the
other until one is best, here the best one is asked for at once, as a matching of least cost.

A round is paired bracket by bracket (1.9 and 3). Each bracket is paired by the matching of all
players who are not paired yet that costs least: by the criteria, and behind these by the place that
the handbook's order of candidates gives it (articles 3.6, 3.7 and 4). Of the matching only what is
within the bracket is kept; the rest shows that the round can be completed (C.4), and how the next
bracket may fare (C.8).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from chronotable_club.tournament.cards import (
    DRAW,
    LOSS,
    PAIRING_BYE,
    REQUESTED_BYE,
    WIN,
    CardRound,
    Cards,
    score,
)
from chronotable_host.errors import UserError
from chronotable_host.language import tr

WHITE = "W"
BLACK = "B"

DOWN = "down"
UP = "up"
LEVEL = ""
"""Floats of a round (1.4): who met somebody of another score, or scored without playing."""

NO_PREFERENCE = 0
MILD = 1
STRONG = 2
ABSOLUTE = 3


class Player(NamedTuple):
    """A player before a round. Scores are counted in half points."""

    number: int
    """The pairing number: who is ranked higher among equal scores has the lower one (1.2)."""
    score: int = 0
    colours: str = ""
    """Of the games that were played, in order; rounds without a game leave nothing (C.04.2 3.4)."""
    opponents: frozenset[int] = frozenset()
    """Whom a game was played against; a forfeit is no game."""
    may_have_bye: bool = True
    """Not after a bye, or a round that gave a win's points without a game (C.04.1 4)."""
    unplayed: int = 0
    """Rounds without a game."""
    floats: tuple[str, str] = (LEVEL, LEVEL)
    """Of the last round and of the one before."""
    place: int = 0
    """The pairing number among those who have come so far: it decides the first colour (5.2.5)."""
    is_topscorer: bool = False
    """Over half of all points, and it is the last round that is paired (1.8)."""

    @property
    def rank(self) -> tuple[int, int]:
        """What players are sorted by, the highest first (1.2)."""
        return (-self.score, self.number)

    @property
    def colour_difference(self) -> int:
        """Games with white minus games with black (1.6)."""
        return self.colours.count(WHITE) - self.colours.count(BLACK)

    @property
    def preference(self) -> tuple[str, int]:
        """The colour that is due, "" for none, and how strongly (1.7)."""
        difference, last = self.colour_difference, self.colours[-2:]
        if difference > 1 or last == WHITE + WHITE:
            return BLACK, ABSOLUTE
        if difference < -1 or last == BLACK + BLACK:
            return WHITE, ABSOLUTE
        if difference:
            return (BLACK if difference > 0 else WHITE), STRONG
        if not last:
            return "", NO_PREFERENCE
        return other(last[-1]), MILD


def other(colour: str) -> str:
    """Return the colour that is not this one."""
    return BLACK if colour == WHITE else WHITE


def may_meet(a: Player, b: Player) -> bool:
    """Tell whether two may be paired: C.1 and C.3."""
    if b.number in a.opponents:
        return False
    if a.is_topscorer or b.is_topscorer:
        return True
    due, strength = a.preference
    return strength < ABSOLUTE or b.preference != (due, strength)


def seated(a: Player, b: Player, initial: str) -> tuple[Player, Player]:
    """Return who has white and who black (5.2); `initial` is the colour that was drawn (5.1)."""
    high, low = (a, b) if a.rank < b.rank else (b, a)
    colour = _colour_of_higher(high, low, initial)
    return (high, low) if colour == WHITE else (low, high)


def _colour_of_higher(high: Player, low: Player, initial: str) -> str:
    (due, strength), (low_due, low_strength) = high.preference, low.preference
    if due and low_due and due != low_due:  # 5.2.1
        return due
    if strength != low_strength:  # 5.2.2
        return due if strength > low_strength else other(low_due)
    if strength == ABSOLUTE:
        wide, low_wide = abs(high.colour_difference), abs(low.colour_difference)
        if wide != low_wide:
            return due if wide > low_wide else other(low_due)
    for mine, theirs in zip(reversed(high.colours), reversed(low.colours), strict=False):  # 5.2.3
        if mine != theirs:
            return theirs
    if due:  # 5.2.4
        return due
    return initial if (high.place or high.number) % 2 else other(initial)  # 5.2.5


def players_of(cards: Cards, present: Iterable[int], rounds: int) -> list[Player]:
    """Return the players who are there for the next round of so many in all."""
    here = set(present)
    come = sorted(
        here
        | {
            number
            for number, card in cards.items()
            if any(entry.kind != REQUESTED_BYE for entry in card)
        }
    )
    places = {number: place for place, number in enumerate(come, 1)}
    return [_player(number, cards, places[number], rounds) for number in sorted(here)]


def _player(number: int, cards: Cards, place: int, rounds: int) -> Player:
    card = cards[number]
    points = score(card)
    games = [entry for entry in card if entry.is_played]
    last = _float(card, -1, cards), _float(card, -2, cards)
    return Player(
        number,
        points,
        "".join(entry.colour for entry in games),
        frozenset(entry.opponent for entry in games),
        not any(
            entry.kind == PAIRING_BYE or (not entry.is_played and entry.points >= WIN)
            for entry in card
        ),
        len(card) - len(games),
        last,
        place,
        len(card) == rounds - 1 and points > DRAW * len(card),
    )


def _float(card: Sequence[CardRound], at: int, cards: Cards) -> str:
    """Return the float of a round counted from the end (1.4)."""
    if len(card) < -at:
        return LEVEL
    entry = card[at]
    if not entry.is_played:
        return DOWN if entry.points > LOSS else LEVEL
    mine, theirs = score(card[:at]), score(cards[entry.opponent][:at])
    return DOWN if mine > theirs else UP if mine < theirs else LEVEL


# ---- criteria


MOST_DIFFERENCE = 2
"""Of games with one colour and with the other (C.04.1 6)."""


class Bracket(NamedTuple):
    """Who is paired now, by rank: players who were moved down, and residents of one score."""

    moved_down: tuple[Player, ...]
    residents: tuple[Player, ...]
    following: tuple[Player, ...]
    """Residents of the next bracket."""
    counts_unplayed: bool
    """Whether the one player who is left over will get the bye (C.9)."""

    @property
    def players(self) -> tuple[Player, ...]:
        """All who are in it."""
        return self.moved_down + self.residents

    @property
    def numbers(self) -> Set[int]:
        """Their pairing numbers."""
        return {player.number for player in self.players}


class Criteria:
    """What C.6 to C.21 say of two players who are paired, as numbers to be kept small.

    The criteria count players of a bracket. Each count is a sum over the pairs of a whole round,
    those that are yet to be made below the bracket included: who is paired with somebody below is a
    downfloater. So a round is best when the sum over its pairs is least, criterion by criterion.
    C.1, C.2 and C.3 say which pairs there are at all, C.4 that the round is whole, and C.5 who may
    have the bye: `_Field` sees to these. `initial` is the colour that was drawn.
    """

    def __init__(self, bracket: Bracket, initial: str) -> None:
        self._bracket = bracket
        self._initial = initial
        self._inside = bracket.numbers
        self._near = self._inside | {player.number for player in bracket.following}
        self._moved_down = {player.number for player in bracket.moved_down}
        self._scores = _scores(bracket.players)
        self._near_scores = _scores(bracket.players + bracket.following)
        self._moved_scores = _scores(bracket.moved_down)

    def cost(self, high: Player, low: Player | None) -> list[int]:
        """Return how a pair fares by each criterion; `low` is None for the bye."""
        inside = high.number in self._inside
        floats = inside and (low is None or low.number not in self._inside)
        floats_on = high.number in self._near and (low is None or low.number not in self._near)
        return [
            int(floats),  # C.6
            *_at(high.score, self._scores, floats),  # C.7
            int(floats_on),  # C.8: C.6 and C.7 of the next bracket
            *_at(high.score, self._near_scores, floats_on),
            high.unplayed if self._bracket.counts_unplayed and low is None else 0,  # C.9
            *(self._colours(high, low) if inside and not floats and low else (0, 0, 0, 0)),
            *self._floats(high, low, floats),
        ]

    def _colours(self, high: Player, low: Player) -> Iterator[int]:
        """Yield C.10 to C.13 of two players of the bracket."""
        colours = [
            (player, (WHITE, BLACK)[number])
            for number, player in enumerate(seated(high, low, self._initial))
        ]
        if high.is_topscorer or low.is_topscorer:
            after = [player.colours + colour for player, colour in colours]
            yield sum(abs(2 * it.count(WHITE) - len(it)) > MOST_DIFFERENCE for it in after)
            yield sum(len(it) > 2 and len(set(it[-3:])) == 1 for it in after)
        else:
            yield from (0, 0)
        missed = [
            player.preference[1]
            for player, colour in colours
            if player.preference[0] not in ("", colour)
        ]
        yield len(missed)
        yield missed.count(STRONG)

    def _floats(self, high: Player, low: Player | None, floats: bool) -> Iterator[int]:
        """Yield C.14 to C.21."""
        was_moved = high.number in self._moved_down
        meets = was_moved and not floats and low is not None
        for rounds_ago in (0, 1):
            yield int(floats and not was_moved and high.floats[rounds_ago] == DOWN)
            yield int(meets and low is not None and low.floats[rounds_ago] == UP)
        for rounds_ago in (0, 1):
            # players who were moved down and stay unpaired differ most from whom they would meet;
            # how many of each score do is settled by then, and so are the differences of others
            again = was_moved and floats and high.floats[rounds_ago] == DOWN
            yield from _at(high.score, self._moved_scores, again)
            again = meets and low is not None and low.floats[rounds_ago] == UP
            yield from _at(high.score, self._moved_scores, again)


def _scores(players: tuple[Player, ...]) -> list[int]:
    """Return the scores that there are, the highest first."""
    return sorted({player.score for player in players}, reverse=True)


def _at(score: int, scores: list[int], counts: bool) -> Iterator[int]:
    """Yield 1 in the place of a score where it counts, so that the highest is looked at first."""
    return (int(counts and score == each) for each in scores)


# ---- the pairing of a round


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
