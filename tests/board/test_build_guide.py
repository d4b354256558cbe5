"""The build guides' promises: quantities are those of the board files, commands run.

What they say a table does at a check is what the firmware does. `test_tiles_guide` has what is
said of shift registers alone, `test_guide_parts` what is said of parts, places and power.
"""

import json
import re
import shlex

import pytest

from chronotable.core.table import BRIGHTNESS
from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import SENSORS
from chronotable.hardware.wiring import COLUMNS
from chronotable.lights.hints import HINT_LEVELS
from chronotable.lights.light import PALETTES
from chronotable_host import chapters
from chronotable_host.hardware import boards
from chronotable_host.hardware.drawings import pico
from chronotable_host.hardware.drawings.table_layout import (
    BUTTON_HOLES_MM,
    LED_HOLE_MM,
    PICO_BOARD_MM,
    layout_of,
)
from chronotable_host.hardware.drawings.template import PAPERS, tiles_of
from chronotable_host.link.parsing import parse_sensor
from chronotable_host.rules.notation import format_position
from tests import lanes
from tests.board.pictures import BOARDS
from ttykm.layout import new_state

from .guides import (
    ASKED,
    FOLDER,
    ROOT,
    START,
    Guide,
    bare_table,
    guides,
    guides_of,
    lights_of,
    run,
)

FLASHING = (ROOT / "boards" / "README.md").read_text("utf-8")
GUIDES = dict(guides())
REFERENCE = GUIDES["reference"]
COMMANDS = [(board, line) for board, guide in GUIDES.items() for line in guide.commands]
FLASH_A_COPY = "flash --board FILE.json"
CHECK_A_COPY = "boards check FILE"
WANT_A_TABLE = ("play", "doctor", "flash")
"""Commands tried with one elsewhere: tests/host/test_{play,doctor}_command.py, on ptys, and
tests/emulator/test_flash_on_chip.py."""
of_every_board = pytest.mark.parametrize("board", GUIDES)


def test_every_board_has_one_guide():
    assert sorted(board for board, _ in guides()) == BOARDS


# ---- parts


@of_every_board
def test_the_quantities_are_those_of_the_board_file(board):
    guide, data = GUIDES[board], boards.read_data(board)
    assert guide.quantity("reed switch") == SENSORS
    assert guide.quantity("WS2812B") == data["leds"]["count"]
    own = sum("side" in button for button in data["buttons"])
    assert guide.quantity(f"button, {BUTTON_HOLES_MM['own']} mm") == own
    assert guide.quantity(f"button, {BUTTON_HOLES_MM['shared']} mm") == len(data["buttons"]) - own
    size = " x ".join(str(side) for side in data["geometry_mm"]["table"])
    assert guide.quantity(f"plate {size} x 3 mm") == 1
    assert guide.quantity("1000 uF") == 1
    assert guide.quantity("socket strip, 20 pins") == 2
    assert guide.quantity("PTC") == 1


def test_the_picos_board_of_wires_is_as_large_as_its_place():
    size = " x ".join(map(str, PICO_BOARD_MM))
    assert REFERENCE.quantity(f"{size} mm") == 1 and REFERENCE.quantity("330 ohm") == 1


def test_a_matrix_takes_a_diode_for_every_cell_and_a_wire_for_every_line():
    data = boards.read_data("reference")
    assert REFERENCE.quantity("diode 1N4148") == SENSORS + len(data["buttons"])
    wires = {len(data["matrix"]["row_pins"]), len(data["matrix"]["col_pins"])}
    assert wires == {8} and REFERENCE.quantity("ribbon, 8 wires") == 2


@of_every_board
def test_the_magnets_are_for_the_pieces_of_the_start_position(board):
    boards_text, _, _, *supplies, _ = format_position(new_state()).split()
    copies = sum(boards_text.count(colour) for colour in "wb") + sum(map(int, supplies))
    assert GUIDES[board].quantity("magnet") == copies + 2
    assert f"the copies ({copies}) and the focus markers (2)" in GUIDES[board].flat


