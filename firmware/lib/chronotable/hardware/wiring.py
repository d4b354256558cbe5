"""How a table is wired, in the form that the machinery uses; `board.py` reads it."""

from chronotable.hardware.sensors import INPUTS, SENSORS
from ttykm.mp import const

COLUMNS = const(8)
"""A cell is row * COLUMNS + column of a matrix, or chip * COLUMNS + input of a register board."""


class Board:
    """A checked board file in the form that the machinery uses; `board.load` fills it.

    Reeds and buttons are read through a matrix of 8 rows and 8 columns, or through a chain of 8
    shift registers with 8 inputs each: 64 cells, one for each sensor. A board with a matrix has
    no `register_pins`, one with registers neither `row_pins` nor `col_pins`.

    Where the `sensor` of a space is of "polarity" it has two outputs: the cell's is low under a
    north pole, the same input of a second chip, which follows in the chain, under a south pole.
    """

    def __init__(self) -> None:
        self.name = ""
        self.row_pins: tuple[int, ...] = ()  # numbers of GPIOs, as all pins
        self.col_pins: tuple[int, ...] = ()
        self.register_pins: tuple[int, ...] = ()  # load, clock, data
        self.sensor = "reed"  # what a space has: reed, hall or polarity
        self.presence_only: tuple[int, ...] = ()  # spaces of such a board that have a reed
        self.settle_us = self.scan_ms = self.debounce_ms = 0
        self.led_pin = 0
        self.led_count = SENSORS
        self.sound_pin = -1  # without a piezo
        self.colour_order = ""
        self.max_ma = 0  # of all LEDs
        self.channel_ma = 0  # of one colour of one LED at full
        self.magnets: tuple[str, ...] = ()
        self.seats: tuple[str, ...] = ()  # by player
        self.cell_of = bytearray(INPUTS)  # by sensor
        self.sensor_of = bytearray(INPUTS)  # by cell
        self.led_of = bytearray(SENSORS)  # by sensor: its position in the LED chain

    @property
    def outputs(self) -> int:
        """Return how many outputs the sensor of a space has, and how many chips eight of them."""
        return 1 + (self.sensor == "polarity")
