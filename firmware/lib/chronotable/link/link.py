"""The serial link without the serial port: bytes and times in, happenings and lines out.

Two rules: time and bytes are arguments, never fetched; and whatever the peer sends, `receive`
neither raises nor grows. What is here is both ends' and, where they differ, the table's;
pc_link.py of chronotable_host has what the PC's end does otherwise.

A session begins with the PC's HELLO, whose session number the table repeats; a PC that lost the
table asks for a new session, a table that lost the PC goes on when it hears it. Every line but
HELLO and ACK is reliable and ordered. What outlives a session: events stay in the table's ring and
are sent again from the one that the PC is missing; states are sent again; commands that the table
has not counted are sent again, unless the table restarted.
"""

from chronotable.link import frames, messages
from chronotable.link.backlog import Backlog
from chronotable.link.frames import LineReader, LocalLinkError, RemoteLinkError
from chronotable.link.happenings import Connected, Message, PeerLost, Refused, Violation
from chronotable.link.identity import TABLE, Identity, identity_of
from chronotable.link.window import TRANSIT_MS, Window, since
from ttykm.mp import const

if False:
    from collections.abc import Callable
    from typing import Any

    from chronotable.link.messages import Row, Value, Values

CLOSED = const(0)
WAITING = const(1)  # for the peer's HELLO
OPEN = const(2)
LOST = const(3)  # the peer is silent

_OPENED = const(0)
_CLOSED = const(1)
_GREETED = const(2)  # a HELLO that fits
ASKED = const(3)  # the table wants a HELLO: it knows of no session
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
SPARE = const(4)  # events that one line, and a loss of the peer, may cause
_SPARE_OF_HELLO = const(16)  # the same of a HELLO: four lines and eight commands can be lost
_TIME_MASK = const(0x3FFFFFFF)  # times have 30 bits here, as the device's small integers


