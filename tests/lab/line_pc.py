"""The PC's end of a line: `chronotable play` from its loop down to the files, and who starts it.

What each program is told is looked at on its way: events come once and in order, and what is told
to people is on the disk.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from chronotable_host.archive.naming import SUFFIX
from chronotable_host.archive.store import Archive
from chronotable_host.errors import UserError
from chronotable_host.live.connection import TableConnection
from chronotable_host.live.happenings import NEW_POSITION, GameOver, Happening
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.port_search import PortSearch
from chronotable_host.live.session import Session
from chronotable_host.rules.line import turn_line
from tests.lab.line import Line
from tests.lab.line_truth import InOrder, expect

_GIVE_UP_MS = 1000  # until a program that gave up is started anew


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
        """What is told is in a file."""
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
        """Do what is due now; a program that gives up is started anew by somebody."""
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
        """Add what a program counted."""
        self.told.update(process.told)
        self.counters.update(process.session.link.counters)
        self.counters["gaps told"] += process.order.gaps
