"""Why the table asks for something: codes beside those of ttykm.reasons, for the link."""

from ttykm.mp import const

SET_UP = const(32)  # the pieces of the start, or of a position to resume, are not there yet
UNFINISHED = const(33)  # pushed, dead or new copies are still to be moved
NOT_A_TURN = const(34)  # no legal turn leads to what lies there
MARKER_MISPLACED = const(35)  # a focus marker stands where its player's focus is not
WRONG_COPY = const(36)  # a copy was moved that this turn has no use for (T7, T8)
RESTORE = const(37)  # a turn was taken back, and its pieces are still to be
UNANSWERED = const(38)  # something was touched while a question was open
WANTED = const(39)  # a player without hands wants this turn
NEW_GAME = const(40)  # a start lies there while a game goes on: *a* begins the next one
GO_BACK = const(41)  # an earlier position of the game lies there: *a* goes back to it
MIXED = const(42)  # hands held both players' pieces: whose is what they put back is to be confirmed
DOCTOR = const(43)  # reeds change as only wrong wires make them: the doctor finds which
OTHER_OWNER = const(44)  # a copy was put down that is felt as the other player's
