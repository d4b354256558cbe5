"""Where things are in the working drawings: holes, lights, reeds and the Pico."""

import math
import random
import xml.etree.ElementTree as ET

import pytest

from chronotable.hardware.board import BoardError
from chronotable.hardware.sensors import (
    BUTTON,
    BUTTONS,
    ERAS,
    FOCUS,
    INPUTS,
    PLAYERS,
    SENSORS,
    SHARED,
)
from chronotable_host.hardware import boards
from chronotable_host.hardware.drawings import table_layout
from chronotable_host.hardware.drawings.reeds import reeds_svg
from chronotable_host.hardware.drawings.table import board_svg
from chronotable_host.hardware.drawings.table_layout import (
    LATH_MM,
    MAGNET_MM,
    PICO_BOARD_MM,
    PLATE_MM,
    STRAY_MM,
    layout_of,
)
from chronotable_host.hardware.drawings.template import template_svg
from tests import lanes, sweep
from tests.board.pictures import BOARDS, DRAWINGS, SVG, of_class, place, reference


def numbers(parts, attribute):
    return sorted(int(part.get(attribute)) for part in parts)


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
    on_boards = "registers" in data
    under = 4 * len(ERAS) if on_boards else SENSORS * 2
    assert len(holes) == SENSORS + under + INPUTS - BUTTON
    for era, (x, y) in enumerate(geometry["space_1"]):
        for space in range(16):
            middle = (x + space % 4 * pitch, y + space // 4 * pitch)
            assert at["led", era * 16 + space] == [
                pytest.approx((middle[0] + 0.33 * pitch, middle[1] - 0.33 * pitch))
            ]
            assert on_boards or at["pilot", era * 16 + space] == [
                pytest.approx((middle[0], middle[1] + 19)),
                pytest.approx((middle[0], middle[1] + 1)),
            ]
    for player, player_name in enumerate(PLAYERS):
        for era in range(len(ERAS)):
            x, y = geometry["focus"][player_name][era]
            sensor = FOCUS + player * 3 + era
            assert at["led", sensor] == [pytest.approx((x + 18.5, y))]
            ends = [pytest.approx((x - 19, y)), pytest.approx((x - 1, y))]
            assert on_boards or at["pilot", sensor] == ends
    for index, (button, side) in enumerate(BUTTONS):
        of = "shared" if side == SHARED else PLAYERS[side]
        assert at["button", BUTTON + index] == [tuple(geometry["buttons"][of][button])]


@pytest.mark.parametrize("name", BOARDS)
def test_the_lights_are_where_the_picture_of_the_table_has_them(name):
    data = boards.read_data(name)
    plan = layout_of(data)
    for thing in ET.fromstring(board_svg(data)).iter(f"{SVG}g"):
        if thing.get("data-sensor") is None or int(thing.get("data-sensor")) >= SENSORS:
            continue
        [lens] = [part.find(f"{SVG}circle") for part in thing if part.get("class") == "led"]
        assert place(lens) == pytest.approx(plan.led(int(thing.get("data-sensor"))))


@pytest.mark.parametrize("name", BOARDS)
def test_the_reeds_are_drawn_once_each_as_seen_from_below(name):
    data = boards.read_data(name)
    plan = layout_of(data)
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
    plan = layout_of(data)
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
    plan = layout_of(data)
    width, height = plan.size
    for west, north, east, south in boxes_under(plan):
        assert min(west, north, width - east, height - south) >= LATH_MM[0]
    [frame] = of_class(reeds_svg(data), "frame")
    box = frame.find(f"{SVG}rect")
    assert float(box.get("width")) == width - 2 * LATH_MM[0]


def test_without_room_the_picos_board_is_left_out(monkeypatch):
    monkeypatch.setattr(table_layout, "PICO_BOARD_MM", (80, 100))
    assert layout_of(reference()).pico_board() is None
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


@lanes.gate
@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("paper_mm", sweep.some([0, 1, 2], 2))
def test_a_reed_feels_its_own_piece_twice_as_much_as_any_other(name, paper_mm):
    plan = layout_of(boards.read_data(name))
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
    plan = layout_of(reference())
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
        layout_of(data)
    except BoardError:
        for draw in DRAWINGS.values():
            with pytest.raises(BoardError):
                draw(data)
        return
    for draw in DRAWINGS.values():
        ET.fromstring(draw(data))
    assert len(of_class(template_svg(data), "hole")) == SENSORS * 3 + INPUTS - BUTTON
