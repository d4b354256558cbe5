"""What the doctor says when a table's port cannot be found or opened: on faked computers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple
from unittest import mock

import pytest

from chronotable_host import ports
from chronotable_host.errors import UserError
from chronotable_host.live import search
from chronotable_host.live.port import PortError, PortInUseError
from chronotable_host.ports import drives, groups, processes, udev
from chronotable_host.ports.causes import CAUSES
from chronotable_host.ports.report import Report, as_json, examine, lines
from chronotable_host.ports.system import LINUX, MAC, WINDOWS, System

ONE, TWO = "aabb11223344", "ccdd55667788"
SERIAL = {ONE: f"e660{ONE}", TWO: f"e660{TWO}"}
ACM = [f"/dev/ttyACM{number}" for number in range(4)]
MICROPYTHON = (0x2E8A, 0x0005)
PROBE = (0x2E8A, 0x000C)
BOOT = (0x2E8A, 0x0003)
FTDI = (0x0403, 0x6001)
SDK = (0x2E8A, 0x000A)
RULES = "/usr/lib/udev/rules.d"
WSL2 = "5.15.167.4-microsoft-standard-WSL2"
WSL1 = "4.4.0-19041-Microsoft"


class _Info(SimpleNamespace):
    def __lt__(self, other: _Info) -> bool:
        return bool(self.device < other.device)


class Computer:
    """A computer in a folder: what is plugged in, who runs, who may."""

    def __init__(self, root: Path, platform: str) -> None:
        self.root = root
        self.platform = platform
        self.environ: dict[str, str] = {}
        self.groups: set[int] = set()
        self.denied: set[str] = set()
        self.infos: list[_Info] = []
        self.letters: list[Path] = []
        self.gid = os.getgid()  # of every file that a test makes
        if platform == LINUX:
            self.write("/run/udev/control")

    def write(self, name: str, text: str = "") -> Path:
        path = self.root / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def link(self, name: str, target: str) -> None:
        path = self.root / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)

    def plug(self, device: str, usb: tuple[int, int] = MICROPYTHON, table: str = ONE) -> None:
        """A board comes, with its device, its name by id and its place in /sys."""
        is_table = usb not in (PROBE, FTDI, SDK)
        maker = "Microsoft" if self.platform == WINDOWS else "MicroPython" if is_table else ""
        info = _Info(
            device=device,
            vid=usb[0],
            pid=usb[1],
            description="Board in FS mode" if is_table else "something",
            manufacturer=maker,
            product=None,
            serial_number=SERIAL[table],
        )
        self.infos.append(info)
        if self.platform == LINUX:
            self.write(device).chmod(0o660)
            tty = device.rpartition("/")[2]
            self.link(f"/dev/serial/by-id/usb-{SERIAL[table]}-if00", f"../../{tty}")
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
        self.write(f"{name}/{drives.INFO}", f"UF2 Bootloader v3.0\r\nBoard-ID: {model}\r\n")

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

    def _find(self) -> list[search.Candidate]:
        with mock.patch("serial.tools.list_ports.comports", lambda: self.infos):
            return search.find_ports()

    def examine(self, port: str = "auto", table: str = "", in_use: bool = False) -> Report:
        failure = PortInUseError("busy") if in_use else PortError("no")
        return examine(port, table, failure, self.system())


@pytest.fixture
def linux(tmp_path: Path) -> Computer:
    return Computer(tmp_path, LINUX)


def causes(report: Report) -> list[str]:
    return [advice.cause for advice in report.advice]


def said(report: Report) -> str:
    return "\n".join(lines(report))


# ---------------------------------------------------------------- the table of cases

Prepare = Callable[[Computer], object]


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


IGNORED = 'ATTRS{idVendor}=="2e8a", ENV{ID_MM_DEVICE_IGNORE}="1"\n'
GONE = f"{ACM[0]} (deleted)"


class Case(NamedTuple):
    """A computer with some troubles, what is asked for, and what is to be said."""

    platform: str
    port: str
    causes: list[str]
    """All of the advice, in order."""
    troubles: list[Prepare]
    words: Sequence[str] = ()
    """Some of the first."""
    table: str = ""
    in_use: bool = False


CASES = {
    # nothing is wrong
    "all is well": Case(LINUX, "auto", [], [board(ONE)]),
    "all is well on a Mac": Case(MAC, "/dev/cu.usbmodem1101", [], [board(ONE)]),
    "all is well on Windows": Case(WINDOWS, "com7", [], [board(ONE)]),
    "a URL": Case(LINUX, "socket://127.0.0.1:7000", [], []),
    "a pty": Case(LINUX, "/dev/pts/7", [], [lambda c: c.write("/dev/pts/7")]),
    # nothing is there
    "nothing": Case(LINUX, "auto", ["nothing"], [], ["only charge", "hub", "lsusb"]),
    "nothing named": Case(LINUX, ACM[0], ["nothing"], [], ["BOOTSEL"]),
    "nothing on a Mac": Case(MAC, "auto", ["nothing"], [], ["accessory"]),
    "nothing on Windows": Case(WINDOWS, "COM3", ["nothing"], [], ["Device Manager"]),
    "nothing on an unknown system": Case("freebsd14", "auto", ["nothing"], [], ["cable"]),
    "other things on USB": Case(LINUX, "auto", ["nothing"], [usb(FTDI, (0x2E8A, 0x0030))]),
    "no driver": Case(LINUX, "auto", ["driver"], [mute()], ["sudo modprobe cdc_acm"]),
    "no node": Case(LINUX, "auto", ["driver"], [mute("ttyACM0")], [ACM[0], "Pull the table"]),
    "container": Case(
        LINUX, "auto", ["driver"], [mute("ttyACM0"), container], ["--device=/dev/ttyACM0"]
    ),
    # BOOTSEL
    "BOOTSEL": Case(LINUX, "auto", ["bootsel"], [usb(BOOT)], ["USB 2-1", "flash"]),
    "BOOTSEL of a Pico 2": Case(LINUX, ACM[0], ["bootsel"], [usb((0x2E8A, 0x000F))]),
    "BOOTSEL, mounted": Case(
        LINUX,
        "auto",
        ["bootsel"],
        [
            usb(BOOT),
            mount("/media/alice/RPI RP2"),
            mounts("proc /proc proc rw 0 0\n/dev/sdb1 /media/alice/RPI\\040RP2 vfat rw 0 0\n"),
        ],
        ["alice/RPI RP2)"],
    ),
    "BOOTSEL on a Mac": Case(
        MAC,
        "auto",
        ["bootsel"],
        [mount("/Volumes/RPI-RP2"), mount("/Volumes/Photos", "SAMD51")],
        ["Volumes/RPI-RP2)"],
    ),
    "BOOTSEL on Windows": Case(
        WINDOWS, "COM3", ["bootsel"], [mount("D"), letter("C"), letter("D")], ["D)"]
    ),
    "another boot loader": Case(WINDOWS, "auto", ["nothing"], [mount("D", "SAMD51"), letter("D")]),
    "BOOTSEL beside a table": Case(LINUX, "auto", [], [board(ONE), usb(BOOT)]),
    # names
    "Windows on Linux": Case(
        LINUX,
        r"\\.\COM3",
        ["foreign name"],
        [board(ONE)],
        ["COM3 is a name of Windows", f"--table {ONE}"],
    ),
    "Windows on a Mac": Case(MAC, "COM3", ["foreign name"], [board(ONE)], ["the Mac"]),
    "Mac on Linux": Case(
        LINUX,
        "/dev/tty.usbmodem1101",
        ["foreign name", "nothing"],
        [],
        ["a name of the Mac", "Leave --port out"],
    ),
    "Mac on Windows": Case(
        WINDOWS,
        "/dev/cu.usbmodem1101",
        ["foreign name"],
        [board(ONE)],
        ["COM3 or the like", f"--table {ONE}"],
    ),
    "Linux on Windows": Case(
        WINDOWS, "/dev/ttyACM0", ["foreign name", "nothing"], [], ["a name of Linux"]
    ),
    "Linux on a Mac": Case(
        MAC,
        "/dev/serial/by-id/x",
        ["foreign name"],
        [board(ONE)],
        ["/dev/cu.usbmodem1101 or the like"],
    ),
    "dial-in on a Mac": Case(
        MAC,
        "/dev/tty.usbmodem1101",
        ["moved"],
        [board(ONE)],
        ["/dev/cu.usbmodem1101", f"--table {ONE}"],
    ),
    "without the folder": Case(LINUX, "ttyACM0", ["moved"], [board(ONE)], [f"--table {ONE}"]),
    # WSL
    "WSL": Case(LINUX, "COM3", ["wsl"], [wsl(WSL2)], ["usbipd attach --wsl", "COM3"]),
    "WSL 1": Case(LINUX, "auto", ["wsl"], [wsl(WSL1)], ["WSL 1 can have no USB"]),
    "WSL that has it": Case(LINUX, "auto", [], [wsl(WSL2), board(ONE)]),
    "WSL without driver": Case(LINUX, "auto", ["driver"], [wsl(WSL2), mute()], ["modprobe"]),
    "COM3 in WSL that has it": Case(
        LINUX, "COM3", ["foreign name"], [wsl(WSL2), board(ONE)], [f"--table {ONE}"]
    ),
    # which one
    "moved": Case(
        LINUX, ACM[1], ["moved"], [board(ONE)], [f"no {ACM[1]}", ACM[0], f"--table {ONE}"]
    ),
    "moved while held": Case(
        LINUX,
        "/dev/ttyACM0",
        ["moved"],
        [lambda c: c.plug(ACM[1]), runs("/usr/bin/python3.11 /usr/bin/thonny", GONE)],
        ["Quit thonny (process 4242)"],
    ),
    "moved on Windows": Case(WINDOWS, "COM3", ["moved"], [board(ONE)], ["COM7"]),
    "by id, another": Case(
        LINUX,
        f"/dev/serial/by-id/usb-{SERIAL[TWO]}-if00",
        ["other table"],
        [board(ONE)],
        ["Plug in the one"],
    ),
    "several": Case(
        LINUX,
        "auto",
        ["several"],
        [board(ONE, TWO)],
        ["2 boards", f"--table {ONE}", f"--table {TWO}"],
    ),
    "one of several": Case(LINUX, "auto", [], [board(ONE, TWO)], table=TWO[:4]),
    "another table": Case(LINUX, "auto", ["other table"], [board(ONE)], [ONE, TWO], table=TWO),
    "another, and BOOTSEL": Case(
        LINUX, "auto", ["other table", "bootsel"], [board(ONE), usb(BOOT)], table=TWO
    ),
    "another table at the port": Case(
        LINUX,
        ACM[0],
        ["other table"],
        [board(ONE, TWO)],
        [f"At {ACM[0]} is the table {ONE}, not the table {TWO[:6]}.", f"--table {TWO}"],
        table=TWO[:6],
    ),
    "another device at the port": Case(
        LINUX, ACM[3], ["other device"], [board(ONE), other(FTDI)], ["not look"], table=TWO
    ),
    "moved, or in BOOTSEL": Case(LINUX, ACM[1], ["moved", "bootsel"], [board(ONE), usb(BOOT)]),
    "a probe": Case(LINUX, ACM[3], ["probe"], [other(PROBE)], ["not the table"]),
    "a probe for the table": Case(
        LINUX, ACM[3], ["probe"], [other(PROBE), board(ONE)], [f"--table {ONE}"]
    ),
    "only a probe": Case(LINUX, "auto", ["probe"], [other(PROBE)], ["only board", ACM[3]]),
    "a probe beside a table": Case(LINUX, "auto", [], [other(PROBE), board(ONE)]),
    "no Pico": Case(LINUX, ACM[3], ["other device"], [other(FTDI)], ["0403:6001"]),
    "a C program": Case(LINUX, ACM[3], ["other program"], [other(SDK)], ["Pico SDK"]),
    # permission
    "not a member": Case(
        LINUX,
        "auto",
        ["permission"],
        [board(ONE), denied()],
        ["sudo usermod -a -G dialout $USER", "udevadm control"],
    ),
    "not a member, far away": Case(
        LINUX,
        "auto",
        ["permission"],
        [board(ONE), denied("bob"), remote],
        ["usermod -a -G dialout"],
    ),
    "a member since": Case(
        LINUX,
        ACM[0],
        ["permission"],
        [board(ONE), denied("bob,alice")],
        ["Log out", "newgrp dialout"],
    ),
    "by the name by id": Case(
        LINUX,
        f"/dev/serial/by-id/usb-{SERIAL[ONE]}-if00",
        ["permission"],
        [board(ONE), denied("alice")],
        ["Log out"],
    ),
    "uucp": Case(LINUX, "auto", ["permission"], [board(ONE), denied("", "uucp")], ["-G uucp"]),
    "only root": Case(
        LINUX,
        "auto",
        ["permission"],
        [board(ONE), denied("", "root")],
        ["Let whoever sits", "sudo tee"],
    ),
    "only root, no udev": Case(
        LINUX,
        "auto",
        ["permission"],
        [board(ONE), denied("", "root"), no_udev],
        [f"sudo chmod a+rw {ACM[0]}"],
    ),
    "rule there, not replugged": Case(
        LINUX,
        "auto",
        ["permission"],
        [board(ONE), denied("", "root"), rule(udev.RULE)],
        ["A rule for udev lets you"],
    ),
    "a member, and yet": Case(
        LINUX,
        "auto",
        ["permission"],
        [board(ONE), denied("alice"), in_effect],
        ["Let whoever sits"],
    ),
    "another maker's board": Case(
        LINUX,
        ACM[0],
        ["permission"],
        [lambda c: c.plug(ACM[0], (0x239A, 0x80F4)), denied(), in_effect],
        ["sudo chmod a+rw"],
    ),
    "permission and ModemManager": Case(
        LINUX,
        "auto",
        ["permission", "ModemManager"],
        [board(ONE), denied(), modem_manager()],
        ["usermod"],
    ),
    # in use
    "held": Case(
        LINUX,
        "auto",
        ["held"],
        [board(ONE), runs("python3 /home/alice/.venv/bin/chronotable play --port x", ACM[0])],
        ["chronotable play (process 4242)"],
        in_use=True,
    ),
    "held by nobody visible": Case(
        LINUX, "auto", ["held"], [board(ONE)], [f"sudo fuser -v {ACM[0]}"], in_use=True
    ),
    "held by ModemManager, surely": Case(
        LINUX,
        "auto",
        ["ModemManager"],
        [board(ONE), modem_manager()],
        ["Wait half a minute"],
        in_use=True,
    ),
    "in use on Windows": Case(WINDOWS, "COM7", [], [board(ONE)], in_use=True),
    "held by ourselves": Case(
        LINUX, "auto", [], [board(ONE), lambda c: c.run(999, "chronotable doctor", ACM[0])]
    ),
    "another port is held": Case(LINUX, ACM[0], [], [board(ONE, TWO), runs("minicom", ACM[1])]),
    # ModemManager
    "ModemManager": Case(
        LINUX, "auto", ["ModemManager"], [board(ONE), modem_manager()], ["sudo tee"]
    ),
    "ModemManager, strict": Case(
        LINUX, "auto", [], [board(ONE), modem_manager("--filter-policy=STRICT")]
    ),
    "ModemManager, told": Case(LINUX, "auto", [], [board(ONE), modem_manager(), rule(IGNORED)]),
    "ModemManager, told by the port": Case(
        LINUX,
        "auto",
        [],
        [board(ONE), modem_manager(), notes("I:1\nE:ID_MM_DEVICE_IGNORE=1\nG:uaccess\n")],
    ),
    "ModemManager, told by the device": Case(
        LINUX,
        "auto",
        [],
        [board(ONE), modem_manager(), notes("E:ID_MM_DEVICE_IGNORE=1\n", "c189:1")],
    ),
    "ModemManager, told since": Case(
        LINUX,
        "auto",
        ["ModemManager"],
        [board(ONE), modem_manager(), rule(IGNORED), notes("E:ID_SERIAL=x\n")],
        ["A rule for udev stops it: pull"],
    ),
    "ModemManager and nothing": Case(LINUX, "auto", ["nothing"], [modem_manager()]),
}


@pytest.mark.parametrize("name", CASES)
def test_a_situation_and_its_advice(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    computer = Computer(tmp_path, case.platform)
    for prepare in case.troubles:
        prepare(computer)
    report = computer.examine(case.port, case.table, case.in_use)
    assert causes(report) == case.causes, said(report)
    first = "\n".join([report.advice[0].problem, *report.advice[0].remedies] if case.causes else [])
    for word in case.words:
        assert word in first
    check_style(report)


def check_style(report: Report) -> None:
    """Sentences are sentences, commands are not; everything goes through JSON."""
    for advice in report.advice:
        assert advice.problem.endswith(".") and "\n" not in advice.problem
        assert advice.remedies
        for remedy in advice.remedies:
            assert "\n" not in remedy
            if remedy[0].isupper():
                assert remedy.endswith((".", ":"))
            else:
                assert not remedy.endswith(".") and f"      {remedy}" in lines(report)
        assert not advice.remedies[-1].endswith(":"), "nothing follows it"
    told = json.loads(json.dumps(as_json(report)))
    assert [each["cause"] for each in told["advice"]] == causes(report)
    assert set(told) == set(Report._fields)


def test_every_cause_has_a_case() -> None:
    met = {cause for case in CASES.values() for cause in case.causes}
    assert met >= set(CAUSES) - {"absent"}
    assert met - set(CAUSES) == {"nothing", "driver", "bootsel", "wsl"}


def test_this_computer_is_looked_at() -> None:
    for port in ("auto", "COM3", "/dev/ttyACM0", "/dev/null", "", "loop://"):
        check_style(examine(port))
    with pytest.raises(UserError, match="is no id of a table"):
        examine("auto", "table one")


_WATCHED = """
import sys
opened = []
sys.addaudithook(lambda event, args: event == "open" and opened.append(str(args[0])))
from chronotable_host.ports.report import examine
opened.clear()
for port in ["auto", *sys.argv[1:]]:
    examine(port)
