"""The working drawings: everything in the board file is in them once, and where it belongs.

`test_register_wiring` has the wiring of boards without a matrix.
"""

import errno
import json
import math
import os
import random
import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import pytest
from typer.testing import CliRunner

from chronotable.board import BoardError, load
from chronotable.sensors import (
    BUTTON,
    BUTTONS,
    ERAS,
    FOCUS,
    INPUTS,
    PLAYERS,
    SENSORS,
    SHARED,
)
from chronotable.wiring import COLUMNS
from chronotable_host import boards
from chronotable_host.archive import disk
from chronotable_host.commands.boards import Paper, app
from chronotable_host.drawings import pico, places
from chronotable_host.drawings.places import (
    LATH_MM,
    MAGNET_MM,
    PICO_BOARD_MM,
    PLATE_MM,
    STRAY_MM,
    plan_of,
)
from chronotable_host.drawings.reeds import reeds_svg
from chronotable_host.drawings.table import board_svg, draw
from chronotable_host.drawings.template import PAPERS, template_svg, tile_svg, tiles_of
from chronotable_host.drawings.wiring import wiring_svg
from chronotable_host.errors import UserError
from tests import sweep

from . import netlist
from .drawn import assert_lights_and_pins, shuffled_cells
from .netlist import SVG, place, points

FOLDER = Path(__file__).parents[2] / "boards"
BOARDS = sorted(file.stem for file in FOLDER.glob("*.json"))
DRAWINGS = {"wiring": wiring_svg, "reeds": reeds_svg, "template": template_svg}


def reference():
    return boards.read_data("reference")


def of_class(svg, name):
    return netlist.of_class(ET.fromstring(svg), name)


def numbers(parts, attribute):
    return sorted(int(part.get(attribute)) for part in parts)


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("kind", DRAWINGS)
def test_the_committed_pictures_are_the_drawings(name, kind):
    committed = (FOLDER / f"{name}.{kind}.svg").read_text("utf-8")
    again = f"chronotable boards draw {name} --{kind} --to boards/{name}.{kind}.svg"
    assert committed == DRAWINGS[kind](boards.read_data(name)), again


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("kind", DRAWINGS)
def test_the_order_of_the_file_does_not_matter(name, kind):
    shuffled = json.loads(json.dumps(boards.read_data(name), sort_keys=True))
    assert DRAWINGS[kind](shuffled) == DRAWINGS[kind](boards.read_data(name))


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("kind", DRAWINGS)
def test_they_are_plain_pictures(name, kind):
    svg = DRAWINGS[kind](boards.read_data(name))
    tags = {part.tag.removeprefix(SVG) for part in ET.fromstring(svg).iter()}
    assert tags <= {
        *("svg", "title", "desc", "g", "text"),
        *("rect", "circle", "line", "polyline", "polygon"),
    }
    assert " on" not in re.sub(r">[^<]*<", "><", svg) and "href" not in svg


def test_each_board_has_its_pictures_and_there_are_no_others():
    assert boards.names() == BOARDS
    pictures = {f"{name}.svg" for name in BOARDS}
    pictures |= {f"{name}.{kind}.svg" for name in BOARDS for kind in DRAWINGS}
    assert {file.name for file in FOLDER.glob("*.svg")} == pictures


# ---------------------------------------------------------------- wiring


def wired(svg):
    """(sensor, from, to) of every cell as drawn."""
    found = []
    for cell in of_class(svg, "cell"):
        diodes = [part for part in cell if part.get("class") == "diode"]
        assert len(diodes) == 1
        ends = diodes[0].get("data-from"), diodes[0].get("data-to")
        found.append((int(cell.get("data-sensor")), *ends))
    return sorted(found)


def on(dot, wires):
    """The line of the matrix that a dot lies on."""
    x, y = dot
    found = []
    for wire in wires:
        x1, y1, x2, y2 = (float(wire.get(end)) for end in ("x1", "y1", "x2", "y2"))
        if x1 <= x <= x2 and y1 <= y <= y2:
            found.append(int(wire.get("data-line")))
    return found


