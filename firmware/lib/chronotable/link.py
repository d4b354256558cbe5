"""The serial link without the serial port: bytes and times in, events and lines out.

Two rules: time and bytes are arguments, never fetched; and whatever the peer sends, `receive`
neither raises nor grows. Both sides run this class; only HELLO knows which side it is on.

A session begins with the PC's HELLO, whose session number the table repeats; a PC that lost the
table asks for a new session, a table that lost the PC goes on when it hears it. Every line but
HELLO and ACK is reliable and ordered (go-back-N, four lines). What outlives a session: events stay
in the table's ring and are sent again from the one that the PC is missing; states are sent again;
commands that the table has not counted are sent again, unless the table restarted.

Four lines are also all that may be unread: MicroPython's USB blocks its writer at the sixth. So a
line of any kind from the table occupies one of four places on the wire until the PC has vouched
for it, by acknowledging it or a later one, or by saying anything at all well after it was sent.
"""

from chronotable import frames
from chronotable.frames import LineReader, LocalLinkError, RemoteLinkError
from chronotable.messages import (
    COMMAND,
    EVENT,
    PROTOCOL_MAJOR,
    PROTOCOL_MINOR,
    STATE,
    TO_HOST,
    TO_TABLE,
    decode_fields,
    encode_fields,
    is_hex,
    row_for,
    row_of,
)
from chronotable.ring import EventRing
from ttykm.mp import TYPE_CHECKING, const

if TYPE_CHECKING:
    from typing import Any

    from chronotable.messages import Row, Value, Values

HOST = "host"
TABLE = "table"

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

WINDOW = const(4)
_RTO_FIRST_MS = const(100)
_RTO_MIN_MS = const(50)
_RTO_MAX_MS = const(2000)
_HELLO_MS = const(1000)
_HEARTBEAT_MS = const(900)  # so that with the caller's tick it stays under the promised second
_LOST_MS = const(3000)
_VOUCH_MS = const(60)  # longer than a line and its answer are under way, a flash erase included

_COMMANDS_MAX = const(8)
_UNSUPPORTED_MAX = const(4)
_SPARE = const(4)  # events that one line, and a loss of the peer, may cause
_TIME_MASK = const(0x3FFFFFFF)  # the device's ticks_ms wraps here
_BACKWARDS = const(0x20000000)


def since(now_ms: int, then_ms: int) -> int:
    """Return the milliseconds from `then_ms` to `now_ms`, both modulo 2**30; 0 if now is before."""
    passed = (now_ms - then_ms) & _TIME_MASK
    return passed if passed < _BACKWARDS else 0


class Identity:
    """Who speaks, as HELLO carries it.

    `boot` is a random number from 1 for each start of the table; the PC gives the last one that
    it knows, or 0, and in `last` the last event number that it has of it. `session` is where the
    PC's session numbers start, best a random one; `unique_id` is at most 12 hex digits, on the PC
    another one for each process. `rules` is the version of the rules, `board_hash` has 32 bits.
    """

    def __init__(
        self,
        board_name: str = "",
        board_hash: int = 0,
        unique_id: str = "",
        rules: int = 1,
        boot: int = 0,
        last: int = 0,
        session: int = 0,
    ) -> None:
        self.board_name = board_name
        self.board_hash = board_hash
        self.unique_id = "0" * (12 - len(unique_id)) + unique_id
        self.rules = rules
        self.boot = boot
        self.last = last
        self.session = session
        self.major = PROTOCOL_MAJOR
        self.minor = PROTOCOL_MINOR

    def payload(self, kind: str) -> str:
        """Return the payload of this HELLO; `kind` is q, r or a.

        Raises: LocalLinkError if a field is out of its range.
        """
        return encode_fields(
            row_of("hello"),
            {
                "kind": kind,
                "major": self.major,
                "minor": self.minor,
                "rules": self.rules,
                "session": self.session,
                "boot": self.boot,
                "last": self.last,
                "board_hash": self.board_hash,
                "unique_id": self.unique_id,
                "board_name": self.board_name,
            },
        )


class Connected:
    """The session is open. `info` is the peer's Identity; not `fresh`: a lost one goes on."""

    kind = "connected"

    def __init__(self, info: Identity, fresh: bool) -> None:
        self.info = info
        self.fresh = fresh


