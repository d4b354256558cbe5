"""The LED chain: a PIO program makes the WS2812 waveform, a DMA channel feeds it a whole frame.

Starting a frame takes 40 µs and nothing waits for its 1.6 ms. The latch gap (280 µs low for the
newer kinds) comes of itself: frames are milliseconds apart.
"""

import sys

from machine import Pin
from micropython import const
from rp2 import DMA, PIO, StateMachine, asm_pio

import __main__

if False:
    from array import array

_HZ = const(8_000_000)  # ten PIO cycles are one bit of 1.25 µs: 0 is 2 high, 1 is 7 high
_DREQ_PIO0_TX0 = const(0)


@asm_pio(
    sideset_init=PIO.OUT_LOW,
    out_shiftdir=PIO.SHIFT_LEFT,
    autopull=True,
    pull_thresh=24,
    fifo_join=PIO.JOIN_TX,
)
def _ws2812():  # type: ignore[no-untyped-def]
    wrap_target()
    label("bit")
    out(x, 1).side(0)[2]
    jmp(not_x, "zero").side(1)[1]
    jmp("bit").side(1)[4]
    label("zero")
    nop().side(0)[4]
    wrap()


# MicroPython's own start has loaded the assembler, 1.4 KB, which nobody needs any more
del asm_pio
for _names in (sys.modules, __main__.__dict__):
    _names.pop("rp2", None)


class Leds:
    """Shows `frame`, one word per LED with its 24 bits on top, whenever `show` is called."""

    def __init__(self, pin: int, frame: "array[int]") -> None:
        self._frame = frame
        self._machine = StateMachine(0, _ws2812, freq=_HZ, sideset_base=Pin(pin))
        self._machine.active(1)
        self._dma = DMA()
        self._dma.config(
            read=frame,
            write=self._machine,
            count=len(frame),
            ctrl=self._dma.pack_ctrl(size=2, inc_write=False, treq_sel=_DREQ_PIO0_TX0),
        )

    def show(self) -> bool:
        """Start sending the frame; False when the one before is still under way."""
        if self._dma.active():
            return False
        self._dma.read = self._frame  # type: ignore[attr-defined]  # not in the stubs
        self._dma.count = len(self._frame)  # type: ignore[attr-defined]
        self._dma.active(1)
        return True
