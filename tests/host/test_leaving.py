"""Leaving a Pico that `flash` has stopped: within three seconds, whatever it does; time counts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chronotable_host.hardware.flashing.device import PROMPT_S, call_machine, overhear
from chronotable_host.live.line.port import PortError
from chronotable_host.virtual.runtimes.chip import Prompt

LINE = "import machine;machine.reset()"


class Port:
    """A device at a port; `answer` says what comes for what was typed."""

    name = "a port"
    unsent = 0

    def __init__(self, answer: Callable[[bytes], bytes]) -> None:
        self.now_s = 0.0
        self.typed = b""
        self.is_closed = False
        self._answer = answer
        self._out = b""

    def clock(self) -> float:
        return self.now_s

    def sleep(self, duration_s: float) -> None:
        self.now_s += duration_s

    def open(self, _name: str) -> Port:
        return self

    def read(self) -> bytes:
        out, self._out = self._out + self._answer(b""), b""
        return out

    def write(self, data: bytes) -> None:
        self.typed += data
        self._out += self._answer(data)

    def close(self) -> None:
        self.is_closed = True

    def leave(self) -> bool:
        is_told = call_machine("a port", "reset", PROMPT_S, self.clock, self.sleep, self.open)
        assert self.is_closed
        return is_told

    def overhear(self) -> str:
        return overhear(self, 1.0, self.clock, self.sleep)


class Micropython:
    """MicroPython with something going on, until Ctrl-C; `is_raw`: at the raw prompt then.

    When it is told to reset it is gone.
    """

    def __init__(self, is_busy: bool, is_raw: bool) -> None:
        self.out = b""
        self.line = b""
        self.is_gone = False
        self.is_busy = is_busy
        self.is_raw = is_raw
        self.prompt = None if is_busy or is_raw else Prompt(self.say)

    def say(self, data: bytes) -> None:
        self.out += data

    def answer(self, data: bytes) -> bytes:
        if self.is_gone:
            raise PortError("gone")
        if self.is_busy:
            _before, stop, data = data.rpartition(b"\x03")
            self.is_busy = not stop
            if self.is_busy:
                return b""
            if not self.is_raw:
                self.prompt = Prompt(self.say)
        for byte in data:
            if self.prompt is None:
                if byte == 2:
                    self.prompt = Prompt(self.say)
                continue
            self.line = b"" if byte == 3 else self.line + bytes((byte,))
            self.is_gone = self.line.endswith(f"{LINE}\r".encode())
            self.prompt.take(byte)
        out, self.out = self.out, b""
        return out


@pytest.mark.parametrize("is_busy", [False, True], ids=["waits", "busy"])
@pytest.mark.parametrize("is_raw", [False, True], ids=["plain", "raw"])
def test_micropython_is_left_from_every_state(is_busy: bool, is_raw: bool) -> None:
    port = Port(Micropython(is_busy, is_raw).answer)
    assert port.leave()
    assert port.typed.endswith(f"{LINE}\r".encode())
    assert port.now_s < 1


@pytest.mark.parametrize(
    "answer",
    [
        lambda _data: b"",
        lambda _data: b"temperature 21.5\r\n" * 200,
        lambda data: data,
        lambda _data: b"[" * 60_000,
    ],
    ids=["silent", "flood", "loop", "brackets"],
)
def test_nothing_else_is_waited_for(answer: Callable[[bytes], bytes]) -> None:
    port = Port(answer)
    assert not port.leave()
    assert port.now_s < PROMPT_S + 0.1
    assert LINE.encode() not in port.typed


def test_a_port_that_is_gone_is_left() -> None:
    def vanish(_data: bytes) -> bytes:
        raise PortError("vanished")

    def missing(_name: str) -> Port:
        raise PortError("there is none")

    assert not Port(vanish).leave()
    assert not call_machine("a port", "reset", opens=missing)
    assert Port(vanish).overhear() == ""


def test_what_a_device_says_all_the_time() -> None:
    port = Port(lambda _data: b"and\xff on")
    assert port.overhear().endswith("and\ufffd onand\ufffd on")
    assert len(port.overhear()) <= 200
    assert port.typed == b""


@pytest.mark.parametrize("said", [[], [b"x" * 5000], [b"x", *[b""] * 60, b"y"]])
def test_what_has_an_end_is_not_all_the_time(said: list[bytes]) -> None:
    rest = iter(said)
    assert Port(lambda _data: next(rest, b"")).overhear() == ""
