"""A table as it really is: its board, and the faults in it.

The firmware only has the board file. This is how the table is really wired: which cell each reed
and button closes, which LED of the chain is under each space, and what never closes, never opens or
trembles.
"""

from collections.abc import Iterable, Sequence

from chronotable.hardware.sensors import INPUTS, SENSORS
from chronotable.hardware.wiring import COLUMNS, Board
from chronotable_host.virtual.faulty import faults as kinds
from chronotable_host.virtual.faulty.faults import ORDERS, PlantedFault, led_positions, turned


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
        for fault in self._of(kinds.COLOURS):
            self.colour_order = ORDERS[fault.first]
        self.dark = frozenset(fault.first for fault in self._of(kinds.LED_DARK))
        self.stuck_closed = self._sensors(kinds.STUCK_CLOSED, kinds.BUTTON_STUCK)
        self.stuck_open = self._sensors(kinds.STUCK_OPEN, kinds.BUTTON_DEAD)
        self.flickers = self._sensors(kinds.FLICKERS)
        self.weak = self._sensors(kinds.WEAK)
        self.bare = self._sensors(kinds.DIODE_MISSING)
        self.nosy = {fault.first: fault.second for fault in self._of(kinds.NOSY)}
        self.cut_rows = self._sensors(kinds.ROW_CUT)
        self.cut_columns = self._sensors(kinds.COLUMN_CUT)
        self.dead_chips = frozenset(
            chip
            for fault in self._of(kinds.CHIP_DEAD)
            for chip in range(fault.first // outputs, (fault.first + fault.second) // outputs)
        )
        self.stuck_outputs = {fault[1:]: True for fault in self._of(kinds.OUTPUT_STUCK)}
        self.stuck_outputs |= {fault[1:]: False for fault in self._of(kinds.OUTPUT_DEAD)}
        self.wrong_poles = self._sensors(kinds.POLES_WRONG)
        self.turned_of = self._sensors(kinds.MAGNET_TURNED)  # players
        self.is_supply_weak = bool(self._of(kinds.SUPPLY_WEAK))

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
        for kind in (kinds.EXCHANGED, kinds.BUTTON_EXCHANGED):
            sensor = _swapped(sensor, self._of(kind))
        for fault in self._of(kinds.TURNED):
            if sensor >> 4 == fault.first:
                sensor = fault.first * 16 + turned(sensor & 15, fault.second)
                break
        sensor = _grid_swapped(sensor, self._of(kinds.GRIDS_EXCHANGED))
        row, column = divmod(self.board.cell_of[sensor], COLUMNS)
        row = _swapped(row, self._of(kinds.ROWS_EXCHANGED))
        return row * COLUMNS + _swapped(column, self._of(kinds.COLS_EXCHANGED))

    def _led(self, sensor: int) -> int:
        """Find the LED at a place: pairs of LEDs, then the order of a tile, then whole tiles."""
        sensor = _swapped(sensor, self._of(kinds.LED_EXCHANGED))
        for fault in self._of(kinds.LED_ORDER):
            if sensor >> 4 == fault.first:
                position = led_positions(self.board, fault.first, fault.second)[sensor & 15]
                sensor = self.board.led_of.index(position)
                break
        return self.board.led_of[_grid_swapped(sensor, self._of(kinds.LEDS_EXCHANGED))]


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
