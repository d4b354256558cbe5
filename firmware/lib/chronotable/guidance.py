"""What the hands are asked to do so that a wanted arrangement lies there.

Each space speaks for itself, so any order will do and nothing is moved that lies right: take away
what is too much or certainly the other colour's, put what is missing and whose it is, and where
presence cannot tell the owner, lift what lies there and put it back if it is the right one.
"""

from array import array

from chronotable.belief import UNKNOWN
from chronotable.match import OCCUPIED, TRUSTED
from chronotable.meanings import CONFIRM_WHITE, FAULT, PUT_WHITE, TODO_PUT, TODO_TAKE
from chronotable.sensors import FOCUS, SENSORS

if False:
    from chronotable.belief import Belief

_WORDS = 6


class Guidance:
    """The wanted arrangement, and after `compare` what differs from it: flags by sensor."""

    def __init__(self) -> None:
        self.take = bytearray(SENSORS)
        self.put = bytearray(SENSORS)
        self.confirm = bytearray(SENSORS)
        self.unfelt = bytearray(SENSORS)  # wanted where the reed cannot tell
        self._wanted = array("H", bytes(2 * _WORDS))
        self._markers = 0

    def aim(self, words: "array[int]", base: int, markers: int) -> None:
        """Want six masks from `base` on, and a bit for each focus spot that is to be taken."""
        for word in range(_WORDS):
            self._wanted[word] = words[base + word]
        self._markers = markers

    def compare(
        self, seen: "array[int]", markers: int, unfelt_markers: int, belief: "Belief"
    ) -> int:
        """Fill the flags; return how many pieces and markers are too much or missing."""
        count = 0
        for era in range(3):
            white, black = self._wanted[era], self._wanted[3 + era]
            there, trusted = seen[OCCUPIED + era], seen[TRUSTED + era]
            for space in range(16):
                bit = 1 << space
                wanted = 0 if white & bit else 1 if black & bit else -1
                lies = there & bit != 0
                count += self._compare(16 * era + space, wanted, lies, trusted & bit != 0)
                if lies and wanted >= 0 and trusted & bit:
                    colour = belief.colour(era, bit)
                    if colour == UNKNOWN:
                        self.confirm[16 * era + space] = 1
                    elif colour != wanted:
                        self.take[16 * era + space] = 1
                        count += 1
        for spot in range(6):
            wanted = 0 if self._markers >> spot & 1 else -1
            felt = unfelt_markers >> spot & 1 == 0
            count += self._compare(FOCUS + spot, wanted, markers >> spot & 1 != 0, felt)
        return count

    def _compare(self, sensor: int, wanted: int, lies: bool, trusted: bool) -> int:
        missing = trusted and wanted >= 0 and not lies
        extra = trusted and wanted < 0 and lies
        self.put[sensor] = 1 if missing else 0
        self.take[sensor] = 1 if extra else 0
        self.confirm[sensor] = 0
        self.unfelt[sensor] = 1 if wanted >= 0 and not trusted else 0
        return 1 if missing or extra else 0

    def wanted(self, era: int, bit: int) -> int:
        """Return whose copy is wanted on a space: 0, 1, or -1 for nobody's."""
        return 0 if self._wanted[era] & bit else 1 if self._wanted[3 + era] & bit else -1

    def has_doubts(self) -> bool:
        """Tell whether some piece lies where one is wanted and may be the other colour's."""
        return any(self.confirm)

    def takes_too_much(self) -> bool:
        """Tell whether a piece is to be taken away from a space."""
        return any(self.take[:FOCUS])

    def displaced(self) -> int:
        """Return how many pieces lie where none of theirs is wanted, or are missing."""
        return max(sum(self.take[:FOCUS]), sum(self.put[:FOCUS]))

    def sensors(self) -> "list[int]":
        """Return the sensors where something is too much or missing."""
        return [sensor for sensor in range(SENSORS) if self.take[sensor] or self.put[sensor]]

    def paint(self, leds: bytearray, confirming: bool) -> None:
        """Light what is to be done, confirming lifts included if they are due."""
        for sensor in range(SENSORS):
            colour = -1 if sensor >= FOCUS else self.wanted(sensor >> 4, 1 << (sensor & 15))
            if self.take[sensor]:
                leds[sensor] = TODO_TAKE
            elif self.put[sensor]:
                leds[sensor] = TODO_PUT if sensor >= FOCUS else PUT_WHITE + colour
            elif confirming and self.confirm[sensor]:
                leds[sensor] = CONFIRM_WHITE + colour
            elif self.unfelt[sensor]:
                leds[sensor] = FAULT  # people have to look
