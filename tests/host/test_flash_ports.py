"""`flash` at a port that the user named: the Pico restarts, and may be at another one then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chronotable_host.flashing import installer
from chronotable_host.flashing.installer import Installer, InstallResult
from chronotable_host.live import port_search
from chronotable_host.live.port_search import AUTO, PortSearch
from tests.host.pico import SERIAL, Pico, PicoDevice
from tests.host.test_flash import Desk, old_table, wishes
from tests.host.usb import ACM, SERIAL_TWO, Stranger, Usb

PTY = "/dev/pts/77"


class Restarting(PicoDevice):
    """A Pico that is somewhere else after a restart, as `moves` says."""

    moves: Callable[[], None]

    def restart(self) -> bool:
        is_told = super().restart()
        self.moves()
        return is_told


def flash_at(
    usb: Usb, port: str, pico: Pico, moves: Callable[[], None], desk: Desk
) -> InstallResult:
    def device(name: str, _patience_s: float) -> Restarting:
        made = Restarting(pico, name)
        made.moves = moves
        return made

    def sleep(duration_s: float) -> None:
        usb.now_s += duration_s

    return Installer(PortSearch(port), wishes(), desk, device, usb.open, usb.clock, sleep).run()


@pytest.mark.parametrize("port", [ACM[0], AUTO])
def test_the_pico_is_followed_to_its_new_name(usb: Usb, port: str) -> None:
    pico, desk = old_table(), Desk()
    usb.plug(ACM[0], pico, SERIAL)

    def moves() -> None:
        usb.plug(ACM[1], usb.unplug(ACM[0]), SERIAL)

    end = flash_at(usb, port, pico, moves, desk)
    assert end.how == installer.INSTALLED
    assert end.port == ACM[1]
    assert desk.lines[-1] == f"The Pico is at {ACM[1]} now."


def test_a_pico_that_stays_stays(usb: Usb) -> None:
    pico, desk = old_table(), Desk()
    usb.plug(ACM[0], pico, SERIAL)
    end = flash_at(usb, ACM[0], pico, lambda: None, desk)
    assert (end.how, end.port) == (installer.INSTALLED, ACM[0])
    assert not any("The Pico is at" in line for line in desk.lines)


def test_no_other_board_that_has_the_name_is_opened(usb: Usb) -> None:
    pico, other = old_table(), Stranger()
    usb.plug(ACM[0], pico, SERIAL)

    def moves() -> None:
        usb.unplug(ACM[0])
        usb.plug(ACM[0], other, SERIAL_TWO)
        usb.plug(ACM[1], pico, SERIAL)

    end = flash_at(usb, ACM[0], pico, moves, Desk())
    assert (end.how, end.port) == (installer.INSTALLED, ACM[1])
    assert other.typed == b""


def test_nor_where_the_pico_does_not_come_back(usb: Usb) -> None:
    pico, other = old_table(), Stranger()
    usb.plug(ACM[0], pico, SERIAL)

    def moves() -> None:
        usb.unplug(ACM[0])
        usb.plug(ACM[0], other, SERIAL_TWO)

    assert flash_at(usb, ACM[0], pico, moves, Desk()).how == installer.SILENT
    assert other.typed == b""


def test_without_a_serial_number_the_name_is_kept(usb: Usb) -> None:
    pico, other = old_table(), Stranger()
    usb.plug(ACM[0], pico, None)
    usb.plug(ACM[1], other, None)
    end = flash_at(usb, ACM[0], pico, lambda: None, Desk())
    assert (end.how, end.port) == (installer.INSTALLED, ACM[0])
    assert other.typed == b""


def test_without_a_serial_number_it_cannot_be_followed(usb: Usb) -> None:
    pico = old_table()
    usb.plug(ACM[0], pico, None)

    def moves() -> None:
        usb.plug(ACM[1], usb.unplug(ACM[0]), None)

    assert flash_at(usb, ACM[0], pico, moves, Desk()).how == installer.SILENT
    assert ACM[1] not in usb.opened


def test_a_virtual_table_is_at_its_pty(usb: Usb, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system lists none; what it does list is not meant."""
    pico, real = old_table(), Stranger()
    usb.plug(PTY, pico)
    usb.plug(ACM[0], real, SERIAL_TWO)
    listed = usb._comports
    monkeypatch.setattr(
        port_search.list_ports,
        "comports",
        lambda: [info for info in listed() if info.device != PTY],
    )
    end = flash_at(usb, PTY, pico, lambda: None, Desk())
    assert (end.how, end.port) == (installer.INSTALLED, PTY)
    assert real.typed == b""


def test_the_port_is_the_same_by_whatever_name(usb: Usb, tmp_path: Path) -> None:
    """Nothing is told of a name that leads to the same port."""
    by_id = tmp_path / "usb-MicroPython-if00"
    pico, desk = old_table(), Desk()
    usb.plug(ACM[0], pico, SERIAL)
    by_id.symlink_to(ACM[0])
    opens = usb.open
    usb.open = lambda name: opens(ACM[0] if name == str(by_id) else name)  # type: ignore[method-assign]
    end = flash_at(usb, str(by_id), pico, lambda: None, desk)
    assert (end.how, end.port) == (installer.INSTALLED, str(by_id))
    assert not any("The Pico is at" in line for line in desk.lines)
