"""The serial link without the serial port: bytes and times in, happenings and lines out.

Two rules: time and bytes are arguments, never fetched; and whatever the peer sends, `receive`
neither raises nor grows. Both sides run this class; only HELLO knows which side it is on.

A session begins with the PC's HELLO, whose session number the table repeats; a PC that lost the
table asks for a new session, a table that lost the PC goes on when it hears it. Every line but
HELLO and ACK is reliable and ordered. What outlives a session: events stay in the table's ring and
are sent again from the one that the PC is missing; states are sent again; commands that the table
has not counted are sent again, unless the table restarted.
"""

from chronotable import frames
from chronotable.backlog import Backlog
from chronotable.frames import LineReader, LocalLinkError, RemoteLinkError
from chronotable.happenings import (
    CommandLost,
    Connected,
    Gap,
    LogLine,
    Message,
    PeerLost,
    Refused,
    Violation,
)
from chronotable.identity import HOST, TABLE, Identity, identity_of, refusal
from chronotable.messages import (
    EVENT,
    PROTOCOL_MAJOR,
    TO_HOST,
    TO_TABLE,
    decode_fields,
    is_hex,
    row_for,
    row_of,
)
from chronotable.window import VOUCH_MS, Window, since
from ttykm.mp import const

if False:
    from collections.abc import Callable
    from typing import Any

    from chronotable.messages import Row, Value, Values
    from chronotable.window import Sent

    __all__ = (  # for whoever has a link; takes no room on the table
        "CLOSED",
        "HOST",
        "LOST",
        "OPEN",
        "TABLE",
        "TRANSITIONS",
        "WAITING",
        "CommandLost",
        "Connected",
        "Gap",
        "Identity",
        "Link",
        "LogLine",
        "Message",
        "PeerLost",
        "Refused",
        "Violation",
    )

CLOSED = const(0)
WAITING = const(1)  # for the peer's HELLO
OPEN = const(2)
LOST = const(3)  # the peer is silent

_OPENED = const(0)
_CLOSED = const(1)
_GREETED = const(2)  # a HELLO that fits
_ASKED = const(3)  # the table wants a HELLO: it knows of no session
_REFUSED = const(4)  # a HELLO of another protocol
_HEARD = const(5)  # any other frame; a PC that is not OPEN hears only HELLOs
_SILENT = const(6)  # nothing for _LOST_MS

TRANSITIONS = (
    # opened, closed, greeted, asked, refused, heard, silent
    (WAITING, CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, CLOSED),  # CLOSED
    (WAITING, CLOSED, OPEN, WAITING, WAITING, WAITING, WAITING),  # WAITING
    (WAITING, CLOSED, OPEN, WAITING, WAITING, OPEN, LOST),  # OPEN
    (WAITING, CLOSED, OPEN, WAITING, WAITING, OPEN, LOST),  # LOST
)
"""The state after each happening, by the state before."""

_HELLO_MS = const(1000)
_HEARTBEAT_MS = const(900)  # so that with the caller's tick it stays under the promised second
_LOST_MS = const(3000)

_FEWEST_EVENTS = const(20)
_SPARE = const(4)  # events that one line, and a loss of the peer, may cause
_TIME_MASK = const(0x3FFFFFFF)  # the device's ticks_ms wraps here