print(*opened, sep="\\n")
"""


def test_no_device_is_opened(tmp_path: Path) -> None:
    """What is written to a board, or only that it is opened, may be a command to it."""
    file = tmp_path / "ttyACM0"
    file.touch()
    run = [sys.executable, "-c", _WATCHED, str(file), "/dev/ttyS0", "/dev/ttyACM0"]
    opened = subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()
    assert not [name for name in opened if name.startswith("/dev/") or name == str(file)]
    if sys.platform == LINUX:
        assert "/proc/mounts" in opened, "what is opened is seen"


def test_nothing_is_imported_that_only_some_systems_have() -> None:
    folder = Path(ports.__file__).parent
    words = {line.split()[1] for file in folder.glob("*.py") for line in imports(file)}
    assert not words & {"fcntl", "grp", "pwd", "termios", "winreg"}
    assert "os" in words


def imports(file: Path) -> list[str]:
    text = file.read_text("utf-8").splitlines()
    return [line for line in text if line.strip().startswith(("import ", "from "))]


# ---------------------------------------------------------------- what is printed


def test_far_away_no_rule_is_offered(linux: Computer) -> None:
    linux.plug(ACM[0])
    linux.deny(ACM[0])
    (advice,) = linux.examine().advice
    assert advice.files == {udev.RULE_PATH: udev.RULE}
    remote(linux)
    (advice,) = linux.examine().advice
    assert not advice.files and not any("udev" in remedy for remedy in advice.remedies)


def test_the_rule_is_printed_once(linux: Computer) -> None:
    linux.plug(ACM[0])
    linux.deny(ACM[0])
    modem_manager()(linux)
    assert said(linux.examine()).count(udev.INSTALL[0]) == 1


def test_the_rule_is_printed_where_permission_needs_none(linux: Computer) -> None:
    linux.plug(ACM[0])
    linux.deny(ACM[0], "alice")
    modem_manager()(linux)
    login, modem = linux.examine().advice
    assert not login.files and modem.files and udev.INSTALL[0] in modem.remedies


def test_the_ports_are_listed(linux: Computer) -> None:
    linux.plug(ACM[0])
    linux.plug(ACM[1], PROBE, TWO)
    linux.run(77, "/opt/thonny/bin/thonny\x1b[2J", ACM[0])
    linux.denied.add(ACM[1])
    *_, title, table, probe = lines(linux.examine())
    assert title == "Serial ports of this computer:"
    by_id = f"/dev/serial/by-id/usb-{SERIAL[ONE]}-if00"
    assert table == (
        f"  {ACM[0]} (Board in FS mode 2e8a:0005), id {ONE}, {by_id}, open in thonny?[2J "
        "(process 77)"
    )
    assert f"{ACM[1]} (something 2e8a:000c), a debug probe" in probe and "not for you" in probe


def test_a_board_without_an_id_is_named_by_its_port(linux: Computer) -> None:
    linux.plug(ACM[0])
    linux.plug(ACM[1], MICROPYTHON, TWO)
    linux.infos[1].serial_number = None
    report = linux.examine()
    by_id = f"/dev/serial/by-id/usb-{SERIAL[TWO]}-if00"
    assert report.advice[0].remedies[1:] == [f"--table {ONE}", f"--port {by_id}"]


# ---------------------------------------------------------------- udev


def test_the_command_writes_the_rule(tmp_path: Path) -> None:
    """In a shell whose sudo does nothing but run, and whose tee writes elsewhere."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name, text in (("sudo", 'exec "$@"'), ("tee", f'echo "$1" >{tmp_path}/to; exec cat')):
        (tools / name).write_text(f"#!/bin/sh\n{text}\n")
        (tools / name).chmod(0o755)
    environ = {"PATH": f"{tools}:{os.defpath}"}
    done = subprocess.run(
        ["sh", "-c", udev.INSTALL[0]], env=environ, capture_output=True, text=True, check=True
    )
    assert done.stdout == udev.RULE
    assert (tmp_path / "to").read_text().strip() == udev.RULE_PATH


