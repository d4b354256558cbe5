"""Picos in BOOTSEL mode, as the drives that they show."""

from __future__ import annotations

from pathlib import Path

from chronotable_host.firmware.chips import CHIPS
from chronotable_host.ports.system import MAC, WINDOWS, System

INFO = "INFO_UF2.TXT"
"""The file by which a boot loader that takes UF2 files says what it is."""

_FILE_SYSTEM = "vfat"


def bootsel_drives(system: System) -> list[Path]:
    """Return the mounted drives of Picos in BOOTSEL mode."""
    return [drive for drive in _mounted(system) if _is_pico(drive)]


def _mounted(system: System) -> list[Path]:
    """Return the drives that may be one."""
    if system.platform == WINDOWS:
        return system.letters()
    if system.platform == MAC:
        return [system.path(f"/Volumes/{name}") for name in system.listing("/Volumes")]
    rows = [line.split() for line in system.read("/proc/mounts").splitlines()]
    # /proc/mounts writes what it cannot print as octal: a space is \040
    return [
        system.path(row[1].replace(r"\040", " "))
        for row in rows
        if len(row) > 2 and row[2] == _FILE_SYSTEM
    ]


def _is_pico(drive: Path) -> bool:
    try:
        text = (drive / INFO).read_text("ascii", errors="replace")
    except OSError:
        return False
    return any(chip.DRIVE in text for chip in CHIPS.values())
