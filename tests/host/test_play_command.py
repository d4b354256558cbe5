"""`play` as a user meets it: a served table, a keyboard, what is shown, the exit status."""

from __future__ import annotations

import io
import json
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chronotable.link.happenings import Connected
from chronotable.link.identity import Identity
from chronotable.link.messages import PROTOCOL_MAJOR
from chronotable_host.cli import run
from chronotable_host.commands import play_work as play_command
from chronotable_host.commands.common import typed_lines
from chronotable_host.commands.common.typed_lines import TypedLines
from chronotable_host.commands.play_work import PlayControl
from chronotable_host.link.parsing import parse_sensor
from chronotable_host.live.desk import Desk
from chronotable_host.live.line import connection, port_search
from chronotable_host.live.line.port import open_port
from chronotable_host.virtual.serve import PtyLine, ServedRuntime, SocketLine
from chronotable_host.virtual.table import CPYTHON, open_runtime
from tests.host.archives import Output, records
from tests.host.served_table import NAME, Keyboard, ServedTable
from tests.host.usb import FakeTable
from ttykm.game import RULES_VERSION

pytestmark = pytest.mark.skipif(os.name != "posix", reason="ptys are POSIX")

VIRTUAL_ID = b"virtual"[-6:].hex()


def test_the_command_ends_with_the_game(tmp_path: Path, capsys: Output) -> None:
    line = SocketLine()
    served = ServedTable(line)
    served.acts = [(1500, lambda: served.table.press("resign", 1))]
    args = ["play", "--port", line.name, "--archive", str(tmp_path), "--white", "Ada", "--once"]
    with served:
        assert run([*args, "--json"]) == 0
    heard = [json.loads(text) for text in capsys.readouterr().out.splitlines()]
    kinds = [list(happening)[1] for happening in heard]
    assert kinds[0] == "connected"
    assert "leds" in kinds
    (over,) = [happening for happening in heard if "game_over" in happening]
    assert over["game_over"] == "white"
    text = records(tmp_path)[0].read_text()  # the start lies there, so the next game begins
    assert '[White "Ada"]' in text
    assert '[Termination "resigned"]' in text


