"""Faked computers: what is plugged in, who runs, who may; and what can be the matter with them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from serial.tools.list_ports_common import ListPortInfo  # type: ignore[import-untyped]

from chronotable_host.hardware.ports import system
from chronotable_host.hardware.ports.report import Report, examine
from chronotable_host.hardware.ports.system import LINUX, MAC, WINDOWS, System
from chronotable_host.live.line import port_search
from chronotable_host.live.line.port import PortError, PortInUseError
from tests.host.usb import ACM, ONE, TWO

SERIAL = {ONE: f"e660{ONE}", TWO: f"e660{TWO}"}
BY_ID = {table: f"/dev/serial/by-id/usb-{serial}-if00" for table, serial in SERIAL.items()}
MICROPYTHON = (0x2E8A, 0x0005)
PROBE = (0x2E8A, 0x000C)
BOOT = (0x2E8A, 0x0003)
FTDI = (0x0403, 0x6001)
SDK = (0x2E8A, 0x000A)
RULES = "/usr/lib/udev/rules.d"
IGNORED = 'ATTRS{idVendor}=="2e8a", ENV{ID_MM_DEVICE_IGNORE}="1"\n'
"""A rule for udev that keeps ModemManager from Picos."""


class Computer:
    """A computer in a folder, and what is the matter with it."""

    def __init__(self, root: Path, platform: str, *troubles: Prepare) -> None:
        self.root = root
        self.platform = platform
        self.environ: dict[str, str] = {}
        self.groups: set[int] = set()
        self.denied: set[str] = set()
        self.infos: list[ListPortInfo] = []
        self.letters: list[Path] = []
        self.gid = os.getgid()  # of every file that a test makes
        if platform == LINUX:
            self.write("/run/udev/control")
        for prepare in troubles:
            prepare(self)

    def local(self, name: str) -> Path:
        """Return where the file with this name on the computer really is."""
        return self.root / name.lstrip("/")

    def write(self, name: str, text: str = "") -> Path:
        path = self.local(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def link(self, name: str, target: str) -> None:
        path = self.local(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)

    def plug(self, device: str, usb: tuple[int, int] = MICROPYTHON, table: str = ONE) -> None:
        """A board comes, with its device, its name by id and its place in /sys."""
        is_table = usb not in (PROBE, FTDI, SDK)
        info = ListPortInfo(device)
        info.vid, info.pid = usb
        info.description = "Board in FS mode" if is_table else "something"
        info.manufacturer = "MicroPython" if is_table else ""
        if self.platform == WINDOWS:
            info.manufacturer = "Microsoft"
        info.serial_number = SERIAL[table]
        self.infos.append(info)
        if self.platform == LINUX:
            self._add_files(device, usb, table)

    def _add_files(self, device: str, usb: tuple[int, int], table: str) -> None:
        self.write(device).chmod(0o660)
        tty = device.rpartition("/")[2]
        self.link(BY_ID[table], f"../../{tty}")
        place = f"1-{len(self.infos)}"
        self.usb(place, usb)
        part = f"/sys/bus/usb/devices/{place}/{place}:1.0"
        self.write(f"{part}/tty/{tty}/dev")
        self.link(f"/sys/bus/usb/devices/{place}:1.0", f"{place}/{place}:1.0")
        self.write(f"/sys/bus/usb/devices/{place}/dev", f"189:{len(self.infos)}\n")
        self.write(f"/sys/class/tty/{tty}/dev", f"166:{tty[-1]}\n")
        self.link(f"/sys/class/tty/{tty}/device", f"../../../..{part}")

    def usb(self, place: str, usb: tuple[int, int]) -> None:
        """Something is on the USB."""
        for name, value in zip(("idVendor", "idProduct"), usb, strict=True):
            self.write(f"/sys/bus/usb/devices/{place}/{name}", f"{value:04x}\n")

    def run(self, pid: int, command: str, *files: str) -> None:
        """A program runs and has files open."""
        words = command.split()
        self.write(f"/proc/{pid}/comm", words[0].rpartition("/")[2][:15] + "\n")
        self.write(f"/proc/{pid}/cmdline", "\0".join(words) + "\0")
        for number, file in enumerate(files):
            self.link(f"/proc/{pid}/fd/{number}", file)

    def mount(self, name: str, model: str = "RPI-RP2") -> None:
        """A drive with what a boot loader tells of itself."""
        self.write(f"{name}/{system.INFO}", f"UF2 Bootloader v3.0\r\nBoard-ID: {model}\r\n")

    def deny(self, device: str, members: str = "", name: str = "dialout") -> None:
        """The user `alice` may not open a device, which belongs to a group."""
        self.denied.add(device)
        self.write("/etc/group", f"root:x:54321:\n{name}:x:{self.gid}:{members}\n")

    def system(self) -> System:
        return System(
            platform=self.platform,
            environ=self.environ,
            root=self.root,
            user="alice",
            groups=frozenset(self.groups),
            pid=999,
            comports=lambda: self.infos,
            find=self._find,
            may_open=lambda path: f"/{path.relative_to(self.root)}" not in self.denied,
            letters=lambda: self.letters,
        )

    def _find(self) -> list[port_search.PortCandidate]:
        with mock.patch("serial.tools.list_ports.comports", lambda: self.infos):
            return port_search.find_ports()

    def examine(self, port: str = "auto", table: str = "", in_use: bool = False) -> Report:
        failure = PortInUseError("busy") if in_use else PortError("no")
        return examine(port, table, failure, self.system())


Prepare = Callable[[Computer], object]
"""Does something to a computer. The functions that follow return one, or are one."""


def wsl(release: str) -> Prepare:
    return lambda c: c.write("/proc/sys/kernel/osrelease", release)


def board(*tables: str) -> Prepare:
    """Boards with MicroPython, under the names that the system gives."""
    names = {LINUX: ACM, MAC: ["/dev/cu.usbmodem1101", "/dev/cu.usbmodem1201"]}

    def prepare(computer: Computer) -> None:
        devices = names.get(computer.platform, ["COM7", "COM8"])
        for device, table in zip(devices, tables, strict=False):
            computer.plug(device, MICROPYTHON, table)

    return prepare


def other(usb: tuple[int, int], device: str = ACM[3]) -> Prepare:
    return lambda c: c.plug(device, usb, TWO)


def usb(*ids: tuple[int, int]) -> Prepare:
    """Things on the USB that are no serial ports."""

    def prepare(computer: Computer) -> None:
        for place, each in enumerate(ids, 1):
            computer.usb(f"2-{place}", each)

    return prepare


def denied(members: str = "", name: str = "dialout") -> Prepare:
    return lambda c: c.deny(ACM[0], members, name)


def modem_manager(*words: str) -> Prepare:
    return lambda c: c.run(700, " ".join(("/usr/sbin/ModemManager", *words)))


def rule(text: str, name: str = "77-mm.rules") -> Prepare:
    return lambda c: c.write(f"{RULES}/{name}", text)


def notes(text: str, device: str = "c166:0") -> Prepare:
    return lambda c: c.write(f"/run/udev/data/{device}", text)


def runs(command: str, *files: str) -> Prepare:
    return lambda c: c.run(4242, command, *files)


def mount(name: str, model: str = "RPI-RP2") -> Prepare:
    return lambda c: c.mount(name, model)


def mounts(text: str) -> Prepare:
    return lambda c: c.write("/proc/mounts", text)


def letter(name: str) -> Prepare:
    return lambda c: c.letters.append(c.root / name)


def remote(computer: Computer) -> None:
    computer.environ["SSH_CONNECTION"] = "192.0.2.1 1 192.0.2.2 22"


def in_effect(computer: Computer) -> None:
    computer.groups.add(computer.gid)


def no_udev(computer: Computer) -> None:
    (computer.root / "run/udev/control").unlink()


def container(computer: Computer) -> None:
    computer.write("/.dockerenv")


def mute(tty: str = "") -> Prepare:
    """A Pico on the USB without a device, perhaps with a port that the kernel made."""

    def prepare(computer: Computer) -> None:
        computer.usb("3-1", MICROPYTHON)
        if tty:
            computer.write(f"/sys/bus/usb/devices/3-1:1.0/tty/{tty}/dev")

    return prepare
