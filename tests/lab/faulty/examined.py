"""One table with faults, examined by one person, and what came of it against what was due."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from chronotable.hardware import board as reader
from chronotable.hardware.sensors import BUTTON, BUTTONS, SHARED
from chronotable.hardware.wiring import Board
from chronotable_host.hardware import boards
from chronotable_host.hardware.doctor.listener import DoctorListener
from chronotable_host.hardware.firmware.files import FOLDER, app_sources, files_for_board
from chronotable_host.live.happenings import Finding, Happening
from chronotable_host.live.session import Session
from chronotable_host.live.texts.finding_texts import kind_name
from chronotable_host.virtual.faulty import faults as kinds
from chronotable_host.virtual.faulty.faults import ActualTable, PlantedFault, draw
from chronotable_host.virtual.faulty.observations import visible
from chronotable_host.virtual.faulty.table import FaultyTable
from chronotable_host.virtual.runtimes.cpython import CpythonRuntime
from tests.lab.faulty.alone import Alone
from tests.lab.faulty.due import doubted, due, explains, is_complete, wrong_in
from tests.lab.faulty.helper import QUICK, Led, Pace

_BOOT_MS = 1500.0
_HOLD_MS = 700.0
_LIMIT_MS = 30 * 60_000.0
_BACK_MS = 9000.0
_BOARD_FILE = f"{FOLDER}/board.json"
_REEDS_FILE = "reeds.json"
_ASKS_FOR_DOCTOR = BUTTON + BUTTONS.index(("a", SHARED))
_HELD = 0.5  # of the tables are asked by a held button,
_ALONE = 0.5  # and of these so many persons have no PC to tell them what to do
_RESTLESS = 0.5  # of the flickering reeds, do so without a magnet too


class Outcome(NamedTuple):
    """What came of an examination."""

    seed: int
    board: str
    is_alone: bool
    """The person had no PC, and went by the lights."""
    faults: list[PlantedFault]
    hidden: int
    """How many of them hide behind others."""
    due: set[PlantedFault]
    told: set[PlantedFault]
    is_explained: bool
    """What was told in other words describes a table that is the same by all that can be seen."""
    wrong: list[str]
    """What is wrong in the board file that the table has afterwards, of what can be known."""
    doubts: list[str]
    """Where the reeds that the next game distrusts are others than those that fail."""
    trouble: str
    """"" unless it did not come to an end."""
    minutes: float
    """Table time."""
    deeds: list[str]

    @property
    def missed(self) -> set[PlantedFault]:
        return set() if self.is_explained else self.due - self.told

    @property
    def invented(self) -> set[PlantedFault]:
        return set() if self.is_explained else self.told - self.due

    @property
    def is_good(self) -> bool:
        return not (self.missed or self.invented or self.wrong or self.doubts or self.trouble)


class Examination:
    """A table of a board with these faults, the whole firmware in it, and a PC at its line."""

    def __init__(
        self, name: str, faults: Sequence[PlantedFault], seed: int, pace: Pace = QUICK
    ) -> None:
        self.seed = seed
        self.name = name
        self.rng = Random(seed)
        self.board = boards.read(name)
        self.actual = ActualTable(self.board, faults)
        restless = {reed for reed in sorted(self.actual.flickers) if self.rng.random() < _RESTLESS}
        files = {**files_for_board(boards.find(name).read_bytes()), "settings.json": b"{}"}
        self.runtime = CpythonRuntime(app_sources(), files, self.board)
        self.listener = DoctorListener(self._hear)
        self.told: list[Happening] = []
        self.session = Session(self.listener)
        self.table = FaultyTable(
            self.runtime, self.actual, self.session, self.rng, frozenset(restless)
        )
        self.is_held = self.rng.random() < _HELD and self._button_asks()
        self.person: Led | Alone
        if self.is_held and self.rng.random() < _ALONE:
            self.person = Alone(self.table, self.rng, pace, self._is_over)
        else:
            self.person = Led(
                self.table, self.rng, pace, self._is_over, lambda: self.listener.step, self._enter
            )

    def examine(self) -> Outcome:
        try:
            trouble = self._run()
        finally:
            self.table.close()
        learned = self._learned()
        told = {as_fault(self.board, *finding) for finding in self.listener.findings}
        wanted = due(self.board, self.actual.faults)
        return Outcome(
            self.seed,
            self.name,
            isinstance(self.person, Alone),
            list(self.actual.faults),
            len(self.actual.faults) - len(visible(self.board, self.actual.faults)),
            wanted,
            told,
            told != wanted
            and len(told) <= len(self.actual.faults)
            and explains(self.board, told, self.actual),
            self._wrong(learned),
            self._doubts(),
            trouble,
            self.table.now_ms / 60_000,
            self.person.deeds,
        )

    def _start(self) -> bool:
        table, person = self.table, self.person
        if self.is_held:
            table.power(False)
            table.finger(_ASKS_FOR_DOCTOR, True)
            table.power(True)
            person.wait(_HOLD_MS)
            table.finger(_ASKS_FOR_DOCTOR, False)
        else:
            person.wait(_BOOT_MS)
            self.listener.plays = False
            self.session.command("doctor", say="s")
        begins = person.wait(4 * _BACK_MS, lambda: self.listener.step is not None)
        self.listener.plays = False
        return begins

    def _run(self) -> str:
        """Do it; return what went wrong with it, "" for nothing."""
        person = self.person
        if not self._start():
            return f"the doctor did not begin {self.runtime.failure}"
        person.help(_LIMIT_MS)
        ended = self.listener.result is not None or self.actual.is_supply_weak
        is_back = person.wait(_BACK_MS, lambda: self.listener.plays)
        person.wait(_BOOT_MS)
        if self.runtime.failure:
            return self.runtime.failure.strip().splitlines()[-1]
        return "" if ended and is_back else "it did not come to an end"

    def _hear(self, happening: Happening) -> None:
        self.told.append(happening)
        if isinstance(happening, Finding) and happening.finding["kind"] == kinds.MAGNET_TURNED:
            self.table.take_another(happening.finding["first"])

    def _is_over(self) -> bool:
        return self.listener.result is not None or self.listener.plays

    def _enter(self) -> None:
        self.session.command("doctor", say="n")

    def _button_asks(self) -> bool:
        """Tell whether a person who holds button `a` gets the doctor."""
        sensor, actual = _ASKS_FOR_DOCTOR, self.actual
        works = sensor not in actual.stuck_open and not actual.is_cut(sensor)
        is_stuck = any(each >= BUTTON for each in actual.stuck_closed)
        return works and not is_stuck and actual.cell_of[sensor] == self.board.cell_of[sensor]

    # ---- afterwards

    def _file(self, name: str) -> Any:
        data = self.runtime._chip.files.get(name)
        return None if data is None else json.loads(data)

    def _learned(self) -> Board:
        return reader.load(self._file(_BOARD_FILE))

    def _wrong(self, learned: Board) -> list[str]:
        """Return what is wrong in the file that the table has, of what it could have learned.

        Where something cannot be known, a table may leave its file as it was.
        """
        wrong = wrong_in(self.actual, learned)
        result = self.listener.result
        stored = result is not None and result["stored"]
        if wrong and not stored and not is_complete(self.actual):
            return []
        return wrong

    def _stored_doubts(self) -> dict[str, str]:
        """Return the reeds that the next game distrusts, and how."""
        found = dict(self._file(_REEDS_FILE) or {})
        found.pop("supply", None)
        return found

    def _doubts(self) -> list[str]:
        found = self._stored_doubts()
        wanted = doubted(self.actual)
        names = {**dict.fromkeys(wanted, ""), **found}
        return [
            f"{name}: {found.get(name, 'trusted')}, not {wanted.get(name, 'trusted')}"
            for name in names
            if found.get(name) != wanted.get(name)
        ]


def as_fault(board: Board, kind: int, first: int, second: int) -> PlantedFault:
    """Return a finding of the link as a fault, in the numbers that faults have.

    A tile's LEDs in another order are told by what turns the file's order into the true one.
    """
    name = kind_name(kind)
    if name == kinds.LED_DARK:
        return PlantedFault(name, first)
    if name == kinds.LED_ORDER:
        return PlantedFault(name, first, kinds.way_of(board, first, second))
    return PlantedFault(name, first, second)


def examine(seed: int, most: int = 3, pace: Pace = QUICK) -> Outcome:
    rng = Random(seed)
    names = boards.names()
    name = names[seed % len(names)]
    return Examination(name, draw(boards.read(name), rng, most), seed, pace).examine()
