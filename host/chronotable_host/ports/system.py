"""The computer as the advice about ports sees it: one object, so that a test can fake it."""

from __future__ import annotations

import getpass
import os
import string
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from serial.tools import list_ports  # type: ignore[import-untyped]

from chronotable_host.live.port_search import PortCandidate, find_ports

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


def _may_open(path: Path) -> bool:
    """Tell whether this process may read and write a device, access lists included."""
    return os.access(path, os.R_OK | os.W_OK)


def _letters() -> list[Path]:
    """Return the roots of the drives that Windows may have."""
    return [Path(f"{letter}:/") for letter in string.ascii_uppercase[2:]]


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
    comports: Callable[[], Iterable[Any]] = list_ports.comports
    """Returns all serial ports, as pyserial describes them."""
    find: Callable[[], list[PortCandidate]] = find_ports
    """Returns those that may be a table's."""
    may_open: Callable[[Path], bool] = _may_open
    letters: Callable[[], list[Path]] = _letters

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
