"""What the PC is to be told, kept until the lights have answered.

Writing a line takes milliseconds; a lift is answered by light first. Edges, which come while
somebody waits for that light, are kept without allocating.
"""

from array import array

from ttykm.mp import const

if False:
    from chronotable.link.link import Link

_SIZE = const(64)
_TIME_MASK = const(0xFFFFFFFF)  # an event's time has 32 bits: 49 days
_EDGE = const(0)
_POST = const(1)


class Outbox:
    """Events in their order, for `link`; a full one is flushed on the spot."""

    def __init__(self, link: "Link") -> None:
        self._link = link
        self._kinds = bytearray(_SIZE)
        self._sensors = bytearray(_SIZE)
        self._closed = bytearray(_SIZE)
        self._times = array("I", bytes(4 * _SIZE))
        self._count = 0
        self._posts: list[tuple[str, int, dict[str, int | str | None]]] = []

    def edge(self, sensor: int, closed: bool, at_ms: int) -> None:
        """Keep a debounced change; allocates nothing."""
        at = self._next(_EDGE)
        self._sensors[at] = sensor
        self._closed[at] = closed
        self._times[at] = at_ms & _TIME_MASK

    def post(self, name: str, at_ms: int, **fields: "int | str | None") -> None:
        """Keep any other event."""
        self._next(_POST)
        self._posts.append((name, at_ms & _TIME_MASK, fields))

    def flush(self) -> None:
        """Hand everything to the link."""
        link = self._link
        others = 0
        for at in range(self._count):
            if self._kinds[at] == _EDGE:
                sensor, closed = self._sensors[at], self._closed[at]
                link.post_event("edge", self._times[at], sensor=sensor, closed=closed)
            else:
                name, at_ms, fields = self._posts[others]
                link.post_event(name, at_ms, **fields)
                others += 1
        self._count = 0
        if others:
            self._posts = []

    def _next(self, kind: int) -> int:
        if self._count == _SIZE:
            self.flush()
        at = self._count
        self._kinds[at] = kind
        self._count = at + 1
        return at
