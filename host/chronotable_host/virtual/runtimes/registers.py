"""Shift registers between a chip's pins: 74HC165 in a chain, a switch at each input.

An open input is held high by its pull-up, a closed one is low. While load is low the chips take
their inputs; each rising edge of the clock moves all of them on by one, towards the data pin.
"""

from collections.abc import Sequence
from typing import NoReturn

from chronotable_host.errors import UserError
from chronotable_host.language import tr

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
