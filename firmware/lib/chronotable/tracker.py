"""From reeds to turns: what the hands did, compared with what the rules allow.

Two rules this file lives by: what lies on the table is compared with the legal turns of the
engine, and no rule of the game is written here; only the focus marker ends a turn, no timer does.

The tracker is fed debounced edges and the time in ms, and tells a *sink* what it understood. A
sink has the methods started(), provisional(turn), reopened(), final(turn, understood),
taken_back(turn), ask(choices), guide(take, put, why) and over(winner, by), where turns are packed
as in ttykm.layout and take / put are bytearrays of sensors that are set to 1.
"""

from array import array

from chronotable import match, why
from chronotable.belief import Belief
from chronotable.match import OCCUPIED, TOUCHED
from chronotable.sensors import BUTTONS, FOCUS, SENSORS, SHARED, SPACES
from ttykm import layout, reasons
from ttykm.layout import BLACK, NOBODY, PARENT, RECORD_WORDS, SEQUENCE, WHITE
from ttykm.mp import const

if False:
    from typing import Protocol

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

_CHOICES = const(3)
_ALL_ERAS = const(7)
_BOTH_OFFER = const(3)
_MISSED = const(16)  # from here on the evidence against a record says: not touched and had to be


class Tracker:
    """The physical game: phase, touches, the record that lies there, and what is to be asked.

    `settle_ms` is how long an arrangement lies still before it is called illegal, `rest_ms` how
    long the marker rests before a turn is final. `seen` is the observation of the turn so far,
    `fresh` the same with the touches since the record `prefix` lay there.
    """

    def __init__(
        self, game: "Game", sink: "Sink", settle_ms: int = 250, rest_ms: int = 1000
    ) -> None:
        self.game = game
        self.sink = sink
        self.settle_ms = settle_ms
        self.rest_ms = rest_ms
        self.phase = RESTORE
        self.seen = match.observation()
        self.fresh = match.observation()
        self.costs = bytearray(2 * game.table.capacity)
        self.markers = 0  # bit player * 3 + era of each closed focus reed
        self.prefix = 0
        self.winner = NOBODY  # of the game that is over; NOBODY for a draw
        self.whole = -1  # the whole turn that lies there, its focus aside, or -1
        self.choices: list[int] = []
        self.free_start = True  # the markers say who begins
        self.take = bytearray(SENSORS)
        self.put = bytearray(SENSORS)
        self.belief = Belief()
        self._lifted_own = 0  # own copies of the focus era that were in a hand this turn
        self._previous = match.observation()  # what `seen` was when the last turn ended
        self._previous_lifted = 0
        self._understood = CERTAIN
        self._turn = 0
        self._edge_ms = 0
        self._rest_since_ms = 0
        self._guided = False
        self._offers = 0  # of a draw: bit 0 by white, bit 1 by black, both by a shared button
        self._new_game = True
        self._touched_since_end = False
        self._felt = False
        self._stale = True

    # ---- what comes in

    def set_up(self, state: "array[int] | None" = None, options: int = 0) -> None:
        """Ask for a position to be put on the table: the start of a game, or the given one."""
        self.free_start = state is None
        self._new_game = True
        self.game.start(layout.new_state() if state is None else state, options)
        self._restore()

    def begin_at(self, now_ms: int) -> None:
        """Say what time it is when the reeds are felt for the first time."""
        self._edge_ms = now_ms

    def has_felt(self) -> bool:
        """Tell whether the reeds had the time to say what lies there since power-on."""
        return self._felt

    def edge(self, sensor: int, closed: bool, now_ms: int) -> None:
        """Take one debounced change of a reed; `update` is due after the last of a scan."""
        space = sensor < SPACES
        if self.phase == PROVISIONAL:
            if not space and (sensor - FOCUS) // 3 == self.game.mover:
                self._reopen()
            else:
                self._finalise()
        elif self.phase == QUESTION:
            self._enter(TURN)
            self.choices = []
        if not space and not closed and self._is_take_back(sensor):
            self._take_back_own()
        if space:
            self._touch(sensor >> 4, 1 << (sensor & 15), closed)
        else:
            bit = 1 << (sensor - FOCUS)
            self.markers = self.markers | bit if closed else self.markers & ~bit
        self._edge_ms = now_ms
        self._guided = False
        self._stale = True
        self._touched_since_end = True
        self._felt = True

    def button(self, number: int, now_ms: int) -> None:
        """Take a pressed button, numbered from 0 as in sensors.BUTTONS."""
        name, side = BUTTONS[number]
        if name in ("a", "b", "c"):
            self.answer("abc".find(name), now_ms)
        elif name == "undo":
            self.undo(side)
        elif name == "resign":
            self.resign(side)
        elif name == "draw":
            self.offer_draw(side)

    def answer(self, choice: int, now_ms: int) -> bool:
        """Answer the open question with choice 0, 1 or 2, or a draw offer; False if none fits."""
        if self._offers and self.phase not in (OVER, QUESTION):
            self._offers = 0
            if choice == 0:
                self._end(NOBODY, BY_AGREEMENT)
            return True
        if self.phase != QUESTION or not 0 <= choice < len(self.choices):
            return False
        turn = self.choices[choice]
        self.choices = []
        self._understood = ASKED
        self._settle_on(turn, now_ms)
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
        self.sink.taken_back(game.undo())
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
        if self.phase == PROVISIONAL and not self._stale:
            if now_ms - self._rest_since_ms >= self.rest_ms:
                self._finalise()
                return True
            return False
        settled = now_ms - self._edge_ms >= self.settle_ms
        if not self._stale and (self._guided or not settled):
            return False
        changed = self._stale
        self._stale = False
        if settled:
            self._felt = True
        if self.phase in (RESTORE, OVER):
            self._look_for_set_up(settled)
        elif self.phase == TURN:
            self._look_for_turn(now_ms, settled)
        if settled:
            self._guided = True
        return changed or settled

    # ---- turns

    def _begin(self) -> None:
        """Start the turn of the player to move; what lies there is the position of the game."""
        self.game.legal()
        self._clear_touches()
        self.belief.start(self.game.state)
        self._lifted_own = 0
        self._understood = CERTAIN
        self.prefix = 0
        self.whole = -1
        self._offers = 0
        self._enter(TURN)

    def _enter(self, phase: int) -> None:
        self.phase = phase
        self._stale = True
        self._guided = False

    def _clear_touches(self) -> None:
        for era in range(3):
            self.seen[TOUCHED + era] = 0
            self.fresh[TOUCHED + era] = 0

    def _touch(self, era: int, bit: int, closed: bool) -> None:
        seen, fresh = self.seen, self.fresh
        self._offers = 0
        if self.phase == TURN:
            game = self.game
            if self._lies_there(0) and self.belief.is_certainly(game.state):
                self._clear_touches()
            own = game.state[3 * game.mover + era]
            if not closed and own & bit and era == layout.focus(game.state, game.mover):
                self._lifted_own |= bit
            self.belief.touch(era, bit, closed)
        seen[TOUCHED + era] |= bit
        fresh[TOUCHED + era] |= bit
        occupied = seen[OCCUPIED + era]
        occupied = occupied | bit if closed else occupied & ~bit
        seen[OCCUPIED + era] = occupied
        fresh[OCCUPIED + era] = occupied

    def _lies_there(self, index: int) -> bool:
        """Tell whether the presence of a record is what lies there."""
        records = self.game.table.records
        base = index * RECORD_WORDS
        for era in range(3):
            if records[base + era] | records[base + 3 + era] != self.seen[OCCUPIED + era]:
                return False
        return True

    def _look_for_turn(self, now_ms: int, settled: bool) -> None:
        table = self.game.table
        records = table.records
        match.compare(records, table.end, self.seen, match.POPULATION, self.costs)
        if not self._lies_there(0):
            exact = match.best_exact(records, 0, table.end, 0, self.costs)
        else:  # after a travel back and a lift the same spaces are taken as before the turn
            exact = -1 if self._holds_traveller() else 0
        if exact == 0 or (exact > 0 and (exact == self.prefix or self._is_evident(exact))):
            self.prefix = exact
            for era in range(3):
                self.fresh[TOUCHED + era] = 0
        self.whole = match.best_exact(records, 0, table.end, 1, self.costs)
        focus = self.marker_era(self.game.mover)
        if focus >= 0 and self.whole >= 0:
            self._judge(self.whole, focus, now_ms)
        elif settled:
            self._guide_turn(focus)

    def _holds_traveller(self) -> bool:
        """Tell whether the active copy that travelled back is in the hand for its second action."""
        if not self.prefix or self.prefix >= self.game.table.seconds:
            return False
        place = self.game.table.records[self.prefix * RECORD_WORDS + layout.ACTIVE]
        if place == layout.GONE or not self.belief.is_holding():
            return False
        return not self.seen[OCCUPIED + (place >> 4)] >> (place & 15) & 1

    def _judge(self, whole: int, focus: int, now_ms: int) -> None:
        """The marker stands and a whole turn lies there: take it, or ask."""
        table = self.game.table
        records = table.records
        known = array("H", (whole, 0, 0))
        count = 1
        cost = self.costs[2 * whole + 1]
        while count < _CHOICES:
            other = match.rival(records, table.end, known, count, self.costs)
            if other < 0:
                break
            against = self.costs[2 * other + 1]
            # a rival is out when a reed says that it is: one that had to be touched and was not,
            # or, when nothing at all speaks against the best, one touched without need
            if against >= _MISSED or (cost == 0 and against > 0):
                break
            known[count] = other
            count += 1
        turns = [
            focus << 16 | records[known[index] * RECORD_WORDS + SEQUENCE] for index in range(count)
        ]
        if count > 1 or not self._is_evident(whole):
            self.choices = turns
            self._enter(QUESTION)
            self._stale = False
            self.sink.ask(turns)
        else:
            self._settle_on(turns[0], now_ms)

    def _is_evident(self, index: int) -> bool:
        """Tell whether all was touched that had to be for a record, its copy's lift included."""
        if self.costs[2 * index + 1] >= _MISSED:
            return False
        table = self.game.table
        records = table.records
        base = index * RECORD_WORDS
        if self.prefix and records[base + PARENT] == self.prefix:
            # the first action lay there: what the second one changes was touched since then
            before = self.prefix * RECORD_WORDS
            for word in range(6):
                changed = records[base + word] ^ records[before + word]
                if changed & ~self.fresh[TOUCHED + word % 3]:
                    return False
        if self._lifted_own or index < table.firsts:
            return True
        # nothing of the own was lifted: only a copy that stays where it was can have acted
        bit = 1 << (records[base + SEQUENCE] >> 12)
        if index >= table.seconds:
            base = records[base + PARENT] * RECORD_WORDS
        mover = self.game.mover
        here = layout.focus(self.game.state, mover)
        return records[base + 3 * mover + here] & bit != 0

    def _settle_on(self, turn: int, now_ms: int) -> None:
        self._turn = turn
        self._rest_since_ms = now_ms
        self._enter(PROVISIONAL)
        self._stale = False
        self.sink.provisional(turn)

    def _reopen(self) -> None:
        if self._understood == CERTAIN:
            self._understood = CORRECTED
        self._enter(TURN)
        self.sink.reopened()

    def _finalise(self) -> None:
        """Make the provisional turn count."""
        for word in range(match.OBSERVATION_WORDS):
            self._previous[word] = self.seen[word]
        self._previous_lifted = self._lifted_own
        turn, understood = self._turn, self._understood
        self.game.apply(turn)
        self.sink.final(turn, understood)
        won = self.game.winner()
        if won != NOBODY:
            self._end(won, BY_RULES)
        else:
            self._begin()

    def _end(self, won: int, by: int) -> None:
        self._clear_touches()
        self._offers = 0
        self.choices = []
        self.winner = won
        self._touched_since_end = False
        self._enter(OVER)
        self.sink.over(won, by)

    # ---- taking back

    def _marker_sensor(self, era: int) -> int:
        """Return the focus sensor of the player to move in an era."""
        return FOCUS + 3 * self.game.mover + era

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
        seen = self.seen
        return not (seen[TOUCHED] or seen[TOUCHED + 1] or seen[TOUCHED + 2])

    def _take_back_own(self) -> None:
        self.sink.taken_back(self.game.undo())
        self.game.legal()
        self.prefix = 0
        for era in range(3):
            self.seen[TOUCHED + era] = self._previous[TOUCHED + era]
            self.fresh[TOUCHED + era] = self._previous[TOUCHED + era]
        self.belief.forget()
        self._lifted_own = self._previous_lifted
        self._understood = CORRECTED
        self._enter(TURN)

    # ---- markers

    def marker_era(self, player: int) -> int:
        """Return the era that a player's marker was moved to, or -1 while it has not been."""
        mine = self.markers >> 3 * player & _ALL_ERAS
        here = layout.focus(self.game.state, player)
        for era in range(3):
            if mine == 1 << era and era != here:
                return era
        return -1

    def is_marker_home(self, player: int) -> bool:
        """Tell whether a player's marker, and no other, stands at the focus of the position."""
        mine = self.markers >> 3 * player & _ALL_ERAS
        return mine == 1 << layout.focus(self.game.state, player)

    # ---- guidance

    def _restore(self) -> None:
        self.game.legal()
        self.prefix = 0
        self.choices = []
        self._offers = 0
        self._clear_touches()
        self._enter(RESTORE)

    def _look_for_set_up(self, settled: bool) -> None:
        """Wait for the position of the game, or after a game for a new start position."""
        if self.phase == OVER:
            if not settled or not self._touched_since_end or not self._starts():
                return
            self.set_up(None, self.game.options)
        if self.free_start and self._new_game:
            self._choose_first()
        if self.difference(0):
            if settled:
                self.sink.guide(self.take, self.put, why.SET_UP if self._new_game else why.RESTORE)
        else:
            if self._new_game:
                self._new_game = False
                self.sink.started()
            self._begin()

    def _starts(self) -> bool:
        """Tell whether the start position lies there, with markers for one of the two players."""
        for era in range(3):
            if self.seen[OCCUPIED + era] != 0x8001:
                return False
        return self.markers in (0o41, 0o14)

    def _choose_first(self) -> None:
        """Let the markers say who begins: the player whose marker is in the past (T4)."""
        first = BLACK if self.markers in (0o14, 0o10, 0o04) else WHITE
        if first != self.game.mover:
            self.game.start(layout.new_state(first), self.game.options)
            self.game.legal()

    def difference(self, index: int) -> int:
        """Fill `take` and `put` with what differs from a record's presence and the markers.

        The markers are wanted where the position has them. Returns the number of differences.
        """
        records = self.game.table.records
        base = index * RECORD_WORDS
        count = 0
        for era in range(3):
            wanted = records[base + era] | records[base + 3 + era]
            count += self._difference(era << 4, 16, wanted, self.seen[OCCUPIED + era])
        state = self.game.state
        wanted = 1 << layout.focus(state, WHITE) | 8 << layout.focus(state, BLACK)
        count += self._difference(FOCUS, 6, wanted, self.markers)
        return count

    def _difference(self, first: int, length: int, wanted: int, there: int) -> int:
        take, put = self.take, self.put
        count = 0
        for offset in range(length):
            missing = wanted >> offset & 1 and not there >> offset & 1
            extra = there >> offset & 1 and not wanted >> offset & 1
            put[first + offset] = 1 if missing else 0
            take[first + offset] = 1 if extra else 0
            if missing or extra:
                count += 1
        return count

    def _guide_turn(self, focus: int) -> None:
        """Name what is wrong with an arrangement that lies still, and what mends it."""
        table = self.game.table
        records = table.records
        if focus >= 0 and self._lies_there(self.prefix):
            # nothing is half done; actions are due
            reason = reasons.SECOND_ACTION_DUE if self.prefix else reasons.ACTIONS_DUE
            target = self.prefix
        else:
            target = match.nearest(records, 0, table.end, 1 if focus >= 0 else 0, self.costs)
            reason = why.UNFINISHED
            if target < 0:
                target = self.way_back()
                reason = self._why_no_turn()
        if not self.difference(target):
            return
        mover = self.game.mover
        if reason == why.UNFINISHED:
            for era in range(3):  # the mover's marker may stand where it was put
                self.take[FOCUS + 3 * mover + era] = self.put[FOCUS + 3 * mover + era] = 0
            opponent = FOCUS + 3 * (1 - mover)
            if self.lies_there() and any(self.take[opponent : opponent + 3]):
                reason = why.MARKER_MISPLACED
        if focus < 0 and (reason == why.UNFINISHED or not self._is_worth_saying()):
            return
        if reason not in (why.UNFINISHED, why.MARKER_MISPLACED):
            self._understood = max(self._understood, CORRECTED)
        self.sink.guide(self.take, self.put, reason)

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
        """Tell whether something lies where it should not; what is missing may be in a hand."""
        own = FOCUS + 3 * self.game.mover
        for sensor in range(SENSORS):
            if self.take[sensor] and not own <= sensor < own + 3:
                return True
        return False

    def _why_no_turn(self) -> int:
        """Name the mistake when no legal turn needs what was touched."""
        game = self.game
        here = layout.focus(game.state, game.mover)
        for era in range(3):
            own = game.state[3 * game.mover + era]
            if era != here and self.seen[TOUCHED + era] & own:
                return reasons.NO_COPY_THERE
        allowed = 0
        records = game.table.records
        for choice in range(1, game.table.firsts):
            allowed |= 1 << (records[choice * RECORD_WORDS + layout.ACTIVE] & 15)
        moved = self.seen[TOUCHED + here] & game.state[3 * game.mover + here]
        if moved and not moved & allowed:
            return reasons.CHOOSE_ABLER_COPY
        return why.NOT_A_TURN if moved else why.WRONG_COPY

    def may_end(self) -> bool:
        """Tell whether the marker may end the turn with what lies there."""
        if self._lies_there(0) and self.belief.is_holding():
            return False  # it looks like out and back, but a copy is on its way
        return self.whole >= 0 and self._is_evident(self.whole)

    def is_untouched(self) -> bool:
        """Tell whether the position before the turn lies there, with nothing in the hands."""
        return self.prefix == 0 and self._lies_there(0)

    def lies_there(self) -> bool:
        """Tell whether the record that lay there last still does."""
        return self._lies_there(self.prefix)
