"""What the doctor says when a table's port cannot be found or opened: on faked computers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from chronotable_host.errors import UserError
from chronotable_host.hardware import ports
from chronotable_host.hardware.ports import causes as port_causes
from chronotable_host.hardware.ports import udev
from chronotable_host.hardware.ports.facts import holders_of
from chronotable_host.hardware.ports.report import CAUSES, Report, as_json, examine, lines
from chronotable_host.hardware.ports.system import LINUX, MAC, WINDOWS, System
from tests import lanes
from tests.host.computers import (
    BOOT,
    BY_ID,
    FTDI,
    IGNORED,
    PROBE,
    RULES,
    SDK,
    Computer,
    Prepare,
    board,
    container,
    denied,
    in_effect,
    letter,
    modem_manager,
    mount,
    mounts,
    mute,
    no_udev,
    notes,
    other,
    remote,
    rule,
    runs,
    usb,
    wsl,
)
from tests.host.usb import ACM, ONE, TWO


def causes(report: Report) -> list[str]:
    return [advice.cause for advice in report.advice]


def said(report: Report) -> str:
    return "\n".join(lines(report))


# ---- the table of cases

WSL2 = "5.15.167.4-microsoft-standard-WSL2"
WSL1 = "4.4.0-19041-Microsoft"
GONE = f"{ACM[0]} (deleted)"


Case = tuple[list[str], list[Prepare], tuple[str, ...], str, str, str, bool]


def case(
    causes: str,
    troubles: list[Prepare],
    *words: str,
    on: str = LINUX,
    port: str = "auto",
    table: str = "",
    in_use: bool = False,
) -> Case:
    """A computer with troubles; the causes of all advice in order, and some words of the first."""
    return [*filter(None, causes.split(", "))], troubles, words, on, port, table, in_use


CASES = {
    # nothing is wrong
    "all is well": case("", [board(ONE)]),
    "all is well on a Mac": case("", [board(ONE)], on=MAC, port="/dev/cu.usbmodem1101"),
    "all is well on Windows": case("", [board(ONE)], on=WINDOWS, port="com7"),
    "a URL": case("", [], port="socket://127.0.0.1:7000"),
    "a pty": case("", [lambda c: c.write("/dev/pts/7")], port="/dev/pts/7"),
    # nothing is there
    "nothing": case("nothing", [], "only charge", "hub", "lsusb"),
    "nothing named": case("nothing", [], "BOOTSEL", port=ACM[0]),
    "nothing on a Mac": case("nothing", [], "accessory", on=MAC),
    "nothing on Windows": case("nothing", [], "Device Manager", on=WINDOWS, port="COM3"),
    "nothing on an unknown system": case("nothing", [], "cable", on="freebsd14"),
    "other things on USB": case("nothing", [usb(FTDI, (0x2E8A, 0x0030))]),
    "no driver": case("driver", [mute()], "sudo modprobe cdc_acm"),
    "no node": case("driver", [mute("ttyACM0")], ACM[0], "Pull the table"),
    "container": case("driver", [mute("ttyACM0"), container], "--device=/dev/ttyACM0"),
    # BOOTSEL
    "BOOTSEL": case("bootsel", [usb(BOOT)], "USB 2-1", "flash"),
    "BOOTSEL of a Pico 2": case("bootsel", [usb((0x2E8A, 0x000F))], port=ACM[0]),
    "BOOTSEL, mounted": case(
        "bootsel",
        [
            usb(BOOT),
            mount("/media/alice/RPI RP2"),
            mounts("proc /proc proc rw 0 0\n/dev/sdb1 /media/alice/RPI\\040RP2 vfat rw 0 0\n"),
        ],
        "alice/RPI RP2)",
    ),
    "BOOTSEL on a Mac": case(
        "bootsel",
        [mount("/Volumes/RPI-RP2"), mount("/Volumes/Photos", "SAMD51")],
        "Volumes/RPI-RP2)",
        on=MAC,
    ),
    "BOOTSEL on Windows": case(
        "bootsel", [mount("D"), letter("C"), letter("D")], "D)", on=WINDOWS, port="COM3"
    ),
    "another boot loader": case("nothing", [mount("D", "SAMD51"), letter("D")], on=WINDOWS),
    "BOOTSEL beside a table": case("", [board(ONE), usb(BOOT)]),
    # names
    "Windows on Linux": case(
        "foreign name",
        [board(ONE)],
        "COM3 is a name of Windows",
        f"--table {ONE}",
        port=r"\\.\COM3",
    ),
    "Windows on a Mac": case("foreign name", [board(ONE)], "the Mac", on=MAC, port="COM3"),
    "Mac on Linux": case(
        "foreign name, nothing",
        [],
        "a name of the Mac",
        "Leave --port out",
        port="/dev/tty.usbmodem1101",
    ),
    "Mac on Windows": case(
        "foreign name",
        [board(ONE)],
        "COM3 or the like",
        f"--table {ONE}",
        on=WINDOWS,
        port="/dev/cu.usbmodem1101",
    ),
    "Linux on Windows": case(
        "foreign name, nothing", [], "a name of Linux", on=WINDOWS, port="/dev/ttyACM0"
    ),
    "Linux on a Mac": case(
        "foreign name",
        [board(ONE)],
        "/dev/cu.usbmodem1101 or the like",
        on=MAC,
        port="/dev/serial/by-id/x",
    ),
    "dial-in on a Mac": case(
        "moved",
        [board(ONE)],
        "/dev/cu.usbmodem1101",
        f"--table {ONE}",
        on=MAC,
        port="/dev/tty.usbmodem1101",
    ),
    "without the folder": case("moved", [board(ONE)], f"--table {ONE}", port="ttyACM0"),
    # WSL
    "WSL": case("wsl", [wsl(WSL2)], "usbipd attach --wsl", "COM3", port="COM3"),
    "WSL 1": case("wsl", [wsl(WSL1)], "WSL 1 can have no USB"),
    "WSL that has it": case("", [wsl(WSL2), board(ONE)]),
    "WSL without driver": case("driver", [wsl(WSL2), mute()], "modprobe"),
    "COM3 in WSL that has it": case(
        "foreign name", [wsl(WSL2), board(ONE)], f"--table {ONE}", port="COM3"
    ),
    # which one
    "moved": case("moved", [board(ONE)], f"no {ACM[1]}", ACM[0], f"--table {ONE}", port=ACM[1]),
    "moved while held": case(
        "moved",
        [lambda c: c.plug(ACM[1]), runs("/usr/bin/python3.11 /usr/bin/thonny", GONE)],
        "Quit thonny (process 4242)",
        port="/dev/ttyACM0",
    ),
    "moved on Windows": case("moved", [board(ONE)], "COM7", on=WINDOWS, port="COM3"),
    "by id, another": case("other table", [board(ONE)], "Plug in the one", port=BY_ID[TWO]),
    "several": case("several", [board(ONE, TWO)], "2 boards", f"--table {ONE}", f"--table {TWO}"),
    "one of several": case("", [board(ONE, TWO)], table=TWO[:4]),
    "another table": case("other table", [board(ONE)], ONE, TWO, table=TWO),
    "another, and BOOTSEL": case("other table, bootsel", [board(ONE), usb(BOOT)], table=TWO),
    "another table at the port": case(
        "other table",
        [board(ONE, TWO)],
        f"At {ACM[0]} is the table {ONE}, not the table {TWO[:6]}.",
        f"--table {TWO}",
        port=ACM[0],
        table=TWO[:6],
    ),
    "another device at the port": case(
        "other device", [board(ONE), other(FTDI)], "not look", port=ACM[3], table=TWO
    ),
    "moved, or in BOOTSEL": case("moved, bootsel", [board(ONE), usb(BOOT)], port=ACM[1]),
    "a probe": case("probe", [other(PROBE)], "not the table", port=ACM[3]),
    "a probe for the table": case(
        "probe", [other(PROBE), board(ONE)], f"--table {ONE}", port=ACM[3]
    ),
    "only a probe": case("probe", [other(PROBE)], "only board", ACM[3]),
    "a probe beside a table": case("", [other(PROBE), board(ONE)]),
    "no Pico": case("other device", [other(FTDI)], "0403:6001", port=ACM[3]),
    "a C program": case("other program", [other(SDK)], "Pico SDK", port=ACM[3]),
    # permission
    "not a member": case(
        "permission", [board(ONE), denied()], "sudo usermod -a -G dialout $USER", "udevadm control"
    ),
    "not a member, far away": case(
        "permission", [board(ONE), denied("bob"), remote], "usermod -a -G dialout"
    ),
    "a member since": case(
        "permission", [board(ONE), denied("bob,alice")], "Log out", "newgrp dialout", port=ACM[0]
    ),
    "by the name by id": case(
        "permission", [board(ONE), denied("alice")], "Log out", port=BY_ID[ONE]
    ),
    "uucp": case("permission", [board(ONE), denied("", "uucp")], "-G uucp"),
    "only root": case(
        "permission", [board(ONE), denied("", "root")], "Let whoever sits", "sudo tee"
    ),
    "only root, no udev": case(
        "permission", [board(ONE), denied("", "root"), no_udev], f"sudo chmod a+rw {ACM[0]}"
    ),
    "rule there, not replugged": case(
        "permission", [board(ONE), denied("", "root"), rule(udev.RULE)], "A rule for udev lets you"
    ),
    "a member, and yet": case(
        "permission", [board(ONE), denied("alice"), in_effect], "Let whoever sits"
    ),
    "another maker's board": case(
        "permission",
        [lambda c: c.plug(ACM[0], (0x239A, 0x80F4)), denied(), in_effect],
        "sudo chmod a+rw",
        port=ACM[0],
    ),
    "permission and ModemManager": case(
        "permission, ModemManager", [board(ONE), denied(), modem_manager()], "usermod"
    ),
    # in use
    "held": case(
        "held",
        [board(ONE), runs("python3 /home/alice/.venv/bin/chronotable play --port x", ACM[0])],
        "chronotable play (process 4242)",
        in_use=True,
    ),
    "held by nobody visible": case("held", [board(ONE)], f"sudo fuser -v {ACM[0]}", in_use=True),
    "held by ModemManager, surely": case(
        "ModemManager", [board(ONE), modem_manager()], "Wait half a minute", in_use=True
    ),
    "in use on Windows": case("", [board(ONE)], on=WINDOWS, port="COM7", in_use=True),
    "held by ourselves": case("", [board(ONE), lambda c: c.run(999, "chronotable doctor", ACM[0])]),
    "another port is held": case("", [board(ONE, TWO), runs("minicom", ACM[1])], port=ACM[0]),
    # ModemManager
    "ModemManager": case("ModemManager", [board(ONE), modem_manager()], "sudo tee"),
    "ModemManager, strict": case("", [board(ONE), modem_manager("--filter-policy=STRICT")]),
    "ModemManager, told": case("", [board(ONE), modem_manager(), rule(IGNORED)]),
    "ModemManager, told by the port": case(
        "", [board(ONE), modem_manager(), notes("I:1\nE:ID_MM_DEVICE_IGNORE=1\nG:uaccess\n")]
    ),
    "ModemManager, told by the device": case(
        "", [board(ONE), modem_manager(), notes("E:ID_MM_DEVICE_IGNORE=1\n", "c189:1")]
    ),
    "ModemManager, told since": case(
        "ModemManager",
        [board(ONE), modem_manager(), rule(IGNORED), notes("E:ID_SERIAL=x\n")],
        "A rule for udev stops it: pull",
    ),
    "ModemManager and nothing": case("nothing", [modem_manager()]),
}


@pytest.mark.parametrize("name", CASES)
def test_a_situation_and_its_advice(name: str, tmp_path: Path) -> None:
    due, troubles, words, platform, port, table, in_use = CASES[name]
    report = Computer(tmp_path, platform, *troubles).examine(port, table, in_use)
    assert causes(report) == due, said(report)
    first = "\n".join([report.advice[0].problem, *report.advice[0].remedies] if due else [])
    for word in words:
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
    met = {cause for due, *_ in CASES.values() for cause in due}
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
from chronotable_host.hardware.ports.report import examine
opened.clear()
for port in ["auto", *sys.argv[1:]]:
    examine(port)
print(*opened, sep="\\n")
"""


