"""The switch matrix: one row low at a time, columns read through SIO, from a hard timer interrupt.

SIO registers (RP2040 datasheet 2.3.1.7): GPIO_IN at 0x004, GPIO_OE_SET at 0x024, GPIO_OE_CLR at
0x028. A row's output latch stays 0; switching its output enable drives it low or lets it float,
so no two rows ever fight, diode or not.
"""

from array import array
from time import ticks_diff, ticks_us

import machine
import micropython
from machine import Pin, Timer

from chronotable.debounce import Debouncer, debounce

if False:
    from chronotable.wiring import Board

_CYCLES_PER_LOOP = 29  # of the empty viper loop below, measured on the emulated chip


@micropython.viper
def _read(raw: ptr8, lines: ptr32) -> int:
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


class Matrix:
    """Scans every `scan_ms` from `start` on; `debouncer` has the edges, `slowest_us` a figure."""

    def __init__(self, board: "Board") -> None:
        self.debouncer = Debouncer(board.debounce_ms // board.scan_ms + 1)
        self.lines = array("I", bytes(4 * 18))
        self.lines[0] = board.settle_us * (machine.freq() // 1_000_000) // _CYCLES_PER_LOOP
        for index in range(8):
            row, column = board.row_pins[index], board.col_pins[index]
            Pin(row, Pin.IN)
            Pin(row).value(0)
            Pin(column, Pin.IN, Pin.PULL_UP)
            self.lines[2 + index] = 1 << row
            self.lines[10 + index] = 1 << column
            self.lines[1] |= 1 << column
        self.slowest_us = 0
        self._timer = Timer(-1)  # kept: an unreferenced timer is collected and stops
        self._period_ms = board.scan_ms
        # bound once: nothing may be allocated in the interrupt
        self._raw = self.debouncer.raw
        self._memory = self.debouncer.memory
        self._ring = self.debouncer.ring
        self._samples = self.debouncer.samples

    def start(self) -> None:
        """Begin to scan."""
        self._timer.init(
            mode=Timer.PERIODIC, period=self._period_ms, hard=True, callback=self._scan
        )

    def _scan(self, _timer: Timer) -> None:
        begun = ticks_us()
        _read(self._raw, self.lines)
        debounce(self._raw, self._memory, self._ring, self._samples)
        took = ticks_diff(ticks_us(), begun)
        if took > self.slowest_us:
            self.slowest_us = took
