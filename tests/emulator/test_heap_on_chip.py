"""Enough heap after boot, and no less of it from game to game."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import lanes
from tests.lab.chip import measure_heap

pytestmark = pytest.mark.emulator

SEEDS = (1, 2, 17)  # short games; too few for a trend, which the lab measures (--only heap)
LOST_KB = 0.5


@lanes.long
@lanes.gate
def test_the_heap_over_some_games(image: Path) -> None:
    figures = measure_heap(image, SEEDS, lambda _what, _done, _all: None)
    found = {figure.key: figure for figure in figures}
    for key in ("heap", "heap_games"):
        print(key, found[key].measured, found[key].remark)
        assert found[key].met, found[key]
    free = found["heap_games"].measured
    assert free["the last"] >= free["game 2 begins"] - LOST_KB