class Message:
    """The peer says `name`, with `values` by field name."""

    kind = "message"

    def __init__(self, name: str, values: "Values") -> None:
        self.name = name
        self.values = values


class Gap:
    """The events `first` to `last` are gone for good: the ring overflowed."""

    kind = "gap"

    def __init__(self, first: int, last: int) -> None:
        self.first = first
        self.last = last


class PeerLost:
    """The peer has been silent for three seconds."""

    kind = "lost"


class Refused:
    """The peer speaks another protocol; `sentence` names the remedy."""

    kind = "refused"

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence


class CommandLost:
    """A command was not confirmed and is not repeated: nobody knows whether it was executed."""

    kind = "command_lost"

    def __init__(self, name: str, values: "Values") -> None:
        self.name = name
        self.values = values


class LogLine:
    """A line that is no frame: the device's log, or garbage."""

    kind = "log"

    def __init__(self, text: str) -> None:
        self.text = text


class Violation:
    """The peer sent a frame that the protocol does not allow; it was passed over."""

    kind = "violation"

    def __init__(self, reason: str) -> None:
        self.reason = reason


class _Sent:
    """A reliable line that the peer has not acknowledged."""

    def __init__(self, letter: str, payload: str, now_ms: int) -> None:
        self.letter = letter
        self.payload = payload
        self.sent_ms = now_ms
        self.wire_no = -1
        self.is_resent = False


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
        if max_events < WINDOW + _COMMANDS_MAX + 2 * _SPARE:
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
        self._window: list[_Sent] = []
        self._window_seq = 0  # of the first line in the window
        self._send_at = 0  # place in the window of the next line to send again
        self._confirmed = 0  # the peer's `_accepted`, as far as we know
        self._timer_ms = 0
        self._sent_ms = 0
        self._wire: list[int] = []  # when the lines were sent that nobody has vouched for
        self._wire_no = 0  # of the first of them
        self._rto_ms = _RTO_FIRST_MS
        self._srtt8 = 0  # smoothed round trip in 1/8 ms, 0 before the first
        self._rttvar4 = 0
        self._ring = EventRing() if role == TABLE else None
        self._states: dict[str, str] = {}
        self._shown: dict[str, str] = {}
        self._dirty: list[str] = []
        self._commands: list[tuple[str, str]] = []
        self._unsupported: list[str] = []

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
        row = self._row(name, EVENT)
        ring = self._ring
        if ring is None:
            raise LocalLinkError("the PC has no events")
        number = ring.next_number
        fields["number"] = number
        fields["time_ms"] = time_ms
        self.counters["tx_dropped"] += ring.append(row[0], encode_fields(row, fields))
        return number

    def send(self, name: str, **fields: "Value") -> None:
        """Send a state, if it changed, or a command.

        A state replaces the one of its type that waits; a command waits for the session.
        Raises: LocalLinkError if there is no such message in this direction, a field does not fit
        or eight commands wait already.
        """
        row = row_of(name)
        if row[3] == STATE:
            self._row(name, STATE)
            payload = encode_fields(row, fields)
            if self._states.get(row[0]) != payload:
                self._states[row[0]] = payload
                if row[0] not in self._dirty:
                    self._dirty.append(row[0])
            return
        self._row(name, COMMAND)
        if len(self._commands) >= _COMMANDS_MAX:
            raise LocalLinkError("%s: %d commands wait already" % (name, _COMMANDS_MAX))
        self._commands.append((row[0], encode_fields(row, fields)))

    def _row(self, name: str, kind: str) -> "Row":
        row = row_of(name)
        if row_for(row[0], TO_TABLE if self.role == HOST else TO_HOST) is None:
            raise LocalLinkError("%s: the %s does not say that" % (name, self.role))
        if row[3] != kind:
            raise LocalLinkError("%s is no %s but a %s" % (name, kind, row[3]))
        return row

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
        if (
            self._window
            and self._send_at == len(self._window)
            and since(now, self._timer_ms) >= self._rto_ms
        ):
            self._send_at = 0
            self._rto_ms = min(2 * self._rto_ms, _RTO_MAX_MS)
        if self._is_complaining and since(now, self._complained_ms) > _VOUCH_MS:
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
            if self._has_room(_SPARE + len(self._window) + len(self._commands)):
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
        self._vouch(ack)
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
            if len(self._unsupported) < _UNSUPPORTED_MAX:
                self._unsupported.append(letter)
            return
        fields = decode_fields(row, payload)
        if row[3] == EVENT or letter == "X":
            self._deliver_event(row, fields)
            return
        if letter == "q":
            self._show_again()
        self._events.append(Message(row[1], fields))

    def _deliver_event(self, row: "Row", fields: "Values") -> None:
        hello = self.hello
        due = (hello.last + 1) & 0xFFFF
        if row[0] == "X":
            self._report_gap(int(fields["first"] or 0), int(fields["last"] or 0))
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

    def _vouch(self, ack: int) -> None:
        """Take what is acknowledged out of the window, and what was read off the wire."""
        window = self._window
        count = (ack - self._window_seq) & 0xFF
        read = 0
        if 0 < count <= len(window):
            last = window[count - 1]
            read = max(0, last.wire_no - self._wire_no + 1)
            if not last.is_resent:  # Karn: of a line sent twice nobody knows which one is answered
                self._measure(since(self._now, last.sent_ms))
            del window[:count]
            self._window_seq = ack
            self._send_at = max(0, self._send_at - count)
            self._confirmed = (self._confirmed + count) & 0xFFFF
            self._timer_ms = self._now
        self._clear_wire(read)

    def _clear_wire(self, count: int) -> None:
        """Take the first lines off the wire, and those that were sent well before now."""
        wire = self._wire
        while count < len(wire) and since(self._now, wire[count]) >= _VOUCH_MS:
            count += 1
        if count:
            self._wire = wire[count:]
            self._wire_no += count

    def _measure(self, round_trip_ms: int) -> None:
        """Smooth the round trip as TCP does (RFC 6298), in whole numbers."""
        if self._srtt8 == 0:
            self._srtt8 = round_trip_ms << 3
            self._rttvar4 = round_trip_ms << 1
        else:
            error = round_trip_ms - (self._srtt8 >> 3)
            self._srtt8 += error
            self._rttvar4 += abs(error) - (self._rttvar4 >> 2)
        self._rto_ms = max(_RTO_MIN_MS, min((self._srtt8 >> 3) + self._rttvar4, _RTO_MAX_MS))

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
        row = row_of("hello")
        fields: Any = decode_fields(row, payload)
        info = Identity(
            fields["board_name"],
            fields["board_hash"],
            fields["unique_id"],
            fields["rules"],
            fields["boot"],
            fields["last"],
            fields["session"],
        )
        info.minor = fields["minor"]
        if self.role == HOST:
            self._hear_table(fields["kind"], info)
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
        if self._is_refused:
            return
        self._is_refused = True
        remedy = "update chronotable on the PC"
        if (major < PROTOCOL_MAJOR) == (self.role == HOST):
            remedy = "update the firmware with `chronotable flash`"
        self._events.append(
            Refused(
                "The %s speaks version %d of the link, the %s version %d: %s."
                % (
                    "table" if self.role == HOST else "PC",
                    major,
                    "PC" if self.role == HOST else "table",
                    PROTOCOL_MAJOR,
                    remedy,
                )
            )
        )

    def _restart(self, info: Identity) -> None:
        """Begin a session: numbers from 0, nothing in flight."""
        known = self.peer
        window = self._window
        self.peer = info
        self._window = []
        self._window_seq = self._expected = self._send_at = 0
        self._clear_wire(0)
        self._rto_ms = _RTO_FIRST_MS
        self._srtt8 = 0
        self._ack_due = self._ack_ready = False
        self._unsupported = []
        self._heard_ms = self._sent_ms = self._now
        self._is_refused = False
        self._go(_GREETED)
        self._show_again()
        self._events.append(Connected(info, True))
        ring = self._ring
        if ring is None:
            self._complain()  # so that the table soon knows that its HELLO was read
            self._settle_commands(known, info, window)
            if info.boot != self.hello.boot:
                self.hello.boot = info.boot
                self.hello.last = 0
        else:
            if known is None or known.unique_id != info.unique_id:
                self._accepted = 0
            ring.rewind(info.last if info.boot == self.hello.boot else None)

    def _settle_commands(
        self, known: "Identity | None", info: Identity, window: "list[_Sent]"
    ) -> None:
        """Find out from the table's count which commands it has, and what becomes of the others."""
        executed = (info.last - self._confirmed) & 0xFFFF
        self._confirmed = info.last
        if known is None:
            return
        rest = [
            (sent.letter, sent.payload)
            for sent in window[executed if executed <= len(window) else 0 :]
            if sent.letter != "?"
        ]
        if info.boot == known.boot and executed <= len(window):
            self._commands = rest + self._commands
            return
        if info.boot != known.boot:  # they were about a game that the table may have forgotten
            rest += self._commands
            self._commands = []
        for letter, payload in rest:
            row = row_for(letter, TO_TABLE)
            if row is not None:
                self._events.append(CommandLost(row[1], decode_fields(row, payload)))

    def _resume(self, happening: int) -> None:
        """Go on with the session; if the peer was lost, at once with what it may have missed."""
        if self._state == LOST and self.peer is not None:
            self._events.append(Connected(self.peer, False))
            self._rto_ms = _RTO_FIRST_MS
            self._send_at = 0
        self._clear_wire(0)
        self._go(happening)
        self._heard_ms = self._now

    def _show_again(self) -> None:
        """Mark every state for sending."""
        self._shown = {}
        self._dirty = list(self._states)

    # -- sending

    def _next_line(self) -> bytes:
        if self._state == CLOSED:
            return b""
        kind = self._hello_due
        if kind:
            self._hello_due = ""
            if self.role == TABLE:
                self.hello.last = self._accepted
            self._occupy()
            return frames.encode(0, 0, "H", self.hello.payload(kind))
        if self._state != OPEN or (self.role == TABLE and len(self._wire) >= WINDOW):
            return b""
        place = self._send_at
        if place == len(self._window) and not (place < WINDOW and self._fill_window()):
            if not self._ack_ready:
                return b""
            seq = (self._window_seq + len(self._window)) & 0xFF
            return self._line(seq, "K", "")
        sent = self._window[place]
        self._send_at = place + 1
        is_new = sent.wire_no < 0
        if sent.wire_no < self._wire_no:  # what was read and not accepted vouches for nothing more
            sent.wire_no = self._wire_no + len(self._wire)
        if is_new:
            if place == 0:
                self._timer_ms = self._now
        else:
            sent.is_resent = True
            self.counters["resends"] += 1
            self._timer_ms = self._now
        return self._line((self._window_seq + place) & 0xFF, sent.letter, sent.payload)

    def _line(self, seq: int, letter: str, payload: str) -> bytes:
        self._ack_due = self._ack_ready = False
        self._sent_ms = self._now
        self._occupy()
        return frames.encode(seq, self._expected, letter, payload)

    def _occupy(self) -> None:
        """Note that a line is on the wire. The PC's serial port has room: it need not count."""
        if self.role == TABLE:
            if len(self._wire) == WINDOW:  # only a HELLO may go beyond, as answer to a HELLO
                self._clear_wire(1)
            self._wire.append(self._now)

    def _fill_window(self) -> bool:
        """Put the most urgent line that waits into the window; say whether there was one."""
        ring = self._ring
        if self._unsupported:
            letter = "?"
            payload = self._unsupported.pop(0)
        elif ring is not None and ring.has_next():
            if ring.wanted != ring.cursor:
                letter = "X"
                payload = "%04x%04x" % (ring.wanted, (ring.cursor - 1) & 0xFFFF)
                ring.wanted = ring.cursor
                self.counters["gaps"] += 1
            else:
                text = ring.take()
                letter = text[0]
                payload = text[1:]
        elif self._commands:
            letter, payload = self._commands.pop(0)
        else:
            letter = self._next_state()
            if not letter:
                return False
            payload = self._shown[letter] = self._states[letter]
        self._window.append(_Sent(letter, payload, self._now))
        return True

    def _next_state(self) -> str:
        while self._dirty:
            letter = self._dirty.pop(0)
            if self._shown.get(letter) != self._states[letter]:
                return letter
        return ""
