"""The kinds of findings, by their numbers in `finding`; doctor_names.py of the PC names them."""

from ttykm.mp import const

STUCK_CLOSED = const(0)
STUCK_OPEN = const(1)
FLICKERS = const(2)
WEAK = const(3)  # opens while the magnet is slid about in its space
NOSY = const(4)  # closes for the magnet of another one
EXCHANGED = const(5)
TURNED = const(6)  # a grid, and how: see wiring_map.turned
GRIDS = const(7)
ROWS = const(8)
COLUMNS = const(9)
ROW_CUT = const(10)
COLUMN_CUT = const(11)
CHIP_DEAD = const(12)  # the first of so many
DIODE_MISSING = const(13)
LED_DARK = const(14)  # a place in the chain
LED_EXCHANGED = const(15)
LED_ORDER = const(16)
COLOURS = const(17)
BUTTON_DEAD = const(18)
BUTTON_STUCK = const(19)
BUTTON_EXCHANGED = const(20)
SUPPLY_WEAK = const(21)
MOVED = const(22)  # to the other's cell, and no exchange explains it
LED_MOVED = const(23)
LED_GRIDS = const(24)

# no faults: nobody answered, or the step was ended; from the first number to the last
REEDS_UNSEEN = const(25)
LIGHTS_UNSEEN = const(26)  # places in the chain
COLOURS_UNSEEN = const(27)
DIODES_UNSEEN = const(28)
BUTTONS_UNSEEN = const(29)
POLES_UNSEEN = const(30)

# of sensors of polarity; the second number is the player whose copies an output is for
OUTPUT_STUCK = const(31)
OUTPUT_DEAD = const(32)
POLES_WRONG = const(33)  # the two outputs of a sensor are exchanged, or joined
MAGNET_TURNED = const(34)  # of the copy that was asked for: a player's

NOTHING = const(255)  # no sensor, in a message
