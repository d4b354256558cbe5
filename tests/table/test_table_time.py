"""Table time: whoever waits for a time has it afterwards, whatever a runtime's clock rounds."""

from __future__ import annotations

from pathlib import Path
from random import Random

from chronotable_host import boards
from chronotable_host.virtual.table import CPYTHON, VirtualTable, open_runtime
from tests.table.rig import BOARD

TIMES = 200
SEED = 3


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


def test_a_time_that_is_waited_for_is_reached() -> None:
    times_are_reached(CPYTHON, None, TIMES)
