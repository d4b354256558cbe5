"""The USB serial line, never waited for.

`sys.stdin.buffer.read(n)` blocks until n bytes came (MicroPython issues 8772, 16550), so bytes are
read one at a time behind a poll. A write blocks for up to 500 ms when the host has the port open
and does not read; POLLOUT alone does not prevent it, so the link keeps at most four lines under
way (it counts acknowledgements), which fit the buffers.
"""

import select
import sys

_MOST_BYTES = 64  # of one call: about 4 ms of poll and read


class Usb:
    """Reads what is there and writes what fits."""

    def __init__(self) -> None:
        self._in = select.poll()
        self._in.register(sys.stdin, select.POLLIN)
        self._out = select.poll()
        self._out.register(sys.stdout, select.POLLOUT)
        self._read = sys.stdin.buffer.read
        self._write = sys.stdout.buffer.write

    def read(self) -> bytes:
        """Return up to 64 bytes that have come, b"" for none."""
        poll, read = self._in.poll, self._read
        if not poll(0):
            return b""
        data = bytearray()
        while len(data) < _MOST_BYTES and poll(0):
            data += read(1)
        return bytes(data)

    def has_room(self) -> bool:
        """Tell whether a line can be written without waiting."""
        return bool(self._out.poll(0))

    def write(self, line: bytes) -> None:
        """Send one line; `has_room` has said that it fits."""
        self._write(line)
