"""Where each reed lies and which way, seen from below, where they are glued; and why so.

A magnet that stands on its pole pulls a reed's tongues together only where its field runs along
the reed: beside its middle, with the reed pointing at it. Right under the middle, or across, both
tongues feel the same pole, and the reed stays open.
"""

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from math import cos, radians, sin
from typing import Any

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import BUTTON, BUTTONS, FOCUS, INPUTS, SENSORS
from chronotable_host.hardware.drawings import paper
from chronotable_host.hardware.drawings.paper import Point
from chronotable_host.hardware.drawings.table_layout import (
    GLASS_MM,
    LATH_MM,
    LED_HOLE_MM,
    MAGNET_MM,
    PICO_BOARD_MM,
    PLATE_MM,
    REACH_MM,
    REED_MM,
    STRAY_MM,
    STRIP_MM,
    PlacedReed,
    TableLayout,
    layout_of,
)
from chronotable_host.language import names, tr

_MARGIN = 12
_PANEL = 76  # height of what is explained below the table, without the enlarged space
_CLOSE = 3  # how much larger that is
_FLOOR_MM = 1.5  # of a hollow piece, between its magnet and the plate
_DISC_MM = (20, 3)  # below a piece whose own foot takes no magnet
_LOOPS_MM = (14, 18, 24)  # field lines in the cut
_FEET = 66  # height of the row below that
_LEAD = 4  # of wire drawn at each end of the glass


def reeds_svg(board_data: Mapping[str, Any]) -> str:
    """Draw the reeds of a parsed board file below the table, and enlarged how one lies.

    East is on the left, as one sees it from below. Each reed is a group of the class `reed` with
    its `data-sensor`. Raises BoardError as `layout_of` does.
    """
    layout = layout_of(board_data)
    width, height = layout.size
    title = tr("Reeds of the table '{name}'", name=layout.board.name)
    svg = paper.sheet(
        (width + 2 * _MARGIN, height + _panel(layout) + _FEET + 2 * _MARGIN + 24),
        title,
        tr(
            "Seen from below, where they are glued: east is on the left. Every reed lies beside "
            "the middle of its space and points at it."
        ),
    )
    paper.words(svg, (_MARGIN, 12), title, 10, bold=True)
    said = tr("seen from BELOW, where you glue: the past is on the right, white's side on top")
    paper.words(svg, (_MARGIN, 24), said, 7)
    table = paper.group(svg, "table", transform=f"translate({_MARGIN} 32)")
    _table(table, layout)
    top = height + 50
    _close_up(svg, layout.geometry["pitch"], (_MARGIN, top))
    _section(svg, (_MARGIN + 235, top))
    _wrong(svg, (_MARGIN + 440, top))
    _feet(svg, (_MARGIN, top + _panel(layout)))
    return paper.svg_text(svg)


def _panel(layout: TableLayout) -> float:
    return _PANEL + _CLOSE * max(float(layout.geometry["pitch"]), 40)


def reed(parent: ET.Element, lying: PlacedReed, scale: float = 1) -> None:
    """Draw a reed: its wires, its glass, and its two tongues, that overlap in the middle."""
    length, thick = (side * scale for side in GLASS_MM)
    x, y = lying.middle
    upright = lying.towards[0] == 0
    turned = {"transform": f"rotate(90 {paper.number(x)} {paper.number(y)})"} if upright else {}
    drawn = paper.add(parent, "g", **turned)
    reach = length / 2 + _LEAD * scale
    paper.line(drawn, (x - reach, y), (x + reach, y), 0.5 * scale)
    corner = (x - length / 2, y - thick / 2)
    paper.rect(drawn, corner, (length, thick), 0.3 * scale, rx=thick / 2, fill="#ffffff")
    high = thick * 0.12
    paper.line(drawn, (x - length / 2, y - high), (x + length * 0.1, y - high), 0.3 * scale)
    paper.line(drawn, (x - length * 0.1, y + high), (x + length / 2, y + high), 0.3 * scale)


