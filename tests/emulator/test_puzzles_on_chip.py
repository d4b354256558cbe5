"""Puzzles on the emulated chip: set up, answered and solved by hands that see the lights alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronotable_host.learning.puzzles.standing import Tries
from chronotable_host.virtual.table import RP2040
from tests import sweep
from tests.emulator.test_wanted_on_chip import BOOT_MS
from tests.host.test_puzzle_course import chosen, solving

pytestmark = pytest.mark.emulator

NUMBERS = chosen(20)
"""Easy and hard ones, of each length and colour."""


@pytest.mark.parametrize("number", NUMBERS[:: 20 // sweep.size(1, 2, 20)])
def test_a_puzzle_is_solved_by_the_lights(image: Path, tmp_path: Path, number: int) -> None:
    with solving(tmp_path, number, BOOT_MS, runtime=RP2040, image=image) as it:
        it.solves()
    assert Tries(tmp_path).standing("Ann").streak == 1
