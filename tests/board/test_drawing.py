"""The picture of a board shows every sensor where the board file has it, always the same way."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from chronotable.board import BoardError
from chronotable.sensors import FOCUS, INPUTS, SENSORS, SPACES
from chronotable_host import boards
from chronotable_host.drawing import START_BLACK, START_WHITE, board_svg, draw

FOLDER = Path(__file__).parents[2] / "boards"
SVG = "{http://www.w3.org/2000/svg}"


def things(svg):
    """The group of each sensor, by its number."""
    groups = ET.fromstring(svg).iter(f"{SVG}g")
    return {int(group.get("data-sensor")): group for group in groups if group.get("data-sensor")}


def classes(group):
    return [part.get("class") for part in group.iter() if part.get("class")]


@pytest.mark.parametrize("name", boards.names())
def test_the_committed_picture_is_the_drawing(name):
    committed = (FOLDER / f"{name}.svg").read_text("utf-8")
    assert committed == draw(name), "draw it again: chronotable_host.drawing.draw"


def test_every_sensor_is_drawn_once_with_its_parts():
    svg = board_svg(boards.read_data("reference"))
    assert svg.count("data-sensor=") == INPUTS
    groups = things(svg)
    assert sorted(groups) == list(range(INPUTS))
    for sensor, group in groups.items():
        kind = "space" if sensor < SPACES else "focus" if sensor < SENSORS else "button"
        parts = [] if kind == "button" else ["led", "reed"]
        assert sorted(classes(group)) == sorted([kind, *parts])
    assert groups[0].find(f"{SVG}title").text == "past 1: cell [0,0], LED 1"
    assert groups[63].find(f"{SVG}title").text == "button draw: cell [7,7]"


def test_pieces_stand_where_they_are_said_to():
    svg = board_svg(boards.read_data("reference"), white={5, FOCUS + 2}, black=[47, FOCUS + 3])
    pieces = {
        sensor: name
        for sensor, group in things(svg).items()
        for name in classes(group)
        if name.startswith("piece")
    }
    assert pieces == {
        5: "piece white",
        FOCUS + 2: "piece white",
        47: "piece black",
        FOCUS + 3: "piece black",
    }


@pytest.mark.parametrize(
    ("white", "black", "part"),
    [
        ({3}, {3}, "white and black cannot both stand on past 4"),
        ({SENSORS}, (), "no piece can stand on button undo white"),
        ({99}, (), "there is no sensor 99"),
        ((), {FOCUS}, "the black marker cannot stand on focus white past"),
    ],
)
def test_impossible_pieces_are_refused(white, black, part):
    with pytest.raises(ValueError, match=part):
        board_svg(boards.read_data("reference"), white=white, black=black)


def test_the_drawing_does_not_depend_on_the_order_of_anything():
    data = boards.read_data("reference")
    shuffled = json.loads(json.dumps(data, sort_keys=True))
    once = board_svg(data, white=sorted(START_WHITE), black=sorted(START_BLACK))
    again = board_svg(
        shuffled, white=sorted(START_WHITE, reverse=True), black=sorted(START_BLACK, reverse=True)
    )
    assert once == again == draw("reference")


def test_the_drawing_follows_the_geometry():
    data = boards.read_data("reference")
    data["geometry_mm"]["table"] = [700, 400]
    data["geometry_mm"]["buttons"]["shared"]["a"] = [650.25, 300]
    svg = board_svg(data)
    assert 'viewBox="0 0 700 400"' in svg
    cap = things(svg)[60].findall(f"{SVG}circle")[-1]
    assert (cap.get("cx"), cap.get("cy")) == ("650.25", "300")


def test_wrong_boards_are_not_drawn():
    data = boards.read_data("reference")
    data["matrix"]["scan_ms"] = 0
    with pytest.raises(BoardError, match=r"matrix\.scan_ms"):
        board_svg(data)
    with pytest.raises(BoardError, match="there is no board"):
        draw("nosuch")
