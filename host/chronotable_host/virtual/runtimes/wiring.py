"""What lies between a chip's pins and the table's switches, whichever board it is.

A switch matrix. One rule: the masks are of GPIO pins, bit n for pin n, as a chip's registers have
them. What a mask of low rows comes to is worked out once and looked up from then on, until a switch
or a fault changes: a chip asks many thousand times in between.

A row that nothing drives, but its pad pulls down, is taken for low. Through a closed cell and its
diode (0.5 V) that pad and the column's pull-up, 50 to 80 kohm both, divide 3.3 V: 1.9 V are left on
the column, with two such rows 1.4 V, with three 1.2 V, and high is only what is above 2.0 V (RP2040
data sheet, pin electricals).

Or shift registers, 74HC165 in a chain, a switch at each input. An open input is held high by its
pull-up, a closed one is low. While load is low the chips take their inputs; each rising edge of the
clock moves all of them on by one, towards the data pin.
"""

from collections.abc import Sequence
from typing import NoReturn, Protocol

from chronotable.hardware.wiring import Board
from chronotable_host.errors import UserError
from chronotable_host.language import tr

# ---- shift registers

_INPUTS = 8


class Registers:
    """A `Wiring`; its cells are [chip, input], chip 0 is the one whose Q7 is on the data pin."""

    drives_high = True

    def __init__(self, load_pin: int, clock_pin: int, data_pin: int, chips: int = 8) -> None:
        self.outputs: Sequence[int] = (load_pin, clock_pin)
        self.inputs: Sequence[int] = (data_pin,)
        self._load = 1 << load_pin
        self._clock = 1 << clock_pin
        self._data = 1 << data_pin
        self._low = 0
        self._chips = chips
        self._bits = chips * _INPUTS
        self._all = (1 << self._bits) - 1
        self._levels = self._all  # of the inputs; on top chip 0's D7, which leaves first
        self._taken = self._all  # what the chips hold, laid out alike

    def set_cell(self, row: int, col: int, closed: bool) -> None:
        """Close or open the switch at a chip's input. Raises IndexError for one that is not."""
        if not (0 <= row < self._chips and 0 <= col < _INPUTS):
            raise IndexError(f"no chip {row} with an input {col}")
        bit = 1 << self._bits - _INPUTS * (row + 1) + col
        self._levels = self._levels & ~bit if closed else self._levels | bit

    def set_diode(self, row: int, col: int, present: bool) -> None:  # noqa: ARG002
        """Raise UserError: there is none."""
        no_matrix("diode")

    def cut_row(self, row: int, cut: bool) -> None:  # noqa: ARG002
        """Raise UserError: there is none."""
        no_matrix("row")

    def cut_col(self, col: int, cut: bool) -> None:  # noqa: ARG002
        """Raise UserError: there is none."""
        no_matrix("column")

    def drive(self, low: int) -> None:
        """Hear which pins the chip drives low, or its pads pull down, from now on."""
        rising = self._low & ~low
        if not low & self._load:
            if rising & self._load:
                self._taken = self._levels
            elif rising & self._clock:
                self._taken = self._taken << 1 & self._all  # the last chip's serial input is ground
        self._low = low

    def low_inputs(self) -> int:
        """Return the data pin's bit while it is low, else 0.

        Raises ValueError for pins driven low that are neither load nor clock.
        """
        if self._low & ~(self._load | self._clock):
            raise ValueError(f"pins {self._low:#x} are driven low, but only load and clock may be")
        levels = self._levels if self._low & self._load else self._taken
        return 0 if levels >> self._bits - 1 else self._data


def no_matrix(what: str) -> NoReturn:
    """Raise UserError for a diode, row or column, which only a matrix has."""
    raise UserError(
        {
            "diode": tr("this board reads its reeds through shift registers: it has no diode"),
            "row": tr("this board reads its reeds through shift registers: it has no row"),
            "column": tr("this board reads its reeds through shift registers: it has no column"),
        }[what]
    )


# ---- a switch matrix: cells that close, their diodes, and what breaks there


