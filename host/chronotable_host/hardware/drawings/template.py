"""The drill template: every hole in its place, one to one, whole or in sheets of A4 or US Letter.

It is seen from above, as the plate is drilled. Two bars of 100 mm, across and down, show whether
the printer scaled, also where it did so in one direction alone.
"""

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from math import ceil
from typing import Any, NamedTuple

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import BUTTON, BUTTONS, FOCUS, SENSORS
from chronotable_host.hardware.boards import BoardFileError
from chronotable_host.hardware.drawings import paper
from chronotable_host.hardware.drawings.table_layout import (
    LED_HOLE_MM,
    PILOT_MM,
    SCREW_MM,
    Hole,
    TableLayout,
    layout_of,
)
from chronotable_host.language import names, tr

_MARGIN = 8  # around the table, for the marks
_OVERLAP = 10
_BAR = 100
_LONG, _SHORT = 3, 1.6  # marks of a bar


class Paper(NamedTuple):
    """A sheet of paper, across: its size, and the part of the template that is printed on it.

    Right of that part there is room for the bar that goes down, below it for the other one and for
    the words.
    """

    size: tuple[float, float]
    printed: tuple[float, float]
    at: tuple[float, float]
    """Upper left corner of the printed part."""


PAPERS = {
    "a4": Paper((297, 210), (277, 184), (10, 8)),
    "letter": Paper((279.4, 215.9), (265.4, 189.9), (5, 8)),
}
"""Kinds of paper by their names."""


def template_svg(board_data: Mapping[str, Any]) -> str:
    """Draw the template of a parsed board file, whole, as large as the table and its margin.

    Each hole is a circle of the class `hole` with its `data-kind` and `data-sensor`.
    Raises BoardFileError as `layout_of` does.
    """
    layout = layout_of(board_data)
    width, height = layout.size
    svg = paper.sheet(
        (width + 2 * _MARGIN, height + 2 * _MARGIN),
        tr("Drill template of the table '{name}'", name=layout.board.name),
        tr("Seen from above, in millimetres, one to one: print at 100 %."),
        origin=(-_MARGIN, -_MARGIN),
    )
    _plate(svg, layout)
    _bar_down(svg, (width + 2, (height - _BAR) / 2))
    return paper.svg_text(svg)


def tiles_of(board_data: Mapping[str, Any], kind: str = "a4") -> int:
    """Return how many sheets of a kind of `PAPERS` the template takes.

    Raises BoardFileError as `layout_of` does.
    """
    across, down = _grid(layout_of(board_data), PAPERS[kind])
    return across * down


def tile_svg(board_data: Mapping[str, Any], tile: int, kind: str = "a4") -> str:
    """Draw sheet `tile` of the template, counted from 1 in reading order, on a kind of `PAPERS`.

    Neighbours overlap by 10 mm; what is dashed is where the next sheet's print begins or ends.
    Raises BoardFileError as `layout_of` does, and where there is no such sheet.
    """
    layout, sheet = layout_of(board_data), PAPERS[kind]
    across, down = _grid(layout, sheet)
    if not 1 <= tile <= across * down:
        raise BoardFileError(
            "tile", tr("must be 1 to {last}, not {tile}", last=across * down, tile=tile)
        )
    row, column = divmod(tile - 1, across)
    (wide, high), (left, top) = sheet.printed, sheet.at
    corner = (column * (wide - _OVERLAP) - _MARGIN, row * (high - _OVERLAP) - _MARGIN)
    name = tr(
        "sheet {tile} of {tiles}: row {row} of {rows}, column {column} of {columns}",
        tile=tile,
        tiles=across * down,
        row=row + 1,
        rows=down,
        column=column + 1,
        columns=across,
    )
    title = tr("Drill template of the table '{name}', {sheet}", name=layout.board.name, sheet=name)
    svg = paper.sheet(sheet.size, title, tr("Print at 100 %."))
    part = paper.add(
        svg,
        "svg",
        x=left,
        y=top,
        width=wide,
        height=high,
        viewBox=" ".join(paper.number(value) for value in (*corner, *sheet.printed)),
    )
    _plate(part, layout)
    paper.rect(svg, sheet.at, sheet.printed, 0.3)
    right, bottom = left + wide, top + high
    dashed = {"stroke_dasharray": "4 3", "stroke": paper.GREY}
    for seam, x in ((column > 0, left + _OVERLAP), (column < across - 1, right - _OVERLAP)):
        if seam:
            paper.line(svg, (x, top), (x, bottom), 0.3, **dashed)
    for seam, y in ((row > 0, top + _OVERLAP), (row < down - 1, bottom - _OVERLAP)):
        if seam:
            paper.line(svg, (left, y), (right, y), 0.3, **dashed)
    strip = sheet.size[1] - 8
    _bar(svg, (left, strip))
    _bar_down(svg, (right + 1.5, top + (high - _BAR) / 2))
    said = (
        tr("{name}, {sheet}. Measure both bars.", name=layout.board.name, sheet=name),
        tr("Cut along the frame, lay dashed line on frame's edge."),
    )
    paper.lines_of_words(svg, (left + _BAR + 10, strip - 4), said, 3.6)
    return paper.svg_text(svg)


