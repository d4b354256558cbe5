"""Table time: it begins with the firmware, whatever the timer reads, and is there when waited for."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from chronotable_host import boards
from chronotable_host.live.happenings import Connected, Fault, Happening, Turn
from chronotable_host.virtual.chance import Chance
from chronotable_host.virtual.table import CPYTHON, VirtualTable, open_runtime
from tests.table.rig import BOARD, rig
from ttykm.layout import new_state

TIMES = 200
SEED = 3

BOOT_MS = 2500.0
WHITE_TURN = ((False, 0), (True, 1), (False, 1), (True, 17), (False, 48), (True, 50))
BLACK_TURN = ((False, 47), (True, 46), (False, 46), (True, 45), (False, 53), (True, 52))

READINGS = {  # of the timer, in ms, when the power comes on
    "ticks are negative": (1 << 29) + 1000,
    "ticks turn negative": (1 << 29) - 4000,
    "ticks begin anew": (1 << 30) - 4000,
    "32 bits begin anew": (1 << 32) - 4000,
}


def times_are_reached(runtime: str, image: Path | None, times: int) -> None:
    plan = boards.read(BOARD)
    machine = open_runtime(runtime, plan, boards.find(BOARD).read_bytes(), image=image)
    table = VirtualTable(machine, plan, None, Random(SEED))
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
    told: list[Happening] = []
    with rig(new_state(), runtime=runtime, image=image) as at:
        at.audience.add(told.append)
        at.hands.wait(BOOT_MS)
        at.do(*WHITE_TURN)
        at.hands.wait(1500)
        at.session.close()
        for typed in b"\r\x03", b"\x04":
            at.runtime.port.write(typed)
            at.hands.wait(BOOT_MS)
        at.session.open(int(at.table.now_ms))
        at.hands.wait(1000)
        at.do(*BLACK_TURN)
        at.hands.wait(1500)
    assert [each for each in told if isinstance(each, Fault)] == []
    turns = [each for each in told if isinstance(each, Turn)]
    assert [(turn.turn, turn.understood) for turn in turns] == [
        ("1 E F >future", "certain"),
        ("16 W W >present", "certain"),
    ]
    assert len([each for each in told if isinstance(each, Connected)]) >= 1
    passed_ms = turns[1].t_ms - turns[0].t_ms if turns[0].t_ms and turns[1].t_ms else 0
    assert 8_700 < passed_ms < 9_700, "what is told after the restart goes on in table time"


def test_a_time_that_is_waited_for_is_reached() -> None:
    times_are_reached(CPYTHON, None, TIMES)


@pytest.mark.parametrize("reading_ms", READINGS.values(), ids=READINGS)
def test_turns_are_certain_at_any_reading_of_the_timer(
    reading_ms: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Chance, "timer_ms", reading_ms)
    turns_are_certain(CPYTHON)
