"""How far things are: the phases of a game on the table, and the turn in the making."""

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

# what a whole picture on the table may mean that is no turn; 0 and more: so many turns are to stay
NO_WISH = const(-1)
NEXT_GAME = const(-2)

# how a turn was understood
CERTAIN = const(0)
ASKED = const(1)
CORRECTED = const(2)

# how long an arrangement lies still
MOVING = const(0)
SETTLED = const(1)
DOUBTFUL = const(2)
_DOUBT_MS = const(2000)  # so long, and a reed may be broken


class TurnProgress:
    """The turn in the making: how it was understood, as what a marker ended it, and its pauses.

    The tracker alone writes this. It is made once and reset, so that nothing is allocated between a
    reed and its light.
    """

    def __init__(self) -> None:
        # which turn a marker ended last: the provisional one, this one before it was reopened, or
        # the one before
        self.number = -1
        self.packed = self.ended_ms = 0
        self.is_shaky = False  # its marker, which stands, says that it is at home
        self.early: list[int] = []  # what the opponent lifted while the marker was in the air
        self.since_ms = 0  # since when what lies there lies still
        self.before = MOVING  # its `stage` when it was looked at last
        self.is_refused = False  # no candidate was meant
        self.is_scanned = False  # the reeds had the time to say what lies there since power-on
        self.begin()
        self.reset()

    def begin(self) -> None:
        """Begin a turn; which one a marker ended last is still known."""
        self.understood = CERTAIN
        self.won = -1  # this turn as it won, after its marker was lifted again
        self.is_unfelt = False  # its marker stands on none of the spots that were asked about
        self.offers = 0  # of a draw: bit 0 white's, bit 1 black's, both of a button without sides

    def reset(self) -> None:
        """Begin to wait for what lies there to lie still, and look soon."""
        self.is_stale = True  # it is to be looked at
        self.stage = MOVING  # for how long it lies still
        self.is_guided = False  # something is asked for
        self.wish = NO_WISH  # what the picture there means, which button *a* grants

    def update(self, now_ms: int, settle_ms: int) -> bool:
        """Let time pass; tell whether to look at what lies there; it settles in `settle_ms`."""
        quiet_ms = now_ms - self.since_ms
        stage = MOVING
        if quiet_ms >= settle_ms:
            stage = DOUBTFUL if quiet_ms >= _DOUBT_MS else SETTLED
        if not self.is_stale and stage == self.stage:
            return False
        self.is_stale = False
        self.before, self.stage = self.stage, stage
        if stage:
            self.is_scanned = True
        return True
