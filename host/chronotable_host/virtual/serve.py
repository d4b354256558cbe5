"""A virtual table on a real line, a pty or a TCP socket, so that `play` works as with a real table.

One rule: table time is real time, so that both ends of the link have the same timeouts; a runtime
that is too slow for that (the emulated chip is) falls behind and does not catch up.
"""

import contextlib
import os
import select
import socket
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.virtual.runtimes.runtime import LedFrame, Runtime, Tone, VirtualPort
from chronotable_host.virtual.runtimes.wiring import SwitchProxy

LOOPBACK = "127.0.0.1"

_SLICE_MS = 5.0
_CHUNK = 4096
_MOST_UNREAD = 1 << 16
_MOST_BEHIND_S = 0.25


class SerialLine(Protocol):
    """One end of a serial line; the other end is for a program that opens `name`."""

    name: str

    def plug(self, is_there: bool) -> None:
        """Let the port appear, or vanish from under whoever has it open."""

    def is_held(self) -> bool:
        """Tell whether a program has the port open."""

    def read(self) -> bytes:
        """Return what the program has sent, without waiting."""

    def write(self, data: bytes) -> int:
        """Send bytes without waiting; return how many were taken."""

    def close(self) -> None:
        """Take the port away for good."""


class PtyLine:
    """A pty; `name` stays the same when it is plugged in again (POSIX only)."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="chronotable-")
        self.name = str(Path(self._folder.name) / "table")
        self._fd = -1
        self.plug(True)

    def plug(self, is_there: bool) -> None:
        """Make a new pty behind the name, or close the one there is."""
        if is_there == (self._fd >= 0):
            return
        if not is_there:
            os.unlink(self.name)
            os.close(self._fd)
            self._fd = -1
            return
        import tty  # noqa: PLC0415 - Windows has none

        self._fd, other = os.openpty()
        tty.setraw(other)
        os.set_blocking(self._fd, False)
        os.symlink(os.ttyname(other), self.name)
        os.close(other)  # so that hanging up can be seen

    def is_held(self) -> bool:
        """Tell whether a program has the pty open."""
        if self._fd < 0:
            return False
        poll = select.poll()
        poll.register(self._fd, 0)
        return not poll.poll(0)  # else it says that the other end is closed

    def read(self) -> bytes:
        """Return what has come."""
        with contextlib.suppress(OSError):
            return os.read(self._fd, _CHUNK)
        return b""

    def write(self, data: bytes) -> int:
        """Send bytes; return how many were taken."""
        with contextlib.suppress(OSError):
            return os.write(self._fd, data)
        return 0

    def close(self) -> None:
        """Remove the pty and its name."""
        self.plug(False)
        self._folder.cleanup()


class SocketLine:
    """A TCP server on this computer only, for one program at a time; port 0 is any free one."""

    def __init__(self, port: int = 0) -> None:
        self._address = (LOOPBACK, port)
        self._server: socket.socket | None = None
        self._client: socket.socket | None = None
        self._received = b""
        try:
            self.plug(True)
        except (OSError, OverflowError) as error:
            raise UserError(
                tr("the TCP port {port} cannot be served: {problem}", port=port, problem=error)
            ) from error
        self.name = f"socket://{self._address[0]}:{self._address[1]}"

    def plug(self, is_there: bool) -> None:
        """Listen, or hang up and refuse."""
        if is_there and self._server is None:
            server = socket.create_server(self._address, reuse_port=False)
            server.setblocking(False)
            self._server = server
            self._address = server.getsockname()
        elif not is_there:
            self._hang_up()
            if self._server is not None:
                self._server.close()
            self._server = None

    def is_held(self) -> bool:
        """Tell whether a program is connected; another one is turned away."""
        self._receive()
        with contextlib.suppress(OSError):
            while self._server is not None:
                client, _ = self._server.accept()
                if self._client is None:
                    client.setblocking(False)
                    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    self._client = client
                else:
                    client.close()
        return self._client is not None

    def read(self) -> bytes:
        """Return what has come."""
        self._receive()
        data, self._received = self._received, b""
        return data

    def write(self, data: bytes) -> int:
        """Send bytes; return how many were taken."""
        if self._client is not None:
            try:
                return self._client.send(data)
            except BlockingIOError:
                return 0
            except OSError:
                self._hang_up()
        return 0

    def close(self) -> None:
        """Stop listening."""
        self.plug(False)

    def _receive(self) -> None:
        """Take all that has come: behind it there may be the end, and the next program."""
        while self._client is not None and len(self._received) < _MOST_UNREAD:
            try:
                data = self._client.recv(_CHUNK)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if not data:
                self._hang_up()
            self._received += data

    def _hang_up(self) -> None:
        self._received = b""
        if self._client is not None:
            self._client.close()
        self._client = None


class ServedRuntime(SwitchProxy):
    """A runtime on a line, in real time; a Runtime itself, so hands can be at the table too.

    `speed` is table time per wall time; far from 1 the two ends of the link disagree on how long
    a silence is.
    """

    def __init__(
        self,
        runtime: Runtime,
        line: SerialLine,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        speed: float = 1.0,
    ) -> None:
        self.line = line
        self.frames: list[LedFrame] = runtime.frames
        self.tones: list[Tone] = runtime.tones
        self.switches = self._runtime = runtime
        self._clock = clock
        self._sleep = sleep
        self._speed = speed
        self._port: VirtualPort | None = runtime.port  # None while no program has the line open
        self._is_cut = False
        self._unsent = b""
        self._zero_s = clock() - runtime.now_ms / 1000 / speed

    @property
    def now_ms(self) -> float:
        """Table time."""
        return self._runtime.now_ms

    @property
    def port(self) -> VirtualPort:
        """The serial port of the moment, which the line is connected to."""
        return self._runtime.port

    def run_until(self, t_ms: float) -> None:
        """Let the table run to `t_ms` of table time, as fast as real time passes."""
        while self.now_ms < t_ms:
            self._runtime.run_until(min(t_ms, self.now_ms + _SLICE_MS))
            self.pump()
            wait_s = self._zero_s + self.now_ms / 1000 / self._speed - self._clock()
            if wait_s > 0:
                self._sleep(wait_s)
            elif wait_s < -_MOST_BEHIND_S:
                self._zero_s -= wait_s

    def run(self, is_over: Callable[[], bool]) -> None:
        """Serve until `is_over`."""
        while not is_over():
            self.run_until(self.now_ms + _SLICE_MS)

    def pump(self) -> None:
        """Move the bytes that can be moved now."""
        line = self.line
        if self._is_cut:
            if not self._runtime.port.is_open:
                return
            self._is_cut = False
            self._port = self._runtime.port
            line.plug(True)
        if not line.is_held():
            if self._port is not None:
                self._port.close()
                self._port = None
                self._unsent = b""
            return
        if self._port is None:
            self._port = self._runtime.port
        port = self._port
        if not port.is_open:
            self._cut()
            return
        if not port.outgoing:
            data = line.read()
            if data:
                port.write(data)
        if not self._unsent:
            self._unsent = port.read(_CHUNK)
        if self._unsent:
            self._unsent = self._unsent[line.write(self._unsent) :]

    def plug(self, connected: bool) -> None:
        """Plug the cable in, or pull it."""
        self._runtime.plug(connected)
        self._cut()

    def power(self, on: bool) -> None:
        """Switch the table on or off; the port comes and goes with it."""
        self._runtime.power(on)
        self._cut()

    def close(self) -> None:
        """Switch off for good."""
        self.line.close()
        self._runtime.close()

    def _cut(self) -> None:
        """Take the port from whoever has it open; it comes back with the table's."""
        self._is_cut = True
        self._port = None
        self._unsent = b""
        self.line.plug(False)
        self.pump()


def open_line(where: str) -> SerialLine:
    """Return the line that `pty`, or the number of a TCP port, names; raises UserError."""
    if where == "pty":
        if os.name != "posix":
            raise UserError(tr("this system has no pty; serve on a TCP port"))
        return PtyLine()
    if where.isascii() and where.isdecimal() and int(where) < 1 << 16:
        return SocketLine(int(where))
    raise UserError(
        tr("a table is served on pty or on the number of a TCP port, not on '{where}'", where=where)
    )
