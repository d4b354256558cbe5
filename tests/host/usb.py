"""A computer's USB in a test: devices come and go under names; time is counted, not waited for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Protocol

import pytest

from chronotable.link.happenings import Message
from chronotable.link.identity import TABLE, Identity
from chronotable.link.link import Link
from chronotable_host.link.unpacking import decode
from chronotable_host.live.desk import Desk
from chronotable_host.live.happenings import JsonLine
from chronotable_host.live.line import port_search
from chronotable_host.live.line.connection import TableConnection
from chronotable_host.live.line.port import PortError, PortInUseError
from chronotable_host.live.line.port_search import AUTO, Ask, PortSearch
from chronotable_host.virtual.runtimes.chip import Prompt
from tests.lines import into
from ttykm.game import RULES_VERSION

NAME = "reference"
STALE = 256  # bytes of before that MicroPython up to 1.28 gives the next opener


ONE, TWO = "aabb11223344", "ccdd55667788"
SERIAL_ONE, SERIAL_TWO = "E660AABB11223344", "e660ccdd55667788"  # Windows has them in capitals
PICO = {"vid": 0x2E8A, "pid": 5, "description": "Board in FS mode", "manufacturer": "MicroPython"}
ACM = [f"/dev/ttyACM{number}" for number in range(4)]


class Device(Protocol):
    """Something at a USB port."""

    typed: bytes
    """All that was written into it."""

    def answer(self, data: bytes, now_ms: int) -> bytes:
        """Take what was written and return what it says."""
        ...


class FakeTable:
    """The table's end of the link, with one event to tell, which names the table."""

    def __init__(self, table_id: str, **changes: Any) -> None:
        identity = Identity(NAME, unique_id=table_id, rules=RULES_VERSION, boot=3)
        for name, value in changes.items():
            setattr(identity, name, value)
        self.typed = b""
        self.obeyed: list[str] = []
        self.link = Link(TABLE, identity)
        self.link.open(0)
        self.news = int(table_id[:2], 16)
        self.link.post_event("refused", 5, why=self.news)

    def answer(self, data: bytes, now_ms: int) -> bytes:
        self.typed += data
        self.link.receive(data, now_ms)
        while (event := self.link.next_event()) is not None:
            if isinstance(event, Message):
                self.obeyed.append(event.name)
        self.link.tick(now_ms)
        return self.link.data_to_send()


class Stranger:
    """A device that is no table: it says `greeting` when it is opened, `reply` to every line."""

    def __init__(self, greeting: bytes = b"", reply: bytes = b"") -> None:
        self.typed = b""
        self._greeting = greeting
        self._reply = reply

    def answer(self, data: bytes, now_ms: int) -> bytes:
        said, self._greeting = self._greeting, b""
        self.typed += data
        return said + self._reply * bool(data)


class AtPrompt:
    """A board at MicroPython's prompt; Ctrl-D starts `table`, where it is one."""

    def __init__(self, table: Device | None = None) -> None:
        self.typed = b""
        self._said = b""
        self._table = table
        self._is_table = False
        self._prompt = self._new_prompt()
        self._said = b""  # nobody was there

    def _new_prompt(self) -> Prompt:
        return Prompt(self._say)

    def _say(self, data: bytes) -> None:
        self._said += data

    def answer(self, data: bytes, now_ms: int) -> bytes:
        self.typed += data
        if self._is_table and self._table is not None:
            return self._table.answer(data, now_ms)
        for byte in data:
            if self._prompt.take(byte):
                if self._table is not None:
                    self._is_table = True
                    break
                self._prompt = self._new_prompt()
        said, self._said = self._said, b""
        return said


class FakePort:
    """An open port of a device, until that is unplugged."""

    def __init__(self, usb: Usb, name: str, stale: bytes) -> None:
        self.name = name
        self.unsent = 0
        self._usb = usb
        self._device = usb.devices[name]
        self._out = b""
        self._stale = stale

    def read(self) -> bytes:
        self._check()
        data, self._out = self._out, b""
        data = self._stale + data + self._device.answer(b"", self._usb.now_ms)
        self._stale = b""
        return data

    def write(self, data: bytes) -> None:
        self._check()
        self._out += self._device.answer(data, self._usb.now_ms)

    def close(self) -> None:
        self._usb.closed(self.name)

    def _check(self) -> None:
        if self._usb.devices.get(self.name) is not self._device:
            raise PortError(f"{self.name} vanished: the cable was pulled or the table restarted")


class Usb:
    """The ports of a computer, and its clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_s = 100.0
        self.devices: dict[str, Device] = {}
        self.held: set[str] = set()  # by another program
        self.stale = b""  # what every port gives first
        self.opened: list[str] = []
        self._open: set[str] = set()
        self._serials: dict[str, str | None] = {}
        monkeypatch.setattr("serial.tools.list_ports.comports", self._comports)
        monkeypatch.setattr(port_search, "_BY_ID", Path("/nonexistent"))

    @property
    def now_ms(self) -> int:
        return int(self.now_s * 1000)

    def clock(self) -> float:
        return self.now_s

    def plug(self, name: str, device: Device, serial: str | None = None) -> None:
        """Plug a device in; `serial` None: the system does not tell its number."""
        self.devices[name] = device
        self._serials[name] = serial

    def unplug(self, name: str) -> Device:
        return self.devices.pop(name)

    def open(self, name: str) -> FakePort:
        """Open a port, as `open_port` does."""
        if name not in self.devices:
            raise PortError(f"{name} does not exist")
        if name in self.held:
            raise PortInUseError(f"{name} is in use")
        assert name not in self._open, "a port is opened once"
        self._open.add(name)
        self.opened.append(name)
        return FakePort(self, name, self.stale)

    def closed(self, name: str) -> None:
        self._open.remove(name)

    def run(
        self, step: Callable[[], None], condition: Callable[[], object], bound_s: float
    ) -> bool:
        """Let time pass until something is so; tell whether it came to that."""
        end_s = self.now_s + bound_s
        while not condition():
            if self.now_s >= end_s:
                return False
            self.now_s += 0.01
            step()
        return True

    def _comports(self) -> list[Any]:
        return [
            Info(device=name, product="Board in FS mode", serial_number=self._serials[name], **PICO)
            for name in self.devices
        ]


class Info(SimpleNamespace):
    def __lt__(self, other: Info) -> bool:
        return bool(self.device < other.device)


def letters(typed: bytes) -> str:
    """Return the types of the frames that were written."""
    return "".join(decode(line + b"\n")[2] for line in typed.splitlines())


class Game(Desk):
    """A program that plays with what it finds on the USB."""

    def __init__(self, usb: Usb, port: str = AUTO, table: str = "", ask: Ask | None = None) -> None:
        super().__init__()
        self.usb = usb
        self.heard: list[JsonLine] = []
        self.listeners.append(into(self.heard))
        search = PortSearch(port, table, ask)
        self.connection: TableConnection = TableConnection(
            self.session, search, self.tell, 60, usb.clock, opens=usb.open
        )

    def begin(self) -> Game:
        """Start, and wait until the table has told what it has."""
        self.connection.open()
        assert self.until(lambda: self.told("refused")), self.heard
        return self

    def until(self, condition: Any, bound_s: float = 20) -> bool:
        return self.usb.run(self.connection.step, condition, bound_s)

    def pass_s(self, duration_s: float) -> None:
        self.until(lambda: False, duration_s)

    def told(self, name: str) -> list[Any]:
        return [happening[name] for happening in self.heard if name in happening]

    @property
    def table(self) -> str:
        assert self.mirror.table.peer is not None
        return self.mirror.table.peer.unique_id
