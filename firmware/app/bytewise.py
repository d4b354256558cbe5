"""Writing to the serial line where nothing is known of its endpoint: byte by byte, never waiting.

MicroPython promises of POLLOUT that one byte fits, so each byte goes behind a poll of its own; what
does not fit is sent later. A line takes 10 ms. Loaded only where `usb.py` cannot do better.
"""

import select
import sys


class Bytewise:
    """Keeps what is left of the last line."""

    def __init__(self) -> None:
        poll = select.poll()
        poll.register(sys.stdout, select.POLLOUT)
        self._fits = poll.ipoll
        self._send = sys.stdout.buffer.write
        self._one = bytearray(1)
        self._left = b""

    def has_room(self) -> bool:
        """Send what is left, as far as it fits; tell whether that is all."""
        return self.write(self._left)

    def write(self, line: bytes) -> bool:
        """Send a line, as far as it fits; tell whether that is all."""
        sent = 0
        while sent < len(line):
            fits = False
            for _ in self._fits(0):
                fits = True
            if not fits:
                break
            self._one[0] = line[sent]
            self._send(self._one)
            sent += 1
        self._left = line[sent:]
        return not self._left
