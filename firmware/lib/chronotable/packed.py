"""Positions in the 29 hex digits that a line of the link has room for."""

from array import array

from chronotable.messages import is_hex
from chronotable.sensors import SENSORS
from ttykm.layout import META, STATE_WORDS

_DIGITS = 29
_SENSOR_BITS = 56


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
    if not is_hex(text):  # `int` would take a sign, too
        raise ValueError("a packed position has hex digits only, not '%s'" % text)
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


def pack_sensors(flags: bytearray) -> str:
    """Return 54 flags, one byte each, as 14 hex digits; sensor 0 is the lowest bit."""
    text = ""
    for first in range(_SENSOR_BITS - 4, -1, -4):
        digit = 0
        for bit in range(4):
            if first + bit < SENSORS and flags[first + bit]:
                digit |= 1 << bit
        text += "%x" % digit
    return text


def unpack_sensors(text: str) -> "list[int]":
    """Return the sensors whose bit is set in hex digits, in their order."""
    mask = int(text, 16)
    return [sensor for sensor in range(SENSORS) if mask >> sensor & 1]
