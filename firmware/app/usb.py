"""The USB serial line, never waited for.

Reading: `sys.stdin.buffer.read(n)` blocks until n bytes came (MicroPython issues 8772, 16550), so
bytes are taken one at a time behind a poll; `ipoll` and `readinto` allocate nothing.

Writing: a write blocks for up to a second when the host has the port open and does not read, and
POLLOUT means no more than one free byte. So a line is written only when the host has fetched the
packet before it: bit 10, AVAILABLE, of the buffer control of endpoint 2 IN in the USB DPRAM
(RP2040 datasheet 4.1.2.7.4). A line is at most one packet. Measured on the emulated chip: 52 µs at
worst, with a host that reads and with one that does not.
"""

import select
import sys

import micropython

_MOST_BYTES = 96  # of one call: about 3 ms


@micropython.viper
def _has_room() -> bool:
    return bool(((ptr32(0x50100090)[0] >> 10) & 1) ^ 1)


class Usb:
    """Reads what is there and writes what fits."""

    def __init__(self) -> None:
        poll = select.poll()
        poll.register(sys.stdin, select.POLLIN)
        self._ready = poll.ipoll
        self._read = sys.stdin.buffer.readinto  # type: ignore[union-attr]  # it has one
        self._write = sys.stdout.buffer.write
        self._one = bytearray(1)
        self._data = bytearray(_MOST_BYTES)
        self._view = memoryview(self._data)
        self.has_room = _has_room

    def read(self) -> "memoryview | None":
        """Return what has come, at most 96 bytes and valid until the next call, or None."""
        count = 0
        while count < _MOST_BYTES:
            there = False
            for _ in self._ready(0):
                there = True
            if not there:
                break
            self._read(self._one)
            self._data[count] = self._one[0]
            count += 1
        return self._view[:count] if count else None

    def write(self, line: bytes) -> None:
        """Send one line; `has_room` has just said that it fits."""
        self._write(line)
