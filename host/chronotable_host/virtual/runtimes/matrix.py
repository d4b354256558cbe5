"""The switch matrix between a chip's pins: cells that close, their diodes, and what breaks there.

One rule: the masks are of GPIO pins, bit n for pin n, as a chip's registers have them. What a
mask of low rows comes to is worked out once and looked up from then on, until a switch or a fault
changes: a chip asks many thousand times in between.

A row that nothing drives, but its pad pulls down, is taken for low. Through a closed cell and its
diode (0.5 V) that pad and the column's pull-up, 50 to 80 kohm both, divide 3.3 V: 1.9 V are left on
the column, with two such rows 1.4 V, with three 1.2 V, and high is only what is above 2.0 V (RP2040
data sheet, pin electricals).
"""

from collections.abc import Sequence


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
