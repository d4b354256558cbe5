"""A virtual table with hands, a built-in player and a page, in table time: nothing waits."""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

from chronotable_host.archive.store import Archive
from chronotable_host.engine.levels import LevelPlayer
from chronotable_host.engine.thinkers import AtOnce, Thinker, by_chance
from chronotable_host.live.players.seats import GUEST, PAGE, parse_seat, thinker_of
from chronotable_host.live.session import Lock
from chronotable_host.web.hand import HandDesk
from tests.lines import into

BOARD = "reference"
_STEP_MS = 20


def at_once(name: str, seed: int) -> Thinker:
    """Return a player that thinks here and now: table time is quicker than any process."""
    if name in (GUEST, PAGE):
        return thinker_of(name, seed)
    level = parse_seat(name).level
    return AtOnce(name, LevelPlayer(level, seed).choose if level else by_chance(Random(seed)))


class Evening(HandDesk):
    """A table with a position on it, the game begun; `told` is what was told at its desk."""

    def __init__(
        self,
        start: array[int] | None = None,
        seed: int = 1,
        built_in: Iterable[int] = (),
        seat: str = "level:3",
        folder: Path | None = None,
        board: str = BOARD,
        lock: Lock | None = None,
    ) -> None:
        super().__init__(None if folder is None else Archive(folder), start=start, lock=lock)
        if self.archive is not None:
            self.callback(self.archive.close)
        self.told: list[dict[str, Any]] = []
        self.listeners.append(into(self.told))
        self.switch_on(board, Random(seed))
        self.take_place(Random(seed), at_once)
        for side in built_in:
            self.hand.seats.seat(side, seat)
        self.top = self.hand.top
        self.hand.begin(self.start)
        self.each_step: Callable[[], None] = lambda: None
        self.wait_until(lambda: self.mirror.table.phase == "turn")

    def wait(self, duration_ms: float = 400) -> None:
        """Let table time pass."""
        end = self.table.now_ms + duration_ms
        while self.table.now_ms < end:
            self.run_until(min(end, self.table.now_ms + _STEP_MS))
            self.each_step()

    def wait_until(self, condition: Callable[[], object], bound_ms: float = 10_000) -> None:
        """Let table time pass until something is so."""
        end = self.table.now_ms + bound_ms
        while not condition():
            assert self.table.now_ms < end, f"it did not come to that; told: {self.told[-5:]}"
            self.wait(_STEP_MS)

    def do(self, *gestures: tuple[str, int] | tuple[str, int, str]) -> None:
        """Lift and place by hand, 200 ms each."""
        for name, *values in gestures:
            getattr(self.hand, name)(*values)
            self.wait(200)

    def heard(self, name: str) -> list[Any]:
        """Return what was told under a name."""
        return [happening[name] for happening in self.told if name in happening]


EAST_AND_FORWARD = (
    ("lift", 0),
    ("place", 1, "white"),
    ("lift", 1),
    ("place", 17, "white"),
    ("lift", 48),
    ("place", 50, "white-focus"),
)
"""White's `1 E F >future` from the start."""
WEST_AND_BACK = (
    ("lift", 47),
    ("place", 46, "black"),
    ("lift", 46),
    ("place", 45, "black"),
    ("lift", 53),
    ("place", 52, "black-focus"),
)
"""Black's answer, `16 W W >present`."""
EAST_EAST = (
    *(("lift", 32), ("place", 33, "white"), ("lift", 33), ("place", 34, "white")),
    *(("lift", 50), ("place", 49, "white-focus")),
)
"""White's third turn."""


def pairs(items: Iterable[Any]) -> Iterable[tuple[Any, Any]]:
    """Return each two neighbours."""
    return itertools.pairwise(items)
