"""What is learned at a table, lessons and puzzles alike: games that teach, and are kept nowhere."""

from array import array
from collections.abc import Sequence
from typing import Protocol

from chronotable_host.learning.lessons.exercises import is_of_lesson
from chronotable_host.learning.puzzles.puzzle import is_of_puzzle
from ttykm.game import Game

SET_UP, TRY, SOLVED, DONE = "set-up", "try", "solved", "done"
"""What is due: the position on the table, a turn, the next exercise, or nothing any more."""

STAY, UNDO, AGAIN = "stay", "undo", "again"
"""What is to be done about a turn: nothing, take it back, or set the position up again."""


class TableCourse(Protocol):
    """Something that is learned at a table, position by position: a lesson, or puzzles.

    `state` is what is due, `says` is told, `step` counts from 0. `hinted` is a turn that is right
    where the learner is to move, packed, for who has asked for it. Where it `has_answers` the other
    player has turns, too.
    """

    state: str
    says: str
    step: int
    hinted: int | None
    has_answers: bool

    @property
    def title(self) -> str:
        """Return what it is called."""

    @property
    def steps(self) -> int:
        """Return how many positions it has."""

    @property
    def told(self) -> str:
        """Return what is said at a table, with what it is about."""

    @property
    def start(self) -> "array[int]":
        """Return the position to be set up, as a state."""

    @property
    def learner(self) -> int:
        """Return who is to find a turn there."""

    @property
    def following(self) -> int | None:
        """Return the number of the lesson behind it, None where there is none."""
        return None

    def answer(self, _game: Game, /) -> int | None:
        """Return the turn of the other player in a game, packed; None while there is none."""
        return None

    def lay(self) -> None:
        """Have the position set up, at first or once more."""

    def begin(self) -> None:
        """Begin: the position lies there."""
        self.state = TRY

    def follow(self, turns: Sequence[int], /) -> str:
        """Take what was played from the position on; return what is to be done about it."""

    def take_back(self, turns: Sequence[int], /) -> None:
        """Take what is left of that after a turn was taken back."""

    def hint(self) -> None:
        """Say how it can be done."""

    def go_on(self) -> None:
        """Go on to the next position."""


def is_taught(start: "array[int]") -> bool:
    """Tell whether a game that begins in this position is one of a lesson or a puzzle."""
    return is_of_lesson(start) or is_of_puzzle(start)
