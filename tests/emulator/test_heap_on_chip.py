"""DESIGN 7: enough heap after boot, and no less of it from game to game."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronotable_host.bench.chip import measure_heap

GAMES = 3  # `chronotable bench --only heap --games 50` plays more


@pytest.mark.slow
def test_the_heap_over_some_games(image: Path) -> None:
    figures = measure_heap(image, GAMES, lambda _what, _done, _all: None)
    for figure in figures:
        print(figure.key, figure.measured, figure.remark)
        assert figure.met, figure
    assert {figure.key for figure in figures} == {"heap", "heap_games", "heap_trend"}
