"""Lessons at a whole table: set up, carried out and put back by hands that see the lights alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import pytest

from chronotable.player.seats import EASY
from chronotable_host.archive.store import Archive
from chronotable_host.engine.thinkers import AtOnce, by_chance
from chronotable_host.errors import UserError
from chronotable_host.learning.course import DONE, SOLVED, TRY
from chronotable_host.learning.lessons.course import LessonCourse
from chronotable_host.learning.lessons.exercises import LESSONS
from chronotable_host.live.players.clocks import parse_controls
from chronotable_host.live.players.table_seats import TableSeats
from chronotable_host.live.players.tutor import READ_MS
from chronotable_host.live.settings import number_of
from chronotable_host.pieces import pieces_of
from chronotable_host.rules.notation import format_turn, parse_turn
from chronotable_host.virtual.desk import VirtualDesk
from tests import lanes
from tests.host.by_lights import ByLights, typing
from tests.host.test_lessons import turns_that_miss
from tests.lab.people.place import OVER, TURN
from tests.table.rig import Rig
from ttykm.layout import BLACK, WHITE, new_state


class Class(ByLights):
    """Somebody who learns: hands that do what is lit, and try turns."""

    def __init__(self, at: VirtualDesk, seated: TableSeats) -> None:
        super().__init__(at)
        self.seated = seated
        self.tutor, *_ = at.assist(pause_ms=READ_MS)

    def follows_the_lights(self) -> None:
        self.follows(lambda: self.place.phase == TURN and not self.at.mirror.game.turns)

    def solves(self) -> None:
        """Do the exercise that is set up, after a turn that misses."""
        course = self.tutor.course
        assert course is not None
        exercise, step = course.exercise, course.step
        self.follows_the_lights()
        assert course.state == TRY
        self.plays(turns_that_miss(exercise)[0])
        assert course.says == exercise.missed
        self.follows_the_lights()
        assert self.helper.board == pieces_of(exercise.state)
        self.plays(parse_turn(exercise.turn))
        assert course.says in (exercise.solved, *self._next_says(step))
        self.waits(int(READ_MS))

    def _next_says(self, step: int) -> list[str]:
        assert self.tutor.course is not None
        return [each.says for each in self.tutor.course.lesson.exercises[step + 1 :]]


@contextmanager
def school(at: VirtualDesk) -> Iterator[Class]:
    with closing(at.seat()) as seated:
        yield Class(at, seated)


@lanes.gate
@pytest.mark.parametrize("number", lanes.first(range(1, len(LESSONS) + 1), 2))
def test_a_lesson_is_learned_by_the_lights(number: int, tmp_path: Path) -> None:
    """Nothing of it is kept, here or in the table; the game behind it is."""
    with Archive(tmp_path) as archive, Rig(new_state(), archive=archive) as at, school(at) as room:
        tutor = room.tutor
        tutor.teach(LessonCourse(number))
        course = tutor.course
        assert course is not None
        control = typing(at, [], once=True)
        for _ in course.lesson.exercises:
            assert not control.is_done()
            room.solves()
        assert course.state == DONE
        assert control.is_done(), "as --once has it"
        assert tutor.done == 1
        assert not tutor.is_on
        print(f"lesson {number}: {room.helper.done} touches by the lights, {room.place.now_ms} ms")
        room.follows_the_lights()
        assert room.helper.board == pieces_of(new_state())
        room.plays(parse_turn("1 E E >present"))
        assert tutor.course is None
        assert not at.heard("mismatch", "refused")
    with Archive(tmp_path) as archive:
        (record,) = (archive.read(entry).record for entry in archive.games())
    assert record.start == new_state()
    assert [format_turn(turn) for turn in record.turns] == ["1 E E >present"]


def test_what_a_pc_that_comes_later_finds_is_put_away(tmp_path: Path) -> None:
    """A lesson whose PC went away is nobody's game: the next program sets up a new one."""
    with Archive(tmp_path) as archive, Rig(new_state(), archive=archive) as at, school(at) as room:
        room.tutor.teach(LessonCourse(5))
        room.follows_the_lights()
        room.plays(parse_turn(LESSONS[4].exercises[0].turn))
        at.session.close()
        with VirtualDesk(archive, resumes=True) as desk:
            desk.attach(at.table)
            with school(desk) as later:
                later.helper.board = room.helper.board
                later.waits(3000)
                later.follows_the_lights()
                assert later.helper.board == pieces_of(new_state())
        assert [*archive.games()] == []


def test_no_lesson_while_a_game_is_in_progress(tmp_path: Path) -> None:
    with Archive(tmp_path) as archive, Rig(new_state(), archive=archive) as at, school(at) as room:
        room.waits(2000)
        room.plays(parse_turn("1 E E >present"))
        with pytest.raises(UserError, match="a game is in progress"):
            room.tutor.teach(LessonCourse(1))
        room.tutor.teach_when_possible(LessonCourse(1))
        room.waits(2000)
        (notice,) = at.heard("notice")
        assert notice["notice"].startswith("A game is in progress. The lesson begins when")
        assert room.tutor.course is None
        at.session.command("resign", side="b")
        room.waits(2000)
        assert room.tutor.course is not None
        assert room.tutor.course.number == 1
    with Archive(tmp_path) as archive:
        (record,) = (archive.read(entry).record for entry in archive.games())
    assert record.headers["Termination"] == "resigned"


