"""A broker without a network, and tables and a hub at it: things happen when they are asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from random import Random

from chronotable_club.following import Follower, read_whole
from chronotable_club.hub import Club, ClubHub, EnrolledTable, HubTable
from chronotable_club.messages import Live
from chronotable_club.publisher import LATEST, Publisher, digest_of
from chronotable_club.tokens import Token, token_of
from chronotable_far.broker.client import Message
from chronotable_host.live.happenings import GameOver, Turn
from chronotable_host.rules.record import Record, format_record
from tests.club.shown import beginning

CLUB = Club("abcdefghijkl", "Café", b"s" * 32, "hub-one")
START_MS = 1_700_000_000_000


class Broker:
    """Keeps what is retained, and hands each message to who has subscribed to its topic."""

    def __init__(self) -> None:
        self.retained: dict[str, Message] = {}
        self.readers: dict[str, list[Callable[[Message], None]]] = {}
        self.is_up = True
        self.spoil: Callable[[Message], list[Message]] = lambda message: [message]

    def subscribe(self, topic: str, reader: Callable[[Message], None]) -> None:
        self.readers.setdefault(topic, []).append(reader)
        if topic in self.retained:
            reader(self.retained[topic])

    def forget_readers(self) -> None:
        self.readers.clear()

    def publish(self, message: Message) -> None:
        if not self.is_up:
            return
        for each in self.spoil(message):
            if each.is_retained:
                self.retained[each.topic] = each
            for reader in list(self.readers.get(each.topic, ())):
                reader(each)


class Outbox:
    """An outbox in memory; `archive` has the records of games."""

    def __init__(self) -> None:
        self.archive: dict[str, str] = {}
        self.have: dict[str, str] = {}
        self.kept: dict[str, str] = {}
        self.rejected: set[str] = set()
        self.hub = self.run = ""
        self.number = 0

    def due(self) -> list[str]:
        return [
            game
            for game, digest in sorted(self.have.items())
            if digest != self.kept.get(game) and digest not in self.rejected
        ]

    def text(self, game: str) -> str:
        return self.archive.get(game, "")

    def look(self) -> None:
        self.have |= {game: digest_of(text) for game, text in self.archive.items()}

    def changed(self, game: str, digest: str) -> None:
        self.have[game] = digest

    def stored(self, game: str, digest: str) -> None:
        self.kept[game] = digest

    def refused(self, digest: str) -> None:
        self.rejected.add(digest)

    def begin(self, hub: str, run: str) -> None:
        if hub != self.hub:
            self.kept = {}
        elif run != self.run:
            self.kept = {game: self.kept[game] for game in sorted(self.kept)[:-LATEST]}
        self.hub, self.run = hub, run

    def next_number(self) -> int:
        self.number += 1
        return self.number

    def skip_to(self, number: int) -> None:
        self.number = max(self.number, number)


class Table:
    """A table that plays games of records, turn by turn."""

    def __init__(self, broker: Broker, token: Token, outbox: Outbox | None = None) -> None:
        self.broker = broker
        self.token = token
        self.outbox = outbox or Outbox()
        self.live = Live()
        self.is_connected = False
        self.turn_on()

    def turn_on(self) -> None:
        self.publisher = Publisher(self.token, self.outbox, lambda: self.live)
        self.is_connected = False

    def play(self, game: str, record: Record, turns: int) -> None:
        """Show a game after so many turns, written before anybody is told."""
        shown = beginning(record, turns)
        text = format_record(shown)
        self.outbox.archive[game] = text
        is_over = shown.headers["Result"] != "*"
        self.live = Live(game, text, "over" if is_over else "turn")
        self.publisher.hear(Turn(0, "", "", "certain"))
        if is_over:
            self.publisher.hear(GameOver(0, "white", "normal", {}))

    def step(self, now_ms: int) -> None:
        """Do what is due, as far as the broker is there."""
        if not self.broker.is_up:
            if self.is_connected:
                self.is_connected = False
                self.publisher.lost()
            return
        if not self.is_connected:
            self.is_connected = True
            self.broker.subscribe(self.publisher.topic, self._hear)
            self._send(self.publisher.connected())
        self._send(self.publisher.step(now_ms))

    def _hear(self, message: Message) -> None:
        self.publisher.receive(message)

    def _send(self, messages: list[Message]) -> None:
        for message in messages:
            self.broker.publish(message)


class HubAtWork:
    """A hub whose files are a dict; it can be killed and started again."""

    def __init__(self, broker: Broker, tables: list[EnrolledTable], club: Club = CLUB) -> None:
        self.broker = broker
        self.club = club
        self.tables = tables
        self.files: dict[tuple[str, str], str] = {}
        self.written = 0
        self.games: dict[str, Follower] = defaultdict(lambda: Follower(read_whole))
        self.numbers: dict[str, dict[str, int]] = {}
        self._runs = 0
        self.is_on = False
        self.turn_on()

    def turn_on(self) -> None:
        self._runs += 1
        self.is_on = True
        self.hub = ClubHub(self.club, self.tables, f"run-{self._runs}", self.numbers)
        self._is_subscribed = False

    def turn_off(self) -> None:
        self.is_on = False
        hub = self.hub
        for table in hub.tables.values():
            for topic in table.channel.topics:
                self.broker.readers.pop(topic, None)

    def step(self, now_ms: int) -> None:
        """Do what is due."""
        self.now_ms = now_ms
        if not self.is_on or not self.broker.is_up:
            self._is_subscribed = self._is_subscribed and self.broker.is_up
            return
        if not self._is_subscribed:
            self._is_subscribed = True
            hub = self.hub
            for table in hub.tables.values():
                for topic in table.channel.topics:
                    self.broker.subscribe(topic, lambda message: self.receive(hub, message))
            hub.greet()
        for filing in self.hub.take_filings():
            self.files[filing.table, filing.game] = filing.text
            self.written += 1
            self.hub.note_filed(filing.table, filing.game, filing.digest)
        for message in self.hub.outgoing(now_ms):
            self.broker.publish(message)

    def receive(self, hub: ClubHub, message: Message) -> None:
        """Take a message, and read what it tells at once."""
        hub.receive(message, self.now_ms)
        while table := hub.next_unread(0.0):
            hub.read_on(table, lambda whose, text: self.games[whose].follow(text))

    def save(self) -> None:
        """Have what a crash would leave."""
        self.numbers = self.hub.numbers()


class ClubInMemory:
    """A club of tables, of which the first plays; `hub_table` is what the hub has of it."""

    def __init__(self, count: int = 1) -> None:
        self.broker, self.tables = Broker(), enrolled(count)
        self.hub = HubAtWork(self.broker, self.tables)
        self.table = Table(self.broker, token(self.tables[0]))
        self.now_ms = START_MS

    @property
    def hub_table(self) -> HubTable:
        return self.hub.hub.tables[self.tables[0].id]

    def run(self, for_ms: int, *parts: Table | HubAtWork, step_ms: int = 50) -> None:
        """Let time pass for all, or for these alone."""
        parts = parts or (self.table, self.hub)
        self.now_ms = run(self.now_ms, self.now_ms + for_ms, *parts, step_ms=step_ms)

    def play(self, turns: Iterable[int], record: Record, each_ms: int = 200) -> None:
        """Show a game after so many turns each."""
        for count in turns:
            self.table.play("one", record, count)
            self.run(each_ms)

    def heard(self, topic: str) -> list[Message]:
        """Return what is said there from now on."""
        said: list[Message] = []
        self.broker.subscribe(topic, said.append)
        return said


def enrolled(count: int) -> list[EnrolledTable]:
    """Return so many tables."""
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    return [
        EnrolledTable(f"table{letters[n // 32]}{letters[n % 32]}a", f"Table {n + 1}")
        for n in range(count)
    ]


def token(table: EnrolledTable, club: Club = CLUB) -> Token:
    return token_of(club.id, club.secret, table.id)


def run(
    now_ms: int,
    until_ms: int,
    *parts: Table | HubAtWork,
    step_ms: int = 50,
    rng: Random | None = None,
) -> int:
    """Let time pass for all; return when it is then."""
    while now_ms < until_ms:
        order = list(parts)
        if rng is not None:
            rng.shuffle(order)
        for part in order:
            part.step(now_ms)
        now_ms += step_ms
    return now_ms
