"""Finds a button that is held while the power comes on, with the reader of the scan."""

import json
from time import sleep_ms

from micropython import const

from slots import BOARD_FILE

if False:
    from typing import Any

_ASKING = ("action", "a")  # the first asks for safe mode, the other for the doctor
_SETTLE_US = const(100)  # the longest that a board file may want, which has not been checked yet


def button() -> str:
    """Return the name of the held button, `action` or `a`, or "" for none.

    "" also where the board file is wrong: what loads it later says what is wrong with it.
    """
    try:
        with open(BOARD_FILE) as file:
            board = json.load(file)
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
    raw = bytearray(8)
    if "registers" in board:
        import registers as reader

        keys = ["load_pin", "clock_pin", "data_pin"]
        board = board["registers"]
    else:
        import matrix as reader  # type: ignore[no-redef]

        keys = ["row_pins", "col_pins"]
        board = board["matrix"]
    lines = reader.lines_of([board[key] for key in keys], _SETTLE_US)
    sleep_ms(1)  # the pull-ups are on since just now
    reader.read(raw, lines)
    return raw
