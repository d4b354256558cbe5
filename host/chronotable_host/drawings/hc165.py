"""The pins of a 74HC165 and of the network that pulls its inputs up, and how both look."""

import xml.etree.ElementTree as ET
from math import cos, radians, sin

from chronotable_host.drawings import paper
from chronotable_host.drawings.paper import Point
from chronotable_host.language import tr, tr_c

LOAD, CLOCK, INVERTED, GROUND, DATA_OUT, DATA_IN, ENABLE, SUPPLY = 1, 2, 7, 8, 9, 10, 15, 16
INPUTS = (11, 12, 13, 14, 3, 4, 5, 6)
"""Pins of the inputs D0 to D7 of a 74HC165."""
PINS = {
    LOAD: "SH/LD",
    CLOCK: "CP",
    **{pin: f"D{place}" for place, pin in enumerate(INPUTS)},
    INVERTED: tr("not Q7"),
    GROUND: "GND",
    DATA_OUT: "Q7",
    DATA_IN: "DS",
    ENABLE: "CE",
    SUPPLY: "VCC",
}
"""Name of each pin of a 74HC165 by its number, 1 to 16."""
COMMON = 1
"""The pin of a resistor network that all its resistors share."""
V33, GROUNDED = "3.3 V", "ground"
"""The nets that supply a chip."""
NETS = {
    V33: tr("3.3 V"),
    GROUNDED: tr_c("net", "ground"),
    "load": tr_c("net", "load"),
    "clock": tr_c("net", "clock"),
    "data": tr_c("net", "data"),
}
"""What is written at each net."""
PULL_UP, DECOUPLED = "10 k\N{GREEK CAPITAL LETTER OMEGA}", "100 nF"
"""The network's resistors, and the capacitor between supply and ground of each chip."""

_SMALL = 6
_LEGS = 9  # of a network


def network_pin(place: int) -> int:
    """Return the pin of a network of eight resistors that input D`place` is pulled up by."""
    return 2 + place


def draw_package(svg: ET.Element, at: Point) -> None:
    """Draw a 74HC165 as it looks from above, with what each of its pins is for."""
    x, y = at
    paper.words(svg, (x, y + 3), tr("74HC165, seen from above (eight alike)"), 8, bold=True)
    left, top, wide, pitch = x + 76, y + 16, 62, 15
    paper.rect(svg, (left, top), (wide, 8 * pitch), 0.9, rx=2)
    paper.path(svg, _notch((left + wide / 2, top)), 0.9)
    uses = {
        LOAD: NETS["load"],
        CLOCK: NETS["clock"],
        INVERTED: tr("leave open"),
        GROUND: NETS[GROUNDED],
        DATA_OUT: tr("data, towards the Pico"),
        DATA_IN: tr("Q7 of the next chip"),
        ENABLE: NETS[GROUNDED],
        SUPPLY: tr("{supply}; {capacitor} to ground", supply=NETS[V33], capacitor=DECOUPLED),
    } | dict.fromkeys(INPUTS, tr("reed or button"))
    for number, name in PINS.items():
        on_left = number <= 8
        place = number - 1 if on_left else 16 - number
        way, anchor = (1, "start") if on_left else (-1, "end")
        edge, level = (left if on_left else left + wide), top + (place + 0.5) * pitch
        made = paper.group(svg, "package-pin", data_pin=number)
        paper.rect(made, (edge - (6 if on_left else 0), level - 2), (6, 4), 0.5)
        label = f"{number}  {name}" if on_left else f"{name}  {number}"
        paper.words(made, (edge + 3 * way, level), label, _SMALL, anchor, bold=True)
        out = (edge - 9 * way, level)
        paper.words(made, out, uses[number], _SMALL, "end" if on_left else "start")


def _notch(middle: Point) -> list[Point]:
    """Return the half circle below `middle` that marks the end of a chip with pin 1."""
    x, y = middle
    return [(x + 5 * cos(radians(step)), y + 5 * sin(radians(step))) for step in range(0, 181, 15)]


def draw_network(svg: ET.Element, at: Point) -> None:
    """Draw a resistor network from its printed side: what is in it, and where it is soldered."""
    x, y = at
    paper.words(svg, (x, y + 3), tr("Network, one at each chip"), 8, bold=True)
    pitch, top = 16, y + 16
    paper.rect(svg, (x, top), (_LEGS * pitch, 44), 0.8, fill=paper.LIGHT)
    paper.circle(svg, (x + 4, top + 40), 1.4, fill=paper.INK)
    common = top + 7
    ends = [x + (place + 0.5) * pitch for place in range(_LEGS)]
    paper.line(svg, (ends[0], common), (ends[-1], common), 0.8)
    for number, end in enumerate(ends, 1):
        made = paper.group(svg, "network-leg", data_pin=number)
        paper.line(made, (end, common), (end, top + 52), 0.8)
        if number > COMMON:
            paper.rect(made, (end - 2.5, common + 6), (5, 16), 0.7, fill="#ffffff")
        paper.words(made, (end + 3, top + 38), str(number), _SMALL, bold=True)
        use = NETS[V33] if number == COMMON else f"D{number - network_pin(0)}"
        paper.words(made, (end, top + 58), use, _SMALL, "middle")
        if number > COMMON:
            paper.words(made, (end, top + 66), str(INPUTS[number - network_pin(0)]), 5, "middle")
    said = (
        tr("A dot marks pin 1. All {resistors}.", resistors=PULL_UP),
        tr("Below: the input, and its pin at the chip."),
    )
    for line, text in enumerate(said):
        paper.words(svg, (x, top + 77 + 9 * line), text, _SMALL)
