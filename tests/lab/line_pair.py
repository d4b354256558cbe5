"""A whole table and a PC with the line between them, and whether they agree.

Everything is real but the hardware: tracker, journal and link of the table, and the PC's program
from its loop down to the files of its archive. Only whoever plays knows which faults come.

What the table's tracker understood is written down as the truth. What each program of the PC is
told is looked at on its way: events come once and in order, and what is told to people is on disk.
"""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from chronotable.core.commands import SETTINGS, change
from chronotable.core.progress import OVER, RESTORE
from chronotable.core.table import Table
from chronotable.hardware.sensors import BUTTON
from chronotable.hardware.wiring import Board
from chronotable.journal.journal import Journal
from chronotable.lights.light import Light
from chronotable.link.identity import TABLE, Identity
from chronotable.link.link import Link
from chronotable_host.archive.comments import UNDERSTOOD, how_understood
from chronotable_host.archive.naming import SUFFIX
from chronotable_host.archive.parsing import read
from chronotable_host.archive.store import Archive
from chronotable_host.errors import UserError
from chronotable_host.live.filing import SOURCE
from chronotable_host.live.happenings import NEW_POSITION, GameOver, Happening
from chronotable_host.live.journal_game import TERMINATIONS
from chronotable_host.live.line.connection import TableConnection
from chronotable_host.live.line.port_search import PortSearch
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.session import Session
from chronotable_host.live.table_state import PHASES
from chronotable_host.rules.line import turn_line
from chronotable_host.rules.record import IN_PROGRESS, RESULTS, Record
from tests.lab.hostile.case import expect
from tests.lab.line import InOrder, Line, Pair
from tests.lab.store import MemoryStore
from ttykm.game import RULES_VERSION
from ttykm.layout import NOBODY

if TYPE_CHECKING:
    from chronotable.link.messages import Value, Values

TABLE_ID = "e66038b71353"

_REST_MS = 300  # a turn is final so soon
_GIVE_UP_MS = 1000  # until a program that gave up is started anew
Script = list[tuple[int, tuple[int, bool] | str]]
"""What happens when: a sensor that opens or closes, or a command of the PC."""


@dataclass
class Played:
    """A game as the table's tracker understood it; `end` is winner and reason, () while it goes."""

    start: array[int]
    options: int
    turns: list[int] = field(default_factory=list)
    how: list[str] = field(default_factory=list)
    end: tuple[int, str] | tuple[()] = ()

    def headers(self) -> tuple[str, str]:
        """Return result and termination as a record has them."""
        if not self.end:
            return RESULTS[3], IN_PROGRESS
        winner, by = self.end
        return RESULTS[2 if winner == NOBODY else winner], TERMINATIONS[by]


def what_is_wrong(record: Record, played: Played) -> str:
    """Return how a record differs from what was played, "" where it does not."""
    if record.start != played.start or record.options != played.options:
        return "it begins otherwise"
    if list(record.turns) != played.turns:
        filed, true = len(record.turns), len(played.turns)
        return "other turns are filed" if filed == true else f"{filed} of {true} turns are filed"
    end = record.headers["Result"], record.headers["Termination"]
    if end != played.headers():
        return f"it ended {' '.join(played.headers())}, filed is {' '.join(end)}"
    how = [how_understood(comment) for comment in record.comments]
    for number, (told, was) in enumerate(zip(how, played.how, strict=True), 1):
        if told != was:
            return f"turn {number} was {was}, filed is {told}"
    return ""


class _NotedTable(Table):
    """A table that writes its games down in `truth`, by id, as its tracker tells them.

    `standing` is the turn that can still be reopened, `obeyed` counts the PC's commands.
    """

    truth: dict[int, Played]
    obeyed: Counter[str]
    standing: int | None = None

    def _execute(self, name: str, values: Values) -> None:
        self.obeyed[name] += 1
        super()._execute(name, values)

    def _played(self) -> Played:
        return self.truth[self.game_id]

    def provisional(self, turn: int) -> None:
        super().provisional(turn)
        self.standing = turn

    def reopened(self) -> None:
        super().reopened()
        self.standing = None

    def started(self) -> None:
        super().started()
        expect(self.game_id not in self.truth, "two games have one id")
        self.truth[self.game_id] = Played(array("H", self.game.state), self.game.options)

    def final(self, turn: int, understood: int) -> None:
        super().final(turn, understood)
        self.standing = None
        self._played().turns.append(turn)
        self._played().how.append(UNDERSTOOD[understood])

    def taken_back(self, turn: int) -> None:
        super().taken_back(turn)
        played = self._played()
        expect(played.turns.pop() == turn, "another turn was taken back than the last")
        played.how.pop()
        played.end = ()

    def over(self, winner: int, by: int) -> None:
        super().over(winner, by)
        self._played().end = winner, "nra"[by]


