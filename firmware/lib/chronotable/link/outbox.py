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
_POST = const(255)  # in place of an edge


class Outbox:
    """Events in their order, for `link`; a full one is flushed on the spot."""

    def __init__(self, link: "Link") -> None:
        self._link = link
        self._edges = bytearray(_SIZE)  # twice a sensor, and one if it closed; or _POST
        self._times = array("I", bytes(4 * _SIZE))
        self._count = 0
        self._posts: list[tuple[str, int, dict[str, int | str | None]]] = []

    def edge(self, sensor: int, closed: bool, at_ms: int) -> None:
        """Keep a debounced change; allocates nothing."""
        self._times[self._keep(sensor << 1 | closed)] = at_ms & _TIME_MASK

    def post(self, name: str, at_ms: int, **fields: "int | str | None") -> None:
        """Keep any other event."""
        self._keep(_POST)
        self._posts.append((name, at_ms & _TIME_MASK, fields))

    def _keep(self, edge: int) -> int:
        """Keep an edge, or that something else follows; return its place."""
        if self._count == _SIZE:
            self.flush()
        at = self._count
        self._edges[at] = edge
        self._count = at + 1
        return at

    def flush(self) -> None:
        """Hand everything to the link."""
        link = self._link
        others = 0
        for at in range(self._count):
            edge = self._edges[at]
            if edge != _POST:
                link.post_event("edge", self._times[at], sensor=edge >> 1, closed=edge & 1)
            else:
                name, at_ms, fields = self._posts[others]
                link.post_event(name, at_ms, **fields)
                others += 1
        self._count = 0
        if others:
            self._posts = []
