"""A table with its link, without hands, light or a flash that keeps."""

from __future__ import annotations

from functools import cache

from chronotable.core.table import Table
from chronotable.hardware.wiring import Board
from chronotable.journal.journal import Journal
from chronotable.lights.light import Light
from chronotable.link.identity import TABLE, Identity
from chronotable.link.link import Link
from chronotable_host.hardware import boards
from tests.lab.store import MemoryStore
from ttykm.game import RULES_VERSION

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
