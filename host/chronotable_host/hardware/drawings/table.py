"""Pictures of a table as SVG: the geometry of its board file, and the pieces of `glyphs`.

One unit is one millimetre and north is up. The picture brings its own table top, so that it looks
the same on a light and on a dark page, and the same board always gives the same text.
"""

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from chronotable.hardware.naming import sensor_name
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
from chronotable.hardware.wiring import COLUMNS, Board
from chronotable_host.hardware import boards
from chronotable_host.hardware.drawings import glyphs, paper
from chronotable_host.hardware.drawings.paper import add, number
from chronotable_host.hardware.drawings.table_layout import (
    GLASS_MM,
    REED_MM,
    TableLayout,
    middle_of,
)
from chronotable_host.language import names, tr
from ttykm.layout import new_state

_FONT = "'Avenir Next', 'Segoe UI', 'Helvetica Neue', Helvetica, Arial, sans-serif"


@dataclass(frozen=True)
class _Era:
    """Colours of an era: its name and lines, its frame, its spaces, light and dark by turns."""

    ink: str
    frame: str
    spaces: tuple[str, str]


_LOOK = (
    _Era("#f0b866", "#4a3620", ("#6b5031", "#614829")),
    _Era("#6fd6b6", "#1d4340", ("#2c635b", "#275952")),
    _Era("#b5a3ff", "#352c5c", ("#4c4180", "#443a74")),
)
_TABLE = ("#2b323e", "#1b2029")
_RIM = "#3c4656"
_EDGE = "#0f1319"
_TEXT = "#e9edf3"
_FAINT = "#93a0b3"
_PITCH = 40  # of the spaces that glyphs are drawn for
_NAME_HALF = 40  # of a player's name with its chip
_ERA_NAME = 80  # height of letters by their number: so many fit beside the spot of a focus
_NAME_OFF = 3  # the middle of both lies so far east of the name's place
_CAPTION = 26  # height of the strip for a line below the table
_LINE = 1.75  # of that line: its letters' height by their number, in widths of the table

_Pieces = Mapping[int, list[str]]


def draw(name: str) -> str:
    """Picture of a board with the start position on it, as it stands in `boards/`.

    Raises BoardFileError where there is no such board or its file is wrong.
    """
    return board_svg(boards.read_data(name), glyphs.looks_of(new_state()))


def board_svg(
    board_data: Mapping[str, Any], pieces: Iterable[tuple[int, str]] = (), caption: str = ""
) -> str:
    """Draw the table of a parsed board file, with the pieces of a position if there are any.

    `pieces` are sensors (0..53) and looks, as `glyphs.looks_of` gives them; a `caption` stands in
    a strip of its own below the table. Each space, focus spot and button is a group with the
    attribute `data-sensor`, so that a page can find it; its LED has the class `led`, its reed
    `reed`, its pieces `piece`.
    Raises BoardFileError where the board is wrong and ValueError where pieces are: no such reed or
    look, two on one space but for a copy on a seed (G2), or a marker on no spot of its player's.
    """
    data = dict(board_data)
    board = boards.load(data)
    looks = _by_sensor(pieces)
    layout = TableLayout(board, data["geometry_mm"])
    width, edge = layout.size
    height = edge + (_CAPTION if caption else 0)
    svg = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {number(width)} {number(height)}",
            "width": number(width * 1.5),
            "height": number(height * 1.5),
            "role": "img",
            "font-family": _FONT,
        },
    )
    add(svg, "title").text = tr("The table '{name}'", name=board.name)
    add(svg, "desc").text = tr(
        "Three boards of sixteen spaces, past, present and future, each space with its number, "
        "a reed switch and an LED; focus spots and buttons on each player's side."
    )
    _gradients(svg)
    _table_top(svg, width, height)
    _seat_names(svg, layout)
    for era in range(len(ERAS)):
        _era(svg, era, layout, looks)
    _arrows(svg, layout.geometry)
    for sensor in range(FOCUS, SENSORS):
        _focus_spot(svg, sensor, layout, looks)
    for sensor in range(BUTTON, INPUTS):
        _button(svg, sensor, layout)
    if caption:
        size = min(12, _LINE * width / len(caption))
        _words(svg, (width / 2, edge + 6), caption, size, _TEXT, anchor="middle")
    ET.indent(svg)
    return ET.tostring(svg, encoding="unicode") + "\n"


