"""The exercises: positions, what is to be done there, and what is said about it.

White is the learner and has the move. No exercise begins where a game does, and none is in the
archive, so that a game that begins in one of these positions is known to be a lesson's.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import NamedTuple

from chronotable_host.language import tr
from chronotable_host.rules.action_replay import Death, play_actions
from chronotable_host.rules.notation import parse_position
from ttykm import layout
from ttykm.game import Game
from ttykm.layout import BACK, FORWARD, WHITE


class TurnOutcome(NamedTuple):
    """What one turn did.

    `actions` are its codes (layout.py), `pushes` counts those of them that moved a copy of the
    other player, or killed one; `deaths` says who died, `focus` where the mover's focus went,
    `after` is the position then and `winner` who has won, or NOBODY.
    """

    mover: int
    actions: tuple[int, ...]
    pushes: int
    deaths: tuple[Death, ...]
    focus: int
    after: array[int]
    winner: int

    @property
    def travels(self) -> tuple[int, ...]:
        """Return those of its actions that are travels, FORWARD or BACK (T24, T25)."""
        return tuple(code for code in self.actions if code in (FORWARD, BACK))

    @property
    def lost(self) -> int:
        """Return how many copies the mover lost."""
        return sum(death.player == self.mover for death in self.deaths)

    def killed(self, cause: str) -> int:
        """Return how many copies of the other player died of this, one of CAUSES."""
        return sum(death.player != self.mover and death.cause == cause for death in self.deaths)

    def has_copies(self, era: int) -> bool:
        """Tell whether the mover has a copy in an era."""
        return self.after[3 * self.mover + era] != 0


def outcome_of(state: array[int], turn: int) -> TurnOutcome:
    """Return what a turn, packed and legal in the position, does there."""
    mover = layout.mover(state)
    actions = tuple(code for code in (turn >> 6 & 63, turn & 63) if code)
    steps = play_actions(state, turn >> 12 & 15, actions)
    others = slice(3 * (1 - mover), 3 * (1 - mover) + 3)  # in the three eras
    pushes, before = 0, state
    for step in steps:
        pushes += before[others] != step.state[others]
        before = step.state
    game = Game()
    game.start(state)
    game.apply(turn)
    return TurnOutcome(
        mover,
        actions,
        pushes,
        tuple(death for step in steps for death in step.deaths),
        layout.turn_focus(turn),
        array("H", game.state),
        game.winner(),
    )


_SQUISH, _PARADOX = "squish", "paradox"  # of action_replay.CAUSES
_HOME = "w..............b"  # an era as it lies at the start (T3)


class Exercise(NamedTuple):
    """A position, and what a turn has to do in it.

    `position` is a text of rules.notation; `says` is told before, `solved` after a turn that meets
    the `goal`, `missed` after any other one, and `hint` to who asks for it. `turn` meets the goal.
    """

    position: str
    says: str
    goal: Callable[[TurnOutcome], bool]
    turn: str
    hint: str
    solved: str
    missed: str

    @property
    def state(self) -> array[int]:
        """Return the position as a state."""
        return parse_position(self.position)


class Lesson(NamedTuple):
    """A lesson: what it is called, and its exercises."""

    title: str
    exercises: tuple[Exercise, ...]


def _in_past(board: str) -> str:
    """Return a position in which white looks at the past, and the other eras are as at the start.

    All seven pieces of both players are there, on the boards or in the supply (T2).
    """
    white, black = (5 - board.count(copy) for copy in "wb")
    return f"{board}/{_HOME}/{_HOME} 0 2 {white} {black} w"


LESSONS = (
    Lesson(
        tr("Move and push"),
        (
            Exercise(  # T7, T11, T15, T16
                _in_past(".....w.........b"),
                tr(
                    "Your focus is on the past: there you act. Take two steps with your copy, then"
                    " move your focus."
                ),
                lambda turn: not turn.pushes and not turn.travels and not turn.lost,
                "6 N E >present",
                tr("Step to an empty space beside you, then step again. Then choose another era."),
                tr("Two actions with one copy, then the focus: that is a turn."),
                tr("That was a journey through time. For now, only take two steps."),
            ),
            Exercise(  # T17
                _in_past(".....wb........."),
                tr("A black copy is beside yours. Walk into it: you push it one space on."),
                lambda turn: turn.pushes > 0,
                "6 E N >present",
                tr("Step onto the space where the black copy is."),
                tr("Pushed! Whoever you walk into has to make room."),
                tr("Nobody was pushed. Walk into the black copy beside yours."),
            ),
            Exercise(  # T8, T17
                _in_past("....wb.........."),
                tr("You have two actions. Use both of them to push the black copy."),
                lambda turn: turn.pushes == 2 and not turn.deaths,
                "5 E E >future",
                tr("Walk into the black copy, and then once more the same way."),
                tr("Two pushes in one turn. You may do the same twice."),
                tr("Push it with both actions: walk into it, and then once more."),
            ),
        ),
    ),
    Lesson(
        tr("Walls and squish"),
        (
            Exercise(  # T18
                _in_past("......wb........"),
                tr("A black copy is at the wall. Push it against the wall, and see what happens."),
                lambda turn: turn.killed(_SQUISH) > 0,
                "7 E W >future",
                tr("Walk into the black copy, straight towards the wall behind it."),
                tr("Squished! With a wall behind it, a pushed copy has nowhere to go: it dies."),
                tr("The black copy still lives. Push it straight against the wall."),
            ),
            Exercise(  # T8, T18
                _in_past(".....wb........."),
                tr("Now the wall is one space further. You have two actions: squish the copy!"),
                lambda turn: turn.killed(_SQUISH) > 0,
                "6 E E >future",
                tr("First push it to the wall, then push once more."),
                tr("One push to the wall, one against it: squished."),
                tr("The black copy still lives. Push it twice the same way."),
            ),
            Exercise(  # T20
                _in_past(".....wbw........"),
                tr("A push runs through a whole line. Push Black, but do not lose a copy."),
                lambda turn: turn.pushes > 0 and not turn.lost,
                "8 W N >present",
                tr("Whoever is at the wall gets squished. So walk with that copy, away from it."),
                tr("Black pushed your other copy along, and all of you live."),
                tr("Push Black, and lose nobody. Walls squish your own copies, too."),
            ),
        ),
    ),
    Lesson(
        tr("Paradox"),
        (
            Exercise(  # T19
                _in_past("....wbb........."),
                tr("Two black copies are side by side. Push one into the other."),
                lambda turn: turn.killed(_PARADOX) > 0,
                "5 E W >future",
                tr("Walk into the black copy beside yours: it has the other one behind it."),
                tr("A paradox! If a copy is pushed into one of its own colour, both of them die."),
                tr("Both black copies are still there. Push one straight into the other."),
            ),
            Exercise(  # T8, T19
                _in_past("....wb.b........"),
                tr("Here is a gap between them. Make a paradox with two actions."),
                lambda turn: turn.killed(_PARADOX) > 0,
                "5 E E >future",
                tr("The first push closes the gap, the second one makes the paradox."),
                tr("The gap closed, and both are gone: a paradox."),
                tr("That was no paradox. Push the same black copy twice, towards the other."),
            ),
            Exercise(  # T18 to T20
                _in_past(".w..wbww........"),
                tr("Your own copies can be led into a paradox, too. Push Black, and lose nobody."),
                lambda turn: turn.pushes > 0 and not turn.lost,
                "2 S N >present",
                tr("Find the copy that pushes Black onto an empty space, where nobody else is."),
                tr("Well seen: nobody of yours was behind Black."),
                tr(
                    "Push Black, and lose nobody. Look who is behind Black, and who is behind them."
                ),
            ),
        ),
    ),
    Lesson(
        tr("Travelling"),
        (
            Exercise(  # T24
                _in_past(".....w.........b"),
                tr("You can travel in time. Go forward: to the same space of the next era."),
                lambda turn: FORWARD in turn.travels,
                "6 F N >future",
                tr("Choose your copy, then its own space in the present."),
                tr("You went on in time. Forward, nobody stays behind."),
                tr("You are still in the past. Go to the same space of the present."),
            ),
            Exercise(  # T25
                f"{_HOME}/......w........b/{_HOME} 1 2 4 4 w",
                tr("Now go back in time. A new copy out of your supply stays where you were."),
                lambda turn: BACK in turn.travels,
                "7 B N >past",
                tr("Choose your copy in the present, then its own space in the past."),
                tr("There is one more of you, and one fewer in your supply."),
                tr("Nobody went back. Go to the same space of the past."),
            ),
            Exercise(  # T25, T26
                f"{_HOME}/{_HOME}/.........w.....b 2 1 4 4 w",
                tr("Each action goes one era on. Get from the future to the past in one turn."),
                lambda turn: turn.travels == (BACK, BACK),
                "10 B B >past",
                tr("Go back to the present, and from there back again."),
                tr("You went two eras back, and left two new copies behind."),
                tr("Use both actions to go back: one to the present, one to the past."),
            ),
            Exercise(  # T24, T27
                f"{_HOME}/.....w.........b/.....b.........w 1 0 0 4 w",
                tr(
                    "Your supply is empty: no way back. In the future, Black is on your space. Get"
                    " there all the same!"
                ),
                lambda turn: FORWARD in turn.travels,
                "6 N F >future",
                tr("First step aside, then go forward to an empty space."),
                tr(
                    "Right: you need an empty space to land on, and a copy in your supply to go "
                    "back."
                ),
                tr("You are not in the future yet. Step aside first, then go forward."),
            ),
        ),
    ),
    Lesson(
        tr("Focus and winning"),
        (
            Exercise(  # T10, T15
                f".....w.........b/...............b/{_HOME} 0 1 4 4 w",
                tr(
                    "You act next where your focus goes. Take two actions, then move it where one"
                    " of your copies is."
                ),
                lambda turn: turn.has_copies(turn.focus),
                "6 N E >future",
                tr("Take two steps. Then choose the future: you have a copy there."),
                tr("Somebody of yours is there, so your next turn has actions."),
                tr("Nobody of yours is there: your next turn would have no actions."),
            ),
            Exercise(  # T29
                f"......wb......../w.............../{_HOME} 0 2 4 3 w",
                tr("Black lives in two eras only. Leave Black only one of them, and you win."),
                lambda turn: turn.winner == WHITE,
                "7 E W >present",
                tr("Squish the black copy in the past: it is at the wall."),
                tr("You win! Whoever is left in a single era has lost."),
                tr("Black still lives in two eras. Look who is at the wall."),
            ),
            Exercise(  # T24, T19, T29
                f"....w.........../.....bb........./{_HOME} 0 2 4 4 w",
                tr("One turn is enough to win this game. You know all that it takes!"),
                lambda turn: turn.winner == WHITE,
                "5 F E >present",
                tr("Go forward to the present, and make a paradox there."),
                tr("You win, out of the past! Now you know the game."),
                tr("Black still lives in two eras. Who is side by side, and how do you get there?"),
            ),
        ),
    ),
)
"""The lessons, in the order in which they are learned."""

_BEGINNINGS = frozenset(
    exercise.state.tobytes() for lesson in LESSONS for exercise in lesson.exercises
)


def is_of_lesson(start: array[int]) -> bool:
    """Tell whether a game that begins in this position is a lesson's, which nobody keeps."""
    return start.tobytes() in _BEGINNINGS
