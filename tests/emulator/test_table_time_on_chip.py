"""Table time on the emulated chip, whose clock counts in fractions of a millisecond."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronotable_host.hardware import boards
from chronotable_host.virtual.chance import Chance
from chronotable_host.virtual.runtimes.rp2040 import Rp2040Runtime
from chronotable_host.virtual.table import RP2040
from tests import lanes
from tests.table.rig import BOARD
from tests.table.test_table_time import (
    READINGS,
    STORES,
    TIMES,
    stores_are_cut_off,
    times_are_reached,
    turns_are_certain,
)

pytestmark = pytest.mark.emulator


def test_a_time_that_is_waited_for_is_reached(image: Path) -> None:
    times_are_reached(RP2040, image, TIMES)


def test_what_does_not_fit_into_a_typed_array_is_cut_off(image: Path) -> None:
    stores_are_cut_off(Rp2040Runtime(image, {"main.py": STORES.encode()}, boards.read(BOARD)))


@lanes.gate
@pytest.mark.parametrize("reading_ms", lanes.first([*READINGS.values()]), ids=READINGS)
def test_turns_are_certain_at_any_reading_of_the_timer(
    reading_ms: int, image: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Chance, "timer_ms", reading_ms)
    turns_are_certain(RP2040, image)