def _table(table: ET.Element, layout: TableLayout) -> None:
    width = layout.size[0]
    paper.rect(table, (0, 0), layout.size, 0.8)
    pitch = layout.geometry["pitch"]
    for era, name in enumerate(names.ERAS):
        x, y = layout.middle(era * 16)
        right, top = width - (x - pitch / 2), y - pitch / 2
        paper.rect(table, (right - 4 * pitch, top), (4 * pitch, 4 * pitch), 0.6)
        for step in range(1, 4):
            at = step * pitch
            paper.line(
                table, (right - at, top), (right - at, top + 4 * pitch), 0.3, stroke=paper.GREY
            )
            paper.line(
                table, (right - 4 * pitch, top + at), (right, top + at), 0.3, stroke=paper.GREY
            )
        paper.words(table, (right - 2 * pitch, top - 6), name.upper(), 8, "middle", bold=True)
    for sensor in range(SENSORS):
        _place(table, layout, sensor)
    _pico_board(table, layout)
    for sensor in range(BUTTON, INPUTS):
        x, y = _below(layout, layout.middle(sensor))
        paper.circle(table, (x, y), 5, 0.3, stroke=paper.GREY)
        side = 9 if y + 14 <= layout.size[1] - LATH_MM[0] else -9  # clear of the frame
        paper.words(table, (x, y + side), BUTTONS[sensor - BUTTON][0], 5.5, "middle")


def _pico_board(table: ET.Element, layout: TableLayout) -> None:
    """Draw the frame, where Pico's board and strip are screwed, and where the cable leaves it."""
    grey = {"stroke": paper.GREY, "stroke_dasharray": "3 2"}
    lath = LATH_MM[0]
    width, height = layout.size
    frame = paper.group(table, "frame")
    paper.rect(frame, (lath, lath), (width - 2 * lath, height - 2 * lath), 0.3, **grey)
    corner = layout.pico_board()
    if corner is None:
        return
    high, y = PICO_BOARD_MM[1], corner[1]
    made = paper.group(table, "pico-board", tr("The Pico's board"))
    _lying(made, layout, corner, PICO_BOARD_MM, tr("Pico's board"))
    strip = layout.strip()
    if strip is not None:
        _lying(paper.group(table, "strip"), layout, strip, STRIP_MM, tr("strip"))
    (usb, edge), (_, way) = layout.pico_usb(corner)
    usb = width - usb
    paper.words(made, (usb, edge - 14 * way), "USB", 6.5, "middle", bold=True)
    paper.line(made, (usb, edge - 8 * way), (usb, edge + 6 * way), 1)
    paper.arrow_head(made, (usb, edge + 8 * way), (0, way), 6)
    out = y + high / 2
    paper.words(made, (width - lath - 3, out), tr("cable"), 6, "end")
    paper.line(made, (width - lath, out), (width + 4, out), 1)
    paper.arrow_head(made, (width + 7, out), (1, 0), 6)


def _lying(
    made: ET.Element, layout: TableLayout, corner: Point, size: tuple[float, float], name: str
) -> None:
    """Draw a board under the plate by its north-west corner and its size, and what it is."""
    (x, y), (wide, high) = corner, size
    west = layout.size[0] - x - wide
    paper.rect(made, (west, y), (wide, high), 0.6, rx=2)
    for line, said in enumerate((name, f"{_size(size)} mm")):
        paper.words(made, (west + wide / 2, y + 12 + 9 * line), said, 6.5, "middle", line == 0)


def _place(table: ET.Element, layout: TableLayout, sensor: int) -> None:
    """Draw a space or a focus spot: the magnet's circle, the reed beside it, the LED's hole."""
    made = paper.group(table, "reed", names.place(sensor_name(sensor)), data_sensor=sensor)
    middle = _below(layout, layout.middle(sensor))
    look = {"stroke": paper.GREY, "stroke_dasharray": "1.5 1.5"}
    paper.circle(made, middle, MAGNET_MM[0] / 2, 0.3, **look)
    lying = layout.reed(sensor)
    dx, dy = lying.towards
    reed(made, PlacedReed(_below(layout, lying.middle), (-dx, dy)))
    paper.circle(made, _below(layout, layout.led(sensor)), LED_HOLE_MM / 2, 0.3)
    x, y = middle
    if sensor < FOCUS:
        label = (x + layout.geometry["pitch"] * 0.33, y - layout.geometry["pitch"] * 0.33)
        paper.words(made, label, str(sensor % 16 + 1), 6.5, "middle", bold=True)
    else:
        spot = names.place(sensor_name(sensor).removeprefix("focus "))
        paper.words(made, (x, y - 12), spot, 6, "middle")


