"""The byte 3 on a table's line: noise while a PC is linked, else Ctrl-C, which stops the table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests import lanes
from tests.host.noise import CtrlCs
from tests.table.boots import FAULT_PICTURE, HUNG, Pc, broken, later, switched_on

STOPPED = "Stopped, and the watchdog with it. Ctrl-D starts the table again."
LOST_MS = 3000
ACK, HELLO, ANSWER = "K", "H", "a"  # types of lines

# safe mode, which follows three starts that fail; the doctor, for whom the PC asks
MODES: dict[str, tuple[dict[str, str], float]] = {
    "game": ({}, 1000),
    "safe mode": ({"leds.py": "\nLeds.show = None\n"}, 20_000),
    "doctor": ({}, 1000),
}


@contextmanager
def session(mode: str) -> Iterator[Pc]:
    """Switch a table on and bring it to a mode, with a PC linked to it."""
    defect, start_ms = MODES[mode]
    with switched_on(broken(defect)) as pc:
        pc.run(start_ms)
        if mode == "doctor":
            pc.link.send("doctor", say="s")
            pc.run(3000)
            assert pc.last("step") is not None
        assert pc.link.connected
        pc.forget()
        yield pc


def is_stopped(pc: Pc) -> bool:
    """Let a moment pass, in which the PC is silent, and tell whether the table has stopped."""
    pc.runtime.run_until(pc.runtime.now_ms + 300)
    return STOPPED.encode() in pc.port.read(4096)


@lanes.gate
@pytest.mark.parametrize("mode", lanes.first(["game", "doctor"]))
@pytest.mark.parametrize("between", lanes.first([False, True]), ids=["within", "between"])
def test_one_at_every_byte_of_a_session_stops_nothing(mode: str, between: bool) -> None:
    with session(mode) as pc:
        noise = pc.noise = CtrlCs(between)
        answers = 0
        while not noise.has_been_everywhere(ACK + HELLO + ANSWER):
            pc.link.send("answer", choice="a")  # no question is open: it is refused
            answers += 1
            pc.run(400)
            if answers % 2 == 0:
                pc.link.open(int(pc.runtime.now_ms))  # another program, and another HELLO
                pc.run(200)
            assert answers < 1000
        pc.noise = lambda data: data
        pc.run(2500)
        assert pc.link.connected
        assert STOPPED not in pc.logs
        assert pc.starts == []
        if mode == "game":
            refused = [name for name, _ in pc.messages if name == "refused"]
            assert len(refused) == answers, "each command was obeyed once"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "typed",
    [b"\r\x03", b"\r\x03\x03", b"\x03\x03", b"$0102K*12\r\x03", b"\n" * 200 + b"\r\x03\r\x01"],
    ids=["mpremote", "mpremote before 1.24", "a person", "behind half a line", "behind much"],
)
def test_a_stop_that_is_meant_stops_a_session(mode: str, typed: bytes) -> None:
    with session(mode) as pc:
        pc.port.write(typed)
        assert is_stopped(pc)


def test_a_stop_that_comes_in_pieces_stops_a_session() -> None:
    for first, second in (b"\r", b"\x03"), (b"\x03", b"\x03"):
        with session("game") as pc:
            pc.port.write(first)
            assert not is_stopped(pc)
            pc.port.write(second)
            assert is_stopped(pc)


def test_one_is_enough_in_safe_mode() -> None:
    """It has no watchdog, so that nothing else may end what hangs there."""
    with session("safe mode") as pc:
        pc.port.write(b"\x03")
        assert is_stopped(pc)


def test_what_follows_a_stop_is_for_the_prompt() -> None:
    with session("game") as pc:
        pc.port.write(b"\r\x03x = 1")
        pc.runtime.run_until(pc.runtime.now_ms + 300)
        assert pc.port.read(4096).endswith(b">>> x = 1")


def test_one_is_enough_where_no_pc_is_linked() -> None:
    with session("game") as pc:
        pc.runtime.run_until(pc.runtime.now_ms + LOST_MS + 500)
        pc.port.read(4096)
        pc.port.write(b"\x03")
        assert is_stopped(pc)


def test_one_is_enough_where_the_firmware_has_failed_in_a_session() -> None:
    with switched_on(broken(later(5000, "raise ValueError(1)"))) as pc:
        pc.run(4500)
        assert pc.link.connected
        pc.run(1000)
        assert pc.picture() == FAULT_PICTURE
        pc.port.write(b"\x03")
        assert is_stopped(pc)


def test_a_table_that_hangs_in_a_session_is_reset() -> None:
    with switched_on(broken(later(5000, "while True: __import__('time').sleep_ms(9)"))) as pc:
        pc.run(5500)
        pc.port.write(b"\r\x03")
        pc.run(5000)
        assert len(pc.starts) == 1
        assert pc.cause() == HUNG