def place_of(board_data: Mapping[str, Any], sensor: int) -> tuple[float, float, float]:
    """Return where a space or focus spot 0..53 has its piece in the drawing: x, y and scale."""
    geometry = board_data["geometry_mm"]
    return *middle_of(geometry, sensor), 1 if sensor >= FOCUS else geometry["pitch"] / _PITCH


def _by_sensor(pieces: Iterable[tuple[int, str]]) -> _Pieces:
    """Return the looks on each sensor, the lowest first; raises ValueError."""
    found: dict[int, list[str]] = {}
    for sensor, look in pieces:
        name = sensor_name(sensor)
        called = glyphs.name_of(look)
        if sensor >= SENSORS:
            raise ValueError(f"no piece can stand on {name}")
        player = (sensor - FOCUS) // len(ERAS)
        spots_look = PLAYERS[player] + glyphs.MARKER if sensor >= FOCUS else ""
        if look != spots_look and (spots_look or look.endswith(glyphs.MARKER)):
            raise ValueError(f"the {called} cannot stand on {name}")
        below = found.setdefault(sensor, [])
        if below and (below != [glyphs.BELOW] or look not in PLAYERS):
            raise ValueError(f"{below[-1]} and {look} cannot both stand on {name}")
        below.append(look)
    return found


def _gradients(svg: ET.Element) -> None:
    defs = add(svg, "defs")
    top = add(defs, "linearGradient", id="chronotable-top", x1=0, y1=0, x2=0, y2=1)
    for offset, colour in enumerate(_TABLE):
        add(top, "stop", offset=offset, stop_color=colour)
    for player, name in enumerate(glyphs.GRADIENTS):
        fill, rim = glyphs.COLOURS[player], glyphs.RIMS[player]
        shine = add(defs, "radialGradient", id=name, cx=0.38, cy=0.32, r=0.8)
        add(shine, "stop", offset=0, stop_color="#ffffff" if player == 0 else "#474d59")
        add(shine, "stop", offset=0.55, stop_color=fill)
        add(shine, "stop", offset=1, stop_color=rim if player == 0 else "#07080a")


def _table_top(svg: ET.Element, width: float, height: float) -> None:
    _box(svg, (0, 0), (width, height), 16, fill=_RIM)
    _box(svg, (2, 2), (width - 4, height - 4), 14, fill="url(#chronotable-top)")
    _box(
        svg,
        (5, 5),
        (width - 10, height - 10),
        11,
        fill="none",
        stroke="#ffffff",
        stroke_opacity=0.07,
    )


def _seat_names(svg: ET.Element, layout: TableLayout) -> None:
    """Write each player's name between the own buttons, with a chip of the player's colour."""
    for player, name in enumerate(PLAYERS):
        rows = [y for _, y in layout.geometry["buttons"][name].values()]
        y = min(rows) if layout.board.seats[player] == "north" else max(rows)
        y = min(max(y, 12), layout.size[1] - 12)
        x = _free_place(name, layout.geometry, y)
        fill, rim = glyphs.COLOURS[player], glyphs.RIMS[player]
        add(svg, "circle", cx=x - 31, cy=y, r=5, fill=fill, stroke=rim, stroke_width=1.2)
        _words(svg, (x - 20, y), names.PLAYERS[player].upper(), 11, _TEXT, spacing=2.5, weight=600)


def _free_place(player: str, geometry: Mapping[str, Any], y: float) -> float:
    """Return where a player's name stands at height `y`: in the middle, or beside what is there."""
    middle = float(geometry["focus"][player][1][0])
    spots = [(x - 26, x + 26) for x, at in geometry["focus"][player] if abs(at - y) < 20]
    buttons = [
        (x - 10, x + 15 + 6 * len(name))
        for name, (x, at) in geometry["buttons"][player].items()
        if abs(at - y) < 20
    ]
    taken = sorted(spots + buttons)
    if not any(west < middle + _NAME_HALF and middle - _NAME_HALF < east for west, east in taken):
        return middle
    gaps = [(west - east, (west + east) / 2) for (_, east), (west, _) in pairwise(taken)]
    return float(max(gaps)[1]) - _NAME_OFF