class Link:
    """One end of the link: as it is, the table's.

    In its loop the application calls `receive` with all that has arrived, then takes events, then
    `tick`, then writes what `data_to_send` gives. Of the table's `hello` the boot number is not 0.
    At most `max_events` events wait for `next_event`; beyond, lines are dropped unacknowledged and
    come again.

    Raises: LocalLinkError if a field of `hello` is out of its range.
    """

    role = TABLE
    _hears = messages.TO_TABLE
    _greeting = "q"  # the kind of HELLO that it is greeted with

    def __init__(self, role: str, hello: Identity, max_events: int = 32) -> None:
        if role != self.role:
            raise LocalLinkError("there is no role %r" % role)
        if role == TABLE and hello.boot == 0:
            raise LocalLinkError("a table's boot number is not 0")
        if max_events < _FEWEST_EVENTS:
            raise LocalLinkError("too few events may wait")
        hello.payload("q")
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
        self._asks_again = False
        self._asked_again_ms = 0
        self._heard_ms = 0
        # sending
        self._backlog = self._new_backlog()
        self._window = Window(role == TABLE)
        self._confirmed = 0  # the peer's `_accepted`, as far as we know
        self._sent_ms = 0

    def _new_backlog(self) -> "Any":
        return Backlog(self.counters)

    # ---- the application's side

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

    def close(self) -> None:
        """The port is gone: say nothing and hear nothing until `open`."""
        self._go(_CLOSED)

    def next_event(self) -> "Any":
        """Return the oldest event that was not taken yet, or None."""
        return self._events.pop(0) if self._events else None

    def post_event(self, name: str, time_ms: int, **fields: "Value") -> int:
        """Keep and send an event of the table's time, 32 bits; return the number that it gets.

        Raises: LocalLinkError if there is no such event or a field does not fit.
        """
        number: int = self._backlog.post_event(name, time_ms, fields)
        return number

    def send(self, name: str, **fields: "Value") -> None:
        """Send a state, if it changed, or a command, which waits for the session.

        A state replaces the one of its type that waits; `counters` gets what the link has counted.
        Raises: LocalLinkError if there is no such message in this direction, a field does not fit
        or eight commands of the PC wait already.
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
            return
        self._window.tick(now)
        if self._asks_again and since(now, self._asked_again_ms) > TRANSIT_MS:
            self._asks_again = False
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
                self._hear_log()
            elif frames.BROKEN in (kind, reader.junk):
                counters["crc_errors"] += 1
                self._ask_again()
            elif kind == frames.OVERLONG:
                counters["overlong"] += 1
                self._ask_again()
            if kind == frames.FRAME:
                try:
                    self._frame(reader.seq, reader.ack, reader.letter, reader.payload)
                except RemoteLinkError as error:
                    counters["violations"] += 1
                    if self._has_room(SPARE):
                        self._events.append(Violation(str(error)))
            at = reader.feed(data, at)

    # ---- receiving

    def _has_room(self, count: int) -> bool:
        return len(self._events) + count <= self._max_events

    def _go(self, happening: int) -> None:
        self._state = TRANSITIONS[self._state][happening]

    def _hear_log(self) -> None:
        """A line was no frame; the table has no use for it."""

    def _frame(self, seq: int, ack: int, letter: str, payload: str) -> None:
        if letter == "H":
            if self._has_room(_SPARE_OF_HELLO):
                self._hello(payload)
            else:
                self.counters["rx_overflow"] += 1
            return
        if self._state == WAITING:
            if not self._is_hello_held:
                self._hold_hello("a")
            return
        if not self._has_room(SPARE) and (letter != "K" or self._state == LOST):
            self.counters["rx_overflow"] += 1
            self._ask_again()
            return
        if self._state == LOST:
            self._resume(_HEARD)
        self._heard_ms = self._now
        self._confirmed = (self._confirmed + self._window.acknowledge(ack, self._now)) & 0xFFFF
        if letter == "K":
            return
        if seq != self._expected:
            name = "duplicates" if (self._expected - seq) & 0xFF <= 128 else "out_of_order"
            self.counters[name] += 1
            self._ask_again()
            return
        self._ack_due = True
        self._expected = (seq + 1) & 0xFF
        self._accepted = (self._accepted + 1) & 0xFFFF
        self._deliver(letter, payload)

    def _ask_again(self) -> None:
        """Have the peer send again from the line that is expected.

        Said at once, and after TRANSIT_MS again: from that it sees that its bad line was read.
        """
        self._ack_due = self._asks_again = True
        self._asked_again_ms = self._now

    def _deliver(self, letter: str, payload: str) -> None:
        row = messages.row_for(letter, self._hears)
        if row is None:
            self.counters["unsupported"] += 1
            self._backlog.add_unsupported(letter)
            return
        self._take(row, messages.decode_fields(row, payload))

    def _take(self, row: "Row", fields: "Values") -> None:
        if row[0] == "q":
            self._backlog.show_again()
        self._events.append(Message(row[1], fields))

    # ---- the session

    def _hold_hello(self, kind: str) -> None:
        """Send a HELLO, and none of our own accord for a second."""
        self._hello_due = kind
        self._hello_ms = self._now
        self._is_hello_held = True

    def _hello(self, payload: str) -> None:
        major = payload[1:3]
        is_number = len(major) == 2 and messages.is_hex(major)
        if is_number and int(major, 16) != messages.PROTOCOL_MAJOR:
            self._refuse(payload[0], int(major, 16))  # only so much is known of any HELLO
            return
        fields = messages.decode_fields(messages.row_of("hello"), payload)
        self._meet(str(fields["kind"]), identity_of(fields))

    def _meet(self, kind: str, info: Identity) -> None:
        """Take a HELLO that fits."""
        if kind != self._greeting:
            return
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
        if kind != self._greeting:
            return
        if self.role == TABLE:
            self._hello_due = "r"  # so that the PC can name the remedy
        self._go(_REFUSED)
        if not self._is_refused:
            self._is_refused = True
            self._events.append(Refused(major))

    def _restart(self, info: Identity) -> None:
        """Begin a session: numbers from 0, nothing in flight."""
        known, self.peer = self.peer, info
        self._window.restart(self._now)
        self._expected = 0
        self._ack_due = self._ack_ready = False
        self._heard_ms = self._sent_ms = self._now
        self._is_refused = False
        self._go(_GREETED)
        if known is None or known.unique_id != info.unique_id:
            self._accepted = 0
        self._backlog.restart(info.last if info.boot == self.hello.boot else None)
        self._events.append(Connected(info, True))

    def _resume(self, happening: int) -> None:
        """Go on with the session; if the peer was lost, at once with what it may have missed."""
        if self._state == LOST and self.peer is not None:
            self._events.append(Connected(self.peer, False))
            self._window.resume()
        self._window.clear_wire(0, self._now)
        self._go(happening)
        self._heard_ms = self._now

    # ---- sending

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
