"""One line, one frame: `$` SS AA T payload `*` CCCC newline, printable ASCII, at most 64 bytes.

SS is the line's sequence number and AA the next one expected from the peer, two hex digits each;
T is one letter, the message's type; CCCC is the CRC-16/CCITT (polynomial 0x1021, start 0xffff) of
everything between `$` and `*`. Two rules: a line that is not exactly that is never guessed at, and
nothing a peer sends makes this file raise or grow.
"""

from array import array

from ttykm.mp import const, micropython, ptr8, ptr16

if False:
    from typing import Any

MAX_LINE = const(64)
"""Bytes of a line, newline included."""
MAX_PAYLOAD = const(52)
"""What is left for the payload."""

NOTHING = const(0)
FRAME = const(1)
LOG = const(2)
BROKEN = const(3)
OVERLONG = const(4)

_LOG_MAX = const(96)  # of a log line so much is kept
_ROOM = const(160)  # _LOG_MAX and a whole frame: garbage without a newline may precede one
_SHORTEST = const(11)  # `$SSAAT*CCCC`
_LONGEST = const(63)
_NOWHERE = const(0xFFFF)


class LinkError(Exception):
    """Anything that is wrong with the link's use."""


class LocalLinkError(LinkError):
    """Our own side asked for something that the link cannot say."""


class RemoteLinkError(LinkError):
    """The peer said something that the protocol does not know."""


@micropython.viper
def crc_of_plain(line: ptr8, start: int, end: int) -> int:
    """Return the CRC of line[start:end], or -1 if a byte in there cannot travel.

    `line` is any buffer of bytes. Without a table: a few shifts per byte, and 512 bytes saved.
    """
    crc = 0xFFFF
    for at in range(start, end):
        byte = int(line[at])
        if byte < 0x20 or byte > 0x7E or byte == 0x24 or byte == 0x2A:  # noqa: PLR1714  viper
            return -1
        byte ^= crc >> 8
        byte ^= byte >> 4
        crc = ((crc << 8) ^ (byte << 12) ^ (byte << 5) ^ byte) & 0xFFFF
    return crc


@micropython.viper
def _hex_at(line: ptr8, start: int) -> int:
    """Return the value of four hex digits of either case, or -1."""
    value = 0
    for at in range(start, start + 4):
        digit = int(line[at])
        if digit >= 0x30 and digit <= 0x39:
            digit -= 0x30
        else:
            digit = (digit | 0x20) - 0x57
            if digit < 10 or digit > 15:
                return -1
        value = (value << 4) | digit
    return value


@micropython.viper
def _take(line: ptr8, marks: ptr16, data: ptr8, start: int, end: int) -> int:
    """Add data[start:end] to the line up to a newline; return the place behind it, 0 if none.

    `marks` holds the bytes kept, where the last `$` is, and whether bytes behind it were lost.
    """
    size = int(marks[0])
    dollar = int(marks[1])
    lost = int(marks[2])
    at = start
    found = 0
    while at < end and found == 0:
        byte = int(data[at])
        at += 1
        if byte == 0x0A:
            found = at
        else:
            if byte == 0x24:
                if size > _LOG_MAX:
                    size = _LOG_MAX
                dollar = size
                lost = 0
            if size < _ROOM:
                line[size] = byte
                size += 1
            else:
                lost = 1
    marks[0] = size
    marks[1] = dollar
    marks[2] = lost
    return found


def encode(seq: int, ack: int, letter: str, payload: str) -> bytes:
    r"""Return the whole line, newline included; `seq` and `ack` are 0 to 255.

    >>> encode(1, 0, "v", "7")
    b'$0100v7*8a24\n'

    Raises: LocalLinkError if the text is too long or cannot travel.
    """
    try:
        line = ("$%02x%02x%s%s*" % (seq, ack, letter, payload)).encode()
    except UnicodeError:
        raise LocalLinkError("not text: %r" % (letter + payload)) from None
    end = len(line) - 1
    if end > 6 + MAX_PAYLOAD:
        raise LocalLinkError("a payload of %d characters does not fit" % len(payload))
    crc = crc_of_plain(line, 1, end)  # type: ignore[arg-type]  # a viper function reads any buffer
    if crc < 0 or len(letter) != 1 or letter == " ":
        raise LocalLinkError("not plain ASCII: %r" % (letter + payload))
    return line + (b"%04x\n" % crc)


def _judge(line: "bytearray", start: int, end: int) -> int:
    """Return sequence number * 256 + ack of the frame line[start:end], or -1.

    The caller has seen the `$` and that the length is possible.
    """
    star = end - 5
    if line[star] != 0x2A or line[start + 5] == 0x20:
        return -1
    crc = crc_of_plain(line, start + 1, star)
    if crc < 0 or crc != _hex_at(line, star + 1):
        return -1
    return _hex_at(line, start + 1)


class LineReader:
    """Cuts what arrives into lines, in memory of a fixed size.

    `feed` takes bytes up to the end of a line, then `finish` says what the line was and fills
    `seq`, `ack`, `letter` and `payload` of a FRAME. Whatever preceded that frame on its line is
    told by `junk`: NOTHING, LOG or BROKEN.
    """

    def __init__(self) -> None:
        self.seq = 0
        self.ack = 0
        self.letter = ""
        self.payload = ""
        self.junk = NOTHING
        self._line = bytearray(_ROOM)
        self._view = memoryview(self._line)
        self._marks = array("H", (0, _NOWHERE, 0))
        self._log_size = 0

    def feed(self, data: "Any", start: int) -> int:
        """Read data[start:], a buffer of bytes, up to a newline; return the place behind it.

        0 says that the data ended first: feed more before `finish`.
        """
        return _take(self._line, self._marks, data, start, len(data))

    def finish(self) -> int:
        """Return what the line was: FRAME, LOG, BROKEN, OVERLONG or, if empty, NOTHING."""
        line = self._line
        marks = self._marks
        size = marks[0]
        start = marks[1]
        lost = marks[2]
        self.reset()
        if size and line[size - 1] == 0x0D:  # a text-mode stdout writes CR LF
            size -= 1
        if size == 0:
            return NOTHING
        self._log_size = min(size, _LOG_MAX)
        if start == _NOWHERE:
            return LOG
        length = size - start
        numbers = -1
        if not lost and _SHORTEST <= length <= _LONGEST:
            numbers = _judge(line, start, size)
        if numbers < 0:
            if line[0] != 0x24:
                return LOG
            return OVERLONG if lost or length > _LONGEST else BROKEN
        self._log_size = start
        if start:
            self.junk = BROKEN if line[0] == 0x24 else LOG
        self.seq = numbers >> 8
        self.ack = numbers & 0xFF
        self.letter = chr(line[start + 5])
        self.payload = str(self._view[start + 6 : size - 5], "ascii")
        return FRAME

    def reset(self) -> None:
        """Forget an unfinished line."""
        self._marks[0] = 0
        self._marks[1] = _NOWHERE
        self._marks[2] = 0
        self.junk = NOTHING