def test_the_rule_comes_before_the_seats() -> None:
    name = udev.RULE_PATH.rpartition("/")[2]
    assert "50-udev-default.rules" < name < "73-seat-late.rules"
    assert "'" not in udev.RULE, "it stands between them in a shell"


def test_our_rule_is_understood(linux: Computer) -> None:
    linux.write(udev.RULE_PATH, udev.RULE)
    system = linux.system()
    for action in (udev.IGNORE, udev.UACCESS):
        assert udev.has_rule(system, action, "2e8a:0005")
        assert not udev.has_rule(system, action, "2e8a:0003")
        assert not udev.has_rule(system, action, "0403:6001")


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (IGNORED, True),
        ("# " + IGNORED, False),
        (IGNORED.replace("2e8a", "2E8A"), False),  # /sys has small letters, and udev compares
        (IGNORED.replace("2e8a", "1d50|2e8a"), True),
        (IGNORED.replace("2e8a", "2e*"), True),
        (IGNORED.replace('"1"', '"0"'), False),
        (IGNORED.replace(", ", ', ATTRS{idProduct}=="0004", '), False),
        (IGNORED.replace(", ", ', ATTRS{idProduct}=="000?", '), True),
        (IGNORED.replace(", ", ", \\\n  "), True),
        ('ENV{ID_VENDOR_ID}=="2e8a", ENV{ID_MM_DEVICE_IGNORE}="1"', True),
        ('ATTRS{idVendor}!="2e8a", GOTO="end"\nENV{ID_MM_DEVICE_IGNORE}="1"\n', True),
        ('ATTRS{idVendor}!="1d50", GOTO="end"\nENV{ID_MM_DEVICE_IGNORE}="1"\n', False),
        ('ATTRS{idVendor}=="2e8a", TAG+="x"\nENV{ID_MM_DEVICE_IGNORE}="1"\n', False),
        ("", False),
    ],
)
def test_rules_that_others_wrote(text: str, counts: bool, linux: Computer) -> None:
    linux.write(f"{RULES}/77-x.rules", text)
    linux.write(f"{RULES}/README", IGNORED)
    assert udev.has_rule(linux.system(), udev.IGNORE, "2e8a:0005") == counts


