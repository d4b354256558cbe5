"""What a computer tells about its ports and the one that is asked for: facts, and no advice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from chronotable_host.errors import printable
from chronotable_host.hardware.firmware.chips import CHIPS
from chronotable_host.hardware.ports import processes, udev
from chronotable_host.hardware.ports.system import (
    LINUX,
    WINDOWS,
    System,
    bootsel_drives,
    stable_names,
    usb_devices,
)
from chronotable_host.live.line.port import PortError, PortInUseError, plain_name
from chronotable_host.live.line.port_search import AUTO, PortCandidate, PortSearch

MICROPYTHON = "2e8a:0005"
"""The USB id of a Pico that runs MicroPython."""

_BOOT = [chip.BOOT_USB_ID for chip in CHIPS.values()]
_PROBES = ("2e8a:0004", "2e8a:000c")
_MODEM_MANAGER = "ModemManager"
_MEEK = ("strict", "paranoid", "allowlist-only", "whitelist-only")  # its policies that spare a Pico


class SerialPort(NamedTuple):
    """A serial port of this computer."""

    device: str
    """As people know it: /dev/ttyACM0, COM3."""
    usb_id: str
    """Maker and product, as 2e8a:0005; "" where it is not on the USB."""
    description: str
    table_id: str
    """The id that a table there has, "" where it cannot be known or can be none."""
    stable: str
    """A name that it keeps over replugging, "" where the system has none."""
    looks_like: str
    """table, probe (Raspberry Pi's debug probe) or other."""
    may_open: bool
    """Whether this user may; True where the system has no such question."""
    holders: list[str]
    """Other programs that have it open, as far as they can be seen."""

    def __str__(self) -> str:
        """Return device and what it is."""
        words = " ".join(filter(None, (self.description, self.usb_id)))
        return f"{self.device} ({words})" if words else self.device


@dataclass(frozen=True)
class PortFacts:
    """A computer's ports, and what is asked for."""

    system: System
    named: str
    """The port that is asked for by its plain name, "" for any."""
    search: PortSearch
    is_local: bool
    """Whether it is a port of this computer and no URL."""
    is_there: bool
    """Whether the named port exists."""
    is_in_use: bool
    """Whether opening it failed for that."""
    ports: list[SerialPort]
    found: list[PortCandidate]
    """The boards that may be a table's."""
    wanted: list[PortCandidate]
    """Those of them that may be the one that is asked for."""
    bootsel: list[str]
    """Where Picos in BOOTSEL mode are: drives, or places on the USB."""

    @property
    def target(self) -> SerialPort | None:
        """The port in question where there is exactly one, and it is listed."""
        if self.named:
            device = self.system.device(self.named)
            return next((p for p in self.ports if p.device in (device, self.named)), None)
        if len(self.wanted) == 1:
            return self.port_of(self.wanted[0])
        return None

    @property
    def is_missing(self) -> bool:
        """Whether there is nothing that could be opened."""
        return not self.is_there if self.named else not self.wanted

    @property
    def probes(self) -> list[SerialPort]:
        """The debug probes."""
        return [port for port in self.ports if port.looks_like == "probe"]

    @property
    def is_bothered(self) -> bool:
        """Whether ModemManager may take the port in question for a modem's.

        From 1.18 on its default leaves alone what does not claim to be a modem; which version runs
        cannot be seen, how it was started can.
        """
        port, process = self.target, processes.find(self.system, _MODEM_MANAGER)
        if port is None or port.usb_id != MICROPYTHON or process is None:
            return False
        words = " ".join(processes.arguments(self.system, process.pid)).lower()
        is_ignored = udev.is_ignored(self.system, port.usb_id, port.device)
        return not is_ignored and not any(way in words for way in _MEEK)

    def port_of(self, candidate: PortCandidate) -> SerialPort | None:
        """Return the port of a board."""
        return next((p for p in self.ports if p.device == candidate.device), None)


def gather(
    port: str, table: str = "", failure: PortError | None = None, system: System | None = None
) -> PortFacts:
    """Look at the system; nothing is opened or written. Raises UserError for an id that is none."""
    here = system or System()
    named = "" if port == AUTO else plain_name(port)
    search = PortSearch(port, table)
    found = here.find()
    ports = _ports(here, found)
    listed = {each.device for each in ports}
    drives = [str(drive) for drive in bootsel_drives(here)]
    places = [f"USB {each.place}" for each in usb_devices(here) if each.usb_id in _BOOT]
    return PortFacts(
        system=here,
        named=named,
        search=search,
        is_local="://" not in port,
        # Windows finds its device names in every folder
        is_there=named in listed or (here.platform != WINDOWS and here.path(named).exists()),
        is_in_use=isinstance(failure, PortInUseError),
        ports=ports,
        found=found,
        wanted=_wanted(named if here.platform == LINUX else "", table, search, found),
        bootsel=drives or places,
    )


def _ports(system: System, found: list[PortCandidate]) -> list[SerialPort]:
    """Return all serial ports."""
    boards = {each.device: each for each in found}
    stable = stable_names(system)
    ports = []
    for info in sorted(system.comports()):
        usb_id = f"{info.vid:04x}:{info.pid:04x}" if info.vid and info.pid else ""
        board = boards.get(info.device)
        text = info.description or ""
        port = SerialPort(
            device=info.device,
            usb_id=usb_id,
            description="" if text == "n/a" else printable(text),
            table_id=board.table_id if board else "",
            stable=stable.get(info.device, ""),
            looks_like="table" if board else "probe" if usb_id in _PROBES else "other",
            may_open=system.platform != LINUX or system.may_open(system.path(info.device)),
            holders=[str(each) for each in processes.holders(system, info.device)],
        )
        ports.append(port)
    return ports


def _wanted(
    named: str, table: str, search: PortSearch, found: list[PortCandidate]
) -> list[PortCandidate]:
    """Return the boards that may be the one; a known id is better than an unknown one.

    A name by id tells the serial number, too.
    """
    if "/by-id/" in named:
        return [each for each in found if each.serial in named]
    if not table:
        return found
    known = [each for each in found if each.table_id and search.accepts(each.table_id)]
    return known or [each for each in found if not each.table_id]
