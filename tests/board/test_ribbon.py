"""What the guide says of the reference table's ribbons is what the board file's settling allows."""

import re

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.wiring import COLUMNS
from chronotable_host.hardware import boards
from chronotable_host.virtual.runtimes.wires import RIBBON_PF, rise_us

from .guides import guides

GUIDE = dict(guides())["reference"]
BOARD = boards.read("reference")
PF_PER_METRE = 110


def test_the_settling_that_is_told_is_the_files_and_enough_for_the_ribbons_on_the_list():
    metres = int(re.search(r"ribbon, 8 wires, (\d+) m", GUIDE.text).group(1))
    picofarads = metres * PF_PER_METRE
    assert picofarads == RIBBON_PF
    assert rise_us(picofarads) < BOARD.settle_us
    assert f"`settle_us` later: {BOARD.settle_us} millionths of a second" in GUIDE.flat
    told = f"{metres} m are {picofarads} pF and take {rise_us(picofarads):.0f} us"
    assert told in GUIDE.flat
    most = 100 * int(BOARD.settle_us / rise_us(100))
    told = f"in {BOARD.settle_us} us {most} pF can be charged, {most / PF_PER_METRE:.1f} m."
    assert told in GUIDE.flat


def test_what_is_told_for_longer_ones_is_enough_and_can_be_set():
    per_metre = int(re.search(r"set `settle_us` to (\d+) for each metre", GUIDE.flat).group(1))
    assert rise_us(PF_PER_METRE) < per_metre
    data = boards.read_data("reference")
    data["matrix"]["settle_us"] = 10 * per_metre
    assert boards.load(data).settle_us == 10 * per_metre
    settling = COLUMNS - 1  # rows, as the first one is low between scans
    scan_ms = f"{BOARD.settle_us * settling / 1000 + 0.06:.1f}"
    assert f"A scan takes {scan_ms} ms of the {BOARD.scan_ms} that it has" in GUIDE.flat
    assert f"{10 * settling / 1000} ms more for every 10 us" in GUIDE.flat


def test_the_symptom_is_the_next_rows_cell_in_the_same_column():
    def below(name):
        sensor = next(one for one in range(64) if sensor_name(one) == name)
        return sensor_name(BOARD.sensor_of[BOARD.cell_of[sensor] + COLUMNS])

    assert "past 5 with past 1" in GUIDE.flat and below("past 1") == "past 5"
    assert [below(f"past {space}") for space in (13, 14, 15, 16)] == [
        f"future {space}" for space in (1, 2, 3, 4)
    ]
    assert [below(f"present {space}") for space in (13, 14, 15)] == [
        f"focus white {era}" for era in ("past", "present", "future")
    ]
