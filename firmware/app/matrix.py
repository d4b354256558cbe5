"""The switch matrix: one row low at a time, columns read through SIO.

A row's output latch stays 0; switching its output enable drives it low or lets it go, so no
two rows ever fight, diode or not. The first row is low between scans, and needs no time to settle.

Every row has its pull-up on. A pad comes out of reset with its pull-down on (RP2040 data sheet,
PADS_BANK0; RP2350 alike), which through a closed cell makes its column about 1.9 V, neither high
nor low. And a row that floats after it was low would have to be charged by a column's pull-up,
through the diode, which takes that column twice as long to rise: `settle_us` reckons with a
column's wire alone.
"""

from array import array

import machine
import micropython
from machine import Pin

from chronotable.hardware.rp2040 import (
    CYCLES_PER_LOOP,
    GPIO_IN,
    GPIO_OE_CLR,
    GPIO_OE_SET,
    LOOPS_TO_SORT,
    SIO,
)

if False:
    from collections.abc import Sequence


@micropython.viper
def read(raw: ptr8, lines: ptr32) -> int:
    """Scan all rows into `raw`, a 1 for each closed cell.

    `lines`: loops to settle, mask of all columns, 8 row masks, 8 column masks.
    """
    sio = ptr32(SIO)
    columns = lines[1]
    value = columns
    for row in range(9):
        settle = lines[0]
        if row < 8:
            sio[GPIO_OE_SET] = lines[2 + row]
        # meanwhile, what the row before has said
        closed = 0
        if value != columns:
            settle -= LOOPS_TO_SORT
            for column in range(8):
                if value & lines[10 + column] == 0:
                    closed |= 1 << column
        if row:
            raw[row - 1] = closed
        if row < 8:
            if row:
                for _ in range(settle):
                    pass
            value = sio[GPIO_IN] & columns
            sio[GPIO_OE_CLR] = lines[2 + row]
    sio[GPIO_OE_SET] = lines[2]
    return 0


def lines_of(pins: "Sequence[Sequence[int]]", settle_us: int) -> "array[int]":
    """Set the pins of rows and columns up, and return the `lines` for `read`."""
    rows, columns = pins
    lines = array("I", bytes(4 * 18))
    lines[0] = settle_us * (machine.freq() // 1_000_000) // CYCLES_PER_LOOP
    for index in range(8):
        row, column = rows[index], columns[index]
        Pin(row, Pin.IN, Pin.PULL_UP)
        Pin(row).value(0)
        Pin(column, Pin.IN, Pin.PULL_UP)
        lines[2 + index] = 1 << row
        lines[10 + index] = 1 << column
        lines[1] |= 1 << column
    Pin(rows[0], Pin.OUT, Pin.PULL_UP, value=0)
    return lines
