"""The computer as the advice about ports sees it: one object, so that a test can fake it.

What Linux tells about USB in /sys and /dev it tells without being asked for root.
"""

import getpass
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from string import ascii_uppercase
from typing import Any, NamedTuple

from chronotable_host.hardware.firmware.chips import CHIPS
from chronotable_host.live.line.port_search import PortCandidate, find_ports, system_ports

LINUX, MAC, WINDOWS = "linux", "darwin", "win32"
"""Systems by the names of `sys.platform`."""


def _user() -> str:
    """Return the user's name, "" where the system knows none (in some containers)."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return ""


def _groups() -> frozenset[int]:
    """Return the groups that this process has, which are those of the last login."""
    if not hasattr(os, "getgroups"):  # Windows
        return frozenset()
    return frozenset((*os.getgroups(), os.getegid()))


@dataclass(frozen=True)
class System:
    """A computer; by default this one. Nothing of it opens or writes to a device."""

    platform: str = sys.platform
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    root: Path = Path("/")
    """The folder in which /dev, /etc, /proc, /run, /sys and /Volumes are."""
    user: str = field(default_factory=_user)
    groups: frozenset[int] = field(default_factory=_groups)
    """The ids of the groups in effect, which may be fewer than /etc/group gives the user."""
    pid: int = field(default_factory=os.getpid)
    comports: Callable[[], Iterable[Any]] = system_ports
    """Returns all serial ports, as pyserial describes them."""
    find: Callable[[], list[PortCandidate]] = find_ports
    """Returns those that may be a table's."""
    may_open: Callable[[Path], bool] = lambda path: os.access(path, os.R_OK | os.W_OK)
    """Tells whether this process may read and write a device, access lists included."""
    letters: Callable[[], list[Path]] = lambda: [Path(f"{it}:/") for it in ascii_uppercase[2:]]
    """Returns the roots of the drives that Windows may have."""

    def path(self, name: str) -> Path:
        """Return where an absolute name of this computer is to be looked up."""
        return self.root / name.lstrip("/")

    def read(self, name: str) -> str:
        """Return a file's text, "" where there is none that may be read."""
        try:
            return self.path(name).read_text("utf-8", errors="replace")
        except OSError:
            return ""

    def listing(self, name: str) -> list[str]:
        """Return the names in a folder in order, none where it may not be read."""
        try:
            return sorted(os.listdir(self.path(name)))
        except OSError:
            return []

    def device(self, name: str) -> str:
        """Return the device that a name on this computer means: links are followed."""
        if self.platform == WINDOWS:
            return name
        real, root = self.path(name).resolve(), self.root.resolve()
        return f"/{real.relative_to(root)}" if real.is_relative_to(root) else str(real)


_USB = "/sys/bus/usb/devices"
_BY_ID = "/dev/serial/by-id"


class UsbDevice(NamedTuple):
    """A device on the USB."""

    place: str
    """Its bus and sockets, as 1-2.4."""
    usb_id: str
    """Maker and product, as 2e8a:0005."""
    ttys: list[str]
    """Names of the serial ports that the kernel made of it, as ttyACM0."""


def usb_devices(system: System) -> list[UsbDevice]:
    """Return what is on the USB; nothing on other systems."""
    if system.platform != LINUX:
        return []
    entries = system.listing(_USB)
    found = []
    for place in entries:
        maker, product = (
            system.read(f"{_USB}/{place}/{name}").strip() for name in ("idVendor", "idProduct")
        )
        if maker and product:
            parts = [entry for entry in entries if entry.startswith(f"{place}:")]
            ttys = [tty for part in parts for tty in system.listing(f"{_USB}/{part}/tty")]
            found.append(UsbDevice(place, f"{maker}:{product}", ttys))
    return found


def stable_names(system: System) -> dict[str, str]:
    """Return the names by id of the serial ports, by device."""
    if system.platform != LINUX:
        return {}
    links = [f"{_BY_ID}/{name}" for name in system.listing(_BY_ID)]
    return {system.device(link): link for link in links}


def wsl(system: System) -> int:
    """Return which Windows Subsystem for Linux this is, 1 or 2; 0 for none."""
    if system.platform != LINUX:
        return 0
    release = system.read("/proc/sys/kernel/osrelease").lower()
    if "microsoft" not in release:
        return 0
    return 2 if "wsl2" in release or "microsoft-standard" in release else 1


INFO = "INFO_UF2.TXT"
"""The file by which a boot loader that takes UF2 files says what it is."""

_FILE_SYSTEM = "vfat"


def bootsel_drives(system: System) -> list[Path]:
    """Return the mounted drives of Picos in BOOTSEL mode."""
    if system.platform == WINDOWS:
        mounted = system.letters()
    elif system.platform == MAC:
        mounted = [system.path(f"/Volumes/{name}") for name in system.listing("/Volumes")]
    else:
        rows = [line.split() for line in system.read("/proc/mounts").splitlines()]
        # /proc/mounts writes what it cannot print as octal: a space is \040
        mounted = [
            system.path(row[1].replace(r"\040", " "))
            for row in rows
            if len(row) > 2 and row[2] == _FILE_SYSTEM
        ]
    found = []
    for drive in mounted:
        with suppress(OSError):
            text = (drive / INFO).read_text("ascii", errors="replace")
            if any(chip.DRIVE in text for chip in CHIPS.values()):
                found.append(drive)
    return found
