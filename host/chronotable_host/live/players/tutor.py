"""The tutor: leads through lessons and puzzles at a table, which lights and feels them as any game.

Two rules: a lesson begins where no game is in progress, and what is played in it is kept nowhere
(`Mirror.is_taught`). Behind a lesson whoever played before has the seats again, and a new game is
set up. All that holds for puzzles, too.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from chronotable.link.frames import LocalLinkError
from chronotable_host import chapters
from chronotable_host.archive.store import Archive
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.learning.course import AGAIN, DONE, SET_UP, SOLVED, TRY, UNDO, TableCourse
from chronotable_host.learning.lessons.course import LessonCourse
from chronotable_host.learning.puzzles.course import PuzzleCourse
from chronotable_host.learning.puzzles.standing import asked_number
from chronotable_host.live.happenings import (
    GameOver,
    Happening,
    Joined,
    Notice,
    Started,
    TakenBack,
    Turn,
)
from chronotable_host.live.players.person import Idler
from chronotable_host.live.players.seats import NOBODY, Vacancy
from chronotable_host.rules.notation import format_position
from chronotable_host.rules.record import Record
from ttykm import objects
from ttykm.layout import BLACK, WHITE

if TYPE_CHECKING:
    from chronotable_host.engine.thinkers import Thinker
    from chronotable_host.live.desk import Desk
    from ttykm.game import Game

READ_MS = 4000.0
"""How long what was solved stays on a real table, where hands are busy, and press nothing."""


class Tutor:
    """Leads through lessons at a desk's table; `course` is the lesson that is on, None for none.

    A solved exercise gives way to the next after `pause_ms`, and without that when `go_on` is
    called. `tell` hears what is said, else all at the desk do.
    """

    no_seats = tr("in a lesson nobody else plays; end it first")

    def __init__(
        self,
        desk: Desk,
        pause_ms: float | None = None,
        tell: Callable[[Happening], None] | None = None,
    ) -> None:
        self.course: TableCourse | None = None
        self.done = 0  # lessons that were gone through
        self._desk = desk
        self._session = desk.session
        self._tell = tell or desk.tell
        self._vacancy = Vacancy(desk, self._who_sits)
        self._pause_ms = pause_ms
        self._awaited: TableCourse | None = None  # what begins as soon as it can
        self._is_put_off = False  # and it was said that it cannot yet
        self._due_ms: float | None = None  # when the next exercise begins
        self._then: Callable[[], None] | None = None  # what the next step does first
        self._roles: tuple[int, bool] | None = None  # who learns, and whether the other one answers
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

    def teach(self, course: TableCourse, ends_game: bool = False) -> None:
        """Begin a lesson or puzzles; raises UserError in the middle of a game that it must not end.

        Whoever plays that game with others asks them first (`Negotiation.begin`).
        """
        if self._is_in_game and not ends_game:
            raise UserError(
                tr("a game is in progress: end it, or begin a new one, and then the lesson")
            )
        self._awaited = None
        self.course = course
        self._sit()
        self._lay()

    def teach_when_possible(self, course: TableCourse) -> None:
        """Begin once a table is there and no game is in progress."""
        self._awaited = course

    def go_on(self) -> None:
        """Go on from an exercise that is solved; raises UserError where none is."""
        course = self.course
        if course is None or course.state != SOLVED:
            raise UserError(tr("this exercise is not solved yet"))
        self._due_ms = None
        course.go_on()
        if course.state == SET_UP:
            self._sit()
            self._lay()
            return
        self.done += 1
        self._say()
        self._stand()
        self._desk.set_up(self._desk.start, 0)

    def hint(self) -> None:
        """Say how it can be done; raises UserError where no lesson is on."""
        if self.course is None or not self.is_on:
            raise UserError(tr("no lesson is on"))
        self.course.hint()
        self._say()

    def drop(self) -> None:
        """End the lesson, if one is on: something else is set up."""
        self.course = self._awaited = self._due_ms = self._then = None
        self._is_cleared = True
        self._stand()

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
        elif isinstance(happening, TakenBack):
            self._due_ms = None
            course.take_back(self._session.mirror.game.turns)
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
        mirror = self._session.mirror
        if not self._session.is_ready:
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

    def _begin_awaited(self, course: TableCourse) -> None:
        if not self._is_in_game:
            self.teach(course)
        elif not self._is_put_off:
            self._is_put_off = True
            says = tr("A game is in progress. The lesson begins when it is over, or type: new")
            self._tell(Notice(None, says))

    def _hear_start(self, course: TableCourse, position: str) -> None:
        if position == format_position(course.start):
            course.begin()
        elif course.state != SET_UP:  # else it began before the table heard of the lesson
            self.drop()

    def _judge(self, course: TableCourse) -> None:
        due = course.follow(self._session.mirror.game.turns)
        if due == AGAIN:
            self._then = self._lay
            return
        self._say()
        if due == UNDO:
            self._then = self._desk.undo

    def _clear(self) -> None:
        """Put a lesson away that an earlier program left on the table."""
        mirror = self._session.mirror
        if not self._is_cleared and mirror.is_in_step and mirror.is_taught:
            self._is_cleared = True
            self._desk.set_up(self._desk.start, 0)

    def _lay(self) -> None:
        """Have the exercise set up."""
        assert self.course is not None
        table = self._session.mirror.table
        self._boot = table.id, table.boot
        self._due_ms = self._then = None
        self.course.lay()
        self._say()
        self._desk.set_up(self.course.start, 0)

    def _say(self) -> None:
        assert self.course is not None
        self._tell(Notice(None, self.course.told))

    # ---- who plays

    def _sit(self) -> None:
        """Have nobody play against the learner, or only who answers as it should be."""
        assert self.course is not None
        roles = self.course.learner, self.course.has_answers
        if self._roles != roles:
            self._stand()
            self._roles = roles
            self._vacancy.take()

    def _stand(self) -> None:
        """Give the seats back."""
        self._roles = None
        self._vacancy.give_back()

    def _who_sits(self, side: int, now: Thinker | None) -> Thinker | None:
        """Return who plays a side meanwhile, in the place of who has it now."""
        assert self.course is not None
        is_learner = side == self.course.learner
        if self.course.has_answers and not is_learner:
            return Answering(self)
        return self._desk.in_lesson(WHITE if is_learner else BLACK, now)


class Answering(Idler):
    """Who plays the other side where turns are answered: what a tutor's course says, once it does.

    Somebody who decides nothing, so that whoever takes a turn back takes the answer back, too.
    """

    is_person = False

    def __init__(self, tutor: Tutor) -> None:
        super().__init__(NOBODY)
        self._tutor = tutor
        self._game: Game | None = None

    def begin(self, game: Game) -> None:
        """Have a game to answer in."""
        self._game = game

    def poll(self) -> int | None:
        """Return the answer, None while the turn before it was not judged."""
        course = self._tutor.course
        return None if course is None or self._game is None else course.answer(self._game)

    def cancel(self) -> None:
        """Answer nothing."""
        self._game = None


def course_of(lesson: int | None, puzzle: str | None, archive: Path | None) -> TableCourse | None:
    """Return what was asked for, None for nothing; raises UserError and OSError."""
    if lesson is not None and puzzle is not None:
        raise UserError(tr("--lesson and --puzzle: one after the other; leave one of them out"))
    if lesson is not None:
        return LessonCourse(lesson)
    if puzzle is None:
        return None
    folder = Archive(archive).folder
    return PuzzleCourse(folder, asked_number(puzzle, folder))


def record_named(archive: Archive, name: str) -> Record:
    """Return a game as `show` takes it; raises UserError, also for a chapter that is locked."""
    with chapters.discretion(name):
        record = archive.read(archive.get(name)).record
        chapters.require(objects.modules_of(record.start), record.options)
    return record
