"""How a table is wired, in the form that the machinery uses; `chronotable.board` reads it."""

from chronotable.sensors import BUTTONS

UNUSED = 255
"""Entry of `Board.sensor_of` for a cell of the matrix that nothing is wired to."""


class Board:
    """A checked board file in the form that the machinery uses; made by `load`, never changed.

    Besides what the file says (pins are GPIO numbers, currents mA, `channel_ma` is one colour of
    one LED at full; `seats` is indexed by player):

    - `cell_of[sensor]` is the cell of the matrix, row * number of columns + column;
    - `sensor_of[cell]` is the way back, UNUSED where nothing is wired;
    - `led_of[sensor]` is the position in the LED chain, for sensors 0..53.
    """

    BUTTONS = BUTTONS

    def __init__(
        self,
        *,
        name: str,
        row_pins: tuple[int, ...],
        col_pins: tuple[int, ...],
        settle_us: int,
        scan_ms: int,
        debounce_ms: int,
        led_pin: int,
        led_count: int,
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
        self.settle_us = settle_us
        self.scan_ms = scan_ms
        self.debounce_ms = debounce_ms
        self.led_pin = led_pin
        self.led_count = led_count
        self.colour_order = colour_order
        self.max_ma = max_ma
        self.channel_ma = channel_ma
        self.magnets = magnets
        self.seats = seats
        self.cell_of = cell_of
        self.sensor_of = sensor_of
        self.led_of = led_of
