"""What one LED says. The numbers travel over the link (5 bits each); the names are the PC's
(`chronotable_host.live.texts.light_names`).

Order is priority where one space could say two things: the higher number wins.
"""

from ttykm.mp import const

OFF = const(0)
MOVER = const(1)  # at a focus marker: this player's turn
COPY = const(2)  # a copy that may act, or the active copy when its second action is due
LIFTED = const(3)  # where the piece in the hand came from
FOCUS = const(4)  # the marker may go here and end the turn
BACK = const(5)
FORWARD = const(6)
MOVE = const(7)
PUSH = const(8)
SQUISH = const(9)
PARADOX = const(10)
OWN_DEATH = const(11)
TODO_PUT = const(12)
TODO_TAKE = const(13)
QUESTION = const(14)  # the spaces that tell choice a from the others
QUESTION_B = const(15)
QUESTION_C = const(16)
FAULT = const(17)
WIN = const(18)
PUT_WHITE = const(19)  # of a copy that is missing they say whose it is
PUT_BLACK = const(20)
CONFIRM_WHITE = const(21)  # lift what lies here: it should be white's; put it back if it is
CONFIRM_BLACK = const(22)
LAMP = const(23)  # every LED for a moment after power-on: one that stays dark is dead
FULL = const(24)  # at the markers' spots, before a game: it cannot be kept, attach a PC
PLANT = const(25)  # kinds of action that the action button offers, on the spaces they aim at
DIG = const(26)
BUILD = const(27)
TRAIN = const(28)
COMMAND = const(29)
THINKING = const(30)  # at a focus marker: whose turn it is has no hands here, and thinks
DOCTOR = const(31)  # at dark focus spots: wires or diodes are wrong, the doctor finds which

WHOSE_TURN = const((MOVER, THINKING))
"""Whatever may stand at the marker of whose turn it is: no idle table dims it."""

# The table's own: over the link they are TODO_PUT, as the PC knows what belongs where.
PUT_OBJECT = const(32)  # and the kind of object (ttykm.objects): put this one here
