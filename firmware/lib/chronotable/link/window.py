"""The lines that the peer has not acknowledged, and when they go again: go-back-N, four lines.

Four lines are also all that may be unread: MicroPython's USB blocks its writer at the sixth. So a
line of any kind from the table occupies one of four places on the wire until it is known that the
PC has read it: it acknowledges this line or a later one, or says anything at all TRANSIT_MS or more
after the line was sent.
"""

from ttykm.mp import const

WINDOW = const(4)
_RTO_FIRST_MS = const(100)
_RTO_MIN_MS = const(50)
_RTO_MAX_MS = const(2000)

TRANSIT_MS = const(60)  # longer than a line and its answer are under way, a flash erase included

_TIME_MASK = const(0x3FFFFFFF)  # times have 30 bits here, as the device's small integers
_BACKWARDS = const(0x20000000)


def since(now_ms: int, then_ms: int) -> int:
    """Return the milliseconds from `then_ms` to `now_ms`, both modulo 2**30; 0 if now is before."""
    passed = (now_ms - then_ms) & _TIME_MASK
    return passed if passed < _BACKWARDS else 0


class Sent:
    """A reliable line that the peer has not acknowledged."""

    def __init__(self, seq: int, text: str) -> None:
        self.seq = seq
        self.text = text  # letter and payload
        self.sent_ms = 0
        self.wire_no = -1  # before it was sent
        self.is_resent = False


class Window:
    """At most four lines, the first of which the peer is waiting for.

    `counts_unread`: this end stops when four lines are unread. The PC's serial port has room: it
    need not count.
    """

    def __init__(self, counts_unread: bool) -> None:
        self._counts_unread = counts_unread
        self.lines: list[Sent] = []
        self.next_seq = 0  # of the next line that comes in
        self._send_at = 0  # place of the next line to send, or to send again
        self._timer_ms = 0
        self._wire: list[int] = []  # when the lines were sent that may be unread
        self._wire_no = 0  # of the first of them
        self._rto_ms = _RTO_FIRST_MS
        self._srtt8 = 0  # smoothed round trip in 1/8 ms, 0 before the first
        self._rttvar4 = 0

    def restart(self, now_ms: int) -> None:
        """Begin a session: numbers from 0, nothing in flight."""
        self.lines = []
        self.next_seq = self._send_at = 0
        self._rto_ms = _RTO_FIRST_MS
        self._srtt8 = 0
        self.clear_wire(0, now_ms)

    def resume(self) -> None:
        """Send everything again: the peer was lost."""
        self._send_at = 0
        self._rto_ms = _RTO_FIRST_MS

    def tick(self, now_ms: int) -> None:
        """Begin anew with the first line when its answer is overdue."""
        is_all_sent = self.lines and self._send_at == len(self.lines)
        if is_all_sent and since(now_ms, self._timer_ms) >= self._rto_ms:
            self._send_at = 0
            self._rto_ms = min(2 * self._rto_ms, _RTO_MAX_MS)

    # ---- sending

    def is_wire_full(self) -> bool:
        """Say whether as many lines are unread as may be."""
        return self._counts_unread and len(self._wire) >= WINDOW

    def has_room(self) -> bool:
        """Say whether one more line may come in; all that are in have been sent."""
        return self._send_at == len(self.lines) < WINDOW

    def add(self, text: str) -> None:
        """Take a line in: letter and payload."""
        self.lines.append(Sent(self.next_seq, text))
        self.next_seq = (self.next_seq + 1) & 0xFF

    def take(self, now_ms: int) -> "Sent | None":
        """Return the line to send now, if there is one, and take it as sent."""
        place = self._send_at
        if place == len(self.lines):
            return None
        sent = self.lines[place]
        self._send_at = place + 1
        if sent.wire_no < 0:
            sent.sent_ms = now_ms
            if place == 0:
                self._timer_ms = now_ms
        else:
            sent.is_resent = True
            self._timer_ms = now_ms
        if sent.wire_no < self._wire_no:  # it was read and not accepted: it takes a new place
            sent.wire_no = self._wire_no + len(self._wire)
        return sent

    def occupy(self, now_ms: int) -> None:
        """Note that a line of any kind is on the wire."""
        if self._counts_unread:
            if len(self._wire) == WINDOW:  # only a HELLO may go beyond, as answer to a HELLO
                self.clear_wire(1, now_ms)
            self._wire.append(now_ms)

    # ---- the peer has read

    def acknowledge(self, ack: int, now_ms: int) -> int:
        """Take out what is acknowledged, and off the wire what was read; return how many lines."""
        lines = self.lines
        read = 0
        count = (ack - self.next_seq + len(lines)) & 0xFF
        if count > len(lines):
            count = 0
        if count:
            last = lines[count - 1]
            read = max(0, last.wire_no - self._wire_no + 1)
            if not last.is_resent:  # Karn: the answer may be to either sending of a line
                self._measure(since(now_ms, last.sent_ms))
            del lines[:count]
            self._send_at = max(0, self._send_at - count)
            self._timer_ms = now_ms
        self.clear_wire(read, now_ms)
        return count

    def clear_wire(self, count: int, now_ms: int) -> None:
        """Take the first lines off the wire, and those that were sent well before now."""
        wire = self._wire
        while count < len(wire) and since(now_ms, wire[count]) >= TRANSIT_MS:
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
