"""A table's store in memory, for journals where no flash is, and a table that has one."""

from __future__ import annotations

import errno
from functools import cache

from chronotable.core.table import Table
from chronotable.hardware.wiring import Board
from chronotable.journal.journal import Journal
from chronotable.lights.light import Light
from chronotable.link.identity import TABLE, Identity
from chronotable.link.link import Link
from chronotable_host.hardware import boards
from chronotable_host.virtual.runtimes.flash import BLOCK, BLOCKS
from ttykm.game import RULES_VERSION


class MemoryStore:
    """What `chronotable.journal.journal` wants of a store, in a dict."""

    def __init__(self, room: int = BLOCK * BLOCKS) -> None:
        self.files: dict[str, bytes] = {}
        self._room = room

    def names(self) -> list[str]:
        return list(self.files)

    def read(self, name: str) -> bytes:
        return self.files[name]

    def prepare(self) -> None:
        """Make the next file ready: here nothing has to be erased for it."""

    def append(self, name: str, data: bytes) -> None:
        self.replace(name, self.files.get(name, b"") + data)

    def replace(self, name: str, data: bytes) -> None:
        if len(data) - len(self.files.get(name, b"")) > self.room():
            raise OSError(errno.ENOSPC, "ENOSPC")
        self.files[name] = data

    def rename(self, name: str, new_name: str) -> None:
        self.files[new_name] = self.files.pop(name)

    def remove(self, name: str) -> None:
        del self.files[name]

    def room(self) -> int:
        return self._room - sum(map(len, self.files.values()))


BOARD, BOOT = "reference", 5


@cache
def known_board() -> Board:
    return boards.read(BOARD)


def new_table(store: MemoryStore, boot: int = BOOT) -> Table:
    """Return a table with its link; the store is its flash."""
    board = known_board()
    light = Light(board.led_of, board.colour_order, board.max_ma, board.channel_ma)
    link = Link(TABLE, Identity(BOARD, 1, "e6", RULES_VERSION, boot))
    return Table(board, light, link, lambda: 0xFFFFFFFF, Journal(store, boot))
