"""Table time: it begins with the firmware, whatever the timer reads, and is reached when due."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from chronotable_host.archive.facts import think_times
from chronotable_host.archive.store import Archive
from chronotable_host.hardware import boards
from chronotable_host.live.happenings import Fault, Happening, Turn
from chronotable_host.virtual import table as virtual_table
from chronotable_host.virtual.chance import Chance
from chronotable_host.virtual.runtimes.cpython import CpythonRuntime
from chronotable_host.virtual.runtimes.runtime import Runtime
from chronotable_host.virtual.table import CPYTHON, VirtualTable
from tests import lanes
from tests.table.boots import broken
from tests.table.rig import BOARD, Rig
from ttykm.layout import new_state

TIMES = 200
SEED = 3

BOOT_MS = 2500.0
WHITE_TURN = "-pa1 +pa2 -pa2 +pr2 -wpa +wfu"
BLACK_TURN = "-fu16 +fu15 -fu15 +fu14 -bfu +bpr"
NEXT_TURN = "-fu1 +fu2 -fu2 +fu3 -wfu +wpr"

# appended to an app file
AGED = """
_begin = Loop.__init__
def begin(self):
    _begin(self)
    self.now_ms += AGE_MS
Loop.__init__ = begin
"""

STORES = """
from array import array
few, more, most = array("B", (0,)), array("H", (0,)), array("I", (0, 0))
few[0] = more[0] = most[0] = -1
most[1] = (1 << 32) + 7
print(few[0], more[0], most[0], most[1])
"""

READINGS = {  # of the timer, in ms, when the power comes on
    "ticks are negative": (1 << 29) + 1000,
    "ticks turn negative": (1 << 29) - 4000,
    "ticks begin anew": (1 << 30) - 4000,
    "32 bits begin anew": (1 << 32) - 4000,
}


def times_are_reached(runtime: str, image: Path | None, times: int) -> None:
    table = VirtualTable.of(BOARD, Random(SEED), runtime, image=image)
    rng = Random(SEED)
    try:
        for _ in range(times):
            # a slice, and less than a clock may tell; or any time
            most_ms = rng.choice((table.slice_ms + rng.random() * 1e-4, rng.random() * 12))
            due_ms = table.now_ms + most_ms
            table.run_until(due_ms)
            assert due_ms <= table.now_ms < due_ms + 0.001 + 1e-9, (SEED, due_ms, table.now_ms)
    finally:
        table.close()


def turns_are_certain(runtime: str, image: Path | None = None) -> None:
    """Play a turn after the power came on, and one after Ctrl-D, which keeps the timer."""
    with Rig(new_state(), runtime=runtime, image=image) as at:
        told = heard_by(at)
        at.hands.wait(BOOT_MS)
        play(at, WHITE_TURN)
        stop_and_start(at)
        play(at, BLACK_TURN)
    assert told == [("1 E F >future", "certain"), ("16 W W >present", "certain")]


def stores_are_cut_off(runtime: Runtime) -> None:
    """Have a runtime print what its typed arrays keep of numbers that do not fit."""
    runtime.run_until(500)
    assert runtime.port.read(100).startswith(b"255 65535 4294967295 7\r\n")
    runtime.close()


def heard_by(at: Rig) -> list[tuple[str, str]]:
    """Return the list to which turns come, and how they were understood, and faults of reeds."""
    told: list[tuple[str, str]] = []

    def hear(happening: Happening) -> None:
        if isinstance(happening, Turn):
            told.append((happening.turn, happening.understood))
        elif isinstance(happening, Fault):
            told.append((happening.space, happening.fault))

    at.listeners.append(hear)
    return told


def play(at: Rig, script: str) -> None:
    """Carry out a turn and wait until it is final."""
    at.do(script + " .1500")


def stop_and_start(at: Rig, meanwhile: str = "") -> None:
    """Type Ctrl-C and Ctrl-D in the place of the PC, which may be away for a turn."""
    at.session.close()
    for typed in b"\r\x03", b"\x04":
        at.runtime.port.write(typed)
        at.hands.wait(BOOT_MS)
    if meanwhile:
        play(at, meanwhile)
    at.session.open(int(at.table.now_ms))
    at.hands.wait(1000)


def test_a_time_that_is_waited_for_is_reached() -> None:
    times_are_reached(CPYTHON, None, TIMES)


@pytest.mark.parametrize("reading_ms", READINGS.values(), ids=READINGS)
def test_turns_are_certain_at_any_reading_of_the_timer(
    reading_ms: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Chance, "timer_ms", reading_ms)
    turns_are_certain(CPYTHON)


def test_what_does_not_fit_into_a_typed_array_is_cut_off() -> None:
    stores_are_cut_off(CpythonRuntime({"boot.py": "", "main.py": STORES}, {}, boards.read(BOARD)))


@lanes.gate
@pytest.mark.parametrize("is_away", [False, True], ids=["the PC hears it", "the PC is away"])
def test_think_times_go_on_over_a_restart_of_the_table(is_away: bool, tmp_path: Path) -> None:
    with Archive(tmp_path) as archive, Rig(new_state(), archive=archive) as at:
        at.hands.wait(60_000)
        play(at, WHITE_TURN)
        stop_and_start(at, BLACK_TURN if is_away else "")
        if not is_away:
            play(at, BLACK_TURN)
        play(at, NEXT_TURN)
        assert at.mirror.record is not None
        thought_ms = dict(think_times(at.mirror.record))
    played_ms = 6 * 200 + 1500
    assert thought_ms[1] == pytest.approx(played_ms + 2 * BOOT_MS + 1000 * (not is_away), abs=1000)
    assert thought_ms[2] == pytest.approx(played_ms + 1000 * is_away, abs=1000)


@pytest.mark.parametrize("age_ms", [(1 << 30) - 4000, (1 << 32) - 4000, 1 << 33])
def test_turns_are_certain_at_a_table_that_has_been_on_for_long(
    age_ms: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    aged = {"loop.py": AGED.replace("AGE_MS", str(age_ms))}
    monkeypatch.setattr(virtual_table, "app_sources", lambda: broken(aged))
    with Rig(new_state()) as at:
        told = heard_by(at)
        at.hands.wait(BOOT_MS)
        play(at, WHITE_TURN)
        play(at, BLACK_TURN)
    assert told == [("1 E F >future", "certain"), ("16 W W >present", "certain")]