class _NotedLink(Link):
    """A table's link that counts its events."""

    posted = 0

    def post_event(self, name: str, time_ms: int, **fields: Value) -> int:
        self.posted = super().post_event(name, time_ms, **fields)
        return self.posted


class TableEnd:
    """The table: what lies on it, its flash, and what runs since it was switched on.

    `truth` has its games by id, `obeyed` counts the commands that it was told, `counters` are those
    of its link in the lives before this one.
    """

    def __init__(self, line: Line, board: Board, rng: Random) -> None:
        self.truth: dict[int, Played] = {}
        self.obeyed: Counter[str] = Counter()
        self.counters: Counter[str] = Counter()
        self.boots: list[int] = []
        self.lies: set[int] = set()  # the sensors on which something lies
        self._line = line
        self._board = board
        self._rng = rng
        self._store = MemoryStore()
        self._on_ms = 0
        self._posted = 0  # events, in the lives before this one
        self.table: _NotedTable

    @property
    def link(self) -> _NotedLink:
        assert isinstance(self.table.link, _NotedLink)
        return self.table.link

    @property
    def posted(self) -> int:
        return self._posted + self.link.posted

    def power_on(self) -> None:
        """Start, with a new boot number and what is in the flash; what lies there is felt."""
        if self.boots:
            self.counters.update(self.link.counters)
            self._posted += self.link.posted
        known = set(self.boots)
        self.boots.append(self._rng.choice([boot for boot in range(1, 999) if boot not in known]))
        self._on_ms = self._line.now_ms
        board = self._board
        identity = Identity("reference", 0xB0A2D, TABLE_ID, RULES_VERSION, self.boots[-1])
        light = Light(board.led_of, board.colour_order, board.max_ma, board.channel_ma)
        journal = Journal(self._store, self.boots[-1])
        table = _NotedTable(board, light, _NotedLink(TABLE, identity), self._entropy, journal)
        table.truth, table.obeyed = self.truth, self.obeyed
        change(table, SETTINGS.index("rest_ms"), _REST_MS)
        table.link.open(0)
        table.tracker.begin_at(0)
        self.table = table
        for sensor in sorted(self.lies):
            self._feel(sensor, True)

    def _entropy(self) -> int:
        return self._rng.getrandbits(32)

    def move(self, sensor: int, closed: bool) -> None:
        """Put something on a sensor, or take it away; buttons are pressed and let go of."""
        if sensor < BUTTON:
            expect((sensor in self.lies) != closed, "hands cannot do that")
            self.lies ^= {sensor}
        self._feel(sensor, closed)

    def _feel(self, sensor: int, closed: bool) -> None:
        self.table.edge(self._board.cell_of[sensor], closed, self._line.now_ms - self._on_ms)

    def round(self) -> None:
        """Do what a round of the firmware's loop does, one line at most included."""
        table, line = self.table, self._line
        now_ms = line.now_ms - self._on_ms
        table.step(now_ms)
        table.tell()
        data = line.read()
        if data:
            table.receive(data, now_ms)
        table.link.tick(now_ms)
        said = table.link.data_to_send(1)
        if said:
            line.write(said)


class _NotedMirror(Mirror):
    """A mirror whose events are looked at on their way."""

    order: InOrder

    def hear(self, event: object, now_ms: int) -> None:
        self.order.hear(event)
        super().hear(event, now_ms)


class _NotedSession(Session):
    """A session that counts its commands."""

    sent: Counter[str]

    def command(self, name: str, **fields: Any) -> None:
        super().command(name, **fields)
        self.sent[name] += 1


