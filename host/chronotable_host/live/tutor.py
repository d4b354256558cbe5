"""The tutor: leads through a lesson at a table, which lights and feels it as it does any game.

Two rules: a lesson begins where no game is in progress, and what is played in it is kept nowhere
(`Mirror.is_lesson`). Behind a lesson whoever played before has the seats again, and a new game is
set up.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING

from chronotable.frames import LocalLinkError
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.lessons.course import DONE, SET_UP, SOLVED, TRY, Course
from chronotable_host.live.happenings import (
    GameOver,
    Happening,
    Joined,
    Notice,
    Started,
    TakenBack,
    Turn,
)
from chronotable_host.live.vacated import Seat, Vacated, to_hands
from chronotable_host.rules.notation import format_position

if TYPE_CHECKING:
    from chronotable_host.engine.thinkers import Seats
    from chronotable_host.live.session import Session

READ_MS = 4000.0
"""How long what was solved stays on a real table, where hands are busy, and press nothing."""


class Tutor:
    """Leads through lessons at a session's table; `course` is the lesson that is on, None for none.

    `set_up` has a position set up on the table, `undo` has the last turn taken back, `tell` hears
    what is said. `start` is where the game behind a lesson begins. In a lesson the sides of `seats`
    are played by those that `seat` returns, of the side and who has it now. A solved exercise gives
    way to the next after `pause_ms`, and without that when `go_on` is called.
    """

    def __init__(
        self,
        session: Session,
        tell: Callable[[Happening], None],
        start: array[int],
        seats: Seats | None = None,
        seat: Seat = to_hands,
        set_up: Callable[[array[int]], None] | None = None,
        undo: Callable[[], None] | None = None,
        pause_ms: float | None = None,
    ) -> None:
        self.course: Course | None = None
        self.done = 0  # lessons that were gone through
        self.start = start
        self._session = session
        self._tell = tell
        self._seats = Vacated(session, seats, seat)
        self._set_up = set_up or (lambda state: session.set_up(state, 0))
        self._undo = undo or (lambda: session.command("undo"))
        self._pause_ms = pause_ms
        self._awaited: int | None = None  # the lesson that begins as soon as it can
        self._is_put_off = False  # and it was said that it cannot yet
        self._due_ms: float | None = None  # when the next exercise begins
        self._then: Callable[[], None] | None = None  # what the next step does first
        self._boot: tuple[str, int] = "", 0  # of the table that the exercise was given to
        self._is_cleared = False  # the table's game is given way to another one already

    @property
    def is_on(self) -> bool:
        """Whether what lies on the table is a lesson's."""
        return self.course is not None and self.course.state != DONE

    @property
    def _is_in_game(self) -> bool:
        """Whether a game goes on that a lesson would end."""
        mirror = self._session.mirror
        return mirror.is_in_game and mirror.is_played

    @property
    def is_due(self) -> bool:
        """Whether a lesson is on, or begins as soon as it can."""
        return self.is_on or self._awaited is not None

    # ---- what people ask for

    def begin(self, number: int) -> None:
        """Begin a lesson; raises UserError for an unknown one, and while a game is in progress."""
        course = Course(number)
        if self._is_in_game:
            raise UserError(
                tr("a game is in progress: end it, or begin a new one, and then the lesson")
            )
        self._awaited = None
        self.course = course
        self._seats.take()
        self._lay()

    def begin_when_possible(self, number: int) -> None:
        """Begin a lesson once a table is there and no game is in progress; raises UserError."""
        Course(number)
        self._awaited = number

    def go_on(self) -> None:
        """Go on from an exercise that is solved; raises UserError where none is."""
        course = self.course
        if course is None or course.state != SOLVED:
            raise UserError(tr("this exercise is not solved yet"))
        self._due_ms = None
        course.go_on()
        if course.state == SET_UP:
            self._lay()
            return
        self.done += 1
        self._say()
        self._seats.give_back()
        self._set_up(self.start)

    def hint(self) -> None:
        """Say how it can be done; raises UserError where no lesson is on."""
        if self.course is None or not self.is_on:
            raise UserError(tr("no lesson is on"))
        self.course.hint()
        self._say()

    def leave(self) -> None:
        """End the lesson, if one is on, and have a new game set up."""
        was_on = self.is_on
        self.drop()
        if was_on:
            self._set_up(self.start)

    def drop(self) -> None:
        """End the lesson, if one is on: something else is set up."""
        self.course = self._awaited = self._due_ms = self._then = None
        self._is_cleared = True
        self._seats.give_back()

    def check_seats(self) -> None:
        """Raise UserError where nobody may take a seat, because a lesson is on."""
        if self.is_on:
            raise UserError(tr("in a lesson nobody else plays; end it first"))

    # ---- what happens at the table

    def hear(self, happening: Happening) -> None:
        """Take what a mirror tells."""
        if isinstance(happening, (Started, Joined)):
            self._is_cleared = False
        course = self.course
        if course is None:
            return
        if course.state == DONE:
            if isinstance(happening, Turn):
                self.course = None  # the game has begun
        elif isinstance(happening, Started):
            self._hear_start(course, happening.started)
        elif isinstance(happening, Turn) and course.state == TRY:
            self._judge(course)
        elif isinstance(happening, TakenBack) and course.state == SOLVED:
            self._due_ms = None
            course.try_again()
        elif isinstance(happening, Joined) or (
            isinstance(happening, GameOver) and course.state == TRY
        ):
            self._then = self._lay

    def step(self, now_ms: float) -> None:
        """Do what is due; `now_ms` is any clock's."""
        try:
            self._step(now_ms)
        except LocalLinkError:  # too much waits for the table already: a moment later
            self._then = self._lay if self.is_on else None

    def _step(self, now_ms: float) -> None:
        session = self._session
        mirror = session.mirror
        if not session.link.connected or not mirror.table.phase or mirror.wants_game:
            return
        course = self.course
        then, self._then = self._then, None
        if self._awaited is not None:
            self._begin_awaited(self._awaited)
        elif self.is_on and then is not None:
            then()
        elif course is None:
            self._clear()
        elif course.state == SOLVED and self._pause_ms is not None:
            if self._due_ms is None:
                self._due_ms = now_ms + self._pause_ms
            elif now_ms >= self._due_ms:
                self.go_on()
        elif self.is_on and self._boot != (mirror.table.id, mirror.table.boot):
            self._lay()  # it was switched on again, and has forgotten

    def _begin_awaited(self, number: int) -> None:
        if not self._is_in_game:
            self.begin(number)
        elif not self._is_put_off:
            self._is_put_off = True
            says = tr("A game is in progress. The lesson begins when it is over, or type: new")
            self._tell(Notice(None, says))

    def _hear_start(self, course: Course, position: str) -> None:
        if position == format_position(course.exercise.state):
            course.begin()
        elif course.state != SET_UP:  # else it began before the table heard of the lesson
            self.drop()

    def _judge(self, course: Course) -> None:
        turns = self._session.mirror.game.turns
        if len(turns) > 1:  # somebody went on before it was taken back
            self._then = self._lay
            return
        is_met = course.judge(turns[0])
        self._say()
        if not is_met:
            self._then = self._undo

    def _clear(self) -> None:
        """Put a lesson away that an earlier program left on the table."""
        mirror = self._session.mirror
        if not self._is_cleared and mirror.is_in_step and mirror.is_lesson:
            self._is_cleared = True
            self._set_up(self.start)

    def _lay(self) -> None:
        """Have the exercise set up."""
        assert self.course is not None
        table = self._session.mirror.table
        self._boot = table.id, table.boot
        self._due_ms = self._then = None
        self.course.lay()
        self._say()
        self._set_up(self.course.exercise.state)

    def _say(self) -> None:
        course = self.course
        assert course is not None
        steps = len(course.lesson.exercises)
        at = {"title": course.title, "step": course.step + 1, "steps": steps}
        says = tr("{title}, {step} of {steps}: {says}", **at, says=course.says)
        self._tell(Notice(None, says))