def test_a_rule_in_etc_hides_one_of_its_name(linux: Computer) -> None:
    linux.write(f"{RULES}/77-x.rules", IGNORED)
    linux.write("/etc/udev/rules.d/77-x.rules")
    assert not udev.has_rule(linux.system(), udev.IGNORE, "2e8a:0005")


# ---------------------------------------------------------------- processes and groups


def test_a_lock_tells_who_has_a_port_open(linux: Computer) -> None:
    linux.plug(ACM[0])
    linux.run(5151, "picocom")
    info = (linux.root / ACM[0].lstrip("/")).stat()
    place = f"{os.major(info.st_dev):02x}:{os.minor(info.st_dev):02x}"
    rows = [
        f"1: FLOCK  ADVISORY  WRITE 5151 {place}:{info.st_ino} 0 EOF",
        f"2: FLOCK  ADVISORY  WRITE 5152 {place}:{info.st_ino + 1} 0 EOF",
        f"3: POSIX  ADVISORY  READ  5153 {place}:{info.st_ino} 0 EOF",
        f"4: FLOCK  ADVISORY  WRITE 0 {place}:{info.st_ino} 0 EOF",
    ]
    linux.write("/proc/locks", "\n".join(rows) + "\n")
    held = processes.holders(linux.system(), ACM[0])
    assert [str(each) for each in held] == ["picocom (process 5151)"]


