"""`doctor` as a user meets it: a table with faults in it, a person at it, what is said.

Whole examinations run in table time, the command and the person by turns; what depends on a real
line (being stopped, `status` of a game afterwards) runs on a pty.
"""

from __future__ import annotations

import functools
import json
import os
import re
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from chronotable.hardware.board import board_hash
from chronotable.link.identity import TABLE, Identity
from chronotable.link.link import Link
from chronotable_host.cli import run
from chronotable_host.commands import doctor as command
from chronotable_host.hardware import boards
from chronotable_host.hardware.doctor.examination import STOP, Examination
from chronotable_host.hardware.doctor.learned_board import rewired, save
from chronotable_host.hardware.doctor.listener import DoctorListener
from chronotable_host.hardware.firmware.files import FOLDER, app_sources, files_for_board
from chronotable_host.hardware.ports.report import examine as examine_ports
from chronotable_host.link.doctor_names import FINDINGS
from chronotable_host.link.pc_link import PcLink
from chronotable_host.live.happenings import Happening, Step
from chronotable_host.live.line.connection import TableConnection, TableError
from chronotable_host.live.line.port import PortError
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.texts.finding_texts import kind_name
from chronotable_host.virtual.faulty import faults as kinds
from chronotable_host.virtual.faulty.faults import ActualTable, PlantedFault
from chronotable_host.virtual.faulty.rehearsal import DirectPort
from chronotable_host.virtual.faulty.table import FaultyTable
from chronotable_host.virtual.runtimes.cpython import CpythonRuntime
from chronotable_host.virtual.serve import PtyLine
from tests import lanes
from tests.host.archives import Output
from tests.host.served_table import Keyboard, ServedTable
from tests.lab.faulty.due import wrong_in
from tests.lab.faulty.helper import QUICK, Led

pytestmark = pytest.mark.usefixtures("home")
needs_ptys = pytest.mark.skipif(os.name != "posix", reason="ptys are POSIX")

NAME = "reference"
VIRTUAL_ID = b"virtual"[-6:].hex()
JOINS_MS = 6000  # of table time, after which a program has followed for a while


class Screen:
    """What the command shows last, for the person at the table to read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.step: dict[str, Any] | None = None
        self.on_step: Callable[[dict[str, Any]], None] = lambda _step: None
        screen = self

        class Shown(command.DoctorScreen):
            def hear(self, happening: Happening) -> None:
                super().hear(happening)
                if isinstance(happening, Step):
                    screen.step = happening.step
                    screen.on_step(happening.step)

        monkeypatch.setattr(command, "DoctorScreen", Shown)


def machine(board_json: bytes = b"", reeds: bytes = b"{}") -> CpythonRuntime:
    """A table's firmware with a board file, that of NAME unless another is given."""
    data = board_json or boards.find(NAME).read_bytes()
    files = {**files_for_board(data), "settings.json": b"{}", "reeds.json": reeds}
    return CpythonRuntime(app_sources(), files, boards.read(NAME))


class Turns:
    """The command, and the person at the table in a thread: only one of them runs at a time."""

    def __init__(self, person: Callable[[], None]) -> None:
        self.is_over = False
        self._persons, self._commands = threading.Semaphore(0), threading.Semaphore(0)
        self._help = person
        self._error: Exception | None = None
        self._has_left = False
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        self._persons.acquire()
        try:
            self._help()
        except Exception as error:
            self._error = error
        self._has_left = True
        self._commands.release()

    def to_person(self, _duration_s: float = 0) -> None:
        """The command sleeps."""
        if not self._has_left:
            self._persons.release()
            self._commands.acquire()
        if self._error is not None:
            raise self._error

    def to_command(self) -> None:
        """Some table time has passed."""
        if not self.is_over:
            self._commands.release()
            self._persons.acquire()

    def end(self) -> None:
        self.is_over = True
        self.to_person()
        assert self._has_left