@lanes.gate
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


# ---- what is printed


def test_far_away_no_rule_is_offered(tmp_path: Path) -> None:
    computer = Computer(tmp_path, LINUX, board(ONE), denied())
    (advice,) = computer.examine().advice
    assert advice.files == {udev.RULE_PATH: udev.RULE}
    remote(computer)
    (advice,) = computer.examine().advice
    assert not advice.files and not any("udev" in remedy for remedy in advice.remedies)


def test_the_rule_is_printed_once(tmp_path: Path) -> None:
    computer = Computer(tmp_path, LINUX, board(ONE), denied(), modem_manager())
    assert said(computer.examine()).count(udev.INSTALL[0]) == 1


def test_the_rule_is_printed_where_permission_needs_none(tmp_path: Path) -> None:
    computer = Computer(tmp_path, LINUX, board(ONE), denied("alice"), modem_manager())
    login, modem = computer.examine().advice
    assert not login.files and modem.files and udev.INSTALL[0] in modem.remedies


def test_the_ports_are_listed(tmp_path: Path) -> None:
    computer = Computer(tmp_path, LINUX, board(ONE), other(PROBE, ACM[1]))
    computer.run(77, "/opt/thonny/bin/thonny\x1b[2J", ACM[0])
    computer.denied.add(ACM[1])
    *_, title, table, probe = lines(computer.examine())
    assert title == "Serial ports of this computer:"
    assert table == (
        f"  {ACM[0]} (Board in FS mode 2e8a:0005), id {ONE}, {BY_ID[ONE]}, open in thonny?[2J "
        "(process 77)"
    )
    assert f"{ACM[1]} (something 2e8a:000c), a debug probe" in probe and "not for you" in probe


