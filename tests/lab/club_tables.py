"""Tables of a club by the hundred in a process: real sessions, mirrors, archives and publishers.

Each is fed the recorded traffic of games. Its table time runs so much slower, or faster, that a
turn comes as often as is wanted; all else is as in `chronotable play --club`.
"""

from __future__ import annotations

import heapq
import resource
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from chronotable_club.at_table import ClubTable, Look
from chronotable_club.folder import ClubFolder, new_club
from chronotable_club.register import Register
from chronotable_club.tokens import parse_token, token_of
from chronotable_far.broker.address import parse_broker
from chronotable_host.archive.store import Archive
from chronotable_host.engine.thinkers import chooser_of
from chronotable_host.live.desk import Desk
from chronotable_host.live.happenings import Happening, Turn
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.players.seats import parse_seat
from chronotable_host.live.session import Session
from chronotable_host.virtual import chance
from chronotable_host.virtual.play import Hands, play
from chronotable_host.virtual.table import VirtualTable, settings_for
from ttykm.game import Game
from ttykm.layout import new_state

_BOARD = "reference"
_READY_MS = 1000
_MOST_TURNS = 60
_STEP_S = 0.05  # how often a table's publisher is asked where nothing comes
_FILES = 8  # that a table has open at most

Made = tuple[str, str, int, float]
"""A turn: of which table and game, its number, when its last byte came, by the wall clock."""


def begun(
    folder: Path, tables: int, broker: str = "", database: str = ""
) -> tuple[ClubFolder, list[str]]:
    club = new_club(folder, "Lab", broker, database)
    register = Register(club.url, club.club.id)
    for number in range(1, tables + 1):
        register.add(f"Table {number:02}", 1000 + number)
    club.note_tables(register.tables())
    register.close()
    return club, [token_of(club.club.id, club.club.secret, it.id).word for it in club.tables()]


class Traffic(NamedTuple):
    """A game as it came over a line: table times in ms and bytes; how many turns it has.

    `number` is that of the link's session, which the table names in its answer.
    """

    chunks: Sequence[tuple[int, bytes]]
    turns: int
    number: int

    @property
    def length_ms(self) -> int:
        return self.chunks[-1][0]

    def open(self, session: Session) -> None:
        """Have a session take this traffic for the answers to what it asks."""
        session.open(0)
        session.link._session = session.link.hello.session = self.number


class _NotedSession(Session):
    """A session that notes what comes."""

    noted: list[tuple[int, bytes]]

    def exchange(self, data: bytes, now_ms: int, table_ms: int | None = None) -> bytes:
        if data:
            self.noted.append((now_ms, data))
        return super().exchange(data, now_ms, table_ms)


def record(seed: int) -> Traffic:
    """Have a game played at a virtual table with the whole firmware, and record the line."""
    start = new_state()
    session = _NotedSession(Mirror(lambda _happening: None))
    session.noted = []
    who = chance.seeded(str(seed))
    virtual = VirtualTable.of(_BOARD, Random(seed), settings=settings_for(start, 0), chance=who)
    virtual.attach(session)
    game = Game()
    game.start(start)
    hands = Hands(virtual, session.mirror, Random(seed))
    with (
        chooser_of(parse_seat("level:1"), seed) as white,
        chooser_of(parse_seat("random"), seed) as black,
    ):
        hands.set_up(start)
        hands.wait(_READY_MS)
        play(hands, game, (white, black), most_turns=_MOST_TURNS)
    hands.wait(4 * _READY_MS)
    virtual.close()
    return Traffic(tuple(session.noted), len(game.turns), session.link._session)


class SimulatedTable:
    """One table: game after game, each at a table that was switched on anew."""

    def __init__(
        self,
        token: str,
        broker: str,
        folder: Path,
        traffic: Sequence[Traffic],
        turn_s: float,
        rng: Random,
        made: list[Made],
    ) -> None:
        self._token = parse_token(token)
        self._broker = parse_broker(broker)
        self._folder = folder
        self._traffic = traffic
        self._turn_s = turn_s
        self._rng = rng
        self._made = made
        self._archive = Archive(folder)
        self._begin(is_first=True)

    def _begin(self, is_first: bool = False) -> None:
        """Begin a game; the first one somewhere in its course, so that tables differ."""
        game = self._rng.choice(self._traffic)
        self._game = game
        self._speed = game.length_ms / 1000 / (game.turns * self._turn_s)
        headers = {"White": f"W{self._rng.randrange(999)}", "Black": f"B{self._rng.randrange(999)}"}
        self.desk = Desk(self._archive, headers)
        self.mirror, self.session = self.desk.mirror, self.desk.session
        game.open(self.session)
        self._at = 0
        skip_ms = self._rng.uniform(0, game.length_ms * 0.9) if is_first else 0
        self._start_s = time.monotonic() - skip_ms / 1000 / self._speed
        self.desk.listeners.append(self._hear)
        if is_first:
            self.club = ClubTable(
                self._broker, self._token, self._folder, _Look(self), self.desk.tell
            )
        self.desk.listeners.append(self.club.hear)
        self.club.publisher.note_change()
        while is_first and self.due_s() < time.monotonic():
            self._feed()

    def due_s(self) -> float:
        """When the next bytes come."""
        if self._at >= len(self._game.chunks):
            return self._start_s + (self._game.length_ms + 3000) / 1000 / self._speed
        return self._start_s + self._game.chunks[self._at][0] / 1000 / self._speed

    def _feed(self) -> None:
        if self._at >= len(self._game.chunks):
            self.mirror.close()
            self._begin()
            return
        at_ms, data = self._game.chunks[self._at]
        self._at += 1
        self._came_s = time.time()
        self.session.exchange(data, at_ms, at_ms)

    def step(self, now_s: float) -> None:
        while self.due_s() <= now_s:
            self._feed()
        self.club.step()

    def leave(self) -> None:
        self.mirror.close()
        self.club._client.close(0)

    def _hear(self, happening: Happening) -> None:
        if isinstance(happening, Turn) and self.mirror.file is not None:
            game = self.mirror.file.path.stem
            turns = len(self.mirror.game.turns)
            self._made.append((self._token.table, game, turns, self._came_s))


class _Look(Look):
    """What a simulated table shows: always of the game that it plays now."""

    def __init__(self, table: SimulatedTable) -> None:
        self._table = table
        super().__init__(table.desk)

    def __call__(self) -> Any:
        self._desk = self._table.desk
        return super().__call__()


def work(
    line: Connection,
    tokens: Sequence[str],
    broker: str,
    folder: Path,
    traffic: Sequence[Traffic],
    turn_s: float,
    seed: int,
) -> None:
    """Play at so many tables until told to end; tells what was made when it is asked."""
    files = _FILES * len(tokens) + 200
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, max(files, 4096)))
    rng = Random(seed)
    made: list[Made] = []
    tables = []
    for token in tokens:
        place = folder / parse_token(token).table
        tables.append(SimulatedTable(token, broker, place, traffic, turn_s, rng, made))
    queue = [(time.monotonic() + rng.uniform(0, _STEP_S), at) for at in range(len(tables))]
    heapq.heapify(queue)
    line.send("ready")
    while True:
        now_s = time.monotonic()
        while queue[0][0] <= now_s:
            _, at = queue[0]
            tables[at].step(now_s)
            heapq.heapreplace(queue, (min(now_s + _STEP_S, tables[at].due_s()), at))
        if line.poll(max(0.0, min(0.01, queue[0][0] - time.monotonic()))):
            asked = line.recv()
            if asked == "end":
                for table in tables:
                    table.leave()
                return
            line.send(list(made))
            made.clear()
