"""What a virtual table offers to whoever plays on it: reeds to close, LEDs to see, a serial port.

Two rules: time is table time (milliseconds since the first power-on) and moves only inside
`run_until`; nothing here knows the game.
"""

import threading
from typing import NamedTuple, Protocol

from chronotable_host.language import tr
from chronotable_host.virtual.runtimes.wiring import Switches

UNREAD_LIMIT = 4096
"""Bytes which an open port keeps for a host that does not read; a Linux tty holds as many."""


class LedFrame(NamedTuple):
    """One picture on the LEDs."""

    t_ms: float
    """Table time of the last bit on the wire."""
    rgb: bytes
    """Three bytes per LED (red, green, blue), in the order of the chain."""


class Tone(NamedTuple):
    """A note of the piezo."""

    t_ms: float
    """Table time at which it begins."""
    hz: int
    """0 for the silence behind it, which is not told of the emulated chip."""


class VirtualPort:
    """The host's end of the table's USB serial: the part of a pyserial port which the host uses.

    Like a real one it is lost for good with the cable, a power cut or a chip reset: every call
    raises OSError from then on (pyserial's SerialException is one), and the runtime has a new one.
    Safe to use from another thread than the runtime's.
    """

    def __init__(self, *, connected: bool = True) -> None:
        self._lock = threading.Lock()
        self._to_host = bytearray()
        self._to_device = bytearray()
        self._connected = connected
        self._open = True

    # The host's end.

    @property
    def is_open(self) -> bool:
        """Is this port of any use: neither closed nor lost?"""
        return self._open and self._connected

    @property
    def is_closed(self) -> bool:
        """Has the host closed it?"""
        return not self._open

    @property
    def in_waiting(self) -> int:
        """Bytes which `read` would return at once.

        Raises: OSError when the port is closed or lost.
        """
        with self._lock:
            self._check()
            return len(self._to_host)

    def read(self, size: int = 1) -> bytes:
        """Take up to `size` bytes of what has come; never wait.

        Raises: OSError when the port is closed or lost.
        """
        with self._lock:
            self._check()
            if not self._to_host:
                return b""
            data = bytes(self._to_host[:size])
            del self._to_host[:size]
            return data

    def write(self, data: bytes) -> int:
        """Queue all of `data` for the table; never wait.

        Raises: OSError when the port is closed or lost.
        """
        with self._lock:
            self._check()
            self._to_device += data
            return len(data)

    def close(self) -> None:
        """Give the port up: for the table, the host hangs up (DTR falls)."""
        self._open = False

    # The table's end.

    @property
    def room(self) -> int:
        """Bytes which the table may still send to this host."""
        return UNREAD_LIMIT - len(self._to_host) if self.is_open else 0

    @property
    def outgoing(self) -> int:
        """Bytes which wait for the table."""
        return len(self._to_device)

    def feed(self, data: bytes) -> None:
        """Bring bytes from the table; without a listener they are lost."""
        with self._lock:
            if self._open and self._connected:
                self._to_host += data

    def take(self, limit: int) -> bytes:
        """Fetch up to `limit` bytes for the table."""
        with self._lock:
            data = bytes(self._to_device[:limit])
            del self._to_device[:limit]
            return data

    def lose(self) -> None:
        """The cable or the table is gone, and with it what was under way."""
        with self._lock:
            self._connected = False
            self._to_host.clear()
            self._to_device.clear()

    def _check(self) -> None:
        if not self._open:
            raise OSError(tr("the port is closed"))
        if not self._connected:
            raise OSError(tr("the table is gone: unplugged, without power or restarted"))


class Runtime(Switches, Protocol):
    """A table's firmware, running somewhere in table time.

    Single-threaded but for `port`. Time stands still between the calls of `run_until`. What is done
    to the switches stays done when the power goes.
    """

    frames: list[LedFrame]
    """Every picture so far, oldest first; whoever has read them may clear the list."""

    tones: list[Tone]
    """Every note so far, as `frames`."""

    @property
    def now_ms(self) -> float:
        """Table time in milliseconds since the first power-on."""

    @property
    def port(self) -> VirtualPort:
        """The serial port of the moment, open: a new one after each replug, power-on or chip reset.

        So it is when the host has closed the last one. While the table is unplugged or off it is
        a lost one.
        """

    def run_until(self, t_ms: float) -> None:
        """Let the table run to `t_ms` of table time, or less than a microsecond beyond.

        Afterwards it is that late, whatever a clock rounds; a time that has passed does nothing.
        """

    def plug(self, connected: bool) -> None:
        """Plug the USB cable in, or pull it; the table keeps its power."""

    def power(self, on: bool) -> None:
        """Switch the table on or off. Off: all is lost but the flash; on: the firmware boots."""

    def close(self) -> None:
        """Free what the runtime holds; nothing else may be called afterwards."""
