"""Whether a user may open a device on Linux, and what is in the way."""

from __future__ import annotations

import stat
from typing import NamedTuple

from chronotable_host.ports.system import System

_BOTH = stat.S_IRGRP | stat.S_IWGRP


class Owner(NamedTuple):
    """The group of a device, seen by a user."""

    group: str
    """Its name, or its number where it has none."""
    helps: bool
    """Whether its members may read and write the device, and people become members of it."""
    is_listed: bool
    """Whether the user is a member."""
    in_effect: bool
    """Whether this login has it; a membership counts from the next login on."""


def owner(system: System, device: str) -> Owner | None:
    """Return the group of a device, None where it cannot be looked at."""
    try:
        info = system.path(device).stat()
    except OSError:
        return None
    name, members = _group(system, info.st_gid)
    helps = stat.S_IMODE(info.st_mode) & _BOTH == _BOTH and name != "root"
    return Owner(name, helps, system.user in members, info.st_gid in system.groups)


def _group(system: System, gid: int) -> tuple[str, list[str]]:
    """Return a group's name and members."""
    for line in system.read("/etc/group").splitlines():
        parts = line.split(":")
        if len(parts) == 4 and parts[2] == str(gid):
            return parts[0], [name for name in parts[3].split(",") if name]
    return str(gid), []
