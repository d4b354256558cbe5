"""Whose copy lies where, as far as lifts and places tell without a doubt.

Reeds feel presence, not colour. While the hand holds one colour only, what it places is known;
as soon as it holds both, or could have taken a copy from the supply instead, it is not. Where the
lights say whose copy belongs, what is placed is taken to be that.
"""

from array import array

from chronotable.core.match import TRUSTED
from ttykm import layout
from ttykm.mp import const

STRANGE = const(6)  # word of `maybe`
UNKNOWN = const(2)
OBJECT = const(3)  # what is touched is no copy but an object of a chapter: nobody owns it
FROM_BOX = const(4)  # what empty hands put is the mover's, or an object
_FORGOTTEN = const(200)  # copies in the hand: any number
_WORDS = const(6)


class Ownership:
    """Masks per era of what may be white and what may be black; both where it is unknown."""

    def __init__(self) -> None:
        # white in three eras, black in three, and where empty hands put something, or any that hold
        # an object where no light says the kind
        self.maybe = array("H", bytes(2 * (STRANGE + 3)))
        self.held = bytearray(3)  # copies in the hand: white, black, unknown
        self.objects = 0  # objects in the hand
        self.passed_ms = 0  # since the lift or place before the one that is taken
        self.is_mixed = False  # something was placed by hands that held both colours
        self._lost = 0  # a bit for each colour of which a copy is not known to lie anywhere
        self._mover = 0
        self._has_supply = False
        self._saved = array("H", self.maybe)
        self._saved_held = bytearray(3)
        self._saved_objects = 0

    def start(self, state: "array[int]") -> None:
        """Begin a turn: the position is known to lie there, and the hands are empty."""
        self.know(state, 0)
        self._mover = layout.mover(state)
        self._has_supply = layout.supply(state, self._mover) > 0

    def know(self, words: "array[int]", base: int) -> None:
        """Take the six masks from `base` on for certain, and the hands for empty."""
        for word in range(_WORDS):
            self.maybe[word] = words[base + word]
        for kind in range(3):
            self.held[kind] = self.maybe[STRANGE + kind] = 0
        self.objects = self._lost = 0
        self.is_mixed = False

    def forget(self) -> None:
        """Doubt the owners of all that lies there, and hold the hands for full of anything."""
        for era in range(3):
            self.doubt(era, self.maybe[era] | self.maybe[3 + era])
        self.fill_hands()

    def doubt(self, era: int, bits: int) -> None:
        """Doubt whose is what lies on these spaces of an era."""
        self.maybe[era] |= bits
        self.maybe[3 + era] |= bits

    def fill_hands(self) -> None:
        """Hold the hands for full of anything."""
        self.held[UNKNOWN] = _FORGOTTEN

    def save(self) -> None:
        """Remember all this for `restore`."""
        for word in range(STRANGE + 3):
            self._saved[word] = self.maybe[word]
        for kind in range(3):
            self._saved_held[kind] = self.held[kind]
        self._saved_objects = self.objects

    def restore(self) -> None:
        """Go back to what `save` remembered: the lift or place since was none."""
        for word in range(STRANGE + 3):
            self.maybe[word] = self._saved[word]
        for kind in range(3):
            self.held[kind] = self._saved_held[kind]
        self.objects = self._saved_objects

    def touch(
        self, era: int, bit: int, closed: bool, wanted: int = -1, is_confirmed: bool = False
    ) -> None:
        """Take one lift or place; `wanted` is the colour that the lights ask for there, or -1.

        Hands that hold the other colour, too, may put down that one whatever is asked for, unless
        they are known to mind the light (`is_confirmed`): in a set-up, and where it asked them to
        lift what lies there, look, and put it back. Of objects only how many are held is counted:
        a hand that holds copies, too, may put down either, and of several objects any one.
        """
        maybe, held = self.maybe, self.held
        if not closed:
            if wanted == OBJECT:
                self.objects += 1
                self.set(era, bit, -1)
                return
            kind = UNKNOWN if maybe[STRANGE + era] & bit else self.colour(era, bit)
            held[kind] = min(_FORGOTTEN, held[kind] + 1)
            self.set(era, bit, -1)
            return
        own, other = self._mover, 1 - self._mover
        if wanted == OBJECT or (self.objects and not is_confirmed):
            if is_confirmed or not self.is_holding():
                strange = maybe[STRANGE] | maybe[STRANGE + 1] | maybe[STRANGE + 2]
                is_known = wanted == OBJECT and self.objects < 2 and not strange
                self.set(era, bit, -1)
                if not (is_known or is_confirmed):
                    maybe[STRANGE + era] |= bit
                if self.objects:
                    self.objects -= 1
                elif held[UNKNOWN]:
                    held[UNKNOWN] -= 1
                return
            held[UNKNOWN] = min(_FORGOTTEN, held[UNKNOWN] + self.objects)
            self.objects = 0
            wanted = UNKNOWN
        if wanted == FROM_BOX:
            self.set(era, bit, own)
            maybe[STRANGE + era] |= bit
            return
        if 0 <= wanted < UNKNOWN and (is_confirmed or not self._may_hold_other(wanted)):
            kind = wanted
        elif wanted < 0 and not held[UNKNOWN] and not held[other]:
            kind = own  # from the hand, or from the supply
        elif wanted < 0 and not held[UNKNOWN] and not held[own] and not self._has_supply:
            kind = other
        else:
            # white or black was placed, and so it is not known what is left in the hand
            self.is_mixed = self.is_mixed or self.is_holding_both()
            self._lost |= (held[0] > 0) | (held[1] > 0) << 1
            held[UNKNOWN] = min(_FORGOTTEN, held[UNKNOWN] + held[own] + held[other])
            held[own] = held[other] = 0
            kind = UNKNOWN
        if held[kind]:
            held[kind] -= 1
        elif wanted >= 0 and held[UNKNOWN]:
            held[UNKNOWN] -= 1
        if kind != 1:
            maybe[era] |= bit
        if kind != 0:
            maybe[3 + era] |= bit

    def _may_hold_other(self, colour: int) -> bool:
        """Tell whether hands have a copy that may be of the other colour.

        A single one whose colour is not known is not, if it can only be the one that is missing.
        """
        other, held = 1 - colour, self.held
        is_lost = self.is_mixed or self._lost >> other & 1 or held[colour] + held[UNKNOWN] > 1
        return held[other] > 0 or (held[UNKNOWN] > 0 and bool(is_lost))

    def may_be_copy(self, era: int, bit: int) -> bool:
        """Tell whether a copy may lie on a space."""
        return (self.maybe[era] | self.maybe[3 + era]) & bit != 0

    def set(self, era: int, bit: int, colour: int) -> None:
        """Take it for certain what lies on a space: a colour, or -1 for nothing."""
        for player in range(2):
            self.maybe[3 * player + era] &= ~bit & 0xFFFF
        self.maybe[STRANGE + era] &= ~bit & 0xFFFF
        if colour >= 0:
            self.maybe[3 * colour + era] |= bit

    def is_strange(self, era: int, bit: int) -> bool:
        """Tell whether what lies where an object belongs may be another one, or a copy."""
        return self.may_be_copy(era, bit) or self.maybe[STRANGE + era] & bit != 0

    def colour(self, era: int, bit: int) -> int:
        """Return whose copy lies on a space that is taken: 0, 1, or UNKNOWN."""
        white, black = self.maybe[era] & bit, self.maybe[3 + era] & bit
        return UNKNOWN if bool(white) == bool(black) else 0 if white else 1

    def is_laid(
        self,
        words: "array[int]",
        base: int = 0,
        observed: "array[int] | None" = None,
        objects: "array[int] | None" = None,
        first: int = 0,
    ) -> bool:
        """Tell whether exactly the six masks from `base` on are known to lie there.

        Spaces that the observation `observed` does not trust are left out, and those of the three
        masks of `objects` from `first` on: an object is nobody's copy, and its presence is compared
        elsewhere.
        """
        for word in range(_WORDS):
            differs = self.maybe[word] ^ words[base + word]
            if differs and objects is not None:
                differs &= ~objects[first + word % 3]
            if differs and (observed is None or differs & observed[TRUSTED + word % 3]):
                return False
        return True

    def is_holding_both(self) -> bool:
        """Tell whether hands may have copies of both colours."""
        return self.held[UNKNOWN] > 0 or (self.held[0] > 0 and self.held[1] > 0)

    def is_holding(self) -> bool:
        """Tell whether a hand has something that it lifted and did not place."""
        return self.held[0] + self.held[1] + self.held[UNKNOWN] > 0
