"""The pieces on a virtual table: which lies where, what a hand holds, what is in the box.

The virtual table only knows magnets; here they are pieces, which a person can move. One rule: what
hands could not do at a real table is refused with a sentence, and changes nothing; whether a move
is legal is for the table to say.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import FOCUS, SENSORS, SPACES
from chronotable_host.errors import UserError
from chronotable_host.hardware.drawings.glyphs import KINDS, MARKER
from chronotable_host.language import names, tr
from chronotable_host.pieces import is_object, pieces_of
from chronotable_host.rules.notation import ERAS, PLAYERS
from chronotable_host.virtual.table import VirtualTable
from ttykm import layout, objects

COPIES = layout.SUPPLY + len(ERAS)
"""Of each player in the box (T2)."""
MARKERS = tuple(player + MARKER for player in PLAYERS)
"""What the focus markers are called."""

_GROUND = {  # pieces that the modules bring along, and how many are in the box
    objects.GROWTH: {"shrub": 5, "tree": 5},
    objects.INFLUENCE: {"statue-neutral": 3, "statue-white": 3, "statue-black": 3},
    objects.MEMORY: {"elephant-dark": 3, "elephant-light": 3},
}
_GESTURE_MS = 100.0  # a hand is not faster, even if many gestures are asked for at once
_TAP_MS = 150.0
_STILL_MS = 4.0  # how long contacts bounce under a steady hand
_BOUNCE_MS = 12.0  # how much longer under the clumsiest hand
_SLIDES, _DROPS = 0.4, 0.2  # the shares of the clumsiest hand's gestures that slide, or drop
_SLIDE_MS = (20, 60)
_DROP_MS = (60, 400)


class Tabletop:
    """The pieces of a game on a virtual table; `there` says which lies on which sensor.

    A piece is called as `look_of` does. `clumsy` is a hand's share, 0 to 1, of what a hand does
    amiss: bouncing contacts, neighbours brushed in passing, pieces dropped and put again.
    """

    def __init__(self, table: VirtualTable, rng: Random) -> None:
        self.table = table
        self.there: dict[int, str] = {}
        self.broken: dict[int, str] = {}
        self._rng = rng
        self.clumsy = 0.0
        self._busy: set[int] = set()  # sensors where something is under way
        self._queued: Counter[int] = Counter()  # gestures to come, by sensor
        self._free_ms = 0.0  # when the hand has done what it was told so far
        self._laid = 0  # how often a position was laid
        self._box: Counter[str] = Counter()

    @property
    def clumsy(self) -> float:
        """How clumsy hands are."""
        return self._clumsy

    @clumsy.setter
    def clumsy(self, share: float) -> None:
        self._clumsy = share
        self.table.bounce_ms = _STILL_MS + share * _BOUNCE_MS

    def lay(self, state: "array[int]") -> None:
        """Lay a position: what lies elsewhere goes into the box first."""
        modules = objects.modules_of(state)
        self._box = Counter(dict.fromkeys(PLAYERS, COPIES) | dict.fromkeys(MARKERS, 1))
        for module, pieces in _GROUND.items():
            if modules & module:
                self._box.update(pieces)
        for sensor in range(SENSORS):
            if self.table.has_magnet(sensor):
                self.table.lift(sensor)
        self._busy.clear()
        self._queued.clear()
        self._free_ms = 0.0
        self._laid += 1
        before, self.there = self.there, looks_in(state)
        for sensor, piece in self.there.items():
            if before.get(sensor, piece) == piece:
                self.table.place(sensor, _number(piece))
            else:  # the table has to feel that it is another one
                self._later(_GESTURE_MS, partial(self.table.place, sensor, _number(piece)))
                self._free_ms = self.table.now_ms + 2 * _GESTURE_MS

    def box(self, *held: str) -> Iterator[tuple[str, int]]:
        """Yield each piece and how many of it are neither on the table nor held."""
        taken = Counter(self.there.values()) + Counter(held)
        for piece, count in self._box.items():
            yield piece, max(0, count - taken[piece])

    # ---- what a hand does

    def lift(self, sensor: int) -> str:
        """Take the piece from a sensor and return it; raises UserError where that cannot be."""
        self._check_free(sensor)
        if sensor not in self.there:
            raise UserError(tr("nothing lies on {place}", place=names.place(sensor_name(sensor))))
        self._next(sensor, lambda: self.table.lift(sensor))
        return self.there.pop(sensor)

    def check_place(self, sensor: int, piece: str) -> None:
        """Raise UserError where a piece cannot be put."""
        self._check_free(sensor)
        place = names.place(sensor_name(sensor))
        if sensor in self.there:
            raise UserError(tr("{place} is taken; lift what lies there first", place=place))
        if (piece in MARKERS) != (sensor >= FOCUS):
            raise UserError(tr("{place} is no place for that piece", place=place))
        if sensor >= FOCUS and MARKERS.index(piece) != (sensor - FOCUS) // 3:
            raise UserError(tr("{place} is the other player's", place=place))

    def place(self, sensor: int, piece: str) -> None:
        """Put a piece on a sensor; raises UserError where it cannot be put."""
        self.check_place(sensor, piece)
        self.there[sensor] = piece
        self._next(sensor, lambda: self._put(sensor, piece))

    def _put(self, sensor: int, piece: str) -> None:
        self.table.place(sensor, _number(piece))
        if self._rng.random() < self._clumsy * _SLIDES:
            self._brush(sensor)
        if self._rng.random() < self._clumsy * _DROPS:
            self._drop(sensor)

    def tap(self, sensor: int) -> None:
        """Lift and put back what lies there, or touch the space with a spare magnet."""
        self._check_free(sensor)
        self._busy.add(sensor)
        self._next(sensor, lambda: self._touch(sensor, _TAP_MS))

    def break_reed(self, sensor: int, how: str) -> None:
        """Break a reed (`open`, `closed`, `flicker`) or mend it (`good`)."""
        meant: dict[str, bool | str | None] = {"open": False, "closed": True, "good": None}
        self.table.set_stuck(sensor, meant.get(how, how))
        self.broken.pop(sensor, None)
        if how != "good":
            self.broken[sensor] = how

    # ---- what takes a while

    def _next(self, sensor: int, gesture: Callable[[], None]) -> None:
        """Do something when the hand has done what comes before."""
        now_ms = self.table.now_ms
        at_ms = max(now_ms, self._free_ms)
        self._free_ms = at_ms + _GESTURE_MS
        if at_ms == now_ms:
            gesture()
            return

        def do() -> None:
            self._queued[sensor] -= 1
            gesture()

        self._queued[sensor] += 1
        self._later(at_ms - now_ms, do)

    def _later(self, delay_ms: float, action: Callable[[], None]) -> None:
        """Do something after a while, unless a position is laid in the meantime."""
        laid = self._laid
        self.table.later(delay_ms, lambda: action() if laid == self._laid else None)

    def _check_free(self, sensor: int) -> None:
        if sensor in self._busy:
            raise UserError(
                tr(
                    "something is moving on {place}; wait a moment",
                    place=names.place(sensor_name(sensor)),
                )
            )

    def _brush(self, sensor: int) -> None:
        """Pass over a neighbour of a space."""
        near = sensor ^ self._rng.choice((1, 4))
        if sensor < SPACES and self._is_quiet(near):
            self._touch(near, self._rng.uniform(*_SLIDE_MS))

    def _drop(self, sensor: int) -> None:
        """Lift what was just put there once more, and put it back."""
        if self._is_quiet(sensor):
            self._busy.add(sensor)
            self._later(self._rng.uniform(*_DROP_MS), lambda: self._touch(sensor, _TAP_MS))

    def _is_quiet(self, sensor: int) -> bool:
        return sensor not in self._busy and not self._queued[sensor]

    def _touch(self, sensor: int, for_ms: float) -> None:
        """Have a magnet come where none is, or go, for a while."""
        first: Callable[[int], None] = self.table.place
        second: Callable[[int], None] = self.table.lift
        if self.table.has_magnet(sensor):
            first, second = second, first
        self._busy.add(sensor)
        first(sensor)

        def back() -> None:
            second(sensor)
            self._busy.discard(sensor)

        self._later(for_ms, back)


def _number(piece: str) -> int:
    """Return the number of a player's copy, and of anything else that of white's."""
    return PLAYERS.index(piece) if piece in PLAYERS else layout.WHITE


def looks_in(state: "array[int]") -> dict[int, str]:
    """Return which piece lies where in a position, by sensor."""
    return {sensor: look_of(piece, sensor) for sensor, piece in pieces_of(state).items()}


def look_of(piece: int, sensor: int) -> str:
    """Return what a piece of virtual/steps.py that lies on a sensor is called."""
    if sensor >= FOCUS:
        return MARKERS[piece]
    return KINDS[piece] if is_object(piece) else PLAYERS[piece]
