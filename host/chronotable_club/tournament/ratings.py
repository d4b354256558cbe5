"""Ratings across all that a club has played: Glicko-2, from its records and what directors entered.

Who was entered for a tournament with a rating begins with that one, as uncertain as anybody's. The
same games give the same ratings, in whatever order they come in: within a period all games count
together, against what everybody's rating was before it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from chronotable_club.tournament.cards import GAME_RESULTS
from chronotable_club.tournament.games import pairing_id, parse_pairing
from chronotable_club.tournament.state import Tournament
from chronotable_host.rating import Rating, Result, rate

_SCORES = dict(zip(GAME_RESULTS, (1.0, 0.0, 0.5), strict=True))
"""White's score."""


class RatedGame(NamedTuple):
    """A finished game, as a record tells it; `pairing` is "" for one of no tournament."""

    white: str
    black: str
    result: str
    day: date
    pairing: str = ""

    @property
    def tournament(self) -> str:
        """The id of the tournament, "" for none."""
        found = parse_pairing(self.pairing)
        return found[0] if found else ""


class Member(NamedTuple):
    """Who has played, or was entered with a rating: the name as it was written last, and both."""

    name: str
    rating: Rating
    games: int
    history: tuple[tuple[str, Rating], ...]
    """Periods in which they played, and the rating after each."""


Period = tuple[str, Sequence[RatedGame]]


def as_directed(games: Sequence[RatedGame], tournaments: Iterable[Tournament]) -> list[RatedGame]:
    """Return games; of a pairing whose result the director entered, that one alone."""
    days = {game.pairing: game.day for game in games}
    entered: dict[str, RatedGame] = {}
    for state in tournaments:
        for it in state.corrections:
            pairing = pairing_id(state.id, it.round, it.board)
            board = state.board(it.round, it.board)
            if board is not None and board.is_corrected:
                white, black = (state.players[number].name for number in (board.white, board.black))
                day = days.get(pairing, date.fromisoformat(it.at[:10]))
                entered[pairing] = RatedGame(white, black, board.result, day, pairing)
    return [it for it in games if it.pairing not in entered] + list(entered.values())


def by_week(games: Iterable[RatedGame]) -> list[Period]:
    """Return games by calendar week, weeks without any among them: who rests is known less well."""
    weeks: dict[date, list[RatedGame]] = {}
    for game in games:
        weeks.setdefault(game.day - timedelta(days=game.day.weekday()), []).append(game)
    found: list[Period] = []
    if weeks:
        monday, last = min(weeks), max(weeks)
        while monday <= last:
            year, week, _ = monday.isocalendar()
            found.append((f"{year}-W{week:02}", weeks.get(monday, [])))
            monday += timedelta(days=7)
    return found


def by_tournament(games: Iterable[RatedGame]) -> list[Period]:
    """Return games of tournaments, each one a period, in the order in which they ended."""
    found: dict[str, list[RatedGame]] = {}
    for game in games:
        if game.tournament:
            found.setdefault(game.tournament, []).append(game)
    ends = {name: max(game.day for game in played) for name, played in found.items()}
    return [(name, found[name]) for name in sorted(found, key=lambda it: (ends[it], it))]


PERIODS: Mapping[str, Callable[[Iterable[RatedGame]], list[Period]]] = {
    "week": by_week,
    "tournament": by_tournament,
}


def members(periods: Iterable[Period], entered: Iterable[tuple[str, int]] = ()) -> list[Member]:
    """Return everybody who has played or was entered with a rating, the highest rating first.

    `entered` are names with ratings, 0 for none; of a name's several ones the first counts.
    """
    ratings: dict[str, Rating] = {}
    history: dict[str, list[tuple[str, Rating]]] = {}
    names: dict[str, tuple[date, str]] = {}
    for name, value in entered:
        if value and _key(name) not in ratings:
            ratings[_key(name)] = Rating(value)
            names[_key(name)] = date.min, " ".join(name.split())
    counts: dict[str, int] = {}
    for period, games in periods:
        met: dict[str, list[Result]] = {}
        for game in sorted(games):
            keys = [_key(name) for name in (game.white, game.black)]
            if game.result not in _SCORES or keys[0] == keys[1] or not all(keys):
                continue
            before = [ratings.get(key, Rating()) for key in keys]
            score = _SCORES[game.result]
            for mine, theirs, points in ((0, 1, score), (1, 0, 1 - score)):
                met.setdefault(keys[mine], []).append((before[theirs], points))
            for key, name in zip(keys, (game.white, game.black), strict=True):
                counts[key] = counts.get(key, 0) + 1
                names[key] = max(names.get(key, (date.min, "")), (game.day, " ".join(name.split())))
        ratings = {
            key: rate(ratings.get(key, Rating()), met.get(key, []))
            for key in sorted(ratings.keys() | met.keys())
        }
        for key in met:
            history.setdefault(key, []).append((period, ratings[key]))
    found = [
        Member(names[key][1], rating, counts.get(key, 0), tuple(history.get(key, ())))
        for key, rating in ratings.items()
    ]
    return sorted(found, key=lambda it: (-it.rating.value, it.name))


def _key(name: str) -> str:
    """Return what a name is known by: capital letters and spaces make nobody else."""
    return " ".join(name.split()).casefold()
