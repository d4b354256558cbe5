"""The units of a game in the journal: eight bytes each, five of which say something.

| unit | its five bytes |
|---|---|
| `g`, six times | the beginning: see `HEADER` in journal_reader.py |
| `g`, six times more | its objects, where the position says that they are told apart |
| `c`, `a`, `x` | a final turn (certain, asked, corrected): 3 bytes packed, time |
| `b` | it was taken back: the turn, time |
| `e` | the game is over: winner `w`, `b` or `-`, by `n`, `r` or `a`, 0, time |
| `p` | the table was switched on again and the game went on: boot, 0, time |

A time is two bytes: tenths of a second since the unit before, after `p` since power-on. Numbers are
little-endian. A unit ends in a CRC-16 over the game's number, the unit's and its own six bytes.
"""

from binascii import crc32

from ttykm.mp import const

UNIT = const(8)
"""Bytes of a unit."""
HEADER_UNITS = const(6)
TURNS = const(b"cax")
TAKEN_BACK = const(b"b")
OVER = const(b"e")
POWER = const(b"p")
BEGIN = const(b"g")

FORMAT = const(1)
OBJECT_UNITS = const(6)
OBJECT_BYTES = const(26)  # "0" and 51 digits


def seal(kind: bytes, data: bytes, number: int, index: int) -> bytes:
    """Return unit `index` of game `number`; `data` are its five bytes."""
    unit = kind + data
    return unit + unit_crc(unit, number, index).to_bytes(2, "little")


def unit_crc(unit: bytes, number: int, index: int) -> int:
    """Return the CRC of a unit, `unit` without it, for its place in the journal."""
    key = (index << 16 | number).to_bytes(4, "little")
    crc: int = crc32(unit, crc32(key))
    return crc & 0xFFFF
