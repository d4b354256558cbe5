"""The table's latest events, kept for a PC that is away, slow or forgetful."""

from binascii import unhexlify

from ttykm.mp import const

_RING_BYTES = const(3872)  # 256 edges, or 86 of the longest events
_RING_EVENTS = const(256)
_NUMBER_END = const(4)  # in a payload, which begins with the digits of the number,
_TIME_END = const(12)  # and of the time
_TIME_BYTES = const(4)


class EventRing:
    """The latest events of the table, in memory of a fixed size.

    Each entry is a byte with its length, four with the time, the type's letter and the payload
    behind number and time (`messages.EVENT_FIELDS`): an edge takes 9 bytes. They stay until newer
    ones need the room, sent or not: a PC that lost its memory gets them again.
    """

    def __init__(self) -> None:
        self._bytes = bytearray(_RING_BYTES)
        self._oldest = 1  # number of the oldest event kept; the numbers have 16 bits
        self._oldest_at = 0
        self._end_at = 0
        self._used = 0
        self._evicted = False
        self.next_number = 1
        self.wanted = 1  # number that the PC is waiting for
        self.cursor = 1  # number of the next event to send; beyond `wanted` if that one is gone
        self._cursor_at = 0

    def append(self, letter: str, payload: str) -> int:
        """Keep an event, whose number is `next_number`; return how many unsent ones had to go."""
        text = unhexlify(payload[_NUMBER_END:_TIME_END]) + (letter + payload[_TIME_END:]).encode()
        size = len(text)
        lost = 0
        while (
            self._used + size + 1 > _RING_BYTES
            or (self.next_number - self._oldest) & 0xFFFF >= _RING_EVENTS
        ):
            lost += self._evict()
        self._bytes[self._end_at] = size
        at = (self._end_at + 1) % _RING_BYTES
        first = min(size, _RING_BYTES - at)
        self._bytes[at : at + first] = text[:first]
        if first < size:
            self._bytes[: size - first] = text[first:]
        self._end_at = (at + size) % _RING_BYTES
        self._used += size + 1
        self.next_number = (self.next_number + 1) & 0xFFFF
        return lost

    def _evict(self) -> int:
        after = self._after(self._oldest_at)
        number = (self._oldest + 1) & 0xFFFF
        unsent = self.cursor == self._oldest
        if unsent:
            self.cursor = number
            self._cursor_at = after
        self._used -= (after - self._oldest_at) % _RING_BYTES
        self._oldest = number
        self._oldest_at = after
        self._evicted = True
        return 1 if unsent else 0

    def _after(self, at: int) -> int:
        return (at + 1 + self._bytes[at]) % _RING_BYTES

    def rewind(self, last: "int | None") -> None:
        """Send again what follows the event `last`, or everything since the start if None."""
        kept = (self.next_number - self._oldest) & 0xFFFF
        self.cursor = self._oldest
        self._cursor_at = self._oldest_at
        if last is None:
            self.wanted = 1 if self._evicted else self._oldest
            return
        self.wanted = (last + 1) & 0xFFFF
        steps = (self.wanted - self._oldest) & 0xFFFF
        if steps <= kept:
            for _ in range(steps):
                self._cursor_at = self._after(self._cursor_at)
            self.cursor = self.wanted

    def has_next(self) -> bool:
        """Say whether there is an event, or a gap, to send."""
        return self.cursor != self.next_number or self.wanted != self.cursor

    def take(self) -> str:
        """Return letter and payload of the next event to send, and move on."""
        at = self._cursor_at
        size = self._bytes[at]
        number = self.cursor
        self._cursor_at = self._after(at)
        self.cursor = self.wanted = (number + 1) & 0xFFFF
        at = (at + 1) % _RING_BYTES
        text = self._bytes[at : at + size]
        if len(text) < size:
            text += self._bytes[: size - len(text)]
        time_ms = int.from_bytes(text[:_TIME_BYTES], "big")
        rest = str(text[_TIME_BYTES + 1 :], "ascii")
        return "%c%04x%08x%s" % (text[_TIME_BYTES], number, time_ms, rest)
