"""The numbers and names of everything that the table can feel.

A sensor is what a player touches, whatever cell of the matrix it is wired to: 0..47 the spaces
(era * 16 + space), 48..53 the focus spots (48 + player * 3 + era), 54..63 the buttons. All code
but the matrix and the LED driver speaks in sensors; `board.py` alone knows the wiring.
"""

from ttykm.mp import const

ERAS = ("past", "present", "future")
PLAYERS = ("white", "black")
SHARED = const(-1)  # side of a button that belongs to both players

SPACES = const(48)  # number of space sensors, and so the first sensor that is not a space
FOCUS = const(48)  # first focus sensor: white past, white present, white future, black past, ...
SENSORS = const(54)  # number of reeds: spaces and focus spots; each has one LED
BUTTON = const(54)  # first button
INPUTS = const(64)  # number of all sensors, reeds and buttons

BUTTONS = (
    ("undo", 0),
    ("action", 0),
    ("resign", 0),
    ("undo", 1),
    ("action", 1),
    ("resign", 1),
    ("a", SHARED),
    ("b", SHARED),
    ("c", SHARED),
    ("draw", SHARED),
)
"""(name, side) of the sensors from BUTTON on; side is a player or SHARED."""
