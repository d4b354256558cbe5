"""Why a turn is not legal: the codes, which travel over the link and fit the device.

The PC finds them and has their sentences (refusals.py, reason_texts.py of chronotable_host.rules).
Where modules are played it has more of them (objections.py there).
"""

from ttykm.mp import const

LEGAL = const(0)
GAME_OVER = const(1)
SAME_FOCUS = const(2)
NO_COPY_THERE = const(3)
ACTIONS_DUE = const(4)
SECOND_ACTION_DUE = const(5)
CHOOSE_ABLER_COPY = const(6)
ACTIVE_COPY_DEAD = const(7)
TWO_ACTIONS_REQUIRED = const(8)
WALL = const(9)
NO_ERA_THERE = const(10)
SPACE_TAKEN_FORWARD = const(11)
SPACE_TAKEN_BACK = const(12)
SUPPLY_EMPTY = const(13)
UNKNOWN_ACTION = const(14)