def _grid(layout: TableLayout, sheet: Paper) -> tuple[int, int]:
    """Return how many sheets lie side by side, and below each other."""
    across, down = (
        ceil((length + 2 * _MARGIN - _OVERLAP) / (printed - _OVERLAP))
        for length, printed in zip(layout.size, sheet.printed, strict=True)
    )
    return across, down


def _plate(svg: ET.Element, layout: TableLayout) -> None:
    """Draw the plate's edge, the spaces' outlines, every hole, and what the signs mean."""
    paper.rect(svg, (0, 0), layout.size, 0.4, class_="edge")
    pitch = layout.geometry["pitch"]
    thin = {"stroke": paper.GREY, "stroke_dasharray": "3 2"}
    for era, name in enumerate(names.ERAS):
        x, y = layout.middle(era * 16)
        left, top = x - pitch / 2, y - pitch / 2
        for step in range(5):
            at = step * pitch
            paper.line(svg, (left + at, top), (left + at, top + 4 * pitch), 0.2, **thin)
            paper.line(svg, (left, top + at), (left + 4 * pitch, top + at), 0.2, **thin)
        paper.words(svg, (left + 1, top - 4), name, 4.5, bold=True)
    for sensor in range(SENSORS):
        x, y = layout.middle(sensor)
        spot = names.place(sensor_name(sensor).removeprefix("focus "))
        label = str(sensor % 16 + 1) if sensor < FOCUS else spot
        at = (x - pitch * 0.42, y - pitch * 0.38) if sensor < FOCUS else (x, y - 9)
        paper.words(svg, at, label, 4, "start" if sensor < FOCUS else "middle", colour=paper.GREY)
        if sensor >= FOCUS:
            look = {"stroke": paper.GREY, "stroke_dasharray": "2 2"}
            paper.circle(svg, (x, y), 6, 0.2, **look)
    for hole in layout.holes():
        _hole(svg, hole)
    _legend(svg, layout)


def _hole(svg: ET.Element, hole: Hole) -> None:
    radius = hole.diameter / 2
    data = {"class_": "hole", "data_kind": hole.kind, "data_sensor": hole.sensor}
    paper.circle(svg, hole.at, radius, 0.25, **data)
    x, y = hole.at
    reach = min(radius + 1.5, max(radius * 0.6, 1.5))
    paper.line(svg, (x - reach, y), (x + reach, y), 0.15)
    paper.line(svg, (x, y - reach), (x, y + reach), 0.15)
    if hole.kind == "button":
        name, _ = BUTTONS[hole.sensor - BUTTON]
        label = f"{name} \N{DIAMETER SIGN}{hole.diameter}"
        paper.words(svg, (x + radius + 2, y), label, 4)


def _legend(svg: ET.Element, layout: TableLayout) -> None:
    """Say what is drilled how wide, between the buttons of the side where black sits."""
    width, height = layout.size
    _bar(svg, (width / 2 - _BAR / 2 + 40, height - 8))
    led = f"\N{DIAMETER SIGN}{LED_HOLE_MM}"
    if layout.is_of_circuit_boards:
        said = tr(
            "Seen from above. LED {led}; screws {screw}; buttons as marked. Measure both bars.",
            led=led,
            screw=f"\N{DIAMETER SIGN}{SCREW_MM}",
        )
    else:
        said = tr(
            "Seen from above. Circles: LED {led}; pairs of dots: ends of a reed, {pilot}; buttons "
            "as marked. Measure both bars.",
            led=led,
            pilot=f"\N{DIAMETER SIGN}{PILOT_MM}",
        )
    paper.words(svg, (width / 2 - _BAR / 2 + 36, height - 9), said, 3.6, "end")


def _bar(svg: ET.Element, at: tuple[float, float]) -> None:
    """Draw the bar that shows the scale across, 100 mm from its left end `at`."""
    x, y = at
    bar = paper.group(svg, "scale")
    paper.line(bar, (x, y), (x + _BAR, y), 0.4, class_="bar")
    for step in range(11):
        paper.line(bar, (x + step * 10, y), (x + step * 10, y - _mark(step)), 0.3)
    paper.words(bar, (x + _BAR / 2, y - 4.8), f"{_BAR} mm", 3.6, "middle")


def _bar_down(svg: ET.Element, at: tuple[float, float]) -> None:
    """Draw the bar that shows the scale down, 100 mm from its upper end `at`, 3 mm wide."""
    x, y = at
    bar = paper.group(svg, "scale")
    paper.line(bar, (x, y), (x, y + _BAR), 0.4, class_="bar")
    for step in range(11):
        paper.line(bar, (x, y + step * 10), (x + _mark(step), y + step * 10), 0.3)
    middle = (paper.number(x + _LONG / 2), paper.number(y - 10))
    turned = paper.add(bar, "g", transform=f"translate({' '.join(middle)}) rotate(-90)")
    paper.words(turned, (0, 0), f"{_BAR} mm", 3.6, "middle")


def _mark(step: int) -> float:
    return _LONG if step % 5 == 0 else _SHORT