class _OnePort(PortSearch):
    """Finds the one port of this PC, at once."""

    def settle(self, table_id: str, name: str) -> None:
        pass


class Process:
    """One run of `chronotable play`: its loop, mirror and files, and what it told.

    `told` counts the happenings by kind.
    """

    def __init__(
        self, line: Line, folder: Path, rng: Random, sent: Counter[str], records_events: bool
    ) -> None:
        self.told: Counter[str] = Counter()
        self._line = line
        self._folder = folder
        archive = Archive(folder)
        self.mirror = _NotedMirror(
            self._hear, archive, {}, resumes=True, records_events=records_events
        )
        self.mirror.order = self.order = InOrder()
        self.session = _NotedSession(self.mirror)
        self.session.sent = sent
        hello = self.session.link.hello
        hello.unique_id = f"{rng.getrandbits(48):012x}"  # so that the bytes are the same each time
        hello.session = rng.getrandbits(16)
        self.connection = TableConnection(
            self.session, _OnePort("line"), self._hear, clock=self._clock, opens=line.open
        )
        self._is_open = False

    def _clock(self) -> float:
        return self._line.now_ms / 1000

    def step(self) -> None:
        """Do what the loop does every 10 ms; raises UserError where the program gives up."""
        if not self._is_open:
            self.connection.open()
            self._is_open = True
        self.connection.step()

    def end(self) -> None:
        """The program is killed: the system closes port and files."""
        self._line.hang_up()
        self.mirror.close()

    def _hear(self, happening: Happening) -> None:
        self.told[happening.kind] += 1
        if isinstance(happening, (GameOver, *NEW_POSITION)):
            self._see_that_it_is_on_disk(happening)

    def _see_that_it_is_on_disk(self, happening: Happening) -> None:
        if isinstance(happening, GameOver):
            end = f'[Termination "{happening.by}"]'
            texts = [path.read_text("utf-8") for path in self._folder.glob(f"*{SUFFIX}")]
            expect(any(end in text for text in texts), f"told, and not filed: {happening}")
            return
        file, game = self.mirror.file, self.mirror.game
        number = len(game.turns)
        if not number and file is None:
            return  # it has one from its first turn on
        expect(file is not None, f"told without a file: {happening}")
        assert file is not None
        lines = file.path.read_text("utf-8").splitlines()
        filed = [line for line in lines if line[:1].isdigit() and ". " in line]
        last = turn_line(number, game.turns[-1]) if number else ""
        is_there = len(filed) == number and (not filed or filed[-1].startswith(last))
        expect(is_there, f"told, and on the disk are {len(filed)} turns: {happening}")


class PcEnd:
    """The PC: the folder of the archive, and the program that runs, or none.

    `told` and `counters` are sums over the programs before this one; `sent` counts all commands.
    """

    def __init__(self, line: Line, folder: Path, rng: Random, records_events: bool = False) -> None:
        self.folder = folder
        self.process: Process | None = None
        self.told: Counter[str] = Counter()
        self.counters: Counter[str] = Counter()
        self.sent: Counter[str] = Counter()
        self.programs = 0
        self.gave_up = 0
        self.starts_ms = 0  # when a program is to be started
        self._line = line
        self._rng = rng
        self._records_events = records_events

    def run(self) -> None:
        now_ms = self._line.now_ms
        if self.process is None:
            if now_ms < self.starts_ms:
                return
            self.process = Process(
                self._line, self.folder, self._rng, self.sent, self._records_events
            )
            self.programs += 1
        try:
            self.process.step()
        except UserError:
            self.gave_up += 1
            self.kill(_GIVE_UP_MS)

    def kill(self, for_ms: int) -> None:
        """End the program, and start another one after a while."""
        if self.process is not None:
            self.process.end()
            self.count_in(self.process)
        self.process = None
        self.starts_ms = self._line.now_ms + for_ms

    def count_in(self, process: Process) -> None:
        self.told.update(process.told)
        self.counters.update(process.session.link.counters)
        self.counters["gaps told"] += process.order.gaps


