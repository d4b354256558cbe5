"""Positions in the 29 hex digits that a line of the link has room for, and objects in 51 more.

Six masks of 4 digits, white's first, and 5 digits of the rest: META, above it 3 bits of modules and
a bit where the objects are told apart. Without it they are those of the start, so that
most lines need no more. Of a standard position the rest is below 2**11. What is read back is
unpacked.py's, which the table needs seldom.
"""

from chronotable.hardware.sensors import SENSORS
from ttykm.layout import META, STATE_WORDS
from ttykm.mp import const

if False:
    from array import array

OPTIONS = const(0x1F)  # the bits of a game's options (layout.py)
DRAWN = const(0x80)  # beside them: its modules were drawn, and the game's id is the seed (C1)

REST = const(24)  # where the rest begins
APART = const(0x80000)  # in it: the objects are told apart
HATS = const(12)  # the word of the hats among those of the objects, behind the planes

_SENSOR_BITS = const(56)


def pack_position(state: "array[int]") -> str:
    """Return six masks of 4 hex digits, white's first, and 5 digits of the rest."""
    rest = state[META]
    if len(state) > STATE_WORDS:
        from ttykm import objects

        modules = objects.modules_of(state)
        rest |= modules << 16
        if state[STATE_WORDS:] != objects.new_state(modules)[STATE_WORDS:]:
            rest |= APART
    return "".join(["%04x" % mask for mask in state[:META]]) + "%05x" % rest


def pack_objects(state: "array[int]", position: str) -> str:
    """Return the planes of three eras and the hats, "" where the packed position tells enough."""
    if not has_objects(position):
        return ""
    planes = state[STATE_WORDS : STATE_WORDS + HATS]
    hats = state[STATE_WORDS + HATS] & 0xFFF
    return "".join(["%04x" % plane for plane in planes]) + "%03x" % hats


def has_objects(text: str) -> bool:
    """Tell whether the objects of a packed position are told apart; raises ValueError."""
    return int(text[REST : REST + 1], 16) & 8 != 0


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