@of_every_board
def test_the_holes_are_those_of_the_template(board):
    text = GUIDES[board].flat
    data = boards.read_data(board)
    kinds = [hole.kind for hole in layout_of(data).holes()]
    leds, pilots, screws, buttons = map(kinds.count, ("led", "pilot", "screw", "button"))
    others = f"{screws} for screws" if screws else f"{pilots} small ones"
    assert f"{leds} large holes, {others}, {buttons} for buttons" in text
    for kind in PAPERS:
        assert f"`--tile {tiles_of(data, kind)}`" in text
    assert "six sheets of A4 or of US Letter" in text
    assert f"{LED_HOLE_MM} mm for the LEDs" in REFERENCE.text


@of_every_board
def test_the_choice_between_the_tables_is_by_their_true_measures(board):
    geometry = boards.read_data(board)["geometry_mm"]
    size = " x ".join(str(side) for side in geometry["table"])
    assert f"{size} mm, spaces of {geometry['pitch']} mm" in REFERENCE.text
    assert f"[`{board}`]({board}.svg)" in REFERENCE.text


def test_the_pins_of_each_step_are_those_of_the_board_file():
    board = boards.read("reference")

    def spans(sensors):
        for pins, lines in (
            (board.row_pins, {board.cell_of[sensor] // COLUMNS for sensor in sensors}),
            (board.col_pins, {board.cell_of[sensor] % COLUMNS for sensor in sensors}),
        ):
            used = sorted(pins[line] for line in lines)
            yield f"GP{used[0]} {'and' if len(used) == 2 else 'to'} GP{used[-1]}"

    text = REFERENCE.flat
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
    for name in ("button action white", "button a"):
        row, column = divmod(board.cell_of[parse_sensor(name)], COLUMNS)
        gpios = board.row_pins[row], board.col_pins[column]
        numbers = [pico.pin_of(gpio) for gpio in gpios]
        joined = f"join GP{gpios[0]} and GP{gpios[1]}, pins {numbers[0]} and {numbers[1]},"
        assert joined in text, name
    assert f"GP{board.led_pin} go to pin 2" in text
    assert sensor_name(bytes(board.led_of).index(0)) == "focus white past"


# ---- pictures and words


@of_every_board
def test_every_picture_file_and_section_that_is_linked_exists(board):
    guide = GUIDES[board]
    links = re.findall(r"\]\(([^)]+)\)", guide.text)
    assert links
    for link in links:
        if link.startswith("https://"):
            continue
        name, _, anchor = link.partition("#")
        assert (FOLDER / name).is_file(), link
        if anchor:
            assert anchor in Guide(FOLDER / name).anchors(), link
    assert f"({board}.json)" in guide.text
    for picture in [f"{board}.svg", *(file.name for file in FOLDER.glob(f"{board}.*.svg"))]:
        assert f"({picture})" in guide.text


@lanes.gate
@of_every_board
def test_nothing_of_the_chapters_is_named(board, monkeypatch):
    monkeypatch.setattr(chapters, "shown", lambda: 0)
    assert not chapters.gives_away(GUIDES[board].text)
    for picture in FOLDER.glob(f"{board}*.svg"):
        assert not chapters.gives_away(picture.read_text("utf-8")), picture.name


# ---- commands


@of_every_board
def test_all_commands_are_known_ones(board):
    kinds = {shlex.split(line)[0] for line in GUIDES[board].commands}
    assert kinds == {"chronotable", "pip"}
    for line in GUIDES[board].commands:
        if not line.startswith("chronotable"):
            assert f"$ {line}" in FLASHING  # one way to flash, told again


@lanes.gate
@pytest.mark.parametrize(
    ("board", "line"), [told for told in COMMANDS if told[1].startswith("chronotable")]
)
def test_the_command_runs(board, line, tmp_path):
    args = shlex.split(line)[1:]
    if args[0] in WANT_A_TABLE:
        args.append("--help")
    if args[0] not in ("play", "doctor"):
        assert board in args
    done = run([*args], tmp_path)
    assert done.status == 0, done.stderr
    if "pcb" not in args and "--to" in args:
        assert (tmp_path / args[args.index("--to") + 1]).read_text("utf-8").startswith("<svg")


@of_every_board
def test_the_commands_in_the_text_exist(board, tmp_path):
    named = set(re.findall(r"`chronotable ([^`]+)`", GUIDES[board].text))
    of_a_file = {FLASH_A_COPY, CHECK_A_COPY, f"flash --board {board}"}
    known = {"play", "play --no-page", "doctor", "doctor --ports", "flash", *of_a_file}
    assert named <= known | {"--version", f"boards parts {board}"}
    assert "--ports" in run(["doctor", "--help"], tmp_path).stdout
    said = run(["play", "--help"], tmp_path).stdout
    assert "--no-page" in said and "`help`" in said


@of_every_board
def test_the_last_sheet_of_the_template_is_drawn(board, tmp_path):
    last = re.search(r"`--tile (\d+)`", GUIDES[board].text).group(1)
    done = run(["boards", "draw", board, "--template", "--tile", last], tmp_path)
    assert done.stdout.startswith("<svg")


@of_every_board
def test_the_firmware_is_installed_with_this_board(board):
    assert f"chronotable flash --board {board}" in GUIDES[board].commands


# ---- what the checks promise


@of_every_board
def test_at_power_on_all_lights_and_then_the_request_for_the_pieces(board, tmp_path):
    said = bare_table(tmp_path, board)
    lights = lights_of(said)
    assert lights[0] == {sensor_name(sensor): "lamp_test" for sensor in range(SENSORS)}
    white = {name: "todo_put_white" for name in START if name.endswith(" 1")}
    black = {name: "todo_put_black" for name in START if name.endswith(" 16")}
    markers = dict.fromkeys(ASKED[6:], "todo_put")
    assert lights[-1] == white | black | markers
    assert "are to be set up" in guides_of(said)[0]["why"]


@of_every_board
def test_a_magnet_is_answered_where_it_is_not_asked_for_and_where_it_is(board, tmp_path):
    said = bare_table(tmp_path, board, {"place": "past 7"}, {"place": "focus white past"})
    lights = lights_of(said)
    assert lights[-1]["past 7"] == "todo_take"
    assert "focus white past" not in lights[-1]
    assert guides_of(said)[-1]["take"] == ["past 7"]


@pytest.mark.parametrize("missing", [False, True])
def test_three_corners_show_a_bridged_diode(tmp_path, missing):
    """5 and 2 share the column and the row of 1, and it is the diode of 1 that keeps 6 open."""
    events = [{"place": name} for name in ("past 5", "past 1", "past 2")]
    if missing:
        events.insert(0, {"diode": "past 1", "present": False})
    taken = guides_of(bare_table(tmp_path, "reference", *events))[-1]["take"]
    assert ("past 6" in taken) == missing
    assert {"past 5", "past 2"} <= set(taken)


def test_b_and_c_come_round_and_so_do_hints():
    assert (len(BRIGHTNESS), PALETTES) == (3, 2)
    assert HINT_LEVELS == 3


@of_every_board
def test_the_game_begins_and_ends_as_the_last_step_says(board, tmp_path):
    script = tmp_path / "script.jsonl"
    for presses in (
        [{"press": "resign", "side": "white"}],
        [{"press": "draw"}, {"press": "draw"}],
    ):
        lines = [{"t_ms": 3000 + 500 * at} | event for at, event in enumerate(presses)]
        script.write_text("\n".join(json.dumps(line) for line in lines))
        done = run(["table", "--board", board, "--script", str(script)], tmp_path)
        said = [json.loads(line) for line in done.stdout.splitlines()]
        assert any(happening.get("leds", {}).get("past 1") == "copy" for happening in said)
        assert [happening for happening in said if "game_over" in happening], presses
