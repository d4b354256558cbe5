"""While a question is open: what hands touch answers nothing, and the lights ask for it back.

Wanted is what lay there when the question was asked; whose copies they are, as far as the choices
agree in that. Touches are no evidence meanwhile, so once all lies there again the question is the
same as before.
"""

from array import array

from chronotable.core.guidance import Guidance
from chronotable.core.match import OCCUPIED
from chronotable.core.ownership import UNKNOWN
from chronotable.hardware.sensors import FOCUS
from ttykm.layout import BLACK, RECORD_WORDS, WHITE
from ttykm.mp import const

if False:
    from chronotable.core.matcher import Matcher

_WORDS = const(6)


class OpenQuestion(Guidance):
    """The question which of some turns it was, and what leads back to it."""

    def __init__(self, matcher: "Matcher") -> None:
        super().__init__()
        self._matcher = matcher
        self.record = 0
        self.choices: list[int] = []
        self.is_open = self._was_touched = False
        self.is_astray = False  # something was touched and is not back
        self.is_guided = False  # the lights ask for it back
        self._maybe = array("H", bytes(2 * _WORDS))  # what may be white's, what may be black's

    def open(self, turns: "list[int]") -> None:
        """Open the question which of these packed turns it was, likeliest first."""
        evidence, tree = self._matcher.evidence, self._matcher.game.turn_tree
        records = [tree.find(turn & 0xFFFF) for turn in turns]
        self.record = records[0]  # that of the likeliest choice
        self.choices = turns
        self.is_open = True
        self.is_astray = self.is_guided = self._was_touched = False
        for word in range(_WORDS):
            self._wanted[word] = 0xFFFF
            for record in records:
                self._wanted[word] &= tree.records[record * RECORD_WORDS + word]
        for era in range(3):
            self._lying[era] = evidence.observed[OCCUPIED + era]
        self._markers = evidence.markers
        for word in range(_WORDS):
            self._maybe[word] = self._lying[word % 3] & ~self._wanted[(word + 3) % _WORDS]
        evidence.freeze(True)

    def say(self, is_guided: bool) -> None:
        """Note that the lights ask for what was touched, or do not any more."""
        self.is_guided = is_guided

    def touch(self, sensor: int, closed: bool, now_ms: int) -> None:
        """Take an edge of a trusted reed."""
        self.is_astray = True
        if sensor >= FOCUS:
            return
        evidence = self._matcher.evidence
        if not self._was_touched:
            self._was_touched = True
            evidence.ownership.know(self._maybe, 0)
        wanted = self.wanted(sensor >> 4, 1 << (sensor & 15)) if self.is_guided else -1
        if wanted < 0 and closed:
            wanted = self._in_hand()
        is_confirmed = self.is_confirmed(sensor, closed, self.is_guided)
        evidence.touch(sensor, closed, now_ms, False, wanted, is_confirmed)

    def _in_hand(self) -> int:
        """Return the colour of what is placed: that of all that is in the hand, or UNKNOWN."""
        white, black, unknown = self._matcher.evidence.ownership.held
        if unknown or (white and black):
            return UNKNOWN
        return WHITE if white else BLACK if black else UNKNOWN

    def is_back(self) -> bool:
        """Tell whether all lies there again as it did when the question was asked."""
        self.is_astray = self.compare(self._matcher.evidence) > 0 or self.has_doubts()
        return not self.is_astray

    def is_undone(self) -> bool:
        """Tell whether instead the position before the turn lies there, markers included."""
        game, evidence = self._matcher.game, self._matcher.evidence
        return (
            evidence.is_marker_home(game.state, WHITE)
            and evidence.is_marker_home(game.state, BLACK)
            and evidence.lies_there(game.turn_tree, 0)
        )

    def close(self, in_turn: bool) -> None:
        """The question is not open any more.

        Where the turn goes on `in_turn`, it need not have been any of the choices: then it is not
        known whose is what was touched.
        """
        if not self.is_open:
            return
        self.is_open = self.is_astray = False
        self.choices = []
        evidence = self._matcher.evidence
        evidence.freeze(False)
        if self._was_touched and in_turn:
            evidence.ownership.forget()
