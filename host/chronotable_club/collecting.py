"""The hub at work: what the broker brings is taken in, filed, indexed, and acknowledged.

Threads, so that nobody waits for who is slower. The hub's takes messages and has the wall show
them. Two have records read in other processes: where a table's takes long, those of the others do
not wait for it, and its own next one has to. The filer puts records on disk, and has tables told
what is there. The clerk keeps the database up to date with the files, and reads from it which
tables belong to the club; where it is slow or away the others go on, and it catches up.
"""

import contextlib
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from chronotable_club.folder import TABLE, TABLE_ID, ChangedError, ClubFolder, RecordFiles
from chronotable_club.following import Followed, IllegalRecordError, Reader
from chronotable_club.hub import SLOW_S, ClubHub, EnrolledTable, FiledRecord, HubTable
from chronotable_club.register import Delivery, Register, delivery_of
from chronotable_far.broker.client import (
    BrokerConnected,
    BrokerLost,
    Client,
    Event,
    Message,
    TopicRefused,
)
from chronotable_host.archive import regular_files
from chronotable_host.archive.naming import SUFFIX
from chronotable_host.errors import UserError, one_line
from chronotable_host.language import tr
from chronotable_host.limits import LOG
from chronotable_host.rules.record import Record
from chronotable_host.web.study.reading import GamesElsewhere

_ROUND_S = 0.25  # the hub's thread looks around so often where nothing comes
_NUMBERS_S = 5.0
_CLERK_S, _CLERK_LONGEST_S = 1.0, 30.0
_TABLES_S = 2.0
_MOST_FILES = 400
_GOING_ON_S = 60.0  # the database learns so often how a game is that goes on
_RETRY_S = 1.0
_READERS = 2
_RESTS = 4  # times as long as its record took to be read
_FORGETS = 0.9  # of what its slowest record took, with each one

Listener = Callable[[FiledRecord, Path], None]
"""Hears of each record that was filed, with its file; called in the filer's thread."""


