"""Who has a port open on Linux, as far as /proc says it to everybody."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from chronotable_host.errors import printable
from chronotable_host.hardware.ports.system import LINUX, System
from chronotable_host.language import tr

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


def holders(system: System, device: str) -> list[Process]:
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


def find(system: System, name: str) -> Process | None:
    """Return the program with a name as in /proc/PID/comm, where it runs."""
    for pid in _pids(system):
        if system.read(f"/proc/{pid}/comm").strip() == name:
            return Process(pid, name)
    return None


def arguments(system: System, pid: int) -> list[str]:
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
    words = [os.path.basename(word) for word in arguments(system, pid)]
    if len(words) > 1 and _INTERPRETER.fullmatch(words[0]):
        words = words[1:]
    name = " ".join(words[:_MOST_WORDS]) or system.read(f"/proc/{pid}/comm").strip()
    return Process(pid, printable(name) or tr("a program"))
