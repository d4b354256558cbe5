"""From reeds to turns: what the hands did, compared with what the rules allow.

Three rules this file lives by: what lies on the table is compared with the legal turns of the
engine, and no rule of the game is written here; only the focus marker ends a turn, no timer does;
and where it is in doubt which turn it was, the players are asked, and only an answer decides.

The tracker is fed debounced edges and the time in ms, and tells a `listener` (listener.pyi)
what it understood. It knows the phase of the game and how far the turn in the making is
(progress.py); what was touched goes to evidence.py, what lies there is compared with the turns in
matcher.py, what hands are asked for is recovery.py's, what may have been meant candidates.py's,
which reeds are broken faults.py's, what all that lies there means whole_pictures.py's. Each of
these writes what is its own, and nothing else.
"""

from chronotable.core import progress, why
from chronotable.core.evidence import TurnEvidence
from chronotable.core.health import FLICKERS, FOUND, HEARD, ReedHealth
from chronotable.core.match import OBJECT_MAGNETS
from chronotable.core.matcher import Matcher
from chronotable.core.open_question import OpenQuestion
from chronotable.core.ownership import FROM_BOX, OBJECT
from chronotable.core.progress import (
    ASKED,
    CERTAIN,
    CORRECTED,
    DOUBTFUL,
    MOVING,
    NEXT_GAME,
    NO_WISH,
    OVER,
    PROVISIONAL,
    QUESTION,
    RESTORE,
    SETTLED,
    TRANSITIONS,
    TURN,
    TurnProgress,
)
from chronotable.core.recovery import Recovery, start_of
from chronotable.hardware.sensors import FOCUS, SHARED, SPACES
from ttykm import layout, reasons
from ttykm.layout import BLACK, NOBODY, WHITE
from ttykm.mp import const

if False:
    from array import array

    from chronotable.core.candidates import Candidates
    from chronotable.core.chooser import Chooser
    from chronotable.core.wanted import WantedTurn
    from chronotable.link.listener import TrackerListener
    from ttykm.game import Game

# what ended a game
BY_RULES = const(0)
BY_RESIGNATION = const(1)
BY_AGREEMENT = const(2)

_PICTURE = const(3)  # so many spaces differ where a whole position was put up

NONE_OF_THESE = const(3)  # the answer that no choice of a question was meant
BOTH_OFFER = const(3)


