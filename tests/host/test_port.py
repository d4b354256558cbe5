"""The serial port: found, opened, lost; whatever goes wrong is one sentence with what to do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import serial

from chronotable_host.live.line import port as ports
from chronotable_host.live.line.port import (
    Port,
    PortError,
    PortInUseError,
    is_in_use,
    open_port,
    plain_name,
)
from chronotable_host.virtual.serve import PtyLine, SerialLine, SocketLine
from tests.waiting import until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="ptys are POSIX")


@pytest.fixture(params=[PtyLine, SocketLine])
def line(request: pytest.FixtureRequest) -> Iterator[SerialLine]:
    opened = request.param()
    yield opened
    opened.close()


@pytest.fixture
def port(line: SerialLine) -> Iterator[Port]:
    opened = open_port(line.name)
    until(line.is_held)
    yield opened
    opened.close()


# ---- opening


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
    assert not is_in_use(line.name)
    first = open_port(line.name)
    try:
        with pytest.raises(PortInUseError, match="is in use: close the other program"):
            open_port(line.name)
        assert is_in_use(line.name)
        assert line.read() == b"", "to look costs the table nothing"
    finally:
        first.close()
        line.close()
    assert not is_in_use(line.name), "what is not there nobody uses"


def test_a_server_that_is_not_there() -> None:
    line = SocketLine()
    line.close()
    with pytest.raises(PortError, match="no table is served there"):
        open_port(line.name)


@pytest.mark.parametrize("name", ["socket://", "socket://x:y", "nonsense://x", "", "loop://?a=b"])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(PortError):
        open_port(name)


COM3 = "could not open port 'COM3': "


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (serial.SerialException(13, "could not open port"), "ask for the permission"),
        (serial.SerialException(16, "could not open port"), "ModemManager"),
        (serial.SerialException(f"{COM3}FileNotFoundError(2)"), "plugged in"),
        (serial.SerialException(f"{COM3}PermissionError(13, 'Denied.', None, 5)"), "in use: close"),
        (
            serial.SerialException(f"{COM3}OSError(22, 'The period has expired.', None, 121)"),
            "expired.*; pull the table's cable and plug it in again",
        ),
        (serial.SerialException("something else"), "cannot be opened: something else"),
        (ValueError("invalid URL"), "invalid URL"),
    ],
)
def test_what_the_system_says_becomes_advice(
    error: Exception, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("serial.serial_for_url", fail)
    with pytest.raises(PortError, match=words) as caught:
        open_port("COM3")
    assert "\n" not in str(caught.value)


def test_the_group_that_owns_the_device_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    grp = pytest.importorskip("grp")
    monkeypatch.setattr(ports.os, "stat", lambda _name: SimpleNamespace(st_mode=0o020660, st_gid=7))
    monkeypatch.setattr(grp, "getgrgid", lambda _gid: SimpleNamespace(gr_name="dialout"))
    assert "usermod -a -G dialout" in ports._permission("/dev/ttyACM0")


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("COM3", "COM3"),
        ("com12", "COM12"),
        ("COM12:", "COM12"),
        (r"\\.\COM12", "COM12"),
        ("//./com7", "COM7"),
        ("COMB3", "COMB3"),
        ("/dev/ttyACM0", "/dev/ttyACM0"),
        ("socket://127.0.0.1:7000", "socket://127.0.0.1:7000"),
    ],
)
def test_the_names_of_windows(written: str, name: str) -> None:
    assert plain_name(written) == name


def test_a_mac_calls_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ports, "_MAC_DIAL_IN", f"{tmp_path}/tty.")
    monkeypatch.setattr(ports, "_MAC_CALL_OUT", f"{tmp_path}/cu.")
    (tmp_path / "cu.usbmodem1101").touch()
    assert plain_name(f"{tmp_path}/tty.usbmodem1101") == f"{tmp_path}/cu.usbmodem1101"
    assert plain_name(f"{tmp_path}/tty.usbmodem9") == f"{tmp_path}/tty.usbmodem9"


# ---- bytes


def test_bytes_go_both_ways_and_nothing_waits(line: SerialLine, port: Port) -> None:
    assert port.read() == b""
    assert line.read() == b""
    everything = bytes(range(256))
    port.write(everything)
    received = bytearray()
    until(lambda: received.extend(line.read()) or bytes(received) == everything)
    line.write(everything)
    answered = bytearray()
    until(lambda: answered.extend(port.read()) or bytes(answered) == everything)


def test_hanging_up_is_seen(line: SerialLine, port: Port) -> None:
    port.close()
    until(lambda: not line.is_held())
    again = open_port(line.name)
    until(line.is_held)
    again.close()


def test_a_port_that_vanishes(line: SerialLine, port: Port) -> None:
    line.write(b"last words")
    received = bytearray()
    until(lambda: received.extend(port.read()) or received)
    line.plug(False)
    with pytest.raises(PortError, match="vanished"):
        until(port.read)

    def write() -> None:
        for _ in range(3):  # TCP notices with the second packet
            port.write(b"x")

    with pytest.raises(PortError, match="vanished"):
        until(write)
    with pytest.raises(PortError):
        open_port(line.name)
    line.plug(True)
    back = open_port(line.name)
    until(line.is_held)
    back.close()


def test_one_program_at_a_time_on_a_socket() -> None:
    line = SocketLine()
    first, second = open_port(line.name), open_port(line.name)
    until(line.is_held)
    with pytest.raises(PortError, match="vanished"):
        until(lambda: line.is_held() and second.read())
    line.write(b"yours")
    received = bytearray()
    until(lambda: received.extend(first.read()) or bytes(received) == b"yours")
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