class Bed:
    """A table with faults, a person at it, and the command, all of them in table time."""

    def __init__(
        self, faults: list[PlantedFault], monkeypatch: pytest.MonkeyPatch, board_json: bytes = b""
    ) -> None:
        self.turns = turns = Turns(lambda: self.person.help(3_600_000))
        self.actual = ActualTable(boards.read(NAME), faults)
        self.runtime = runtime = machine(board_json)

        class Table(FaultyTable):
            def talk(self) -> None:
                turns.to_command()

        self.table = Table(runtime, self.actual, None, Random(1))
        screen = Screen(monkeypatch)
        lines: list[str] = []
        self.person = Led(
            self.table,
            Random(2),
            QUICK,
            lambda: turns.is_over,
            lambda: screen.step,
            lambda: lines.append(""),
        )

        def opens(name: str) -> DirectPort:
            if not runtime.port.is_open:
                raise PortError(f"{name} does not exist")
            return DirectPort(name, runtime.port)

        connection = functools.partial(
            TableConnection,
            clock=lambda: self.table.now_ms / 1000,
            sleep=turns.to_person,
            opens=opens,
        )
        keyboard = SimpleNamespace(take=lambda: lines.pop(0) if lines else None)
        monkeypatch.setattr(command, "TableConnection", connection)
        monkeypatch.setattr(command, "TypedLines", lambda _stream: keyboard)
        monkeypatch.setattr(command, "time", SimpleNamespace(sleep=turns.to_person))

    def examine(self, *words: str) -> int:
        """Run the command; return its exit status."""
        try:
            return run(["doctor", "--port", "bed", *words])
        finally:
            self.turns.end()
            self.runtime.close()


