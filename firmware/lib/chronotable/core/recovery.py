"""What the lights ask the hands for: the position of the game, or the way back in a turn."""

from chronotable.core import match, why
from chronotable.core.guidance import Guidance
from chronotable.core.match import COUNTED, TOUCHED, TRUSTED
from chronotable.core.ownership import OBJECT, UNKNOWN
from chronotable.hardware.sensors import FOCUS
from ttykm import layout, reasons
from ttykm.layout import BLACK, COMPLETE, RECORD_WORDS, STATUS, WHITE
from ttykm.mp import const

if False:
    from array import array

    from chronotable.core.matcher import Matcher

_NOTHING = const(-1)
_BUMP = const(3)  # pieces out of place that are more than one wrong move


class Recovery:
    """Names the mistake in what lies there, and has the guidance that mends it.

    In a game that goes on after a power cut what lies where one of its pieces should is taken for
    that piece.
    """

    def __init__(self, matcher: "Matcher") -> None:
        self.matcher = matcher
        self.guidance = Guidance()
        self.leads_back = False  # in a turn the lights ask for what follows, owner by owner
        # that while the mover's marker stood, and not all of it is back since
        self.was_guided = False
        self.back_to = 0  # the record that is asked for
        self.to_focus = _NOTHING  # the era that the mover's marker is to move to with it
        self.was_asked_for = False  # a position did not lie there at once
        self.is_new_game = True
        self.free_start = True  # in a new game the markers say who begins
        self.is_resumed = False  # a game goes on after a power cut
        self.reason = 0  # of the last mistake
        self.exchanged = [0, 0, 0]  # spaces of a game that is resumed whose owner may be another
        self.hides_exchange = False  # so they may be though all pieces lie where they should
        self._is_bump = False  # more lies elsewhere than a wrong move explains

    # ---- when it begins

    def set_up(self, is_new_game: bool, free_start: bool) -> None:
        """Expect a new game, or the one that was going on when the power went, to be set up."""
        self.is_new_game = is_new_game
        self.free_start = free_start
        self.is_resumed = not is_new_game
        self.exchanged = [0, 0, 0]
        self.hides_exchange = False

    def ask(self, was_asked_for: bool) -> None:
        """Ask for the position of the game."""
        self.leads_back = self.was_guided = False
        self.was_asked_for = was_asked_for
        self.back_to = 0
        self.compare(0)

    def begin(self) -> bool:
        """The position lies there; return whether a new game begins with it."""
        is_new, self.is_new_game = self.is_new_game, False
        self.hides_exchange = False
        self.is_resumed = self.leads_back = self.was_guided = False
        return is_new

    # ---- what is asked for

    def compare(self, record: int) -> int:
        """Fill the guidance with what differs from a record; return how much that is."""
        game = self.matcher.game
        state = game.state
        markers = 1 << layout.focus(state, WHITE) | 8 << layout.focus(state, BLACK)
        if self.to_focus >= 0:
            first = 3 * game.mover
            markers = markers & ~(7 << first) | 1 << first + self.to_focus
        self.guidance.want(game.turn_tree, record, markers)
        is_led = self.is_new_game or self.reason == why.WANTED
        return self.guidance.compare(
            self.matcher.evidence, game.turn_tree.has_modules and not is_led
        )

    def confirms(self) -> bool:
        """Tell whether the lights ask hands to lift pieces and look whose they are.

        They do where a piece may be either player's, once they had to ask for anything else. In a
        new game they do not: who sets the pieces up sees the colours.
        """
        if self.leads_back:
            return True
        is_free = self.free_start and self.is_new_game
        is_due = self.was_asked_for or self.hides_exchange
        return is_due and not is_free and self.guidance.has_doubts()

    def wanted(self, sensor: int, in_turn: bool) -> int:
        """Return whose copy the lights ask for on a space: a colour, OBJECT, UNKNOWN, or -1."""
        era, bit = sensor >> 4, 1 << (sensor & 15)
        if in_turn:
            return self.guidance.wanted(era, bit) if self.leads_back else -1
        is_assumed = self.is_resumed and not self.exchanged[era] & bit
        if not (self.was_asked_for or is_assumed):
            return UNKNOWN
        wanted = self.guidance.wanted(era, bit)
        if wanted < 0:
            return OBJECT if self.guidance.is_lying(era, bit) else UNKNOWN
        return wanted

    def look_for_position(self, is_settled: bool) -> bool:
        """Return whether the position of the game lies there; else the guidance has what is due.

        An arrangement that `is_settled` and is not the position: from now on it is asked for.
        """
        game, evidence = self.matcher.game, self.matcher.evidence
        if self.free_start and self.is_new_game:
            # the player whose marker is in the past (T4)
            first = BLACK if evidence.markers in (0o14, 0o10, 0o04) else WHITE
            if first != game.mover:
                game.start(start_of(game.state, first), game.options)
                self.matcher.begin()
        is_there = not self.compare(0) and not self.confirms()
        if is_settled and not is_there:
            if self.is_resumed and not self.was_asked_for:
                from chronotable.core import doubts

                doubts.doubt_unexplained(self.matcher)
                self.compare(0)
            self.was_asked_for = True
        return is_there

    def lead_to(self, record: int, focus: int) -> None:
        """Have the lights ask for a record, and for the mover's marker at a `focus` from 0 on."""
        self.back_to = record
        self.to_focus = focus
        self.leads_back = True
        self.was_guided = False
        self.reason = why.WANTED

    def lead_nowhere(self) -> None:
        """Ask for nothing any more."""
        self.leads_back = False
        self.to_focus = _NOTHING

    # ---- the course of a turn

    def look(self, found: bool, focus: int, is_settled: bool, is_doubtful: bool) -> None:
        """End the way back when its record lies there, or when the hands go on with another one.

        `found` tells that the matcher's prefix lies there: hands that leave it so go on from it.
        `focus` is the era of the mover's marker, or -1. A marker that stood when the way back began
        has to go home first, unless the record is a whole turn.
        """
        matcher = self.matcher
        may_go_on = is_doubtful or (not self._is_bump if matcher.prefix else is_settled)
        tree = matcher.game.turn_tree
        may_go_on = may_go_on and matcher.evidence.is_laid(tree, matcher.prefix)
        if self.guidance.looked_at >= 0:
            return  # it is lifted to be looked at
        if found and matcher.prefix != self.back_to and may_go_on:
            self.leads_back = self._has_strange_objects(matcher.prefix)
        elif matcher.evidence.is_laid(tree, self.back_to):
            if self._has_strange_objects(self.back_to):
                return
            if self.was_guided and focus >= 0 and not self._is_complete(self.back_to):
                return
            matcher.rest_on(self.back_to)
            self.leads_back = self.was_guided = False

    def _has_strange_objects(self, record: int) -> bool:
        """Tell whether something lies where an object does in a record, and may be no such one."""
        if not self.matcher.game.turn_tree.has_modules:
            return False
        self.compare(record)
        return self.guidance.has_doubts()

    def find_mistake(self, focus: int, is_doubtful: bool, was_refused: bool) -> int:
        """Name what is wrong with an arrangement that lies still; return why, or -1 for nothing.

        `focus` is the era of the mover's marker, or -1. Why is a code of why.py or ttykm.reasons;
        the guidance has what mends it.
        """
        matcher, guidance = self.matcher, self.guidance
        if matcher.is_bare():
            return _NOTHING  # the table is cleared
        tree, evidence = matcher.game.turn_tree, matcher.evidence
        ownership, is_there = evidence.ownership, matcher.lies_there()
        if is_doubtful and not is_there and ownership.held[1 - matcher.game.mover]:
            ownership.is_mixed = True  # where it lay the lights may ask for the mover's by now
        is_led = self.leads_back or (is_doubtful and focus < 0 and evidence.has_swept())
        reason = why.UNFINISHED
        target = match.nearest(tree.records, 0, tree.end, 1 if focus >= 0 else 0, matcher.costs)
        if target >= 0 and tree.has_modules:
            from chronotable.core.chooser import takes_copy_for_object

            if takes_copy_for_object(matcher, target) or matcher.takes_from_box(target):
                target = _NOTHING
            elif is_doubtful and ownership.is_mixed and matcher.costs[2 * target] > 1:
                target = _NOTHING  # what it asks for may lie where it asks for another piece
        if target < 0 or is_led or was_refused:
            target = self.back_to if self.leads_back else matcher.way_back()
            reason = self._why_no_turn()
        if ownership.is_mixed:
            from chronotable.core import doubts

            is_way = self.leads_back or (tree.has_modules and not is_there)
            shown = target if is_way else matcher.prefix
            if doubts.asks_back(matcher, guidance, self.compare, shown, is_doubtful):
                self.leads_back = True
                self.back_to = shown
                self.reason = why.MIXED
                return why.MIXED
        if focus >= 0 and is_there:
            # nothing is half done; actions are due
            reason = reasons.SECOND_ACTION_DUE if matcher.prefix else reasons.ACTIONS_DUE
            target = matcher.prefix
        differences = self.compare(target)
        poles = evidence.poles
        is_denied = (
            poles is not None
            and not poles.has_loose
            and poles.denies(tree.records, target * RECORD_WORDS, evidence.fresh)
        )
        if reason == why.UNFINISHED and is_denied:
            reason = why.OTHER_OWNER
        elif reason == why.UNFINISHED:
            reason = self._marker_reason(focus, is_doubtful)
        elif focus >= 0 and self._is_complete(target):
            differences -= self._spare_marker()
        if focus < 0 and reason == why.UNFINISHED:
            if not is_doubtful or evidence.spots(matcher.game.mover):
                return _NOTHING
            # the marker is in a hand, and that for long: its spot may be wired to a space
            evidence.health.ask_to_take(guidance.take)
            return why.DOCTOR if evidence.health.needs_doctor else _NOTHING
        if focus < 0 and not is_led and not self._is_worth_saying(is_doubtful):
            return _NOTHING
        if self.leads_back and guidance.has_doubts():
            differences += 1
        if not differences:
            return _NOTHING
        if reason not in (
            why.UNFINISHED,
            why.MARKER_MISPLACED,
            reasons.SECOND_ACTION_DUE,
            reasons.ACTIONS_DUE,
        ):
            displaced = max(sum(guidance.take[:FOCUS]), sum(guidance.put[:FOCUS]))
            self._is_bump = (self.leads_back and self._is_bump) or displaced >= _BUMP
            self.leads_back = (
                is_led or guidance.takes_too_much() or guidance.has_fallen(evidence.lost)
            )
            self.was_guided = self.was_guided or (self.leads_back and focus >= 0)
        self.back_to = target
        self.reason = reason
        return reason

    def _is_complete(self, record: int) -> bool:
        return self.matcher.game.turn_tree.records[record * RECORD_WORDS + STATUS] & COMPLETE != 0

    def _marker_reason(self, focus: int, is_doubtful: bool) -> int:
        """Return why.MARKER_MISPLACED where only a marker is wrong, else why.UNFINISHED.

        The mover's may stand on any one spot: it may have ended the turn.
        """
        matcher, guidance = self.matcher, self.guidance
        mover = matcher.game.mover
        other = FOCUS + 3 * (1 - mover)
        wrong = any(guidance.take[other : other + 3])
        missing = any(guidance.put[other : other + 3]) and is_doubtful
        spots = matcher.evidence.spots(mover)
        if focus < 0 and spots & (spots - 1):
            wrong = True  # two spots are taken
        else:
            self._spare_marker()
        if matcher.lies_there() and (wrong or missing):
            return why.MARKER_MISPLACED
        return why.UNFINISHED

    def _spare_marker(self) -> int:
        """Ask nothing of the mover's marker; return how many spots are not asked for any more."""
        guidance = self.guidance
        first = FOCUS + 3 * self.matcher.game.mover
        count = 0
        for sensor in range(first, first + 3):
            count += guidance.take[sensor] + guidance.put[sensor]
            guidance.take[sensor] = guidance.put[sensor] = 0
        return count

    def _is_worth_saying(self, is_doubtful: bool) -> bool:
        """Tell whether it is time to say what is wrong, although the marker has ended no turn.

        It is when something lies where it should not; what is only missing may be in a hand. Two
        pieces of one line of the matrix that go at the same moment are in no hand: the line failed.
        """
        guidance, evidence = self.guidance, self.matcher.evidence
        mover = self.matcher.game.mover
        first = FOCUS + 3 * (1 - mover)
        spots = evidence.spots(mover)
        return (
            guidance.takes_too_much()
            or guidance.has_fallen(evidence.lost)
            or evidence.health.lost_line
            or any(guidance.take[first : first + 3])
            or spots & (spots - 1) != 0
            or (is_doubtful and any(guidance.put[first : first + 3]))
        )

    def _why_no_turn(self) -> int:
        """Name the mistake in touches that no legal turn needs."""
        game, observed = self.matcher.game, self.matcher.evidence.observed
        here = layout.focus(game.state, game.mover)
        for era in range(3):
            own = game.state[3 * game.mover + era]
            if era != here and observed[COUNTED + era] & own:
                return reasons.NO_COPY_THERE
        allowed = 0
        records = game.turn_tree.records
        for choice in range(1, game.turn_tree.firsts):
            allowed |= 1 << (records[choice * RECORD_WORDS + layout.ACTIVE] & 15)
        moved = (
            observed[TOUCHED + here] & observed[TRUSTED + here] & game.state[3 * game.mover + here]
        )
        if moved and not moved & allowed:
            return reasons.CHOOSE_ABLER_COPY
        return why.NOT_A_TURN if moved else why.WRONG_COPY


def start_of(state: "array[int]", first: int) -> "array[int]":
    """Return the start of a game with the modules of a state, for the player who begins."""
    if len(state) == layout.STATE_WORDS:
        return layout.new_state(first)
    from ttykm import objects

    return objects.new_state(objects.modules_of(state), first)
