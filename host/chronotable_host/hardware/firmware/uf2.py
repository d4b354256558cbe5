"""UF2 files, which a Pico in BOOTSEL mode takes: their blocks, and what MicroPython is in them."""

import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from chronotable_host.errors import UserError, why_failed
from chronotable_host.hardware.firmware.chips import CHIPS, RP2040
from chronotable_host.language import tr

GET_IMAGE = tr(
    "Get one for RPI_PICO from https://micropython.org/download/RPI_PICO (for a Pico 2 RPI_PICO2)"
)

_BLOCK = 512
_MOST_BYTES = 64 << 20  # of an image: twice all the flash that a chip has room for
_HEAD = struct.Struct("<8I")
_MAGIC = (0x0A324655, 0x9E5D5157)
_END_MAGIC = struct.pack("<I", 0x0AB16F30)
_PAYLOAD = 476
_PAGE = 256  # of the flash, which is in one block
_SECTOR = 4096  # is erased at once
_COUNTS_AT = 20
_NOT_FLASH = 0x0001
_HAS_FAMILY = 0x2000
_FAMILY_AT = slice(28, 32)
_ABSOLUTE = struct.pack("<I", 0xE48BFF57)
"""The family of a first block for an erratum of the RP2350 (E10), which the others do not count."""

_VERSION = re.compile(rb"MicroPython v(\d{1,4})\.(\d{1,4})[!-~]{0,60} on \d{4}-\d\d-\d\d")


class ImageError(UserError):
    """A file is no image for a Pico; the text says why, and where to get one."""


class Image(NamedTuple):
    """MicroPython for a Pico."""

    path: Path
    chip: str
    version: tuple[int, int]
    content: bytes


def read(path: Path) -> bytes:
    """Return what is in an image; raises ImageError."""
    try:
        with path.open("rb") as file:
            return file.read(_MOST_BYTES)
    except OSError as error:
        raise ImageError(
            tr(
                "no MicroPython image at {path} ({why}). {get_image}",
                path=path,
                why=why_failed(error),
                get_image=GET_IMAGE,
            )
        ) from error


def blocks(content: bytes, name: object, chip: str = RP2040) -> Iterator[tuple[int, bytes]]:
    """Yield address in flash and bytes of each block of a chip's image; raises ImageError.

    Blocks that are not for the flash are left out; all have to be there, in their order.
    """
    content = _counted(content)
    if not content or len(content) % _BLOCK:
        raise ImageError(
            tr("{name} is not a whole UF2 file. {get_image}", name=name, get_image=GET_IMAGE)
        )
    for number, start in enumerate(range(0, len(content), _BLOCK)):
        head = _HEAD.unpack_from(content, start)
        magic, flags, address, size, own, count, family = head[:2], *head[2:]
        end = content[start + _BLOCK - len(_END_MAGIC) : start + _BLOCK]
        if magic != _MAGIC or end != _END_MAGIC or size > _PAYLOAD:
            raise ImageError(
                tr("{name} is not a UF2 file. {get_image}", name=name, get_image=GET_IMAGE)
            )
        if flags & _HAS_FAMILY and family != CHIPS[chip].UF2_FAMILY:
            raise ImageError(
                tr(
                    "{name} is for another chip than the {chip}. {get_image}",
                    name=name,
                    chip=chip.upper(),
                    get_image=GET_IMAGE,
                )
            )
        if (own, count) != (number, len(content) // _BLOCK):
            raise ImageError(
                tr(
                    "{name} is not a whole UF2 file: block {number} is missing or torn.",
                    name=name,
                    number=number,
                )
            )
        if not flags & _NOT_FLASH:
            data = start + _HEAD.size
            yield address, content[data : data + size]


def micropython(path: Path) -> Image:
    """Return the image of MicroPython for a Pico that a file is; raises ImageError."""
    content = read(path)
    family = int.from_bytes(_counted(content)[_FAMILY_AT], "little")
    chip = next((name for name in CHIPS if family == CHIPS[name].UF2_FAMILY), RP2040)
    flash = b"".join(data for _, data in blocks(content, path, chip))
    version = _VERSION.search(flash)
    if version is None:
        raise ImageError(
            tr(
                "{path} is for the {chip}, but it is not MicroPython. {get_image}",
                path=path,
                chip=chip.upper(),
                get_image=GET_IMAGE,
            )
        )
    if CHIPS[chip].MACHINE.encode() not in flash:
        raise ImageError(
            tr(
                "{path} is MicroPython for another board than the Pico. {get_image}",
                path=path,
                get_image=GET_IMAGE,
            )
        )
    return Image(path, chip, (int(version[1]), int(version[2])), content)


def with_files(image: Image, files: bytes) -> bytes:
    """Return an image that brings a file system, from `image.file_system`, along with MicroPython.

    What is nowhere programmed there is left out: it may have any content.
    """
    chip = CHIPS[image.chip]
    first, _ = next(blocks(image.content, image.path, image.chip))
    base = first & -chip.FLASH_BYTES
    out = bytearray(image.content)
    for at in range(0, len(files), _PAGE):
        sector = files[at & -_SECTOR :][:_SECTOR]
        if sector.count(b"\xff") == len(sector):
            continue
        address = base + chip.FILES_START + at
        out += _HEAD.pack(*_MAGIC, _HAS_FAMILY, address, _PAGE, 0, 0, chip.UF2_FAMILY)
        out += files[at : at + _PAGE].ljust(_PAYLOAD, b"\0") + _END_MAGIC
    before = len(image.content) - len(_counted(image.content))
    count = (len(out) - before) // _BLOCK
    for number in range(count):
        struct.pack_into("<2I", out, before + number * _BLOCK + _COUNTS_AT, number, count)
    return bytes(out)


def _counted(content: bytes) -> bytes:
    """Return the blocks that count each other."""
    return content[_BLOCK:] if content[_FAMILY_AT] == _ABSOLUTE else content
