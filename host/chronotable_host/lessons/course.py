"""The way through one lesson: which exercise is due, how far it is, and what is said about it."""

from __future__ import annotations

from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.lessons.exercises import LESSONS, Exercise
from chronotable_host.lessons.outcome import outcome_of

SET_UP, TRY, SOLVED, DONE = "set-up", "try", "solved", "done"
"""What is due: the position on the table, a turn, the next exercise, or nothing any more."""


class Course:
    """One lesson: `state` is one of the four above, `step` counts exercises from 0, `says` is due.

    Lessons are numbered from 1 on; raises UserError for a number that none has.
    """

    def __init__(self, number: int) -> None:
        if not 1 <= number <= len(LESSONS):
            known = len(LESSONS)
            raise UserError(
                tr("there is no lesson {number}; choose 1 to {known}", number=number, known=known)
            )
        self.number = number
        self.lesson = LESSONS[number - 1]
        self.step = 0
        self.state = SET_UP
        self.says = self.exercise.says

    @property
    def title(self) -> str:
        """Return what the lesson is called, its number included."""
        return tr("Lesson {number}: {title}", number=self.number, title=self.lesson.title)

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

    def begin(self) -> None:
        """Begin the exercise: its position lies there."""
        self.state = TRY

    def try_again(self) -> None:
        """Have the exercise tried once more: the turn that solved it was taken back."""
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

    def hint(self) -> None:
        """Say how it can be done."""
        if self.state in (SET_UP, TRY):
            self.says = self.exercise.hint

    def go_on(self) -> None:
        """Go on to the next exercise; behind the last one the lesson is done."""
        if self.step + 1 < len(self.lesson.exercises):
            self.step += 1
            self.lay()
        else:
            self.state = DONE
            self.says = self._farewell()

    def _farewell(self) -> str:
        following = self.following
        if following is None:
            return tr("That was the last lesson. Now play your first game!")
        return tr(
            "That was all of this lesson. The next one is lesson {number}: {title}.",
            number=following,
            title=LESSONS[following - 1].title,
        )
