"""The switch matrix and the shift registers of the virtual table, whole and with broken wiring."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import product
from random import Random

import pytest

from chronotable.hardware.debounce import Debouncer, debounce
from chronotable_host.errors import UserError
from chronotable_host.hardware import boards
from chronotable_host.virtual.runtimes.cpython import CpythonRuntime, debounced
from chronotable_host.virtual.runtimes.wiring import Matrix, Registers, wiring_of
from chronotable_host.virtual.serve import ServedRuntime, SocketLine
from tests import lanes

ROWS, COLS = list(range(2, 10)), list(range(10, 18))
CELLS = list(product(range(8), range(8)))


Cell = tuple[int, int]


def matrix_of(*closed: Cell) -> Matrix:
    matrix = Matrix(ROWS, COLS)
    for cell in closed:
        matrix.set_cell(*cell, True)
    return matrix


def scan(matrix: Matrix) -> set[Cell]:
    """The cells that look closed when one row after the other is low."""
    seen = set()
    for row, row_pin in enumerate(ROWS):
        matrix.drive(1 << row_pin)
        low = matrix.low_inputs()
        seen |= {(row, col) for col, col_pin in enumerate(COLS) if low >> col_pin & 1}
        assert not low & ~sum(1 << pin for pin in COLS), "other pins are none of its business"
    return seen


def test_rows_that_are_low_together_add_up() -> None:
    matrix = matrix_of((0, 0), (1, 1), (2, 2))
    matrix.drive(1 << ROWS[0] | 1 << ROWS[1])
    assert matrix.low_inputs() == 1 << COLS[0] | 1 << COLS[1]
    matrix.drive(0)
    assert matrix.low_inputs() == 0


Wires = dict[object, set[object]]


def reached(ways: Wires, start: object) -> set[object]:
    found = {start}
    todo = [start]
    while todo:
        for node in ways.get(todo.pop(), set()) - found:
            found.add(node)
            todo.append(node)
    return found


@lanes.gate
def test_any_broken_wiring_is_read_as_its_graph_says() -> None:
    """Current as a graph: what is low makes low whatever it can draw current from."""
    rng = Random(3)
    ghosts = 0
    for number in range(200):
        matrix = matrix_of()
        closed = set(rng.sample(CELLS, rng.randrange(4, 30)))
        bare = set(rng.sample(CELLS, rng.randrange(30)))
        cut_rows = set(rng.sample(range(8), rng.choice((0, 0, 1, 3))))
        cut_cols = set(rng.sample(range(8), rng.choice((0, 0, 1, 3))))
        steps = [
            *[partial(matrix.set_cell, *cell, True) for cell in closed],
            *[partial(matrix.set_diode, *cell, False) for cell in bare],
            *[partial(matrix.cut_row, row, True) for row in cut_rows],
            *[partial(matrix.cut_col, col, True) for col in cut_cols],
        ]
        rng.shuffle(steps)
        for step in steps:
            step()
            scan(matrix)  # what is remembered must not outlive the next step
        ways: Wires = {}
        for row, col in closed:
            ways.setdefault(("row", row), set()).add(("col", col))
            if (row, col) in bare:
                ways.setdefault(("col", col), set()).add(("row", row))
        expected = {
            (row, col)
            for row, col in CELLS
            if row not in cut_rows
            and col not in cut_cols
            and ("col", col) in reached(ways, ("row", row))
        }
        assert scan(matrix) == expected, f"seed 3, number {number}"
        ghosts += len(expected - closed)
    assert ghosts > 100, "or nothing was tried"


@pytest.mark.parametrize(("row", "col"), [(8, 0), (-1, 0), (0, 8), (0, -1)])
def test_a_cell_outside_the_matrix_is_refused(row: int, col: int) -> None:
    matrix = matrix_of()
    cut_line = partial(matrix.cut_row, row) if col == 0 else partial(matrix.cut_col, col)
    cell = partial(matrix.set_cell, row, col), partial(matrix.set_diode, row, col)
    for refused in (cut_line, *cell):
        with pytest.raises(IndexError, match=f"no cell at row {row}, column {col}"):
            refused(True)


def test_only_rows_can_be_driven() -> None:
    matrix = matrix_of()
    matrix.drive(1 << 2 | 1 << 10)
    with pytest.raises(ValueError, match="0x404"):
        matrix.low_inputs()


# ---- behind a chip on CPython

APP = {
    "boot.py": "",
    "main.py": """
import time
from machine import Pin
sio = ptr32(0xD0000000)
for number in PINS_SET_UP:
    Pin(number, Pin.IN, Pin.PULL_UP if number > 9 else ROW_PULL)
while True:
    seen = []
    for row in range(8):
        sio[9] = 4 << row
        seen += [[row, column] for column in range(8) if not sio[1] >> 10 + column & 1]
        sio[10] = 4 << row
    print(seen)
    time.sleep_ms(5)
