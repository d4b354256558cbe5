"""What is soldered to what: the matrix, the Pico's pins, the chain of LEDs and its supply.

The LEDs are drawn where they are, seen from below. Nothing needs colour.
"""

import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import dist
from typing import Any

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import ERAS, FOCUS, PLAYERS, SENSORS
from chronotable.hardware.wiring import Board
from chronotable_host.hardware.boards import BoardFileError
from chronotable_host.hardware.drawings import matrix_wiring, paper, pico
from chronotable_host.hardware.drawings.paper import Point
from chronotable_host.hardware.drawings.table_layout import TableLayout, layout_of
from chronotable_host.language import names, tr

PTC_A = 0.75
"""Hold current of the PTC between VBUS and the LEDs."""
FUSE_A = 4
"""Of a supply of their own: slow, as the capacitor is charged through it."""

_SMALL = 6
_ASIDE = 16  # of a row of LEDs, where a wire may run
_ROOM = 11  # between a wire and an LED that is not at its ends
_HIT, _CROSSED = 1000, 200  # what they are worth, in mm of wire
_MARGIN = 12
_CHAIN_HEAD = 36
_FEED_HIGH = 126


def wiring_svg(board_data: Mapping[str, Any]) -> str:
    """Draw the wiring of a parsed board file.

    Each pin of the file is a group `pin` with `data-gpio`, each LED a group `led` with `data-led`
    and `data-sensor`, each data wire between two of them a group `hop`; `matrix_wiring.draw` says
    how the matrix can be read back. Raises BoardFileError as `layout_of` does, and for a board
    with shift registers, whose circuit boards have sheets of their own.
    """
    layout = layout_of(board_data)
    board = layout.board
    if layout.is_of_circuit_boards:
        said = tr("what joins shift registers is in the sheets that `boards pcb` writes")
        raise BoardFileError("registers", said)
    least, chain_top = matrix_wiring.size(board)
    feed_top = chain_top + layout.size[1] + _CHAIN_HEAD
    title = tr("Wiring of the table '{name}'", name=board.name)
    svg = paper.sheet(
        (max(layout.size[0], least) + 2 * _MARGIN, feed_top + _FEED_HIGH),
        title,
        matrix_wiring.ABOUT,
        printed=False,
    )
    paper.words(svg, (_MARGIN, 11), title, 10, bold=True)
    matrix_wiring.draw(svg, board, _MARGIN)
    _chain(svg, layout, (_MARGIN, chain_top))
    _feed(svg, board, (_MARGIN, feed_top))
    return paper.svg_text(svg)


def _chain(svg: ET.Element, layout: TableLayout, at: Point) -> None:
    """Draw the LEDs where they are, and the way of the data from each to the next.

    Each LED is a group `led` with `data-led` and `data-sensor`, each wire a group `hop` with
    `data-from` and `data-to`.
    """
    board, (width, _) = layout.board, layout.size
    x, y = at
    said = tr("CHAIN OF LEDS, seen from below: follow the arrows from 0; 5 V and ground run along")
    paper.words(svg, (x, y), said, 8, bold=True)
    table = paper.group(
        svg, "chain", transform=f"translate({paper.number(x)} {paper.number(y + 12)})"
    )
    paper.rect(table, (0, 0), layout.size, 0.6)
    pitch = layout.geometry["pitch"]
    for era, name in enumerate(names.ERAS):
        left, top = layout.middle(era * 16)
        corner = (width - left - 3.5 * pitch, top - pitch / 2)
        paper.rect(table, corner, (4 * pitch, 4 * pitch), 0.4, stroke="#999999")
        middle = (corner[0] + 2 * pitch, corner[1] + 1.67 * pitch)  # between two rows of LEDs
        paper.words(table, middle, name.upper(), 16, "middle", colour="#bbbbbb")
    places = {}
    for sensor in range(SENSORS):
        east, south = layout.led(sensor)
        places[board.led_of[sensor]] = (width - east, south)
    lanes = _lanes(layout)
    for led in range(board.led_count - 1):
        hop = paper.group(table, "hop", data_from=led, data_to=led + 1)
        _hop(hop, _way(places, led, lanes))
    for sensor in range(SENSORS):
        led = board.led_of[sensor]
        data = {"data_led": led, "data_sensor": sensor}
        made = paper.group(table, "led", f"LED {led}: {names.place(sensor_name(sensor))}", **data)
        east, south = places[led]
        paper.rect(made, (east - 5.5, south - 5.5), (11, 11), 0.8, rx=1.5, fill="#ffffff")
        paper.words(made, (east, south), str(led), 7, "middle", bold=True)
        if sensor >= FOCUS:
            player, era = divmod(sensor - FOCUS, len(ERAS))
            shift = -11 if south < layout.size[1] / 2 else 11
            name = names.place(f"{PLAYERS[player]} {ERAS[era]}")
            paper.words(made, (east, south + shift), name, _SMALL, "middle", colour=paper.GREY)
    _data_in(table, places[0], places[1])


