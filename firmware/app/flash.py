"""The files of the journal in the flash: what `chronotable.journal.journal` wants of a store.

littlefs keeps the old content of a file until the new one is written whole, also when the power
goes. But then what grows is copied into sectors that it erases first, two of them at times, and
while a sector is erased nothing is scanned. So a file that is appended to is made a sector long,
with a random mark at its end. By that the sector is found, and what comes is programmed into what
is still erased there: no sector is erased in a turn. That is safe as units have a CRC; whoever
reads sees the file end where its sector is still erased. Such a file is ready before its game
begins: then it only gets its name.
"""

import os
import sys

from _rp2 import Flash as Sectors
from micropython import const

_FOLDER = const("games")
_BESIDE = const("next")  # written whole before it takes a file's place
_SECTOR = const(4096)
_PAGE = const(256)  # what is programmed at once
_UNIT = const(8)  # files grow by multiples of this, and the mark is as long
_MARK_AT = const(_SECTOR - _UNIT)
_MARK = const(b"\xfe")  # how a mark begins, and no unit
_ERASED = const(b"\xff\xff\xff\xff\xff\xff\xff\xff")


class Flash:
    """The files of one folder; raises OSError where the flash fails."""

    def __init__(self) -> None:
        self._name = ""  # of the file that was appended to last
        self._end = 0  # of it
        self._sector = -1  # where it lies; -1: littlefs has to write it

    def names(self) -> "list[str]":
        """Return the files' names; the folder is made where there is none."""
        if _FOLDER not in os.listdir():
            os.mkdir(_FOLDER)
        return os.listdir(_FOLDER)

    def read(self, name: str) -> bytes:
        """Return what a file has."""
        with open(_path(name), "rb") as file:
            data = file.read()
        return data[: _end(data)]

    def prepare(self) -> None:
        """Make the next file that is appended to ready: a sector is erased now, not then."""
        import game_file  # not for longer than this

        game_file.prepare()
        sys.modules.pop("game_file", None)

    def append(self, name: str, data: bytes) -> None:
        """Write behind the end of a file, which is made where there is none."""
        if name != self._name:
            import game_file  # not for longer than this

            is_new = game_file.take(name)
            with open(_path(name), "rb") as file:
                self._end = 0 if is_new else _end(file.read())
            self._sector = game_file.find(name)
            self._name = name
            sys.modules.pop("game_file", None)
        end = self._end
        start = end % _PAGE
        if self._sector >= 0 and end + len(data) <= _MARK_AT and start + len(data) <= _PAGE:
            page = bytearray(_ERASED * (_PAGE // _UNIT))
            page[start : start + len(data)] = data
            sectors = Sectors()
            sectors.writeblocks(self._sector, page, end - start)
            written = bytearray(len(data))
            sectors.readblocks(self._sector, written, end)
            if written != data:
                raise OSError("flash")
        else:
            self._sector = -1  # the file moves
            with open(_path(name), "r+b") as file:
                file.seek(end)
                file.write(data)
        self._end = end + len(data)

    def replace(self, name: str, data: bytes) -> None:
        """Write a file anew."""
        self._name = ""
        with open(_path(_BESIDE), "wb") as file:
            file.write(data)
        os.rename(_path(_BESIDE), _path(name))

    def rename(self, name: str, new_name: str) -> None:
        """Give a file another name."""
        self._name = ""
        os.rename(_path(name), _path(new_name))

    def remove(self, name: str) -> None:
        """Delete a file."""
        self._name = ""
        os.remove(_path(name))

    def room(self) -> int:
        """Return how many bytes are free."""
        status = os.statvfs(_FOLDER)
        return status[0] * status[3]


def _path(name: str) -> str:
    return _FOLDER + "/" + name


def _end(data: bytes) -> int:
    """Return where the units of a file end: if it has a mark, where only erased bytes follow."""
    if len(data) != _SECTOR or data[_MARK_AT:][:1] != _MARK:
        return len(data)
    return (len(data[:_MARK_AT].rstrip(b"\xff")) + _UNIT - 1) // _UNIT * _UNIT