def assert_current_runs_from_column_to_row(svg, board):
    """Each cell has its ends on the wires of its column and row, its diode points to the row."""
    rows, columns = of_class(svg, "row"), of_class(svg, "col")
    for cell in of_class(svg, "cell"):
        row, column = divmod(board.cell_of[int(cell.get("data-sensor"))], COLUMNS)
        dots = [place(dot) for dot in cell.findall(f"{SVG}circle") if dot.get("r") == "1.8"]
        starts = [place for place in dots if on(place, columns)]
        ends = [place for place in dots if on(place, rows)]
        assert [on(place, columns) for place in starts] == [[column]]
        assert [on(place, rows) for place in ends] == [[row]]
        triangle = cell.find(f".//{SVG}polygon").get("points").split()
        tip, back = (float(point.split(",")[0]) for point in triangle[:2])
        assert (tip > back) == (ends[0][0] > starts[0][0])


def wiring_of(board):
    cells = [divmod(board.cell_of[sensor], COLUMNS) for sensor in range(INPUTS)]
    return [(s, f"col {column}", f"row {row}") for s, (row, column) in enumerate(cells)]


def assert_all_is_wired(data):
    svg, board = wiring_svg(data), load(data)
    assert wired(svg) == wiring_of(board)
    assert_current_runs_from_column_to_row(svg, board)
    assert_lights_and_pins(ET.fromstring(svg), board)


def test_every_cell_diode_led_and_pin_is_there_once():
    assert_all_is_wired(reference())


def test_the_pins_are_those_of_the_pico():
    assert len(pico.PINS) == 40
    edge = {0: 1, 1: 2, 2: 4, 9: 12, 10: 14, 15: 20, 16: 21, 17: 22, 22: 29, 26: 31, 28: 34}
    assert {gpio: pico.pin_of(gpio) for gpio in edge} == edge
    grounds = [number for number, name in pico.PINS.items() if name == "GND"]
    assert grounds == [3, 8, 13, 18, 23, 28, 38]
    assert (pico.PINS[pico.VBUS], pico.PINS[pico.VSYS], pico.PINS[36]) == ("VBUS", "VSYS", "3V3")


def lengths(svg, kind):
    """Lengths of the drawn wires of rows or columns."""
    lines = of_class(svg, kind)
    return [
        abs(float(line.get("x2")) - float(line.get("x1")))
        + abs(float(line.get("y2")) - float(line.get("y1")))
        for line in lines
    ]


@pytest.mark.parametrize("name", BOARDS)
def test_the_lights_and_their_wires_are_where_they_are_from_below(name):
    data = boards.read_data(name)
    plan, svg = plan_of(data), wiring_svg(data)
    below = {}
    for sensor in range(SENSORS):
        x, y = plan.led(sensor)
        below[plan.board.led_of[sensor]] = (plan.size[0] - x, y)
    for led in of_class(svg, "led"):
        box = next(led.iter(f"{SVG}rect"))
        at = float(box.get("x")) + 5.5, float(box.get("y")) + 5.5
        assert at == pytest.approx(below[int(led.get("data-led"))])
    for hop in of_class(svg, "hop"):
        first, *_, last = points(next(hop.iter(f"{SVG}polyline")))
        assert first == pytest.approx(below[int(hop.get("data-from"))])
        assert last == pytest.approx(below[int(hop.get("data-to"))])


def distance(at, a, b):
    """How far a place is from the stretch between two others."""
    length = math.dist(a, b)
    along = ((at[0] - a[0]) * (b[0] - a[0]) + (at[1] - a[1]) * (b[1] - a[1])) / length**2
    along = min(max(along, 0), 1)
    return math.dist(at, (a[0] + along * (b[0] - a[0]), a[1] + along * (b[1] - a[1])))


@pytest.mark.parametrize("name", BOARDS)
def test_no_wire_of_the_chain_runs_over_a_light_that_it_does_not_feed(name):
    data = boards.read_data(name)
    plan = plan_of(data)
    for hop in of_class(wiring_svg(data), "hop"):
        way = points(next(hop.iter(f"{SVG}polyline")))
        ends = {int(hop.get("data-from")), int(hop.get("data-to"))}
        for sensor in range(SENSORS):
            if plan.board.led_of[sensor] not in ends:
                x, y = plan.led(sensor)
                at = (plan.size[0] - x, y)
                assert min(distance(at, *leg) for leg in pairwise(way)) > 8, (ends, sensor)


def test_four_neighbours_share_a_wire_that_is_drawn_through():
    svg = wiring_svg(reference())
    for kind in ("row", "col"):
        assert len(lengths(svg, kind)) == 4 * 4  # four lines in each of four grids
        assert min(lengths(svg, kind)) > 3 * 40


