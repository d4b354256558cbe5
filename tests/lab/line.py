"""A cable that can be trusted with nothing, between a table and a PC's port; time is counted.

`Wire` is one direction, with seeded faults. `Line` is both of them, with a port that is opened,
closed and pulled out. Nothing here waits.
"""

from __future__ import annotations

from random import Random

from chronotable_host.live.port import PortError

STALE = 256
"""MicroPython up to 1.28 gives the next opener so many bytes of what it said to nobody."""

_OF_A_HELLO = b"H"
_LETTER = slice(5, 6)  # of a frame
_SPLIT = 0.5  # of all lines, where a wire splits
_SPLIT_MS = 15
_USB_BYTES = 96  # the firmware reads no more at once


class Wire:
    """One direction: lines under way, each with the time at which it arrives.

    `flips` is the chance of a wrong bit per byte. Those of a line are: `drops`, it is lost;
    `doubles`, it comes twice; `cuts`, its end is lost; `garbage`, any bytes come before it. Where
    the wire `splits`, the end of a line may arrive later than its beginning. `carried` counts the
    bytes that came out; behind the first `limit` of them the wire tears, and nothing comes any
    more.
    """

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.flips = 0.0
        self.drops = 0.0
        self.doubles = 0.0
        self.cuts = 0.0
        self.garbage = 0.0
        self.splits = False
        self.delay_ms = 2
        self.carried = 0
        self.limit: int | None = None
        self.is_torn = False
        self._under_way: list[tuple[int, bytes, bool]] = []  # arrival, bytes, is no line of its own

    def write(self, data: bytes, now_ms: int) -> None:
        """Send whole lines, with the faults of this wire."""
        for line in [] if self.is_torn else data.splitlines(keepends=True):
            fate = self.rng.random()
            copies = 0 if fate < self.drops else 2 if fate > 1 - self.doubles else 1
            for copy in range(copies):
                self._send(self._broken(line), now_ms, copy > 0)

    def _send(self, line: bytes, now_ms: int, is_copy: bool) -> None:
        if self.splits and len(line) > 1 and self.rng.random() < _SPLIT:
            size = self.rng.randrange(1, len(line))
            self._append(line[:size], now_ms, True)
            line = line[size:]
            now_ms += self.rng.randint(0, _SPLIT_MS)
        self._append(line, now_ms, is_copy)

    def _append(self, data: bytes, now_ms: int, is_copy: bool) -> None:
        arrival = now_ms + self.rng.randint(0, self.delay_ms)
        if self._under_way:
            arrival = max(arrival, self._under_way[-1][0])
        if data:
            self._under_way.append((arrival, data, is_copy))

    def _broken(self, line: bytes) -> bytes:
        rng = self.rng
        if self.flips:
            flipped = bytearray(line)
            for at in range(len(flipped)):
                if rng.random() < self.flips:
                    flipped[at] ^= 1 << rng.randrange(8)
            line = bytes(flipped)
        if self.cuts and rng.random() < self.cuts:
            line = line[: rng.randrange(len(line))]
        if self.garbage and rng.random() < self.garbage:
            line = rng.randbytes(rng.choice((1, 10, STALE))) + line
        return line

    def read(self, now_ms: int) -> list[bytes]:
        """Return all that has arrived, in pieces of any size."""
        data = self.take(now_ms)
        pieces = []
        while data:
            size = self.rng.choice((1, 2, 7, 64, len(data)))
            pieces.append(data[:size])
            data = data[size:]
        return pieces

    def take(self, now_ms: int, most: int | None = None) -> bytes:
        """Return what has arrived, at most so many bytes; the rest stays for the next time."""
        if not self._under_way:
            return b""
        size = sum(len(line) for arrival, line, _ in self._under_way if arrival <= now_ms)
        if most is not None:
            size = min(size, most)
        if self.limit is not None and size > self.limit - self.carried:
            size = self.limit - self.carried
            self.is_torn = True
        self.carried += size
        data = b""
        while len(data) < size:
            arrival, line, is_copy = self._under_way.pop(0)
            rest = line[size - len(data) :]
            data += line[: size - len(data)]
            if rest:
                self._under_way.insert(0, (arrival, rest, is_copy))
        if self.is_torn:
            self._under_way.clear()
        return data

    def unread(self) -> int:
        """Return how many lines that were written are under way."""
        return sum(not is_copy for _, _, is_copy in self._under_way)

    def greetings(self) -> int:
        """Return how many of them are HELLOs, which may go beyond the window."""
        return sum(
            line[_LETTER] == _OF_A_HELLO and not is_copy for _, line, is_copy in self._under_way
        )

    def cut(self) -> bytes:
        """Lose everything under way; return it."""
        lost = b"".join(line for _, line, _ in self._under_way)
        self._under_way.clear()
        return lost

    def stuff(self, data: bytes, now_ms: int) -> None:
        """Put bytes of before on the wire."""
        if data:
            self._under_way.append((now_ms, data, True))


