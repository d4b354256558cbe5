"""From reeds to turns: what the hands did, compared with what the rules allow.

Three rules this file lives by: what lies on the table is compared with the legal turns of the
engine, and no rule of the game is written here; only the focus marker ends a turn, no timer does;
and what leaves a doubt is asked, which nothing but an answer decides.

The tracker is fed debounced edges and the time in ms, and tells a *sink* (chronotable.sink) what it
understood. It knows the phase of the game and the time; what lies there is read in reading.py, what
the hands are asked for is named in recovery.py, what may have been meant in doubt.py, and which
reeds are broken in faults.py.
"""

from chronotable import faults, why
from chronotable.asked import OpenQuestion
from chronotable.doubt import Question
from chronotable.health import FLICKERS, FOUND, HEARD, Health
from chronotable.reading import Reading
from chronotable.recovery import Recovery, start_of
from chronotable.sensors import BUTTONS, FOCUS, SHARED, SPACES
from chronotable.sight import Sight
from ttykm import layout
from ttykm.layout import BLACK, NOBODY, WHITE
from ttykm.mp import const

if False:
    from array import array

    from chronotable.chooser import Chooser
    from chronotable.sink import Sink
    from ttykm.game import Game

# phases
RESTORE = const(0)  # the position of the game is to be set up
TURN = const(1)
PROVISIONAL = const(2)  # the marker stands; the turn can still be reopened
QUESTION = const(3)
OVER = const(4)

# how a turn was understood
CERTAIN = const(0)
ASKED = const(1)
CORRECTED = const(2)

# what ended a game
BY_RULES = const(0)
BY_RESIGNATION = const(1)
BY_AGREEMENT = const(2)

NONE_OF_THESE = const(3)  # the answer that no choice of a question was meant
_BOTH_OFFER = const(3)

# how long an arrangement lies still
_MOVING = const(0)
_SETTLED = const(1)
_DOUBTFUL = const(2)


