"""What the hands are asked to do so that a wanted arrangement lies there.

Each space is compared alone, so hands may do it in any order and what lies right is not moved:
take away what is too much or certainly the other colour's; put what is missing, of the colour that
the light says; and where presence cannot tell the owner, lift what lies there and put it back if it
is the right one.
"""

from array import array

from chronotable.core import match
from chronotable.core.match import OCCUPIED, TRUSTED
from chronotable.core.ownership import UNKNOWN
from chronotable.hardware.sensors import FOCUS, SENSORS
from chronotable.lights.meanings import CONFIRM_WHITE, FAULT, PUT_WHITE, TODO_PUT, TODO_TAKE
from ttykm.layout import RECORD_WORDS
from ttykm.mp import const

if False:
    from chronotable.core.evidence import TurnEvidence
    from ttykm.turns import TurnTree

_WORDS = const(6)
_BOTH = const(3)
_ALL_ERAS = const(7)


class Guidance:
    """The wanted arrangement, and after `compare` what differs from it: flags by sensor."""

    def __init__(self) -> None:
        self.take = bytearray(SENSORS)
        self.put = bytearray(SENSORS)
        self.confirm = bytearray(SENSORS)
        self.looked_at = -1  # what was lifted last, if the lights asked for that
        self.unfelt = bytearray(SENSORS)  # wanted where the reed is not trusted
        self._names_owners = False  # the light says whose belongs where another player's copy lies
        self._wanted = array("H", bytes(2 * _WORDS))
        self._lying = array("H", (0, 0, 0))  # copies, and what else has a magnet
        self._markers = 0

    def want(self, turn_tree: "TurnTree", record: int, markers: int) -> None:
        """Want what lies in a record, and a bit for each focus spot that is to be taken."""
        for word in range(_WORDS):
            self._wanted[word] = turn_tree.records[record * RECORD_WORDS + word]
        for era in range(3):
            self._lying[era] = match.lying(turn_tree, record, era)
        self._markers = markers

    def ask_for_nothing(self) -> None:
        """Clear all flags."""
        match.clear(self.take, SENSORS)
        match.clear(self.put, SENSORS)
        match.clear(self.confirm, SENSORS)
        match.clear(self.unfelt, SENSORS)

    def compare(self, evidence: "TurnEvidence", doubts_objects: int = 0) -> int:
        """Fill the flags; return how many pieces and markers are too much or missing."""
        self.ask_for_nothing()
        observed, ownership = evidence.observed, evidence.ownership
        poles = evidence.poles
        self._names_owners = poles is not None
        count = 0
        for era in range(3):
            white, black = self._wanted[era], self._wanted[3 + era]
            there, trusted = observed[OCCUPIED + era], observed[TRUSTED + era]
            count += self._compare(era << 4, self._lying[era], there, trusted)
            sensor = era << 4
            bit = 1
            both = (self._lying[era] if doubts_objects else white | black) & there & trusted
            while bit <= both:
                if both & bit and not (white | black) & bit:
                    self.confirm[sensor] = ownership.is_strange(era, bit)
                elif both & bit:
                    colour, wanted = ownership.colour(era, bit), self.wanted(era, bit)
                    is_other = poles is not None and poles.is_other(era, bit, wanted)
                    if is_other or colour == 1 - wanted:
                        self.take[sensor] = 1
                        count += 1
                    else:
                        self.confirm[sensor] = colour == UNKNOWN
                bit <<= 1
                sensor += 1
        felt = ~evidence.health.markers
        return count + self._compare(FOCUS, self._markers, evidence.markers, felt)

    def _compare(self, sensor: int, wanted: int, there: int, trusted: int) -> int:
        """Flag what is missing or too much from a sensor on, one bit each; return how much."""
        count = 0
        there &= trusted
        rest = wanted | there
        while rest:
            if rest & 1:
                if not trusted & 1:
                    self.unfelt[sensor] = 1
                elif not there & 1:
                    self.put[sensor] = 1
                    count += 1
                elif not wanted & 1:
                    self.take[sensor] = 1
                    count += 1
            rest >>= 1
            wanted >>= 1
            there >>= 1
            trusted >>= 1
            sensor += 1
        return count

    def wanted(self, era: int, bit: int) -> int:
        """Return whose copy is wanted on a space: 0, 1, or -1 for nobody's."""
        return 0 if self._wanted[era] & bit else 1 if self._wanted[3 + era] & bit else -1

    def is_lying(self, era: int, bit: int) -> bool:
        """Tell whether a copy or an object that reeds feel is wanted on a space."""
        return self._lying[era] & bit != 0

    def has_doubts(self) -> bool:
        """Tell whether some piece lies where one is wanted and may be the other colour's."""
        return any(self.confirm)

    def takes_too_much(self) -> bool:
        """Tell whether a piece is to be taken away from a space."""
        return any(self.take[:FOCUS])

    def has_fallen(self, lost: "array[int]") -> bool:
        """Tell whether pieces are missing that no turn takes off together, but those that are lost.

        Those are pieces of both players, or from all eras; `lost` are masks of spaces, by era,
        where a line of the matrix failed.
        """
        owners = eras = 0
        for sensor in range(FOCUS):
            if self.put[sensor] and not lost[sensor >> 4] >> (sensor & 15) & 1:
                colour = self.wanted(sensor >> 4, 1 << (sensor & 15))
                if colour >= 0:
                    owners |= 1 << colour
                eras |= 1 << (sensor >> 4)
        return owners == _BOTH or eras == _ALL_ERAS

    def is_confirmed(self, sensor: int, closed: bool, confirming: bool) -> bool:
        """Take a lift or place; tell whether it puts back what the lights asked to look at.

        `confirming` tells that they ask for confirming lifts.
        """
        looked_at = self.looked_at
        self.looked_at = -1 if closed or not (confirming and self.confirm[sensor]) else sensor
        return closed and sensor == looked_at

    def paint(self, leds: bytearray, confirming: bool) -> None:
        """Light what is to be done, confirming lifts included if they are due."""
        for sensor in range(SENSORS):
            colour = -1 if sensor >= FOCUS else self.wanted(sensor >> 4, 1 << (sensor & 15))
            if self.take[sensor] and not (self._names_owners and colour >= 0):
                leds[sensor] = TODO_TAKE
            elif self.take[sensor] or self.put[sensor]:
                leds[sensor] = TODO_PUT if colour < 0 else PUT_WHITE + colour
            elif confirming and self.confirm[sensor]:
                leds[sensor] = TODO_PUT if colour < 0 else CONFIRM_WHITE + colour
            elif self.unfelt[sensor]:
                leds[sensor] = FAULT  # no reed tells: people have to see that it lies there
