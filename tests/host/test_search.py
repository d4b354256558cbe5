"""Which serial ports can be a table's, on every system."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from chronotable_host.live.line import port_search
from chronotable_host.live.line.port import PortError
from chronotable_host.live.line.port_search import AUTO, PortCandidate, PortSearch, find_ports

PICO = {"vid": 0x2E8A, "pid": 5, "description": "Board in FS mode", "manufacturer": "MicroPython"}
SERIAL = "e660aabb11223344"


class _Info(SimpleNamespace):
    def __lt__(self, other: _Info) -> bool:
        return bool(self.device < other.device)


def plugged(monkeypatch: pytest.MonkeyPatch, *devices: dict[str, Any]) -> None:
    """Have these serial ports, and no others, on this computer."""
    words = dict.fromkeys(("vid", "pid", "manufacturer", "product", "serial_number"))
    found = [_Info(**{**words, "description": "", **device}) for device in devices]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: list(found))
    monkeypatch.setattr(port_search, "_BY_ID", Path("/nonexistent"))


def found_by_auto() -> str:
    return PortSearch(AUTO).next()


def test_a_pico_is_found_among_others(monkeypatch: pytest.MonkeyPatch) -> None:
    plugged(
        monkeypatch,
        {"device": "/dev/ttyS0"},
        {"device": "/dev/ttyACM1", "serial_number": SERIAL, **PICO},
        {"device": "/dev/ttyACM0", "vid": 0x2E8A, "pid": 0x000C, "description": "Debug Probe"},
        {"device": "/dev/ttyUSB0", "vid": 0x0403, "pid": 0x6001, "description": "FT232R"},
    )
    assert find_ports() == [
        PortCandidate("/dev/ttyACM1", "Board in FS mode", "/dev/ttyACM1", SERIAL)
    ]
    assert found_by_auto() == "/dev/ttyACM1"
    assert PortSearch("COM3").next() == "COM3"


def test_on_windows_there_is_only_the_maker_number(monkeypatch: pytest.MonkeyPatch) -> None:
    plugged(
        monkeypatch,
        {"device": "COM1", "description": "Communications Port (COM1)"},
        {
            "device": "COM12",
            "vid": 0x2E8A,
            "pid": 5,
            "manufacturer": "Microsoft",
            "description": "USB Serial Device (COM12)",
            "serial_number": SERIAL.upper(),
        },
    )
    (candidate,) = find_ports()
    assert (candidate.name, candidate.table_id) == ("COM12", "aabb11223344")
    assert str(candidate) == "COM12 (aabb11223344)"


def test_a_board_of_another_maker_is_found_by_what_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    plugged(monkeypatch, {"device": "/dev/ttyACM0", "vid": 0x239A, "manufacturer": "MicroPython"})
    assert found_by_auto() == "/dev/ttyACM0"


def test_the_name_by_id_is_preferred(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    device = tmp_path / "ttyACM0"
    device.touch()
    plugged(monkeypatch, {"device": str(device), **PICO})
    by_id = tmp_path / "by-id"
    by_id.mkdir()
    link = by_id / "usb-MicroPython_Board-if00"
    link.symlink_to(device)
    monkeypatch.setattr(port_search, "_BY_ID", by_id)
    assert found_by_auto() == str(link)
    (candidate,) = find_ports()
    assert candidate.is_at(str(device)) and candidate.is_at(str(link))
    assert str(candidate) == f"{device} (id unknown)", "people know it by the short name"


@pytest.mark.parametrize("serial", ["", "123456", "Board-7", "6&1a2b3c4d&0&0000"])
def test_numbers_that_are_no_id(serial: str) -> None:
    assert PortCandidate("COM3", "", "COM3", serial).table_id == ""


def test_no_candidate_says_what_to_check(monkeypatch: pytest.MonkeyPatch) -> None:
    plugged(monkeypatch, {"device": "/dev/ttyS0"})
    with pytest.raises(PortError, match=r"data lines.*--port \(there are other ports: /dev/ttyS0"):
        found_by_auto()
    plugged(monkeypatch)
    with pytest.raises(PortError, match=r"--port$"):
        found_by_auto()