def test_a_real_open_file_is_found(tmp_path: Path) -> None:
    file = tmp_path / "port"
    with file.open("w"):
        system = System(platform=LINUX, pid=0)
        if not system.listing(f"/proc/{os.getpid()}/fd"):
            pytest.skip("no /proc")
        held = processes.holders(system, str(file.resolve()))
    assert [each.pid for each in held] == [os.getpid()]


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("/usr/bin/python3.11 -m mpremote", "-m mpremote"),
        ("/usr/bin/python3 /usr/bin/mpremote connect auto", "mpremote connect"),
        ("/usr/sbin/ModemManager", "ModemManager"),
        ("python3", "python3"),
    ],
)
def test_the_name_of_a_program(command: str, name: str, linux: Computer) -> None:
    linux.run(31, command, ACM[0])
    (process,) = processes.holders(linux.system(), ACM[0])
    assert process.name == name


def test_a_group_without_a_name_and_without_rights(linux: Computer) -> None:
    linux.plug(ACM[0])
    owner = groups.owner(linux.system(), ACM[0])
    assert owner == groups.Owner(str(linux.gid), True, False, False)
    linux.groups.add(linux.gid)
    (linux.root / ACM[0].lstrip("/")).chmod(0o600)
    owner = groups.owner(linux.system(), ACM[0])
    assert owner is not None and owner.in_effect and not owner.helps
    assert groups.owner(linux.system(), ACM[1]) is None


@pytest.mark.parametrize("platform", [MAC, WINDOWS])
def test_other_systems_have_no_proc(platform: str, tmp_path: Path) -> None:
    computer = Computer(tmp_path, platform)
    computer.run(31, "thonny", "COM7")
    assert not processes.holders(computer.system(), "COM7")
