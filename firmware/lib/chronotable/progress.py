"""How far the turn in the making is, and since when what lies there lies still.

Both are the tracker's, which alone writes them. They are made once and reset, so that nothing is
allocated between a reed and its light.
"""

from chronotable.sensors import SHARED
from ttykm.mp import const

# how a turn was understood
CERTAIN = const(0)
ASKED = const(1)
CORRECTED = const(2)

# how long an arrangement lies still
MOVING = const(0)
SETTLED = const(1)
DOUBTFUL = const(2)

_BOTH_OFFER = const(3)


class TurnProgress:
    """The turn in the making: how it was `understood`, and as what a marker has ended it.

    `packed` is the turn that a marker ended last, number `number`, at `ended_ms`: the provisional
    one, this one before it was reopened, or the one before. It `is_shaky` when its marker, which
    stands, says that it is at home. `won` is this turn as it won, after its marker was lifted
    again, or -1. `early` is what the opponent lifted while the marker was in the air. Of a draw
    `offers` has bit 0 for white's, bit 1 for black's, both for a button without sides.
    """

    def __init__(self) -> None:
        self.number = -1
        self.packed = 0
        self.ended_ms = 0
        self.is_shaky = False
        self.early: list[int] = []
        self.begin()

    def begin(self) -> None:
        """Begin a turn; which one a marker ended last is still known."""
        self.understood = CERTAIN
        self.won = -1
        self.offers = 0

    def end(self, number: int, packed: int, now_ms: int) -> None:
        """End the turn as this one: its marker stands."""
        self.number = number
        self.packed = packed
        self.ended_ms = now_ms
        self.is_shaky = False

    def offer(self, side: int) -> bool:
        """Offer a draw; tell whether both agree: where sides are known, one twice does not."""
        if self.offers and (side == SHARED or self.offers != 1 << side):
            return True
        self.offers = _BOTH_OFFER if side == SHARED else 1 << side
        return False


class Stillness:
    """Since when an arrangement lies still, `since_ms`, and what came of it so far.

    `stage` is for how long it has, `before` for how long when it was looked at last. `is_stale`
    asks for another look, `is_guided` tells that something is asked for, `is_refused` that no
    candidate was meant. `has_felt`: the reeds had the time to say what lies there since power-on.
    """

    def __init__(self, doubt_ms: int) -> None:
        self.doubt_ms = doubt_ms
        self.is_refused = self.has_felt = False
        self.reset(0)

    def reset(self, now_ms: int) -> None:
        """Wait from now on, and look soon."""
        self.since_ms = now_ms
        self.look_again()
        self.is_guided = False

    def look_again(self) -> None:
        """Look at what lies there as if it had just come to lie there."""
        self.is_stale = True
        self.stage = self.before = MOVING

    def advance(self, now_ms: int, settle_ms: int) -> bool:
        """Let time pass; tell whether it is time to look."""
        quiet = now_ms - self.since_ms
        stage = MOVING
        if quiet >= settle_ms:
            stage = DOUBTFUL if quiet >= self.doubt_ms else SETTLED
        if not self.is_stale and stage == self.stage:
            return False
        self.is_stale = False
        self.before, self.stage = self.stage, stage
        if stage:
            self.has_felt = True
        return True
