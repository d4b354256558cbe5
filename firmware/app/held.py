"""The first look at the board: lights its first LED, and finds a button that is held.

The rest takes a second to load, and a table that stays dark so long seems to be broken.
"""

import gc
import sys
from time import sleep_ms

from micropython import const

import lamp

if False:
    from typing import Any

_ASKING = ("action", "a")  # the first asks for safe mode, the other for the doctor
_SETTLE_US = const(100)  # the longest that a board file may want, which has not been checked yet


def button() -> str:
    """Give the first light; return the held button's name, `action` or `a`, or "" for none.

    "" also where the board file is wrong: what loads it later says what is wrong with it.
    """
    board = lamp.show(0, (0,))
    sys.modules.pop("lamp", None)
    gc.collect()  # now its place is free for what stays
    try:
        closed = _closed(board)
        for entry in board["buttons"]:
            row, column = entry["cell"]
            if entry["name"] in _ASKING and closed[row] >> column & 1:
                return str(entry["name"])
    except Exception:
        return ""
    return ""


def _closed(board: "dict[str, Any]") -> bytearray:
    """Scan once, all pins set up."""
    raw = bytearray(24)
    more = []
    if "registers" in board:
        import registers as reader

        keys = ["load_pin", "clock_pin", "data_pin"]
        more.append(board.get("sensor", ""))
        board = board["registers"]
    else:
        import matrix as reader  # type: ignore[no-redef]

        keys = ["row_pins", "col_pins"]
        board = board["matrix"]
    lines = reader.lines_of([board[key] for key in keys], _SETTLE_US, *more)
    sleep_ms(1)  # the pull-ups are on since just now
    reader.read(raw, lines)
    return raw
