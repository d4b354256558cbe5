"""Fixtures of these tests: an archive of their own, USB, the version that is flashed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from serial.urlhandler import protocol_socket

import chronotable_host
from chronotable_host.archive.store import Archive
from tests.host.pico import NEW_VERSION
from tests.host.usb import ACM, ONE, SERIAL_ONE, FakeTable, Game, Usb


@pytest.fixture(autouse=True)
def _quick_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    """pyserial sleeps 0.3 s when it closes a socket."""
    monkeypatch.setattr(protocol_socket, "time", SimpleNamespace(sleep=lambda _s: None))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder that is the archive for everything in a test."""
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path / "archive"))
    monkeypatch.delenv("CHRONOTABLE_DB", raising=False)
    return tmp_path / "archive"


@pytest.fixture
def archive(home: Path) -> Iterator[Archive]:
    with Archive() as opened:
        yield opened


@pytest.fixture
def usb(monkeypatch: pytest.MonkeyPatch) -> Usb:
    return Usb(monkeypatch)


@pytest.fixture
def one(usb: Usb) -> FakeTable:
    """A table that is plugged in."""
    table = FakeTable(ONE)
    usb.plug(ACM[0], table, SERIAL_ONE)
    return table


@pytest.fixture
def game(usb: Usb, one: FakeTable) -> Game:
    """A program that has found that table."""
    return Game(usb).begin()


@pytest.fixture
def new_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have this program be the version that tables are flashed with."""
    monkeypatch.setattr(chronotable_host, "__version__", NEW_VERSION, raising=False)
