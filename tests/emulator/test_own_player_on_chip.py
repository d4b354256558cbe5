"""The table's own player on the emulated chip: how long it thinks, and what goes on meanwhile."""

from __future__ import annotations

from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from chronotable.player.search import Search
from chronotable.player.search_modules import ModuleSearch
from chronotable.player.seats import EASY, LEVELS, STRONG
from tests import sweep
from tests.emulator.on_chip import listen, open_chip
from tests.lab.positions import game_at
from tests.lab.rig import Rig
from tests.lab.thinking import free_kb, thoughts
from tests.table.test_own_search import states_of
from ttykm.objects import ALL_MODULES, new_state
from ttykm.turns import RECORDS_IN_GAMES

pytestmark = pytest.mark.emulator

TURN_MS = 5000
GAP_MS = 6
FREE_KB = 88
CHAPTERS = 4
SAME_MS = 120_000
THINKS = """
import time
time.sleep_ms(300)  # until the host has opened the port
from array import array
from chronotable.player.search import Search
from chronotable.player.search_modules import ModuleSearch
from chronotable.player.seats import LEVELS
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


@pytest.mark.parametrize("modules", (0, ALL_MODULES), ids=("standard", "modules"))
def test_it_thinks_in_time_and_the_scan_and_the_heap_do_not_mind(image: Path, modules: int) -> None:
    """Its first turn, too: what thinks is loaded before."""
    with closing(Rig(image, chapters=CHAPTERS if modules else 0)) as at:
        if modules:
            at.arrange(new_state(modules))
        assert len(LEVELS) == STRONG + 1
        for number, thought in zip(range(sweep.size(3, 4, 21)), thoughts(at), strict=False):
            print(
                number, "thought", round(thought.ms), "ms, with misses", round(thought.charged_ms)
            )
            assert at.ear.table.own_levels == (STRONG, STRONG)
            assert thought.charged_ms <= TURN_MS
            assert all(how == "certain" for how in at.ear.how)
            starts = [scan.begun_ms for scan in at.scans if scan.begun_ms >= thought.begun_ms]
            assert max(second - first for first, second in pairwise(starts)) <= GAP_MS
        free = free_kb(at)
        print("free", round(free, 1), "KB")
        assert free >= FREE_KB
        at.check_alive()


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
    with closing(
        open_chip(image, f"CAPACITY, CASES = {RECORDS_IN_GAMES}, {cases}\n{THINKS}")
    ) as chip:
        text = listen(chip, "\nDONE", SAME_MS)
    found = [int(line.split()[1]) for line in text.splitlines() if line.startswith("TURN")]
    assert found == wanted, text
