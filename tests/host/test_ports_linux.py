"""What the doctor reads of a Linux computer: udev's rules, processes, groups."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from chronotable_host.ports import causes, processes, udev
from chronotable_host.ports.system import LINUX, MAC, WINDOWS, System
from tests.host.computers import IGNORED, RULES, Computer
from tests.host.usb import ACM


@pytest.fixture
def linux(tmp_path: Path) -> Computer:
    return Computer(tmp_path, LINUX)


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
    info = linux.local(ACM[0]).stat()
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


@pytest.mark.skipif(sys.platform != LINUX, reason="only Linux tells who has a file open")
def test_a_real_open_file_is_found(tmp_path: Path) -> None:
    file = tmp_path / "port"
    with file.open("w"):
        held = processes.holders(System(platform=LINUX, pid=0), str(file.resolve()))
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
    owner = causes.owner_of(linux.system(), ACM[0])
    assert owner == causes.Owner(str(linux.gid), True, False, False)
    linux.groups.add(linux.gid)
    linux.local(ACM[0]).chmod(0o600)
    owner = causes.owner_of(linux.system(), ACM[0])
    assert owner is not None and owner.in_effect and not owner.helps
    assert causes.owner_of(linux.system(), ACM[1]) is None


@pytest.mark.parametrize("platform", [MAC, WINDOWS])
def test_other_systems_have_no_proc(platform: str, tmp_path: Path) -> None:
    computer = Computer(tmp_path, platform)
    computer.run(31, "thonny", "COM7")
    assert not processes.holders(computer.system(), "COM7")
