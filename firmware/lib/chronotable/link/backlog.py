"""What waits at the table to be sent, the most urgent first (the PC's: chronotable_host.link).

That is: types of the peer's lines that are unknown here; events, or that some are lost; states
that changed; and, while nothing else waits, what is served on demand.
"""

from chronotable.link.messages import EVENT, STATE, encode_fields, row_of
from chronotable.link.ring import EventRing
from ttykm.mp import const

if False:
    from collections.abc import Callable

    from chronotable.link.messages import Value

_UNSUPPORTED_MAX = const(4)


class Backlog:
    """What the table wants to say; a line is its type's letter and the payload in one text."""

    def __init__(self, counters: "dict[str, int]") -> None:
        self._counters = counters
        self.ring = EventRing()
        self.unsupported: list[str] = []
        self._states: dict[str, str] = {}
        self._shown: dict[str, str] = {}
        self._dirty: list[str] = []
        self._next_bulk: Callable[[], str] | None = None

    # ---- in

    def post_event(self, name: str, time_ms: int, fields: "dict[str, Value]") -> int:
        """Number and keep an event; return its number. Raises as `encode_fields`."""
        row = row_of(name, EVENT)
        ring = self.ring
        number = ring.next_number
        fields["number"] = number
        fields["time_ms"] = time_ms
        self._counters["tx_dropped"] += ring.append(row[0], encode_fields(row, fields))
        return number

    def send(self, name: str, fields: "dict[str, Value]") -> None:
        """Keep a state, if it changed; raises LocalLinkError as `Link.send`."""
        row = row_of(name, STATE)
        if name == "counters":  # the link's own, that the caller did not give
            for count in self._counters:
                if count in row[4] and count not in fields:
                    fields[count] = min(0xFFFF, self._counters[count])
        payload = encode_fields(row, fields)
        if self._states.get(row[0]) != payload:
            self._states[row[0]] = payload
            if row[0] not in self._dirty:
                self._dirty.append(row[0])

    def serve(self, next_line: "Callable[[], str]") -> None:
        """Keep what gives the lines that are served on demand."""
        self._next_bulk = next_line

    def add_unsupported(self, letter: str) -> None:
        """Keep the letter of a type that is unknown here; beyond four they are dropped."""
        if len(self.unsupported) < _UNSUPPORTED_MAX:
            self.unsupported.append(letter)

    # ---- out

    def restart(self, last: "int | None") -> None:
        """Begin a session: what answered the one before is forgotten, states are due again.

        `last` is the number of the last event that the PC has, None where it is of another boot.
        """
        self.ring.rewind(last)
        self.unsupported = []
        self._next_bulk = None
        self.show_again()

    def show_again(self) -> None:
        """Mark every state for sending."""
        self._shown = {}
        self._dirty = list(self._states)

    def take(self) -> str:
        """Return the most urgent line, and regard it as sent; "" if there is none."""
        ring = self.ring
        if self.unsupported:
            return "?" + self.unsupported.pop(0)
        if ring.has_next():
            if ring.wanted == ring.cursor:
                return ring.take()
            first = ring.wanted
            ring.wanted = ring.cursor
            self._counters["gaps"] += 1
            return "X%04x%04x" % (first, (ring.cursor - 1) & 0xFFFF)
        while self._dirty:
            letter = self._dirty.pop(0)
            payload = self._states[letter]
            if self._shown.get(letter) != payload:
                self._shown[letter] = payload
                return letter + payload
        if self._next_bulk is not None:
            text = self._next_bulk()
            if text:
                return text
            self._next_bulk = None
        return ""
