"""One end's table, kept together with the log of a game far apart.

Three rules. The log is the truth: a turn of this end's own side is written there as soon as the
table has it, before any screen hears of it, and in all else the table is led to the log's game.
What is due follows from the two lines each time (orders.py), so that nothing is lost where either
end, the table or this program vanish at any moment. And what the table itself keeps of the game is
none: the record is made of the log (room_records.py).
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from chronotable.hardware.sensors import BUTTON, BUTTONS
from chronotable.link.frames import LocalLinkError
from chronotable_far.entries import DRAW, NO, RESIGN, TAKE_BACK, TURN, YES
from chronotable_far.news import news
from chronotable_far.orders import AtTable, Due, LoggedGame, Orders, common_turns, due, voided_turn
from chronotable_far.sitting import Sitting
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.live.happenings import GameOver, Happening, Notice, Started, TakenBack, Turn
from chronotable_host.live.players.negotiation import NOT_YOURS
from chronotable_host.rules.notation import PLAYERS
from chronotable_host.rules.record import RESULTS, Record
from ttykm import layout
from ttykm.game import Game, digest

if TYPE_CHECKING:
    from chronotable_far.course import Course, PlayedTurn
    from chronotable_far.room import FarRoom
    from chronotable_far.room_records import TableGames
    from chronotable_host.live.desk import Desk

_SURELY = 2  # turns in common from which on a table's game is taken for the room's
_UNDO = frozenset(
    (BUTTON + number, side) for number, (name, side) in enumerate(BUTTONS) if name == "undo"
)


class Bridge:
    """Joins a desk's table to a room; `sitting` says who has which side at the table.

    The desk is told what happens far away, `changed` that the game is another than before.
    `table_games` knows which games of tables are the room's. A game that goes on at the table gives
    way once `gives_way` is set, as `is_put_off` tells; with `lays_ends` one that is over is set up.
    """

    def __init__(
        self,
        desk: Desk,
        room: FarRoom,
        sitting: Sitting,
        table_games: TableGames,
        changed: Callable[[Course], None] = lambda _course: None,
        left_s: Callable[[int], int | None] = lambda _side: None,
        lays_ends: bool = False,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.room = room
        self.gives_way = False
        self.is_put_off = False
        self._session = desk.session
        self._mirror = desk.mirror
        self._sitting = sitting
        self._table_games = table_games
        self._tell = desk.tell
        self._changed = changed
        self._left_s = left_s
        self._lays_ends = lays_ends
        self._wall_clock = clock
        self._course: Course | None = None
        self._turns: list[int] = []
        self._states: list[array[int]] = []
        self._orders = Orders(desk)
        self._asked_by_hands = 0  # the number of this end's question, where they took turns back
        self._undo_pressed = -1  # how many turns there were when this end's player pressed it
        self._offers: set[int] = set()  # who offers a draw at the table, as it was seen last
        self._void: int | None = None  # the turn that the log had where it ends, before
        self._failed: object = None  # what the room did not take
        self._led: tuple[int, int] | None = None  # the turn that hands are led to, and behind which
        desk.mirror.elsewhere = self._recognise
        desk.mirror.table.listeners.append(self._touch)

    # ---- what people ask for

    def ask_back(self) -> None:
        """Ask the other end to go back to this player's own last decision; raises UserError."""
        own, count = self._own, len(self._turns)
        back = count - 1 if count and self._mover(count - 1) == own else count - 2
        if back < 0:
            raise UserError(NOT_YOURS)
        self.write(TAKE_BACK, to=back)

    def offer_draw(self) -> None:
        """Offer a draw, or take the one that is offered; raises UserError."""
        self.write(YES if self._is_asked(DRAW) else DRAW)

    def write(self, kind: str, **fields: Any) -> None:
        """Write something into the log, as `FarRoom.append` has it; raises UserError."""
        self.room.append(kind, **fields)
        self._take_course()

    @property
    def own(self) -> int | None:
        """The side of this end's player, None before anybody knows."""
        course = self._course
        return None if course is None or course.begin is None else course.sides[self.room.end]

    @property
    def is_waiting(self) -> bool:
        """Whether hands took turns back, and the other end has not answered yet."""
        return self._is_ours and self._due() is Due.WAIT

    @property
    def being_set_up(self) -> array[int] | None:
        """The position that the table was asked to set up, None where it has it."""
        return self._orders.asked

    # ---- the log

    @property
    def _own(self) -> int:
        own = self.own
        if own is None:
            raise UserError(tr("the game has not begun yet"))
        return own

    @property
    def _log(self) -> Course:
        assert self._course is not None
        return self._course

    def _mover(self, count: int) -> int:
        """Return whose turn it is behind so many."""
        return layout.mover(self._states[0]) ^ (count & 1)

    def _is_asked(self, kind: str) -> bool:
        question = self.room.course.question
        return question is not None and question.kind == kind and question.by != self.room.end

    def _asks_back_to(self) -> int | None:
        """Return to how many turns this end wants to go back, None where it does not."""
        question = self._log.question
        if question is None or question.by != self.room.end or question.kind != TAKE_BACK:
            return None
        return question.to

    def _line(self) -> LoggedGame:
        count = len(self._turns)
        is_over = self._log.result is not None or bool(self._log.problem or self.room.stopped)
        is_own = self._mover(count) == self.own
        return LoggedGame(self._turns, is_own, is_over, self._asks_back_to(), self._void)

    def _take_course(self) -> None:
        """Look at what the log says by now, and tell what is new."""
        course = self.room.course
        if course is self._course:
            return
        before, self._course = self._course, course
        turns = [each.turn for each in course.line]
        if before is None:
            self._void = _taken_back(course)
        elif turns != self._turns:
            self._void = voided_turn(self._turns, turns) if before.games == course.games else None
        self._turns = turns
        self._states = [course.start, *(each.state for each in course.line)]
        self._changed(course)
        for sentence in news(before, course, self.room.end):
            self._tell(Notice(None, sentence))

    def to_play(self) -> list[int]:
        """Return the turns to which hands are led now."""
        if not self._is_ours or self._due() is Due.WAIT:
            return []
        return self._turns

    # ---- the table's game

    @property
    def _is_ours(self) -> bool:
        """Whether the table plays the present game of the room."""
        course, mirror = self._course, self._mirror
        if course is None or course.begin is None or not mirror.has_game:
            return False
        return self._table_games.games_of(mirror.source) == course.games

    def _due(self) -> Due:
        mirror = self._mirror
        undoable = mirror.turns_of_table
        return due(self._line(), AtTable(mirror.game.turns, mirror.is_over, undoable))

    def _recognise(self, source: str, record: Record) -> Record | None:
        """Return what came before a game of the table where it is one of this room, else None.

        What the log lacks of it is written there: afterwards the table may forget it.
        """
        course = self._course
        if course is None or course.begin is None:
            return None
        if record.options != course.options or not self._is_of_room(source, record):
            return None
        self._table_games.note(source, course.games)
        earlier = Record(course.start, course.options)
        earlier.turns = self._turns[: self._at(record)]
        return earlier

    def _is_of_room(self, source: str, record: Record) -> bool:
        known = self._table_games.games_of(source)
        if known is not None:
            return known == self._log.games
        if self.being_set_up is not None and not record.turns:
            return self.being_set_up == record.start
        # a table that another computer of this player's led before
        at = self._at(record)
        if at < 0:
            return False
        return at + common_turns(self._turns[at:], record.turns) >= _SURELY

    def _at(self, record: Record) -> int:
        """Return behind how many turns of the log a game of the table began, -1 for none."""
        found = [at for at, state in enumerate(self._states) if state == record.start]
        return max(found, key=lambda at: common_turns(self._turns[at:], record.turns), default=-1)

    # ---- what happens at the table

    def hear(self, happening: Happening) -> None:
        """Take what a mirror tells, before anybody else does; raises OSError."""
        if isinstance(happening, Started):
            self._void = None
            self._orders.hear_started(happening.started)
        elif isinstance(happening, Turn):
            self._append_due()
        elif isinstance(happening, TakenBack):
            self._hear_taken_back()
        elif isinstance(happening, GameOver):
            self._hear_end(happening)

    def _append_due(self) -> None:
        """Write the turn that the table has and the log has not, where it is this end's."""
        self._take_course()
        if not self._is_ours:
            return
        what = self._due()
        if what is Due.NOTHING:
            self._withdraw()
        if what is not Due.APPEND:
            return
        mirror, number = self._mirror, len(self._turns)
        turn, after = mirror.game.turns[number], _after(mirror.game, number)
        token = number, turn, self._log
        if self._failed == token:
            return
        try:
            self.room.append(
                TURN,
                turn=turn,
                number=number + 1,
                digest=digest(after),
                at_ms=self._at_ms(),
                how=mirror.how[number],
                left_s=self._left_s(self._own),
            )
        except UserError as error:
            self._failed = token
            self._tell(Notice(None, str(error)))
        self._take_course()

    def _at_ms(self) -> int:
        """Return the time since the day of the game began, which is the same at both ends."""
        try:
            day = datetime.strptime(self._log.part.date, "%Y-%m-%d").replace(tzinfo=timezone.utc)
        except ValueError:
            return 0
        return max(0, int(1000 * (self._wall_clock() - day.timestamp())))

    def _withdraw(self) -> None:
        """Ask no more to go back, where hands took a turn back and have made the same again."""
        question = self._log.question
        if self._asks_back_to() is None or question is None:
            return
        if question.number == self._asked_by_hands and len(self._mirror.game.turns) > question.to:
            self._try(NO)

    def _hear_taken_back(self) -> None:
        """Take note that a turn was taken back at the table: the other end is asked, if by hands.

        Its own turn a player takes back with the marker or the button, and that of the other one
        with the button: then the own one before it is meant, too.
        """
        pressed, self._undo_pressed = self._undo_pressed, -1
        if len(self._mirror.game.turns) <= len(self._turns):
            self._void = None
        if self._orders.is_echo or not self._is_ours:
            return
        turns, count = self._mirror.game.turns, len(self._mirror.game.turns)
        is_last = count + 1 == len(self._turns) and count == common_turns(self._turns, turns)
        if not is_last or self._line().is_over:
            return
        back = count if self._mover(count) == self.own else count - 1
        if back < 0 or (back < count and pressed != count + 1):
            return
        asked = self._asks_back_to()
        if asked is None or asked > back:
            self._try(TAKE_BACK, to=back)
            question = self._log.question
            self._asked_by_hands = 0 if question is None else question.number

    def _hear_end(self, over: GameOver) -> None:
        """Take note that players ended the game at the table."""
        if not self._is_ours or self._line().is_over:
            return
        if over.game_over == "draw":
            self._try(YES if self._is_asked(DRAW) else DRAW)
        elif over.by == "resigned" and PLAYERS.index(over.game_over) != self.own:
            self._try(RESIGN)

    def _touch(self, sensor: int, closed: bool, _at_ms: int) -> None:
        """Take an edge: this end's *undo* agrees where the other end wants to go back."""
        if not closed or (sensor, self.own) not in _UNDO or self._orders.is_just_told:
            return
        if not self._is_ours:
            return
        self._undo_pressed = len(self._mirror.game.turns)
        if self._is_asked(TAKE_BACK):
            self._try(YES)

    def _try(self, kind: str, **fields: int) -> None:
        """Write what hands did; what the room does not take is said, and led back."""
        try:
            self.room.append(kind, **fields)
        except UserError as error:
            self._tell(Notice(None, str(error)))
        self._take_course()

    # ---- what is due

    def step(self, now_ms: float) -> None:
        """Do what is due; `now_ms` is any clock's. Raises OSError."""
        self._orders.now_ms = now_ms
        self._take_course()
        course = self._course
        if course is None or course.begin is None:
            return
        try:
            self._sit()
            if not (course.problem or self.room.stopped):
                self._lead()
        except LocalLinkError:  # too much waits for the table already: a moment later
            self._orders.drop()

    def _sit(self) -> None:
        count = len(self._mirror.game.turns)
        is_led = self._is_ours and self._due() is Due.LEAD and self._mover(count) == self.own
        self._sitting.sit(self._own, is_led, self.to_play)

    def _lead(self) -> None:
        mirror = self._mirror
        if not self._session.is_ready:
            return
        if self._orders.awaits_position(self._states):
            return
        if not self._is_ours:
            self._take_over()
            return
        self._follow_offers()
        if mirror.choices and self._due() in (Due.LEAD, Due.UNDO):
            # none of the turns is meant that the table asks about: another one is due
            self._orders.once("question", tuple(mirror.choices), "answer", choice="n")
        if not mirror.is_in_step or self._orders.awaits_undo():
            return
        what = self._due()
        self._follow_led(what)
        if what is Due.APPEND:
            self._append_due()
        elif what is Due.UNDO:
            self._orders.undo()
        elif what is Due.SET_UP:
            self._lay()
        elif what is Due.NOTHING and self._log.result is not None and not mirror.is_over:
            self._end(*self._log.result)

    def _take_over(self) -> None:
        """Set the game up, unless the table is in the middle of another one."""
        mirror = self._mirror
        is_busy = mirror.has_game and mirror.is_in_game and mirror.is_played
        if is_busy and not self.gives_way:
            if not self.is_put_off:
                self.is_put_off = True
                says = tr(
                    "A game is in progress at this table. The game far apart begins here when that "
                    "one is over, or type: new"
                )
                self._tell(Notice(None, says))
            return
        if self._log.result is None or self._lays_ends:
            self.gives_way = self.is_put_off = False
            self._lay()

    def _lay(self) -> None:
        """Have the position of the log set up; that before a turn that won, for it to win again."""
        result = self._log.result
        count = len(self._turns)
        if result is not None and result[1] == "normal":
            count -= 1
        self._orders.set_up(self._states[max(0, count)], self._log.options)

    def _follow_led(self, what: Due) -> None:
        """Have a turn that is led to thought of anew where another one, or none, is due now."""
        count = len(self._mirror.game.turns)
        led = (count, self._turns[count]) if what is Due.LEAD else None
        was, self._led = self._led, led
        if was is not None and was != led and was[0] == count:
            self._sitting.rethink(self._mover(count), self.to_play)

    # ---- how games end

    def _end(self, result: str, termination: str) -> None:
        """Have the table end a game that ended in the log."""
        mirror = self._mirror
        if mirror.table.phase not in ("turn", "question"):
            return
        if not self._orders.is_news("end", (result, termination, len(self._turns))):
            return
        if termination == "resigned":
            self._session.command("resign", side="wb"[RESULTS.index(result) ^ 1])
        elif termination == "agreed":
            for side in (0, 1):
                if side not in mirror.table.offers:
                    self._session.command("draw", side="wb"[side])

    def _follow_offers(self) -> None:
        """Write a draw that hands offer into the log, and show them one that is offered there."""
        mirror, own = self._mirror, self._own
        offers, before = mirror.table.offers, self._offers
        self._offers = set(offers)
        if own in offers and own not in before and not self._line().is_over:
            self._try(YES if self._is_asked(DRAW) else DRAW)
            return
        question = self._log.question
        if question is not None and question.kind == DRAW:
            may_tell = question.by != self.room.end and 1 - own not in offers
            may_tell = may_tell and mirror.is_in_step and mirror.table.phase == "turn"
            if may_tell:
                self._orders.once("draw", question, "draw", side="wb"[1 - own])
        elif offers and self._log.result is None:  # the table lets go of the offer
            told = question, len(self._log.line)
            self._orders.once("no_draw", told, "answer", choice="n")


def _taken_back(course: Course) -> int | None:
    """Return the turn that was taken back last, where none was made in its place since."""
    line: list[PlayedTurn] = []
    last = None
    for played in course.part.history:
        last = line.pop().turn if played is None else None
        if played is not None:
            line.append(played)
    return last


def _after(game: Game, number: int) -> array[int]:
    """Return the state behind turn `number`, counted from 0."""
    words = len(game.state)
    first = (number + 1) * words
    return game.past[first : first + words] if number + 1 < len(game.turns) else game.state