@lanes.gate
def test_a_table_with_faults_is_examined(
    home: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reed that never closes, two wires and a tile of LEDs exchanged: said, learned, written."""
    faults = [
        PlantedFault(kinds.STUCK_OPEN, 2),
        PlantedFault(kinds.EXCHANGED, 20, 40),
        PlantedFault(kinds.LEDS_EXCHANGED, 0, 2),
    ]
    bed = Bed(faults, monkeypatch)
    assert bed.examine() == 1
    out = capsys.readouterr().out
    assert "Connected: board reference." in out
    assert "Put the magnet on past 7 (second row, third from the left) and slide it about." in out
    assert "! The reed of past 3 never closes: a reed laid across the magnet" in out
    assert "(see boards/BUILD.md)" in out
    assert "The wires of the reeds of present 5 and future 9 are exchanged" in out
    assert "The LEDs of the past and of the future are exchanged in the chain" in out
    assert "Findings: 3, each with what to look at above." in out
    assert " mA." in out
    assert "The table is quick enough and has enough free memory: slowest scan" in out
    name = f"{NAME}-{VIRTUAL_ID}"
    assert str(home / "boards" / f"{name}.json") in out
    assert wrong_in(bed.actual, boards.read(name)) == []
    on_the_table = bed.runtime._chip.files[f"{FOLDER}/board.json"]
    assert board_hash(boards.read_data(name)) == board_hash(on_the_table)
    assert run(["boards"]) == 0
    assert name in capsys.readouterr().out


@lanes.gate
def test_a_table_that_has_learned_learns_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own file, which is known here by then, is what is changed."""
    own = rewired(boards.read_data(NAME), {}, "RGB")
    path = save(own, VIRTUAL_ID)
    bed = Bed([PlantedFault(kinds.EXCHANGED, 3, 4)], monkeypatch, path.read_bytes())
    assert bed.examine() == 1
    learned = boards.read(path)
    assert wrong_in(bed.actual, learned) == []
    assert learned.colour_order == "GRB"


@lanes.gate
def test_programs_read_json(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sound table: nothing found, exit status 0."""
    assert Bed([], monkeypatch).examine("--json") == 0
    heard = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    steps = [happening["step"]["step"] for happening in heard if "step" in happening]
    assert sorted(set(steps)) == list(range(8))
    assert steps == sorted(steps)
    (well,) = (happening["well"] for happening in heard if "well" in happening)
    assert re.fullmatch(
        "The table is quick enough and has enough free memory: "
        "slowest scan of the reeds [0-9.]+ ms.",
        well,
    )
    summary = heard[-1]["summary"]
    assert summary["findings"] == 0
    assert summary["back"] is True
    assert summary["learned"] is None
    assert 300 < summary["current_ma"] < 500


@lanes.gate
def test_a_supply_that_gives_way_ends_it(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table starts anew in its last step, and tells why from within the game."""
    bed = Bed([PlantedFault(kinds.SUPPLY_WEAK)], monkeypatch)
    assert bed.examine() == 1
    assert bed.table.brownouts == 1
    out = capsys.readouterr().out
    assert "! The Pico starts anew when all lights are on: another USB cable" in out
    assert "Stopped before the end; found so far: 1." in out


@lanes.gate
@needs_ptys
@pytest.mark.parametrize("is_ctrl_c", [False, True], ids=["q", "Ctrl-C"])
def test_it_is_stopped_and_the_table_plays(
    is_ctrl_c: bool, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Screen(monkeypatch)
    served = ServedTable(PtyLine(), machine=machine())
    with Keyboard(monkeypatch) as keyboard, served:

        def stop(_step: dict[str, Any]) -> None:
            screen.on_step = lambda _step: None
            if is_ctrl_c:
                raise KeyboardInterrupt
            keyboard.type("q\n")

        screen.on_step = stop
        assert run(["doctor", "--port", served.line.name, "--json"]) == 1
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])["summary"]
    assert summary["stopped"] is True
    assert summary["back"] is True


def test_a_wish_to_stop_that_went_with_the_line_is_said_again() -> None:
    said: list[str] = []
    connection = SimpleNamespace(now_ms=0, is_there=False)
    connection.session = SimpleNamespace(command=lambda _name, say: said.append(say))
    listener = DoctorListener(lambda _happening: None)
    listener.step = {"step": 1}
    examination = Examination(
        cast(Any, connection), listener, SimpleNamespace(take=lambda: None), print
    )
    examination.stop()
    listener.plays = False
    while not examination.is_done():
        connection.now_ms += 100
        if connection.now_ms == 8000:
            listener.plays = True
    assert examination.is_back
    assert connection.now_ms == 8000
    assert said.count(STOP) == 3


def test_an_older_doctor_is_refused() -> None:
    listener = DoctorListener(lambda _happening: None)
    peer = listener.table.peer = Identity("reference", 1, "abc", 1, 7)
    connection = cast(Any, SimpleNamespace(now_ms=0, is_there=False))
    examination = Examination(connection, listener, SimpleNamespace(take=lambda: None), print)
    assert not examination.is_done()
    peer.minor = 2
    with pytest.raises(TableError, match=r"older than this chronotable.*chronotable flash"):
        examination.is_done()


@pytest.mark.parametrize("kind", [Mirror, DoctorListener])
def test_all_that_can_be_heard_stands_in_the_table(kind: type[Mirror]) -> None:
    listener = kind(lambda _happening: None)
    handlers = {name for name in dir(listener) if name.startswith("_on_")}
    assert {each.__name__ for each in listener._hears.values()} == handlers


def test_what_was_found_before_the_pc_came_counts() -> None:
    """The events of an examination under way come before its first state."""
    table = Link(TABLE, Identity("reference", 1, "abc", 1, 7))
    listener = DoctorListener(lambda _happening: None)
    pc = PcLink(Identity("pc", session=1))
    table.open(0)
    table.post_event("finding", 10, kind=FINDINGS.index("stuck_open"), sensor=3, other=255)
    table.send("step", step=1, asks="p", about=4, done=4, of=54, put="0" * 14, ma=0, left_s=0)
    pc.open(0)
    for now_ms in range(0, 3000, 10):
        table.receive(pc.data_to_send(), now_ms)
        pc.receive(table.data_to_send(), now_ms)
        while (event := pc.next_event()) is not None:
            listener.hear(event, now_ms)
        while table.next_event() is not None:
            pass
        table.tick(now_ms)
        pc.tick(now_ms)
    assert listener.step is not None and listener.step["about"] == 4
    assert [kind_name(finding.kind) for finding in listener.findings] == ["stuck_open"]


@needs_ptys
def test_a_game_shows_the_reeds_that_the_doctor_doubts(
    home: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lies in the table's flash since an examination is in the `status` of `play`."""
    doubts = {"past 3": "o", "focus black past": "f", "supply": "weak"}
    served = ServedTable(PtyLine(), machine=machine(reeds=json.dumps(doubts).encode()))
    with Keyboard(monkeypatch) as keyboard, served:
        served.acts = [(JOINS_MS, lambda: keyboard.type("status\nquit\n"))]
        assert run(["play", "--port", served.line.name, "--no-page"]) == 0
    out = capsys.readouterr().out
    assert "reeds in doubt: past 3 (does not open), focus black past (flickers)" in out
    for fault in ("past 3 does not open", "focus black past flickers", "The Pico starts anew"):
        assert out.count(fault) == 1, out
    assert "The Pico starts anew when all lights are on" in out


def test_without_a_table_the_ports_are_looked_at(capsys: Output) -> None:
    assert run(["doctor", "--port", "/dev/no-such-port"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "/dev/no-such-port does not exist" in shown.err.splitlines()[-1]
    assert len(shown.err.splitlines()) > 1


def test_ports_alone(capsys: Output) -> None:
    report = examine_ports("auto")
    assert run(["doctor", "--ports", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["platform"] == report.platform
    assert run(["doctor", "--ports"]) == 0
    assert capsys.readouterr().out
