"""What lies between a chip's pins and the table's switches, whichever board it is."""

from collections.abc import Sequence
from typing import Protocol

from chronotable.hardware.wiring import Board
from chronotable_host.virtual.runtimes.matrix import Matrix
from chronotable_host.virtual.runtimes.registers import Registers


class Switches(Protocol):
    """The switches of a table, as hands and what breaks reach them."""

    def set_cell(self, row: int, col: int, closed: bool) -> None:
        """Close or open a switch: that of a row and column, or of a chip and its input.

        Raises IndexError for one that there is not.
        """
        ...

    def set_diode(self, row: int, col: int, present: bool) -> None:
        """Put a wire in the place of a cell's diode, or the diode back: see `Matrix`.

        Raises IndexError, and UserError where there is no matrix, here and in the next two.
        """
        ...

    def cut_row(self, row: int, cut: bool) -> None:
        """Cut a row's wire to the chip, so that it is never driven, or mend it."""
        ...

    def cut_col(self, col: int, cut: bool) -> None:
        """Cut a column's wire to the chip, so that it is never read low, or mend it."""
        ...


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
        ...

    def low_inputs(self) -> int:
        """Return the inputs that are low now. Raises ValueError where it drives other pins low."""
        ...


def wiring_of(board: Board) -> Wiring:
    """Return a whole table of this board, with every switch open."""
    if board.register_pins:
        load, clock, data = board.register_pins
        return Registers(load, clock, data, 8 * board.outputs)
    return Matrix(board.row_pins, board.col_pins)