def _size(sides: tuple[float, float]) -> str:
    return f"{sides[0]} x {sides[1]}"


def _below(layout: TableLayout, at: Point) -> Point:
    """Return where a place is seen from below."""
    return layout.size[0] - at[0], at[1]


def _close_up(svg: ET.Element, pitch: float, at: Point) -> None:
    """Draw one space three times as large, with its measures."""
    x, y = at
    scale, half = _CLOSE, _CLOSE * pitch / 2
    said = tr("1  One space of {side} mm, {scale} : 1", side=paper.number(pitch), scale=scale)
    paper.words(svg, (x, y), said, 8, bold=True)
    middle = (x + half + 20, y + 14 + half)
    corner = (middle[0] - half, middle[1] - half)
    paper.rect(svg, corner, (2 * half, 2 * half), 0.6)
    look = {"stroke": paper.GREY, "stroke_dasharray": "4 3"}
    paper.circle(svg, middle, MAGNET_MM[0] / 2 * scale, 0.5, **look)
    paper.circle(svg, middle, STRAY_MM * scale, 0.4, stroke=paper.GREY, stroke_dasharray="1 3")
    lying = PlacedReed((middle[0], middle[1] + REED_MM * scale), (0, -1))
    reed(svg, lying, scale)
    led = (middle[0] - pitch * 0.33 * scale, middle[1] - pitch * 0.33 * scale)
    paper.circle(svg, led, LED_HOLE_MM / 2 * scale, 0.6)
    paper.words(svg, (led[0], led[1] + 15), "LED", 6.5, "middle")
    bar = middle[0] + 30
    paper.line(svg, middle, (bar + 4, middle[1]), 0.3)
    paper.line(svg, lying.middle, (bar + 4, lying.middle[1]), 0.3)
    paper.line(svg, (bar, middle[1]), (bar, lying.middle[1]), 0.4)
    paper.arrow_head(svg, (bar, middle[1]), (0, -1), 4)
    paper.arrow_head(svg, (bar, lying.middle[1]), (0, 1), 4)
    paper.words(svg, (bar + 6, middle[1] + 15), f"{REED_MM} mm", 7)
    y = middle[1] + half + 12
    for text in (
        tr("Dashed: the magnet of a piece in the middle."),
        tr("Dotted: its middle may stray so far ({stray} mm).", stray=STRAY_MM),
        tr("The reed points at the middle of the space."),
    ):
        paper.words(svg, (x, y), text, 6.5)
        y += 10


def _section(svg: ET.Element, at: Point) -> None:
    """Draw a cut through plate, magnet and reed, and which way the field runs."""
    x, y = at
    scale = 6
    said = tr("2  Cut along the reed, {scale} : 1", scale=scale)
    paper.words(svg, (x, y), said, 8, bold=True)
    left, top = x, y + 62
    paper.rect(svg, (left, top), (190, PLATE_MM * scale), 0.6, fill=paper.LIGHT)
    said = tr("plate, {thick} mm", thick=PLATE_MM)
    paper.words(svg, (left + 4, top + PLATE_MM * scale / 2), said, 6.5)
    wide, thick = (side * scale for side in MAGNET_MM)
    centre = left + 150
    paper.rect(svg, (centre - wide / 2, top - thick), (wide, thick), 0.8, fill="#ffffff")
    paper.words(svg, (centre, top - thick / 2), tr("N or S below"), 6.5, "middle", bold=True)
    paper.rect(svg, (centre - wide / 2 - 6, top - thick - 22), (wide + 12, 22), 0.4)
    paper.words(svg, (centre, top - thick - 11), tr("piece"), 6.5, "middle")
    low = top + PLATE_MM * scale + GLASS_MM[1] * scale / 2 + 2
    reed(svg, PlacedReed((centre - REED_MM * scale, low), (1, 0)), scale)
    for loop in _LOOPS_MM:
        look = {"stroke": paper.GREY, "stroke_dasharray": "2 2"}
        start = (centre, top - thick / 2)
        paper.path(svg, _field_line(start, loop * scale, top), 0.5, **look)
    paper.lines_of_words(
        svg,
        (x, low + 36),
        (
            tr("Glue the reed straight under the plate,"),
            tr("at most {reach} mm below the magnet. The field", reach=REACH_MM),
            tr("(dashed) runs along the tongues: they close."),
            tr("Which pole is below makes no difference."),
        ),
        6.5,
    )


