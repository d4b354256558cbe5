"""A board with shift registers plays as one with a matrix: the same turns, the same pictures."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.wiring import COLUMNS, Board
from chronotable_host.cli import run as run_command
from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware.files import app_sources, files_for_board
from chronotable_host.link.parsing import parse_sensor
from chronotable_host.rules.notation import format_position
from chronotable_host.virtual.play import play
from chronotable_host.virtual.runtimes.cpython import CpythonRuntime
from chronotable_host.virtual.table import VirtualTable
from tests import lanes
from tests.lab.people import place
from tests.lab.positions import random_game
from tests.table import test_broken_tables as broken
from tests.table.boots import DARK_PICTURE, FAULT_PICTURE
from tests.table.rig import Rig
from ttykm import layout
from ttykm.game import Game

NAMES = ("reference", "tiles")
SHORT = 25


def by_sensor(rgb: bytes, board: Board) -> bytes:
    """Which colours a frame has, in the order of the sensors, not of the chain.

    How bright they are is the board's: it goes by the current that it may draw.
    """
    return bytes(map(bool, b"".join(rgb[3 * led : 3 * led + 3] for led in board.led_of)))


def played(name: str, seed: int) -> tuple[list[dict[str, Any]], list[bytes], str]:
    """What was told of a game, every picture of it, and how it ended."""
    turns = list(random_game(seed).turns)

    def next_turn(game: Game) -> int | None:
        return turns[len(game.turns)] if len(game.turns) < len(turns) else None

    with Rig(layout.new_state(), seed=seed, board=name) as table:
        play(table.hands, table.game, (next_turn, next_turn), most_turns=SHORT)
        frames = [by_sensor(frame.rgb, table.board) for frame in table.runtime.frames[1:]]
        # the first frame is the first light: another sensor's LED on each board
        pictures = [frames[0], *(now for before, now in pairwise(frames) if now != before)]
        assert table.hands.questions == 0
        told = [what for what in table.told if "connected" not in what]
        return told, pictures, format_position(table.mirror.game.state)


@lanes.gate
@pytest.mark.parametrize("name", ["tiles", "tiles-polarity"])
@pytest.mark.parametrize("seed", lanes.first([2, 8]))
def test_all_boards_play_the_same_game(seed: int, name: str) -> None:
    told, pictures, position = played("reference", seed)
    again, shown, end = played(name, seed)
    assert [what for what in told if "turn" in what], "or nothing was played"
    assert again == told
    assert shown == pictures
    assert len(pictures) > 50
    assert end == position


@pytest.mark.parametrize("name", boards.names())
def test_every_reed_is_felt_as_itself(name: str) -> None:
    """No reed is read as another."""
    with Rig(layout.new_state(), board=name, set_up=False) as table:
        table.table.bounce_ms = 0
        table.hands.wait(300)
        felt = table.mirror.table.reeds
        for sensor in range(54):
            before = dict(felt)
            table.table.place(sensor)
            table.hands.wait(60 + table.table.sample_ms)
            changed = {at for at in range(54) if felt.get(at, False) != before.get(at, False)}
            assert changed == {sensor}
            table.table.lift(sensor)
            table.hands.wait(60 + table.table.sample_ms)


@lanes.gate
def test_a_dead_chip_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the future stops closing: three reeds are missed, and all eight are found."""
    monkeypatch.setattr(place, "BOARD", "tiles")
    dead = range(parse_sensor("future 1"), parse_sensor("future 8") + 1)

    def die(table: VirtualTable) -> None:
        for sensor in dead:
            table.set_stuck(sensor, False)

    person = broken.played(7, die, 3)
    assert person.account.finished, person.account
    assert broken.misunderstood(person) == []
    assert broken.faults(person) == {sensor_name(sensor): "does not close" for sensor in dead}


# ---- a button held at power-on


@pytest.mark.parametrize(
    ("button", "is_safe"),
    [
        ("button action white", True),
        ("button action black", True),
        ("button undo white", False),
        ("button draw", False),
        ("past 1", False),
    ],
)
@pytest.mark.parametrize("name", boards.names())
def test_action_held_at_power_on_is_safe_mode(name: str, button: str, is_safe: bool) -> None:
    board = boards.read(name)
    runtime = CpythonRuntime(app_sources(), files_for_board(boards.find(name).read_bytes()), board)
    try:
        chip, number = divmod(board.cell_of[parse_sensor(button)], COLUMNS)
        runtime.set_cell((1 + (board.sensor == "polarity")) * chip, number, True)
        runtime.run_until(8000)
        last = {frame.rgb for frame in runtime.frames if frame.t_ms > 4000}
        assert (last <= {FAULT_PICTURE, DARK_PICTURE}) == is_safe
        assert last
    finally:
        runtime.close()


# ---- commands


def test_the_table_command_plays_a_script(
    capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    script = tmp_path / "script.jsonl"
    moves = ((2000, "lift", "past 1"), (2500, "place", "past 2"))
    script.write_text("".join(json.dumps({"t_ms": t, do: at}) + "\n" for t, do, at in moves))
    told = []
    for name in NAMES:
        assert run_command(["table", "--board", name, "--script", str(script)]) == 0
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        told.append([line for line in lines if "connected" not in line])
        assert lines[0]["connected"] == name
    assert told[0] == told[1]
    assert any(line.get("leds", {}).get("past 1") == "lifted" for line in told[1])


def test_what_only_a_matrix_has_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    script = tmp_path / "script.jsonl"
    script.write_text('{"t_ms": 1, "row": 3, "cut": true}\n')
    assert run_command(["table", "--board", "tiles", "--script", str(script)]) == 2
    assert capsys.readouterr().err == (
        f"chronotable: {script}, line 1: "
        "this board reads its reeds through shift registers: it has no row\n"
    )


def test_try_plays_on_the_tiles(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    words = ["try", "--headless", "--board", "tiles", "--seed", "4", "--turns", "4"]
    assert run_command([*words, "--quiet", "--archive", str(tmp_path)]) == 0
    assert "4 turns" in capsys.readouterr().out
    (record,) = tmp_path.glob("*.ttykm")
    assert '[Board "tiles' in record.read_text("utf-8")


def test_boards_are_listed_and_checked(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    assert run_command(["boards", "--json"]) == 0
    listed = {board["name"]: board for board in json.loads(capsys.readouterr().out)}
    assert listed["reference"]["reads"] == "matrix"
    assert (listed["tiles"]["reads"], listed["tiles"]["register_pins"]) == ("registers", [2, 3, 4])
    assert run_command(["boards"]) == 0
    assert "tiles  registers, 54 LEDs on GP22  " in capsys.readouterr().out
    for name in boards.names():
        assert run_command(["boards", "check", name, "--json"]) == 0
        assert json.loads(capsys.readouterr().out).items() >= {"good": True, "name": name}.items()
    wrong = tmp_path / "wrong.json"
    wrong.write_text(boards.find("tiles").read_text("utf-8").replace("[7, 0]", "[7, 1]"), "utf-8")
    assert run_command(["boards", "check", str(wrong), "--json"]) == 2
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert told == {
        "good": False,
        "path": "buttons[1].cell",
        "message": "cell [7,1] is already used by buttons[0]",
    }
    assert err == f"chronotable: {told['path']}: {told['message']}\n"
