"""White paper to draw on: a few kinds of SVG elements, with places as (x, y) in mm.

And signs of circuit diagrams: what is soldered, and the parts between two wires.
"""

import xml.etree.ElementTree as ET
from collections.abc import Collection, Iterable

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import BUTTON, FOCUS, SENSORS
from chronotable_host.language import names, tr, tr_c

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""West, north, east, south."""

INK = "#111111"
GREY = "#666666"
LIGHT = "#e4e4e4"
_FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"


def sheet(
    size: tuple[float, float], title: str, about: str, origin: Point = (0, 0), printed: bool = True
) -> ET.Element:
    """Return an empty white sheet of `size` mm whose upper left corner is `origin`.

    A `printed` sheet says that it is so many mm large; else it has that many units and no size.
    """
    width, height = size
    attributes = {
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": " ".join(number(value) for value in (*origin, width, height)),
        "role": "img",
        "font-family": _FONT,
    }
    if printed:
        attributes |= {"width": f"{number(width)}mm", "height": f"{number(height)}mm"}
    svg = ET.Element("svg", attributes)
    add(svg, "title").text = title
    add(svg, "desc").text = about
    rect(svg, origin, size, fill="#ffffff", stroke="none")
    return svg


def svg_text(svg: ET.Element) -> str:
    """Return a sheet as the text of its file."""
    ET.indent(svg)
    return ET.tostring(svg, encoding="unicode") + "\n"


def add(parent: ET.Element, tag: str, **attributes: object) -> ET.Element:
    """Add an element; `class_` and `stroke_width` stand for what Python cannot write."""
    named = {
        key.rstrip("_").replace("_", "-"): number(value)
        if isinstance(value, (int, float))
        else str(value)
        for key, value in attributes.items()
    }
    return ET.SubElement(parent, tag, named)


def group(parent: ET.Element, class_: str, title: str = "", **attributes: object) -> ET.Element:
    """Add a group; its title, which browsers show as a hint, says what it is."""
    made = add(parent, "g", class_=class_, **attributes)
    if title:
        add(made, "title").text = title
    return made


def line(
    parent: ET.Element, start: Point, end: Point, width: float = 0.6, **more: object
) -> ET.Element:
    """Add a line, in ink unless `more` has another stroke."""
    ends = {"x1": start[0], "y1": start[1], "x2": end[0], "y2": end[1]}
    return add(parent, "line", **ends, stroke_width=width, **({"stroke": INK} | more))


def path(
    parent: ET.Element, places: Iterable[Point], width: float = 0.6, **more: object
) -> ET.Element:
    """Add a line through places, open and not filled unless `more` has a fill."""
    points = " ".join(f"{number(x)},{number(y)}" for x, y in places)
    look = {"stroke": INK, "fill": "none", "stroke_linejoin": "round"} | more
    return add(parent, "polyline", points=points, stroke_width=width, **look)


def rect(
    parent: ET.Element, at: Point, size: tuple[float, float], width: float = 0.4, **more: object
) -> ET.Element:
    """Add a rectangle with its upper left corner `at`."""
    shape = {"x": at[0], "y": at[1], "width": size[0], "height": size[1]}
    look = {"stroke": INK, "fill": "none"} | more
    return add(parent, "rect", **shape, stroke_width=width, **look)


def circle(
    parent: ET.Element, at: Point, radius: float, width: float = 0.4, **more: object
) -> ET.Element:
    """Add a circle around a place."""
    look = {"stroke": INK, "fill": "none"} | more
    return add(parent, "circle", cx=at[0], cy=at[1], r=radius, stroke_width=width, **look)


def words(
    parent: ET.Element,
    at: Point,
    text: str,
    size: float,
    anchor: str = "start",
    bold: bool = False,
    colour: str = INK,
) -> ET.Element:
    """Write text whose capitals are centred on `at` vertically."""
    look: dict[str, object] = {"font_size": size, "fill": colour}
    if anchor != "start":
        look["text_anchor"] = anchor
    if bold:
        look["font_weight"] = 700
    made = add(parent, "text", x=at[0], y=at[1] + size * 0.36, **look)
    made.text = text
    return made


def lines_of_words(
    parent: ET.Element, at: Point, texts: Iterable[str], size: float, bold_first: bool = False
) -> float:
    """Write lines below each other, the first at `at`; return the y below the last."""
    x, y = at
    for index, text in enumerate(texts):
        words(parent, (x, y), text, size, bold=bold_first and index == 0)
        y += size * 1.45
    return y


def arrow_head(parent: ET.Element, tip: Point, towards: Point, size: float) -> None:
    """Add a filled head with its tip at `tip`; `towards` is the unit vector it points along."""
    (x, y), (dx, dy) = tip, towards
    back = (x - dx * size, y - dy * size)
    half = size * 0.45
    corners = [
        (x, y),
        (back[0] - dy * half, back[1] + dx * half),
        (back[0] + dy * half, back[1] - dx * half),
    ]
    points = " ".join(f"{number(px)},{number(py)}" for px, py in corners)
    add(parent, "polygon", points=points, fill=INK)


def number(value: float) -> str:
    """Write a length to a hundredth of a millimetre, without trailing zeros."""
    return f"{round(value, 2) + 0:.10g}"


# ---- signs of circuit diagrams: what is soldered, and the parts between two wires


def dot(parent: ET.Element, at: Point) -> None:
    """Draw the dot of wires that are soldered together; where there is none, they only cross."""
    circle(parent, at, 1.8, fill=INK)


def diode(parent: ET.Element, at: Point, way: int) -> None:
    """Draw a diode that lets current to the right (`way` 1) or to the left (-1)."""
    x, y = at
    tip = x + 3 * way
    points = " ".join(
        f"{number(px)},{number(py)}"
        for px, py in ((tip, y), (x - 3 * way, y - 3), (x - 3 * way, y + 3))
    )
    add(parent, "polygon", points=points, fill=INK)
    line(parent, (tip, y - 3.4), (tip, y + 3.4), 1.2)


def reed(parent: ET.Element, middle: Point) -> None:
    """Draw a reed in a level wire: glass 14 long with its two tongues."""
    x, y = middle
    rect(parent, (x - 7, y - 2.2), (14, 4.4), 0.5, rx=2.2, fill="#ffffff")
    line(parent, (x - 7, y - 0.6), (x + 1, y - 0.6), 0.5)
    line(parent, (x - 1, y + 0.6), (x + 7, y + 0.6), 0.5)


def button(parent: ET.Element, middle: Point) -> None:
    """Draw a push button in a level wire: two contacts, 10 apart, and a bar above them."""
    x, y = middle
    line(parent, (x - 5, y), (x + 5, y), 2.4, stroke="#ffffff")
    line(parent, (x - 6, y - 4), (x + 6, y - 4), 0.8)
    line(parent, (x, y - 4), (x, y - 7), 0.8)
    for end in (-5, 5):
        circle(parent, (x + end, y), 1.1, fill="#ffffff")


def capacitor(
    svg: ET.Element, x: float, rails: tuple[float, float], crossing: float, *texts: str
) -> None:
    """Draw a capacitor between two rails, beside the wire that it crosses."""
    top, bottom = rails
    middle = (crossing + bottom) / 2
    line(svg, (x, top), (x, crossing - 2), 0.8)
    line(svg, (x, crossing + 2), (x, middle - 2), 0.8)
    line(svg, (x, middle + 2), (x, bottom), 0.8)
    for y in (middle - 2, middle + 2):
        line(svg, (x - 8, y), (x + 8, y), 1.2)
    for y in (top, bottom):
        dot(svg, (x, y))
    for index, text in enumerate(texts):
        words(svg, (x + 12, middle - 4 + 9 * index), text, 6.5)


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
