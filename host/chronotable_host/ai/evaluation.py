"""What a position is worth to a player.

A player has lost who holds copies in one era only when the other's turn ends (T29): eras held come
first, then copies, then what can still be placed.
"""

from __future__ import annotations

from array import array

from ttykm.layout import META, SUPPLY_BITS

WON = 1_000_000

_ERA, _COPY, _SUPPLY = 40, 12, 5
_LAST = 25  # taken from the worth of an era that one copy holds alone: it is soon lost
_COUNT = bytes(value.bit_count() for value in range(1 << 16))


def evaluate(state: array[int], player: int) -> int:
    """Return how much better a player stands than the other, who may win as well."""
    return _value_of_side(state, player) - _value_of_side(state, 1 - player)


def _value_of_side(state: array[int], player: int) -> int:
    total = _SUPPLY * (state[META] >> (SUPPLY_BITS * player) & 7)
    for era in range(3):
        copies = _COUNT[state[3 * player + era]]
        if copies:
            total += _ERA + _COPY * copies - (_LAST if copies == 1 else 0)
    return total
