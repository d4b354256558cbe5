"""The picture of a board shows every sensor where the board file has it, always the same way."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from chronotable.hardware.board import BoardError
from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import FOCUS, INPUTS, PLAYERS, SENSORS, SPACES
from chronotable.hardware.wiring import COLUMNS
from chronotable_host.hardware import boards
from chronotable_host.hardware.drawings.glyphs import looks_of
from chronotable_host.hardware.drawings.table import board_svg, draw
from tests.board.pictures import BOARDS
from ttykm.layout import new_state

FOLDER = Path(__file__).parents[2] / "boards"
SVG = "{http://www.w3.org/2000/svg}"


def things(svg):
    """The group of each sensor, by its number."""
    groups = ET.fromstring(svg).iter(f"{SVG}g")
    return {int(group.get("data-sensor")): group for group in groups if group.get("data-sensor")}


def classes(group):
    return [part.get("class") for part in group.iter() if part.get("class")]


@pytest.mark.parametrize("name", BOARDS)
def test_the_committed_picture_is_the_drawing(name):
    committed = (FOLDER / f"{name}.svg").read_text("utf-8")
    assert committed == draw(name), f"chronotable boards draw {name} --to boards/{name}.svg"


@pytest.mark.parametrize("name", BOARDS)
def test_every_sensor_is_drawn_once_with_its_parts(name):
    svg = board_svg(boards.read_data(name))
    assert svg.count("data-sensor=") == INPUTS
    groups = things(svg)
    assert sorted(groups) == list(range(INPUTS))
    for sensor, group in groups.items():
        kind = "space" if sensor < SPACES else "focus" if sensor < SENSORS else "button"
        parts = [] if kind == "button" else ["led", "reed"]
        assert sorted(classes(group)) == sorted([kind, *parts])
    board = boards.read(name)
    for sensor, group in groups.items():
        row, column = divmod(board.cell_of[sensor], COLUMNS)
        led = f", LED {board.led_of[sensor]}" if sensor < SENSORS else ""
        told = f"{sensor_name(sensor)}: cell [{row},{column}]{led}"
        assert group.find(f"{SVG}title").text == told


@pytest.mark.parametrize("name", BOARDS)
def test_a_players_name_stands_beside_everything_else(name):
    data = boards.read_data(name)
    svg = ET.fromstring(board_svg(data))
    named = {text.text: text for text in svg.iter(f"{SVG}text") if text.text in ("WHITE", "BLACK")}
    for player in PLAYERS:
        text = named[player.upper()]
        west, y = float(text.get("x")) - 18, float(text.get("y"))
        for x, at in data["geometry_mm"]["focus"][player]:
            assert abs(at - y) > 20 or x + 26 < west or west + 72 < x - 26
        for x, at in data["geometry_mm"]["buttons"][player].values():
            assert abs(at - y) > 14 or x + 10 < west or west + 72 < x - 10


def test_pieces_stand_where_they_are_said_to():
    svg = board_svg(
        boards.read_data("reference"),
        [(5, "white"), (FOCUS + 2, "white-focus"), (47, "seed"), (47, "black"), (9, "tree")],
    )
    pieces = {
        sensor: names
        for sensor, group in things(svg).items()
        if (names := [name for name in classes(group) if name.startswith("piece")])
    }
    assert pieces == {
        5: ["piece white"],
        9: ["piece tree"],
        47: ["piece seed", "piece black"],
        FOCUS + 2: ["piece white-focus"],
    }
    assert 'transform="translate(92 144)"' in svg  # the middle of past 6


@pytest.mark.parametrize(
    ("pieces", "part"),
    [
        ([(3, "white"), (3, "black")], "white and black cannot both stand on past 4"),
        ([(3, "white"), (3, "seed")], "white and seed cannot both stand on past 4"),
        ([(3, "seed"), (3, "tree")], "seed and tree cannot both stand on past 4"),
        ([(SENSORS, "white")], "no piece can stand on button undo white"),
        ([(99, "white")], "there is no sensor 99"),
        ([(FOCUS, "black-focus")], "the black focus marker cannot stand on focus white past"),
        ([(FOCUS, "white")], "the white copy cannot stand on focus white past"),
        ([(0, "white-focus")], "the white focus marker cannot stand on past 1"),
        ([(0, "nothing")], "there is no look 'nothing'"),
    ],
)
def test_impossible_pieces_are_refused(pieces, part):
    with pytest.raises(ValueError, match=part):
        board_svg(boards.read_data("reference"), pieces)


def test_a_caption_stands_below_the_table_and_its_text_is_only_text():
    svg = board_svg(boards.read_data("reference"), caption="Ann & <Bob>")
    assert "Ann & <Bob>" in [text.text for text in ET.fromstring(svg).iter(f"{SVG}text")]
    assert 'viewBox="0 0 640 354"' in svg
    assert "Ann" not in board_svg(boards.read_data("reference"))


def test_the_drawing_does_not_depend_on_the_order_of_anything():
    data = boards.read_data("reference")
    shuffled = json.loads(json.dumps(data, sort_keys=True))
    pieces = looks_of(new_state())
    once = board_svg(data, pieces)
    again = board_svg(shuffled, reversed(pieces))
    assert once == again == draw("reference")


def test_the_drawing_follows_the_geometry():
    data = boards.read_data("reference")
    data["geometry_mm"]["table"] = [700, 400]
    data["geometry_mm"]["buttons"]["shared"]["a"] = [650.25, 300]
    svg = board_svg(data)
    assert 'viewBox="0 0 700 400"' in svg
    cap = things(svg)[60].findall(f"{SVG}circle")[-1]
    assert (cap.get("cx"), cap.get("cy")) == ("650.25", "300")


def test_pieces_are_as_large_as_the_spaces():
    data = boards.read_data("reference")
    data["geometry_mm"]["pitch"] = 30
    assert 'class="piece white" transform="translate(52 104) scale(0.75)"' in board_svg(
        data, [(0, "white")]
    )


def test_wrong_boards_are_not_drawn():
    data = boards.read_data("reference")
    data["matrix"]["scan_ms"] = 0
    with pytest.raises(BoardError, match=r"matrix\.scan_ms"):
        board_svg(data)
    with pytest.raises(BoardError, match="there is no board"):
        draw("nosuch")