def _era(svg: ET.Element, era: int, layout: TableLayout, looks: _Pieces) -> None:
    pitch = layout.geometry["pitch"]
    x, y = layout.middle(era * 16)
    look = _LOOK[era]
    group = add(svg, "g", class_="era", data_era=ERAS[era])
    pad = pitch * 0.12
    left, top, size = x - pitch / 2 - pad, y - pitch / 2 - pad, 4 * pitch + 2 * pad
    _box(group, (left, top), (size, size), 7, fill=look.frame, stroke=look.ink, stroke_opacity=0.55)
    name = names.ERAS[era].upper()
    high = min(9.5, _ERA_NAME / len(name))
    _words(group, (left + 1, top - 6), name, high, look.ink, spacing=0.6, weight=700)
    for sensor in range(era * 16, era * 16 + 16):
        _space(group, sensor, layout, looks.get(sensor, ()))


def _space(parent: ET.Element, sensor: int, layout: TableLayout, looks: Iterable[str]) -> None:
    x, y = at = layout.middle(sensor)
    pitch, space = layout.geometry["pitch"], sensor % 16
    colours = _LOOK[sensor // 16]
    group = _sensor_group(parent, "space", sensor, layout.board)
    half = pitch * 0.46
    fill = colours.spaces[(space + space // 4) % 2]
    _box(group, (x - half, y - half), (2 * half, 2 * half), pitch * 0.1, fill=fill)
    corner = (x - half + pitch * 0.06, y - half + pitch * 0.13)
    _words(group, corner, str(space + 1), pitch * 0.21, colours.ink)
    _led(group, x + half - pitch * 0.13, y - half + pitch * 0.13, pitch * 0.14)
    # Beside the middle, pointing at it: only there a standing magnet's field runs along the reed.
    _reed(group, x, y + REED_MM, GLASS_MM[0] + 2, upright=True)
    for look in looks:
        _piece(group, at, look, pitch / _PITCH)


def _focus_spot(svg: ET.Element, sensor: int, layout: TableLayout, looks: _Pieces) -> None:
    x, y = layout.middle(sensor)
    colours = _LOOK[(sensor - FOCUS) % len(ERAS)]
    group = _sensor_group(svg, "focus", sensor, layout.board)
    _box(
        group,
        (x - 26, y - 14),
        (52, 28),
        14,
        fill=colours.frame,
        stroke=colours.ink,
        stroke_opacity=0.55,
    )
    add(group, "circle", cx=x, cy=y, r=11.5, fill=colours.spaces[0])
    _reed(group, x - 18, y, 12)
    _led(group, x + 18.5, y, 5.4)
    for look in looks.get(sensor, ()):
        _piece(group, (x, y), look)
    if sensor not in looks:
        _hourglass(group, (x, y), 11, colours.ink, 0.75)


def _button(svg: ET.Element, sensor: int, layout: TableLayout) -> None:
    name, side = BUTTONS[sensor - BUTTON]
    x, y = layout.middle(sensor)
    group = _sensor_group(svg, "button", sensor, layout.board)
    radius = 11 if side == SHARED else 8
    add(group, "circle", cx=x, cy=y + 1, r=radius + 1.5, fill=_EDGE)
    add(group, "circle", cx=x, cy=y, r=radius, fill="#465164", stroke="#76849a")
    if len(name) == 1:
        _words(group, (x, y), name.upper(), 13, _TEXT, weight=700, anchor="middle")
        return
    add(group, "circle", cx=x, cy=y, r=radius * 0.55, fill="#566379")
    if side == SHARED:
        _words(group, (x, y + radius + 9), name, 10.5, _TEXT, anchor="middle")
    else:
        _words(group, (x + radius + 5, y), name, 10.5, _TEXT)


def _arrows(svg: ET.Element, geometry: Mapping[str, Any]) -> None:
    """Mark the way of time in the gaps between the boards."""
    pitch = geometry["pitch"]
    for (x1, y1), (x2, y2) in zip(geometry["space_1"], geometry["space_1"][1:], strict=False):
        x = (x1 + 3 * pitch + x2) / 2
        y = (y1 + y2) / 2 + 1.5 * pitch
        points = " ".join(
            f"{number(x + dx)},{number(y + dy)}" for dx, dy in ((-2.5, -6), (2.5, 0), (-2.5, 6))
        )
        add(
            svg,
            "polyline",
            points=points,
            fill="none",
            stroke=_FAINT,
            stroke_width=2.2,
            stroke_linecap="round",
            stroke_linejoin="round",
        )


def _sensor_group(parent: ET.Element, kind: str, sensor: int, board: Board) -> ET.Element:
    """Group of one sensor; its title, which browsers show as a hint, tells the wiring."""
    group = add(parent, "g", class_=kind, data_sensor=sensor)
    row, col = divmod(board.cell_of[sensor], COLUMNS)
    led = f", LED {board.led_of[sensor]}" if sensor < SENSORS else ""
    add(group, "title").text = paper.cell_named(sensor, row, col) + led
    return group


def _piece(group: ET.Element, at: tuple[float, float], look: str, scale: float = 1) -> None:
    x, y = at
    place = f"translate({number(x)} {number(y)})" + (
        "" if scale == 1 else f" scale({number(scale)})"
    )
    piece = add(group, "g", class_=f"piece {look}", transform=place)
    add(piece, "title").text = glyphs.name_of(look)
    piece.extend(ET.fromstring(f"<g>{glyphs.svg_of(look)}</g>"))


def _hourglass(
    group: ET.Element, at: tuple[float, float], size: float, colour: str, opacity: float
) -> None:
    x, y = at
    w, h = size * 0.36, size * 0.5
    west, east, north, south = map(number, (x - w, x + w, y - h, y + h))
    path = f"M{west} {north}H{east}L{west} {south}H{east}Z"
    add(
        group,
        "path",
        d=path,
        fill=colour,
        fill_opacity=opacity,
        stroke=colour,
        stroke_opacity=opacity,
        stroke_width=0.8,
        stroke_linejoin="round",
    )


def _led(group: ET.Element, x: float, y: float, size: float) -> None:
    """An LED as it lies there, dark: a white package with a round lens."""
    led = add(group, "g", class_="led")
    _box(led, (x - size / 2, y - size / 2), (size, size), size * 0.16, fill="#f4f6f8")
    add(
        led, "circle", cx=x, cy=y, r=size * 0.38, fill="#c9d2dc", stroke="#8995a5", stroke_width=0.4
    )


def _reed(group: ET.Element, x: float, y: float, length: float, upright: bool = False) -> None:
    """A reed switch: wire, glass with two overlapping tongues, wire."""
    attributes = {"transform": f"rotate(90 {number(x)} {number(y)})"} if upright else {}
    reed = add(group, "g", class_="reed", **attributes)
    wire = {"stroke": "#d9dee6", "stroke_width": 0.8, "stroke_linecap": "round"}
    add(reed, "line", x1=x - length / 2, y1=y, x2=x + length / 2, y2=y, **wire)
    glass, thick = length * 0.62, length * 0.2
    corner = (x - glass / 2, y - thick / 2)
    _box(
        reed,
        corner,
        (glass, thick),
        thick / 2,
        fill="#bfe3ea",
        fill_opacity=0.9,
        stroke="#e8f6f8",
        stroke_width=0.4,
    )
    tongue = {"stroke": "#39414d", "stroke_width": 0.7}
    add(reed, "line", x1=x - glass / 2, y1=y - 0.4, x2=x + glass * 0.12, y2=y - 0.4, **tongue)
    add(reed, "line", x1=x - glass * 0.12, y1=y + 0.4, x2=x + glass / 2, y2=y + 0.4, **tongue)


def _words(
    parent: ET.Element,
    at: tuple[float, float],
    text: str,
    size: float,
    colour: str,
    *,
    spacing: float = 0,
    weight: int = 500,
    anchor: str = "start",
) -> None:
    """Write text, vertically centred on y by hand: not every renderer knows a middle baseline."""
    x, y = at
    attributes: dict[str, object] = {"fill": colour, "font_size": size, "font_weight": weight}
    if spacing:
        attributes["letter_spacing"] = spacing
    if anchor != "start":
        attributes["text_anchor"] = anchor
    add(parent, "text", x=x, y=y + size * 0.35, **attributes).text = text


def _box(
    parent: ET.Element,
    at: tuple[float, float],
    size: tuple[float, float],
    radius: float,
    **more: object,
) -> ET.Element:
    (x, y), (width, height) = at, size
    return add(parent, "rect", x=x, y=y, width=width, height=height, rx=radius, **more)
