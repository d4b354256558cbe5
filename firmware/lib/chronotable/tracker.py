"""From reeds to turns: what the hands did, compared with what the rules allow.

Three rules this file lives by: what lies on the table is compared with the legal turns of the
engine, and no rule of the game is written here; only the focus marker ends a turn, no timer does;
and what leaves a doubt is asked.

The tracker is fed debounced edges and the time in ms, and tells a *sink* what it understood. A
sink has the methods started(), provisional(turn), reopened(), final(turn, understood),
taken_back(turn), ask(choices), guide(take, put, why), fault(sensor, kind) and over(winner, by),
where turns are packed as in ttykm.layout and take / put are bytearrays of sensors that are set
to 1.
"""

from chronotable import doubt, match, why
from chronotable.belief import UNKNOWN
from chronotable.guidance import Guidance
from chronotable.health import DOES_NOT_CLOSE, FLICKERS, FOUND, HEALED, HEARD, Health
from chronotable.match import COUNTED, OCCUPIED, TOUCHED, TRUSTED
from chronotable.sensors import BUTTONS, FOCUS, SENSORS, SHARED, SPACES
from chronotable.sight import Sight
from ttykm import layout, reasons
from ttykm.layout import (
    BLACK,
    COMPLETE,
    NOBODY,
    PARENT,
    RECORD_WORDS,
    SEQUENCE,
    STATUS,
    WHITE,
)
from ttykm.mp import const

if False:
    from array import array
    from typing import Protocol

    from chronotable.doubt import Candidate
    from ttykm.game import Game

    class Sink(Protocol):
        """Who is told what the tracker understood."""

        def started(self) -> None: ...  # noqa: D102
        def provisional(self, turn: int) -> None: ...  # noqa: D102
        def reopened(self) -> None: ...  # noqa: D102
        def final(self, turn: int, understood: int) -> None: ...  # noqa: D102
        def taken_back(self, turn: int) -> None: ...  # noqa: D102
        def ask(self, choices: list[int]) -> None: ...  # noqa: D102
        def guide(self, take: bytearray, put: bytearray, why: int) -> None: ...  # noqa: D102
        def fault(self, sensor: int, kind: str) -> None: ...  # noqa: D102
        def over(self, winner: int, by: int) -> None: ...  # noqa: D102


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

NONE_OF_THESE = const(3)
"""The answer that no choice of a question was meant."""

_CHOICES = const(3)
_BOTH_OFFER = const(3)
_BUMP = const(3)  # pieces out of place that are more than one wrong move

# how long an arrangement lies still
_MOVING = const(0)
_SETTLED = const(1)
_DOUBTFUL = const(2)


