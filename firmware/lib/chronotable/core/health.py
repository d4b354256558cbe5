"""Which reeds can be trusted.

A reed that is found broken is not trusted from then on, it is *virtual*: what lies there is taken
from the game, and asked about where the game leaves it open. A flickering reed is found by its
edges alone, as no hand is that quick; a stuck one only when the players say that it is wrong.
"""

from array import array

from chronotable.core.match import clear
from chronotable.hardware.sensors import FOCUS, SENSORS
from ttykm.mp import const

DOES_NOT_OPEN = const("o")
DOES_NOT_CLOSE = const("c")
FLICKERS = const("f")
GHOST = const("g")  # closes with three others: a diode is missing
MISWIRED = const("w")  # wires or a diode are wrong somewhere, and this may be due to that
POLES_LIE = const("p")  # a sensor of polarity tells where magnets are, but not whose
HEALED = const("h")
TURNED = const("t")  # no fault of the reed: the magnet of the copy there is the wrong way round

HEARD = const(0)
IGNORED = const(1)
FOUND = const(2)  # this edge shows that the reed flickers

# each edge of a reed fills its bucket by one, each 128 ms empty it by one
_LEAK = const(7)
_FLICKER = const(8)
_RESTLESS = const(4)
_QUIET_MS = const(5000)
_MOVES = const(2)
_AGAIN = const(5)  # asked for and gone twice, and asked for
_LINES = ((3, 7), (0, 7))  # shift and mask that make a cell its row, its column


class ReedHealth:
    """The state of the 54 reeds; without `cell_of`, nothing is known of lines, which fail as one.

    Lines are the rows and columns of a matrix; without one, the eight inputs of a shift register:
    there the same input of other chips has nothing in common, and nothing closes with three others.
    """

    def __init__(self, cell_of: "bytearray | None" = None, has_matrix: bool = True) -> None:
        self.distrusted = array("H", (0, 0, 0))  # a mask per era of the reeds that are virtual
        self.markers = 0  # a bit for each virtual focus reed
        self.kinds = [""] * SENSORS
        self.cells = cell_of or b""
        self.lines = _LINES[: 0 if cell_of is None else 1 + has_matrix]
        self._levels = bytearray(SENSORS)
        self._moves = bytearray(SENSORS)  # edges of a virtual reed
        self._last_ms = [0] * SENSORS  # no typed array: a time that does not fit is cut off there
        self._opened = -1  # the sensor that opened last, and when
        self._opened_ms = 0
        self.needs_doctor = False  # wires or diodes are wrong, not single reeds
        self._cleared = bytearray(SENSORS)  # odd while something on it is asked to be taken away
        self.lost_line = False  # two reeds of one line opened in one scan: the line failed

    def hear(self, sensor: int, closed: bool, now_ms: int) -> int:
        """Take note of an edge; return HEARD, IGNORED from a virtual reed, or FOUND."""
        at_once = not closed and now_ms == self._opened_ms
        self.lost_line = at_once and (
            self.lost_line or (self._opened >= 0 and self.shares_a_line([sensor, self._opened]))
        )
        if not closed:
            self._opened, self._opened_ms = sensor, now_ms
            self._cleared[sensor] += self._cleared[sensor] & 1
        level = self._level(sensor, now_ms) + 1
        self._levels[sensor] = min(level, 2 * _FLICKER)
        self._last_ms[sensor] = now_ms
        if self.kinds[sensor]:
            self._moves[sensor] = min(self._moves[sensor] + 1, _MOVES)
            return IGNORED
        return FOUND if level >= _FLICKER else HEARD

    def begin_turn(self) -> None:
        """Forget what was asked to be taken away in the turn before."""
        clear(self._cleared, SENSORS)

    def ask_to_take(self, take: bytearray) -> None:
        """Take it that wires are exchanged if the same place is to be cleared a third time.

        Hands that are told what is wrong do not put the piece there again and again in one turn.
        """
        for sensor in range(SENSORS):
            if take[sensor]:
                self._cleared[sensor] |= 1
                if self._cleared[sensor] >= _AGAIN:
                    self.needs_doctor = True

    def is_restless(self, sensor: int, now_ms: int) -> bool:
        """Tell whether a reed changed so often lately that its state may mean nothing."""
        return self._level(sensor, now_ms) >= _RESTLESS

    def distrust(self, sensor: int, kind: str) -> None:
        """Make a reed virtual."""
        self.kinds[sensor] = kind
        self._moves[sensor] = 0
        if sensor < FOCUS:
            self.distrusted[sensor >> 4] |= 1 << (sensor & 15)
        else:
            self.markers |= 1 << (sensor - FOCUS)

    def may_heal(self, sensor: int, now_ms: int) -> bool:
        """Tell whether a virtual reed seems to work: it is quiet, or, being stuck, moved twice."""
        kind = self.kinds[sensor]
        if kind == FLICKERS:
            return now_ms - self._last_ms[sensor] >= _QUIET_MS
        return kind in (DOES_NOT_OPEN, DOES_NOT_CLOSE) and self._moves[sensor] >= _MOVES

    def heal(self, sensor: int) -> None:
        """Trust a reed again."""
        self.kinds[sensor] = ""
        if sensor < FOCUS:
            self.distrusted[sensor >> 4] &= ~(1 << (sensor & 15)) & 0xFFFF
        else:
            self.markers &= ~(1 << (sensor - FOCUS))

    def shares_a_line(self, sensors: "list[int]") -> bool:
        """Tell whether all sensors are on one row or one column of the matrix."""
        for shift, mask in self.lines:
            if len({self.cells[sensor] >> shift & mask for sensor in sensors}) == 1:
                return True
        return False

    def _level(self, sensor: int, now_ms: int) -> int:
        leaked = now_ms - self._last_ms[sensor] >> _LEAK
        return max(0, self._levels[sensor] - leaked)
