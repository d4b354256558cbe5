"""Positions in the 29 hex digits that a line of the link has room for."""

from array import array

from chronotable.sensors import SENSORS
from ttykm.layout import META, STATE_WORDS

_DIGITS = 29


def pack_position(state: "array[int]") -> str:
    """Return six masks of 4 hex digits, white's first, and 5 digits of the rest."""
    text = ""
    for word in range(META):
        text += "%04x" % state[word]
    return text + "%05x" % state[META]


def unpack_position(text: str) -> "array[int]":
    """Return the state of 29 hex digits; raises ValueError when they do not make one."""
    if len(text) != _DIGITS:
        raise ValueError("a packed position has %d digits, not %d" % (_DIGITS, len(text)))
    state = array("H", bytes(2 * STATE_WORDS))
    for word in range(META):
        state[word] = int(text[4 * word : 4 * word + 4], 16)
    rest = int(text[24:], 16)
    if rest >= 1 << 11 or 3 in (rest >> 6 & 3, rest >> 8 & 3):
        raise ValueError("a packed position ends in '%s'" % text[24:])
    for era in range(3):
        if state[era] & state[3 + era]:
            raise ValueError("a packed position has two copies on one space")
    state[META] = rest
    return state


def sensor_mask(flags: bytearray) -> int:
    """Return the 54 flags, one byte each, as a number with sensor 0 in its lowest bit."""
    mask = 0
    for sensor in range(SENSORS):
        if flags[sensor]:
            mask |= 1 << sensor
    return mask


def unpack_sensors(mask: int) -> "list[int]":
    """Return the sensors whose bit is set, in their order."""
    return [sensor for sensor in range(SENSORS) if mask >> sensor & 1]
