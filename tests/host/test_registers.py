"""The shift registers of the virtual table: what a chip reads that loads and clocks them."""

from __future__ import annotations

from functools import partial
from itertools import product
from random import Random

import pytest

from chronotable_host import boards
from chronotable_host.errors import UserError
from chronotable_host.virtual.registers import Registers
from chronotable_host.virtual.wiring import wiring_of

LOAD, CLOCK, DATA = 2, 3, 4
CELLS = list(product(range(8), range(8)))

Cell = tuple[int, int]


class Reader:
    """A chip that drives load and clock, one change at a time."""

    def __init__(self) -> None:
        self.registers = Registers(LOAD, CLOCK, DATA)
        self._low = 0
        self.drive(LOAD, True)
        self.drive(CLOCK, False)

    def drive(self, pin: int, level: bool) -> None:
        self._low = self._low & ~(1 << pin) if level else self._low | 1 << pin
        self.registers.drive(self._low)

    def load(self) -> None:
        self.drive(LOAD, False)
        self.drive(LOAD, True)

    def clock(self) -> None:
        self.drive(CLOCK, True)
        self.drive(CLOCK, False)

    def is_low(self) -> bool:
        low = self.registers.low_inputs()
        assert low in (0, 1 << DATA), "other pins are none of its business"
        return bool(low)

    def shift_out(self, count: int = 64) -> list[bool]:
        """The next bits, True for a closed input."""
        bits = []
        for _ in range(count):
            bits.append(self.is_low())
            self.clock()
        return bits

    def scan(self) -> set[Cell]:
        """The inputs that look closed; D7 of the chip next to the Pico comes first."""
        self.load()
        order = [(chip, number) for chip in range(8) for number in range(7, -1, -1)]
        return {cell for cell, closed in zip(order, self.shift_out(), strict=True) if closed}


def test_every_input_is_seen_where_it_is() -> None:
    reader = Reader()
    assert reader.scan() == set()
    for cell in CELLS:
        reader.registers.set_cell(*cell, True)
        assert reader.scan() == {cell}
        reader.registers.set_cell(*cell, False)
    assert reader.scan() == set()


def test_any_inputs_are_seen_as_they_are() -> None:
    rng = Random(5)
    reader = Reader()
    closed: set[Cell] = set()
    for number in range(200):
        for cell in rng.sample(CELLS, rng.randrange(20)):
            is_closed = rng.random() < 0.5
            (closed.add if is_closed else closed.discard)(cell)
            reader.registers.set_cell(*cell, is_closed)
        for _ in range(rng.randrange(100)):  # however far the last scan came
            reader.clock()
        assert reader.scan() == closed, f"seed 5, number {number}"


def test_what_changes_after_the_load_is_seen_by_the_next() -> None:
    reader = Reader()
    reader.load()
    reader.registers.set_cell(0, 7, True)
    assert not any(reader.shift_out())
    assert reader.scan() == {(0, 7)}


def test_while_load_is_low_the_inputs_lead_through_and_nothing_shifts() -> None:
    reader = Reader()
    reader.registers.set_cell(0, 7, True)
    reader.drive(LOAD, False)
    assert reader.is_low()
    reader.clock()
    assert reader.is_low()
    reader.registers.set_cell(0, 7, False)
    assert not reader.is_low()
    reader.drive(LOAD, True)
    assert not reader.is_low()


def test_only_a_rising_clock_shifts() -> None:
    reader = Reader()
    reader.registers.set_cell(0, 6, True)
    reader.load()
    reader.drive(CLOCK, False)
    assert not reader.is_low()
    reader.drive(CLOCK, True)
    assert reader.is_low()
    reader.drive(CLOCK, True)
    reader.drive(CLOCK, False)
    assert reader.is_low()


def test_behind_the_last_chip_comes_ground() -> None:
    reader = Reader()
    reader.load()
    assert reader.shift_out(70) == [False] * 64 + [True] * 6


@pytest.mark.parametrize(("chip", "number"), [(8, 0), (-1, 0), (0, 8), (0, -1)])
def test_an_input_that_is_not_there_is_refused(chip: int, number: int) -> None:
    with pytest.raises(IndexError, match=f"no chip {chip} with an input {number}"):
        Registers(LOAD, CLOCK, DATA).set_cell(chip, number, True)


def test_only_load_and_clock_can_be_driven() -> None:
    registers = Registers(LOAD, CLOCK, DATA)
    registers.drive(1 << LOAD | 1 << DATA)
    with pytest.raises(ValueError, match="0x14"):
        registers.low_inputs()


def test_there_is_nothing_of_a_matrix_to_break() -> None:
    wiring = wiring_of(boards.read("tiles"))
    assert isinstance(wiring, Registers)
    for what, breaking in (
        ("diode", partial(wiring.set_diode, 0, 0)),
        ("row", partial(wiring.cut_row, 0)),
        ("column", partial(wiring.cut_col, 0)),
    ):
        with pytest.raises(UserError, match=f"shift registers: it has no {what}$"):
            breaking(True)
