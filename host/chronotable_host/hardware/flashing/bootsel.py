"""A Pico in BOOTSEL mode: a drive that takes a UF2 file, which MicroPython is brought by."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from chronotable.hardware import rp2040
from chronotable_host.errors import UserError, printable, why_failed
from chronotable_host.hardware.firmware.chips import CHIPS
from chronotable_host.hardware.firmware.uf2 import GET_IMAGE, Image, micropython
from chronotable_host.hardware.flashing.pico_state import LEAST_MICROPYTHON
from chronotable_host.hardware.flashing.running_firmware import Whereabouts
from chronotable_host.hardware.ports.system import INFO, LINUX, System, bootsel_drives
from chronotable_host.language import tr
from chronotable_host.live.line.connection import OpenPort
from chronotable_host.live.line.port import PortError, open_port

_BOARD_ID = "Board-ID:"
_RETRY_S = 0.5
_GOES_S = 10.0
"""How long a drive may stay visible after its Pico has restarted: the system removes it."""

_MEDIA = Path("/sys/dev/block")
"""What Linux has of every disk that is plugged in, by the number of its device."""


def read_image(path: Path) -> Image:
    """Return a MicroPython that a table can run on; raises ImageError and UserError."""
    image = micropython(path)
    if image.version < LEAST_MICROPYTHON:
        needed = ".".join(map(str, LEAST_MICROPYTHON))
        raise UserError(
            tr(
                "{path} is MicroPython {version}, and {needed} or newer is needed. {get_image}",
                path=path,
                version=".".join(map(str, image.version)),
                needed=needed,
                get_image=GET_IMAGE,
            )
        )
    return image


def check_drive(drive: Path) -> str:
    """Return the chip of a Pico in BOOTSEL mode; raises UserError where a folder is none."""
    try:
        text = (drive / INFO).read_text("ascii", errors="replace")
    except OSError as error:
        raise UserError(
            tr(
                "{drive} is no Pico in BOOTSEL mode, it has no {info}: hold BOOTSEL while you "
                "plug the Pico in",
                drive=drive,
                info=INFO,
            )
        ) from error
    lines = (line.partition(_BOARD_ID) for line in text.splitlines())
    ids = [told.strip() for before, mark, told in lines if mark and not before]
    chip = next((name for name in CHIPS if ids[:1] == [CHIPS[name].DRIVE]), None)
    if chip is None:
        what = printable(ids[0]) if ids else tr("something that does not say what it is")
        raise UserError(
            tr(
                "{drive} is {what}, and the table needs a Raspberry Pi Pico with an RP2040 "
                "({pico})",
                drive=drive,
                what=what,
                pico=rp2040.DRIVE,
            )
        )
    return chip


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
            tr(
                "there are {count} boards in BOOTSEL mode, name one with --bootsel: {listed}",
                count=len(drives),
                listed=listed,
            )
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
                tr(
                    "the Pico's drive did not appear: open it in the file manager, or name its "
                    "folder with --bootsel FOLDER, and run `chronotable flash` again"
                )
            )
        sleep(_RETRY_S)


def copy_image(
    image: Image,
    drive: Path,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Copy a MicroPython to a Pico, which restarts with it; raises UserError.

    It restarts with the last block, so that what a system does at the end of a copy may fail for
    want of a drive although all has arrived. The drive that stays is the one that did not take it;
    of one that goes, the port that comes is the proof.
    """
    medium = None
    is_begun = False
    try:
        medium = _medium(drive)
        with open(drive / image.path.name, "wb") as file:
            is_begun = True
            file.write(image.content)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        if not (is_begun and _goes(drive, medium, clock, sleep)):
            raise UserError(
                tr(
                    "{name} could not be copied to {drive}: {why}",
                    name=image.path.name,
                    drive=drive,
                    why=why_failed(error),
                )
            ) from error


def wait_for_port(
    where: Whereabouts,
    patience_s: float,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    opens: Callable[[str], OpenPort] = open_port,
) -> str:
    """Return the port of a Pico that restarts; raises PortError when none comes."""
    end_s = clock() + patience_s
    while True:
        try:
            name = where.next()
            opens(name).close()
            return name
        except PortError:
            if clock() >= end_s:
                raise
        sleep(_RETRY_S)


def _medium(drive: Path) -> Path | None:
    """Return what is there as long as a drive is plugged in, None where there is no such thing.

    A folder that somebody mounted by hand stays when the Pico is gone, and shows what was read.
    Raises OSError.
    """
    if sys.platform != LINUX:
        return None
    number = drive.stat().st_dev
    entry = _MEDIA / f"{os.major(number)}:{os.minor(number)}"
    return entry if entry.exists() else None


def _goes(
    drive: Path, medium: Path | None, clock: Callable[[], float], sleep: Callable[[float], None]
) -> bool:
    """Tell whether a drive is gone, or goes as one does whose Pico has restarted."""
    end_s = clock() + _GOES_S
    # os.path: a drive that is just being taken away is an error for pathlib
    while os.path.exists(drive / INFO) and (medium is None or os.path.exists(medium)):
        if clock() >= end_s:
            return False
        sleep(_RETRY_S)
    return True