@pytest.mark.parametrize("seed", range(sweep.size(2, 8)))
def test_any_wiring_is_drawn(seed):
    chance = random.Random(seed)
    data = reference()
    shuffled_cells(data, chance)
    pins = [gpio for gpio in range(29) if gpio not in (23, 24, 25)]
    chance.shuffle(pins)
    matrix = data["matrix"]
    matrix["row_pins"], matrix["col_pins"], data["leds"]["pin"] = pins[:8], pins[8:16], pins[16]
    assert_all_is_wired(data)


def test_a_matrix_that_is_turned_is_drawn_through_all_the_same():
    data = reference()
    for era in data["eras"]:
        era["cells"] = [list(line) for line in zip(*era["cells"], strict=True)]
    assert_all_is_wired(data)
    assert len(lengths(wiring_svg(data), "row")) == 4 * 4


# ---------------------------------------------------------------- places


@pytest.mark.parametrize("name", BOARDS)
def test_the_template_has_every_hole_where_the_geometry_says(name):
    data = boards.read_data(name)
    geometry, pitch = data["geometry_mm"], data["geometry_mm"]["pitch"]
    root = ET.fromstring(template_svg(data))
    margin = -float(root.get("viewBox").split()[0])
    width, height = geometry["table"]
    assert root.get("viewBox") == f"-{margin:g} -{margin:g} {width + 16} {height + 16}"
    assert (root.get("width"), root.get("height")) == (f"{width + 16}mm", f"{height + 16}mm")
    holes = of_class(template_svg(data), "hole")
    at = {}
    for hole in holes:
        key = hole.get("data-kind"), int(hole.get("data-sensor"))
        at.setdefault(key, []).append(place(hole))
    assert len(holes) == SENSORS * 3 + INPUTS - BUTTON
    for era, (x, y) in enumerate(geometry["space_1"]):
        for space in range(16):
            middle = (x + space % 4 * pitch, y + space // 4 * pitch)
            assert at["led", era * 16 + space] == [
                pytest.approx((middle[0] + 0.33 * pitch, middle[1] - 0.33 * pitch))
            ]
            assert at["pilot", era * 16 + space] == [
                pytest.approx((middle[0], middle[1] + 19)),
                pytest.approx((middle[0], middle[1] + 1)),
            ]
    for player, player_name in enumerate(PLAYERS):
        for era in range(len(ERAS)):
            x, y = geometry["focus"][player_name][era]
            sensor = FOCUS + player * 3 + era
            assert at["led", sensor] == [pytest.approx((x + 18.5, y))]
            assert at["pilot", sensor] == [pytest.approx((x - 19, y)), pytest.approx((x - 1, y))]
    for index, (button, side) in enumerate(BUTTONS):
        of = "shared" if side == SHARED else PLAYERS[side]
        assert at["button", BUTTON + index] == [tuple(geometry["buttons"][of][button])]


@pytest.mark.parametrize("name", BOARDS)
def test_the_lights_are_where_the_picture_of_the_table_has_them(name):
    data = boards.read_data(name)
    plan = plan_of(data)
    for thing in ET.fromstring(board_svg(data)).iter(f"{SVG}g"):
        if thing.get("data-sensor") is None or int(thing.get("data-sensor")) >= SENSORS:
            continue
        [lens] = [part.find(f"{SVG}circle") for part in thing if part.get("class") == "led"]
        assert place(lens) == pytest.approx(plan.led(int(thing.get("data-sensor"))))


@pytest.mark.parametrize("name", BOARDS)
def test_the_reeds_are_drawn_once_each_as_seen_from_below(name):
    data = boards.read_data(name)
    plan = plan_of(data)
    drawn = [part for part in of_class(reeds_svg(data), "reed") if part.get("data-sensor")]
    assert numbers(drawn, "data-sensor") == list(range(SENSORS))
    for part in drawn:
        lying = plan.reed(int(part.get("data-sensor")))
        glass = next(part.iter(f"{SVG}rect"))
        middle = [
            float(glass.get(at)) + float(glass.get(size)) / 2
            for at, size in (("x", "width"), ("y", "height"))
        ]
        assert middle == pytest.approx([plan.size[0] - lying.middle[0], lying.middle[1]])
        turned = "rotate(90" in str(part.find(f"{SVG}g").get("transform"))
        assert turned == (lying.towards[0] == 0)


def boxes_under(plan):
    """What is under the plate beside the spaces: (west, north, east, south) of each."""
    for hole in plan.holes():
        if hole.kind == "led":
            reach = 5  # the LED's own board is 10 mm wide
        elif hole.kind == "button":
            reach = hole.diameter / 2 + 3  # its nut
        else:
            reach = 1
        (x, y) = hole.at
        yield x - reach, y - reach, x + reach, y + reach


@pytest.mark.parametrize("name", BOARDS)
def test_the_picos_board_is_drawn_where_nothing_else_is(name):
    data = boards.read_data(name)
    plan = plan_of(data)
    x, y = plan.pico_board()
    wide, high = PICO_BOARD_MM
    for west, north, east, south in boxes_under(plan):
        assert east <= x or x + wide <= west or south <= y or y + high <= north
    width, height = plan.size
    assert min(x, y, width - x - wide, height - y - high) >= LATH_MM[0]
    [drawn] = of_class(reeds_svg(data), "pico-board")
    box = drawn.find(f"{SVG}rect")
    assert (float(box.get("x")), float(box.get("y"))) == (width - x - wide, y)
    assert (float(box.get("width")), float(box.get("height"))) == PICO_BOARD_MM
    (usb, edge), way = plan.pico_usb((x, y))
    assert (edge, way) == (y + high, (0, 1)), "into the table, where nobody sits"
    pitch = data["geometry_mm"]["pitch"]
    past, present, _ = (corner[0] - pitch / 2 for corner in data["geometry_mm"]["space_1"])
    assert past + 4 * pitch < usb < present
    assert x + 21 / 2 <= usb <= x + wide - 21 / 2, "a Pico is 21 mm wide"


@pytest.mark.parametrize("name", BOARDS)
def test_the_frame_is_clear_of_all_that_is_under_the_plate(name):
    data = boards.read_data(name)
    plan = plan_of(data)
    width, height = plan.size
    for west, north, east, south in boxes_under(plan):
        assert min(west, north, width - east, height - south) >= LATH_MM[0]
    [frame] = of_class(reeds_svg(data), "frame")
    box = frame.find(f"{SVG}rect")
    assert float(box.get("width")) == width - 2 * LATH_MM[0]


def test_without_room_the_picos_board_is_left_out(monkeypatch):
    monkeypatch.setattr(places, "PICO_BOARD_MM", (80, 100))
    assert plan_of(reference()).pico_board() is None
    svg = reeds_svg(reference())
    assert not of_class(svg, "pico-board") and of_class(svg, "frame")


def field_along(reed, magnet, depth):
    """Field along a reed around its gap, of a small upright magnet; any unit."""
    total = 0.0
    for step in range(-3, 4):
        x, y = reed.along(step)
        dx, dy = x - magnet[0], y - magnet[1]
        along = dx * reed.towards[0] + dy * reed.towards[1]
        total += 3 * depth * along / math.hypot(dx, dy, depth) ** 5
    return abs(total) / 7


def strays(middle):
    """Where a piece may stand: the middle, and around it as far as it may stray."""
    yield middle
    for step in range(16):
        angle = step * math.tau / 16
        yield middle[0] + STRAY_MM * math.cos(angle), middle[1] + STRAY_MM * math.sin(angle)


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("paper_mm", sweep.some([0, 1, 2], 2))
def test_a_reed_feels_its_own_piece_twice_as_much_as_any_other(name, paper_mm):
    plan = plan_of(boards.read_data(name))
    depth = MAGNET_MM[1] / 2 + paper_mm + PLATE_MM + 1
    own, others = [], []
    for sensor in range(SENSORS):
        reed = plan.reed(sensor)
        for other in range(SENSORS):
            felt = [field_along(reed, at, depth) for at in strays(plan.middle(other))]
            (own if other == sensor else others).extend(felt)
    assert min(own) > 2 * max(others)


def test_a_reed_under_the_middle_or_across_would_feel_nothing():
    """What the drawing of right and wrong says; it is why the reeds lie as they do."""
    plan = plan_of(reference())
    right = plan.reed(5)
    middle = plan.middle(5)
    felt = field_along(right, middle, 5)
    under = type(right)(middle, right.towards)
    across = type(right)(right.middle, (right.towards[1], right.towards[0]))
    assert field_along(under, middle, 5) < felt / 1000
    assert field_along(across, middle, 5) < felt / 1000


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"pitch": 20}, "geometry_mm.pitch: a reed and an LED need spaces of 32 mm, not 20"),
        ({"table": [640, 311]}, "geometry_mm.table: the button .* is too near to the edge"),
        (
            {
                "focus": {
                    "white": [[112, 58], [300, 58], [488, 58]],
                    "black": [[93, 91], [1, 1], [9, 9]],
                }
            },
            "geometry_mm",
        ),
    ],
)
@pytest.mark.parametrize("kind", DRAWINGS)
def test_what_cannot_be_drilled_is_refused(kind, change, said):
    data = reference()
    data["geometry_mm"] |= change
    with pytest.raises(BoardError, match=said):
        DRAWINGS[kind](data)


