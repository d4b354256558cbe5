"""A file of `flash` that is a sector long: how it is made, and found again in the flash.

It is loaded when a game begins, goes on or is over.
"""

import os

from _rp2 import Flash as Sectors
from micropython import const

_READY = const("games/ready")  # of a sector, for the next file that is made
_SECTOR = const(4096)
_UNIT = const(8)
_MARK_AT = const(_SECTOR - _UNIT)
_MARK = const(b"\xfe")  # how a mark begins, and no unit
_ERASED = const(b"\xff\xff\xff\xff\xff\xff\xff\xff")
_SECTOR_COUNT = const(4)  # of what `ioctl` tells


def prepare() -> None:
    """Make a file of a sector with room for units, where none is ready."""
    if "ready" in os.listdir("games"):
        return
    with open(_READY, "wb") as file:
        for _ in range(_MARK_AT // _UNIT):
            file.write(_ERASED)
        file.write(_MARK + os.urandom(_UNIT - 1))


def take(name: str) -> bool:
    """Give the file that is ready a name, where there is no such file; return whether it did."""
    if name in os.listdir("games"):
        return False
    prepare()
    os.rename(_READY, "games/" + name)
    return True


def find(name: str) -> int:
    """Return the sector of the file system where a file lies, found by its mark.

    -1 where it has no mark, or more than one sector has it: littlefs has to write the file.
    """
    with open("games/" + name, "rb") as file:
        file.seek(_MARK_AT)
        mark = file.read(_UNIT)
    found = []
    if mark[:1] == _MARK:
        sectors = Sectors()
        there = bytearray(_UNIT)
        for sector in range(sectors.ioctl(_SECTOR_COUNT, 0)):
            sectors.readblocks(sector, there, _MARK_AT)
            if there == mark:
                found.append(sector)
    return found[0] if len(found) == 1 else -1
