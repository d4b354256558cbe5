"""Statistics of an archive or of a player in it: results, think times, openings, sensing.

All of it is counted from what the index keeps of each game. Where a player is asked for, results
are that player's, and a game counts for each seat whose name has that part; else they are those of
the seats. What is played in a locked chapter is told by nothing but its result.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from chronotable_host import chapters
from chronotable_host.archive.facts import BETWEEN, GameFacts
from chronotable_host.errors import UserError, printable
from chronotable_host.language import tr
from chronotable_host.rules.notation import PLAYERS, format_position, format_turn, parse_turn
from chronotable_host.rules.record import RESULTS
from ttykm import objects
from ttykm.game import Game, IllegalTurnError

if TYPE_CHECKING:
    from chronotable_host.archive.index import Entry

LOCKED = "?"
"""What stands for the modules of a locked chapter."""


@dataclass
class ResultTally:
    """How games ended for somebody."""

    games: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    unfinished: int = 0

    def count(self, result: str, player: int) -> None:
        """Count a game with one of a record's results for a player."""
        self.games += 1
        own = (RESULTS[player], RESULTS[1 - player], RESULTS[2], RESULTS[3]).index(result)
        name = ("won", "lost", "drawn", "unfinished")[own]
        setattr(self, name, getattr(self, name) + 1)


@dataclass
class ThinkTimes:
    """How long turns took, as far as their records say."""

    turns: int = 0
    total_ms: int = 0
    longest_ms: int = 0

    @property
    def mean_s(self) -> float:
        """Seconds of a turn, 0 where no turn has a time."""
        return round(self.total_ms / self.turns / 1000, 1) if self.turns else 0.0

    def as_dict(self) -> dict[str, float]:
        """Return turns, and mean and longest in seconds."""
        longest_s = round(self.longest_ms / 1000, 1)
        return {"turns": self.turns, "mean_s": self.mean_s, "longest_s": longest_s}


@dataclass
class Sensing:
    """How a table understood turns in a month."""

    games: int = 0
    certain: int = 0
    asked: int = 0
    corrected: int = 0


@dataclass
class Statistics:
    """What is told of an archive, or of a player; each table by the name of its rows."""

    total: ResultTally = field(default_factory=ResultTally)
    """Of the player, else of White."""
    seats: dict[str, ResultTally] = field(default_factory=dict)
    players: dict[str, ResultTally] = field(default_factory=dict)
    """The player against each opponent; else every player against all."""
    modules: dict[str, ResultTally] = field(default_factory=dict)
    """Of the player, else of White."""
    thinking: dict[str, ThinkTimes] = field(default_factory=dict)
    """By seat."""
    sensing: dict[tuple[str, str], Sensing] = field(default_factory=dict)
    """By month, as `2026-11`, and table."""

    def as_dict(self) -> dict[str, Any]:
        """Return tables as lists of rows, as JSON has them; the longest first."""
        tallies = {
            name: [{"name": each, **asdict(tally)} for each, tally in _by_games(table)]
            for name, table in (("players", self.players), ("modules", self.modules))
        }
        return {
            "total": asdict(self.total),
            "seats": [{"name": seat, **asdict(tally)} for seat, tally in self.seats.items()],
            **tallies,
            "thinking": [{"name": it, **each.as_dict()} for it, each in self.thinking.items()],
            "sensing": [
                {"month": month, "table": table, **asdict(found)}
                for (month, table), found in sorted(self.sensing.items(), reverse=True)
            ],
        }


class Next(NamedTuple):
    """A turn that games went on with, and how they ended, for White."""

    turn: str
    tally: ResultTally


class Opening(NamedTuple):
    """Where games went from a position of their beginning."""

    turns: list[int]
    """Those that led there, packed."""
    states: "list[array[int]]"
    """The start, and what came after each of the turns."""
    tally: ResultTally
    """Of White, in the games that came there."""
    following: list[Next]
    """The most common first; none where more turns are not kept."""


