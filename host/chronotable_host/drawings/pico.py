"""The pins of a Raspberry Pi Pico, and the wire that each line of the matrix gets."""

from chronotable.board import BoardError
from chronotable.wiring import Board

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
_COLOURS = ("brown", "red", "orange", "yellow", "green", "blue", "violet", "grey")


def pin_of(gpio: int) -> int:
    """Number on the edge of a GPIO; raises KeyError where the Pico keeps it for itself."""
    return {name: number for number, name in PINS.items()}[f"GP{gpio}"]


def wire_colour(line: int) -> str:
    """Colour suggested for row or column `line`; each ribbon begins anew after eight."""
    return _COLOURS[line % len(_COLOURS)]


def check(board: Board) -> None:
    """Raise BoardError, with the place in the file, for a pin that a Pico does not lead out."""
    used = [(f"matrix.row_pins[{line}]", gpio) for line, gpio in enumerate(board.row_pins)]
    used += [(f"matrix.col_pins[{line}]", gpio) for line, gpio in enumerate(board.col_pins)]
    for path, gpio in [*used, ("leds.pin", board.led_pin)]:
        if f"GP{gpio}" not in PINS.values():
            raise BoardError(path, f"GP{gpio} is not on the edge of a Pico")
