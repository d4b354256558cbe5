"""One puzzle being solved: turn by turn, each judged, and answered with the longest defence."""

from array import array
from typing import NamedTuple

from chronotable_host.language import names, tr
from chronotable_host.learning.puzzles.puzzle import Puzzle
from chronotable_host.learning.puzzles.solver import Solver
from chronotable_host.rules.notation import format_turn
from ttykm import layout
from ttykm.game import Game

SOLVED, ON, WRONG = "solved", "on", "wrong"
"""What comes of a turn: it wins; it still wins in time, and is answered; it does not."""


class Reply(NamedTuple):
    """What comes of a turn: `verdict` is one of the three above, `answer` the other player's.

    After a wrong turn the answer is why it is wrong, None where a last turn does not win. Turns are
    packed.
    """

    verdict: str
    answer: int | None = None


class Trial:
    """A puzzle, and how far it is solved.

    `game` has the turns of both players, `left` says in how many of the solver's it is won.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.game = Game()
        self._solver = Solver(puzzle.state, puzzle.options)
        self.restart()

    def restart(self) -> None:
        """Begin anew."""
        self.game.start(self.puzzle.state, self.puzzle.options)
        self.left = self.puzzle.win

    @property
    def is_solved(self) -> bool:
        """Whether the player to move has won."""
        return self.game.winner() == self.puzzle.mover

    def play(self, turn: int) -> Reply:
        """Judge a turn, packed, of the player who is to win; a wrong one is not made.

        Raises IllegalTurnError.
        """
        game = self.game
        game.apply(turn)
        if self.is_solved:
            return Reply(SOLVED)
        left = self.left - 1
        refuting = self._solver.refutation(self._node(), left) if left else None
        if refuting is not None or not left:
            game.undo()
            return Reply(WRONG, refuting)
        self.left = left
        answer = self._solver.longest_defence(self._node(), left)
        game.apply(answer)
        return Reply(ON, answer)

    def rest(self) -> list[int]:
        """Return the turns of both players that are left, packed, as it is solved."""
        trial, done = Trial(self.puzzle), len(self.game.turns)
        for turn in self.game.turns[::2]:
            trial.play(turn)
        while not trial.is_solved:
            trial.play(trial.solution())
        return [*trial.game.turns[done:]]

    def solution(self) -> int:
        """Return a turn that is right, packed."""
        turn = self._solver.win(self._node(), self.left)
        assert turn is not None, "it was proven to be won"
        return turn

    def _node(self) -> object:
        return self._solver.node(array("H", self.game.state))


def reply_says(reply: Reply, trial: Trial) -> str:
    """Return what comes of the turn that a trial has just judged, the answer as it is written."""
    if reply.answer is None:
        return reply_told(reply, trial)
    other = names.PLAYERS[1 - trial.puzzle.mover]
    answer = tr("{player} answers {turn}.", player=other, turn=format_turn(reply.answer))
    return f"{reply_told(reply, trial)} {answer}"


def reply_told(reply: Reply, trial: Trial) -> str:
    """Return what comes of the turn that a trial has just judged, where the answer is shown."""
    player = names.PLAYERS[trial.puzzle.mover]
    if reply.verdict == SOLVED:
        return tr("Solved: {player} wins.", player=player)
    if reply.verdict == ON:
        return tr("Right.")
    if reply.answer is None:
        return tr("{player} does not win with that. Try again.", player=player)
    return tr("After the answer the win takes longer, or is gone. Try again.")


def hint_of(trial: Trial) -> str:
    """Return which copy the win begins with."""
    turn = trial.solution()
    focus = names.ERAS[layout.focus(trial.game.state, trial.puzzle.mover)]
    if not turn & 0xFFFF:  # nobody can act (T10)
        return tr("Nobody can act in the {era}: only the focus moves.", era=focus)
    return tr(
        "It begins with the copy on space {space} of the {era}.",
        space=(turn >> 12 & 15) + 1,
        era=focus,
    )
