"""Limits on the server's connections: how many there may be, which one is ended, which is too slow.

A connection is *known* once a request of it was let in, for which it needs the cookie or the token
where there is one; until then it may be anybody's. One rule: a new connection always gets a slot,
and an unknown one loses its own. So idle connections, however many, cannot keep out the owner, who
comes from this PC, or from a phone whose cookie makes it known some milliseconds later.
"""

from __future__ import annotations

import ipaddress
import time
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from chronotable_host.web.guard import Clock, Refusals

if TYPE_CHECKING:
    from asyncio import Transport

MOST = 128
"""Some systems give a program 256 files, and the game needs its own."""
MOST_BEYOND = 104
"""From beyond this PC: the others are kept for this PC."""
MOST_STRANGERS = 64
"""From beyond this PC and not known: the others are kept for who is."""
MOST_OF_ADDRESS = 16
"""From one address and not known; a browser opens six, and some more before it needs them."""
REQUEST_S = 10.0
"""How long a request may take to come in, and an answer or a farewell that is not read to go on."""

_OWN = frozenset(("127.0.0.1", "::1"))  # what programs on this PC come from unless they choose
_NET_BITS = 64  # of an IPv6 address: the rest is its owner's choice


class Slot:
    """One connection. The server sets `is_known` and `is_socket` (a WebSocket), and `is_idle`.

    `is_idle` tells whether the connection waits for a request, and has none to answer.
    """

    def __init__(
        self, transport: Transport, address: str, is_idle: Callable[[], bool], now_s: float
    ) -> None:
        self.transport = transport
        self.address = address
        self.is_idle = is_idle
        self.is_known = False
        self.is_socket = False
        self.has_spoken = False
        self.since_s = now_s
        self.network, self.is_own = _network(address)
        self.due_s: float | None = now_s + REQUEST_S  # when the request has to be there
        self._unread = 0
        self._unread_since_s = now_s

    def expect(self, is_incomplete: bool, now_s: float) -> None:
        """Begin to wait for the rest of a request, or to wait no more: it is there."""
        self.has_spoken = True
        if not is_incomplete:
            self.due_s = None
        elif self.due_s is None:
            self.due_s = now_s + REQUEST_S

    def fault(self, now_s: float) -> str:
        """Return what takes this connection too long, "" for nothing."""
        unread = self.transport.get_write_buffer_size()
        if unread == 0 or unread < self._unread or not self._unread:
            self._unread_since_s = now_s
        self._unread = unread
        if self.due_s is not None and now_s >= self.due_s:
            return f"no whole request came within {REQUEST_S:.0f} seconds"
        # a viewer's patience is the socket's own matter, until that is closed
        is_watched = not self.is_socket or self.transport.is_closing()
        if is_watched and now_s >= self._unread_since_s + REQUEST_S:
            return f"nothing was read for {REQUEST_S:.0f} seconds"
        return ""


class _Limit(NamedTuple):
    """At most so many of the slots that are counted, if the new one is; `why` tells the log."""

    most: int
    counts: Callable[[Slot, Slot], bool]
    why: str


_LIMITS = (
    _Limit(
        MOST_OF_ADDRESS,
        lambda slot, new: not slot.is_known and slot.network == new.network,
        "its address has {} without a request already",
    ),
    _Limit(
        MOST_STRANGERS,
        lambda slot, _new: not slot.is_known and not slot.is_own,
        "there are {} without a request already",
    ),
    _Limit(MOST_BEYOND, lambda slot, _new: not slot.is_own, "there are {} from beyond already"),
    _Limit(MOST, lambda _slot, _new: True, "there are {} already"),
)


class Slots:
    """All connections of a server; for its thread alone. It may have so many times the usual."""

    def __init__(self, clock: Clock = time.monotonic, times: int = 1) -> None:
        self.clock = clock
        self._times = times
        self._slots: dict[Slot, None] = {}  # in the order in which they came
        self._refusals = Refusals(clock)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._slots)

    def admit(self, new: Slot) -> None:
        """Give a connection a slot, and end the one that has to make room for it.

        That is one that is not known, or else one that is idle. Where all are at work it is the new
        one itself.
        """
        self._slots[new] = None
        for limit in _LIMITS:
            counted = [slot for slot in self._slots if limit.counts(slot, new)]
            most = limit.most * self._times
            if new in counted and len(counted) > most:
                self._end(self._who_makes_room(counted, new), limit.why.format(most))

    def leave(self, slot: Slot) -> None:
        """Forget a connection that has ended."""
        self._slots.pop(slot, None)

    def sweep(self) -> None:
        """End the connections that take too long."""
        now_s = self.clock()
        for slot in list(self._slots):
            fault = slot.fault(now_s)
            if fault and slot.has_spoken:
                self._end(slot, fault)
            elif fault:  # browsers open some in advance: nothing to tell of
                self._drop(slot)

    def _who_makes_room(self, counted: list[Slot], new: Slot) -> Slot:
        """Return a stranger of the network with the most of them, the oldest; else see `admit`."""
        crowd = Counter(slot.network for slot in counted if not slot.is_known)
        others = [
            slot for slot in counted if slot is not new and (not slot.is_known or slot.is_idle())
        ]
        return min(
            others,
            key=lambda slot: (slot.is_known, slot.is_own, -crowd[slot.network], slot.since_s),
            default=new,
        )

    def _end(self, slot: Slot, why: str) -> None:
        self._refusals.note("a connection", slot.address, why)
        self._drop(slot)

    def _drop(self, slot: Slot) -> None:
        self.leave(slot)
        slot.transport.abort()


def _network(address: str) -> tuple[str, bool]:
    """Return whose an address is, by its network, and whether that is this PC."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address, False
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is None:
            is_own = str(parsed) in _OWN
            return str(ipaddress.ip_network((int(parsed), _NET_BITS), strict=False)), is_own
        parsed = parsed.ipv4_mapped  # how a socket for both sees IPv4
    return str(parsed), str(parsed) in _OWN
