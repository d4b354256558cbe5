"""Positions out of their digits (packed.py), as the PC, the settings and the journal have them.

Loaded by the table when a game is asked for, and not for longer.
"""

from array import array

from chronotable.link.messages import is_hex
from chronotable.link.packed import APART, HATS, REST
from ttykm.layout import META, STATE_WORDS
from ttykm.mp import const

_DIGITS = const(29)
_OBJECT_DIGITS = const(51)  # 12 planes of 4, and the hats


def unpack_position(text: str, objects: str = "") -> "array[int]":
    """Return the state of 29 hex digits; `objects` are its objects, where they are told apart.

    Raises ValueError when they do not make one.

    >>> unpack_position("00010001000180008000800000224")
    array('H', [1, 1, 1, 32768, 32768, 32768, 548])
    """
    if len(text) != _DIGITS:
        raise ValueError("a packed position has %d digits, not %d" % (_DIGITS, len(text)))
    if not is_hex(text):  # `int` would take a sign, too
        raise ValueError("a packed position has hex digits only, not '%s'" % text)
    rest = int(text[REST:], 16)
    modules = rest >> 16 & 7
    if rest >> 6 & 3 == 3 or rest >> 8 & 3 == 3 or (rest >> 11 and not modules):
        raise ValueError("a packed position ends in '%s'" % text[REST:])
    state = array("H", bytes(2 * STATE_WORDS))
    for word in range(META):
        state[word] = int(text[4 * word : 4 * word + 4], 16)
    for era in range(3):
        if state[era] & state[3 + era]:
            raise ValueError("a packed position has two copies on one space")
    state[META] = rest & 0xFFFF
    return _with_objects(state, modules, objects, rest & APART != 0) if modules else state


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
        for word in range(HATS):
            state[STATE_WORDS + word] = int(objects[4 * word : 4 * word + 4], 16)
        state[STATE_WORDS + HATS] |= int(objects[4 * HATS :], 16)
    if are_apart == (state[STATE_WORDS:] == usual) or not box.is_sound(state):
        raise ValueError("a packed position has objects that cannot lie there")
    return state
