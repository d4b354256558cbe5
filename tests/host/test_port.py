"""The serial port: found, opened, lost; whatever goes wrong is one sentence with what to do."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import serial
from serial.urlhandler import protocol_socket

from chronotable_host.live import port as ports
from chronotable_host.live.port import AUTO, Port, PortError, choose_port, find_ports, open_port
from chronotable_host.virtual.serve import Line, PtyLine, SocketLine

pytestmark = pytest.mark.skipif(os.name != "posix", reason="ptys are POSIX")

PICO = {"vid": 0x2E8A, "pid": 5, "description": "Board in FS mode", "manufacturer": "MicroPython"}


def eventually(condition: Callable[[], object], bound_s: float = 2.0) -> None:
    """Wait until something is so; the bound is for failures only."""
    end = time.monotonic() + bound_s
    while not condition():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.001)


class _Info(SimpleNamespace):
    def __lt__(self, other: _Info) -> bool:
        return bool(self.device < other.device)


def plugged(monkeypatch: pytest.MonkeyPatch, *devices: dict[str, Any]) -> None:
    """Have these serial ports, and no others, on this computer."""
    nothing = {"vid": None, "pid": None, "manufacturer": None, "product": None, "description": ""}
    found = [_Info(**{**nothing, **device}) for device in devices]
    monkeypatch.setattr(ports.list_ports, "comports", lambda: list(found))
    monkeypatch.setattr(ports, "_BY_ID", Path("/nonexistent"))


@pytest.fixture(params=[PtyLine, SocketLine])
def line(request: pytest.FixtureRequest) -> Iterator[Line]:
    opened = request.param()
    yield opened
    opened.close()


@pytest.fixture
def port(line: Line) -> Iterator[Port]:
    opened = open_port(line.name)
    eventually(line.is_held)
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def _quick_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    """pyserial sleeps 0.3 s when it closes a socket."""
    monkeypatch.setattr(protocol_socket, "time", SimpleNamespace(sleep=lambda _s: None))


# ---------------------------------------------------------------- finding


def test_a_pico_is_found_among_others(monkeypatch: pytest.MonkeyPatch) -> None:
    plugged(
        monkeypatch,
        {"device": "/dev/ttyS0"},
        {"device": "/dev/ttyACM1", **PICO},
        {"device": "/dev/ttyACM0", "vid": 0x2E8A, "pid": 0x000C, "description": "Debug Probe"},
        {"device": "/dev/ttyUSB0", "vid": 0x0403, "pid": 0x6001, "description": "FT232R"},
    )
    assert [candidate.name for candidate in find_ports()] == ["/dev/ttyACM1"]
    assert choose_port(AUTO) == "/dev/ttyACM1"
    assert choose_port("COM3") == "COM3"


def test_a_board_of_another_maker_is_found_by_what_it_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plugged(monkeypatch, {"device": "/dev/ttyACM0", "vid": 0x239A, "manufacturer": "MicroPython"})
    assert choose_port(AUTO) == "/dev/ttyACM0"


def test_the_name_by_id_is_preferred(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    device = tmp_path / "ttyACM0"
    device.touch()
    plugged(monkeypatch, {"device": str(device), **PICO})
    by_id = tmp_path / "by-id"
    by_id.mkdir()
    (by_id / "usb-MicroPython_Board-if00").symlink_to(device)
    monkeypatch.setattr(ports, "_BY_ID", by_id)
    assert choose_port(AUTO) == str(by_id / "usb-MicroPython_Board-if00")


def test_no_candidate_says_what_to_check(monkeypatch: pytest.MonkeyPatch) -> None:
    plugged(monkeypatch, {"device": "/dev/ttyS0"})
    with pytest.raises(PortError, match=r"data lines.*--port \(there are other ports: /dev/ttyS0"):
        choose_port(AUTO)
    plugged(monkeypatch)
    with pytest.raises(PortError, match=r"--port$"):
        choose_port(AUTO)


def test_several_candidates_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    plugged(monkeypatch, {"device": "/dev/ttyACM0", **PICO}, {"device": "/dev/ttyACM1", **PICO})
    with pytest.raises(PortError, match=r"2 boards.*--port: /dev/ttyACM0, /dev/ttyACM1"):
        choose_port(AUTO)
    assert choose_port(AUTO, preferred="/dev/ttyACM1") == "/dev/ttyACM1"


# ---------------------------------------------------------------- opening


def test_a_port_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(PortError, match="does not exist"):
        open_port(str(tmp_path / "ttyACM9"))


def test_files_and_folders_are_no_ports(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for name in (file, tmp_path, Path("/dev/null")):
        with pytest.raises(PortError, match="is no serial port"):
            open_port(str(name))


def test_a_port_is_opened_once() -> None:
    line = PtyLine()
    first = open_port(line.name)
    try:
        with pytest.raises(PortError, match="is in use: close the other program"):
            open_port(line.name)
    finally:
        first.close()
        line.close()


def test_a_server_that_is_not_there() -> None:
    line = SocketLine()
    line.close()
    with pytest.raises(PortError, match="no table is served there"):
        open_port(line.name)


@pytest.mark.parametrize("name", ["socket://", "socket://x:y", "nonsense://x", "", "loop://?a=b"])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(PortError):
        open_port(name)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (serial.SerialException(13, "could not open port"), "ask for the permission"),
        (serial.SerialException(16, "could not open port"), "ModemManager"),
        (serial.SerialException("could not open port 'COM3': FileNotFoundError(2)"), "plugged in"),
        (serial.SerialException("something else"), "cannot be opened: something else"),
        (ValueError("invalid URL"), "invalid URL"),
    ],
)
def test_what_the_system_says_becomes_advice(
    error: Exception, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(ports.serial, "serial_for_url", fail)
    with pytest.raises(PortError, match=words) as caught:
        open_port("COM3")
    assert "\n" not in str(caught.value)


def test_the_group_that_owns_the_device_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    grp = pytest.importorskip("grp")
    monkeypatch.setattr(ports.os, "stat", lambda _name: SimpleNamespace(st_mode=0o020660, st_gid=7))
    monkeypatch.setattr(grp, "getgrgid", lambda _gid: SimpleNamespace(gr_name="dialout"))
    assert "usermod -a -G dialout" in ports._permission("/dev/ttyACM0")


# ---------------------------------------------------------------- bytes


def test_bytes_go_both_ways_and_nothing_waits(line: Line, port: Port) -> None:
    assert port.read() == b""
    assert line.read() == b""
    everything = bytes(range(256))
    port.write(everything)
    received = bytearray()
    eventually(lambda: received.extend(line.read()) or bytes(received) == everything)
    line.write(everything)
    answered = bytearray()
    eventually(lambda: answered.extend(port.read()) or bytes(answered) == everything)


def test_hanging_up_is_seen(line: Line, port: Port) -> None:
    port.close()
    eventually(lambda: not line.is_held())
    again = open_port(line.name)
    eventually(line.is_held)
    again.close()


def test_a_port_that_vanishes(line: Line, port: Port) -> None:
    line.write(b"last words")
    received = bytearray()
    eventually(lambda: received.extend(port.read()) or received)
    line.plug(False)
    with pytest.raises(PortError, match="vanished"):
        eventually(port.read)

    def write() -> None:
        for _ in range(3):  # TCP notices with the second packet
            port.write(b"x")

    with pytest.raises(PortError, match="vanished"):
        eventually(write)
    with pytest.raises(PortError):
        open_port(line.name)
    line.plug(True)
    back = open_port(line.name)
    eventually(line.is_held)
    back.close()


def test_one_program_at_a_time_on_a_socket() -> None:
    line = SocketLine()
    first, second = open_port(line.name), open_port(line.name)
    eventually(line.is_held)
    with pytest.raises(PortError, match="vanished"):
        eventually(lambda: line.is_held() and second.read())
    line.write(b"yours")
    received = bytearray()
    eventually(lambda: received.extend(first.read()) or bytes(received) == b"yours")
    first.close()
    second.close()
    line.close()


def test_a_device_that_reads_nothing_costs_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "_WRITE_TIMEOUT_S", 0.001)
    line = PtyLine()
    port = open_port(line.name)
    for _ in range(40):
        port.write(b"x" * 1000)
    assert port.unsent
    port.close()
    line.close()


def test_other_urls_of_pyserial() -> None:
    port = open_port("loop://")
    port.write(b"echo")
    assert port.read() == b"echo"
    port.close()
