"""Whose copy lies where, as far as lifts and places tell without a doubt.

Reeds feel presence, not colour. While the hand holds one colour only, what it places is known;
as soon as it holds both, or could have taken a copy from the supply instead, it is not. The
tracker forgets an excursion's touches only when everything is certainly back where it was.
"""

from array import array

from ttykm import layout

_BOTH = 2


class Belief:
    """Masks per era of what may be white and what may be black; both where it is unknown."""

    def __init__(self) -> None:
        self._maybe = array("H", bytes(2 * 6))  # white in three eras, black in three
        self._held = bytearray(3)  # white, black, unknown
        self._mover = 0
        self._has_supply = False

    def start(self, state: "array[int]") -> None:
        """Begin with what is known: the position before a turn, and empty hands."""
        for word in range(6):
            self._maybe[word] = state[word]
        for kind in range(3):
            self._held[kind] = 0
        self._mover = layout.mover(state)
        self._has_supply = layout.supply(state, self._mover) > 0

    def forget(self) -> None:
        """Trust nothing until the next `start`."""
        self._held[_BOTH] = 200

    def touch(self, era: int, bit: int, closed: bool) -> None:
        """Take one lift or place."""
        maybe, held = self._maybe, self._held
        if not closed:
            white, black = maybe[era] & bit, maybe[3 + era] & bit
            kind = _BOTH if bool(white) == bool(black) else 0 if white else 1
            held[kind] = min(200, held[kind] + 1)
            maybe[era] &= ~bit & 0xFFFF
            maybe[3 + era] &= ~bit & 0xFFFF
            return
        own, other = self._mover, 1 - self._mover
        if held[_BOTH]:
            kind = _BOTH
        elif not held[other]:
            kind = own  # from the hand, or from the supply
        elif not held[own] and not self._has_supply:
            kind = other
        else:
            # the rest of the hand is as unknown as this piece
            held[_BOTH] = held[own] + held[other]
            held[own] = held[other] = 0
            kind = _BOTH
        if held[kind]:
            held[kind] -= 1
        if kind != 1:
            maybe[era] |= bit
        if kind != 0:
            maybe[3 + era] |= bit

    def is_certainly(self, state: "array[int]") -> bool:
        """Tell whether exactly this position is known to lie there, with nothing in the hands."""
        if self.is_holding():
            return False
        for word in range(6):
            if self._maybe[word] != state[word]:
                return False
        return True

    def is_holding(self) -> bool:
        """Tell whether a hand has something that it lifted and did not place."""
        return self._held[0] + self._held[1] + self._held[_BOTH] > 0
