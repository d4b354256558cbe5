"""A file of `flash` that is a sector long: how it is made, and found again in the flash.

It is loaded when a game begins, goes on or is over.
"""

import os

from _rp2 import Flash as Sectors
from micropython import const

_SECTOR = const(4096)
_UNIT = const(8)
_MARK_AT = const(_SECTOR - _UNIT)
_MARK = const(b"\xfe")  # how a mark begins, and no unit
_ERASED = const(b"\xff\xff\xff\xff\xff\xff\xff\xff")
_SECTOR_COUNT = const(4)  # of what `ioctl` tells


def make(path: str) -> None:
    """Make a file of a sector with room for units."""
    with open(path, "wb") as file:
        for _ in range(_MARK_AT // _UNIT):
            file.write(_ERASED)
        file.write(_MARK + os.urandom(_UNIT - 1))


def find(mark: bytes) -> int:
    """Return the sector of the file system where the file lies that has this where a mark is.

    -1 where that is no mark, or more than one sector has it: littlefs has to write the file.
    """
    found = []
    if mark[:1] == _MARK:
        sectors = Sectors()
        there = bytearray(_UNIT)
        for sector in range(sectors.ioctl(_SECTOR_COUNT, 0)):
            sectors.readblocks(sector, there, _MARK_AT)
            if there == mark:
                found.append(sector)
    return found[0] if len(found) == 1 else -1
