"""What a table takes from its 5 V, and whether a USB port gives as much.

The firmware keeps the light of all LEDs together within `max_ma`. What else there is comes on top.
"""

from math import ceil
from typing import NamedTuple

from chronotable.hardware.sensors import INPUTS
from chronotable.hardware.wiring import Board
from chronotable_host.language import tr

USB_MA = 500
"""What a PC's port gives: five unit loads of 100 mA (USB 2.0 specification, 7.2.1)."""
LED_CHIP_MA = 1
"""The chip in a WS2812B, lit or dark: 0.7 to 1 mA where people measured it, no data sheet says."""
PICO_MA = 25
"""A Pico at 125 MHz that runs MicroPython: an estimate, no data sheet says."""
CLOSED_REED_MA = 3.3**2 / 10 / 5 / 0.8
"""A closed reed at a 74HC165, seen from 5 V: 3.3 V over the 10 kilohm of boards/TILES.md, made by
the Pico's converter, for which 80 % are assumed."""

_CHANNELS = 3  # of an LED


class PowerDraw(NamedTuple):
    """Currents from 5 V in mA, each at its most."""

    light: int
    led_chips: int
    pico: int
    reeds: int
    """Where shift registers read them; in a matrix they take next to nothing."""

    @property
    def total(self) -> int:
        """The sum of all currents."""
        return sum(self)


def power_draw(board: Board) -> PowerDraw:
    """Return what a table takes at most, with every light on and every reed closed."""
    most = board.led_count * _CHANNELS * board.channel_ma
    return PowerDraw(
        min(board.max_ma, most),
        board.led_count * LED_CHIP_MA,
        PICO_MA,
        ceil(INPUTS * CLOSED_REED_MA) if board.register_pins else 0,
    )


def needs_supply(total_ma: int) -> bool:
    """Tell whether that is more than a USB port gives."""
    return total_ma > USB_MA


def verdict(total_ma: int) -> str:
    """Say whether a USB port carries that, as the end of a sentence."""
    if needs_supply(total_ma):
        return tr(
            "more than the {usb_ma} mA of a USB port: this table needs a 5 V supply of its "
            "own (see Power in boards/BUILD.md)",
            usb_ma=USB_MA,
        )
    return tr("a USB port gives {usb_ma}", usb_ma=USB_MA)
