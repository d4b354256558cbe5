"""How long the table's own player thinks on the emulated RP2040, and how much heap is left then.

It plays both sides at its strongest level from random openings; hands carry its turns out.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple

from chronotable.lights.meanings import THINKING
from chronotable.player.seats import STRONG
from chronotable_host.engine.match import opening
from tests.lab.chip import Report
from tests.lab.figures import Figure, spread
from tests.lab.helping import CLEAN, Helper
from tests.lab.people.place import TablePlace, Told
from tests.lab.rig import MISS_MS, Rig, Trouble

_TURNS = 8  # of each game
_PRESS_MS = 200
_SHOWN_MS = 2500  # who plays; then the thinking light
_PATIENCE_MS = 20_000


class RigPlace(TablePlace):
    """A rig as a place for hands that go by the lights."""

    def __init__(self, at: Rig) -> None:
        super().__init__(at.hands, at.ear, Told())
        self._at = at

    def wait(self, duration_ms: int) -> None:
        self._at.run(duration_ms)


class Thought(NamedTuple):
    """From the thinking light until a turn is wanted: table time, and with cache misses charged."""

    begun_ms: float
    ms: float
    charged_ms: float


def thoughts(at: Rig) -> Iterator[Thought]:
    """Have the table play both sides, and yield how long it thinks about one turn after another.

    Raises Trouble where it wants no turn, or the hands do not find out which.
    """
    for side in range(2):
        for _ in range(STRONG):
            at.hands.press("undo", side)
            at.run(_PRESS_MS)
    helper = Helper(RigPlace(at), Random(1), CLEAN, lambda: None)
    table = at.ear.table
    while True:
        if not at.run_until(lambda: THINKING in table.leds, _SHOWN_MS):
            raise Trouble("the table's own player does not begin to think")
        begun, misses = at.now_ms, at.runtime.xip_misses
        if not at.run_until(lambda: table.is_turn_wanted, _PATIENCE_MS):
            raise Trouble(f"the table wants no turn after {_PATIENCE_MS / 1000:.0f} s")
        took = at.now_ms - begun
        yield Thought(begun, took, took + MISS_MS * (at.runtime.xip_misses - misses))
        if not helper.carry_out():
            raise Trouble("hands that go by the lights do not get a wanted turn done")
        at.run_until(lambda: not table.is_turn_wanted, _PRESS_MS)


def free_kb(at: Rig) -> float:
    return float(at.counters()[-1]["heap_free"]) / 1024


def measure(image: Path, games: int, report: Report) -> list[Figure]:
    first: list[Thought] = []
    later: list[Thought] = []
    free: list[float] = []
    for number in range(games):
        with closing(Rig(image)) as at:
            at.arrange(array("H", opening(number)))
            for turn, thought in zip(range(_TURNS), thoughts(at), strict=False):
                (later if turn else first).append(thought)
                report("the table's own player", number * _TURNS + turn, games * _TURNS)
                if turn == _TURNS - 1 or at.ear.table.phase == "over":
                    break
            free.append(free_kb(at))
    remark = f"{games} openings, {min(free):.1f} KB of heap free"
    return [
        Figure(
            key,
            _seconds(thought.ms for thought in found),
            _seconds(thought.charged_ms for thought in found),
            remark,
        )
        for key, found in (("thinking_first", first), ("thinking", later))
    ]


def _seconds(ms: Iterator[float]) -> dict[str, float]:
    return {name: round(value / 1000, 2) for name, value in spread(ms).items() if name != "n"}
