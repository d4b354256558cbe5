"""The script of a game, line by line: times, buttons, and what no hand can have done."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from chronotable.hardware.sensors import BUTTON, BUTTONS
from chronotable_host.errors import UserError
from chronotable_host.live.raw_events import BEGINS_MS, RawEvents
from chronotable_host.virtual.script import parse_script, run_script
from tests import sweep
from tests.host.kept_events import SET_UP, Kept, lines_of
from ttykm import layout


def noted(tmp_path: Path, *edges: tuple[int, int, bool]) -> list[dict[str, Any]]:
    """Return the lines for edges: time, sensor, closed."""
    events = RawEvents(True)
    for sensor in SET_UP:
        events.edge(sensor, True, 400)
    events.begin(layout.new_state(), 0, 500)
    events.beside(tmp_path / "game.ttykm")
    for at_ms, sensor, closed in edges:
        events.edge(sensor, closed, at_ms)
    events.close()
    return lines_of(tmp_path / "game.script.jsonl")[1:]


def test_the_game_begins_at_its_time(tmp_path: Path) -> None:
    (line,) = noted(tmp_path, (620, 0, False))
    assert line == {"t_ms": BEGINS_MS + 120, "lift": "past 1"}


def test_times_never_go_back(tmp_path: Path) -> None:
    """The table counts back from the time of a round, so an edge may seem older than the last."""
    lines = noted(tmp_path, (600, 0, False), (598, 15, False), (590, 16, False), (700, 31, False))
    assert [line["t_ms"] - BEGINS_MS for line in lines] == [100, 105, 110, 200]


def test_two_scans_stay_two_scans_and_one_stays_one(tmp_path: Path) -> None:
    lines = noted(tmp_path, (600, 0, False), (600, 15, False), (601, 16, False))
    assert [line["t_ms"] - BEGINS_MS for line in lines] == [100, 100, 105]


def test_a_short_touch_outlasts_the_debouncing_again(tmp_path: Path) -> None:
    lines = noted(tmp_path, (600, 1, True), (621, 1, False), (640, 0, False))
    assert [line["t_ms"] - BEGINS_MS for line in lines] == [100, 130, 140]


def test_every_button(tmp_path: Path) -> None:
    edges = []
    for number in range(len(BUTTONS)):
        edges += [
            (1000 * number, BUTTON + number, True),
            (1000 * number + 80, BUTTON + number, False),
        ]
    lines = noted(tmp_path, *edges)
    assert [(line["press"], line.get("side")) for line in lines] == [
        (name, None if side < 0 else ("white", "black")[side]) for name, side in BUTTONS
    ]
    parse_script((tmp_path / "game.script.jsonl").read_text(), "script")


def test_what_no_hand_can_have_done_is_the_reeds_doing(tmp_path: Path) -> None:
    lines = noted(tmp_path, (600, 0, True), (700, 0, False), (800, 0, True), (900, 99, True))
    assert [line["stuck"] for line in lines] == ["past 1"] * 3, "and 99 is no sensor"
    assert [line["closed"] for line in lines] == [True, False, True]


@pytest.mark.parametrize("seed", range(sweep.size(8, 20)))
def test_whatever_is_heard_the_script_is_legal(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    at_ms, edges = 500, []
    for _ in range(60):
        at_ms += rng.choice((0, 0, 1, 5, 30, 200))
        edges.append((at_ms - rng.randrange(5), rng.randrange(70), rng.random() < 0.5))
    lines = noted(tmp_path, *edges)
    assert lines, seed
    script = parse_script((tmp_path / "game.script.jsonl").read_text(), "script")
    fresh = Kept(None, layout.new_state())
    fresh.table.put_up(layout.new_state())
    try:
        run_script(fresh.table, script, "script")
    except UserError as error:
        pytest.fail(f"seed {seed}: {error}")
    finally:
        fresh.close()
