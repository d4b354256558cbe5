"""What can be wrong with a table that somebody has built, and drawing some of it at random.

A fault is written as the doctor would tell it: kind, and up to two numbers whose meaning depends on
the kind. Sensors are numbered as in `hardware/sensors.py`, and mean places on the table: what is
under the hand, whatever it is wired to. Nothing here is taken from the doctor.

The firmware only has the board file. `ActualTable` is how a table is really wired: which cell each
reed and button closes, which LED of the chain is under each space, and what never closes, never
opens or trembles.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from chronotable.hardware.sensors import BUTTON, INPUTS, SENSORS, SPACES
from chronotable.hardware.wiring import COLUMNS, Board
from ttykm.layout import BLACK

NONE = 0xFF
"""In the place of a number that a fault has not."""

LINES = 8
ORDERS = ("RGB", "RBG", "GRB", "GBR", "BRG", "BGR")

STUCK_CLOSED = "stuck_closed"
STUCK_OPEN = "stuck_open"
FLICKERS = "flickers"
WEAK = "weak"
NOSY = "nosy"
EXCHANGED = "exchanged"
TURNED = "turned"
GRIDS_EXCHANGED = "grids_exchanged"
ROWS_EXCHANGED = "rows_exchanged"
COLS_EXCHANGED = "columns_exchanged"
ROW_CUT = "row_cut"
COLUMN_CUT = "column_cut"
CHIP_DEAD = "chip_dead"
DIODE_MISSING = "diode_missing"
LED_DARK = "led_dark"
LED_EXCHANGED = "led_exchanged"
LED_ORDER = "led_order"
LEDS_EXCHANGED = "leds_exchanged"
COLOURS = "colour_order"
BUTTON_DEAD = "button_dead"
BUTTON_STUCK = "button_stuck"
BUTTON_EXCHANGED = "button_exchanged"
SUPPLY_WEAK = "supply_weak"
OUTPUT_STUCK = "output_stuck"  # of a sensor of polarity: space, player
OUTPUT_DEAD = "output_dead"
POLES_WRONG = "poles_wrong"
MAGNET_TURNED = "magnet_turned"  # of the first copy that a player's are examined with
MOVED = "moved"  # what several exchanges of reeds come to; never drawn
LED_MOVED = "led_moved"  # the same of LEDs


class PlantedFault(NamedTuple):
    """One thing that is wrong."""

    kind: str
    first: int = NONE
    second: int = NONE

    def __str__(self) -> str:
        """Return kind and numbers."""
        numbers = [str(number) for number in self[1:] if number != NONE]
        return " ".join([self.kind, *numbers])


def _reed(kind: str) -> Callable[[Random, Board], PlantedFault]:
    return lambda rng, _board: PlantedFault(kind, rng.randrange(SENSORS))


def _button(kind: str) -> Callable[[Random, Board], PlantedFault]:
    return lambda rng, _board: PlantedFault(kind, rng.randrange(BUTTON, INPUTS))


def _pair(kind: str, first: int, end: int) -> Callable[[Random, Board], PlantedFault]:
    return lambda rng, _board: PlantedFault(kind, *sorted(rng.sample(range(first, end), 2)))


def _line(kind: str) -> Callable[[Random, Board], PlantedFault]:
    return lambda rng, _board: PlantedFault(kind, rng.randrange(LINES))


def _output(kind: str) -> Callable[[Random, Board], PlantedFault]:
    return lambda rng, _board: PlantedFault(kind, rng.randrange(SPACES), rng.randrange(2))


def _nosy(rng: Random, _board: Board) -> PlantedFault:
    """A reed that feels the magnet on a space beside its own."""
    space = rng.randrange(SPACES)
    return PlantedFault(NOSY, space, rng.choice(beside(space)))


def _chips(rng: Random, board: Board) -> PlantedFault:
    """One chip that is not supplied, or the chain broken before one of them."""
    chip, count = rng.randrange(LINES), rng.choice((1, LINES))
    outputs = board.outputs
    return PlantedFault(CHIP_DEAD, outputs * chip, outputs * min(count, LINES - chip))


def _led_order(rng: Random, board: Board) -> PlantedFault:
    """A tile whose LEDs were laid in one of the other fifteen ways."""
    era = rng.randrange(3)
    ours = board.led_of[era * 16 :][:16]
    ways = [way for way in range(16) if led_positions(board, era, way) != ours]
    return PlantedFault(LED_ORDER, era, rng.choice(ways))


def _colours(rng: Random, board: Board) -> PlantedFault:
    ours = ORDERS.index(board.colour_order)
    return PlantedFault(COLOURS, rng.choice([at for at in range(len(ORDERS)) if at != ours]), ours)


_OF_EVERY_BOARD: Mapping[str, Callable[[Random, Board], PlantedFault]] = {
    STUCK_CLOSED: _reed(STUCK_CLOSED),
    STUCK_OPEN: _reed(STUCK_OPEN),
    FLICKERS: _reed(FLICKERS),
    WEAK: _reed(WEAK),
    NOSY: _nosy,
    EXCHANGED: _pair(EXCHANGED, 0, SENSORS),
    TURNED: lambda rng, _board: PlantedFault(TURNED, rng.randrange(3), rng.randrange(1, 8)),
    GRIDS_EXCHANGED: _pair(GRIDS_EXCHANGED, 0, 3),
    ROWS_EXCHANGED: _pair(ROWS_EXCHANGED, 0, LINES),
    LED_DARK: lambda rng, board: PlantedFault(LED_DARK, rng.randrange(board.led_count)),
    LED_EXCHANGED: _pair(LED_EXCHANGED, 0, SENSORS),
    LED_ORDER: _led_order,
    LEDS_EXCHANGED: _pair(LEDS_EXCHANGED, 0, 3),
    COLOURS: _colours,
    BUTTON_DEAD: _button(BUTTON_DEAD),
    BUTTON_STUCK: _button(BUTTON_STUCK),
    BUTTON_EXCHANGED: _pair(BUTTON_EXCHANGED, BUTTON, INPUTS),
    SUPPLY_WEAK: lambda _rng, _board: PlantedFault(SUPPLY_WEAK),
}
_OF_A_MATRIX: Mapping[str, Callable[[Random, Board], PlantedFault]] = {
    COLS_EXCHANGED: _pair(COLS_EXCHANGED, 0, LINES),
    ROW_CUT: _line(ROW_CUT),
    COLUMN_CUT: _line(COLUMN_CUT),
    DIODE_MISSING: _reed(DIODE_MISSING),
}
_OF_REGISTERS: Mapping[str, Callable[[Random, Board], PlantedFault]] = {CHIP_DEAD: _chips}
_OF_POLES: Mapping[str, Callable[[Random, Board], PlantedFault]] = {
    OUTPUT_STUCK: _output(OUTPUT_STUCK),
    OUTPUT_DEAD: _output(OUTPUT_DEAD),
    POLES_WRONG: lambda rng, _board: PlantedFault(POLES_WRONG, rng.randrange(SPACES)),
    MAGNET_TURNED: lambda _rng, _board: PlantedFault(MAGNET_TURNED, BLACK),
}

KINDS = (*_OF_EVERY_BOARD, *_OF_A_MATRIX, *_OF_REGISTERS, *_OF_POLES, MOVED, LED_MOVED)
"""Every kind that can be told."""

# of these two cannot be at once in one part of the table, else they would be one other fault
_ONCE_A_TABLE = (GRIDS_EXCHANGED, LEDS_EXCHANGED, COLOURS, CHIP_DEAD, SUPPLY_WEAK)
_ONCE_A_PART = (TURNED, LED_ORDER)
_DISJOINT = (ROWS_EXCHANGED, COLS_EXCHANGED)
# the state of one contact: it has one
_CONTACT = (
    *(STUCK_CLOSED, STUCK_OPEN, FLICKERS, WEAK, BUTTON_DEAD, BUTTON_STUCK),
    *(OUTPUT_STUCK, OUTPUT_DEAD, POLES_WRONG),
)


def kinds_of(board: Board) -> dict[str, Callable[[Random, Board], PlantedFault]]:
    """Return what can be wrong with a table of this board, and what draws one such fault."""
    more = _OF_REGISTERS if board.register_pins else _OF_A_MATRIX
    return {**_OF_EVERY_BOARD, **more, **(_OF_POLES if board.outputs > 1 else {})}


def draw(board: Board, rng: Random, most: int = 3) -> list[PlantedFault]:
    """Return one to `most` faults that can be at once, each kind as often as another."""
    return draw_some(board, rng, rng.randint(1, most))


def draw_some(board: Board, rng: Random, wanted: int) -> list[PlantedFault]:
    """Return so many faults that can be at once, each kind as often as another."""
    kinds = kinds_of(board)
    found: list[PlantedFault] = []
    while len(found) < wanted:
        fault = kinds[rng.choice(sorted(kinds))](rng, board)
        if all(_can_be_with(fault, other) for other in found):
            found.append(fault)
    return found


def _can_be_with(fault: PlantedFault, other: PlantedFault) -> bool:
    """Tell whether two faults are two, and can be at once.

    A reed is not open and closed for ever; two exchanges of rows that share one are a cycle of
    three rows, which no list of pairs tells.
    """
    if fault == other:
        return False
    if fault.kind in _CONTACT and other.kind in _CONTACT:
        return fault.first != other.first
    if fault.kind != other.kind or fault.kind in _ONCE_A_TABLE:
        return fault.kind != other.kind
    if fault.kind in _ONCE_A_PART:
        return fault.first != other.first
    if fault.kind in _DISJOINT:
        return not {fault.first, fault.second} & {other.first, other.second}
    if fault.kind == NOSY:
        return fault.first != other.first
    return True


# ---- the geometry of a grid


def turned(place: int, symmetry: int) -> int:
    """Return where a place 0..15 of a grid is under a symmetry 0..7.

    Bit 0: mirrored east-west; bit 1: mirrored north-south; bit 2: then rows become columns.
    """
    row, column = divmod(place, 4)
    if symmetry & 1:
        column = 3 - column
    if symmetry & 2:
        row = 3 - row
    return column * 4 + row if symmetry & 4 else row * 4 + column


def beside(space: int) -> list[int]:
    """Return the spaces that share an edge with one."""
    era, place = divmod(space, 16)
    row, column = divmod(place, 4)
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [era * 16 + r * 4 + c for r, c in around if 0 <= r < 4 and 0 <= c < 4]


def path(way: int) -> list[int]:
    """Return the places 0..15 of a tile in the order of its LEDs.

    Bit 3: every other row the other way round (serpentine); bits 0 to 2: a symmetry of the whole.
    """
    places = []
    for at in range(16):
        row, column = divmod(at, 4)
        if way & 8 and row & 1:
            column = 3 - column
        places.append(turned(row * 4 + column, way & 7))
    return places


def led_positions(board: Board, era: int, way: int) -> bytearray:
    """Return the chain position of each of an era's spaces, its LEDs being laid in this way."""
    chain = sorted(board.led_of[era * 16 :][:16])
    led_of = bytearray(16)
    for position, place in zip(chain, path(way), strict=True):
        led_of[place] = position
    return led_of


