"""What waits to be sent, the most urgent first.

That is: what the peer said and nobody here knows; events, or that some are lost; commands; states
that changed; and, for as long as nothing else waits, what is served on demand.
"""

from chronotable.frames import LocalLinkError
from chronotable.messages import (
    COMMAND,
    EVENT,
    STATE,
    TO_HOST,
    TO_TABLE,
    encode_fields,
    fields_of,
    row_for,
    row_of,
)
from chronotable.ring import EventRing
from ttykm.mp import const

if False:
    from collections.abc import Callable

    from chronotable.messages import Row, Value

_COMMANDS_MAX = const(8)
_UNSUPPORTED_MAX = const(4)


class Backlog:
    """What one end wants to say; only the table has events, states and something to serve.

    Lines are given as their type's letter and the payload in one text.
    """

    def __init__(self, is_table: bool, counters: "dict[str, int]") -> None:
        self._way = TO_HOST if is_table else TO_TABLE
        self._counters = counters
        self.ring = EventRing() if is_table else None
        self.commands: list[str] = []
        self.unsupported: list[str] = []
        self._states: dict[str, str] = {}
        self._shown: dict[str, str] = {}
        self._dirty: list[str] = []
        self._next_bulk: Callable[[], str] | None = None

    # -- in

    def post_event(self, name: str, time_ms: int, fields: "dict[str, Value]") -> int:
        """Number and keep an event; return its number.

        Raises: LocalLinkError if there is no such event or a field does not fit.
        """
        row = self._row(name, EVENT)
        ring = self.ring
        if ring is None:
            raise LocalLinkError("the PC has no events")
        number = ring.next_number
        fields["number"] = number
        fields["time_ms"] = time_ms
        self._counters["tx_dropped"] += ring.append(row[0], encode_fields(row, fields))
        return number

    def send(self, name: str, fields: "dict[str, Value]") -> None:
        """Keep a state, if it changed, or a command.

        Raises: LocalLinkError as `Link.send`.
        """
        row = row_of(name)
        if row[3] == STATE:
            self._row(name, STATE)
            if name == "counters":
                self._count_in(row, fields)
            payload = encode_fields(row, fields)
            if self._states.get(row[0]) != payload:
                self._states[row[0]] = payload
                if row[0] not in self._dirty:
                    self._dirty.append(row[0])
            return
        self._row(name, COMMAND)
        if len(self.commands) >= _COMMANDS_MAX:
            raise LocalLinkError("%s: %d commands wait already" % (name, _COMMANDS_MAX))
        self.commands.append(row[0] + encode_fields(row, fields))

    def _count_in(self, row: "Row", fields: "dict[str, Value]") -> None:
        """Fill in the link's own counts that the caller did not give."""
        for field in fields_of(row):
            name = field[0]
            if name in self._counters and name not in fields:
                fields[name] = min(0xFFFF, self._counters[name])

    def serve(self, next_line: "Callable[[], str]") -> None:
        """Keep what gives the lines that are served on demand.

        Raises: LocalLinkError at the PC's end.
        """
        if self.ring is None:
            raise LocalLinkError("the PC serves nothing")
        self._next_bulk = next_line

    def complain(self, letter: str) -> None:
        """Keep the letter of a type that nobody here knows; of too many some are passed over."""
        if len(self.unsupported) < _UNSUPPORTED_MAX:
            self.unsupported.append(letter)

    def _row(self, name: str, kind: str) -> "Row":
        row = row_of(name)
        if row_for(row[0], self._way) is None:
            raise LocalLinkError(
                "%s: the %s does not say that" % (name, "PC" if self.ring is None else "table")
            )
        if row[3] != kind:
            raise LocalLinkError("%s is no %s but a %s" % (name, kind, row[3]))
        return row

    # -- out

    def restart(self) -> None:
        """Begin a session: what answered the one before is forgotten, states are due again."""
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
        if ring is not None and ring.has_next():
            if ring.wanted == ring.cursor:
                return ring.take()
            first = ring.wanted
            ring.wanted = ring.cursor
            self._counters["gaps"] += 1
            return "X%04x%04x" % (first, (ring.cursor - 1) & 0xFFFF)
        if self.commands:
            return self.commands.pop(0)
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
