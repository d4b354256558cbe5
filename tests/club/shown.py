"""A club that is shown without a network: its hub hears tables whose games are those of records."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from chronotable_club.collecting import Collector
from chronotable_club.director import Director, direct_tables
from chronotable_club.folder import ClubFolder, new_club
from chronotable_club.hub import EnrolledTable
from chronotable_club.messages import LINE, LIVE, Channel, ClockTimes, Live
from chronotable_club.register import Register
from chronotable_club.server import ClubServer
from chronotable_club.tokens import token_of
from chronotable_club.wall import Wall
from chronotable_far.broker.client import Event, Message
from chronotable_host.rules.notation import parse_position, parse_turn
from chronotable_host.rules.record import RESULTS, Record, format_record
from tests.waiting import until

VECTORS = Path(__file__).parent.parent / "vectors" / "games_lenient.jsonl"
NAMES = (
    *("Ada", "Björn", "Chidi", "Dagmar", "Elif", "Fatou", "Grete", "Hugo", "Ines", "Jörg"),
    *("Kira", "Lars", "Mina", "Nils", "Olga", "Pavel", "Quentin", "Rosa", "Sven", "Theodora"),
)


def recorded(white: str = "?", black: str = "?") -> list[Record]:
    """Return whole games, as tables record them."""
    records = []
    for line in VECTORS.read_text("utf-8").splitlines():
        game = json.loads(line)
        record = Record(parse_position(game["start"]))
        record.headers |= {"White": white, "Black": black, "Date": "2026-05-01"}
        for number, turn in enumerate(game["turns"], 1):
            text = f"{turn['copy'] or ''} {' '.join(turn['actions'])} >{turn['focus']}"
            record.add(parse_turn(text.strip()), f"{4.1 * number:.2f} s, certain")
        if game["winner"]:
            record.finish(RESULTS[("white", "black").index(game["winner"])], "normal")
        records.append(record)
    return records


def beginning(record: Record, turns: int) -> Record:
    """Return a game as it was after so many turns."""
    if turns >= len(record.turns):
        return record
    first = Record(record.start, record.options)
    first.headers |= {name: record.headers[name] for name in ("White", "Black", "Date")}
    first.turns, first.comments = record.turns[:turns], record.comments[:turns]
    return first


class NoLine:
    """A broker that nobody answers."""

    def __init__(self) -> None:
        self.sent: list[Message] = []
        self.topics: list[str] = []

    def subscribe(self, topic: str) -> None:
        self.topics.append(topic)

    def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        self.sent.append(Message(topic, payload, retain))

    def take(self) -> list[Event]:
        return []

    def close(self) -> None:
        pass


def channel_of(club: ClubFolder, table: EnrolledTable) -> Channel:
    """Return where a table and its hub speak."""
    token = token_of(club.club.id, club.club.secret, table.id)
    return Channel(token.club, token.table, token.key)


def said(channel: Channel, number: int, live: Live) -> list[Message]:
    """Return what a table says that is there and shows something."""
    return [
        Message(channel.topic(LINE), channel.sealed(LINE, 2 * number + 1, {"here": True}), True),
        Message(channel.topic(LIVE), channel.sealed(LIVE, number, live.body()), True),
    ]


def tables_of(club: ClubFolder, count: int) -> list[EnrolledTable]:
    """Add tables to a club."""
    register = Register(club.url, club.club.id)
    for number in range(count):
        register.add(f"Table {number + 1}", 1000 + number)
    tables = register.tables()
    register.close()
    club.note_tables(tables)
    return tables


def some_games(count: int, seed: int = 1) -> Iterator[Live]:
    """Yield what tables show: games that go on, that are over, none."""
    rng = Random(seed)
    records = recorded()
    for number in range(count):
        record = records[rng.randrange(len(records))]
        white, black = rng.sample(NAMES, 2)
        turns = rng.randrange(len(record.turns))
        if number % 7 == 6:
            turns = len(record.turns)
        shown = beginning(record, turns)
        shown.headers |= {"White": white, "Black": black}
        if number % 11 == 10:
            yield Live("", "", "free")
            continue
        left = rng.randrange(20, 900), rng.randrange(20, 900)
        is_over = shown.headers["Result"] != "*"
        mover = -1 if is_over else turns % 2
        clocks = ClockTimes(left, mover) if number % 3 else None
        yield Live(f"game-{number}", format_record(shown), "over" if is_over else "turn", clocks)


class ShownClub:
    """A club that collects and is served; `desk` has its tournaments where it has some."""

    def __init__(self, folder: Path, tables: int) -> None:
        self.club = new_club(folder, "Café Zeitsprung")
        self.enrolled = tables_of(self.club, tables)
        self.wall, self.director = Wall(self.club.club.name), Director(self.club.club.name)
        self.collector = Collector(self.club, lambda _wake: NoLine(), self.wall.show)
        self.collector.line_problem = ""

    @contextmanager
    def served(self, **where: Any) -> Iterator[ClubServer]:
        """Collect, and serve the pages; `where` is for the server."""
        register = Register(self.club.url, self.club.club.id)
        direct_tables(self.director, self.collector, register)
        server = ClubServer(self.collector, self.wall, self.director, register, **where)
        self.collector.rounds.append(self.director.look)
        self.start()
        server.start()
        try:
            yield server
        finally:
            server.close()
            self.close()

    def start(self) -> None:
        """Begin to collect."""
        self.collector.start()

    def close(self) -> None:
        """End."""
        self.collector.close()


@contextmanager
def served(
    folder: Path, lives: Sequence[Live], silent: int = 0, **where: Any
) -> Iterator[tuple[ClubServer, Collector]]:
    """Serve a club whose tables show this; so many more say nothing; `where` is for the server."""
    shown = ShownClub(folder, len(lives) + silent)
    club, collector = shown.club, shown.collector
    collector.rounds.append(
        lambda: shown.wall.arrange(
            [it.id for it in collector.hub.tables.values() if not it.is_revoked]
        )
    )
    with shown.served(**where) as server:
        for number, (table, live) in enumerate(zip(shown.enrolled, lives, strict=False)):
            messages = said(channel_of(club, table), number + 1, live)
            collector.step(messages if number % 13 != 12 else [*messages[1:], gone(club, table)])
        tables = collector.hub.tables
        until(lambda: not any(it.unread or it.is_being_read for it in tables.values()))
        yield server, collector


def gone(club: ClubFolder, table: EnrolledTable) -> Message:
    """Return what the broker says of a table that it lost."""
    channel = channel_of(club, table)
    return Message(channel.topic(LINE), channel.sealed(LINE, 1 << 20, {"here": False}), True)