class WholePair(Pair):
    """All of a table and of a PC's program.

    What hands do now is done by `move`, what the PC is to say by `say`. What will be done is in
    `script`, and what was done in `done`.
    """

    table: TableEnd
    pc: PcEnd

    def __init__(
        self, folder: Path, board: Board, rng: Random, records_events: bool = False
    ) -> None:
        super().__init__(Line(rng))
        self.table = TableEnd(self.line, board, rng)
        self.pc = PcEnd(self.line, folder, rng, records_events)
        self.script: Script = []
        self.done: Script = []

    def move(self, sensor: int, closed: bool) -> None:
        self.done.append((self.now_ms, (sensor, closed)))
        self.table.move(sensor, closed)

    def say(self, name: str) -> None:
        self.done.append((self.now_ms, name))
        process = self.pc.process
        expect(process is not None, "no program runs that could say something")
        if process is not None:
            process.session.command(name)

    def step(self) -> None:
        while self.script and self.script[0][0] <= self.now_ms:
            _, what = self.script.pop(0)
            if isinstance(what, str):
                self.say(what)
            else:
                self.move(*what)
        super().step()

    # ---- what has to be true

    def problem(self) -> str:
        process = self.pc.process
        if process is None or not process.connection.is_there or not self.table.link.connected:
            return "they are not connected"
        table, mirror = self.table.table, process.mirror
        if (process.order.boot, process.order.due) != (
            self.table.boots[-1],
            self.table.link.posted + 1,
        ):
            return f"{self.table.link.posted} events were posted, {process.order.due - 1} are known"
        if mirror.wants_game or (mirror.needs_resync and mirror.table.phase != PHASES["o"]):
            return "the mirror has lost the thread"
        if table.journal.first():
            return f"game {table.journal.first()} waits in the journal"
        return self._what_was_obeyed() or self._what_differs(table, mirror) or self._what_is_filed()

    def _what_was_obeyed(self) -> str:
        """Check that no command was done twice, and each once unless program or table restarted."""
        is_sure = self.pc.programs == len(self.table.boots) == 1
        for name, sent in self.pc.sent.items():
            obeyed = self.table.obeyed[name]
            if obeyed > sent or (is_sure and obeyed < sent):
                return f"'{name}' was said {sent} times and obeyed {obeyed} times"
        return ""

    def _what_differs(self, table: Table, mirror: Mirror) -> str:
        phase = table.tracker.phase
        if mirror.table.phase != tuple(PHASES.values())[phase]:
            return f"the mirror's phase is {mirror.table.phase!r}"
        if mirror.table.leds != table.hints.told():
            return "the mirror shows other lights"
        if phase in (OVER, RESTORE) and mirror.record is None:
            return ""  # there is no game to follow
        if phase != RESTORE and mirror.game.state != table.game.state:
            return "the mirror has another position"
        if phase != RESTORE and list(mirror.game.turns) != list(table.game.turns):
            return "the mirror has other turns"
        return ""

    def _what_is_filed(self) -> str:
        found: dict[str, Record] = {}
        for path in sorted(self.pc.folder.glob(f"*{SUFFIX}")):
            reading = read(path)
            source = reading.record.headers[SOURCE]
            if reading.note:
                return f"{path.name}: {reading.note}"
            if source in found:
                return f"the game {source} is filed twice"
            found[source] = reading.record
        for game_id, played in self.table.truth.items():
            source = f"{TABLE_ID}-{game_id:08x}"
            record = found.pop(source, None)
            if record is not None:
                problem = what_is_wrong(record, played)
                if problem:
                    return f"{source}: {problem}"
            elif played.turns or played.end:
                return f"the game {source} is not in the archive"
        return f"nobody played {', '.join(found)}" if found else ""

    # ---- figures

    def counts(self) -> Counter[str]:
        found = Counter(self.pc.counters) + Counter(self.table.counters)
        found.update(self.table.link.counters)
        told = Counter(self.pc.told)
        process = self.pc.process
        if process is not None:
            found.update(process.session.link.counters)
            found["gaps told"] += process.order.gaps
            told.update(process.told)
        for name in ("fetched", "joined", "turn", "taken_back", "mismatch"):
            found[name] = told[name]
        return found