class Tracker:
    """The physical game: in which phase it is, and what ends one.

    `settle_ms` is how long an arrangement lies still before it is called illegal, `rest_ms` how
    long the marker rests before a turn is final; both may be set. `magnets` are the objects that
    reeds feel (chronotable.core.match). `hands` offer a draw with the button, a bit for each side.
    """

    hands = BOTH_OFFER  # of all trackers: seldom another, and no memory of each

    def __init__(
        self,
        game: "Game",
        listener: "TrackerListener",
        health: "ReedHealth | None" = None,
        magnets: int = OBJECT_MAGNETS,
    ) -> None:
        self.game = game
        self.listener = listener
        self.settle_ms = 250
        self.rest_ms = 1000
        self.phase = RESTORE
        self.health = ReedHealth() if health is None else health
        self.evidence = TurnEvidence(self.health)
        self.matcher = Matcher(game, self.evidence, magnets)
        self.recovery = Recovery(self.matcher)
        self.wanted: WantedTurn | None = None  # what the hands carry out, if anything
        self.chooser: Chooser | None = None  # from the first game with modules on
        self.turn = TurnProgress()
        self.winner = NOBODY  # of the game that is over; NOBODY for a draw
        self.open_question = OpenQuestion(self.matcher)
        self._asked: Candidates | None = None  # what may have been meant, while it is in doubt
        self._suspected = (-1, 0)  # number of a turn that was taken back by agreement, and the turn
        self.now_ms = 0
        self.has_begun = False  # a turn of this game was played, taken back or not
        self._touched_since_end = False

    # ---- what comes in

    def set_up(
        self, state: "array[int] | None" = None, options: int = 0, free_start: bool = False
    ) -> None:
        """Ask for a position to be put on the table: the start of a game, or the given one.

        With a `free_start`, as without a position, the markers say who begins (T4).
        """
        self.has_begun = False
        self.recovery.set_up(True, free_start or state is None)
        self.evidence.forget()
        self.turn.begin()
        self._suspected = (-1, 0)
        self.game.start(layout.new_state() if state is None else state, options)
        # whose is what nobody touched is still known: it may lie on the other player's corner
        self.evidence.ownership.fill_hands()
        self.restore()

    def set_up_again(self) -> None:
        """Ask for the start of another game with the same modules and options."""
        self.set_up(start_of(self.game.state, WHITE), self.game.options, True)

    def resume(self) -> None:
        """Ask for the position at which the power went; who sets up a start begins a new game."""
        self.has_begun = len(self.game.turns) > 0
        self.recovery.set_up(False, False)
        self.restore()
        from chronotable.core import doubts

        recovery = self.recovery
        recovery.hides_exchange = doubts.exchanged_by_turn(self.matcher, recovery.exchanged)

    def want_nothing(self) -> None:
        """Have the hands carry out no turn of others any more (wanted.py)."""
        if self.wanted is not None:
            self.wanted = None
            self.recovery.lead_nowhere()
            self.turn.reset()

    def begin_at(self, now_ms: int) -> None:
        """Note the time at which the first scan is made."""
        self.now_ms = now_ms
        self.turn.since_ms = now_ms

    def edge(self, sensor: int, closed: bool, now_ms: int) -> None:
        """Take one debounced change of a reed; `update` is due after the last of a scan."""
        self.now_ms = now_ms
        heard = self.health.hear(sensor, closed, now_ms)
        if heard != HEARD:
            self.evidence.set_reed(sensor, closed)
            if heard == FOUND:
                self._find_flicker(sensor)
            return
        is_marker = sensor >= FOCUS
        if not (closed or is_marker) and self._is_too_early(sensor):
            self.turn.early.append(sensor)
            return
        is_own_marker = is_marker and (sensor - FOCUS) // 3 == self.game.mover
        if self.turn.early and not (is_own_marker and closed):
            self._take_early()
        if self.phase == PROVISIONAL:
            self._disturb_provisional(sensor, closed, is_own_marker)
        elif self.phase == QUESTION and is_own_marker and not self.open_question.is_astray:
            self._go(progress.GOES_ON)  # its player goes on with the turn
        if is_marker:
            self._move_marker(sensor, closed)
        else:
            self.evidence.set_reed(sensor, closed)
            if self.chooser is not None and self.chooser.touch(sensor, closed, now_ms):
                self.matcher.look()  # what was chosen lay there before this edge
            self._touch(sensor, closed)
        turn = self.turn
        turn.reset()
        turn.since_ms = now_ms
        turn.is_refused = False
        turn.is_scanned = self._touched_since_end = True

    def _is_too_early(self, sensor: int) -> bool:
        """Tell whether a lift belongs to the next turn, which no marker has begun yet."""
        is_free = self.phase == TURN and not (self.recovery.leads_back or self.turn.is_refused)
        if not is_free or not self.matcher.is_early(sensor):
            return False
        if self.evidence.spots(self.game.mover):
            self._look_for_turn(True)
            return False
        return True

    def _disturb_provisional(self, sensor: int, closed: bool, is_own: bool) -> None:
        """Take an edge while a turn is provisional: it becomes final, is reopened, or stays so."""
        if is_own:
            self.evidence.set_reed(sensor, closed)
            if self.evidence.marker_era(self.game.state, self.game.mover) != self.turn.packed >> 16:
                self._reopen()
            elif closed:
                self.turn.is_shaky = True
        elif self.turn.is_shaky and sensor < SPACES and not self.matcher.is_theirs(sensor):
            self._reopen()
        elif not self.health.is_restless(sensor, self.now_ms):
            self.finalise()

    def _move_marker(self, sensor: int, closed: bool) -> None:
        """Take an edge of a focus spot."""
        if not closed:
            self._take_back_own(sensor)
        self.evidence.set_reed(sensor, closed)
        if self.open_question.is_open:
            self.open_question.touch(sensor, closed, self.now_ms)
        if self.chooser is not None:
            self.chooser.close()
        may_restore = self.phase == TURN and self.turn.won < 0
        if may_restore and self.matcher.is_turn_after(sensor, closed):
            self.restore()

    def answer(self, choice: int, now_ms: int) -> bool:
        """Answer the open question with choice 0, 1, 2 or NONE_OF_THESE; False if none fits.

        Choice 0 also grants what a whole picture means, agrees to a draw that is offered (another
        declines), and says that reeds are broken: that what a guide asks for lies there already, or
        the marker of a turn that can end. A question that a guide hides is not answered.
        """
        self.now_ms = now_ms
        if self.turn.wish != NO_WISH and choice in (0, NONE_OF_THESE):
            return self._refuse() if choice else self._grant()
        if self.turn.offers and self.phase not in (OVER, QUESTION):
            if choice:
                self.turn.offers = 0
            else:
                self._offer(self.hands)
            return True
        if self.open_question.is_astray:
            # pressed soon, *a* may be meant for the question, and accuses no reed
            return choice == 0 and self.turn.stage == DOUBTFUL and self._trust_hands()
        if self.phase in (TURN, RESTORE) and self.turn.is_guided and choice == 0:
            return self._trust_hands()
        if choice == NONE_OF_THESE:
            return self._refuse()
        if self.phase == TURN and choice == 0:
            return not self.recovery.leads_back and self._ask(self._candidates().about_marker(True))
        if self.phase != QUESTION or not 0 <= choice < len(self.open_question.choices):
            return False
        turn, blamed = self._candidates().pool[choice]
        record = self.game.turn_tree.find(turn & 0xFFFF)
        self.matcher.settle_on(record)
        for sensor in blamed:
            from chronotable.core import faults

            faults.blame(self.matcher, self.listener, sensor, record)
        self.turn.understood = ASKED
        self._settle_on(turn)
        return True

    def _grant(self) -> bool:
        """Begin the next game, or go back to the position that lies there: it was meant so."""
        wish = self.turn.wish
        if wish == NEXT_GAME:
            self.set_up_again()
        else:
            self._go_back(wish)
            self.restore(True)
        return True

    def _refuse(self) -> bool:
        """None of these was meant: ask about the next ones. False where none can be refused."""
        if self.turn.wish != NO_WISH:  # then it is a mistake
            self.turn.reset()
            self.turn.is_refused = True
            return True
        if self.phase == PROVISIONAL:  # the others, broken reeds included
            turn = self.turn.packed
            self._reopen()
            self.turn.is_stale = False
            self.turn.is_refused = True
            self._ask(self._candidates().about_others(turn >> 16, self.now_ms, turn))
            return True
        if self.phase == QUESTION:
            if not self.evidence.spots(self.game.mover):  # no reed feels where it stands
                self.health.needs_doctor = self.health.needs_doctor or self.turn.is_unfelt
                self.turn.is_unfelt = True
            self._go(progress.GOES_ON)
            self.turn.is_refused = True
            self._ask(self._candidates().ask_on())
            return True
        return False

    def undo(self, side: int) -> bool:
        """Take the last turn back because the other player agrees (or the PC says so).

        A provisional turn is the last one then; its own player lifts the marker instead.
        """
        game = self.game
        if self.phase == PROVISIONAL and side != game.mover:
            self._reopen()
            self.restore()
            return True
        is_asked = side in (SHARED, game.mover) and self.phase not in (PROVISIONAL, OVER)
        if not is_asked or not game.turns:
            return False
        self._go_back(len(game.turns) - 1)
        self.restore()
        return True

    def _go_back(self, turns: int) -> None:
        """Take turns back until so many are left."""
        game = self.game
        while len(game.turns) > turns:
            turn = game.undo()
            self.listener.taken_back(turn)
            self._suspected = len(game.turns), turn
        self.evidence.forget()

    def resign(self, side: int) -> bool:
        """End the game because a player concedes (T32); a provisional turn counts before."""
        if not self._may_end():
            return False
        self._end(BLACK if side == WHITE else WHITE, BY_RESIGNATION)
        return True

    def offer_draw(self, side: int = SHARED) -> bool:
        """Offer a draw; a second offer, or the answer a, agrees (T32). Any lift declines.

        A button without sides is of whom `hands` play: the others agree in words.
        """
        if not self._may_end():
            return False
        self._offer(self.hands if side == SHARED else 1 << side)
        return True

    def _offer(self, by: int) -> None:
        """Have the sides `by`, a bit each, offer a draw; an offer that stands they agree to."""
        offers, self.turn.offers = self.turn.offers, by
        if offers and (by == BOTH_OFFER or offers != by):
            self._end(NOBODY, BY_AGREEMENT)

    def _may_end(self) -> bool:
        """Make a provisional turn count; tell whether the game still goes on then."""
        if self.phase == PROVISIONAL:
            self.finalise()
        return self.phase not in (OVER, RESTORE)

    def update(self, now_ms: int) -> bool:
        """Act on the edges since the last call and on the time; return True when to paint anew."""
        self.now_ms = now_ms
        turn = self.turn
        if self.phase == PROVISIONAL and not turn.is_stale:
            if now_ms - turn.ended_ms < self.rest_ms:
                return False
            if turn.is_shaky:
                self._reopen()
                self._ask(self._candidates().about_marker(True))
            else:
                self.finalise()
            return True
        if self.chooser is not None and self.chooser.update(now_ms):
            turn.is_stale = True
        if turn.early and turn.is_stale:
            self._look_for_turn(True)  # the marker came down
            self._take_early()
        if not turn.update(now_ms, self.settle_ms):
            return False
        if self.phase in (RESTORE, OVER):
            self._look_for_set_up()
        elif self.phase == TURN and self.wanted is not None:
            self._look_for_wanted(self.wanted)
        elif self.phase == TURN:
            self._look_for_turn()
        elif self.open_question.is_astray:
            self._look_for_question()
        return True

    # ---- turns

    def _begin(self) -> None:
        """Start the turn of the player to move; what lies there is the position of the game."""
        game, matcher = self.game, self.matcher
        if self.recovery.begin():
            self.listener.started()
        matcher.begin()
        self.health.begin_turn()
        self._asked = None
        if any(self.health.kinds):
            from chronotable.core import faults

            faults.heal(matcher, self.listener, self.now_ms)
        self.evidence.start(game.state)
        self.evidence.assume(game.turn_tree, 0)
        self.turn.begin()
        self._go(progress.BEGINS)

    def _go(self, happening: int) -> None:
        """Change the phase; close the chooser and the question of the phase before."""
        self.phase = TRANSITIONS[self.phase][happening]
        if happening in (progress.SET_UP, progress.BEGINS, progress.ENDS):
            self.want_nothing()
        if self.game.turn_tree.has_modules and self.chooser is None:
            from chronotable.core.chooser import Chooser

            self.chooser = Chooser(self.matcher)
        if self.chooser is not None:
            self.chooser.close()
        self.turn.reset()
        self.open_question.close(self.phase == TURN)

    def _take_early(self) -> None:
        """Take the edges in `turn.early`: for the next turn, if the marker has ended this one."""
        early, self.turn.early = self.turn.early, []
        for sensor in early:
            if self.phase == PROVISIONAL:
                self.finalise()
            self.evidence.set_reed(sensor, False)
            self._touch(sensor, False)
        self.turn.is_stale = True

    def _touch(self, sensor: int, closed: bool) -> None:
        """Take an edge of a space: as evidence of the turn, or for the question that is open."""
        self.turn.offers = 0
        if self.open_question.is_open:
            self.open_question.touch(sensor, closed, self.now_ms)
            return
        matcher, tree = self.matcher, self.game.turn_tree
        in_turn = self.phase == TURN
        if in_turn and not (matcher.prefix or self.recovery.leads_back):
            self.evidence.end_excursion(tree)
        ownership = self.evidence.ownership
        are_empty = closed and not (ownership.is_holding() or ownership.objects)
        wanted = self.recovery.wanted(sensor, in_turn)
        if in_turn and wanted < 0 and tree.has_modules:
            chooser = self.chooser
            is_target = chooser is not None and chooser.builds_on(sensor, closed)
            is_asked_for = self.recovery.leads_back and self.recovery.guidance.is_lying(
                sensor >> 4, 1 << (sensor & 15)
            )
            if matcher.is_object(sensor, closed, is_target or is_asked_for):
                wanted = OBJECT
            elif (
                are_empty
                and (self.recovery.leads_back or matcher.lies_there())
                and not (chooser is not None and chooser.is_tapped(sensor))
            ):
                wanted = FROM_BOX
                if self.recovery.leads_back:  # who minds no light now may have minded none before
                    self.evidence.doubt_touched()
        is_own = in_turn and matcher.is_own(sensor)
        is_confirmed = self.recovery.guidance.is_confirmed(sensor, closed, self.recovery.confirms())
        if not in_turn or self.wanted is not None:
            is_confirmed = True  # hands that are led from the start do what the lights say
        self.evidence.touch(sensor, closed, self.now_ms, is_own, wanted, is_confirmed)

    def _look_for_turn(self, is_ended: bool = False) -> None:
        """See what lies there; `is_ended` leaves no time to wait for more."""
        turn, matcher, recovery = self.turn, self.matcher, self.recovery
        if self.chooser is not None and self.chooser.is_open() and not is_ended:
            return  # what is tapped or put there means something once it is chosen
        if turn.won >= 0 and turn.stage and matcher.is_start():
            self._win_after_all()
            return
        if turn.stage == SETTLED and not recovery.leads_back:  # it takes long: no light waits now
            matcher.make_room()
        found = matcher.look()
        focus = self.evidence.marker_era(self.game.state, self.game.mover)
        if recovery.leads_back:
            recovery.look(found, focus, turn.stage == SETTLED, turn.stage == DOUBTFUL)
        is_guided = recovery.leads_back and recovery.was_guided
        if focus >= 0 and matcher.whole >= 0 and not turn.is_refused and not is_guided:
            choices = self._choices(focus, is_ended or turn.stage > MOVING)
            if choices is None:
                self._settle_on(matcher.turn_to(focus))
            else:
                self._ask(choices)
        elif not is_ended and turn.stage > turn.before:
            self._mend(focus)

    def _choices(self, focus: int, is_still: bool) -> "list[int] | None":
        """Return which turns may be meant by what lies there and the marker, None if certain."""
        matcher = self.matcher
        number, suspected = self._suspected
        if number != len(self.game.turns):
            suspected = -1
        is_restless = self.evidence.is_restless(self.now_ms)
        if matcher.is_certain() and not is_restless and suspected != matcher.turn_to(focus):
            return None
        return self._candidates().about_turn(
            focus, self.now_ms, is_still, self.recovery.was_guided, suspected
        )

    def _candidates(self) -> "Candidates":
        if self._asked is None:
            from chronotable.core.candidates import Candidates

            self._asked = Candidates(self.matcher)
        return self._asked

    def _look_for_wanted(self, wanted: "WantedTurn") -> None:
        """Make the wanted turn count as soon as it lies there, else say what is to be done."""
        turn = self.turn
        if wanted.look():
            if wanted.records:
                self.matcher.settle_on(wanted.records[-1])
            self._settle_on(wanted.turn)
            self.finalise()
        elif turn.stage > turn.before and not turn.is_guided:
            self._guide(why.WANTED)

    def _sees_wish(self) -> bool:
        """Tell whether a whole picture lies there that means something, and ask if it is meant.

        Hands put up no start, and no earlier position of the game, by mistake.
        """
        turn, recovery, matcher = self.turn, self.recovery, self.matcher
        if turn.is_refused or matcher.lies_there() or not self.game.turns:
            return False
        if turn.wish == NO_WISH:
            recovery.compare(0)
            guidance = recovery.guidance
            if sum(guidance.take[:SPACES]) + sum(guidance.put[:SPACES]) < _PICTURE:
                return False
            from chronotable.core import whole_pictures

            turn.wish = whole_pictures.meaning(matcher)
            if turn.wish == NO_WISH:
                return False
            guidance.ask_for_nothing()
            self._guide(why.NEW_GAME if turn.wish == NEXT_GAME else why.GO_BACK)
        return True

    def _mend(self, focus: int) -> None:
        """Say what is wrong with what lies still; when it is DOUBTFUL ask if a reed is broken."""
        if self._sees_wish():
            return
        turn, recovery = self.turn, self.recovery
        is_doubtful = turn.stage == DOUBTFUL
        if not turn.is_guided:
            self._guide(recovery.find_mistake(focus, is_doubtful, turn.is_refused))
        if is_doubtful and not turn.is_refused:
            if focus >= 0:
                self._ask(self._candidates().about_others(focus, self.now_ms))
            elif not recovery.leads_back:
                self._ask(self._candidates().about_marker(False))

    def _win_after_all(self) -> None:
        """Count a win whose marker was lifted: not to take it back, but to set up a new game."""
        turn = self.turn.won
        self.game.apply(turn)
        self.listener.final(turn, CERTAIN)
        self._end(self.game.winner(), BY_RULES)
        self.set_up_again()

    def _guide(self, reason: int) -> None:
        """Say what is asked for and why; a reason below 0 is none."""
        if reason < 0:
            return
        if self.phase == TURN and reason not in (
            why.UNFINISHED,
            why.MARKER_MISPLACED,
            why.WANTED,
        ):
            self.turn.understood = max(self.turn.understood, CORRECTED)
            if reason != reasons.ACTIONS_DUE:  # a turn that is forgotten, again and again
                self.health.ask_to_take(self.recovery.guidance.take)
        if self.health.needs_doctor and reason in (
            why.SET_UP,
            why.RESTORE,
            why.NOT_A_TURN,
            why.WRONG_COPY,
            reasons.NO_COPY_THERE,
            reasons.CHOOSE_ABLER_COPY,
            reasons.SECOND_ACTION_DUE,
        ):
            reason = why.DOCTOR
        self.turn.is_guided = True
        guidance = self.open_question if self.open_question.is_open else self.recovery.guidance
        self.listener.guide(guidance.take, guidance.put, reason)

    def _ask(self, choices: "list[int]") -> bool:
        """Ask which of these turns was meant; return whether there are any."""
        if choices:
            self._go(progress.IN_DOUBT)
            self.turn.is_stale = False
            self.open_question.open(choices)
            self.listener.ask(choices)
        return len(choices) > 0

    def _look_for_question(self) -> None:
        """Ask back what was touched while a question is open; ask again once all lies there."""
        open_question, turn = self.open_question, self.turn
        if open_question.is_back():
            if open_question.is_guided:
                open_question.say(False)
                self.listener.ask(open_question.choices)
        elif turn.stage and open_question.is_undone():
            self.restore(True)
        elif turn.stage and not turn.is_guided:
            open_question.say(True)
            self._guide(why.UNANSWERED)

    def _settle_on(self, turn: int) -> None:
        """Make a packed turn the provisional one."""
        ended = self.turn
        ended.number = len(self.game.turns)
        ended.packed = turn
        ended.ended_ms = self.now_ms
        ended.is_shaky = False
        self._go(progress.MARKED)
        ended.is_stale = False
        self.listener.provisional(turn)

    def _reopen(self) -> None:
        """Let the provisional turn go on; after `settle_ms` that counts as a correction."""
        turn = self.turn
        if turn.understood == CERTAIN and self.now_ms - turn.ended_ms >= self.settle_ms:
            turn.understood = CORRECTED
        self._go(progress.GOES_ON)
        self.listener.reopened()

    def finalise(self) -> None:
        """Make the provisional turn count."""
        turn = self.turn
        self.evidence.save()
        self.game.apply(turn.packed)
        self.has_begun = True
        self.listener.final(turn.packed, turn.understood)
        if turn.understood == CERTAIN and not any(self.health.kinds):
            self.health.needs_doctor = False  # it was a false alarm, or it will come again
        won = self.game.winner()
        if won != NOBODY:
            self.evidence.ownership.know(self.game.state, 0)
            self._end(won, BY_RULES)
        else:
            self._begin()

    def _end(self, won: int, by: int) -> None:
        """End the game: who won, or NOBODY for a draw, and by what (`BY_RULES` and the others)."""
        self.evidence.clear()
        self.turn.offers = 0
        self.winner = won
        self._touched_since_end = False
        self._go(progress.ENDS)
        self.listener.over(won, by)

    # ---- broken reeds

    def _find_flicker(self, sensor: int) -> None:
        """Leave a reed out that changes quicker than a hand can; undo what it did to the turn."""
        from chronotable.core import faults

        game, matcher, turn = self.game, self.matcher, self.turn
        faults.blame(matcher, self.listener, sensor, matcher.prefix, FLICKERS)
        turn.is_stale = True
        spot = FOCUS + 3 * game.mover + (turn.packed >> 16)
        if turn.number == len(game.turns) and sensor == spot:
            # the marker that ended this turn stands: only its reed said that it was lifted
            record = game.turn_tree.find(turn.packed & 0xFFFF)
            if self.phase == TURN and self.evidence.lies_there(game.turn_tree, record):
                matcher.settle_on(record)
                self._settle_on(turn.packed)
        elif self.phase == PROVISIONAL:
            self._reopen()  # what it said may have been wrong
        elif self.phase == QUESTION and not self.open_question.is_astray:
            self._go(progress.GOES_ON)

    def _trust_hands(self) -> bool:
        """Take the answer that what the lights ask for lies there: blame the reeds that deny it."""
        from chronotable.core import faults

        recovery, open_question = self.recovery, self.open_question
        guidance = open_question if open_question.is_open else recovery.guidance
        record = open_question.record if open_question.is_open else recovery.back_to
        # the mover's marker may stand where it was put, unless that is what is asked for
        in_turn = self.phase == TURN and recovery.reason not in (why.MARKER_MISPLACED, why.WANTED)
        if not faults.trust_hands(self.matcher, guidance, record, self.listener, in_turn):
            return False
        self.turn.understood = ASKED
        self.turn.reset()
        self.turn.since_ms = self.now_ms
        return True

    # ---- taking back

    def _take_back_own(self, sensor: int) -> None:
        """Take the last turn back if its player lifts the marker again."""
        game = self.game
        is_won = self.phase == OVER and game.winner() != NOBODY
        if not (self.phase == TURN or is_won) or not self.matcher.is_take_back(sensor):
            return
        turn = self.turn
        self.want_nothing()
        turn.packed = game.undo()
        turn.number = len(game.turns)
        turn.won = turn.packed if is_won else -1
        turn.understood = CORRECTED
        self.listener.taken_back(turn.packed)
        self.matcher.begin()
        self.evidence.go_back()
        # what was chosen with the action button is forgotten: which object lies where is not known
        self.evidence.ownership.is_mixed = game.turn_tree.has_modules > 0
        self._go(progress.GOES_ON)

    # ---- set-up

    def restore(self, was_asked_for: bool = False) -> None:
        """Ask for the position of the game; `was_asked_for`: the lights have led hands to it."""
        self.matcher.begin()
        self.turn.offers = 0
        self.evidence.doubt_touched()
        self.evidence.clear()
        self.recovery.ask(was_asked_for)
        self._go(progress.SET_UP)

    def _look_for_set_up(self) -> None:
        """Wait for the position of the game, or after a game for a new start position."""
        recovery, turn = self.recovery, self.turn
        is_over = self.phase == OVER
        is_there = not is_over and recovery.look_for_position(turn.stage > MOVING)
        may_begin = recovery.is_resumed and not self.matcher.lies_there()
        may_begin = may_begin or (is_over and self._touched_since_end)
        if not is_there and may_begin and turn.stage and self.matcher.is_start():
            self.set_up_again()
            is_there = recovery.look_for_position(False)
        if self.phase == OVER:
            return
        if is_there:
            self._begin()
        elif turn.stage and not turn.is_guided and not self._sees_wish():
            self._guide(why.SET_UP if recovery.is_new_game else why.RESTORE)
