"""The working drawings: everything in the board file is in them once, and where it belongs."""

import json
import math
import random
import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from chronotable.hardware.board import load
from chronotable.hardware.sensors import INPUTS, SENSORS
from chronotable.hardware.wiring import COLUMNS
from chronotable_host.hardware import boards
from chronotable_host.hardware.drawings import pico
from chronotable_host.hardware.drawings.table_layout import (
    layout_of,
)
from chronotable_host.hardware.drawings.wiring import wiring_svg
from tests import lanes, sweep
from tests.board.pictures import BOARDS, DRAWINGS, DRAWN, FOLDER, SVG, of_class, place, reference


@pytest.mark.parametrize(("kind", "name"), DRAWN)
def test_the_committed_pictures_are_the_drawings(name, kind):
    committed = (FOLDER / f"{name}.{kind}.svg").read_text("utf-8")
    again = f"chronotable boards draw {name} --{kind} --to boards/{name}.{kind}.svg"
    assert committed == DRAWINGS[kind](boards.read_data(name)), again


@lanes.gate
@pytest.mark.parametrize(("kind", "name"), DRAWN)
def test_the_order_of_the_file_does_not_matter(name, kind):
    shuffled = json.loads(json.dumps(boards.read_data(name), sort_keys=True))
    assert DRAWINGS[kind](shuffled) == DRAWINGS[kind](boards.read_data(name))


@pytest.mark.parametrize(("kind", "name"), DRAWN)
def test_they_are_plain_pictures(name, kind):
    svg = DRAWINGS[kind](boards.read_data(name))
    tags = {part.tag.removeprefix(SVG) for part in ET.fromstring(svg).iter()}
    assert tags <= {
        *("svg", "title", "desc", "g", "text"),
        *("rect", "circle", "line", "polyline", "polygon"),
    }
    assert " on" not in re.sub(r">[^<]*<", "><", svg) and "href" not in svg


def test_each_board_has_its_pictures_and_there_are_no_others():
    pictures = {f"{name}.svg" for name in BOARDS}
    pictures |= {f"{name}.{kind}.svg" for kind, name in DRAWN}
    assert {file.name for file in FOLDER.glob("*.svg")} == pictures


# ---- wiring


def points(polyline):
    """The places that a polyline leads through."""
    pairs = (pair.split(",") for pair in polyline.get("points").split())
    return [(float(x), float(y)) for x, y in pairs]


def shuffled_cells(data, chance):
    """Wire every sensor to some other cell, and every LED elsewhere in the chain."""
    cells = [[row, column] for row in range(8) for column in range(8)]
    leds = list(range(SENSORS))
    chance.shuffle(cells)
    chance.shuffle(leds)
    for era in data["eras"]:
        era["cells"] = [[cells.pop() for _ in range(4)] for _ in range(4)]
        era["leds"] = [[leds.pop() for _ in range(4)] for _ in range(4)]
    for spots in data["focus"].values():
        for spot in spots.values():
            spot["cell"], spot["led"] = cells.pop(), leds.pop()
    for button in data["buttons"]:
        button["cell"] = cells.pop()


def assert_lights_and_pins(svg, board):
    """Each pin of the file is marked at the Pico; each LED is there, and the chain through all."""
    pins = of_class(svg, "pin")
    used = [*board.row_pins, *board.col_pins, board.led_pin]
    used += [board.sound_pin] if board.sound_pin >= 0 else []
    assert sorted(int(pin.get("data-gpio")) for pin in pins) == sorted(used)
    for pin in pins:
        gpio = int(pin.get("data-gpio"))
        label = " ".join(text.text for text in pin.iter(f"{SVG}text"))
        assert f"GP{gpio}" in label and str(pico.pin_of(gpio)) in label.split()
    leds = {int(led.get("data-led")): int(led.get("data-sensor")) for led in of_class(svg, "led")}
    assert leds == {board.led_of[sensor]: sensor for sensor in range(SENSORS)}
    hops = [(int(hop.get("data-from")), int(hop.get("data-to"))) for hop in of_class(svg, "hop")]
    assert hops == list(pairwise(range(board.led_count)))


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
    assert_lights_and_pins(svg, board)


def test_every_cell_diode_led_and_pin_is_there_once():
    assert_all_is_wired(reference())


def test_a_piezo_is_drawn_at_its_pin():
    data = {**reference(), "sound": {"pin": 26}}
    svg = wiring_svg(data)
    assert_lights_and_pins(svg, load(data))
    (pin,) = (pin for pin in of_class(svg, "pin") if pin.get("data-gpio") == "26")
    assert "piezo" in pin.find(f"{SVG}title").text and "pin 28" in pin.find(f"{SVG}title").text


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


def test_the_lights_and_their_wires_are_where_they_are_from_below():
    data = reference()
    layout, svg = layout_of(data), wiring_svg(data)
    below = {}
    for sensor in range(SENSORS):
        x, y = layout.led(sensor)
        below[layout.board.led_of[sensor]] = (layout.size[0] - x, y)
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


def test_no_wire_of_the_chain_runs_over_a_light_that_it_does_not_feed():
    data = reference()
    layout = layout_of(data)
    for hop in of_class(wiring_svg(data), "hop"):
        way = points(next(hop.iter(f"{SVG}polyline")))
        ends = {int(hop.get("data-from")), int(hop.get("data-to"))}
        for sensor in range(SENSORS):
            if layout.board.led_of[sensor] not in ends:
                x, y = layout.led(sensor)
                at = (layout.size[0] - x, y)
                assert min(distance(at, *leg) for leg in pairwise(way)) > 8, (ends, sensor)


def test_four_neighbours_share_a_wire_that_is_drawn_through():
    svg = wiring_svg(reference())
    for kind in ("row", "col"):
        assert len(lengths(svg, kind)) == 4 * 4  # four lines in each of four grids
        assert min(lengths(svg, kind)) > 3 * 40


@lanes.gate
@pytest.mark.parametrize("seed", range(sweep.size(1, 8)))
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
