"""The table's own player on the emulated chip: how long it thinks, and what goes on meanwhile."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from chronotable.meanings import THINKING
from chronotable.seats import LEVELS, STRONG
from chronotable_host.rules.notation import format_turn
from tests import sweep
from tests.lab.helping import CLEAN, Helper
from tests.lab.rig import Rig, values_of
from ttykm.game import Game

pytestmark = pytest.mark.emulator

TURN_MS = 5000
GAP_MS = 6
FREE_KB = 80
LOADING_MS = 1000  # the first turn's, beside what the choice is shown
SHOWN_MS = 2000
PRESS_MS = 200


class RigPlace:
    """As much of a place as hands need that go by the lights."""

    def __init__(self, at: Rig) -> None:
        self.now_ms = 0.0
        self._at = at
        self.lift, self.place = at.hands.lift, at.hands.place

    @property
    def game(self) -> Game:
        """The game as the table has it."""
        return self._at.ear.game

    def picture(self) -> bytes:
        """Return what the LEDs show."""
        return self._at.ear.table.leds

    def wait(self, duration_ms: int) -> None:
        """Let time pass."""
        self._at.run(duration_ms)


def test_it_thinks_in_time_and_the_scan_and_the_heap_do_not_mind(image: Path) -> None:
    at = Rig(image)
    try:
        for side in range(2):
            for _ in range(STRONG):
                at.hands.press("undo", side)
                at.run(PRESS_MS)
        assert at.ear.table.own_levels == (STRONG, STRONG)
        assert len(LEVELS) == STRONG + 1
        helper = Helper(RigPlace(at), Random(1), CLEAN, lambda: None)  # type: ignore[arg-type]
        assert at.run_until(lambda: THINKING in at.ear.table.leds, SHOWN_MS + LOADING_MS)
        is_wanted = lambda: at.ear.table.is_turn_wanted  # noqa: E731
        assert at.run_until(is_wanted, SHOWN_MS + LOADING_MS + TURN_MS)
        for number in range(sweep.size(2, 3, 20)):
            del at.scans[:]
            assert helper.carry_out()
            assert at.ear.how[-1] == "certain"
            assert at.run_until(lambda: not is_wanted(), PRESS_MS)
            begun = at.now_ms
            assert at.run_until(is_wanted, TURN_MS), format_turn(at.ear.game.turns[-1])
            print(number, "thought", round(at.now_ms - begun), "ms")
            starts = [scan.begun_ms for scan in at.scans]
            assert max(second - first for first, second in pairwise(starts)) <= GAP_MS
        told = [fields for _, event in at.heard if (fields := values_of(event, "counters"))]
        free = told[-1]["heap_free"] / 1024
        print("free", round(free, 1), "KB")
        assert free >= FREE_KB
        at.check_alive()
    finally:
        at.runtime.close()
