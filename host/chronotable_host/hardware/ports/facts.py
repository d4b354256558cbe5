"""What a computer tells about its ports and the one that is asked for: facts, and no advice."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from chronotable_host.errors import printable
from chronotable_host.hardware.firmware.chips import CHIPS
from chronotable_host.hardware.ports import udev
from chronotable_host.hardware.ports.system import (
    LINUX,
    WINDOWS,
    System,
    bootsel_drives,
    stable_names,
    usb_devices,
)
from chronotable_host.language import tr
from chronotable_host.live.line.port import PortError, PortInUseError, plain_name
from chronotable_host.live.line.port_search import AUTO, PortCandidate, PortSearch

_GONE = " (deleted)"  # what /proc puts behind the name of an open file that is no more
_LOCK = re.compile(r"FLOCK\s+ADVISORY\s+WRITE\s+([0-9]+)\s+([0-9a-f]+):([0-9a-f]+):([0-9]+)\s")
_INTERPRETER = re.compile(r"python[0-9.]*")
_MOST_WORDS = 2


class Process(NamedTuple):
    """A running program."""

    pid: int
    name: str

    def __str__(self) -> str:
        """Return name and number."""
        return tr("{name} (process {pid})", name=self.name, pid=self.pid)


def holders_of(system: System, device: str) -> list[Process]:
    """Return the other programs that have a device open.

    Seen are those of the same user (all of them as root) by their open files, and anybody's that
    lock the port as pyserial does; ModemManager does not.
    """
    pids = {pid for pid, target in _open_files(system) if target == device}
    pids |= _lockers(system, device)
    return [_process(system, pid) for pid in sorted(pids - {system.pid})]


def holders_of_gone(system: System, device: str) -> list[Process]:
    """Return the programs that have a device open that was unplugged.

    As long as they do, Linux gives its name to no other.
    """
    pids = {pid for pid, target in _open_files(system) if target == device + _GONE}
    return [_process(system, pid) for pid in sorted(pids)]


def process_named(system: System, name: str) -> Process | None:
    """Return the program with a name as in /proc/PID/comm, where it runs."""
    for pid in _pids(system):
        if system.read(f"/proc/{pid}/comm").strip() == name:
            return Process(pid, name)
    return None


def arguments_of(system: System, pid: int) -> list[str]:
    """Return the words that a program was started with."""
    return system.read(f"/proc/{pid}/cmdline").rstrip("\0").split("\0")


def _pids(system: System) -> list[int]:
    if system.platform != LINUX:
        return []
    return sorted(int(name) for name in system.listing("/proc") if name.isdecimal())


def _open_files(system: System) -> Iterator[tuple[int, str]]:
    """Yield process and file of all that may be seen."""
    for pid in _pids(system):
        folder = f"/proc/{pid}/fd"
        for number in system.listing(folder):
            with suppress(OSError):  # it is gone since it was listed
                yield pid, os.readlink(system.path(f"{folder}/{number}"))


def _lockers(system: System, device: str) -> set[int]:
    """Return the processes that hold a lock on a device."""
    if system.platform != LINUX:
        return set()
    try:
        info = system.path(device).stat()
    except OSError:
        return set()
    here = (os.major(info.st_dev), os.minor(info.st_dev), info.st_ino)
    return {
        int(pid)
        for pid, major, minor, inode in _LOCK.findall(system.read("/proc/locks"))
        if (int(major, 16), int(minor, 16), int(inode)) == here and int(pid)
    }


def _process(system: System, pid: int) -> Process:
    """Return a process by the name that people know: a script's, not its interpreter's."""
    words = [os.path.basename(word) for word in arguments_of(system, pid)]
    if len(words) > 1 and _INTERPRETER.fullmatch(words[0]):
        words = words[1:]
    name = " ".join(words[:_MOST_WORDS]) or system.read(f"/proc/{pid}/comm").strip()
    return Process(pid, printable(name) or tr("a program"))


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
        port, process = self.target, process_named(self.system, _MODEM_MANAGER)
        if port is None or port.usb_id != MICROPYTHON or process is None:
            return False
        words = " ".join(arguments_of(self.system, process.pid)).lower()
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
            holders=[str(each) for each in holders_of(system, info.device)],
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
