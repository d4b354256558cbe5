"""A Pico at the raw prompt: what it is told and says, and what becomes of one that does not."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

import pytest

from chronotable_host.hardware.flashing import device as devices
from chronotable_host.hardware.flashing.device import (
    PROMPT_S,
    DeviceError,
    RawPrompt,
    call_machine,
    overhear,
)
from chronotable_host.live.line.port import PortError

WINDOW = 128
RAW = b"raw REPL; CTRL-B to exit\r\n>"


class Micropython:
    """MicroPython's prompts; `does` says what a script prints, and what it fails with.

    Something may be going on, until Ctrl-C. When it is told to reset it is gone.
    """

    def __init__(
        self,
        does: Callable[[str], tuple[bytes, bytes]] = lambda _script: (b"", b""),
        is_busy: bool = False,
        is_raw: bool = False,
    ) -> None:
        self.does = does
        self.is_busy = is_busy
        self.is_gone = False
        self.scripts: list[str] = []
        self.typed = b""
        self.is_raw = is_raw
        self.script: bytes | None = None
        self.unread = 0

    def answer(self, data: bytes) -> bytes:
        if self.is_gone:
            raise PortError("gone")
        out = b""
        for byte in data:
            out += self.take(bytes((byte,)))
        return out

    def take(self, byte: bytes) -> bytes:
        if self.script is not None:
            return self.more(byte)
        self.is_busy &= byte != b"\x03"
        if self.is_busy:
            return b""
        self.typed += byte
        self.is_gone = not self.is_raw and self.typed.endswith(f"{LINE}\r".encode())
        if byte == b"\x03":
            return b"\r\nKeyboardInterrupt: \r\n>>> " if not self.is_raw else b""
        if byte == b"\x02":
            self.is_raw = False
            return b"\r\nMicroPython\r\n>>> "
        if self.typed.endswith(b"\x05A\x01"):
            self.script = b""
            return b"R\x01" + WINDOW.to_bytes(2, "little")
        if byte == b"\x01" and not self.is_raw:
            self.is_raw = True
            return RAW
        if byte == b"\x04":
            return b"OK\r\nMPY: soft reboot\r\nhello from boot.py\r\n" + RAW
        return b""

    def more(self, byte: bytes) -> bytes:
        assert self.script is not None
        if byte != b"\x04":
            self.script += byte
            self.unread += 1
            assert self.unread <= 2 * WINDOW, "more than it has room for"
            if len(self.script) % WINDOW:
                return b""
            self.unread -= WINDOW
            return b"\x01"
        script, self.script, self.unread = self.script.decode(), None, 0
        self.scripts.append(script)
        said, failed = (b"", b"") if "def look" in script else self.does(script)
        return b"\x04" + said + b"\x04" + failed + b"\x04>"


def at(answer: Callable[[bytes], bytes]) -> tuple[RawPrompt, Port]:
    port = Port(answer)
    return RawPrompt("/dev/x", 5.0, port.open, port.clock, port.sleep), port


def told_by(does: Callable[[str], tuple[bytes, bytes]], *calls: str) -> list[Any]:
    told: list[Any] = []
    device, port = at(Micropython(does).answer)
    try:
        device.run(calls or ["one()"], told.append)
    finally:
        assert port.is_closed
    return told


def test_the_calls_are_run_one_after_the_other() -> None:
    def does(script: str) -> tuple[bytes, bytes]:
        return b'a line\r\n@["did", "%s"]\r\nrest' % script.split("(", maxsplit=1)[0].encode(), b""

    assert told_by(does, "one()", f"two({'x' * 3000!r})") == [["did", "one"], ["did", "two"]]


@pytest.mark.parametrize(
    ("said", "failed", "says"),
    [
        (b"", b"Traceback\r\nOSError: [Errno 28] ENOSPC\r\n", "no room left"),
        (b"", b"Traceback\r\nMemoryError: memory allocation failed\r\n", r"the Pico failed \(Mem"),
        (b"", b"odd", r"the Pico failed \(odd\)"),
        (b"@[\r\n", b"", "cannot be read"),
        (b"@" + b"[" * 200_000 + b"\r\n", b"", "cannot be read"),
        (b"@" + b"9" * 10_000 + b"\r\n", b"", "cannot be read"),
    ],
)
def test_what_it_fails_with_becomes_a_sentence(said: bytes, failed: bytes, says: str) -> None:
    with pytest.raises(DeviceError, match=says) as caught:
        told_by(lambda _script: (said, failed))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda _data: b"", "MicroPython does not answer there"),
        (lambda data: data, "MicroPython does not answer there"),
        (lambda _data: b"temperature 21.5\r\n", r"prints without end.*\(the last.*21\.5\)"),
        (lambda data: b">>> " if b"\x03" in data else b"", "has said nothing for 5 s"),
        (lambda data: b">>> " if b"\x03" in data else b"x" * 60_000, "prints without end"),
    ],
    ids=["silent", "echo", "chatter", "stuck", "flood"],
)
def test_what_is_no_raw_prompt_is_told(answer: Callable[[bytes], bytes], says: str) -> None:
    device, port = at(answer)
    with pytest.raises(DeviceError, match=says):
        device.run(["one()"], lambda _told: None)
    assert port.is_closed


def test_a_pico_that_goes_on_printing_or_says_no_more_in_a_script_is_told() -> None:
    def goes_on(rest: bytes) -> Callable[[bytes], bytes]:
        pico, sent = Micropython(), bytearray()

        def answer(data: bytes) -> bytes:
            sent.extend(data)
            if b"one()" in sent:
                return b"\x04" * (b"\x04" in data) + rest
            return pico.answer(data)

        return answer

    for rest, says in ((b"", "has said nothing"), (b"21.5\r\n" * 1000, "prints without end")):
        device, _ = at(goes_on(rest))
        with pytest.raises(DeviceError, match=says):
            device.run(["one()"], lambda _told: None)


def test_a_port_that_vanishes_or_cannot_be_opened_is_told() -> None:
    def vanish(_script: str) -> tuple[bytes, bytes]:
        raise PortError("gone")

    with pytest.raises(DeviceError, match="/dev/x: the Pico vanished"):
        told_by(vanish)

    def missing(_name: str) -> Port:
        raise PortError("there is none")

    with pytest.raises(DeviceError, match="there is none"):
        RawPrompt("/dev/x", opens=missing).run([], lambda _told: None)


def test_ctrl_c_waits_until_the_table_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[str] = []

    def leave(_name: str, call: str, *_how: object) -> bool:
        signal.raise_signal(signal.SIGINT)
        left.append(call)
        return True

    monkeypatch.setattr(devices, "call_machine", leave)
    with pytest.raises(KeyboardInterrupt):
        RawPrompt("/dev/x").restart()
    assert left == ["reset"]


# ---- leaving it: within three seconds, whatever it does


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


@pytest.mark.parametrize("is_busy", [False, True], ids=["waits", "busy"])
@pytest.mark.parametrize("is_raw", [False, True], ids=["plain", "raw"])
def test_micropython_is_left_from_every_state(is_busy: bool, is_raw: bool) -> None:
    port = Port(Micropython(is_busy=is_busy, is_raw=is_raw).answer)
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
