"""The wires between the emulated chip and its switches: pads that pull, columns that rise slowly.

The pins are set up and read by the firmware's own `matrix.py`.
"""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from chronotable.hardware.sensors import SENSORS
from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware.chips import RP2040
from chronotable_host.hardware.firmware.files import app_folder
from chronotable_host.hardware.firmware.image import chip_text, compile_modules, device_files
from chronotable_host.link.parsing import parse_sensor
from chronotable_host.pieces import pieces_of
from chronotable_host.virtual.runtimes.rp2040 import Rp2040Runtime
from chronotable_host.virtual.runtimes.wires import RIBBON_PF, rise_us
from tests.table.boots import DARK_PICTURE, Pc, set_sensor, with_lights
from ttykm import layout

pytestmark = pytest.mark.emulator

BOARD = boards.read("reference")
CLOSED = {(row, (5 * row + 3) % 8) for row in range(0, 8, 2)}  # the space below each is open
BELOW = {(row + 1, col) for row, col in CLOSED}
START_MS = 3200
PROGRAM = {
    "matrix.py": (app_folder() / "matrix.py").read_text("utf-8"),
    "lib/chronotable/hardware/rp2040.py": chip_text(RP2040),
}

READER = """
import json, matrix
from machine import Pin, mem32
from time import sleep_ms

rows, columns = {rows}, {columns}
print([mem32[0x4001C004 + 4 * pin] for pin in rows + columns])
lines = matrix.lines_of((rows, columns), {settle_us})
print([mem32[0x4001C004 + 4 * pin] for pin in rows + columns])
for pin in rows if {floating} else ():
    Pin(pin, Pin.IN)
raw = bytearray(8)
sleep_ms(1)
matrix.read(raw, lines)
print(list(raw))
"""


def reader(settle_us: int, floating: bool = False) -> str:
    return READER.format(
        rows=list(BOARD.row_pins),
        columns=list(BOARD.col_pins),
        settle_us=settle_us,
        floating=floating,
    )


def said(
    image: Path, settle_us: int, *, floating: bool = False, wire_pf: float | None = None
) -> list[list[int]]:
    """What the chip says: its pads before and after they are set up, and the rows it reads."""
    files = {"main.py": reader(settle_us, floating).encode(), **compile_modules(PROGRAM)}
    runtime = Rp2040Runtime(image, files, BOARD, wire_pf=wire_pf)
    for cell in CLOSED:
        runtime.set_cell(*cell, True)
    runtime.run_until(600)
    text = runtime.port.read(4096).decode()
    runtime.close()
    return [json.loads(line) for line in text.splitlines()[:3]]


def read(image: Path, settle_us: int, **wires: float | bool | None) -> set[tuple[int, int]]:
    """The cells that look closed."""
    *_, raw = said(image, settle_us, **wires)  # type: ignore[arg-type]
    return {(row, col) for row in range(8) for col in range(8) if raw[row] >> col & 1}


def test_pads_pull_down_until_they_are_set_up(image: Path) -> None:
    before, after, _raw = said(image, 30)
    assert before == [0x56] * 16
    assert after == [0x5A] * 16  # as before, but up instead of down


def test_a_column_has_to_rise_before_the_next_row_is_read(image: Path) -> None:
    assert BOARD.settle_us == 30
    assert read(image, 30) == CLOSED
    assert read(image, 10) >= CLOSED | BELOW
    assert read(image, 10, wire_pf=100) == CLOSED
    assert read(image, 30, wire_pf=500) == CLOSED | BELOW


def test_a_row_that_floats_takes_its_column_twice_as_long(image: Path) -> None:
    assert rise_us(RIBBON_PF) < 30 < 2 * rise_us(RIBBON_PF)
    assert read(image, 30, floating=True) == CLOSED | BELOW
    assert read(image, 60, floating=True) == CLOSED


@pytest.mark.parametrize("name", ["reference", "tiles"])
@pytest.mark.parametrize("button", ["", "button action black", "button a"])
def test_power_comes_on_while_all_else_is_closed(image: Path, name: str, button: str) -> None:
    """As tests/table/test_boot.py has it for every space, line and button, on CPython."""
    board = boards.read(name)
    asking = {parse_sensor(f"button {one}") for one in ("action white", "action black", "a")}
    closed = set(range(64)) - asking if button or name == "tiles" else pieces_of(layout.new_state())
    held = {*closed, parse_sensor(button)} if button else set(closed)
    files = device_files(boards.find(name).read_bytes())
    with closing(Rp2040Runtime(image, files, board)) as runtime:
        for sensor in held:
            set_sensor(runtime, sensor, True, board)
        pc = Pc(runtime)
        pc.run(START_MS)
        assert pc.starts == []
        assert pc.last("about") is not None
        lit = with_lights(DARK_PICTURE, [one for one in held if one < SENSORS], board)
        assert (lit in {frame.rgb for frame in runtime.frames}) == (button == "button action black")
        assert (pc.last("step") is not None) == (button == "button a")


def test_a_reset_has_the_pads_pull_down_again(image: Path) -> None:
    main = b"""
import sys, time
from machine import Pin, mem32, reset
low = [pin for pin in range(2, 18) if mem32[0x4001C004 + 4 * pin] & 4]
column = Pin(10, Pin.IN, Pin.PULL_UP)
time.sleep_ms(1)
divided = column.value()  # row 0 is not set up
Pin(2, Pin.IN, Pin.PULL_UP)
time.sleep_ms(1)
print("pads", len(low), divided, column.value())
time.sleep_ms(300)
reset()
"""
    runtime = Rp2040Runtime(image, {"main.py": main}, BOARD)
    runtime.set_cell(0, 0, True)
    heard = b""
    for _ in range(40):
        runtime.run_until(runtime.now_ms + 50)
        heard += runtime.port.read(4096)
    runtime.close()
    lines = [line for line in heard.splitlines() if line.startswith(b"pads")]
    assert len(lines) > 2
    assert set(lines) == {b"pads 16 0 1"}


@pytest.mark.parametrize("settle_us", [10, 30, 100])
@pytest.mark.parametrize("is_closed", [False, True])
def test_a_row_is_low_for_as_long_as_its_columns_settle_and_the_first_between_scans(
    image: Path, settle_us: int, is_closed: bool
) -> None:
    files = {"main.py": reader(settle_us).encode(), **compile_modules(PROGRAM)}
    runtime = Rp2040Runtime(image, files, BOARD)
    chip = runtime._chip
    assert chip is not None
    flips: list[list[float]] = [[] for _ in BOARD.row_pins]
    for row, pin in enumerate(BOARD.row_pins):
        for col in range(8):
            runtime.set_cell(row, col, is_closed)
        chip.mcu.gpio[pin].add_listener(
            lambda _new, _old, row=row: flips[row].append(chip.mcu.core.cycles)
        )
    runtime.run_until(600)
    runtime.close()
    high_us, *low_us = ((flip[-1] - flip[-2]) / 125 for flip in flips)
    # beside the loop there is other code, and an interrupt comes in between now and then
    assert all(settle_us <= each < settle_us + 6 for each in low_us), low_us
    assert 0 < high_us - sum(low_us) < 12, "the first row is low but while the others are"
