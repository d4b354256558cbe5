"""Table time on the emulated chip, whose clock counts in fractions of a millisecond."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronotable_host.virtual.table import RP2040
from tests.table.test_table_time import TIMES, times_are_reached

pytestmark = pytest.mark.emulator


def test_a_time_that_is_waited_for_is_reached(image: Path) -> None:
    times_are_reached(RP2040, image, TIMES)