def way_of(board: Board, era: int, how: int) -> int:
    """Return the way (0 to 15) in which a tile was laid that the doctor calls `how`.

    `how` makes the true order out of the file's: 8: every second row runs backwards, 16: every
    second column; then the symmetry of bits 0 to 2. NONE where no tile is laid like that.
    """
    led_of = bytearray(16)
    for place in range(16):
        row, column = divmod(place, 4)
        if how & 8 and row & 1:
            column = 3 - column
        if how & 16 and column & 1:
            row = 3 - row
        led_of[place] = board.led_of[era * 16 + turned(row * 4 + column, how & 7)]
    return next((way for way in range(16) if led_positions(board, era, way) == led_of), NONE)


# ---- a table as it really is: its board, and the faults in it


class ActualTable:
    """Where everything is on a table of `board` with these faults, in whatever order they came.

    `cell_of[sensor]` is the cell that the reed or button at that place closes, `led_of[sensor]` the
    chain position of the LED there.
    """

    def __init__(self, board: Board, faults: Iterable[PlantedFault]) -> None:
        self.board = board
        outputs = board.outputs
        self.faults = tuple(faults)
        self.cell_of = bytearray(self._cell(sensor) for sensor in range(INPUTS))
        self.led_of = bytearray(self._led(sensor) for sensor in range(SENSORS))
        self.colour_order = board.colour_order
        for fault in self._of(COLOURS):
            self.colour_order = ORDERS[fault.first]
        self.dark = frozenset(fault.first for fault in self._of(LED_DARK))
        self.stuck_closed = self._sensors(STUCK_CLOSED, BUTTON_STUCK)
        self.stuck_open = self._sensors(STUCK_OPEN, BUTTON_DEAD)
        self.flickers = self._sensors(FLICKERS)
        self.weak = self._sensors(WEAK)
        self.bare = self._sensors(DIODE_MISSING)
        self.nosy = {fault.first: fault.second for fault in self._of(NOSY)}
        self.cut_rows = self._sensors(ROW_CUT)
        self.cut_columns = self._sensors(COLUMN_CUT)
        self.dead_chips = frozenset(
            chip
            for fault in self._of(CHIP_DEAD)
            for chip in range(fault.first // outputs, (fault.first + fault.second) // outputs)
        )
        self.stuck_outputs = {fault[1:]: True for fault in self._of(OUTPUT_STUCK)}
        self.stuck_outputs |= {fault[1:]: False for fault in self._of(OUTPUT_DEAD)}
        self.wrong_poles = self._sensors(POLES_WRONG)
        self.turned_of = self._sensors(MAGNET_TURNED)  # players
        self.is_supply_weak = bool(self._of(SUPPLY_WEAK))

    def is_cut(self, sensor: int) -> bool:
        """Tell whether the wire between a switch and the chip is interrupted."""
        row, column = divmod(self.cell_of[sensor], COLUMNS)
        return row in self.cut_rows | self.dead_chips or column in self.cut_columns

    def _of(self, kind: str) -> list[PlantedFault]:
        return [fault for fault in self.faults if fault.kind == kind]

    def _sensors(self, *of_kinds: str) -> frozenset[int]:
        return frozenset(fault.first for fault in self.faults if fault.kind in of_kinds)

    def _cell(self, sensor: int) -> int:
        """Follow a switch's wire: pairs of wires, then its grid, then the lines to the chip."""
        for kind in (EXCHANGED, BUTTON_EXCHANGED):
            sensor = _swapped(sensor, self._of(kind))
        for fault in self._of(TURNED):
            if sensor >> 4 == fault.first:
                sensor = fault.first * 16 + turned(sensor & 15, fault.second)
                break
        sensor = _grid_swapped(sensor, self._of(GRIDS_EXCHANGED))
        row, column = divmod(self.board.cell_of[sensor], COLUMNS)
        row = _swapped(row, self._of(ROWS_EXCHANGED))
        return row * COLUMNS + _swapped(column, self._of(COLS_EXCHANGED))

    def _led(self, sensor: int) -> int:
        """Find the LED at a place: pairs of LEDs, then the order of a tile, then whole tiles."""
        sensor = _swapped(sensor, self._of(LED_EXCHANGED))
        for fault in self._of(LED_ORDER):
            if sensor >> 4 == fault.first:
                position = led_positions(self.board, fault.first, fault.second)[sensor & 15]
                sensor = self.board.led_of.index(position)
                break
        return self.board.led_of[_grid_swapped(sensor, self._of(LEDS_EXCHANGED))]


def _swapped(number: int, exchanges: Sequence[PlantedFault]) -> int:
    for fault in exchanges:
        if number == fault.first:
            number = fault.second
        elif number == fault.second:
            number = fault.first
    return number


def _grid_swapped(sensor: int, exchanges: Sequence[PlantedFault]) -> int:
    era = sensor >> 4
    return _swapped(era, exchanges) * 16 + (sensor & 15) if era < 3 else sensor
