"""The switch matrix: one row low at a time, columns read through SIO.

SIO registers (RP2040 datasheet 2.3.1.7): GPIO_IN at 0x004, GPIO_OE_SET at 0x024, GPIO_OE_CLR at
0x028. A row's output latch stays 0; switching its output enable drives it low or lets it float,
so no two rows ever fight, diode or not.
"""

from array import array

import machine
import micropython
from machine import Pin

if False:
    from chronotable.wiring import Board

_CYCLES_PER_LOOP = 29  # of the empty viper loop below, measured on the emulated chip


@micropython.viper
def read(raw: ptr8, lines: ptr32) -> int:
    """Scan all rows into `raw`, a 1 for each closed cell.

    `lines`: loops to settle, mask of all columns, 8 row masks, 8 column masks.
    """
    sio = ptr32(0xD0000000)
    settle = lines[0]
    columns = lines[1]
    for row in range(8):
        mask = lines[2 + row]
        sio[9] = mask
        for _ in range(settle):
            pass
        value = sio[1] & columns
        sio[10] = mask
        closed = 0
        if value != columns:
            for column in range(8):
                if value & lines[10 + column] == 0:
                    closed |= 1 << column
        raw[row] = closed
    return 0


def lines_of(board: "Board") -> "array[int]":
    """Set the pins up, and return the `lines` for `read`."""
    lines = array("I", bytes(4 * 18))
    lines[0] = board.settle_us * (machine.freq() // 1_000_000) // _CYCLES_PER_LOOP
    for index in range(8):
        row, column = board.row_pins[index], board.col_pins[index]
        Pin(row, Pin.IN)
        Pin(row).value(0)
        Pin(column, Pin.IN, Pin.PULL_UP)
        lines[2 + index] = 1 << row
        lines[10 + index] = 1 << column
        lines[1] |= 1 << column
    return lines
