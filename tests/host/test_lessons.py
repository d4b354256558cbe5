"""The lessons as data: exercises that can be solved, and missed; and the way through a lesson."""

from __future__ import annotations

import pytest

from chronotable_host.learning.course import DONE, SET_UP, SOLVED, TRY
from chronotable_host.learning.lessons.course import LessonCourse
from chronotable_host.learning.lessons.exercises import LESSONS, Exercise, is_of_lesson, outcome_of
from chronotable_host.rules.notation import format_position, parse_turn, with_box_pieces
from ttykm import layout
from ttykm.game import Game, is_conserved
from ttykm.layout import BLACK, NOBODY, WHITE

EXERCISES = [
    pytest.param(exercise, id=f"{number}.{step}")
    for number, lesson in enumerate(LESSONS, 1)
    for step, exercise in enumerate(lesson.exercises, 1)
]
LONGEST = 112
"""Characters of a sentence: three lines on a phone."""


def game_of(exercise: Exercise) -> Game:
    game = Game()
    game.start(exercise.state)
    return game


def turns_that_miss(exercise: Exercise) -> list[int]:
    return [
        turn
        for turn in game_of(exercise).legal_turns()
        if not exercise.goal(outcome_of(exercise.state, turn))
    ]


def test_there_are_five_lessons_of_a_few_exercises() -> None:
    assert len(LESSONS) == 5
    assert all(3 <= len(lesson.exercises) <= 4 for lesson in LESSONS)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_position_could_be_one_of_a_game(exercise: Exercise) -> None:
    state = exercise.state
    assert format_position(state) == exercise.position
    assert layout.mover(state) == WHITE
    assert is_conserved(state)
    with_box_pieces(state)  # a table can show it
    for player in (WHITE, BLACK):
        copies = [bin(state[3 * player + era]).count("1") for era in range(3)]
        assert layout.supply(state, player) <= layout.SUPPLY
        assert sum(map(bool, copies)) >= 2, "nobody has lost before"
    assert state[3 * WHITE + layout.focus(state, WHITE)], "somebody can act"


@pytest.mark.parametrize("exercise", EXERCISES)
def test_an_exercise_can_be_solved_and_missed(exercise: Exercise) -> None:
    turns = [*game_of(exercise).legal_turns()]
    missed = turns_that_miss(exercise)
    assert missed
    assert parse_turn(exercise.turn) in set(turns) - set(missed)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_no_turn_that_misses_ends_the_game(exercise: Exercise) -> None:
    """It is taken back, which a game that is over does not allow."""
    for turn in turns_that_miss(exercise):
        assert outcome_of(exercise.state, turn).winner == NOBODY


@pytest.mark.parametrize("exercise", EXERCISES)
def test_what_is_said_is_short(exercise: Exercise) -> None:
    for text in (exercise.says, exercise.hint, exercise.solved, exercise.missed):
        assert 0 < len(text) <= LONGEST
        assert text[-1] in ".!?"


def test_a_game_of_a_lesson_is_known_by_its_beginning() -> None:
    exercises = [exercise for lesson in LESSONS for exercise in lesson.exercises]
    assert all(is_of_lesson(exercise.state) for exercise in exercises)
    for first in (WHITE, BLACK):
        for handicap in range(5):
            assert not is_of_lesson(layout.new_state(first, handicap, 0))
            assert not is_of_lesson(layout.new_state(first, 0, handicap))


@pytest.mark.parametrize(
    ("turn", "pushes", "lost", "killed"),
    [
        ("8 W N >present", 1, 0, (0, 0)),  # Black pushes white's other copy on
        ("8 W W >present", 2, 1, (0, 0)),  # that is squished now
        ("6 E N >present", 1, 1, (0, 0)),
        ("6 W N >future", 0, 0, (0, 0)),
    ],
)
def test_what_a_turn_did(turn: str, pushes: int, lost: int, killed: tuple[int, int]) -> None:
    state = LESSONS[1].exercises[2].state
    outcome = outcome_of(state, parse_turn(turn))
    assert (outcome.pushes, outcome.lost) == (pushes, lost)
    assert (outcome.killed("squish"), outcome.killed("paradox")) == killed


def test_a_lesson_from_its_beginning_to_its_end() -> None:
    course = LessonCourse(1)
    for step, exercise in enumerate(course.lesson.exercises):
        assert (course.state, course.step, course.says) == (SET_UP, step, exercise.says)
        course.begin()
        assert course.state == TRY
        assert not course.judge(turns_that_miss(exercise)[0])
        assert (course.state, course.says) == (TRY, exercise.missed)
        course.hint()
        assert course.says == exercise.hint
        assert course.judge(parse_turn(exercise.turn))
        assert (course.state, course.says) == (SOLVED, exercise.solved)
        course.hint()
        assert course.says == exercise.solved
        course.go_on()
    assert course.state == DONE
    assert course.says.endswith("The next one is lesson 2: Walls and squish.")


def test_behind_the_last_lesson_comes_the_first_game() -> None:
    course = LessonCourse(len(LESSONS))
    for _ in course.lesson.exercises:
        course.go_on()
    assert course.following is None
    assert "first game" in course.says