def test_a_button_on_a_light_is_named_with_it():
    data = reference()
    data["geometry_mm"]["buttons"]["shared"]["b"] = [68, 92]
    with pytest.raises(BoardError, match="the button b runs into the LED of past 1"):
        template_svg(data)


@pytest.mark.parametrize("seed", range(sweep.size(4, 12)))
def test_any_geometry_is_drawn_or_refused(seed):
    chance = random.Random(seed)
    data = reference()
    geometry = data["geometry_mm"]
    geometry["pitch"] = chance.choice([30, 36, 40, 40.5, 42])
    geometry["table"] = [chance.randint(560, 900), chance.randint(290, 500)]
    geometry["space_1"][0][0] += chance.randint(-20, 8)
    try:
        plan_of(data)
    except BoardError:
        for draw in DRAWINGS.values():
            with pytest.raises(BoardError):
                draw(data)
        return
    for draw in DRAWINGS.values():
        ET.fromstring(draw(data))
    assert len(of_class(template_svg(data), "hole")) == SENSORS * 3 + INPUTS - BUTTON


# ---------------------------------------------------------------- sheets


SIZES = {"a4": (297, 210), "letter": (279.4, 215.9)}  # ISO 216; ANSI/ASME Y14.1: 11 x 8.5 inches
UNPRINTED = 25.4 / 6  # mm along the edges that a laser printer leaves white; others less
on_every_paper = pytest.mark.parametrize(
    ("name", "kind"), [(name, kind) for name in BOARDS for kind in SIZES]
)


