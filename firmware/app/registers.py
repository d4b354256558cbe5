"""The shift registers: eight 74HC165 take 64 inputs at once, then they leave bit by bit.

Each chip's D7 leaves first, chip 0's before all. Sensors of polarity take a second chip behind each
of them, for the same spaces.

Load is low for `settle_us`, while the inputs settle. Else nothing waits for the chips, as code is
slower than they are: by the 74HC165's data sheet (Nexperia, -40 to 85 degrees, 4.5 V and 2.0 V) a
pulse lasts at least 20 and 100 ns, the clock follows load after 25 and 125, and a bit is there 41
and 205 after its edge, so that some 100 ns do for all of them at 3.3 V. Measured on the emulated
chip: the clock follows load after 590 ns, is high for 240 at least and low for 380, and a bit is
read some 500 after the edge that brought it. A whole scan takes 0.1 ms, debouncing included.
"""

from array import array

import machine
import micropython
from machine import Pin

from chronotable.hardware.rp2040 import CYCLES_PER_LOOP, GPIO_IN, GPIO_OUT_CLR, GPIO_OUT_SET, SIO

if False:
    from collections.abc import Sequence


@micropython.viper
def read(raw: ptr8, lines: ptr32) -> int:
    """Read all chips into `raw`, a 1 for each closed input, bit n for input n.

    `lines`: loops to settle, masks of the pins load, clock and data, chips for the same eight
    spaces. With two of them `raw` has 24 bytes: where a magnet is, a north pole alone, a south pole
    alone.
    """
    sio = ptr32(SIO)
    settle = lines[0]
    load = lines[1]
    clock = lines[2]
    data = lines[3]
    sio[GPIO_OUT_CLR] = load
    for _ in range(settle):
        pass
    sio[GPIO_OUT_SET] = load
    outputs = lines[4]
    for chip in range(8):
        north = 0
        for output in range(outputs):
            closed = 0
            for _ in range(8):
                level = sio[GPIO_IN] & data
                sio[GPIO_OUT_SET] = clock
                closed <<= 1
                if level == 0:
                    closed |= 1
                sio[GPIO_OUT_CLR] = clock
            if output:
                raw[chip + 8] = north & (255 ^ closed)
                raw[chip + 16] = closed & (255 ^ north)
            raw[chip] = north | closed
            north = closed
    return 0


def lines_of(pins: "Sequence[int]", settle_us: int, sensor: str) -> "array[int]":
    """Set the pins load, clock and data up, and return the `lines` for `read`."""
    load, clock, data = pins
    Pin(load, Pin.OUT, value=1)
    Pin(clock, Pin.OUT, value=0)
    Pin(data, Pin.IN, Pin.PULL_UP)  # without the chain everything reads as open
    settle = settle_us * (machine.freq() // 1_000_000) // CYCLES_PER_LOOP
    return array("I", (settle, 1 << load, 1 << clock, 1 << data, 1 + (sensor == "polarity")))