def nights_of(entries: "Iterable[Entry]", player: str | None = None) -> list[dict[str, Any]]:
    """Return how many games of a night there are of each game, the most common first.

    And how many of them were `won` by those whose names `player` is in, None without one.
    """
    found = list(entries)
    key = (player or "").casefold()
    won = Counter(
        each.game for each in found if any(key in name.casefold() for name in each.winners)
    )
    return [
        {"name": name, "games": count, "won": won[name] if player else None}
        for name, count in Counter(each.game for each in found).most_common()
    ]


def statistics_of(facts: Iterable[GameFacts], player: str | None = None) -> Statistics:
    """Return the statistics of games, of those in whose names `player` is, if it is given."""
    found = Statistics()
    told: dict[tuple[str, str, str], str] = {}
    for game in facts:
        names = (printable(game.white), printable(game.black))
        kind = (game.modules, game.start, game.options)
        if kind not in told:
            told[kind] = chapters.told_modules(game.modules, game.start, game.options) or LOCKED
        for seat in _seats(game, player):
            name = PLAYERS[seat]
            _tally(found.seats, name).count(game.result, seat)
            own = found.thinking.setdefault(name, ThinkTimes())
            own.turns += getattr(game, f"{name}_timed")
            own.total_ms += getattr(game, f"{name}_ms")
            own.longest_ms = max(own.longest_ms, getattr(game, f"{name}_longest_ms"))
            other = names[1 - seat] if player else names[seat]
            _tally(found.players, other).count(game.result, seat)
        for seat in _seats(game, player) if player else (0,):
            found.total.count(game.result, seat)
            _tally(found.modules, told[kind]).count(game.result, seat)
        if game.certain + game.asked + game.corrected:  # played at a table
            where = printable(game.date[:7]), printable(game.board)
            sensed = found.sensing.setdefault(where, Sensing())
            sensed.games += 1
            sensed.certain += game.certain
            sensed.asked += game.asked
            sensed.corrected += game.corrected
    return found


def opening_of(facts: Iterable[GameFacts], modules: int, after: str = "") -> Opening:
    """Return how games of a set of modules went on from its start, or from turns after that.

    `after` has turns as records do, ` / ` between them. Raises UserError where they are not legal,
    NotationError, and LockedError.
    """
    chapters.require(modules)
    game = Game()
    start = objects.new_state(modules)
    game.start(start)
    states = [array("H", game.state)]
    turns = [parse_turn(each) for each in after.split(BETWEEN.strip())] if after.strip() else []
    for turn in turns:
        try:
            game.apply(turn)
        except IllegalTurnError as error:
            why = tr("{turn} is not legal there", turn=format_turn(turn))
            raise UserError(why) from error
        states.append(array("H", game.state))
    line = [format_turn(turn) for turn in turns]
    begins = format_position(start)
    tally = ResultTally()
    found: dict[str, ResultTally] = {}
    for each in facts:
        played = each.opening.split(BETWEEN)
        if each.start != begins or each.options or played[: len(line)] != line:
            continue
        tally.count(each.result, 0)
        if len(played) > len(line):
            _tally(found, played[len(line)]).count(each.result, 0)
    following = [Next(turn, of) for turn, of in _by_games(found)]
    return Opening(turns, states, tally, following)


def _seats(game: GameFacts, player: str | None) -> Sequence[int]:
    if player is None:
        return (0, 1)
    wanted = player.casefold()
    return [at for at, name in enumerate((game.white, game.black)) if wanted in name.casefold()]


def _tally(table: dict[str, ResultTally], name: str) -> ResultTally:
    return table.setdefault(name, ResultTally())


def _by_games(table: Mapping[str, ResultTally]) -> Iterator[tuple[str, ResultTally]]:
    """Yield rows, those of most games first, and of as many by name."""
    yield from sorted(table.items(), key=lambda row: (-row[1].games, row[0]))