def test_a_lesson_begins_in_the_place_of_one_that_was_left_over(tmp_path: Path) -> None:
    with Archive(tmp_path) as archive, Rig(new_state(), archive=archive) as at, school(at) as room:
        room.tutor.teach(LessonCourse(1))
        room.follows_the_lights()
        room.plays(parse_turn(LESSONS[0].exercises[0].turn))
        with school(at) as later:
            later.helper.board = room.helper.board
            later.tutor.teach_when_possible(LessonCourse(2))
            later.waits(2000)
            later.solves()


@pytest.mark.parametrize("number", [1, 5])
def test_a_lesson_has_no_clocks(number: int) -> None:
    with Rig(new_state()) as at, school(at) as room:
        clocks = at.keep_time()
        clocks.set(parse_controls("1"))
        room.waits(2000)
        assert clocks.running == WHITE
        room.tutor.teach(LessonCourse(number))
        room.follows_the_lights()
        assert clocks.view() is None
        for now_ms in range(0, 100_000, 1000):
            clocks.step(now_ms)
        room.plays(parse_turn(LESSONS[number - 1].exercises[0].turn))
        assert not at.heard("clock")
        at.leave()
        room.waits(2000)
        room.follows_the_lights()
        view = clocks.view()
        assert view is not None
        assert (view["left"], view["running"]) == ({"white": 60, "black": 60}, "white")


def test_in_a_lesson_nobody_plays_against_the_learner() -> None:
    with Rig(new_state()) as at, school(at) as room:
        room.waits(2000)
        player = AtOnce("random", by_chance(Random(1)))
        room.seated.seat_thinker(BLACK, player)
        at.session.command("set", setting=number_of("white"), value=EASY)
        room.waits(2000)
        room.tutor.teach(LessonCourse(1))
        room.follows_the_lights()
        assert room.seated.thinkers == {}
        assert at.mirror.table.own_levels == (0, 0)
        room.plays(parse_turn(LESSONS[0].exercises[0].turn))
        assert not at.mirror.table.is_turn_wanted
        at.leave()
        room.waits(2000)
        assert room.seated.thinkers == {BLACK: player}
        assert at.mirror.table.own_levels[WHITE] == EASY


def test_a_turn_that_solved_it_may_be_taken_back() -> None:
    with Rig(new_state()) as at, school(at) as room:
        room.tutor.teach(LessonCourse(1))
        room.follows_the_lights()
        course = room.tutor.course
        assert course is not None
        room.plays(parse_turn(course.exercise.turn))
        assert course.state == SOLVED
        at.session.command("undo")
        room.waits(int(READ_MS) + 1000)
        assert (course.step, course.state) == (0, TRY)
        room.follows_the_lights()
        room.plays(parse_turn(course.exercise.turn))
        assert course.state == SOLVED


def test_who_goes_on_before_a_turn_is_taken_back_begins_again() -> None:
    with Rig(new_state()) as at, school(at) as room:
        at.undo = lambda: None  # the table does not hear of it
        room.tutor.teach(LessonCourse(1))
        room.follows_the_lights()
        room.plays(turns_that_miss(LESSONS[0].exercises[0])[0])
        room.plays(next(iter(at.mirror.game.legal_turns())))
        room.follows_the_lights()
        assert not at.mirror.game.turns
        assert room.tutor.course is not None
        assert room.tutor.course.state == TRY


def test_an_exercise_that_is_resigned_is_set_up_again() -> None:
    with Rig(new_state()) as at, school(at) as room:
        room.tutor.teach(LessonCourse(2))
        room.follows_the_lights()
        at.session.command("resign", side="w")
        room.waits(2000)
        assert at.mirror.table.phase != OVER
        room.solves()
        assert room.tutor.course is not None
        assert room.tutor.course.step == 1


@lanes.gate
def test_a_table_that_was_switched_off_is_told_again() -> None:
    with Rig(new_state()) as at, school(at) as room:
        room.tutor.teach(LessonCourse(3))
        room.waits(500)
        at.table.power(False)
        at.table.power(True)
        room.waits(3000)
        room.solves()
        assert room.tutor.course is not None
        assert room.tutor.course.step == 1


def test_a_new_game_ends_the_lesson() -> None:
    with Rig(new_state()) as at, school(at) as room:
        room.tutor.teach(LessonCourse(1))
        room.follows_the_lights()
        at.session.set_up(new_state(), 0)  # as from another page
        room.follows_the_lights()
        assert room.tutor.course is None


def test_what_is_asked_for_without_a_lesson_is_refused() -> None:
    with Rig(new_state()) as at, school(at) as room:
        for ask in (room.tutor.hint, room.tutor.go_on):
            with pytest.raises(UserError):
                ask()
        with pytest.raises(UserError, match="choose 1 to 5"):
            room.tutor.teach_when_possible(LessonCourse(6))
        at.heard()
        at.leave()
        room.waits(500)
        assert not at.heard("guide")
