"""The pins of a Raspberry Pi Pico, what is soldered to them, and in which colour."""

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from typing import NamedTuple

from chronotable.hardware.wiring import Board
from chronotable_host.hardware.drawings import paper
from chronotable_host.hardware.drawings.paper import Point
from chronotable_host.language import tr, tr_c

# upper left (USB up) to lower left, then lower right to upper right, as the pins are counted
_NAMES = (
    *("GP0", "GP1", "GND", "GP2", "GP3", "GP4", "GP5", "GND", "GP6", "GP7"),
    *("GP8", "GP9", "GND", "GP10", "GP11", "GP12", "GP13", "GND", "GP14", "GP15"),
    *("GP16", "GP17", "GND", "GP18", "GP19", "GP20", "GP21", "GND", "GP22", "RUN"),
    *("GP26", "GP27", "AGND", "GP28", "ADC_VREF", "3V3", "3V3_EN", "GND", "VSYS", "VBUS"),
)
PINS = dict(enumerate(_NAMES, 1))
"""Name of each pin by its number on the edge, 1 to 40."""
VBUS, VSYS, GROUND = 40, 39, 38

# of a ribbon cable as they are sold, with white and black left for other things
_COLOURS = (
    tr_c("wire", "brown"),
    tr_c("wire", "red"),
    tr_c("wire", "orange"),
    tr_c("wire", "yellow"),
    tr_c("wire", "green"),
    tr_c("wire", "blue"),
    tr_c("wire", "violet"),
    tr_c("wire", "grey"),
)


_SMALL = 6


class Use(NamedTuple):
    """What a pin is for, in words, and the GPIO that it is if the board file names it."""

    text: str
    gpio: int | None = None


def pin_of(gpio: int) -> int:
    """Number on the edge of a GPIO; raises KeyError where the Pico keeps it for itself."""
    return {name: number for number, name in PINS.items()}[f"GP{gpio}"]


def named(name: str, number: int) -> str:
    """Say what a pin is called and which it is on the edge."""
    return tr("{name}, pin {number}", name=name, number=number)


def gpio_named(gpio: int) -> str:
    """Say a GPIO and its pin on the edge; raises KeyError as `pin_of` does."""
    return named(f"GP{gpio}", pin_of(gpio))


def wire_colour(line: int) -> str:
    """Colour suggested for wire `line` of a ribbon; each ribbon begins anew after eight."""
    return _COLOURS[line % len(_COLOURS)]


def ground_near(number: int) -> int:
    """Return the ground pin nearest to a pin, but for the one that the LEDs use."""
    free = [at for at, name in PINS.items() if name == "GND" and at != GROUND]
    return min(free, key=lambda at: abs(at - number))


def output_uses(board: Board) -> dict[int, Use]:
    """Return the pins, by number, that the LEDs are soldered to, and a piezo if there is one."""
    uses = {
        VBUS: Use(tr("5 V from USB: level shifter, LEDs")),
        GROUND: Use(tr("ground: level shifter, LEDs")),
        pin_of(board.led_pin): Use(tr("LED data, to the level shifter (white)"), board.led_pin),
    }
    if board.sound_pin >= 0:
        pin = pin_of(board.sound_pin)
        text = tr(
            "piezo and 330 \N{GREEK CAPITAL LETTER OMEGA} to ground, pin {pin}",
            pin=ground_near(pin),
        )
        uses[pin] = Use(text, board.sound_pin)
    return uses


def draw(svg: ET.Element, at: Point, uses: Mapping[int, Use]) -> None:
    """Draw the Pico from above with what each pin is for, by number on the edge.

    Each pin with a GPIO is a group of the class `pin` with `data-gpio`.
    """
    x, y = at
    paper.words(svg, (x, y + 3), tr("PICO, seen from above"), 8, bold=True)
    pitch, wide = 10.5, 74
    left, top = x + 152, y + 14
    paper.rect(svg, (left, top), (wide, 20 * pitch + 4), 0.8, rx=4)
    paper.rect(svg, (left + wide / 2 - 11, top - 9), (22, 11), 0.6, fill="#ffffff")
    paper.words(svg, (left + wide / 2, top - 3.5), "USB", 6, "middle")
    for number, name in PINS.items():
        on_left = number <= 20
        row = number - 1 if on_left else 40 - number
        middle = (left if on_left else left + wide, top + (row + 0.5) * pitch + 2)
        way = 1 if on_left else -1
        use = uses.get(number)
        parent = svg
        if use is not None and use.gpio is not None:
            parent = paper.group(svg, "pin", use.text, data_gpio=use.gpio)
        paper.circle(parent, middle, 3, 0.5, fill="#ffffff" if use is None else paper.INK)
        anchor = "start" if on_left else "end"
        label = f"{number}  {name}" if on_left else f"{name}  {number}"
        inside = (middle[0] + 6 * way, middle[1])
        paper.words(parent, inside, label, _SMALL, anchor, use is not None)
        if use is not None:
            paper.line(parent, middle, (middle[0] - 8 * way, middle[1]), 0.7)
            out = (middle[0] - 10 * way, middle[1])
            paper.words(parent, out, use.text, _SMALL, "end" if on_left else "start")
