"""A cable that can be trusted with nothing, between a table and a PC's port; time is counted.

`Wire` is one direction, with seeded faults. `Line` is both of them, with a port that is opened,
closed and pulled out. `Pair` has a table and a PC at its ends. Nothing here waits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from chronotable.link.happenings import Connected, Message
from chronotable.link.window import WINDOW
from chronotable_host.link.pc_link import LostEvents
from chronotable_host.live.line.port import PortError
from tests.lab.hostile.case import Unsound, expect

STALE = 256
"""MicroPython up to 1.28 gives the next opener so many bytes of what it said to nobody."""

_OF_A_HELLO = b"H"
_LETTER = slice(5, 6)  # of a frame
_SPLIT = 0.5  # of all lines, where a wire splits
_SPLIT_MS = 15
_USB_BYTES = 96  # the firmware reads no more at once
_ROUND_MS = 5
_PATIENCE_MS = 20_000
_LOOK_MS = 50
_STAY_MS = 300  # so long what both ends agree on is watched

REPEATED = ("resends", "duplicates", "out_of_order", "crc_errors", "gaps", "violations")
"""What on a good line is never counted."""


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
        self.is_plugged = False
        self.hang_up()
        self.to_table.cut()

    def plug(self) -> None:
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
        return port is self._port


class LinePort:
    """The PC's open port; `live.line.connection` takes it as one."""

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
        line = self._line
        if not line.is_open_at(self):
            raise PortError(f"{self.name} vanished")
        line.to_table.write(data, line.now_ms)

    def close(self) -> None:
        """Close it; what was sent arrives."""
        self._line.hang_up(self)


class InOrder:
    """Sees to it that every event of a boot comes once and in order, or is told as lost."""

    def __init__(self) -> None:
        self.boot = 0
        self.due = 0  # number of the next event
        self.gaps = 0

    def hear(self, event: object) -> None:
        """Take what the PC hears; raises Unsound."""
        if isinstance(event, Connected) and event.info.boot != self.boot:
            self.boot, self.due = event.info.boot, 1
        elif isinstance(event, LostEvents):
            expect(event.first == self.due, f"events {self.due} to {event.first - 1} are missing")
            self.due = event.last + 1
            self.gaps += 1
        elif isinstance(event, Message) and "number" in event.values:
            number = event.values["number"]
            expect(number == self.due, f"event {self.due} was due, {number} came")
            self.due += 1


class Outcome(NamedTuple):
    """What came of a pair: figures by name, and what was wrong, "" for nothing."""

    name: str
    counts: Counter[str]
    problem: str = ""


class Pair:
    """A table and a PC at the ends of a line; `now_ms` is the time of both.

    A round of the table's loop takes 5 ms, one of the PC's twice as long. Each kind of pair says
    what is at its ends, and what has to be true of them.
    """

    table: Any
    pc: Any

    def __init__(self, line: Line) -> None:
        self.line = line
        self.stalled_until_ms = 0  # the PC
        self.replugs_ms = -1  # when somebody puts the cable in again

    @property
    def now_ms(self) -> int:
        return self.line.now_ms

    def step(self) -> None:
        line = self.line
        line.now_ms += _ROUND_MS
        if 0 <= self.replugs_ms <= line.now_ms:
            self.replugs_ms = -1
            line.plug()
        self.table.round()
        if line.now_ms % (2 * _ROUND_MS) == 0 and line.now_ms >= self.stalled_until_ms:
            self.pc.run()

    def run(self, duration_ms: int) -> None:
        end_ms = self.now_ms + duration_ms
        while self.now_ms < end_ms:
            self.step()

    def stall(self, for_ms: int) -> None:
        self.stalled_until_ms = self.now_ms + for_ms

    def unplug(self, for_ms: int) -> None:
        self.line.unplug()
        self.replugs_ms = self.now_ms + for_ms

    def settle(self) -> int:
        """Wait until both agree and nothing is left to do; return how long that took, in ms.

        Raises Unsound where they do not agree in time, or where it does not stay so.
        """
        begun_ms = self.now_ms
        while problem := self.problem():
            expect(self.now_ms - begun_ms < _PATIENCE_MS, problem)
            self.run(_LOOK_MS)
        took_ms = self.now_ms - begun_ms
        self.run(_STAY_MS)
        problem = self.problem()
        expect(not problem, f"and then: {problem}")
        unread = self.line.most_unread
        expect(unread <= WINDOW, f"{unread} lines waited for the PC to read them")
        return took_ms

    def outcome(self, name: str, course: Callable[[], int]) -> Outcome:
        """Return what comes of a course of things, which returns how long they took to settle."""
        problem, took_ms = "", 0
        try:
            took_ms = course()
        except Unsound as error:
            problem = str(error)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        finally:
            self.pc.kill(0)
        counts = self.counts()
        counts["settled ms"], counts["unread"] = took_ms, self.line.most_unread
        return Outcome(name, counts, problem)

    def never(self, *names: str) -> None:
        counts = self.counts()
        for name in names:
            expect(not counts[name], f"{counts[name]} {name}")

    def problem(self) -> str:
        """Return what is not yet as it has to be, "" where all is well."""
        raise NotImplementedError

    def counts(self) -> Counter[str]:
        """Return what both ends counted, over all their lives."""
        raise NotImplementedError
