"""What a table with a piezo sounds; one without is silent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chronotable_host.cli import run as run_command
from chronotable_host.hardware import boards
from chronotable_host.virtual.script import parse_script, run_script
from tests.table.rig import Rig
from ttykm import layout

A_TURN = [
    {"t_ms": 4000, "lift": "past 1"},
    {"t_ms": 4300, "place": "past 2"},
    {"t_ms": 4600, "lift": "past 2"},
    {"t_ms": 4900, "place": "past 3"},
    {"t_ms": 5200, "lift": "focus white past"},
    {"t_ms": 5500, "place": "focus white present"},
]
NIGHT = [{"t_ms": t_ms, "press": "b"} for t_ms in (3000, 3400)]  # full, half, night
UNEXPLAINED = [{"t_ms": 4000, "lift": "present 1"}, {"t_ms": 4300, "place": "present 11"}]


def with_piezo(tmp_path: Path) -> str:
    """Write the reference board with a piezo on a pin, and return the file's path."""
    file = tmp_path / "piezo.json"
    file.write_text(json.dumps({**boards.read_data("reference"), "sound": {"pin": 26}}))
    return str(file)


def sounds(
    board: str,
    events: list[dict[str, Any]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    *words: str,
) -> list[tuple[str, int]]:
    """Return which sounds a script's run told, and when."""
    script = tmp_path / "script"
    script.write_text("\n".join(map(json.dumps, events)))
    assert run_command(["table", "--board", board, "--script", str(script), *words]) == 0
    told = map(json.loads, capsys.readouterr().out.splitlines())
    return [(line["sound"], line["t_ms"]) for line in told if "sound" in line]


@pytest.mark.parametrize(("events", "sound"), [(A_TURN, "turn"), (UNEXPLAINED, "wrong")])
def test_each_is_told_once_and_soon(
    events: list[dict[str, Any]], sound: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ((told, at_ms),) = sounds(with_piezo(tmp_path), events, tmp_path, capsys)
    assert told == sound
    assert 0 < at_ms - events[-1]["t_ms"] < 400


def test_a_question_sounds_and_so_does_the_turn_that_the_answer_ends(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = [
        {"t_ms": 0, "start": "w..............b/.....wb........./w..............b 1 1 4 4 w"},
        {"t_ms": 4000, "lift": "focus white present"},
        {"t_ms": 4300, "place": "focus white past"},  # nothing else was done
        {"t_ms": 7000, "press": "a"},
    ]
    told = sounds(with_piezo(tmp_path), events, tmp_path, capsys)
    assert [name for name, _ in told] == ["question", "turn"]
    assert told[0][1] < 7000 <= told[1][1]


@pytest.mark.parametrize(("events", "notes"), [(A_TURN, 1), (UNEXPLAINED, 2)])
def test_a_sound_is_short_and_then_the_piezo_is_silent(
    events: list[dict[str, Any]], notes: int, tmp_path: Path
) -> None:
    with Rig(layout.new_state(), board=with_piezo(tmp_path)) as table:
        run_script(table.table, parse_script("\n".join(map(json.dumps, events)), ""), "")
        *tones, end = table.runtime.tones
    assert [tone.hz > 0 for tone in tones] == [True] * notes and end.hz == 0
    assert end.t_ms - tones[0].t_ms == pytest.approx(90 * notes, abs=10 * notes)


def test_at_night_the_table_is_silent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sounds(with_piezo(tmp_path), [*NIGHT, *A_TURN], tmp_path, capsys) == []
    day = {"t_ms": 3800, "press": "b"}
    assert len(sounds(with_piezo(tmp_path), [*NIGHT, day, *A_TURN], tmp_path, capsys)) == 1


def test_a_table_without_a_piezo_tells_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sounds("reference", A_TURN, tmp_path, capsys) == []