class Matrix:
    """A `Wiring` of rows and columns; a closed cell connects its column to its row.

    A cell's diode lets current flow from the column to the row alone. Without it (a wire in its
    place) a low column also pulls the row down, and with it that row's other closed cells: that is
    how ghosts come about.
    """

    drives_high = False

    def __init__(self, row_pins: Sequence[int], col_pins: Sequence[int]) -> None:
        self.outputs: Sequence[int] = tuple(row_pins)
        self.inputs: Sequence[int] = tuple(col_pins)
        self._rows = [1 << pin for pin in row_pins]
        self._cols = [1 << pin for pin in col_pins]
        self._closed = [0] * len(self._rows)  # per row: the columns at its closed cells
        self._bare = [0] * len(self._rows)  # per row: the columns at its cells without a diode
        self._row_pins = sum(self._rows)
        self._driven = self._row_pins  # the rows whose wire is not cut
        self._read = sum(self._cols)  # the columns whose wire is not cut
        self._low = 0
        self._known: dict[int, int] = {}

    def set_cell(self, row: int, col: int, closed: bool) -> None:
        """Close or open a cell. Raises IndexError for one outside the matrix."""
        self._check(row, col)
        self._closed[row] = _with(self._closed[row], self._cols[col], closed)
        if any(self._bare):
            self._known.clear()
        else:  # only this row's columns can be others now, and hands are at work all the time
            bit = self._rows[row]
            self._known = {rows: cols for rows, cols in self._known.items() if not rows & bit}

    def set_diode(self, row: int, col: int, present: bool) -> None:
        """Put a wire in the place of a cell's diode, or the diode back. Raises IndexError."""
        self._check(row, col)
        self._bare[row] = _with(self._bare[row], self._cols[col], not present)
        self._known.clear()

    def cut_row(self, row: int, cut: bool) -> None:
        """Cut a row's wire to the chip, or mend it. Raises IndexError.

        A cut line is no longer driven (a column: read), but still connects its cells.
        """
        self._check(row, 0)
        self._driven = _with(self._driven, self._rows[row], not cut)
        self._known.clear()

    def cut_col(self, col: int, cut: bool) -> None:
        """Cut a column's wire to the chip, or mend it. Raises IndexError."""
        self._check(0, col)
        self._read = _with(self._read, self._cols[col], not cut)
        self._known.clear()

    def drive(self, low: int) -> None:
        """Hear which row pins the chip drives low, or its pads pull down, from now on."""
        self._low = low

    def low_inputs(self) -> int:
        """Return the column pins that are low now.

        Rows that are high, pulled up or left alone are alike: a diode lets nothing through, and
        where it is missing, a row driven against another one is a short circuit that no firmware
        makes.
        Raises ValueError where pins are driven low that are no rows.
        """
        low = self._low
        cols = self._known.get(low)
        if cols is None:
            if low & ~self._row_pins:
                raise ValueError(f"pins {low:#x} are driven low, but not all of them are rows")
            cols = self._known[low] = self._spread(low & self._driven) & self._read
        return cols

    def _spread(self, rows: int) -> int:
        """Columns that low rows pull down, further rows on the way included."""
        while True:
            cols = 0
            for bit, closed in zip(self._rows, self._closed, strict=True):
                if rows & bit:
                    cols |= closed
            if not any(self._bare):
                return cols
            before = rows
            for bit, closed, bare in zip(self._rows, self._closed, self._bare, strict=True):
                if cols & closed & bare:
                    rows |= bit
            if rows == before:
                return cols

    def _check(self, row: int, col: int) -> None:
        if not (0 <= row < len(self._rows) and 0 <= col < len(self._cols)):
            raise IndexError(f"no cell at row {row}, column {col}")


def _with(mask: int, bit: int, is_set: bool) -> int:
    return mask | bit if is_set else mask & ~bit


class Switches(Protocol):
    """The switches of a table, as hands and what breaks reach them."""

    def set_cell(self, row: int, col: int, closed: bool) -> None:
        """Close or open a switch: that of a row and column, or of a chip and its input.

        Raises IndexError for one that there is not.
        """

    def set_diode(self, row: int, col: int, present: bool) -> None:
        """Put a wire in the place of a cell's diode, or the diode back: see `Matrix`.

        Raises IndexError, and UserError where there is no matrix, here and in the next two.
        """

    def cut_row(self, row: int, cut: bool) -> None:
        """Cut a row's wire to the chip, so that it is never driven, or mend it."""

    def cut_col(self, col: int, cut: bool) -> None:
        """Cut a column's wire to the chip, so that it is never read low, or mend it."""


class SwitchProxy:
    """Has the switches of another, and does `rewired` after each change."""

    switches: Switches

    def rewired(self) -> None:
        """Take note that a switch or a wire is another one now."""

    def set_cell(self, row: int, col: int, closed: bool) -> None:
        """Close or open a switch, from now on."""
        self.switches.set_cell(row, col, closed)
        self.rewired()

    def set_diode(self, row: int, col: int, present: bool) -> None:
        """Put a wire in the place of a cell's diode, or the diode back."""
        self.switches.set_diode(row, col, present)
        self.rewired()

    def cut_row(self, row: int, cut: bool) -> None:
        """Cut a row's wire to the chip, or mend it."""
        self.switches.cut_row(row, cut)
        self.rewired()

    def cut_col(self, col: int, cut: bool) -> None:
        """Cut a column's wire to the chip, or mend it."""
        self.switches.cut_col(col, cut)
        self.rewired()


class Wiring(Switches, Protocol):
    """The switches of a table, as a chip reads them.

    Masks are of GPIO pins, bit n for pin n, as a chip's registers have them.
    """

    outputs: Sequence[int]
    """The pins that the chip drives."""

    inputs: Sequence[int]
    """The pins that it reads."""

    drives_high: bool
    """Does it drive its inputs high too, or leave that to the chip's pull-ups?"""

    def drive(self, low: int) -> None:
        """Hear which `outputs` the chip drives low, or its pads pull down, from now on.

        Whatever is not low counts as high. To be told of every single change.
        """

    def low_inputs(self) -> int:
        """Return the inputs that are low now. Raises ValueError where it drives other pins low."""


def wiring_of(board: Board) -> Wiring:
    """Return a whole table of this board, with every switch open."""
    if board.register_pins:
        load, clock, data = board.register_pins
        return Registers(load, clock, data, 8 * board.outputs)
    return Matrix(board.row_pins, board.col_pins)