class Tracker:
    """The physical game: in which phase it is, and what ends one.

    `settle_ms` is how long an arrangement lies still before it is called illegal, `doubt_ms`
    before a reed is thought of as broken, `rest_ms` how long the marker rests before a turn is
    final.
    """

    def __init__(
        self,
        game: "Game",
        sink: "Sink",
        settle_ms: int = 250,
        rest_ms: int = 1000,
        doubt_ms: int = 2000,
        health: "Health | None" = None,
    ) -> None:
        self.game = game
        self.sink = sink
        self.settle_ms = settle_ms
        self.rest_ms = rest_ms
        self.doubt_ms = doubt_ms
        self.phase = RESTORE
        self.health = Health() if health is None else health
        self.sight = Sight(self.health)
        self.reading = Reading(game, self.sight)
        self.recovery = Recovery(self.reading)
        self.chooser: Chooser | None = None  # from the first game with modules on
        self.winner = NOBODY  # of the game that is over; NOBODY for a draw
        self.choices: list[int] = []  # of the open question
        self.asked: OpenQuestion | None = None
        self._question = Question(self.reading)
        self._open_question = OpenQuestion(self.reading)
        self._guides = False  # something is asked for, and nothing was touched since
        self._refused = False  # no candidate was meant
        self._understood = CERTAIN
        self._turn = 0
        self._is_shaky = False  # the provisional turn's marker stands, and says that it is at home
        self._stood = (-1, 0)  # the number of the turn that a marker ended last, and that turn
        self._won = -1  # the turn that won, after its marker was lifted again
        self._early: list[int] = []  # what the opponent lifted while the marker was in the air
        self._now_ms = self._edge_ms = self._rest_since_ms = 0
        self._stage = _MOVING
        self._offers = 0  # of a draw: bit 0 by white, bit 1 by black, both by a shared button
        self._touched_since_end = self._felt = False
        self._stale = True

    # ---- what comes in

    def set_up(
        self, state: "array[int] | None" = None, options: int = 0, free_start: bool = False
    ) -> None:
        """Ask for a position to be put on the table: the start of a game, or the given one.

        With a `free_start`, as without a position, the markers say who begins (T4).
        """
        self.recovery.is_new_game = True
        self.recovery.free_start = free_start or state is None
        self.recovery.is_resumed = False
        self.sight.is_kept = False
        self._won = -1
        self._question.doubted = (-1, 0)
        self.game.start(layout.new_state() if state is None else state, options)
        self.sight.belief.forget()
        self._restore()

    def _set_up_again(self) -> None:
        """Ask for the start of another game with the same modules and options."""
        self.set_up(start_of(self.game.state, WHITE), self.game.options, True)

    def resume(self) -> None:
        """Ask for the position of the game, which was going on when the power went.

        Who sets up the start of a game instead begins a new one.
        """
        self.recovery.is_new_game = self.recovery.free_start = False
        self.recovery.is_resumed = True
        self._restore()

    def begin_at(self, now_ms: int) -> None:
        """Say what time it is when the reeds are felt for the first time."""
        self._edge_ms = self._now_ms = now_ms

    def has_felt(self) -> bool:
        """Tell whether the reeds had the time to say what lies there since power-on."""
        return self._felt

    def edge(self, sensor: int, closed: bool, now_ms: int) -> bool:
        """Take one debounced change of a reed; `update` is due after the last of a scan.

        Returns False for a reed that is not trusted, which changes nothing.
        """
        self._now_ms = now_ms
        sight = self.sight
        heard = self.health.hear(sensor, closed, now_ms)
        if heard != HEARD:
            sight.feel(sensor, closed)
            if heard == FOUND:
                self._find_flicker(sensor)
            return False
        space = sensor < SPACES
        if not closed and space and self.phase == TURN and not self.recovery.recovers:
            if not self._refused and self.reading.is_early(sensor):
                if not sight.spots(self.game.mover):
                    self._early.append(sensor)
                    return True
                self._look_for_turn(self._stage, True)
        own_marker = not space and (sensor - FOCUS) // 3 == self.game.mover
        if self._early and not (own_marker and closed):
            self._take_early()
        if self.phase == PROVISIONAL:
            if own_marker:
                sight.feel(sensor, closed)
                if sight.marker_era(self.game.state, self.game.mover) != self._turn >> 16:
                    self._reopen()
                elif closed:
                    self._is_shaky = True
            elif self._is_shaky and space and not self.reading.is_theirs(sensor):
                self._reopen()
            elif not self.health.is_restless(sensor, now_ms):
                self._finalise()
        elif self.phase == QUESTION and own_marker and not self._is_astray():
            self._enter(TURN)  # its player goes on with the turn
        if not space and not closed:
            self._take_back_own(sensor)
        sight.feel(sensor, closed)
        asked, chooser = self.asked, self.chooser
        if asked is not None:
            asked.is_astray = True
        if space:
            self._touch(sensor, closed, chooser is not None and chooser.builds_on(sensor))
            if chooser is not None:
                chooser.touch(sensor, closed, now_ms)
        else:
            if chooser is not None:
                chooser.close()
            if self.phase == TURN and self._won < 0 and self.reading.is_turn_after(sensor, closed):
                self._restore()
        self._edge_ms = now_ms
        self._stage = _MOVING
        self._guides = self._refused = False
        self._stale = self._touched_since_end = self._felt = True
        return True

    def button(self, number: int, now_ms: int) -> bool:
        """Take a pressed button, numbered from 0 as in BUTTONS; False if nothing waits for it."""
        self._now_ms = now_ms
        name, side = BUTTONS[number]
        if name in ("a", "b", "c"):
            return self.answer("abc".find(name), now_ms)
        if name == "action":
            return self._press_action(side, now_ms)
        if name == "undo":
            return self.undo(side)
        if name == "resign":
            return self.resign(side)
        return self.offer_draw(side)

    def _press_action(self, side: int, now_ms: int) -> bool:
        """Say that none of the choices was meant, or choose an action that reeds cannot see."""
        if self.phase == PROVISIONAL and side != self.game.mover and self.game.table.has:
            self._finalise()  # the next player begins
        chooser = self.chooser if self.phase == TURN and side == self.game.mover else None
        if chooser is None or not chooser.press():
            return self.answer(NONE_OF_THESE, now_ms)
        self._stale = True
        self._stage = _MOVING
        return True

    def answer(self, choice: int, now_ms: int) -> bool:
        """Answer the open question with choice 0, 1, 2 or NONE_OF_THESE; False if none fits.

        Choice 0 also agrees to a draw that is offered (another declines), and says that reeds are
        broken: that what a guide asks for lies there already, that the marker of a turn that can
        end stands. A question that a guide hides is not answered.
        """
        self._now_ms = now_ms
        if self._offers and self.phase not in (OVER, QUESTION):
            self._offers = 0
            if choice == 0:
                self._end(NOBODY, BY_AGREEMENT)
            return True
        if self._is_astray():
            # who has just seen the question may mean to answer it, and not to accuse a reed
            return choice == 0 and self._stage == _DOUBTFUL and self._believe_hands()
        if self.phase in (TURN, RESTORE) and self._guides and choice == 0:
            return self._believe_hands()
        if self.phase == PROVISIONAL and choice == NONE_OF_THESE:
            # it was not meant: the others, broken reeds included
            turn = self._turn
            self._reopen()
            self._stale = False
            self._refused = True
            self._ask(self._question.about_others(turn >> 16, now_ms, turn))
            return True
        if self.phase == TURN and choice == 0:
            return not self.recovery.recovers and self._ask(self._question.about_marker(True))
        if self.phase != QUESTION:
            return False
        if choice == NONE_OF_THESE:
            self._enter(TURN)
            self._refused = True
            self._ask(self._question.ask_on())
            return True
        if not 0 <= choice < len(self.choices):
            return False
        turn, blamed = self._question.pool[choice]
        record = self.reading.whole = self.game.table.find(turn & 0xFFFF)
        for sensor in blamed:
            faults.blame(self.reading, self.sink, sensor, record)
        self._understood = ASKED
        self._settle_on(turn)
        return True

    def undo(self, side: int) -> bool:
        """Take the last turn back because the other player agrees (or the PC says so).

        A provisional turn is the last one then; its own player lifts the marker instead.
        """
        game = self.game
        if self.phase == PROVISIONAL:
            if side == game.mover:
                return False
            self._reopen()
            self._restore()
            return True
        if side not in (SHARED, game.mover) or not game.turns or self.phase == OVER:
            return False
        turn = game.undo()
        self.sink.taken_back(turn)
        self._question.doubted = len(game.turns), turn
        self.sight.is_kept = False
        self._restore()
        return True

    def resign(self, side: int) -> bool:
        """End the game because a player concedes (T32); a provisional turn counts before."""
        if self.phase == PROVISIONAL:
            self._finalise()
        if self.phase in (OVER, RESTORE):
            return False
        self._end(BLACK if side == WHITE else WHITE, BY_RESIGNATION)
        return True

    def offer_draw(self, side: int = SHARED) -> bool:
        """Offer a draw; a second offer, or the answer a, agrees (T32). Any lift declines.

        Where sides are known, the same one twice agrees to nothing. A provisional turn counts.
        """
        if self.phase == PROVISIONAL:
            self._finalise()
        if self.phase in (OVER, RESTORE):
            return False
        if self._offers and (side == SHARED or self._offers != 1 << side):
            self._end(NOBODY, BY_AGREEMENT)
        else:
            self._offers = _BOTH_OFFER if side == SHARED else 1 << side
        return True

    def update(self, now_ms: int) -> bool:
        """Think about what changed and what time it is; return True when hints may look anew."""
        self._now_ms = now_ms
        if self.phase == PROVISIONAL and not self._stale:
            if now_ms - self._rest_since_ms < self.rest_ms:
                return False
            if self._is_shaky:
                self._reopen()
                self._ask(self._question.about_marker(True))
            else:
                self._finalise()
            return True
        if self.chooser is not None and self.chooser.update(now_ms):
            self._stale = True
        quiet = now_ms - self._edge_ms
        if self._early and self._stale:
            self._look_for_turn(self._stage, True)  # the marker came down
            self._take_early()
        stage = _MOVING
        if quiet >= self.settle_ms:
            stage = _DOUBTFUL if quiet >= self.doubt_ms else _SETTLED
        if not self._stale and stage == self._stage:
            return False
        self._stale = False
        before, self._stage = self._stage, stage
        if stage:
            self._felt = True
        if self.phase in (RESTORE, OVER):
            self._look_for_set_up()
        elif self.phase == TURN:
            self._look_for_turn(before)
        elif self.asked is not None and self.asked.is_astray:
            self._look_for_question(self.asked)
        elif self.phase == PROVISIONAL:
            self._stage = _MOVING  # a restless reed
        return True

    # ---- turns

    def _begin(self) -> None:
        """Start the turn of the player to move; what lies there is the position of the game."""
        game, reading = self.game, self.reading
        reading.begin()
        if any(self.health.kinds):
            faults.heal(reading, self.sink, self._now_ms)
        self.sight.start(game.state)
        self.sight.assume(game.table, 0)
        self.recovery.recovers = self.recovery.was_led = False
        self._understood = CERTAIN
        self._offers = 0
        self._enter(TURN)

    def _enter(self, phase: int) -> None:
        self.phase = phase
        if self.game.table.has and self.chooser is None:
            from chronotable.chooser import Chooser

            self.chooser = Chooser(self.reading)
        if self.chooser is not None:
            self.chooser.close()
        self._stale = True
        self._stage = _MOVING
        self._guides = False
        asked, self.asked = self.asked, None
        if asked is not None:
            asked.close(phase == TURN)
        if self.choices:  # an empty list more would be made in the path from reed to light
            self.choices = []

    def _take_early(self) -> None:
        """Let count what was lifted early: for the next turn, if the marker has ended this one."""
        early, self._early = self._early, []
        for sensor in early:
            if self.phase == PROVISIONAL:
                self._finalise()
            self.sight.feel(sensor, False)
            self._touch(sensor, False, False)
        self._stale = True

    def _touch(self, sensor: int, closed: bool, is_aim: bool) -> None:
        """Take an edge of a space, for the turn or, while a question is open, for nothing."""
        self._offers = 0
        if self.asked is not None:
            self.asked.touch(sensor, closed, self._now_ms)
        else:
            self.recovery.touch(sensor, closed, self._now_ms, self.phase == TURN, is_aim)

    def _look_for_turn(self, before: int, is_ended: bool = False) -> None:
        """See what lies there; `before` is the last look's stage, `is_ended` leaves no time."""
        game, reading, recovery = self.game, self.reading, self.recovery
        if self._won >= 0 and self._stage and reading.is_start():
            self._win_after_all()
            return
        found = reading.look()
        focus = self.sight.marker_era(game.state, game.mover)
        is_doubtful = self._stage == _DOUBTFUL
        if recovery.recovers:
            recovery.look(found, focus, self._stage == _SETTLED, is_doubtful)
        is_led = recovery.recovers and recovery.was_led
        if focus >= 0 and reading.whole >= 0 and not self._refused and not is_led:
            is_still = is_ended or self._stage > _MOVING
            choices = self._question.about_turn(focus, self._now_ms, is_still, recovery.was_led)
            if choices is None:
                self._settle_on(reading.turn_to(focus))
            else:
                self._ask(choices)
        elif self._stage > before:
            if not self._guides:
                self._guide(recovery.find_mistake(focus, is_doubtful, self._refused))
            if is_doubtful and not self._refused:
                # think of broken reeds
                if focus >= 0:
                    self._ask(self._question.about_others(focus, self._now_ms))
                elif not recovery.recovers:
                    self._ask(self._question.about_marker(False))

    def _win_after_all(self) -> None:
        """It was no take-back: who lifted the winner's marker cleared the table for a new game."""
        self.game.apply(self._won)
        self.sink.final(self._won, CERTAIN)
        self._end(self.game.winner(), BY_RULES)
        self._set_up_again()

    def _guide(self, reason: int) -> None:
        """Say what is asked for and why; a reason below 0 is none."""
        if reason < 0:
            return
        if self.phase == TURN and reason not in (why.UNFINISHED, why.MARKER_MISPLACED):
            self._understood = max(self._understood, CORRECTED)
        self._guides = True
        guidance = self.asked or self.recovery.guidance
        self.sink.guide(guidance.take, guidance.put, reason)

    def _ask(self, choices: "list[int]") -> bool:
        """Ask which of these turns was meant; return whether there are any."""
        if choices:
            self._enter(QUESTION)
            self._stale = False
            self.choices = choices
            self.asked = self._open_question
            self.asked.open(choices)
            self.sink.ask(choices)
        return len(choices) > 0

    def _is_astray(self) -> bool:
        """Tell whether something was touched since a question was asked, and is not back."""
        return self.asked is not None and self.asked.is_astray

    def _look_for_question(self, asked: "OpenQuestion") -> None:
        """Lead what was touched back: nothing but an answer decides what was asked."""
        if asked.is_back():
            if asked.is_led:
                asked.is_led = False
                self.sink.ask(self.choices)
        elif self._stage and asked.is_undone():
            self._restore()
            self.recovery.was_asked_for = True
        elif self._stage and not self._guides:
            asked.is_led = True
            self._guide(why.UNANSWERED)

    def _settle_on(self, turn: int) -> None:
        self._turn = turn
        self._is_shaky = False
        self._stood = len(self.game.turns), turn
        self._rest_since_ms = self._now_ms
        self._enter(PROVISIONAL)
        self._stale = False
        self.sink.provisional(turn)

    def _reopen(self) -> None:
        if self._understood == CERTAIN and self._now_ms - self._rest_since_ms >= self.settle_ms:
            self._understood = CORRECTED
        self._enter(TURN)
        self.sink.reopened()

    def _finalise(self) -> None:
        """Make the provisional turn count."""
        self.sight.keep()
        self.game.apply(self._turn)
        self._won = -1
        self.sink.final(self._turn, self._understood)
        won = self.game.winner()
        if won != NOBODY:
            self._end(won, BY_RULES)
        else:
            self._begin()

    def _end(self, won: int, by: int) -> None:
        self.sight.clear()
        self._offers = 0
        self.winner = won
        self._touched_since_end = False
        self._enter(OVER)
        self.sink.over(won, by)

    # ---- broken reeds

    def _find_flicker(self, sensor: int) -> None:
        """A reed changes quicker than a hand can: leave it out."""
        game, reading = self.game, self.reading
        faults.blame(reading, self.sink, sensor, reading.prefix, FLICKERS)
        self._stale = True
        number, turn = self._stood
        if number == len(game.turns) and sensor == FOCUS + 3 * game.mover + (turn >> 16):
            # no hand moved that marker
            record = game.table.find(turn & 0xFFFF)
            if self.phase == TURN and self.sight.lies_there(game.table, record):
                reading.whole = record
                self._settle_on(turn)
        elif self.phase == PROVISIONAL:
            self._reopen()  # what it said may have been wrong
        elif self.phase == QUESTION and not self._is_astray():
            self._enter(TURN)

    def _believe_hands(self) -> bool:
        """What the lights ask for lies there already: the reeds that say otherwise are broken."""
        if not faults.believe(self.recovery, self.asked, self.sink, self.phase == TURN):
            return False
        self._understood = ASKED
        self._edge_ms = self._now_ms
        self._stage = _MOVING
        self._guides = False
        self._stale = True
        return True

    # ---- taking back

    def _take_back_own(self, sensor: int) -> None:
        """Take the last turn back if its player lifts the marker again."""
        game = self.game
        is_won = self.phase == OVER and game.winner() != NOBODY
        if not (self.phase == TURN or is_won) or not self.reading.is_take_back(sensor):
            return
        self._won = game.turns[-1] if self.phase == OVER else -1
        turn = game.undo()
        self._stood = len(game.turns), turn
        self.sink.taken_back(turn)
        self.reading.begin()
        self.sight.go_back()
        self._understood = CORRECTED
        self._enter(TURN)

    # ---- set-up

    def _restore(self) -> None:
        self.reading.begin()
        recovery = self.recovery
        recovery.recovers = recovery.was_led = recovery.was_asked_for = False
        recovery.back_to = 0
        self._offers = 0
        self.sight.clear()
        recovery.compare(0)
        self._enter(RESTORE)

    def _look_for_set_up(self) -> None:
        """Wait for the position of the game, or after a game for a new start position."""
        recovery = self.recovery
        is_there = self.phase == RESTORE and recovery.look_for_position()
        may_begin = recovery.is_resumed or (self.phase == OVER and self._touched_since_end)
        if not is_there and may_begin and self._stage and self.reading.is_start():
            self._set_up_again()
            is_there = recovery.look_for_position()
        if self.phase == OVER:
            return
        if is_there:
            if recovery.is_new_game:
                recovery.is_new_game = False
                self.sink.started()
            recovery.is_resumed = False
            self._begin()
        elif self._stage and self._felt:
            recovery.was_asked_for = True
            if not self._guides:
                self._guide(why.SET_UP if recovery.is_new_game else why.RESTORE)
