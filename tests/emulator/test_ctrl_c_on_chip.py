"""The byte 3 on the line of the emulated chip: what MicroPython does with it, what the table does.

tests/table/test_ctrl_c.py goes through more, on CPython; its stand-in for the chip is held against
this one here.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from chronotable_host.hardware.flashing.device import call_machine
from chronotable_host.live.line.connection import TableConnection
from chronotable_host.live.line.port_search import PortSearch
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.session import Session
from chronotable_host.virtual.faulty.rehearsal import DirectPort
from chronotable_host.virtual.runtimes.cpython import CpythonRuntime
from chronotable_host.virtual.runtimes.runtime import Runtime
from tests import lanes
from tests.emulator.on_chip import open_chip
from tests.emulator.test_boot_on_chip import START_MS, say, table
from tests.host.noise import CtrlCs
from tests.lines import into
from tests.table.boots import ASKED, BOARD, Pc

pytestmark = pytest.mark.emulator

STOPPED = "Stopped, and the watchdog with it."

TAKES = """
import micropython, select, sys
from time import sleep_ms
poll = select.poll()
poll.register(sys.stdin, select.POLLIN)
one = bytearray(1)
def take():
    text = ""
    while True:
        for _ in poll.ipoll(0):
            sys.stdin.buffer.readinto(one)
            if one[0] == 0x21:
                return text
            text += "%02x " % one[0]
        sleep_ms(5)
micropython.kbd_intr(-1)
sleep_ms(300)
print("ready")
print("data", take())
micropython.kbd_intr(3)
print("ready")
try:
    print("none", take())
except KeyboardInterrupt:
    print("left", take())
"""
TYPED = [
    b"ab\x03cd\r\x03!",  # data
    b"ab\x03",  # an interrupt
    b"cd!",
    b"$0102K*1234\n$0102K*1234\n",
    b"\r",
    b"(\n\r",
    b"$0102K*1234\n",
    b"'x\x03",
    b"\x04",
]


def talk(runtime: Runtime) -> list[str]:
    """Type everything, one after the other; return what was said to each."""
    said = []
    try:
        for typed in [b"", *TYPED]:
            if typed:
                runtime.port.write(typed)
            end_ms = runtime.now_ms + 1000
            answer = b""
            while runtime.now_ms < end_ms:
                runtime.run_until(runtime.now_ms + 50)
                answer += runtime.port.read(4096)
            said.append(re.sub(r"(MicroPython v).*;", r"\1;", answer.decode()))
    finally:
        runtime.close()
    return said


@lanes.gate
def test_micropython_does_as_its_stand_in(image: Path) -> None:
    real = talk(open_chip(image, TAKES))
    assert real[1].startswith("data 61 62 03 63 64 0d 03 \r\n")
    assert real[3].startswith("left 63 64 \r\n")
    assert talk(CpythonRuntime({"boot.py": "", "main.py": TAKES}, {}, BOARD)) == real


def test_stray_ones_in_a_session_stop_nothing(image: Path) -> None:
    for between in (False, True):
        with table(image) as pc:
            pc.run(START_MS)
            assert pc.link.connected
            noise = pc.noise = CtrlCs(between)
            answers = 0
            while not noise.has_been_everywhere("Ka"):
                pc.link.send("answer", choice="a")
                answers += 1
                pc.run(200)
                assert answers < 200
            pc.noise = lambda data: data
            pc.run(2000)
            assert [name for name, _ in pc.messages].count("refused") == answers
            assert (pc.starts, pc.logs) == ([], [])


@pytest.mark.parametrize("typed", ["\r\x03", "\x03\x03\r"])
def test_one_that_is_meant_stops_a_session(image: Path, typed: str) -> None:
    with table(image) as pc:
        pc.run(START_MS)
        assert pc.link.connected
        said = say(pc, typed)
        assert STOPPED in said and said.endswith(">>> ")
        assert "42" in say(pc, "6 * 7\r", 9000), "the watchdog, too"
        assert "OK1" in say(pc, "\x01print(1)\x04")


def test_a_stopped_table_is_started_again_by_play(image: Path) -> None:
    with table(image) as pc:
        pc.run(START_MS)
        assert STOPPED in say(pc, "\r\x03(")
        heard = play(pc, 6000)
        (notice,) = [each["notice"] for each in heard if "notice" in each]
        assert "Ctrl-D starts the table again" in notice
        assert [each["connected"] for each in heard if "connected" in each] == ["reference"]
        assert pc.starts == []


def play(pc: Pc, ms: float) -> list[dict[str, Any]]:
    """Have `play` at a table; return what it tells."""
    heard: list[dict[str, Any]] = []
    runtime = pc.runtime
    connection = TableConnection(
        Session(Mirror(into(heard))),
        PortSearch("emulated"),
        into(heard),
        clock=lambda: runtime.now_ms / 1000,
        opens=lambda name: DirectPort(name, runtime.port),
    )
    connection.open()
    end_ms = runtime.now_ms + ms
    while runtime.now_ms < end_ms:
        runtime.run_until(runtime.now_ms + 10)
        connection.step()
    connection.close()
    return heard


STATES = {
    "a table in a session": b"",
    "the prompt": b"\r\x03",
    "half a line": b"\r\x03x = (",
    "the raw prompt": b"\r\x03\r\x01",
    "half a script": b"\r\x03\r\x01import time\nfor ",
    "a script that runs": b"\r\x03\r\x01while True: pass\x04",
    "a script that comes in windows": b"\r\x03\r\x01\x05A\x01import time\n",
}


@pytest.mark.parametrize("state", STATES)
def test_flash_leaves_the_table_running_from_every_state(image: Path, state: str) -> None:
    with table(image) as pc:
        pc.run(START_MS)
        assert pc.link.connected
        runtime = pc.runtime
        for byte in STATES[state]:  # as slowly as a person types: nothing is thrown away
            pc.port.write(bytes((byte,)))
            runtime.run_until(runtime.now_ms + 100)
        is_told = call_machine(
            "emulated",
            "reset",
            clock=lambda: runtime.now_ms / 1000,
            sleep=lambda duration_s: runtime.run_until(runtime.now_ms + duration_s * 1000),
            opens=lambda name: DirectPort(name, runtime.port),
        )
        assert is_told
        pc.forget()
        pc.run(START_MS + 1500)
        assert pc.cause() == ASKED
        assert pc.link.connected
        assert pc.failure() is None
