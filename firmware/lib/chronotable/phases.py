"""The phases of a game on the table, and what leads from one to the next."""

from ttykm.mp import const

# phases
RESTORE = const(0)  # the position of the game is to be set up
TURN = const(1)
PROVISIONAL = const(2)  # the marker stands; the turn can still be reopened
QUESTION = const(3)
OVER = const(4)

# what changes them
SET_UP = const(0)  # a position is to be set up
BEGINS = const(1)  # it lies there, or the turn before is final
MARKED = const(2)  # the marker, or an answer, says which turn it was
IN_DOUBT = const(3)  # which turn it was has to be asked
GOES_ON = const(4)  # the turn is not over: its marker was lifted, or no choice was meant
ENDS = const(5)  # by the rules, or by agreement

TRANSITIONS = (
    # set up, begins, marked, in doubt, goes on, ends
    (RESTORE, TURN, RESTORE, RESTORE, RESTORE, RESTORE),  # RESTORE
    (RESTORE, TURN, PROVISIONAL, QUESTION, TURN, OVER),  # TURN
    (RESTORE, TURN, PROVISIONAL, PROVISIONAL, TURN, OVER),  # PROVISIONAL
    (RESTORE, QUESTION, PROVISIONAL, QUESTION, TURN, OVER),  # QUESTION
    (RESTORE, OVER, OVER, OVER, TURN, OVER),  # OVER
)
"""The phase after each of these, by the phase before."""
