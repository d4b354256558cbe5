"""Positions in the 29 hex digits that a line of the link has room for, and objects in 51 more.

Six masks of 4 digits, white's first, and 5 digits of the rest: META, above it 3 bits of modules and
a bit where the objects are told apart. Without it they are those of the start, so that
most lines need no more. Of a standard position the rest is below 2**11.
"""

from array import array

from chronotable.messages import is_hex
from chronotable.sensors import SENSORS
from ttykm.layout import META, STATE_WORDS
from ttykm.mp import const

OPTIONS = const(0x1F)
"""The bits of a game's options (layout.py)."""
DRAWN = const(0x80)
"""Beside them: its modules were drawn, and the game's id is the seed (C1)."""

_DIGITS = const(29)
_REST = const(24)
_APART = const(0x80000)
_OBJECT_DIGITS = const(51)  # 12 planes of 4, and the hats
_HATS = const(12)
_SENSOR_BITS = const(56)


def pack_position(state: "array[int]") -> str:
    """Return six masks of 4 hex digits, white's first, and 5 digits of the rest."""
    text = ""
    for word in range(META):
        text += "%04x" % state[word]
    rest = state[META]
    if len(state) > STATE_WORDS:
        from ttykm import objects

        modules = objects.modules_of(state)
        rest |= modules << 16
        if state[STATE_WORDS:] != objects.new_state(modules)[STATE_WORDS:]:
            rest |= _APART
    return text + "%05x" % rest


def pack_objects(state: "array[int]", position: str) -> str:
    """Return the planes of three eras and the hats, "" where the packed position tells enough."""
    text = ""
    if not has_objects(position):
        return text
    for word in range(STATE_WORDS, STATE_WORDS + _HATS):
        text += "%04x" % state[word]
    return text + "%03x" % (state[STATE_WORDS + _HATS] & 0xFFF)


def has_objects(text: str) -> bool:
    """Tell whether the objects of a packed position are told apart; raises ValueError."""
    return int(text[_REST : _REST + 1], 16) & 8 != 0


def unpack_position(text: str, objects: str = "") -> "array[int]":
    """Return the state of 29 hex digits; `objects` are its objects, where they are told apart.

    Raises ValueError when they do not make one.
    """
    if len(text) != _DIGITS:
        raise ValueError("a packed position has %d digits, not %d" % (_DIGITS, len(text)))
    if not is_hex(text):  # `int` would take a sign, too
        raise ValueError("a packed position has hex digits only, not '%s'" % text)
    rest = int(text[_REST:], 16)
    modules = rest >> 16 & 7
    if rest >> 6 & 3 == 3 or rest >> 8 & 3 == 3 or (rest >> 11 and not modules):
        raise ValueError("a packed position ends in '%s'" % text[_REST:])
    state = array("H", bytes(2 * STATE_WORDS))
    for word in range(META):
        state[word] = int(text[4 * word : 4 * word + 4], 16)
    for era in range(3):
        if state[era] & state[3 + era]:
            raise ValueError("a packed position has two copies on one space")
    state[META] = rest & 0xFFFF
    return _with_objects(state, modules, objects, rest & _APART != 0) if modules else state


def _with_objects(short: "array[int]", modules: int, objects: str, are_apart: bool) -> "array[int]":
    """Return a state with modules, the copies and META of which are in a standard one."""
    from ttykm import box
    from ttykm.objects import new_state

    state = new_state(modules)
    usual = state[STATE_WORDS:]
    for word in range(STATE_WORDS):
        state[word] = short[word]
    if are_apart:
        if len(objects) != _OBJECT_DIGITS or not is_hex(objects):
            raise ValueError("a packed position wants its objects, not '%s'" % objects)
        for word in range(_HATS):
            state[STATE_WORDS + word] = int(objects[4 * word : 4 * word + 4], 16)
        state[STATE_WORDS + _HATS] |= int(objects[4 * _HATS :], 16)
    if are_apart == (state[STATE_WORDS:] == usual) or not box.is_sound(state):
        raise ValueError("a packed position has objects that cannot lie there")
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