def bars_of(root):
    """The bars outside of the printed part: (x, y, length across, length down)."""
    inner = set(root.find(f"{SVG}svg").iter()) if root.find(f"{SVG}svg") is not None else set()
    found = []
    for line in root.iter(f"{SVG}line"):
        if line.get("class") == "bar" and line not in inner:
            x1, y1, x2, y2 = (float(line.get(end)) for end in ("x1", "y1", "x2", "y2"))
            found.append((x1, y1, round(x2 - x1, 6), round(y2 - y1, 6)))
    return found


def marks_of(bar, root):
    """How far the marks of a bar are from its beginning, of those that stand on it."""
    x, y, across, _ = bar
    along = [
        float(line.get("x1")) - x if across else float(line.get("y1")) - y
        for group in netlist.of_class(root, "scale")
        for line in group.iter(f"{SVG}line")
        if line.get("class") != "bar"
        and (float(line.get("y1")) == y if across else float(line.get("x1")) == x)
    ]
    return sorted(round(at, 6) for at in along)


@on_every_paper
def test_the_sheets_show_the_whole_template_true_to_scale(name, kind):
    data = boards.read_data(name)
    width, height = SIZES[kind]
    whole = [float(value) for value in ET.fromstring(template_svg(data)).get("viewBox").split()]
    seen = []
    for tile in range(1, tiles_of(data, kind) + 1):
        root = ET.fromstring(tile_svg(data, tile, kind))
        assert (root.get("width"), root.get("height")) == (f"{width:g}mm", f"{height:g}mm")
        assert root.get("viewBox") == f"0 0 {width:g} {height:g}"
        part = root.find(f"{SVG}svg")
        box = [float(value) for value in part.get("viewBox").split()]
        assert [float(part.get("width")), float(part.get("height"))] == box[2:]
        seen.append((box[0], box[1], box[0] + box[2], box[1] + box[3]))
    for x in range(int(whole[0]), int(whole[0] + whole[2]), 4):
        for y in range(int(whole[1]), int(whole[1] + whole[3]), 4):
            assert any(x1 <= x <= x2 and y1 <= y <= y2 for x1, y1, x2, y2 in seen)