class Line:
    """A USB cable: the table writes and reads at one end, at the other is a port to be opened.

    What a table says while nobody has the port open is lost, but for the last of it where the line
    `keeps_stale` bytes. `garbage` is what the next opener finds besides, `noise` what the table
    gets then. `most_unread` is the largest number of lines that a table had to wait with, HELLOs
    apart. Whoever lets time pass sets `now_ms`.
    """

    def __init__(self, rng: Random) -> None:
        self.now_ms = 0
        self.to_host = Wire(rng)
        self.to_table = Wire(rng)
        self.keeps_stale = False
        self.garbage = b""
        self.noise = b""
        self.most_unread = 0
        self.is_plugged = True
        self._stale = b""
        self._port: LinePort | None = None

    # ---- the table's end

    def write(self, data: bytes) -> None:
        """Send a line to the PC, if it listens."""
        if self._port is None:
            if self.keeps_stale:
                self._stale = (self._stale + data)[-STALE:]
            return
        self.to_host.write(data, self.now_ms)
        unread = self.to_host.unread()
        if unread > self.most_unread:  # which is rare
            self.most_unread = max(self.most_unread, unread - self.to_host.greetings())

    def read(self) -> bytes:
        """Return what has come from the PC, as much as the firmware reads at once."""
        data = self.to_table.take(self.now_ms, _USB_BYTES)
        if self.to_table.is_torn:
            self.unplug()
        return data

    def restart(self) -> None:
        """The table starts anew and has forgotten what came, and what it was to send."""
        self.to_table.cut()
        self._stale = b""

    # ---- the cable

    def unplug(self) -> None:
        """Pull the cable out; everything under way is lost."""
        self.is_plugged = False
        self.hang_up()
        self.to_table.cut()

    def plug(self) -> None:
        """Put it in again."""
        self.is_plugged = True

    # ---- the PC's end

    def open(self, name: str) -> LinePort:
        """Open the port; raises PortError while the cable is out."""
        if not self.is_plugged:
            raise PortError(f"{name} does not exist")
        self.to_host.stuff(self._stale + self.garbage, self.now_ms)
        self.to_table.stuff(self.noise, self.now_ms)
        self._stale = self.garbage = self.noise = b""
        self._port = LinePort(name, self)
        return self._port

    def hang_up(self, port: LinePort | None = None) -> None:
        """Close the PC's end of the line; with a `port`, only if that one has it open."""
        if self._port is not None and port in (None, self._port):
            lost = self.to_host.cut()
            self._stale = lost[-STALE:] if self.keeps_stale else b""
            self._port = None

    def is_open_at(self, port: LinePort) -> bool:
        """Tell whether this is the port that is open."""
        return port is self._port


class LinePort:
    """The PC's open port; `live.connection` takes it as one."""

    def __init__(self, name: str, line: Line) -> None:
        self.name = name
        self.unsent = 0
        self._line = line

    def read(self) -> bytes:
        """Return what has come; raises PortError when the cable was pulled out."""
        line = self._line
        if not line.is_open_at(self):
            raise PortError(f"{self.name} vanished")
        data = line.to_host.take(line.now_ms)
        if line.to_host.is_torn:
            line.unplug()
        return data

    def write(self, data: bytes) -> None:
        """Send; raises PortError when the cable was pulled out."""
        line = self._line
        if not line.is_open_at(self):
            raise PortError(f"{self.name} vanished")
        line.to_table.write(data, line.now_ms)

    def close(self) -> None:
        """Close it; what was sent arrives."""
        self._line.hang_up(self)
