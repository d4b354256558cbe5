"""Puzzles one after the other at a table: what is to be set up, judged, answered and said.

It is a `TableCourse` as a lesson is, so that the tutor leads through it; the answers are turns of
the other player, which the lights ask hands to carry out.
"""

from array import array
from collections.abc import Sequence
from pathlib import Path

from chronotable_host.errors import UserError
from chronotable_host.language import names, tr
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
from chronotable_host.learning.puzzles import trial as verdicts
from chronotable_host.learning.puzzles.puzzle import Puzzle, PuzzleBox, note_begun
from chronotable_host.learning.puzzles.standing import Tries, standing_says
from chronotable_host.learning.puzzles.trial import Trial, hint_of, reply_says
from ttykm.game import Game


class PuzzleCourse(TableCourse):
    """Puzzles from one on, of the box in an archive's folder; `player` is whose rating it is.

    Behind each comes one that is about as hard as the player is strong. Raises UserError where
    there is no such puzzle, and OSError.
    """

    has_answers = True

    def __init__(self, archive: Path, number: int, player: str = "") -> None:
        self._box = PuzzleBox(archive)
        self._tries = Tries(archive)
        self._player = player
        self.step = 0
        self._choose(number)

    def _choose(self, number: int) -> None:
        puzzle = self._box.get(number)
        if puzzle.options:
            raise UserError(
                tr("puzzle {number} is of a game with options, which no table has", number=number)
            )
        self.number = number
        self._trial = Trial(puzzle)
        self._is_clean = True  # no hint yet, and no wrong turn
        note_begun(puzzle)
        self.lay()

    @property
    def puzzle(self) -> Puzzle:
        """Return the puzzle that is due."""
        return self._trial.puzzle

    @property
    def title(self) -> str:
        """Return what it is called, with what is to be done."""
        return tr("Puzzle {number}: {says}", number=self.number, says=self.puzzle.says)

    @property
    def told(self) -> str:
        """Return what is said, with which puzzle it is about."""
        return f"{self.title}. {self.says}"

    @property
    def steps(self) -> int:
        """Return how many turns the solution has."""
        return self.puzzle.win

    @property
    def start(self) -> "array[int]":
        """Return the position of the puzzle."""
        return self.puzzle.state

    @property
    def learner(self) -> int:
        """Return who is to win."""
        return self.puzzle.mover

    def lay(self) -> None:
        """Have the position set up, at first or once more."""
        self.state = SET_UP
        self.step = 0
        self.hinted: int | None = None
        self._trial.restart()
        self.says = tr("Find a win that no answer can prevent.")

    def answer(self, game: Game) -> int | None:
        """Return the longest defence against the turn that was just judged."""
        played = list(self._trial.game.turns)
        return played[-1] if played and played[:-1] == list(game.turns) else None

    def follow(self, turns: Sequence[int]) -> str:
        """Judge a turn of the learner, or see the answer to it made."""
        known = list(self._trial.game.turns)
        if list(turns) == known:  # the answer
            self.says = tr("{player} goes on.", player=names.PLAYERS[self.learner])
            return STAY
        if list(turns[:-1]) != known:  # somebody went on before a turn was taken back
            return AGAIN
        self.hinted = None
        reply = self._trial.play(turns[-1])
        self.says = reply_says(reply, self._trial)
        self.step = self.puzzle.win - self._trial.left
        if reply.verdict == verdicts.ON:
            return STAY
        is_solved = reply.verdict == verdicts.SOLVED
        self._note(is_solved)
        if is_solved:
            self.state = SOLVED
        return STAY if is_solved else UNDO

    def take_back(self, turns: Sequence[int]) -> None:
        """Be where these turns lead; what was said of a turn that was wrong is still said."""
        self._trial.restart()
        self.hinted = None
        for turn in turns[::2]:
            self._trial.play(turn)
        self.step = self.puzzle.win - self._trial.left
        if self.state == SOLVED:
            self.begin()

    def hint(self) -> None:
        """Say with which copy the win begins."""
        if self.state in (SET_UP, TRY):
            self._note(False, shown=True)
            self.says = hint_of(self._trial)
            self.hinted = self._trial.solution()

    def go_on(self) -> None:
        """Go on to the next puzzle."""
        standing = self._tries.standing(self._player)
        playable = (each for each in self._box.open() if not each[1].options)
        number = standing.next_of(playable)
        if number is not None:
            self._choose(number)
            return
        self.state = DONE
        self.says = tr("You have tried all puzzles. {standing}", standing=standing_says(standing))

    def _note(self, is_solved: bool, shown: bool = False) -> None:
        """Keep how the first try ended."""
        self._is_clean = self._is_clean and is_solved
        self._tries.note(self._player, self.puzzle, self._is_clean, shown)
