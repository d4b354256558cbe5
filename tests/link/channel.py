"""A seeded faulty cable with a table on one end and a PC on the other; time is counted, not waited.

`Wire` is one direction. `LinkPair` is both ends with the loops that an application has, a record
of the truth (what was posted, sent, executed), and the misfortunes: stall, unplug, reboot.
"""

import random
from collections.abc import Callable
from typing import Any

from chronotable.link import TABLE, Identity, Link
from chronotable.messages import BULK, row_of
from chronotable_host.link.pc_link import PcLink
from tests.lab.line import STALE, Wire
from tests.link.ends import kind_of

UNREAD_LINES = 5  # the sixth blocks the table's writer


class LinkPair:
    """A table and a PC that play on whatever the cable does."""

    def __init__(self, seed: int, start_ms: int = 0) -> None:
        self.rng = random.Random(seed)
        self.now_ms = start_ms
        self.to_host = Wire(self.rng)
        self.to_table = Wire(self.rng)
        self.boots: list[int] = []
        self.posted: dict[int, list[tuple[str, dict[str, Any]]]] = {}
        self.received: dict[int, list[tuple[str, Any]]] = {}
        self.states: dict[str, dict[str, Any]] = {}
        self.shown: dict[str, dict[str, Any]] = {}
        self.sent: list[int] = []
        self.executed: list[int] = []
        self.unclear: list[int] = []
        self.bulk: list[tuple[str, dict[str, Any]]] = []  # of this session
        self.next_bulk: Callable[[], Callable[[], str]] | None = None  # what a fetch begins
        self.host_events: list[Any] = []
        self.table_events: list[Any] = []
        self.most_unread = 0
        self.is_plugged = True
        self.table_period_ms = self.rng.choice((1, 10, 25))
        self._table_ran_ms = start_ms
        self.host_stalls_until = 0
        self.table_stalls_until = 0
        self._stale = b""
        self._boot = 0
        self.reboot()
        self.host = PcLink(
            Identity(unique_id="c0ffee", session=self.rng.randrange(65536)), max_events=64
        )
        self.host.open(self.now_ms)

    # -- what happens to them

    def reboot(self) -> None:
        """Start the table anew: its memory is gone, what it wrote is still under way."""
        self.boots.append(self.rng.choice([b for b in range(1, 99) if b not in self.boots]))
        self.posted[self.boots[-1]] = []
        identity = Identity("test", 0xDEADBEEF, "e66038b713", boot=self.boots[-1])
        self.table = Link(TABLE, identity)
        self.table.open(self.table_ms())
        self.to_table.cut()
        self.states = {}

    def unplug(self) -> None:
        """Pull the cable."""
        self.is_plugged = False
        self._stale = self.to_host.cut()[-STALE:]
        self.to_table.cut()
        self.host.close()

    def plug(self) -> None:
        """Put it back: the PC opens the port and finds stale bytes in it."""
        self.is_plugged = True
        self.to_host.cut()
        self.to_host.stuff(self._stale, self.now_ms)
        self.host.open(self.now_ms)

    def set_faults(
        self,
        flips: float,
        drops: float = 0.0,
        doubles: float = 0.0,
        cuts: float = 0.0,
        garbage: float = 0.0,
    ) -> None:
        """Make both directions as bad as that."""
        for wire in (self.to_host, self.to_table):
            wire.flips, wire.drops, wire.doubles = flips, drops, doubles
            wire.cuts, wire.garbage = cuts, garbage

    # -- what they do

    def table_ms(self) -> int:
        """Return the time as the table has it."""
        return self.now_ms % 2**30

    def post(self, name: str, **values: Any) -> int:
        """Let the table post an event."""
        number = self.table.post_event(name, self.table_ms(), **values)
        self.posted[self.boots[-1]].append(
            (name, {**values, "number": number, "time_ms": self.table_ms()})
        )
        return number

    def show(self, name: str, **values: Any) -> None:
        """Let the table send a state."""
        self.table.send(name, **values)
        self.states[name] = values

    def command(self) -> None:
        """Let the PC send the next command; they are told apart by their value."""
        number = len(self.sent)
        self.host.send("set", setting=1, value=number)
        self.sent.append(number)

    def step(self, most_ms: int = 5) -> None:
        """Let some milliseconds pass and both loops run once."""
        self.now_ms += self.rng.randint(1, most_ms)
        if self.now_ms >= max(self.table_stalls_until, self._table_ran_ms + self.table_period_ms):
            self._table_ran_ms = self.now_ms
            self._run_table()
        if self.now_ms >= self.host_stalls_until and self.is_plugged:
            self._run_host()

    def run(self, duration_ms: int) -> None:
        """Let this time pass."""
        end = self.now_ms + duration_ms
        while self.now_ms < end:
            self.step()

    def _run_table(self) -> None:
        for piece in self.to_table.read(self.now_ms):
            self.table.receive(piece, self.table_ms())
        while (event := self.table.next_event()) is not None:
            self.table_events.append(event)
            if kind_of(event) == "message" and event.name == "set":
                self.executed.append(event.values["value"])
            elif kind_of(event) == "message" and event.name == "fetch" and self.next_bulk:
                self.table.serve(self.next_bulk())
        self.table.tick(self.table_ms())
        while line := self.table.data_to_send(max_lines=1):
            if self.is_plugged:
                self.to_host.write(line, self.now_ms)
                self.most_unread = max(self.most_unread, self.to_host.unread())
            else:
                self._stale = (self._stale + line)[-STALE:]

    def _run_host(self) -> None:
        for piece in self.to_host.read(self.now_ms):
            self.host.receive(piece, self.now_ms)
        while (event := self.host.next_event()) is not None:
            self.host_events.append(event)
            if kind_of(event) == "connected":
                self._boot = event.info.boot
                if event.fresh:
                    self.shown = {}
                    self.bulk = []
            elif kind_of(event) == "gap":
                self.received.setdefault(self._boot, []).append(("gap", (event.first, event.last)))
            elif kind_of(event) == "command_lost":
                self.unclear.append(event.values["value"])
            elif kind_of(event) == "message" and "number" in event.values:
                self.received.setdefault(self._boot, []).append((event.name, event.values))
            elif kind_of(event) == "message" and row_of(event.name)[3] == BULK:
                self.bulk.append((event.name, event.values))
            elif kind_of(event) == "message":
                self.shown[event.name] = event.values
        self.host.tick(self.now_ms)
        self.to_table.write(self.host.data_to_send(), self.now_ms)

    # -- what must be true

    def check(self) -> None:
        """After a quiet time: every event once and in order or in a gap, and so on."""
        assert self.host.connected
        assert self.table.connected
        for boot in self.boots:
            due = 1
            posted = self.posted[boot]
            for name, values in self.received.get(boot, []):
                if name == "gap":
                    first, last = values
                    assert first == due & 0xFFFF
                    due += ((last - first) & 0xFFFF) + 1
                else:
                    assert (name, values) == posted[due - 1]
                    due += 1
            if boot == self.boots[-1]:
                assert due == len(posted) + 1
        assert self.shown == self.states
        assert self.executed == sorted(set(self.executed)), "twice or out of order"
        assert set(self.sent) == set(self.executed) | set(self.unclear)
        if len(self.boots) == 1:
            assert not self.unclear
        assert self.most_unread <= UNREAD_LINES
