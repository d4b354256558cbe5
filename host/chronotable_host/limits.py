"""Limits on what comes from elsewhere: how often, how many connections, and which one is ended.

A connection is *known* once a request of it was let in, for which it needs the cookie or the token
where there is one, or the name of a room; until then it may be anybody's. One rule: a new
connection always gets a slot, and an unknown one loses its own. So idle connections, however many,
cannot keep out the owner, who comes from this PC, or from a phone whose cookie makes it known some
milliseconds later.
"""

import ipaddress
import logging
import time
from collections import Counter, deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from chronotable_host.errors import printable
from chronotable_host.language import tr

if TYPE_CHECKING:
    from asyncio import WriteTransport

MOST = 128
"""Some systems give a program 256 files, and the game needs its own."""
MOST_BEYOND = 104
"""From beyond this PC: the others are kept for this PC."""
MOST_STRANGERS = 64
"""From beyond this PC and not known: the others are kept for who is."""
MOST_OF_ADDRESS = 16
"""From one address and not known; a browser opens six, and some more before it needs them."""
MOST_OF_KNOWN_ADDRESS = 64
"""From one address beyond this PC, known or not: nobody takes all that there are."""
REQUEST_S = 10.0
"""How long a request may take to come in, and an answer or a farewell that is not read to go on."""

Clock = Callable[[], float]
LOG = logging.getLogger("chronotable.page")

_LOGGED_A_MINUTE = 20
_MOST_QUOTED = 100
_MOST_NETWORKS = 1000
_OWN = frozenset(("127.0.0.1", "::1"))  # what programs on this PC come from unless they choose
_NET_BITS = 64  # of an IPv6 address: the rest is its owner's choice


class Quota:
    """So many things in so many seconds, and no more."""

    def __init__(self, most: int, within_s: float, clock: Clock = time.monotonic) -> None:
        self._times: deque[float] = deque(maxlen=most)
        self._within_s = within_s
        self._clock = clock

    def allows(self) -> bool:
        """Tell whether one more may be, and count it if so."""
        now, times = self._clock(), self._times
        if len(times) == times.maxlen and now - times[0] < self._within_s:
            return False
        times.append(now)
        return True


class Quotas:
    """A quota for each network: the addresses that one sender may choose from."""

    def __init__(self, most: int, within_s: float, clock: Clock = time.monotonic) -> None:
        self._new = partial(Quota, most, within_s, clock)
        self._quotas: dict[str, Quota] = {}

    def allows(self, address: str) -> bool:
        """Tell whether one more may come from an address, and count it if so."""
        network, _ = network_of(address)
        quota = self._quotas.pop(network, None) or self._new()
        self._quotas[network] = quota  # the last to be forgotten
        if len(self._quotas) > _MOST_NETWORKS:
            del self._quotas[next(iter(self._quotas))]
        return quota.allows()


class Refusals:
    """Tells the log what was refused, and seldom enough that nobody can fill the disk with it.

    `total` is a quota that others use, too.
    """

    def __init__(
        self, clock: Clock = time.monotonic, total: Quota | None = None, log: logging.Logger = LOG
    ) -> None:
        self._log = log
        self._quota = Quota(_LOGGED_A_MINUTE, 60, clock)
        self._total = total
        self._left_out = 0

    def note(self, what: str, where: str, why: str, level: int = logging.WARNING) -> None:
        """Log that `what` from `where` was refused; all texts may be strangers'."""
        if not self._quota.allows() or not (self._total is None or self._total.allows()):
            self._left_out += 1
            return
        more = " " + tr("({n} more before it)", n=self._left_out) if self._left_out else ""
        self._left_out = 0
        what, why = (printable(text[: 4 * _MOST_QUOTED]) for text in (what, why))
        self._log.log(level, "refused: %s from %s: %s%s", what, where, why, more)


class Slot:
    """One connection. The server sets `is_known` and `is_socket` (a WebSocket), and `is_idle`.

    `is_idle` tells whether the connection waits for a request, and has none to answer.
    """

    def __init__(
        self, transport: "WriteTransport", address: str, is_idle: Callable[[], bool], now_s: float
    ) -> None:
        self.transport = transport
        self.address = address
        self.is_idle = is_idle
        self.is_known = False
        self.is_socket = False
        self.has_spoken = False
        self.since_s = now_s
        self.network, self.is_own = network_of(address)
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
    _Limit(
        MOST_OF_KNOWN_ADDRESS,
        lambda slot, new: not slot.is_own and slot.network == new.network,
        "its address has {} already",
    ),
    _Limit(MOST_BEYOND, lambda slot, _new: not slot.is_own, "there are {} from beyond already"),
    _Limit(MOST, lambda _slot, _new: True, "there are {} already"),
)


class Slots:
    """All connections of a server; for its thread alone. It may have so many times the usual."""

    def __init__(
        self, clock: Clock = time.monotonic, times: int = 1, log: logging.Logger = LOG
    ) -> None:
        self.clock = clock
        self._times = times
        self._slots: dict[Slot, None] = {}  # in the order in which they came
        self._refusals = Refusals(clock, log=log)

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

    def end_all(self) -> None:
        """End all connections."""
        for slot in list(self._slots):
            self._drop(slot)

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


def network_of(address: str) -> tuple[str, bool]:
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
