"""How a table is wired, in the form that the machinery uses; `board.py` reads it."""

from chronotable.hardware.sensors import BUTTONS
from ttykm.mp import const

COLUMNS = const(8)
"""A cell is row * COLUMNS + column of a matrix, or chip * COLUMNS + input of a register board."""


class Board:
    """A checked board file in the form that the machinery uses; made by `load`, never changed.

    Reeds and buttons are read through a matrix of 8 rows and 8 columns, or through a chain of 8
    shift registers with 8 inputs each: 64 cells, one for each sensor. A board with a matrix has
    no `register_pins`, one with registers neither `row_pins` nor `col_pins`: these are (). One
    without a piezo has the `sound_pin` -1.

    Besides what the file says (pins are GPIO numbers, `register_pins` load, clock and data;
    currents are mA, `channel_ma` is one colour of one LED at full; `seats` is indexed by player):

    - `cell_of[sensor]` is the cell that a sensor is wired to, see COLUMNS;
    - `sensor_of[cell]` is the way back;
    - `led_of[sensor]` is the position in the LED chain, for sensors 0..53.
    """

    BUTTONS = BUTTONS

    def __init__(
        self,
        *,
        name: str,
        row_pins: tuple[int, ...],
        col_pins: tuple[int, ...],
        register_pins: tuple[int, ...],
        settle_us: int,
        scan_ms: int,
        debounce_ms: int,
        led_pin: int,
        led_count: int,
        sound_pin: int,
        colour_order: str,
        max_ma: int,
        channel_ma: int,
        magnets: tuple[str, ...],
        seats: tuple[str, ...],
        cell_of: bytearray,
        sensor_of: bytearray,
        led_of: bytearray,
    ) -> None:
        self.name = name
        self.row_pins = row_pins
        self.col_pins = col_pins
        self.register_pins = register_pins
        self.settle_us = settle_us
        self.scan_ms = scan_ms
        self.debounce_ms = debounce_ms
        self.led_pin = led_pin
        self.led_count = led_count
        self.sound_pin = sound_pin
        self.colour_order = colour_order
        self.max_ma = max_ma
        self.channel_ma = channel_ma
        self.magnets = magnets
        self.seats = seats
        self.cell_of = cell_of
        self.sensor_of = sensor_of
        self.led_of = led_of
