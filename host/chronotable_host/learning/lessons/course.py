"""The way through one lesson: which exercise is due, how far it is, and what is said about it."""

from array import array
from collections.abc import Iterable, Sequence

from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.learning.course import (
    AGAIN,
    DONE,
    SET_UP,
    SOLVED,
    STAY,
    TRY,
    UNDO,
    TableCourse,
)
from chronotable_host.learning.lessons.exercises import LESSONS, Exercise, outcome_of
from chronotable_host.rules.notation import format_turn, parse_turn
from ttykm.layout import WHITE


class LessonCourse(TableCourse):
    """One lesson. Lessons are numbered from 1 on.

    Raises UserError for a number that none has.
    """

    learner = WHITE
    has_answers = False

    def __init__(self, number: int) -> None:
        if not 1 <= number <= len(LESSONS):
            known = len(LESSONS)
            raise UserError(
                tr("there is no lesson {number}; choose 1 to {known}", number=number, known=known)
            )
        self.number = number
        self.lesson = LESSONS[number - 1]
        self.step = 0
        self.lay()

    @property
    def title(self) -> str:
        """Return what the lesson is called, its number included."""
        return tr("Lesson {number}: {title}", number=self.number, title=self.lesson.title)

    @property
    def told(self) -> str:
        """Return what is said, with which exercise of which lesson it is about."""
        at = {"title": self.title, "step": self.step + 1, "steps": self.steps}
        return tr("{title}, {step} of {steps}: {says}", **at, says=self.says)

    @property
    def steps(self) -> int:
        """Return how many exercises there are."""
        return len(self.lesson.exercises)

    @property
    def start(self) -> "array[int]":
        """Return the position of the exercise."""
        return self.exercise.state

    @property
    def exercise(self) -> Exercise:
        """Return the exercise that is due."""
        return self.lesson.exercises[self.step]

    @property
    def following(self) -> int | None:
        """Return the number of the next lesson, None behind the last one."""
        return self.number + 1 if self.number < len(LESSONS) else None

    def lay(self) -> None:
        """Have the position of the exercise set up, at first or once more."""
        self.state = SET_UP
        self.says = self.exercise.says
        self.hinted: int | None = None

    def follow(self, turns: Sequence[int]) -> str:
        """Judge the first turn; a second one came before the first was taken back."""
        if len(turns) > 1:
            return AGAIN
        return STAY if self.judge(turns[0]) else UNDO

    def take_back(self, _turns: Sequence[int]) -> None:
        """Have the exercise tried once more, where the turn that solved it was taken back."""
        if self.state == SOLVED:
            self.lay()
            self.begin()

    def judge(self, turn: int) -> bool:
        """Return whether a turn, packed and legal in the position, does what was asked for."""
        exercise = self.exercise
        is_met = exercise.goal(outcome_of(exercise.state, turn))
        if is_met:
            self.state = SOLVED
        self.says = exercise.solved if is_met else exercise.missed
        return is_met

    def is_met_by(self, begun: str, turns: Iterable[int]) -> bool:
        """Return whether turns that begin so do what is asked for, however they go on.

        `begun` is a text of rules.notation, `turns` are all that are legal in the position, packed.
        """
        ways = (turn for turn in turns if f"{format_turn(turn)} ".startswith(f"{begun} "))
        return all(self.exercise.goal(outcome_of(self.exercise.state, way)) for way in ways)

    def hint(self) -> None:
        """Say how it can be done."""
        if self.state in (SET_UP, TRY):
            self.says = self.exercise.hint
            self.hinted = parse_turn(self.exercise.turn)

    def go_on(self) -> None:
        """Go on to the next exercise; behind the last one the lesson is done."""
        if self.step + 1 < len(self.lesson.exercises):
            self.step += 1
            self.lay()
        else:
            self.state = DONE
            self.says = tr("That was the last lesson. Now play your first game!")
            if self.following is not None:
                self.says = tr(
                    "That was all of this lesson. The next one is lesson {number}: {title}.",
                    number=self.following,
                    title=LESSONS[self.following - 1].title,
                )
