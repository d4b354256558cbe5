"""Signs of circuit diagrams: what is soldered, and the parts between two wires."""

import xml.etree.ElementTree as ET
from collections.abc import Collection

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import BUTTON, FOCUS, SENSORS
from chronotable_host.hardware.drawings import paper
from chronotable_host.hardware.drawings.paper import Point
from chronotable_host.language import names, tr, tr_c


def dot(parent: ET.Element, at: Point) -> None:
    """Draw the dot of wires that are soldered together; where there is none, they only cross."""
    paper.circle(parent, at, 1.8, fill=paper.INK)


def diode(parent: ET.Element, at: Point, way: int) -> None:
    """Draw a diode that lets current to the right (`way` 1) or to the left (-1)."""
    x, y = at
    tip = x + 3 * way
    points = " ".join(
        f"{paper.number(px)},{paper.number(py)}"
        for px, py in ((tip, y), (x - 3 * way, y - 3), (x - 3 * way, y + 3))
    )
    paper.add(parent, "polygon", points=points, fill=paper.INK)
    paper.line(parent, (tip, y - 3.4), (tip, y + 3.4), 1.2)


def reed(parent: ET.Element, middle: Point) -> None:
    """Draw a reed in a level wire: glass 14 long with its two tongues."""
    x, y = middle
    paper.rect(parent, (x - 7, y - 2.2), (14, 4.4), 0.5, rx=2.2, fill="#ffffff")
    paper.line(parent, (x - 7, y - 0.6), (x + 1, y - 0.6), 0.5)
    paper.line(parent, (x - 1, y + 0.6), (x + 7, y + 0.6), 0.5)


def button(parent: ET.Element, middle: Point) -> None:
    """Draw a push button in a level wire: two contacts, 10 apart, and a bar above them."""
    x, y = middle
    paper.line(parent, (x - 5, y), (x + 5, y), 2.4, stroke="#ffffff")
    paper.line(parent, (x - 6, y - 4), (x + 6, y - 4), 0.8)
    paper.line(parent, (x, y - 4), (x, y - 7), 0.8)
    for end in (-5, 5):
        paper.circle(parent, (x + end, y), 1.1, fill="#ffffff")


def capacitor(
    svg: ET.Element, x: float, rails: tuple[float, float], crossing: float, *texts: str
) -> None:
    """Draw a capacitor between two rails, beside the wire that it crosses."""
    top, bottom = rails
    middle = (crossing + bottom) / 2
    paper.line(svg, (x, top), (x, crossing - 2), 0.8)
    paper.line(svg, (x, crossing + 2), (x, middle - 2), 0.8)
    paper.line(svg, (x, middle + 2), (x, bottom), 0.8)
    for y in (middle - 2, middle + 2):
        paper.line(svg, (x - 8, y), (x + 8, y), 1.2)
    for y in (top, bottom):
        dot(svg, (x, y))
    for index, text in enumerate(texts):
        paper.words(svg, (x + 12, middle - 4 + 9 * index), text, 6.5)


def parts_of(sensors: Collection[int]) -> str:
    """Say on which parts of the table sensors are: `past, focus`; `nothing` for none."""
    parts = [name for era, name in enumerate(names.ERAS) if any(s // 16 == era for s in sensors)]
    if any(FOCUS <= sensor < SENSORS for sensor in sensors):
        parts.append(tr_c("place", "focus"))
    if any(sensor >= BUTTON for sensor in sensors):
        parts.append(tr("buttons"))
    return ", ".join(parts) or tr("nothing")


def cell_named(sensor: int, row: int, column: int) -> str:
    """Say which sensor this is and which cell it has."""
    place = names.place(sensor_name(sensor))
    return tr("{place}: cell [{row},{column}]", place=place, row=row, column=column)