def _data_in(parent: ET.Element, first: Point, second: Point) -> None:
    """Draw where the data comes to the first LED, from the side away from the second."""
    x, y = first
    way = 1 if second[0] > x else -1
    paper.line(parent, (x - 30 * way, y), (x - 6 * way, y), 0.8)
    paper.arrow_head(parent, (x - 6 * way, y), (way, 0), 6)
    anchor = "end" if way == 1 else "start"
    paper.words(parent, (x - 8 * way, y + 8), tr("data in"), 7, anchor, bold=True)


def _lanes(layout: TableLayout) -> list[float]:
    """Return where wires run up and down, seen from below: beside and between the boards."""
    pitch, width = layout.geometry["pitch"], layout.size[0]
    edges = [0.0]
    for x, _ in sorted(layout.geometry["space_1"]):
        edges += [x - pitch / 2, x + 3.5 * pitch]
    edges.append(width)
    return [width - (west + east) / 2 for west, east in zip(edges[::2], edges[1::2], strict=True)]


def _way(places: Mapping[int, Point], led: int, lanes: Sequence[float]) -> list[Point]:
    """Return the way of the wire from an LED to the next.

    It is straight, unless other LEDs or several wires are in the way and there is a free lane.
    """
    start, end = places[led], places[led + 1]
    ways = [[start, end]]
    for lane in lanes:
        for low in (start[1], start[1] + _ASIDE, start[1] - _ASIDE):
            way = [start, (start[0], low), (lane, low), (lane, end[1]), end]
            ways.append([at for index, at in enumerate(way) if at != way[index - 1]])
    others = [at for other, at in places.items() if other not in (led, led + 1)]
    hops = [(places[at], places[at + 1]) for at in range(len(places) - 1) if abs(at - led) > 1]

    def cost(way: list[Point]) -> float:
        legs = list(pairwise(way))
        hits = sum(_near(at, leg) for at in others for leg in legs)
        crossed = sum(_cross(leg, hop) for hop in hops for leg in legs)
        return _HIT * hits + _CROSSED * crossed + sum(dist(*leg) for leg in legs)

    if cost(ways[0]) == dist(start, end):
        return ways[0]
    return min(ways, key=cost)


def _near(at: Point, leg: tuple[Point, Point]) -> bool:
    """Return whether a stretch of wire comes nearer to an LED than it should."""
    (x1, y1), (x2, y2) = leg
    length = dist(*leg)
    along = ((at[0] - x1) * (x2 - x1) + (at[1] - y1) * (y2 - y1)) / length**2
    along = min(max(along, 0), 1)
    return dist(at, (x1 + along * (x2 - x1), y1 + along * (y2 - y1))) < _ROOM