class Collector:
    """Collects what the tables of a club tell.

    `connect` is given what is to be called when something comes, and returns the connection. `lock`
    is held by whoever reads the hub. `changed` is called, under it, with tables that show something
    else. `line_problem` and `database_problem` are sentences, "" where all is well. `games` is the
    archive of what was filed.
    """

    def __init__(
        self,
        folder: ClubFolder,
        connect: Callable[[Callable[[], None]], Client],
        changed: Callable[[Sequence[HubTable]], None] = lambda _tables: None,
    ) -> None:
        self.folder = folder
        self.lock = threading.RLock()
        self.line_problem = tr("the broker is looked for")
        self.database_problem = ""
        self.file_problem = ""
        self.register = Register(folder.url, folder.club.id)
        self.listeners: list[Listener] = []
        self.rounds: list[Callable[[], None]] = []  # called some times a second
        self._changed = changed
        self._dirty: dict[str, HubTable] = {}
        self._numbers: object = None  # as they were noted last
        self.hub = ClubHub(
            folder.club, folder.tables(), secrets.token_hex(6), folder.numbers(), self._note
        )
        self._reader = Reader()  # of what is on disk
        self._files = RecordFiles(folder.games, self._reader.read)
        self.games = GamesElsewhere(folder.games, folder.url)
        self._pending: dict[str, Delivery] = {}  # what the database does not know yet, by file
        self._indexed_s: dict[str, float] = {}  # when it learned of a game that goes on
        self._asked = threading.Event()  # the clerk is to look at the tables at once
        self._has_ended = threading.Event()
        self._bell = threading.Event()
        self._to_file = threading.Event()
        self._to_read = threading.Event()
        self._line = connect(self._bell.set)
        self._threads = [
            threading.Thread(target=work, name=f"club {name}", daemon=True)
            for name, work in (
                ("hub", self._collect),
                ("filer", self._file),
                *(("reader", self._read_all),) * _READERS,
                ("clerk", self._keep),
            )
        ]

    # ---- for others

    def start(self) -> None:
        """Begin to collect."""
        self._listen()
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """File what has come, and end; what the database does not know it learns at the next start.

        Takes two seconds at most.
        """
        self._has_ended.set()
        for event in (self._bell, self._to_file, self._to_read, self._asked):
            event.set()
        until_s = time.monotonic() + 2.0
        for thread in self._threads[:-1]:
            thread.join(max(0.0, until_s - time.monotonic()))
        self._line.close()
        self._reader.close()
        self.games.close()
        self._note_numbers()

    def now_ms(self) -> int:
        """Return the time of the wall clock."""
        return int(time.time() * 1000)

    def look_at_tables(self) -> None:
        """Have the tables of the database read at once."""
        self._asked.set()

    def note(self, table: str, name: str, said: object) -> None:
        """Tell a table something; see `ClubHub.note`."""
        with self.lock:
            self.hub.note(table, name, said)
        self._bell.set()

    @property
    def behind(self) -> int:
        """How many games wait for the database; those that go on are no hurry."""
        return len(self._due())

    # ---- the hub's thread

    def _note(self, table: HubTable) -> None:
        self._dirty[table.id] = table

    def _collect(self) -> None:
        numbers_s = time.monotonic() + _NUMBERS_S
        rounds_s = 0.0
        while not self._has_ended.is_set():
            self._bell.wait(_ROUND_S)
            self._bell.clear()
            self.step(self._line.take())
            if time.monotonic() > rounds_s:
                rounds_s = time.monotonic() + _ROUND_S
                for each in self.rounds:
                    each()
            if time.monotonic() > numbers_s:
                numbers_s = time.monotonic() + _NUMBERS_S
                self._note_numbers()

    def step(self, events: Sequence[Event]) -> None:
        """Take what has happened at the line, and send what is due."""
        with self.lock:
            for event in events:
                if isinstance(event, Message):
                    self._receive(event)
                elif isinstance(event, BrokerConnected):
                    self.line_problem = ""
                    self.hub.greet()
                elif isinstance(event, BrokerLost):
                    self.line_problem = event.why
                elif isinstance(event, TopicRefused):
                    self.line_problem = tr(
                        "the broker does not let the hub read '{topic}'", topic=event.topic
                    )
            dirty = list(self._dirty.values())
            self._dirty.clear()
            if dirty:
                self._changed(dirty)
            messages = [] if self.line_problem else self.hub.outgoing(self.now_ms())
        if events:
            self._to_read.set()
        for message in messages:
            self._line.publish(*message)

    def _receive(self, message: Message) -> None:
        try:
            self.hub.receive(message, self.now_ms())
        except Exception:  # whatever it is, the other tables go on
            LOG.exception(tr("the hub could not deal with what a table told"))

    def _note_numbers(self) -> None:
        with self.lock:
            numbers = self.hub.numbers()
        if numbers != self._numbers:
            with contextlib.suppress(OSError):
                self.folder.note_numbers(numbers)
                self._numbers = numbers

    # ---- the readers' threads

    def _read_all(self) -> None:
        with contextlib.closing(Reader()) as reader:
            while not self._has_ended.is_set():
                reader.begin()  # after a slow record, before another table's waits for it
                pause_s = self.read_next(reader)
                if pause_s > 0:
                    self._to_read.wait(min(pause_s, _ROUND_S))
                    self._to_read.clear()

    def read_next(self, reader: Reader) -> float:
        """Read a record of the table whose turn it is; return how long none is due, in s."""
        with self.lock:
            table = self.hub.next_unread(time.monotonic())
            if table is None:
                return _ROUND_S
            if (rests_s := table.rests_s - time.monotonic()) > 0:
                return rests_s
            self._to_read.set()  # the other reader may find another table's
            reader.took_s = 0.0  # of one that is known
            try:
                self.hub.read_on(table, partial(self._read, reader))
            except Exception:  # whatever it is, the other tables go on
                LOG.exception(tr("the hub could not deal with what a table told"))
            table.rests_s = time.monotonic() + _RESTS * reader.took_s
            table.takes_s = max(reader.took_s, _FORGETS * table.takes_s)
            if reader.took_s > SLOW_S:
                self.hub.delay(table, self.now_ms())
        self._to_file.set()
        self._bell.set()
        return 0.0

    def _read(self, reader: Reader, whose: str, text: str) -> Followed:
        """Read a record of a table; who looks at the hub is not kept waiting for it."""
        self.lock.release()
        try:
            return reader.read(whose, text)
        finally:
            self.lock.acquire()

    def read_file(self, path: Path) -> Record:
        """Read a record that is on disk; raises OSError and IllegalRecordError."""
        text = regular_files.read(path).decode("utf-8", "replace")
        return self._reader.read(str(path), text).record

    # ---- the filer's thread

    def _file(self) -> None:
        while True:
            self._to_file.wait()
            self._to_file.clear()
            with self.lock:
                filings = self.hub.take_filings()
            for filing in filings:
                self._store(filing)
            if self.file_problem and not self._has_ended.wait(_RETRY_S):
                self._to_file.set()
            elif self._has_ended.is_set():
                return

    def _store(self, filing: FiledRecord) -> None:
        with self.lock:
            table = self.hub.tables.get(filing.table)
        if table is None:
            return
        try:
            path = self._files.store(filing, table.name)
        except ChangedError as error:
            with self.lock:
                self.hub.refuse_filing(filing, str(error), self.now_ms())
            return
        except OSError as error:
            self.file_problem = one_line(error) or str(error)
            with self.lock:
                self.hub.file_later(filing)
            return
        self.file_problem = ""
        self._pending[path.name] = delivery_of(
            filing.record, filing.table, table.name, path.name, self.now_ms()
        )
        for listener in self.listeners:
            listener(filing, path)
        with self.lock:
            self.hub.note_filed(filing.table, filing.game, filing.digest)
        self._bell.set()

    # ---- the clerk's thread

    def _keep(self) -> None:
        pause_s, tables_s = _CLERK_S, 0.0
        has_all = False
        while not self._has_ended.is_set():
            try:
                if time.monotonic() >= tables_s or self._asked.is_set():
                    self._asked.clear()
                    tables_s = time.monotonic() + _TABLES_S
                    self._enrol()
                if not has_all:
                    self._catch_up()
                    has_all = True
                self._index()
            except Exception as error:
                # the database is away, or not as it should be; whatever it is, the next try may do
                if not isinstance(error, UserError):
                    LOG.exception(tr("the club's database could not be brought up to date"))
                self.database_problem = str(error) or type(error).__name__
                self.register.close()
                has_all = False
                pause_s = min(2 * pause_s, _CLERK_LONGEST_S)
            else:
                self.database_problem = ""
                pause_s = _CLERK_S
            self._asked.wait(pause_s)
        self.register.close()

    def _enrol(self) -> None:
        """Read from the database which tables belong to the club."""
        found = self.register.tables()
        known = self.folder.tables()
        if not found and known:  # another database: what the folder knows is the club
            self.register.restore(known, self.now_ms())
            return
        if found != known or list(self.hub.tables) != [each.id for each in found]:
            with contextlib.suppress(OSError):
                self.folder.note_tables(found)
            self.enrol(found)

    def enrol(self, tables: Sequence[EnrolledTable]) -> None:
        """Have these tables and no others."""
        with self.lock:
            self.hub.enrol(tables)
        self._listen()
        self._bell.set()

    def _listen(self) -> None:
        """Hear each table, those that left included: who uses their tokens is told.

        Each at topics of its own: what is retained of many at once is more than brokers keep.
        """
        with self.lock:
            topics = [topic for table in self.hub.tables.values() for topic in table.channel.topics]
        for topic in topics:
            self._line.subscribe(topic)

    def _catch_up(self) -> None:
        """Note the files that came while the database was away, or before this start."""
        self.games.refresh()
        known = self.register.files()
        with contextlib.suppress(FileNotFoundError):
            for path in sorted(self.folder.games.glob(f"*{SUFFIX}")):
                with contextlib.suppress(OSError, IllegalRecordError):
                    written_ms = path.stat().st_mtime_ns // 1_000_000
                    if path.name not in self._pending and written_ms > known.get(path.name, -1):
                        # unless the filer was faster: then it has a later state of the game
                        self._pending.setdefault(path.name, self._delivered(path, written_ms))

    def _delivered(self, path: Path, written_ms: int) -> Delivery:
        record = self.read_file(path)
        headers = record.headers
        return delivery_of(
            record, headers.get(TABLE_ID, ""), headers.get(TABLE, ""), path.name, written_ms
        )

    def _due(self) -> list[str]:
        """Return the files that the database is to know by now."""
        now_s = time.monotonic()
        return [
            name
            for name, each in list(self._pending.items())
            if each.result != "*" or now_s >= self._indexed_s.get(name, 0) + _GOING_ON_S
        ]

    def _index(self) -> None:
        """Have the database know the games that were filed since."""
        while (names := self._due()[:_MOST_FILES]) and not self._has_ended.is_set():
            found = [self._pending[name] for name in names]
            self.games.refresh(names)
            self.register.deliver(found)
            for name, each in zip(names, found, strict=True):
                if each.result == "*":
                    self._indexed_s[name] = time.monotonic()
                else:
                    self._indexed_s.pop(name, None)
                if self._pending.get(name) is each:  # and not a later one
                    del self._pending[name]