def _field_line(magnet: Point, loop: float, surface: float) -> list[Point]:
    """Return the part below `surface` of a field line of a small upright magnet, to the left.

    `loop` is how far out the line is level with the magnet: its radius is loop * sin^2 there.
    """
    x, y = magnet
    places = []
    for step in range(1, 46):
        angle = radians(2 * step)
        far = loop * sin(angle) ** 2
        place = (x - far * sin(angle), y + far * cos(angle))
        if place[1] > surface:
            places.append(place)
    return places


def _wrong(svg: ET.Element, at: Point) -> None:
    """Draw the two places that do not work, from below, and the one that does."""
    x, y = at
    paper.words(svg, (x, y), tr("3  Right and wrong, from below"), 8, bold=True)
    cases = (
        (tr("closes"), PlacedReed((0, REED_MM), (0, -1)), tr("beside the magnet, pointing at it")),
        (tr("STAYS OPEN"), PlacedReed((0, 0), (0, -1)), tr("right under the magnet's middle")),
        (tr("STAYS OPEN"), PlacedReed((0, REED_MM), (1, 0)), tr("beside it, but across")),
    )
    for index, (verdict, lying, why) in enumerate(cases):
        centre = (x + 24, y + 36 + index * 58)
        paper.circle(svg, centre, MAGNET_MM[0] / 2 * 1.5, 0.5, fill=paper.LIGHT)
        middle = (centre[0], centre[1] + lying.middle[1] * 1.5)
        reed(svg, PlacedReed(middle, lying.towards), 1.5)
        paper.words(svg, (x + 54, centre[1] + 4), verdict, 8, bold=True)
        paper.words(svg, (x + 54, centre[1] + 15), why, 6.5)
        if index:
            paper.line(svg, (x + 4, centre[1] - 12), (x + 44, centre[1] + 28), 0.8)
            paper.line(svg, (x + 44, centre[1] - 12), (x + 4, centre[1] + 28), 0.8)


def _feet(svg: ET.Element, at: Point) -> None:
    """Draw the three ways in which a magnet sits in the foot of a piece, cut through."""
    x, y = at
    scale = 3
    said = tr("4  The magnet in the foot of a piece, cut through, {scale} : 1", scale=scale)
    paper.words(svg, (x, y), said, 8, bold=True)
    wide, thick = (side * scale for side in MAGNET_MM)
    ground = y + 54
    cases = (
        (0.0, 0.0, (tr("solid foot: bored from below,"), tr("magnet flush, glued in"))),
        (
            _FLOOR_MM,
            0.0,
            (
                tr("hollow foot: glued on its floor,"),
                tr("{thick} mm thick at most", thick=names.number(_FLOOR_MM)),
            ),
        ),
        (
            0.0,
            _DISC_MM[1],
            (tr("thin foot: on a disc,"), tr("{size} mm, bored", size=_size(_DISC_MM))),
        ),
    )
    for index, (floor, disc, texts) in enumerate(cases):
        middle = x + 40 + index * 205
        foot = ground - disc * scale
        paper.path(
            svg,
            [(middle + dx, foot - dy) for dx, dy in ((-20, 38), (-27, 0), (27, 0), (20, 38))],
            0.6,
            fill=paper.LIGHT,
        )
        if disc:
            side = _DISC_MM[0] * scale
            corner = (middle - side / 2, foot)
            paper.rect(svg, corner, (side, disc * scale), 0.6, fill=paper.LIGHT)
        if floor:
            high = 38 - (floor + 1) * scale
            room = (middle - 18, foot - floor * scale - high)
            paper.rect(svg, room, (36, high), 0.5, fill="#ffffff")
        low = ground - floor * scale
        paper.rect(svg, (middle - wide / 2, low - thick), (wide, thick), 0.8, fill="#ffffff")
        paper.line(svg, (middle - 36, ground), (middle + 36, ground), 0.4, stroke=paper.GREY)
        paper.lines_of_words(svg, (middle + 42, ground - 22), texts, 6.5)