def _cross(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    """Return whether two stretches of wire cross or touch."""

    def side(leg: tuple[Point, Point], at: Point) -> float:
        (x1, y1), (x2, y2) = leg
        return (x2 - x1) * (at[1] - y1) - (y2 - y1) * (at[0] - x1)

    apart = any(
        max(one[0][axis], one[1][axis]) < min(other[0][axis], other[1][axis])
        or max(other[0][axis], other[1][axis]) < min(one[0][axis], one[1][axis])
        for axis in (0, 1)
    )
    both = ((one, other), (other, one))
    return not apart and all(side(a, b[0]) * side(a, b[1]) <= 0 for a, b in both)


def _hop(parent: ET.Element, way: list[Point]) -> None:
    """Draw the data wire between two LEDs, with an arrow in the middle of its longest stretch."""
    paper.path(parent, way, 0.8)
    start, end = max(pairwise(way), key=lambda leg: dist(*leg))
    far = dist(start, end)
    towards = ((end[0] - start[0]) / far, (end[1] - start[1]) / far)
    middle = ((start[0] + end[0]) / 2 + towards[0] * 3, (start[1] + end[1]) / 2 + towards[1] * 3)
    paper.arrow_head(parent, middle, towards, 6)


def _feed(svg: ET.Element, board: Board, at: Point) -> None:
    """Draw how 5 V, ground and data come to the first LED, and a supply of its own."""
    x, y = at
    paper.words(svg, (x, y), tr("FEEDING THE LEDS"), 8, bold=True)
    rail, ground, data = y + 20, y + 100, y + 60
    start, end = x + 62, x + 400
    paper.line(svg, (start, rail), (end, rail), 1.4)
    paper.line(svg, (start, ground), (end, ground), 1.4)
    paper.words(svg, (start - 3, rail), tr("VBUS, pin 40: 5 V"), 7, "end")
    paper.words(svg, (start - 3, ground), pico.named("GND", pico.GROUND), 7, "end")
    paper.words(svg, (start - 3, data), pico.gpio_named(board.led_pin), 7, "end")
    paper.rect(svg, (start + 8, rail - 4), (26, 8), 0.8, fill="#ffffff")
    paper.words(svg, (start + 21, rail - 9), f"PTC {names.number(PTC_A)} A", 7, "middle")
    chip = (start + 40, y + 36)
    paper.rect(svg, chip, (96, 48), 0.8, fill="#ffffff")
    paper.words(svg, (chip[0] + 48, chip[1] + 17), "74AHCT125", 8, "middle", bold=True)
    paper.line(svg, (start, data), (chip[0], data), 0.8)
    paper.words(svg, (chip[0] + 3, data), "2 1A", 6)
    paper.words(svg, (chip[0] + 93, data), "1Y 3", 6, "end")
    for shift, text, to in ((20, "14 VCC", rail), (20, "7 GND", ground), (74, "1 1OE", ground)):
        edge = chip[1] if to == rail else chip[1] + 48
        inside = edge + 6 if to == rail else edge - 6
        paper.line(svg, (chip[0] + shift, edge), (chip[0] + shift, to), 0.8)
        paper.dot(svg, (chip[0] + shift, to))
        paper.words(svg, (chip[0] + shift, inside), text, 6, "middle")
    resistor = chip[0] + 116
    paper.line(svg, (chip[0] + 96, data), (end, data), 0.8)
    paper.rect(svg, (resistor, data - 4), (26, 8), 0.8, fill="#ffffff")
    paper.words(svg, (resistor + 13, data - 9), "330 \N{GREEK CAPITAL LETTER OMEGA}", 7, "middle")
    paper.capacitor(
        svg, start + 206, (rail, ground), data, "1000 \N{MICRO SIGN}F", tr("near LED 0; + up")
    )
    paper.rect(svg, (end, y + 10), (70, 100), 0.8)
    for level, text in ((rail, "5 V"), (data, "DIN"), (ground, "GND")):
        paper.words(svg, (end + 4, level), text, 7)
    paper.words(svg, (end + 46, data), "LED 0", 8, "middle", bold=True)
    aside = end + 84
    supply = (
        tr("A supply of its own"),
        tr("Without the PTC: 5 V through a fuse (T {ampere} A)", ampere=FUSE_A),
        tr("to the rail, and from the rail to VSYS (39)"),
        tr("through a Schottky diode, ring towards VSYS;"),
        tr("all grounds together."),
    )
    below = paper.lines_of_words(svg, (aside, y + 14), supply, 6.5, bold_first=True)
    shifter = ("74AHCT125", tr("100 nF at pins 14 and 7."), tr("Pins 4, 5, 9, 10, 12, 13: ground."))
    paper.lines_of_words(svg, (aside, below + 5), shifter, 6.5, bold_first=True)
