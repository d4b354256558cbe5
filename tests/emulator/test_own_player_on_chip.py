"""The table's own player on the emulated chip: how long it thinks, and what goes on meanwhile."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from chronotable.meanings import THINKING
from chronotable.search import Search
from chronotable.search_modules import ModuleSearch
from chronotable.seats import EASY, LEVELS, STRONG
from chronotable_host.rules.notation import format_turn
from tests import sweep
from tests.emulator.on_chip import listen, open_chip
from tests.lab.helping import CLEAN, Helper
from tests.lab.positions import game_at
from tests.lab.rig import Rig, values_of
from tests.table.test_own_search import states_of
from ttykm.game import Game
from ttykm.objects import ALL_MODULES, new_state
from ttykm.turns import RECORDS_IN_GAMES

pytestmark = pytest.mark.emulator

TURN_MS = 5000
GAP_MS = 6
FREE_KB = 80
LOADING_MS = 1000  # the first turn's, beside what the choice is shown
SHOWN_MS = 2000
PRESS_MS = 200
CHAPTERS = 4
SAME_MS = 120_000
THINKS = """
import time
time.sleep_ms(300)  # until the host has opened the port
from array import array
from chronotable.search import Search
from chronotable.search_modules import ModuleSearch
from chronotable.seats import LEVELS
from ttykm.game import Game

game = Game(CAPACITY)
game.is_lazy = True
standard, modules = Search(), ModuleSearch()
for state, seed, level in CASES:
    game.start(array("H", state))
    search = standard if len(state) == 7 else modules
    search.begin(game, seed, LEVELS[level])
    turn = -1
    while turn < 0:
        turn = search.step()
    print("TURN", turn)
print("DONE")
"""


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


@pytest.mark.parametrize("modules", (0, ALL_MODULES), ids=("standard", "modules"))
def test_it_thinks_in_time_and_the_scan_and_the_heap_do_not_mind(image: Path, modules: int) -> None:
    at = Rig(image, chapters=CHAPTERS if modules else 0)
    try:
        if modules:
            at.arrange(new_state(modules))
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


def test_it_finds_the_turns_that_cpython_finds(image: Path) -> None:
    """At positions of random games: the same position, seed and level give the same turn."""
    cases, wanted = [], []
    for modules in range(ALL_MODULES + 1):
        levels = (EASY, STRONG) if modules else (EASY, EASY, STRONG, STRONG)
        for level, state in zip(levels, states_of(modules, modules, 16)[3::4], strict=False):
            search = ModuleSearch() if modules else Search()
            search.begin(game_at(state), len(cases), LEVELS[level])
            while (turn := search.step()) < 0:
                pass
            cases.append((tuple(state), len(cases), level))
            wanted.append(turn)
    chip = open_chip(image, f"CAPACITY, CASES = {RECORDS_IN_GAMES}, {cases}\n{THINKS}")
    try:
        text = listen(chip, "\nDONE", SAME_MS)
    finally:
        chip.close()
    found = [int(line.split()[1]) for line in text.splitlines() if line.startswith("TURN")]
    assert found == wanted, text
