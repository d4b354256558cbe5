"""The units of a game in the journal: eight bytes each, five of which say something.

| unit | its five bytes |
|---|---|
| `g`, six times | the beginning: see `HEADER` in reader.py |
| `g`, six times more | its objects, where the position says that they are told apart |
| `c`, `a`, `x` | a final turn (certain, asked, corrected): 3 bytes packed, time |
| `m` | the marker ended a turn: 20 bits packed, 4 bits how it was understood, time |
| `o` | the turn goes on: 0, 0, 0, time |
| `b` | it was taken back: the turn, time |
| `e` | the game is over: winner `w`, `b` or `-`, by `n`, `r` or `a`, 0, time |
| `p` | the table was switched on again and the game went on: boot, 0, time |
| `s` | who plays from here on: the level of white (seats.py) and four times black's, 0, 0, time |

A time is two bytes: tenths of a second since the unit before, after `p` since power-on. Numbers are
little-endian. A turn behind `m` does not count before it is final, unless `m` is the last that a
power cut left. A unit ends in a CRC-16 over the game's number, the unit's and its own six bytes.
"""

from binascii import crc32

from ttykm.mp import const

UNIT = const(8)  # bytes of a unit
HEADER_UNITS = const(6)
TURNS = const(b"cax")
ENDED = const(b"m")
HOW = const(20)  # the bit of `ENDED` from which on it has how the turn was understood
GOES_ON = const(b"o")
TAKEN_BACK = const(b"b")
OVER = const(b"e")
POWER = const(b"p")
SEATS = const(b"s")
BEGIN = const(b"g")

FORMAT = const(1)
OBJECT_UNITS = const(6)
OBJECT_BYTES = const(26)  # "0" and 51 digits
_APART = const(42)  # the byte that has bit 3 where the objects are told apart


def seal(kind: bytes, data: bytes, number: int, index: int) -> bytes:
    """Return unit `index` of game `number`; `data` are its five bytes."""
    unit = kind + data
    return unit + unit_crc(unit, number, index).to_bytes(2, "little")


def unit_crc(unit: bytes, number: int, index: int) -> int:
    """Return the CRC of a unit, `unit` without it, for its place in the journal."""
    key = (index << 16 | number).to_bytes(4, "little")
    crc: int = crc32(unit, crc32(key))
    return crc & 0xFFFF


def count_valid(data: bytes, number: int) -> int:
    """Return how many units from the first on are in order; a beginning that is not whole is 0."""
    count = 0
    due = HEADER_UNITS
    while (count + 1) * UNIT <= len(data):
        at = count * UNIT
        crc = int.from_bytes(data[at + 6 : at + UNIT], "little")
        is_begin = data[at : at + 1] == BEGIN
        if crc != unit_crc(data[at : at + 6], number, count) or is_begin != (count < due):
            break
        count += 1
        if count == HEADER_UNITS:
            due = count_begin(data)
    return count if count >= due else 0


def count_begin(data: bytes) -> int:
    """Return how many units the beginning has, the first six of which are in order."""
    return HEADER_UNITS + OBJECT_UNITS if data[_APART] & 8 else HEADER_UNITS