@on_every_paper
def test_a_sheet_has_a_bar_of_100_mm_across_and_one_down_on_paper_that_is_printed(name, kind):
    data = boards.read_data(name)
    width, height = SIZES[kind]
    for tile in range(1, tiles_of(data, kind) + 1):
        root = ET.fromstring(tile_svg(data, tile, kind))
        part = root.find(f"{SVG}svg")
        left, top = float(part.get("x")), float(part.get("y"))
        right, bottom = left + float(part.get("width")), top + float(part.get("height"))
        assert min(left, top, width - right, height - bottom) >= UNPRINTED
        across, down = bars_of(root)
        assert (across[2:], down[2:]) == ((100, 0), (0, 100))
        assert bottom + 5 < across[1] < height - UNPRINTED
        assert right < down[0] and down[0] + 3 < width - UNPRINTED
        assert top + 20 < down[1] and down[1] + 100 < bottom
        assert marks_of(across, root) == marks_of(down, root) == list(range(0, 101, 10))


@pytest.mark.parametrize("name", BOARDS)
def test_the_whole_template_has_both_bars_and_one_is_beside_the_plate(name):
    data = boards.read_data(name)
    root = ET.fromstring(template_svg(data))
    across, down = bars_of(root)
    assert (across[2:], down[2:]) == ((100, 0), (0, 100))
    assert data["geometry_mm"]["table"][0] < down[0] < data["geometry_mm"]["table"][0] + 5
    assert marks_of(across, root) == marks_of(down, root) == list(range(0, 101, 10))


def test_the_command_knows_the_papers_of_the_template():
    assert [paper.value for paper in Paper] == list(PAPERS) == list(SIZES)


@on_every_paper
@pytest.mark.parametrize("beyond", [-1, 0, 1])
def test_there_is_no_other_sheet(name, kind, beyond):
    last = tiles_of(boards.read_data(name), kind)
    tile = last + 1 if beyond == 1 else beyond
    with pytest.raises(BoardError, match=f"must be 1 to {last}, not {tile}"):
        tile_svg(boards.read_data(name), tile, kind)


# ---------------------------------------------------------------- the command


def command(*args, name="reference"):
    return CliRunner().invoke(app, ["boards", "draw", name, *args])


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("kind", DRAWINGS)
def test_the_command_draws_each(name, kind, tmp_path):
    expected = DRAWINGS[kind](boards.read_data(name))
    assert command(f"--{kind}", name=name).stdout == expected
    file = tmp_path / "picture.svg"
    assert command(f"--{kind}", "--to", str(file), name=name).stdout == ""
    assert file.read_text("utf-8") == expected


def full_disk(*_args):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("before", [None, "an older picture"])
def test_a_full_disk_is_told_with_the_file_and_leaves_no_half_of_it(tmp_path, monkeypatch, before):
    file = tmp_path / "picture.svg"
    if before is not None:
        file.write_text(before)
    monkeypatch.setattr(disk, "_sync", full_disk)
    error = command("--to", str(file)).exception
    assert isinstance(error, UserError)
    assert str(error) == f"{file}: cannot be written ({os.strerror(errno.ENOSPC)})"
    assert [path.read_text() for path in tmp_path.iterdir()] == ([] if before is None else [before])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path):
    (tmp_path / "full").symlink_to("/dev/full")
    said = str(command("--to", str(tmp_path / "full")).exception)
    assert said == f"{tmp_path / 'full'}: cannot be written ({os.strerror(errno.ENOSPC)})"
    assert (tmp_path / "full").is_char_device()


def test_a_missing_folder_is_told_with_the_file(tmp_path):
    file = tmp_path / "nowhere" / "picture.svg"
    assert f"{file}: cannot be written" in str(command("--to", str(file)).exception)


def test_a_dash_is_the_terminal():
    assert command("--to", "-").stdout == draw("reference")


def test_the_command_draws_a_sheet():
    assert command("--template", "--tile", "6").stdout == tile_svg(reference(), 6)
    for kind in SIZES:
        drawn = command("--template", "--tile", "6", "--paper", kind).stdout
        assert drawn == tile_svg(reference(), 6, kind)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--wiring", "--reeds"], "one picture at a time"),
        (["--template", "--reeds"], "one picture at a time"),
        (["--tile", "1"], "--tile is a sheet of the --template"),
        (["--template", "--tile", "9"], "tile: must be 1 to 6, not 9"),
        (["--template", "--paper", "letter"], "--paper is what the sheets .* needs --tile"),
        (["--paper", "a4"], "--paper is what the sheets .* needs --tile"),
    ],
)
def test_the_command_refuses(args, said):
    assert re.search(said, str(command(*args).exception))
