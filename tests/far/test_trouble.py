"""Whole games far apart with everything that can go wrong, at once: it stays one game.

A seed says it all: which turns, which faults, and when.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from chronotable_host import chapters
from tests import lanes, sweep
from tests.far.world import World, world
from tests.lab.far.games import Match, Whims, differences
from ttykm import objects

WHIMS = Whims(takes_back=0.15, asks_back=0.1, offers=0.05, agrees=0.1)
_TURNS = 14
_A_SECOND = 50


class Trouble:
    """Does harm at random moments; each harm is undone a while later."""

    def __init__(self, at: World, rng: Random, rate: float) -> None:
        self._at = at
        self._rng = rng
        self._rate = rate / _A_SECOND
        self._later: list[tuple[int, object]] = []
        self._now = 0
        self._is_busy = False
        self.done: list[str] = []

    def __call__(self) -> None:
        """Let a moment pass."""
        if self._is_busy:  # what is undone just now has time pass, too
            return
        self._now += 1
        due = [act for when, act in self._later if when <= self._now]
        self._later = [each for each in self._later if each[0] > self._now]
        self._is_busy = True
        try:
            for act in due:
                act()  # type: ignore[operator]
            if self._rng.random() < self._rate:
                self._harm()
        finally:
            self._is_busy = False

    def _harm(self) -> None:
        rng = self._rng
        end = rng.choice([*self._at.ends.values()])
        kind = rng.choice(["cut", "kill", "power", "cable", "broker"])
        if not end.is_running and kind != "broker":
            return
        self.done.append(kind)
        later = self._now + rng.randint(1, 20 * _A_SECOND)
        if kind == "cut":
            line = end.client
            line.cut()  # type: ignore[attr-defined]
            self._later.append((later, line.mend))  # type: ignore[attr-defined]
        elif kind == "kill":
            end.kill()
            self._later.append((later, end.start))
        elif kind == "power":
            end.table.power(False)
            end.table.power(True)
        elif kind == "cable":
            end.table.plug(False)
            end.table.plug(True)
        else:
            self._at.broker.restart()

    def end(self) -> None:
        """Undo all of it."""
        self._rate = 0
        for _, act in self._later:
            act()  # type: ignore[operator]
        self._later.clear()


@pytest.fixture(autouse=True)
def _unlocked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path / "home"))
    chapters.unlock_to(chapters.COUNT)


@lanes.long
@pytest.mark.parametrize("seed", lanes.once(range(sweep.size(small=1, full=18, figures=200))))
def test_one_game_comes_out_of_it(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    modules = rng.choice([0, 0, *range(1, objects.ALL_MODULES + 1)])
    print(f"seed {seed}, set {modules}")
    start = objects.new_state(modules)
    with world(tmp_path, seed=seed, loss=0.05, start=start) as at:
        at.wait(3000)
        trouble = at.trouble = Trouble(at, rng, rate=0.03)
        match = Match([*at.ends.values()], at.wait, rng, WHIMS, _TURNS)
        match.play()
        trouble.end()
        at.trouble = None
        at.loss = 0.0
        at.wait(30_000)
        print(trouble.done, match.counts)
        assert differences([*at.ends.values()]) == []