class Tracker:
    """The physical game: phase, touches, the record that lies there, and what is to be asked.

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
        self.costs = bytearray(2 * game.table.capacity)
        self.prefix = 0
        self.winner = NOBODY  # of the game that is over; NOBODY for a draw
        self.whole = -1  # the whole turn that lies there, its focus aside, or -1
        self.choices: list[int] = []
        self.free_start = True  # the markers say who begins
        self.guidance = Guidance()
        self.recovers = False  # the lights ask for what lay there before, owner by owner
        self._is_bump = False  # more lies elsewhere than a wrong move explains
        self._back_to = 0  # the record that they ask for
        self._guides = False  # something is asked for, and nothing was touched since
        self._why = 0  # reason of the last guide
        self._pool: list[Candidate] = []  # candidates of the question, those on the lights first
        self._later: list[Candidate] = []  # those to be asked about when none of these was meant
        self._refused = False  # no candidate was meant
        self._previous = match.observation()  # what was seen when the last turn ended
        self._previous_lifted = 0
        self._has_previous = False
        self._understood = CERTAIN
        self._turn = 0
        self._doubted = (-1, 0)  # the turn that was taken back by agreement, and its number
        self._stood = (-1, 0)  # the number of the turn that a marker ended last, and that turn
        self._early: list[int] = []  # what the opponent lifted while the marker was in the air
        self._now_ms = 0
        self._edge_ms = 0
        self._rest_since_ms = 0
        self._stage = _MOVING
        self._offers = 0  # of a draw: bit 0 by white, bit 1 by black, both by a shared button
        self._new_game = True
        self._was_asked_for = False  # the set-up did not lie there at once
        self._touched_since_end = False
        self._felt = False
        self._stale = True

    # ---- what comes in

    def set_up(self, state: "array[int] | None" = None, options: int = 0) -> None:
        """Ask for a position to be put on the table: the start of a game, or the given one."""
        self.free_start = state is None
        self._new_game = True
        self._has_previous = False
        self._doubted = (-1, 0)
        self.game.start(layout.new_state() if state is None else state, options)
        self.sight.belief.forget()
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
        if not closed and space and self._is_early(sensor):
            self._early.append(sensor)
            return True
        own_marker = not space and (sensor - FOCUS) // 3 == self.game.mover
        if self._early and not (own_marker and closed):
            self._take_early()
        if self.phase == PROVISIONAL:
            if own_marker:
                self._reopen()
            elif not self.health.is_restless(sensor, now_ms):
                self._finalise()
        elif self.phase == QUESTION:
            self._enter(TURN)
            self.choices = []
        if not space and not closed and self._is_take_back(sensor):
            self._take_back_own()
        sight.feel(sensor, closed)
        if space:
            self._touch(sensor, closed)
        self._edge_ms = now_ms
        self._stage = _MOVING
        self._guides = False
        self._refused = False
        self._stale = True
        self._touched_since_end = True
        self._felt = True
        return True

    def button(self, number: int, now_ms: int) -> bool:
        """Take a pressed button, numbered from 0 as in BUTTONS; False if nothing waits for it."""
        self._now_ms = now_ms
        name, side = BUTTONS[number]
        if name in ("a", "b", "c"):
            return self.answer("abc".find(name), now_ms)
        if name == "action":
            return self.answer(NONE_OF_THESE, now_ms)
        if name == "undo":
            return self.undo(side)
        if name == "resign":
            return self.resign(side)
        return self.offer_draw(side)

    def answer(self, choice: int, now_ms: int) -> bool:
        """Answer the open question with choice 0, 1, 2 or NONE_OF_THESE; False if none fits.

        Choice 0 also agrees to a draw that is offered (another declines), and says that the table
        does not feel what is so: of a guide, that what it asks for lies there already; of a turn
        that can end, that the marker stands. Then the reeds are broken.
        """
        self._now_ms = now_ms
        if self._offers and self.phase not in (OVER, QUESTION):
            self._offers = 0
            if choice == 0:
                self._end(NOBODY, BY_AGREEMENT)
            return True
        if self.phase in (TURN, RESTORE) and self._guides and choice == 0:
            return self._believe_hands()
        if self.phase == PROVISIONAL and choice == NONE_OF_THESE:
            self._reject()
            return True
        if self.phase == TURN and choice == 0 and self._is_over():
            self._ask(doubt.shifts(self.game, self.sight, self.whole, True), [])
            return True
        if self.phase != QUESTION:
            return False
        if choice == NONE_OF_THESE:
            self._ask_next()
            return True
        if not 0 <= choice < len(self.choices):
            return False
        turn, blamed = self._pool[choice]
        self.choices = []
        record = self.whole = self.game.table.find(turn & 0xFFFF)
        for sensor in blamed:
            self._blame(sensor, record)
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
        self._doubted = len(game.turns), turn
        self._has_previous = False
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

        Where the sides are known, the same one twice is no agreement. A provisional turn counts
        before.
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
            if now_ms - self._rest_since_ms >= self.rest_ms:
                self._finalise()
                return True
            return False
        quiet = now_ms - self._edge_ms
        if self._early and self._stale:
            self._look_for_turn(self._stage)  # the marker came down
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
        elif self.phase == PROVISIONAL:
            self._stage = _MOVING  # a restless reed
        return True

    # ---- turns

    def _begin(self) -> None:
        """Start the turn of the player to move; what lies there is the position of the game."""
        game = self.game
        game.legal()
        self._heal()
        self.sight.start(game.state)
        self.sight.assume(game.table.records, 0)
        self._understood = CERTAIN
        self.prefix = 0
        self.whole = -1
        self._offers = 0
        self.recovers = False
        self._enter(TURN)

    def _enter(self, phase: int) -> None:
        self.phase = phase
        self._stale = True
        self._stage = _MOVING
        self._guides = False

    def _touch(self, sensor: int, closed: bool) -> None:
        sight, game = self.sight, self.game
        era, bit = sensor >> 4, 1 << (sensor & 15)
        self._offers = 0
        is_own = False
        told = -1
        if self.phase == TURN:
            records = game.table.records
            if not self.prefix and sight.is_touched() and sight.is_certain_of(records, 0):
                sight.rest_on(records, 0)
                sight.went_out = sight.lifted_own != 0
            own = game.state[3 * game.mover + era]
            is_own = own & bit != 0 and era == layout.focus(game.state, game.mover)
            if self.recovers:
                told = self.guidance.wanted(era, bit)
        else:
            told = self.guidance.wanted(era, bit) if self._was_asked_for else UNKNOWN
            told = UNKNOWN if told < 0 else told
        sight.touch(sensor, closed, self._now_ms, is_own, told)

    def _is_early(self, sensor: int) -> bool:
        """Tell whether the opponent lifts a copy while the mover's marker is still in the air."""
        game, sight = self.game, self.sight
        if self.phase != TURN or sight.spots(game.mover) or not self.may_end():
            return False
        base = self.whole * RECORD_WORDS
        theirs = game.table.records[base + 3 * (1 - game.mover) + (sensor >> 4)]
        return theirs >> (sensor & 15) & 1 != 0

    def _take_early(self) -> None:
        """Let count what was lifted early: for the next turn, if the marker has ended this one."""
        early, self._early = self._early, []
        for sensor in early:
            if self.phase == PROVISIONAL:
                self._finalise()
            self.sight.feel(sensor, False)
            self._touch(sensor, False)
        self._stale = True

    def _look_for_turn(self, before: int) -> None:
        """See what lies there; `before` is the stage of the last look."""
        game, sight = self.game, self.sight
        table = game.table
        records = table.records
        match.compare(records, table.end, sight.seen, match.POPULATION, self.costs)
        self._look_for_prefix()
        if self.recovers and sight.is_laid(records, self._back_to):
            self.prefix = self._back_to
            sight.rest_on(records, self.prefix)
            if not self.prefix:
                sight.lifted_own = 0
            self.recovers = False
            match.compare(records, table.end, sight.seen, match.POPULATION, self.costs)
        self.whole = match.best_exact(records, 0, table.end, 1, self.costs)
        focus = sight.marker_era(game.state, game.mover)
        if focus >= 0 and self.whole >= 0 and not self._refused:
            self._judge(focus)
        elif self._stage > before:
            self._guide_turn(focus)
            if self._stage == _DOUBTFUL and not self._refused:
                self._doubt(focus)

    def _look_for_prefix(self) -> None:
        """Find the partial turn that lies there, if what had to be touched for it was."""
        sight, table = self.sight, self.game.table
        records = table.records
        if not sight.lies_there(records, 0):
            exact = match.best_exact(records, 0, table.end, 0, self.costs)
        else:  # after a travel back and a lift the same spaces are taken as before the turn
            exact = -1 if self._holds_traveller() else 0
        if exact == 0 or (exact > 0 and (exact == self.prefix or self._is_evident(exact))):
            if exact != self.prefix:
                self.prefix = exact
                sight.assume(records, exact)
            sight.refresh()
            if self.recovers and exact != self._back_to and self._may_go_on(exact):
                self.recovers = False

    def _may_go_on(self, exact: int) -> bool:
        """Tell whether a legal arrangement on the way back is where the hands want to be."""
        if self._stage == _DOUBTFUL:
            return True
        return not self._is_bump if exact else self._stage == _SETTLED

    def _holds_traveller(self) -> bool:
        """Tell whether the active copy that travelled back is in the hand for its second action."""
        if not self.prefix or self.prefix >= self.game.table.seconds:
            return False
        place = self.game.table.records[self.prefix * RECORD_WORDS + layout.ACTIVE]
        if place == layout.GONE or not self.sight.belief.is_holding():
            return False
        seen = self.sight.seen
        era, bit = place >> 4, 1 << (place & 15)
        return not seen[OCCUPIED + era] & bit and seen[TRUSTED + era] & bit != 0

    def _judge(self, focus: int) -> None:
        """The marker stands and a whole turn lies there: take it, or ask once it lies still."""
        game, sight, costs = self.game, self.sight, self.costs
        whole = self.whole
        exact = doubt.exact(game, sight, costs, whole)
        against = costs[2 * whole + 1]
        turn = focus << 16 | game.table.records[whole * RECORD_WORDS + SEQUENCE]
        is_evident = self._is_evident(whole)
        others = []
        if is_evident and self._doubted == (len(game.turns), turn):
            others = doubt.near(game, sight, costs, self._now_ms, 15)
        elif is_evident and against:
            # a broken reed may explain better what was touched
            others = doubt.near(game, sight, costs, self._now_ms, against - 1)
        elif is_evident and sight.is_restless(self._now_ms):
            others = [
                other
                for other in doubt.near(game, sight, costs, self._now_ms, 0)
                if self.health.is_restless(other[2], self._now_ms)
            ]
        if is_evident and len(exact) == 1 and not others:
            self._settle_on(turn)
        elif self._stage:
            first = doubt.turns(game, focus, exact, others)
            if not is_evident:
                others = doubt.near(game, sight, costs, self._now_ms, against & 15)
            self._ask(first, doubt.turns(game, focus, exact, others)[len(first) :])

    def _is_evident(self, index: int) -> bool:
        """Tell whether all was touched that had to be for a record, its copy's lift included."""
        if self.costs[2 * index + 1] >= doubt.MISSED:
            return False
        table, sight = self.game.table, self.sight
        records = table.records
        base = index * RECORD_WORDS
        if self.prefix and records[base + PARENT] == self.prefix:
            # the first action lay there: what the second one changes was touched since then
            before = self.prefix * RECORD_WORDS
            for word in range(6):
                changed = records[base + word] ^ records[before + word]
                if changed & ~sight.fresh[TOUCHED + word % 3]:
                    return False
        if sight.lifted_own or index < table.firsts:
            return True
        # nothing of the own was lifted: only a copy that stays where it was can have acted
        return doubt.stays(self.game, index) or doubt.acts_unfelt(self.game, sight, index)

    # ---- questions

    def _doubt(self, focus: int) -> None:
        """Nothing legal lies there, or no marker stands: think of broken reeds."""
        game, sight = self.game, self.sight
        if focus >= 0:
            others = doubt.near(game, sight, self.costs, self._now_ms, 15)
            self._ask(doubt.turns(game, focus, [], others), [])
        elif self._is_over():
            self._ask(doubt.shifts(game, sight, self.whole, False), [])

    def _is_over(self) -> bool:
        """Tell whether a whole turn lies there that needs nothing but its marker."""
        return not self.recovers and self.whole >= 0 and self._is_evident(self.whole)

    def _ask(self, candidates: "list[Candidate]", later: "list[Candidate]") -> None:
        """Ask which of the candidates was meant, three at a time; of the later ones then."""
        if not candidates:
            return
        self._pool = candidates
        self._later = later
        self.choices = [turn for turn, _ in candidates[:_CHOICES]]
        self._enter(QUESTION)
        self._stale = False
        self.sink.ask(self.choices)

    def _ask_next(self) -> None:
        """None of these: ask on, or let the lights say what is wrong."""
        rest, later = self._pool[_CHOICES:], self._later
        self.choices = []
        self._enter(TURN)
        self._refused = True
        if rest:
            self._ask(rest, later)
        else:
            self._ask(later, [])

    def _reject(self) -> None:
        """The provisional turn was not meant: ask about the others, broken reeds included."""
        game, turn = self.game, self._turn
        self._reopen()
        self._stale = False
        exact = doubt.exact(game, self.sight, self.costs, self.whole)
        others = doubt.near(game, self.sight, self.costs, self._now_ms, 15)
        candidates = doubt.turns(game, turn >> 16, exact, others)
        self._refused = True
        self._ask([each for each in candidates if each[0] != turn], [])

    def _settle_on(self, turn: int) -> None:
        self._turn = turn
        self._stood = len(self.game.turns), turn
        self._rest_since_ms = self._now_ms
        self._enter(PROVISIONAL)
        self._stale = False
        self.sink.provisional(turn)

    def _reopen(self) -> None:
        passing = self._now_ms - self._rest_since_ms < self.settle_ms
        if self._understood == CERTAIN and not passing:
            self._understood = CORRECTED
        self._enter(TURN)
        self.sink.reopened()

    def _finalise(self) -> None:
        """Make the provisional turn count."""
        sight = self.sight
        for word in range(match.OBSERVATION_WORDS):
            self._previous[word] = sight.seen[word]
        self._previous_lifted = sight.lifted_own
        self._has_previous = True
        turn, understood = self._turn, self._understood
        self.game.apply(turn)
        self.sink.final(turn, understood)
        won = self.game.winner()
        if won != NOBODY:
            self._end(won, BY_RULES)
        else:
            self._begin()

    def _end(self, won: int, by: int) -> None:
        self.sight.clear()
        self._offers = 0
        self.choices = []
        self.winner = won
        self._touched_since_end = False
        self._enter(OVER)
        self.sink.over(won, by)

    # ---- broken reeds

    def _find_flicker(self, sensor: int) -> None:
        """A reed changes quicker than a hand can: leave it out."""
        self._blame(sensor, self.prefix, FLICKERS)
        self._stale = True
        number, turn = self._stood
        if number == len(self.game.turns) and sensor == self._spot_of(turn):
            # no hand moved that marker
            record = self.game.table.find(turn & 0xFFFF)
            if self.phase == TURN and self.sight.lies_there(self.game.table.records, record):
                self.whole = record
                self._settle_on(turn)
            return
        if self.phase == PROVISIONAL:
            self._reopen()  # what it said may have been wrong
        elif self.phase == QUESTION:
            self.choices = []
            self._enter(TURN)

    def _spot_of(self, turn: int) -> int:
        """Return the focus sensor where the mover's marker ends a turn."""
        return FOCUS + 3 * self.game.mover + (turn >> 16)

    def _believe_hands(self) -> bool:
        """What the lights ask for lies there already: the reeds that say otherwise are broken."""
        sight, guidance = self.sight, self.guidance
        sensors = guidance.sensors()
        if self.phase == TURN and self._why != why.MARKER_MISPLACED:
            # the mover's marker may stand where it was put: that is for the turn to say
            sensors = [sensor for sensor in sensors if sensor < SPACES]
        if not self.health.may_blame(sensors):
            return False
        record = self._back_to if self.phase == TURN else 0
        for sensor in sensors:
            era, bit = sensor >> 4, 1 << (sensor & 15)
            there = sensor < SPACES and sight.seen[OCCUPIED + era] & bit
            if sensor < SPACES and there and guidance.wanted(era, bit) >= 0:
                sight.belief.set(era, bit, guidance.wanted(era, bit))
            else:
                self._blame(sensor, record)
        self._understood = ASKED
        self._edge_ms = self._now_ms
        self._stage = _MOVING
        self._guides = False
        self._stale = True
        return True

    def _blame(self, sensor: int, record: int, kind: str = "") -> None:
        """Name a broken reed and leave it out; a record says what lies there."""
        if self.health.kinds[sensor]:
            return
        kind = kind or self.health.kind_of(sensor, self.sight.closed())
        self.health.distrust(sensor, kind)
        records = self.game.table.records
        self.sight.distrust(sensor, records, record)
        if sensor < SPACES:
            era, bit = sensor >> 4, 1 << (sensor & 15)
            base = record * RECORD_WORDS
            white, black = records[base + era] & bit, records[base + 3 + era] & bit
            self.sight.belief.set(era, bit, 0 if white else 1 if black else -1)
        self.sink.fault(sensor, kind)
        if kind == DOES_NOT_CLOSE:
            for other in self.health.gone_with(sensor, self.sight.closed()):
                self._blame(other, record, kind)

    def _heal(self) -> None:
        """Trust the reeds again that seem to work and say what the game says."""
        sight, game = self.sight, self.game
        for sensor in range(SENSORS):
            if self.health.kinds[sensor] and self.health.may_heal(sensor, self._now_ms):
                era = sensor >> 4 if sensor < SPACES else (sensor - FOCUS) % 3
                if sensor < SPACES:
                    there = (game.state[era] | game.state[3 + era]) >> (sensor & 15) & 1
                else:
                    there = layout.focus(game.state, (sensor - FOCUS) // 3) == era
                if sight.is_closed(sensor) == bool(there):
                    self.health.heal(sensor)
                    sight.trust(sensor)
                    self.sink.fault(sensor, HEALED)

    # ---- taking back

    def _is_take_back(self, sensor: int) -> bool:
        """Tell whether the last player lifts the marker again before the opponent lifted."""
        game = self.game
        if not game.turns or self.phase not in (TURN, OVER):
            return False
        if self.phase == OVER and game.winner() == NOBODY:
            return False
        last = 1 - game.mover
        if sensor != FOCUS + 3 * last + layout.focus(game.state, last):
            return False
        return not self.sight.is_touched()

    def _take_back_own(self) -> None:
        sight = self.sight
        turn = self.game.undo()
        self._stood = len(self.game.turns), turn
        self.sink.taken_back(turn)
        self.game.legal()
        self.prefix = 0
        if self._has_previous:
            for era in range(3):
                for word in (TOUCHED, COUNTED):
                    sight.seen[word + era] = sight.fresh[word + era] = self._previous[word + era]
            sight.lifted_own = self._previous_lifted
        else:
            sight.excuse()
        self._has_previous = False
        sight.belief.forget()
        self._understood = CORRECTED
        self._enter(TURN)

    # ---- set-up

    def _restore(self) -> None:
        self.game.legal()
        self.prefix = 0
        self.choices = []
        self._offers = 0
        self.recovers = False
        self._was_asked_for = False
        self.sight.clear()
        self._enter(RESTORE)

    def _look_for_set_up(self) -> None:
        """Wait for the position of the game, or after a game for a new start position."""
        if self.phase == OVER:
            if not self._stage or not self._touched_since_end or not self._starts():
                return
            self.set_up(None, self.game.options)
        if self.free_start and self._new_game:
            self._choose_first()
        if self._compare_with(0) or self.confirms():
            if self._stage and self._felt:
                self._was_asked_for = True
                if not self._guides:
                    self._guide(why.SET_UP if self._new_game else why.RESTORE)
        else:
            if self._new_game:
                self._new_game = False
                self.sink.started()
            self._begin()

    def confirms(self) -> bool:
        """Tell whether the lights ask for confirming lifts.

        They do where a piece lay that may be anybody's, once the lights had to ask for anything;
        what people set up for a new game is taken as it lies, they see whose is whose.
        """
        if self.phase == TURN:
            return self.recovers
        return self._was_asked_for and not self.free_start and self.guidance.has_doubts()

    def compare_with_wanted(self) -> int:
        """Fill `guidance` with what differs from what is asked for; return how much that is."""
        return self._compare_with(self._back_to if self.phase == TURN else 0)

    def _compare_with(self, record: int) -> int:
        game, sight = self.game, self.sight
        state = game.state
        markers = 1 << layout.focus(state, WHITE) | 8 << layout.focus(state, BLACK)
        self.guidance.aim(game.table.records, record * RECORD_WORDS, markers)
        return self.guidance.compare(sight.seen, sight.markers, self.health.markers, sight.belief)

    def _starts(self) -> bool:
        """Tell whether the start position lies there, with markers for one of the two players."""
        seen = self.sight.seen
        for era in range(3):
            if (seen[OCCUPIED + era] ^ 0x8001) & seen[TRUSTED + era]:
                return False
        felt = ~self.health.markers
        return not (self.sight.markers ^ 0o41) & felt or not (self.sight.markers ^ 0o14) & felt

    def _choose_first(self) -> None:
        """Let the markers say who begins: the player whose marker is in the past (T4)."""
        first = BLACK if self.sight.markers in (0o14, 0o10, 0o04) else WHITE
        if first != self.game.mover:
            self.game.start(layout.new_state(first), self.game.options)
            self.game.legal()

    # ---- guidance in a turn

    def _guide(self, reason: int) -> None:
        self._guides = True
        self._why = reason
        self.sink.guide(self.guidance.take, self.guidance.put, reason)

    def _guide_turn(self, focus: int) -> None:
        """Name what is wrong with an arrangement that lies still, and what mends it."""
        game, sight, guidance = self.game, self.sight, self.guidance
        table = game.table
        records = table.records
        if self._guides:
            return
        if focus >= 0 and sight.lies_there(records, self.prefix):
            # nothing is half done; actions are due
            reason = reasons.SECOND_ACTION_DUE if self.prefix else reasons.ACTIONS_DUE
            target = self.prefix
        else:
            target = match.nearest(records, 0, table.end, 1 if focus >= 0 else 0, self.costs)
            reason = why.UNFINISHED
            if target < 0 or self.recovers or self._refused:
                target = self._back_to if self.recovers else self.way_back()
                reason = self._why_no_turn()
        differences = self._compare_with(target)
        if reason == why.UNFINISHED:
            reason = self._marker_reason(focus)
        elif focus >= 0 and records[target * RECORD_WORDS + STATUS] & COMPLETE:
            differences -= self._spare_marker()
        if focus < 0 and (
            reason == why.UNFINISHED or (not self.recovers and not self._is_worth_saying())
        ):
            return
        if self.recovers and guidance.has_doubts():
            differences += 1
        if not differences:
            return
        if reason not in (why.UNFINISHED, why.MARKER_MISPLACED):
            self._understood = max(self._understood, CORRECTED)
            if reason not in (reasons.SECOND_ACTION_DUE, reasons.ACTIONS_DUE):
                self._is_bump = (self.recovers and self._is_bump) or guidance.displaced() >= _BUMP
                self.recovers = self.recovers or guidance.takes_too_much()
        self._back_to = target
        self._guide(reason)

    def _marker_reason(self, focus: int) -> int:
        """Return whether it is only markers that are wrong; the mover's may stand where it is."""
        game, sight, guidance = self.game, self.sight, self.guidance
        opponent = 1 - game.mover
        other = FOCUS + 3 * opponent
        wrong = any(guidance.take[other : other + 3])
        missing = any(guidance.put[other : other + 3]) and self._stage == _DOUBTFUL
        spots = sight.spots(game.mover)
        if focus < 0 and spots & (spots - 1):
            wrong = True  # two spots are taken
        else:
            self._spare_marker()
        if self.lies_there() and (wrong or missing):
            return why.MARKER_MISPLACED
        return why.UNFINISHED

    def _spare_marker(self) -> int:
        """Ask nothing of the mover's marker, which may stand where it is; return what that was."""
        guidance = self.guidance
        first = FOCUS + 3 * self.game.mover
        count = 0
        for sensor in range(first, first + 3):
            count += guidance.take[sensor] + guidance.put[sensor]
            guidance.take[sensor] = guidance.put[sensor] = 0
        return count

    def way_back(self) -> int:
        """Return the record to go back to from an arrangement that fits no turn.

        That is what lay there last, if anything was placed for it: pieces that were only lifted
        may be in a hand, and their deaths (T21) are nothing to go back to.
        """
        if self.costs[2 * self.prefix] > self.costs[0]:
            return 0
        records = self.game.table.records
        base = self.prefix * RECORD_WORDS
        for era in range(3):
            there = records[base + era] | records[base + 3 + era]
            if there & ~(records[era] | records[3 + era]):
                return self.prefix
        return 0

    def _is_worth_saying(self) -> bool:
        """Tell whether something lies where it should not; what is missing may be in a hand.

        No hand takes two pieces of one line at the same moment, though.
        """
        guidance = self.guidance
        first = FOCUS + 3 * (1 - self.game.mover)
        spots = self.sight.spots(self.game.mover)
        return (
            guidance.takes_too_much()
            or self.health.lost_line
            or any(guidance.take[first : first + 3])
            or spots & (spots - 1) != 0
            or (self._stage == _DOUBTFUL and any(guidance.put[first : first + 3]))
        )

    def _why_no_turn(self) -> int:
        """Name the mistake when no legal turn needs what was touched."""
        game, seen = self.game, self.sight.seen
        here = layout.focus(game.state, game.mover)
        for era in range(3):
            own = game.state[3 * game.mover + era]
            if era != here and seen[COUNTED + era] & own:
                return reasons.NO_COPY_THERE
        allowed = 0
        records = game.table.records
        for choice in range(1, game.table.firsts):
            allowed |= 1 << (records[choice * RECORD_WORDS + layout.ACTIVE] & 15)
        moved = seen[TOUCHED + here] & seen[TRUSTED + here] & game.state[3 * game.mover + here]
        if moved and not moved & allowed:
            return reasons.CHOOSE_ABLER_COPY
        return why.NOT_A_TURN if moved else why.WRONG_COPY

    # ---- what hints want to know

    def may_end(self) -> bool:
        """Tell whether the marker may end the turn with what lies there."""
        if self.recovers:
            return False
        if self.sight.lies_there(self.game.table.records, 0) and self.sight.belief.is_holding():
            return False  # it looks like out and back, but a copy is on its way
        return self.whole >= 0 and self._is_evident(self.whole)

    def is_untouched(self) -> bool:
        """Tell whether the position before the turn lies there, with nothing in the hands."""
        return self.prefix == 0 and self.sight.lies_there(self.game.table.records, 0)

    def lies_there(self) -> bool:
        """Tell whether the record that lay there last still does."""
        return self.sight.lies_there(self.game.table.records, self.prefix)
