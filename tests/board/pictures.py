"""The working drawings in a test: which there are, and what is in one."""

import xml.etree.ElementTree as ET
from pathlib import Path

from chronotable_host.hardware import boards
from chronotable_host.hardware.drawings.reeds import reeds_svg
from chronotable_host.hardware.drawings.template import template_svg
from chronotable_host.hardware.drawings.wiring import wiring_svg

SVG = "{http://www.w3.org/2000/svg}"
FOLDER = Path(__file__).parents[2] / "boards"
BOARDS = [name for name in boards.names() if "sensor" not in boards.read_data(name)]
"""Tables with reeds: nothing is drawn of others but the table itself."""
DRAWINGS = {"wiring": wiring_svg, "reeds": reeds_svg, "template": template_svg}
DRAWN = [
    (kind, name)
    for name in BOARDS
    for kind in DRAWINGS
    if kind != "wiring" or not boards.read(name).register_pins
]
"""Which there are: what joins shift registers is in the sheets of their circuit boards."""


def reference():
    return boards.read_data("reference")


def of_class(svg, name):
    """All elements of a class, in the order of the drawing."""
    return [part for part in ET.fromstring(svg).iter() if part.get("class") == name]


def place(circle):
    """The middle of a circle."""
    return float(circle.get("cx")), float(circle.get("cy"))


SIZES = {"a4": (297, 210), "letter": (279.4, 215.9)}  # ISO 216; ANSI/ASME Y14.1: 11 x 8.5 inches
