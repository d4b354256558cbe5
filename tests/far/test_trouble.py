"""Whole games far apart with everything that can go wrong, at once: it stays one game.

A seed says it all: which turns, which faults, and when.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path
from random import Random

import pytest

from tests import lanes, sweep
from tests.far.world import World, world
from tests.lab.far.end import ROUND_MS, End
from tests.lab.far.games import Match, Whims, differences
from tests.lab.troubles import Trouble, Troubles
from ttykm import objects

pytestmark = pytest.mark.usefixtures("everything_unlocked")

WHIMS = Whims(takes_back=0.15, asks_back=0.1, offers=0.05, agrees=0.1)
_TURNS = 14
_PER_MINUTE = 1.8
_AWAY_S = (0.02, 20.0)


def troubles_of(at: World, rng: Random) -> Troubles:
    """Return what befalls lines, programs and tables of both ends, and the broker."""

    def at_end(end: End) -> list[Trouble]:
        def cut() -> None:
            end.client.cut()

        def mend() -> None:
            end.client.mend()

        def power() -> None:
            end.table.power(False)
            end.table.power(True)

        def cable() -> None:
            end.table.plug(False)
            end.table.plug(True)

        found = [
            Trouble("cut", cut, mend, _AWAY_S),
            Trouble("kill", end.kill, end.start, _AWAY_S),
            Trouble("power", power),
            Trouble("cable", cable),
        ]
        return [each._replace(can=lambda: end.is_running) for each in found]

    kinds = [each for end in at.ends.values() for each in at_end(end)]
    return Troubles(rng, _PER_MINUTE, [*kinds, Trouble("broker", at.broker.restart, share=2)])


@lanes.long
@pytest.mark.parametrize("seed", lanes.once(range(sweep.size(small=1, full=18, figures=200))))
def test_one_game_comes_out_of_it(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    modules = rng.choice([0, 0, *range(1, objects.ALL_MODULES + 1)])
    print(f"seed {seed}, set {modules}")
    start = objects.new_state(modules)
    with world(tmp_path, seed=seed, loss=0.05, start=start) as at:
        at.wait(3000)
        troubles, moments = troubles_of(at, rng), count()
        at.trouble = lambda: troubles.step(next(moments) * ROUND_MS / 1000)
        match = Match([*at.ends.values()], at.wait, rng, WHIMS, _TURNS)
        match.play()
        troubles.end()
        at.trouble = None
        at.loss = 0.0
        at.wait(30_000)
        print(troubles.counts, match.counts)
        assert differences([*at.ends.values()]) == []
