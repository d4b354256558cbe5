"""The USB serial line, never waited for.

Reading: `sys.stdin.buffer.read(n)` blocks until n bytes came (MicroPython issues 8772, 16550), so
bytes are taken one at a time behind a poll; `ipoll` and `readinto` allocate nothing.

Writing: a write blocks for up to a second when the host has the port open and does not read, and
POLLOUT means no more than one free byte. So a line is written only when the host has fetched the
packet before it: AVAILABLE, a bit of the buffer control of endpoint 2 IN in the USB DPRAM. A line
is at most one packet. Measured on the emulated chip: 52 µs at worst, with a host that reads and
with one that does not. That this is the serial line's endpoint MicroPython does not promise, but
its USB descriptor says so: see `make_usb` in `about`.

Ctrl-C: MicroPython throws everything unread away at a byte 3 and interrupts, which one wrong bit in
a linked PC's line would do, too. So while a PC is linked that byte is data, `kbd_intr(-1)`, and
interrupts only behind a carriage return, as mpremote sends it, or behind another one; neither is in
any line. What hangs then is the watchdog's.
"""

import select
import sys

import micropython
from micropython import const

from chronotable.hardware.rp2040 import USB_AVAILABLE, USB_IN_2

if False:
    from collections.abc import Sequence

_MOST_BYTES = const(96)  # of one call: about 3 ms
_CTRL_C = const(3)


@micropython.viper
def _has_room() -> bool:
    return bool(((ptr32(USB_IN_2)[0] >> USB_AVAILABLE) & 1) ^ 1)


class Usb:
    """Reads what is there, and writes a line once `has_room` has said that it fits."""

    def __init__(self) -> None:
        poll = select.poll()
        poll.register(sys.stdin, select.POLLIN)
        self._ready = poll.ipoll
        self._read = sys.stdin.buffer.readinto  # type: ignore[union-attr]  # it has one
        self.write = sys.stdout.buffer.write
        self._one = bytearray(1)
        self._data = bytearray(_MOST_BYTES)
        self._view = memoryview(self._data)
        self._last = 0
        self._is_linked = False
        self.has_room = _has_room

    def read(self, is_linked: bool = False, ring: "Sequence[int]" = b"\0\0") -> "memoryview | None":
        """Return what has come, at most 96 bytes and valid until the next call, or None.

        `is_linked`: a PC is, so Ctrl-C has to be meant. Once an edge waits in a debouncer's `ring`
        the rest waits, too: lights go first. Raises KeyboardInterrupt.
        """
        if is_linked != self._is_linked:
            self._is_linked = is_linked
            micropython.kbd_intr(-1 if is_linked else _CTRL_C)
        count = 0
        last = self._last
        while count < _MOST_BYTES and ring[0] == ring[1]:
            there = False
            for _ in self._ready(0):
                there = True
            if not there:
                break
            self._read(self._one)
            byte = self._one[0]
            if byte == _CTRL_C and (last in b"\r\x03" or not is_linked):
                raise KeyboardInterrupt
            self._data[count] = last = byte
            count += 1
        self._last = last
        return self._view[:count] if count else None