class Link:
    """One end of the link.

    In its loop the application calls `receive` with all that has arrived, then takes events, then
    `tick`, then writes what `data_to_send` gives. `role` is HOST or TABLE; of the table's `hello`
    the boot number is not 0; of the PC's, the link keeps `boot` and `last` true, for the PC to
    store. At most `max_events` events wait for `next_event`; beyond, lines are dropped
    unacknowledged and come again.

    Raises: LocalLinkError if a field of `hello` is out of its range.
    """

    def __init__(self, role: str, hello: Identity, max_events: int = 32) -> None:
        if role not in (HOST, TABLE):
            raise LocalLinkError("there is no role %r" % role)
        if role == TABLE and hello.boot == 0:
            raise LocalLinkError("a table's boot number is not 0")
        if max_events < _FEWEST_EVENTS:
            raise LocalLinkError("too few events may wait")
        hello.payload("q")
        self.role = role
        self.hello = hello
        self.peer: Identity | None = None
        self.counters = {
            "crc_errors": 0,
            "overlong": 0,
            "resends": 0,
            "duplicates": 0,
            "out_of_order": 0,
            "gaps": 0,
            "unsupported": 0,
            "violations": 0,
            "rx_overflow": 0,
            "tx_dropped": 0,
            "log_lines": 0,
        }
        self._state = CLOSED
        self._now = 0
        self._reader = LineReader()
        self._events: list[Any] = []
        self._max_events = max_events
        self._is_refused = False
        self._hello_due = ""  # kind of the HELLO to send
        self._hello_ms = 0
        self._is_hello_held = False
        self._session = -1
        # receiving
        self._expected = 0
        self._accepted = 0  # reliable lines since this peer first connected, 16 bits
        self._ack_due = False
        self._ack_ready = False
        self._is_complaining = False
        self._complained_ms = 0
        self._heard_ms = 0
        # sending
        self._backlog = Backlog(role == TABLE, self.counters)
        self._window = Window(role == TABLE)
        self._confirmed = 0  # the peer's `_accepted`, as far as we know
        self._sent_ms = 0

    # -- the application's side

    @property
    def connected(self) -> bool:
        """Whether a session is open and the peer not silent."""
        return self._state == OPEN

    @property
    def state(self) -> int:
        """CLOSED, WAITING, OPEN or LOST."""
        return self._state

    def open(self, now_ms: int) -> None:
        """The port is open: greet, or wait for the greeting. Ends a session that there was."""
        self._now = now_ms & _TIME_MASK
        self._reader.reset()
        self._go(_OPENED)
        self._hello_due = ""
        self._is_hello_held = self._is_refused = False
        if self.role == HOST:
            self._greet()

    def close(self) -> None:
        """The port is gone: say nothing and hear nothing until `open`."""
        self._go(_CLOSED)

    def next_event(self) -> "Any":
        """Return the oldest event that was not taken yet, or None."""
        return self._events.pop(0) if self._events else None

    def post_event(self, name: str, time_ms: int, **fields: "Value") -> int:
        """Number, keep and send an event; `time_ms` is the table's time, 32 bits.

        Returns the event's number.
        Raises: LocalLinkError if there is no such event or a field does not fit.
        """
        return self._backlog.post_event(name, time_ms, fields)

    def send(self, name: str, **fields: "Value") -> None:
        """Send a state, if it changed, or a command.

        A state replaces the one of its type that waits; a command waits for the session. The state
        `counters` has the link's own counts filled in, where the caller leaves them out.
        Raises: LocalLinkError if there is no such message in this direction, a field does not fit
        or eight commands wait already.
        """
        self._backlog.send(name, fields)

    def serve(self, next_line: "Callable[[], str]") -> None:
        """Send what `next_line` gives, in the place of what was served before.

        It returns letter and payload of the next bulk line (`messages.encode`), "" at the end. It
        is asked when the window has room and nothing else waits, and forgotten when a session
        begins: a PC that still wants it asks again.
        Raises: LocalLinkError at the PC's end.
        """
        self._backlog.serve(next_line)

    def tick(self, now_ms: int) -> None:
        """Let time pass: resend, acknowledge, greet, miss the peer."""
        self._now = now = now_ms & _TIME_MASK
        if self._is_hello_held and since(now, self._hello_ms) >= _HELLO_MS:
            self._is_hello_held = False
        if self._state == OPEN and since(now, self._heard_ms) >= _LOST_MS:
            self._go(_SILENT)
            self._events.append(PeerLost())
            self._is_hello_held = False
        if self._state != OPEN:
            if self.role == HOST and self._state != CLOSED and not self._is_hello_held:
                self._greet()
            return
        self._window.tick(now)
        if self._is_complaining and since(now, self._complained_ms) > VOUCH_MS:
            self._is_complaining = False
            self._ack_due = True
        if self._ack_due or since(now, self._sent_ms) >= _HEARTBEAT_MS:
            self._ack_ready = True

    def data_to_send(self, max_lines: "int | None" = None) -> bytes:
        """Return the whole lines to write now, at most `max_lines`; empty if there are none."""
        data = b""
        count = 0
        while max_lines is None or count < max_lines:
            line = self._next_line()
            if not line:
                break
            data += line
            count += 1
        return data

    def receive(self, data: "bytes | bytearray | memoryview", now_ms: int) -> None:
        """Take what the peer sent, in pieces of any size. Never raises."""
        self._now = now_ms & _TIME_MASK
        if self._state == CLOSED:
            return
        reader = self._reader
        counters = self.counters
        at = reader.feed(data, 0)
        while at:
            kind = reader.finish()
            if frames.LOG in (kind, reader.junk):
                counters["log_lines"] += 1
                if self.role == HOST and self._has_room(_SPARE):
                    self._events.append(LogLine(reader.log()))
            elif frames.BROKEN in (kind, reader.junk):
                counters["crc_errors"] += 1
                self._complain()
            elif kind == frames.OVERLONG:
                counters["overlong"] += 1
                self._complain()
            if kind == frames.FRAME:
                try:
                    self._frame(reader.seq, reader.ack, reader.letter, reader.payload)
                except RemoteLinkError as error:
                    counters["violations"] += 1
                    if self._has_room(_SPARE):
                        self._events.append(Violation(str(error)))
            at = reader.feed(data, at)

    # -- receiving

    def _has_room(self, count: int) -> bool:
        return len(self._events) + count <= self._max_events

    def _go(self, happening: int) -> None:
        self._state = TRANSITIONS[self._state][happening]

    def _frame(self, seq: int, ack: int, letter: str, payload: str) -> None:
        if letter == "H":
            if self._has_room(_SPARE + len(self._window.lines) + len(self._backlog.commands)):
                self._hello(payload)
            else:
                self.counters["rx_overflow"] += 1
            return
        if self.role == HOST:
            if self._state != OPEN:  # stale bytes, or those of a table that restarted meanwhile
                return
        elif self._state == WAITING:
            if not self._is_hello_held:
                self._hold_hello("a")
            return
        if not self._has_room(_SPARE) and (letter != "K" or self._state == LOST):
            self.counters["rx_overflow"] += 1
            self._complain()
            return
        if self._state == LOST:
            self._resume(_HEARD)
        self._heard_ms = self._now
        self._confirmed = (self._confirmed + self._window.vouch(ack, self._now)) & 0xFFFF
        if letter == "K":
            return
        if seq != self._expected:
            name = "duplicates" if (self._expected - seq) & 0xFF <= 128 else "out_of_order"
            self.counters[name] += 1
            self._complain()
            return
        self._ack_due = True
        self._expected = (seq + 1) & 0xFF
        self._accepted = (self._accepted + 1) & 0xFFFF
        self._deliver(letter, payload)

    def _complain(self) -> None:
        """Say from where to send again: now, and once more when that vouches for the bad line."""
        self._ack_due = self._is_complaining = True
        self._complained_ms = self._now

    def _deliver(self, letter: str, payload: str) -> None:
        row = row_for(letter, TO_HOST if self.role == HOST else TO_TABLE)
        if row is None:
            self.counters["unsupported"] += 1
            self._backlog.complain(letter)
            return
        fields = decode_fields(row, payload)
        if row[3] == EVENT or letter == "X":
            self._deliver_event(row, fields)
            return
        if letter == "q":
            self._backlog.show_again()
        self._events.append(Message(row[1], fields))

    def _deliver_event(self, row: "Row", fields: "Values") -> None:
        hello = self.hello
        due = (hello.last + 1) & 0xFFFF
        if row[0] == "X":
            if fields["first"] != due:
                raise RemoteLinkError("gap: %s is not due" % fields["first"])
            self._report_gap(due, int(fields["last"] or 0))
            return
        number = int(fields["number"] or 0)
        if number != due:
            if (number - due) & 0xFFFF >= 0x8000:
                self.counters["duplicates"] += 1
                return
            self._report_gap(due, (number - 1) & 0xFFFF)
        hello.last = number
        self._events.append(Message(row[1], fields))

    def _report_gap(self, first: int, last: int) -> None:
        self.counters["gaps"] += 1
        self.hello.last = last
        self._events.append(Gap(first, last))

    # -- the session

    def _greet(self) -> None:
        """Ask for a new session, with a number of its own.

        Were a number used twice, the first asking could reach the table before it restarts and the
        second one after that, and one session would have two tables.
        """
        self._session = self.hello.session = (self.hello.session + 1) & 0xFFFF
        self._hold_hello("q")

    def _hold_hello(self, kind: str) -> None:
        """Send a HELLO, and none of our own accord for a second."""
        self._hello_due = kind
        self._hello_ms = self._now
        self._is_hello_held = True

    def _hello(self, payload: str) -> None:
        if len(payload) >= 3 and is_hex(payload[1:3]) and int(payload[1:3], 16) != PROTOCOL_MAJOR:
            self._refuse(payload[0], int(payload[1:3], 16))  # only so much is known of any HELLO
            return
        fields = decode_fields(row_of("hello"), payload)
        info = identity_of(fields)
        if self.role == HOST:
            self._hear_table(str(fields["kind"]), info)
        elif fields["kind"] == "q":
            self._hear_host(info)

    def _hear_table(self, kind: str, info: Identity) -> None:
        if kind == "a" and self._state != WAITING:
            self._go(_ASKED)
            self._greet()
        elif kind == "r" and info.session == self._session and self._state != OPEN:
            if info.boot == 0:
                raise RemoteLinkError("hello: a table's boot cannot be 0")
            self._restart(info)

    def _hear_host(self, info: Identity) -> None:
        self._hello_due = "r"
        peer = self.peer
        if (
            self._state == WAITING
            or peer is None
            or info.session != self._session
            or info.unique_id != peer.unique_id
        ):
            self._session = self.hello.session = info.session
            self._restart(info)
        else:
            self._resume(_GREETED)  # the same HELLO twice

    def _refuse(self, kind: str, major: int) -> None:
        if kind != ("r" if self.role == HOST else "q"):
            return
        if self.role == TABLE:
            self._hello_due = "r"  # so that the PC can name the remedy
        self._go(_REFUSED)
        if not self._is_refused:
            self._is_refused = True
            self._events.append(Refused(refusal(self.role, major)))

    def _restart(self, info: Identity) -> None:
        """Begin a session: numbers from 0, nothing in flight."""
        known = self.peer
        flying = self._window.lines
        self.peer = info
        self._window.restart(self._now)
        self._expected = 0
        self._ack_due = self._ack_ready = False
        self._heard_ms = self._sent_ms = self._now
        self._is_refused = False
        self._go(_GREETED)
        self._backlog.restart()
        self._events.append(Connected(info, True))
        ring = self._backlog.ring
        if ring is None:
            self._complain()  # so that the table soon knows that its HELLO was read
            self._settle_commands(known, info, flying)
            if info.boot != self.hello.boot:
                self.hello.boot = info.boot
                self.hello.last = 0
        else:
            if known is None or known.unique_id != info.unique_id:
                self._accepted = 0
            ring.rewind(info.last if info.boot == self.hello.boot else None)

    def _settle_commands(
        self, known: "Identity | None", info: Identity, flying: "list[Sent]"
    ) -> None:
        """Find out from the table's count which commands it has, and what becomes of the others."""
        executed = (info.last - self._confirmed) & 0xFFFF
        self._confirmed = info.last
        if known is None:
            return
        waiting = self._backlog.commands
        rest = [
            sent.text
            for sent in flying[executed if executed <= len(flying) else 0 :]
            if sent.text[0] != "?"
        ]
        if info.boot == known.boot and executed <= len(flying):
            self._backlog.commands = rest + waiting
            return
        if info.boot != known.boot:  # they were about a game that the table may have forgotten
            rest += waiting
            self._backlog.commands = []
        for text in rest:
            row = row_for(text[0], TO_TABLE)
            if row is not None:
                self._events.append(CommandLost(row[1], decode_fields(row, text[1:])))

    def _resume(self, happening: int) -> None:
        """Go on with the session; if the peer was lost, at once with what it may have missed."""
        if self._state == LOST and self.peer is not None:
            self._events.append(Connected(self.peer, False))
            self._window.resume()
        self._window.clear_wire(0, self._now)
        self._go(happening)
        self._heard_ms = self._now

    # -- sending

    def _next_line(self) -> bytes:
        if self._state == CLOSED:
            return b""
        window = self._window
        kind = self._hello_due
        if kind:
            self._hello_due = ""
            if self.role == TABLE:
                self.hello.last = self._accepted
            window.occupy(self._now)
            return frames.encode(0, 0, "H", self.hello.payload(kind))
        if self._state != OPEN or window.is_wire_full():
            return b""
        if window.has_room():
            text = self._backlog.take()
            if text:
                window.add(text)
        sent = window.take(self._now)
        if sent is not None:
            if sent.is_resent:
                self.counters["resends"] += 1
            return self._line(sent.seq, sent.text)
        return self._line(window.next_seq, "K") if self._ack_ready else b""

    def _line(self, seq: int, text: str) -> bytes:
        self._ack_due = self._ack_ready = False
        self._sent_ms = self._now
        self._window.occupy(self._now)
        return frames.encode(seq, self._expected, text[0], text[1:])