""",
}


def app(pins: Iterable[int] = range(2, 18), row_pull: str = "None") -> dict[str, str]:
    """The program above: which pins it sets up, and how its rows pull."""
    main = APP["main.py"].replace("PINS_SET_UP", str(list(pins))).replace("ROW_PULL", row_pull)
    return {**APP, "main.py": main}


@contextmanager
def switched_on(program: dict[str, str]) -> Iterator[CpythonRuntime]:
    runtime = CpythonRuntime(program, {}, boards.read("reference"))
    yield runtime
    assert not runtime.failure
    runtime.close()


@pytest.fixture
def table() -> Iterator[CpythonRuntime]:
    with switched_on(app()) as runtime:
        yield runtime


def seen(runtime: CpythonRuntime) -> set[Cell]:
    runtime.run_until(runtime.now_ms + 11)
    *_, last = runtime.port.read(runtime.port.in_waiting).splitlines()
    return {(row, col) for row, col in json.loads(last)}


def test_a_row_that_is_not_set_up_pulls_its_closed_columns_down() -> None:
    with switched_on(app(set(range(2, 18)) - {5})) as table:
        assert seen(table) == set(), "with no cell closed it leads nowhere"
        table.set_cell(3, 4, True)
        assert seen(table) == {(row, 4) for row in range(8)}
        table.set_cell(3, 4, False)
        assert seen(table) == set()


def test_a_column_that_is_not_set_up_is_low() -> None:
    with switched_on(app(set(range(2, 18)) - {12})) as table:
        assert seen(table) == {(row, 2) for row in range(8)}


@pytest.mark.parametrize("row_pull", ["None", "Pin.PULL_UP"])
def test_a_row_that_does_not_pull_down_disturbs_nobody(row_pull: str) -> None:
    with switched_on(app(row_pull=row_pull)) as table:
        table.set_cell(3, 4, True)
        assert seen(table) == {(3, 4)}


def test_a_reset_has_the_pads_pull_down_again() -> None:
    reading = """
import time
from machine import Pin, reset
print(Pin(10).value(), Pin(10, Pin.IN, Pin.PULL_UP).value())
print(Pin(10, Pin.IN, Pin.PULL_DOWN).value(), Pin(10, Pin.IN, Pin.PULL_UP).value())
time.sleep_ms(5)
reset()
"""
    with switched_on({"boot.py": "", "main.py": reading}) as table:
        for _life in range(3):
            table.run_until(table.now_ms + 3)
            assert table.port.read(100).split() == [b"0", b"1", b"0", b"1"]
            table.run_until(table.now_ms + 2)


def test_the_chip_reads_faults_and_cures(table: CpythonRuntime) -> None:
    three = {(1, 2), (1, 5), (6, 2)}
    for cell in three:
        table.set_cell(*cell, True)
    assert seen(table) == three
    table.set_diode(1, 2, False)
    assert seen(table) == {*three, (6, 5)}
    table.cut_row(6, True)
    assert seen(table) == {(1, 2), (1, 5)}
    table.cut_row(6, False)
    table.cut_col(5, True)
    assert seen(table) == {(1, 2), (6, 2)}
    table.cut_col(5, False)
    table.set_diode(1, 2, True)
    assert seen(table) == three


def test_a_served_table_breaks_as_well(table: CpythonRuntime) -> None:
    served = ServedRuntime(table, SocketLine(), clock=lambda: 0.0, sleep=lambda _s: None)
    for cell in ((1, 2), (1, 5), (6, 2), (3, 3), (4, 4)):
        served.set_cell(*cell, True)
    served.set_diode(1, 2, False)
    served.cut_row(3, True)
    served.cut_col(4, True)
    assert seen(table) == {(1, 2), (1, 5), (6, 2), (6, 5)}
    served.line.close()


def test_faults_stay_when_the_power_goes(table: CpythonRuntime) -> None:
    for cell in ((1, 2), (1, 5), (6, 2), (7, 7)):
        table.set_cell(*cell, True)
    table.set_diode(1, 2, False)
    table.cut_row(7, True)
    table.power(False)
    table.run_until(table.now_ms + 100)
    table.power(True)
    assert seen(table) == {(1, 2), (1, 5), (6, 2), (6, 5)}


def test_a_scan_that_says_what_is_known_is_debounced_at_once_to_the_same() -> None:
    """The virtual table's way round `debounce` leaves all that `debounce` leaves."""
    rng = Random(8)
    for samples in (1, 2, 5, 7):
        quick, plain = Debouncer(samples), Debouncer(samples)
        for each in (quick, plain):
            each.ring[2] = 0x3FFFFF - 100  # the ticks begin anew in between
        cells = bytearray(8)
        edges = 0
        for number in range(600):
            if rng.random() < 0.15:
                cells[rng.randrange(8)] ^= 1 << rng.randrange(8)
            changes = []
            for each, take in ((quick, debounced), (plain, debounce)):
                each.raw[:] = cells
                changes.append(take(each.raw, each.memory, each.ring, samples))
            assert changes[0] == changes[1]
            assert (quick.memory, quick.ring) == (plain.memory, plain.ring), (samples, number)
            edges += changes[0]
        assert edges > 20, samples


# ---- shift registers

LOAD, CLOCK, DATA = 2, 3, 4


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
