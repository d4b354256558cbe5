"""The hands at a virtual table that carry out turns: they lift and place pieces as people do.

The turns are those of a built-in player, or of a person who chose one on the page. One rule: it
goes by the table, as a person does. It begins when the turn before is final and the pieces lie as
in the game's position, and answers a question of the table by the turn that it meant. If somebody
disturbs its turn it puts everything back and begins again.
"""

from array import array
from collections import deque
from collections.abc import Callable
from random import Random

from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.players.seats import Seats
from chronotable_host.rules.notation import PLAYERS
from chronotable_host.virtual.hand import Gesture, act_out, choose, letter_meant
from chronotable_host.virtual.steps import SPARE, ButtonChoice
from chronotable_host.virtual.tabletop import Tabletop, look_of, looks_in
from ttykm.layout import NOBODY

_THINK_MS = 700.0
_ANSWER_MS = 600.0
_PATIENCE_MS = 4000.0  # how long the table may take to understand the turn
_LOOK_MS = 300.0
_LOOK_AGAIN_MS = 50.0  # for who is still thinking
_HURRY = 0.35  # of the time that hands take where nobody watches them
_LEAST_MS = 80.0  # what is lifted sooner where it was placed passes for brushed (core/evidence.py)


class Opponent:
    """Plays sides at a table that a mirror follows; `held` is what it holds.

    `seats` say which sides, and choose the turns; `lay` lays a position, with all hands empty.
    """

    def __init__(
        self,
        top: Tabletop,
        mirror: Mirror,
        rng: Random,
        lay: "Callable[[array[int]], None]",
        seats: Seats,
    ) -> None:
        self.held: list[str] = []
        self._lay = lay
        self._seats = seats
        self._top = top
        self._mirror = mirror
        self._rng = rng
        self._gestures: deque[Gesture] = deque()
        self._aim: array[int] | None = None  # the position after the turn that it makes
        self._turn = 0  # that turn, packed
        self._turns = 0  # of the game when it began
        self._due_ms = 0.0
        self._late_ms = 0.0

    @property
    def is_busy(self) -> bool:
        """Whether a turn is under way."""
        return self._aim is not None

    @property
    def aim(self) -> "array[int]":
        """Return the position that the hands are bringing about, else that of the game."""
        return self._mirror.game.state if self._aim is None else self._aim

    @property
    def turn(self) -> int | None:
        """Return the turn that is under way, packed, None for none."""
        is_made = self._aim is not None and len(self._mirror.game.turns) == self._turns
        return self._turn if is_made else None

    @property
    def _is_unwatched(self) -> bool:
        """Whether the page shows positions only, as nobody plays with pieces."""
        return len(self._seats.thinkers) == len(PLAYERS)

    def forget(self) -> None:
        """Another game begins: let go of what is held."""
        self._gestures.clear()
        self.held.clear()
        self._aim = None
        self._seats.forget()
        self._due_ms = self._top.table.now_ms + _THINK_MS

    def step(self) -> None:
        """Do the next gesture, or whatever else is due."""
        now_ms = self._top.table.now_ms
        if now_ms < self._due_ms:
            return
        if self._gestures:
            try:
                self._do(self._gestures.popleft())
            except UserError:
                self._give_up()
        elif self._aim is not None:
            self._see_to_it(now_ms)
        else:
            self._begin(now_ms)

    def _begin(self, now_ms: float) -> None:
        """Choose a turn, once it is time to."""
        mirror = self._mirror
        game = mirror.game
        is_ready = mirror.table.phase == "turn" and mirror.provisional is None
        if (
            not is_ready
            or game.mover not in self._seats.thinkers
            or game.winner() != NOBODY
            or self._top.there != looks_in(game.state)
        ):
            self._seats.stop()
            self._due_ms = now_ms + (_LOOK_AGAIN_MS if self._is_unwatched else _THINK_MS)
            return
        turn = self._seats.turn(game)
        if turn is None:
            self._due_ms = now_ms + _LOOK_AGAIN_MS
            return
        self._turn = turn
        self._aim = array("H", game.state)
        game.after(turn, self._aim)
        self._turns = len(game.turns)
        # the record is to have the actions that were chosen
        self._gestures.extend(act_out(game, turn, self._rng, is_orderly=True))
        self._wait_for_next(now_ms)

    def _do(self, gesture: Gesture) -> None:
        top = self._top
        if gesture.choice is not None:
            if not self._choose(gesture.sensor, gesture.choice):
                raise UserError(tr("the table does not offer that action"))
        elif gesture.piece == SPARE:
            (top.table.place if gesture.closed else top.table.lift)(gesture.sensor)
        elif gesture.closed:
            piece = look_of(gesture.piece, gesture.sensor)
            top.place(gesture.sensor, piece)
            if piece in self.held:
                self.held.remove(piece)
        else:
            self.held.append(top.lift(gesture.sensor))
        self._wait_for_next(top.table.now_ms)

    def _wait_for_next(self, now_ms: float) -> None:
        after_ms = self._gestures[0].after_ms if self._gestures else _LOOK_MS
        self._due_ms = now_ms + (
            max(_LEAST_MS, _HURRY * after_ms) if self._is_unwatched else after_ms
        )
        self._late_ms = now_ms + _PATIENCE_MS

    def _see_to_it(self, now_ms: float) -> None:
        """See that the table has understood the turn, and answer what it asks."""
        mirror = self._mirror
        self._due_ms = now_ms + _LOOK_MS
        if len(mirror.game.turns) != self._turns:  # final, or somebody took a turn back
            self._aim = None
        elif mirror.choices:
            self._answer()
            self._late_ms = now_ms + _PATIENCE_MS
        elif mirror.table.phase == "over":
            self._aim = None
        if self._aim is not None and now_ms > self._late_ms:
            self._give_up()

    def _answer(self) -> None:
        assert self._aim is not None
        game = self._mirror.game
        letter = letter_meant(game, self._mirror.choices, self._aim)
        if letter is None:
            self._give_up()
        else:
            self._top.table.press(letter, game.mover)
            self._due_ms += _ANSWER_MS

    def _give_up(self) -> None:
        """Lay everything as the game has it, and begin anew."""
        self._lay(self._mirror.game.state)

    def _choose(self, target: int, choice: ButtonChoice) -> bool:
        """Have the lights offer an action."""
        table, mover = self._top.table, self._mirror.game.mover

        def look() -> bytes:
            table.run_until(table.now_ms + _LOOK_MS)
            return self._mirror.table.leds

        return choose(target, choice, look, lambda: table.press("action", mover), self._top.tap)