def test_a_board_without_an_id_is_named_by_its_port(tmp_path: Path) -> None:
    computer = Computer(tmp_path, LINUX, board(ONE, TWO))
    computer.infos[1].serial_number = None
    remedies = computer.examine().advice[0].remedies
    assert remedies[1:] == [f"--table {ONE}", f"--port {BY_ID[TWO]}"]


@pytest.fixture
def linux(tmp_path: Path) -> Computer:
    return Computer(tmp_path, LINUX)


# ---- udev


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


# ---- processes and groups


def test_a_lock_tells_who_has_a_port_open(linux: Computer) -> None:
    linux.plug(ACM[0])
    linux.run(5151, "picocom")
    info = linux.local(ACM[0]).stat()
    place = f"{os.major(info.st_dev):02x}:{os.minor(info.st_dev):02x}"
    rows = [
        f"1: FLOCK  ADVISORY  WRITE 5151 {place}:{info.st_ino} 0 EOF",
        f"2: FLOCK  ADVISORY  WRITE 5152 {place}:{info.st_ino + 1} 0 EOF",
        f"3: POSIX  ADVISORY  READ  5153 {place}:{info.st_ino} 0 EOF",
        f"4: FLOCK  ADVISORY  WRITE 0 {place}:{info.st_ino} 0 EOF",
    ]
    linux.write("/proc/locks", "\n".join(rows) + "\n")
    held = holders_of(linux.system(), ACM[0])
    assert [str(each) for each in held] == ["picocom (process 5151)"]


@pytest.mark.skipif(sys.platform != LINUX, reason="only Linux tells who has a file open")
def test_a_real_open_file_is_found(tmp_path: Path) -> None:
    file = tmp_path / "port"
    with file.open("w"):
        held = holders_of(System(platform=LINUX, pid=0), str(file.resolve()))
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
    (process,) = holders_of(linux.system(), ACM[0])
    assert process.name == name


def test_a_group_without_a_name_and_without_rights(linux: Computer) -> None:
    linux.plug(ACM[0])
    owner = port_causes.owner_of(linux.system(), ACM[0])
    assert owner == port_causes.Owner(str(linux.gid), True, False, False)
    linux.groups.add(linux.gid)
    linux.local(ACM[0]).chmod(0o600)
    owner = port_causes.owner_of(linux.system(), ACM[0])
    assert owner is not None and owner.in_effect and not owner.helps
    assert port_causes.owner_of(linux.system(), ACM[1]) is None


@pytest.mark.parametrize("platform", [MAC, WINDOWS])
def test_other_systems_have_no_proc(platform: str, tmp_path: Path) -> None:
    computer = Computer(tmp_path, platform)
    computer.run(31, "thonny", "COM7")
    assert not holders_of(computer.system(), "COM7")