def test_people_type_commands(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = PtyLine()
    served = ServedTable(line)
    with Keyboard(monkeypatch) as keyboard, served:
        served.acts = [
            (3000, lambda: keyboard.type("help\nnonsense\nresign nobody\nresign black\n")),
            (5000, lambda: keyboard.type("status\nquit\n")),
        ]
        assert run(["play", "--port", line.name, "--archive", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    assert "A game begins; white is to move." in shown.out
    assert "LEDs: " in shown.out
    assert "White wins by resignation." in shown.out
    assert f"Connected: table {VIRTUAL_ID}, board reference, on {line.name}." in shown.out
    assert f"\ntable {VIRTUAL_ID}, board reference, on {line.name}\n  firmware 0." in shown.out
    assert "\n  reeds in doubt: none\n" in shown.out
    assert "commands: a, b, c" in shown.err
    assert "'nonsense' is no command" in shown.err
    assert "record: " in shown.err


def test_the_status_for_a_program(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = SocketLine()
    served = ServedTable(line)
    with Keyboard(monkeypatch) as keyboard, served:
        served.acts = [(1500, lambda: keyboard.type("status\nquit\n"))]
        assert run(["play", "--port", line.name, "--archive", str(tmp_path), "--json"]) == 0
    heard = [json.loads(text) for text in capsys.readouterr().out.splitlines()]
    assert heard[0].items() >= {"connected": NAME, "table": VIRTUAL_ID, "port": line.name}.items()
    (status,) = [each["status"] for each in heard if "status" in each]
    expected = {"connected": True, "port": line.name, "table": VIRTUAL_ID, "board": NAME}
    assert status.items() >= expected.items()
    assert status["line"]["pc"]["crc_errors"] == status["line"]["table"]["crc_errors"] == 0
    assert (status["losses"], status["unsent"], status["reeds"]) == (0, 0, {})


# ---- which table


@pytest.fixture
def two_tables(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[ServedTable]]:
    """Two tables on ptys that `auto` finds, as on a PC with two cables."""
    ids = ("aabb11223344", "ccdd55667788")
    lines = [PtyLine(), PtyLine()]
    found = [
        port_search.PortCandidate(line.name, "Board in FS mode", line.name, "e660" + table_id)
        for line, table_id in zip(lines, ids, strict=True)
    ]
    monkeypatch.setattr(port_search, "find_ports", lambda: list(found))
    with (
        ServedTable(lines[0], table_id=ids[0]) as one,
        ServedTable(lines[1], table_id=ids[1]) as two,
    ):
        yield [one, two]


def test_in_a_terminal_a_person_is_asked(
    two_tables: list[ServedTable], tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = two_tables
    other_program = open_port(one.line.name)
    with Keyboard(monkeypatch, is_terminal=True) as keyboard:
        two.acts = [(500, lambda: keyboard.type("quit\n"))]
        keyboard.type("\n3\n2\n")
        assert run(["play", "--no-page", "--archive", str(tmp_path)]) == 0
    other_program.close()
    shown = capsys.readouterr()
    question = "Which one? Type 1 to 2; Ctrl-C ends."
    assert shown.err.splitlines()[:6] == [
        "There are 2 boards that may be the table:",
        f"  1  {one.line.name} (aabb11223344)  Board in FS mode, in use by another program",
        f"  2  {two.line.name} (ccdd55667788)  Board in FS mode",
        *[question] * 3,
    ]
    assert f"Connected: table ccdd55667788, board reference, on {two.line.name}." in shown.out


def test_nobody_is_asked_who_is_not_there(
    two_tables: list[ServedTable], tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = two_tables
    assert run(["play", "--archive", str(tmp_path)]) == 2
    (sentence,) = capsys.readouterr().err.splitlines()
    assert sentence == (
        "chronotable: there are 2 boards that may be the table, name one with --port DEVICE or "
        f"--table ID: {one.line.name} (aabb11223344), {two.line.name} (ccdd55667788)"
    )
    with Keyboard(monkeypatch) as keyboard:
        two.acts = [(500, lambda: keyboard.type("quit\n"))]
        assert run(["play", "--archive", str(tmp_path), "--table", "7788"]) == 0
    assert "Connected: table ccdd55667788" in capsys.readouterr().out


def test_a_closed_line_never_makes_one_wait() -> None:
    """CPython 3.10's queue waited for ever once in thousands of calls with a timeout of 0."""
    closed = TypedLines(None)
    assert all(closed.wait() is None for _ in range(50_000))


def test_a_person_who_goes_away_is_not_waited_for(
    two_tables: list[ServedTable], tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Keyboard(monkeypatch, is_terminal=True) as keyboard:
        keyboard.type("\x04")
        assert run(["play", "--archive", str(tmp_path)]) == 2
    assert "nobody said which board it is: name it with --port or --table" in (
        capsys.readouterr().err
    )


# ---- refusals


class Fake(threading.Thread):
    """A table of another version, on a line."""

    def __init__(self, **changes: Any) -> None:
        super().__init__(name="fake", daemon=True)
        self.line = PtyLine()
        self._table = FakeTable("aabb11223344", **changes)
        self._over = threading.Event()

    def run(self) -> None:
        start_s = time.monotonic()
        while not self._over.wait(0.002):
            now_ms = int(1000 * (time.monotonic() - start_s))
            self.line.write(self._table.answer(self.line.read(), now_ms))

    def __enter__(self) -> Fake:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.join()
        self.line.close()


VERSIONS = {
    "major": (PROTOCOL_MAJOR, "The table speaks version {} of the link, the PC version {}: "),
    "rules": (RULES_VERSION, "The table plays by version {} of the rules, the PC by version {}: "),
}
REMEDIES = {
    1: "update chronotable on the PC.",
    -1: "update the firmware with `chronotable flash`.",
}


@pytest.mark.parametrize("newer", REMEDIES, ids=["old PC", "old firmware"])
@pytest.mark.parametrize("what", VERSIONS)
def test_another_version_is_refused_with_the_remedy(
    what: str, newer: int, tmp_path: Path, capsys: Output
) -> None:
    ours, says = VERSIONS[what]
    sentence = says.format(ours + newer, ours) + REMEDIES[newer]
    changes = {what: ours + newer}
    args = ["play", "--archive", str(tmp_path), "--port"]
    with Fake(**changes) as fake:
        assert run([*args, fake.line.name]) == 2
        shown = capsys.readouterr()
        assert shown.err.splitlines() == [f"chronotable: {sentence}"]
        assert sentence not in shown.out, "once is enough"
    with Fake(**changes) as fake:
        assert run([*args, fake.line.name, "--json"]) == 2
    heard = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [what["refused"] for what in heard if "refused" in what] == [sentence]
    assert not [what for what in heard if "started" in what]
    assert not records(tmp_path)


def test_ctrl_c_leaves_a_game_to_go_on_with(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_done(_desk: PlayControl) -> bool:
        if records(tmp_path):
            raise KeyboardInterrupt
        return False

    monkeypatch.setattr(PlayControl, "is_done", is_done)
    line = PtyLine()
    args = ["play", "--port", line.name, "--archive", str(tmp_path)]
    served = ServedTable(line)
    hand = served.table
    served.acts = [  # 1 E F >present: a game has a file from its first turn on
        (2000, lambda: hand.lift(parse_sensor("past 1"))),
        (2500, lambda: hand.place(parse_sensor("present 2"))),
        (3000, lambda: hand.lift(parse_sensor("focus white past"))),
        (3500, lambda: hand.place(parse_sensor("focus white present"))),
    ]
    with served:
        assert run([*args, "--once"]) == 1
    assert "goes on with it" in capsys.readouterr().err
    assert '[Result "*"]' in records(tmp_path)[0].read_text()


def test_refusals_are_one_line_and_status_2(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "ANSWER_S", 0.05)
    args = ["play", "--archive", str(tmp_path), "--port"]
    line = PtyLine()
    for name, words in ((line.name, "flash"), (str(tmp_path / "no"), "does not exist")):
        assert run([*args, name]) == 2
        (sentence,) = capsys.readouterr().err.splitlines()
        assert words in sentence
    line.close()
    monkeypatch.setattr("serial.tools.list_ports.comports", list)
    assert run(["play", "--archive", str(tmp_path)]) == 2
    assert "no table was found" in capsys.readouterr().err


def test_only_terminals_and_pipes_are_read_from(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with file.open() as stream:
        assert typed_lines._descriptor(stream) is None
    assert typed_lines._descriptor(None) is None
    assert typed_lines._descriptor(io.StringIO()) is None


def test_a_board_that_is_not_known_is_remarked_on(capsys: Output) -> None:
    desk = Desk()
    desk.connect(port_search.PortSearch("COM3"))
    play_command.GameScreen(desk, as_json=True)
    desk.mirror.hear(Connected(Identity("attic", boot=1), True), 0)
    assert "the board 'attic' is not known here" in capsys.readouterr().err


def test_serving_says_where(tmp_path: Path, capsys: Output) -> None:
    assert run(["table"]) == 2
    assert run(["table", "--serve", "nowhere"]) == 2
    assert "pty or on the number" in capsys.readouterr().err


def test_a_served_table_keeps_the_time() -> None:
    now = [100.0]
    slept: list[float] = []

    def sleep(duration_s: float) -> None:
        slept.append(duration_s)
        now[0] += duration_s

    machine = open_runtime(CPYTHON, NAME)
    served = ServedRuntime(machine, SocketLine(), lambda: now[0], sleep)
    served.run_until(1000)
    assert now[0] == pytest.approx(101.0)
    now[0] += 60  # the computer was asleep: the table's time does not hurry after
    served.run_until(2000)
    assert now[0] == pytest.approx(162.0, abs=0.3)
    served.close()


def test_a_runtime_comes_to_the_time_it_was_asked_for() -> None:
    machine = open_runtime(CPYTHON, NAME)
    rng = Random(1)
    t_ms = 0.0
    for _ in range(200):
        t_ms += rng.random() * 5
        machine.run_until(t_ms)
        assert machine.now_ms >= t_ms
    machine.close()


def test_a_port_that_the_pc_closed_can_be_opened_again() -> None:
    machine = open_runtime(CPYTHON, NAME)
    machine.port.close()
    assert machine.port.is_open
    machine.plug(False)
    assert not machine.port.is_open
    machine.close()
