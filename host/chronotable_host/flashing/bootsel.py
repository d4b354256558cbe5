"""A Pico in BOOTSEL mode: a drive that takes a UF2 file, which MicroPython is brought by."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from chronotable_host.errors import UserError, printable
from chronotable_host.flashing.found import LEAST_MICROPYTHON
from chronotable_host.live.player import OpenPort
from chronotable_host.live.port import PortError, open_port
from chronotable_host.live.search import Search
from chronotable_host.ports.drives import INFO, bootsel_drives
from chronotable_host.ports.system import System
from chronotable_host.uf2 import GET_IMAGE, Image, micropython

_PICO = "RPI-RP2"
_BOARD_ID = "Board-ID:"
_RETRY_S = 0.5


def read_image(path: Path) -> Image:
    """Return a MicroPython that a table can run on; raises ImageError and UserError."""
    image = micropython(path)
    if image.version < LEAST_MICROPYTHON:
        needed = ".".join(map(str, LEAST_MICROPYTHON))
        raise UserError(
            f"{path} is MicroPython {_text(image.version)}, and {needed} or newer is needed. "
            f"{GET_IMAGE}"
        )
    return image


def check_drive(drive: Path) -> None:
    """Raise UserError where a folder is no Pico in BOOTSEL mode."""
    try:
        text = (drive / INFO).read_text("ascii", errors="replace")
    except OSError as error:
        raise UserError(
            f"{drive} is no Pico in BOOTSEL mode, it has no {INFO}: hold BOOTSEL while you plug "
            "the Pico in"
        ) from error
    ids = [line[len(_BOARD_ID) :].strip() for line in text.splitlines() if _is_id(line)]
    if ids[:1] != [_PICO]:
        what = printable(ids[0]) if ids else "something that does not say what it is"
        raise UserError(
            f"{drive} is {what}, and the table needs a Raspberry Pi Pico with an RP2040 ({_PICO})"
        )


def find_drive(folder: Path | None) -> Path | None:
    """Return the drive of the Pico in BOOTSEL mode, None where there is none.

    `folder` is the one that the user named. Raises UserError for one that will not do, and where
    there are several.
    """
    if folder is not None:
        check_drive(folder)
        return folder
    drives = bootsel_drives(System())
    if len(drives) > 1:
        listed = ", ".join(map(str, drives))
        raise UserError(
            f"there are {len(drives)} boards in BOOTSEL mode, name one with --bootsel: {listed}"
        )
    for drive in drives:
        check_drive(drive)
        return drive
    return None


def wait_for_drive(
    folder: Path | None,
    patience_s: float,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Path:
    """Return the drive as soon as it is there; raises UserError when it does not come."""
    end_s = clock() + patience_s
    while True:
        if folder is None or (folder / INFO).exists():
            drive = find_drive(folder)
            if drive is not None:
                return drive
        if clock() >= end_s:
            raise UserError(
                "the Pico's drive did not appear: open it in the file manager, or name its folder "
                "with --bootsel FOLDER, and run `chronotable flash` again"
            )
        sleep(_RETRY_S)


def copy_image(image: Image, drive: Path) -> None:
    """Copy a MicroPython to a Pico, which restarts with it; raises UserError."""
    try:
        with open(drive / image.path.name, "wb") as file:
            file.write(image.content)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        if (drive / INFO).exists():  # else the Pico has all of it, and has restarted
            raise UserError(
                f"{image.path.name} could not be copied to {drive}: {error.strerror or error}"
            ) from error


def wait_for_port(
    search: Search,
    patience_s: float,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    opens: Callable[[str], OpenPort] = open_port,
) -> str:
    """Return the port of a Pico that restarts; raises PortError when none comes."""
    end_s = clock() + patience_s
    while True:
        try:
            name = search.next()
            opens(name).close()
            return name
        except PortError:
            if clock() >= end_s:
                raise
        sleep(_RETRY_S)


def _is_id(line: str) -> bool:
    return line.startswith(_BOARD_ID)


def _text(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))
