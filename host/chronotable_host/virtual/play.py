"""A game on a virtual table, played by hands that carry out turns chosen by players.

The players choose turns, the hand carries them out on the reeds, and the turn that the table
understood counts. A question of the table is answered by the turn that the player meant.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from random import Random

from chronotable.hardware.sensors import SENSORS
from chronotable_host.language import tr
from chronotable_host.live.mirror import Mirror
from chronotable_host.pieces import pieces_of
from chronotable_host.virtual.hand import Gesture, act_out, choose, letter_meant
from chronotable_host.virtual.table import VirtualTable
from ttykm.game import Game
from ttykm.layout import NOBODY

_REST_MS = 1200.0  # the marker rests for a second before a turn is final
_LIFTED_MS = 100  # so long that no reed is taken to bounce
_SET_UP_MS = 500.0
_ANSWER_MS = 300.0
_TAP_MS = 150.0
_PATIENCE = 8

Player = Callable[[Game], int | None]
"""Chooses a packed turn in a game's position, or None to stop playing."""


class Misread(Exception):  # noqa: N818 - what the table did, not what we did wrong
    """The table understood something else than the hand did, and did not ask."""


class Hands:
    """Two hands at a virtual table whose session mirrors the game.

    `gestured` is called after every gesture; `wait` lets so many ms of table time pass.
    """

    def __init__(
        self,
        table: VirtualTable,
        mirror: Mirror,
        rng: Random,
        gestured: Callable[[Gesture], None] = lambda _gesture: None,
        wait: Callable[[float], None] | None = None,
    ) -> None:
        self.table = table
        self.mirror = mirror
        self.questions = 0
        self.wait = wait or self._wait
        self._rng = rng
        self._gestured = gestured

    def set_up(self, state: array[int]) -> None:
        """Put the pieces on the table and wait until it has seen them."""
        self.table.put_up(state)
        self.wait(_SET_UP_MS)

    def lay(self, state: array[int]) -> None:
        """Put a position in the place of whatever lies there, and wait until it was seen.

        All of it is lifted: the table knows whose what nobody touches is.
        """
        for sensor in filter(self.table.has_magnet, range(SENSORS)):
            self.table.lift(sensor)
        self.wait(_LIFTED_MS)
        for sensor, piece in pieces_of(state).items():
            self.table.place(sensor, piece)
        self.wait(_SET_UP_MS)

    def _wait(self, duration_ms: float) -> None:
        self.table.run_until(self.table.now_ms + duration_ms)

    def act(self, game: Game, turn: int) -> None:
        """Carry out one turn of `game`'s position, and check that the table understood it.

        The turn becomes final by the opponent's first lift, or by waiting. Raises Misread.
        """
        wanted = array("H", game.state)
        if not game.after(turn, wanted):
            raise ValueError("the hand acts legal turns only")
        for gesture in act_out(game, turn, self._rng):
            self.wait(gesture.after_ms)
            if not self.do(gesture, game.mover):
                raise Misread(
                    tr("turn {turn} needs what the table does not offer", turn=len(game.turns) + 1)
                )
        self.wait(self._rng.randint(100, 300))
        for _ in range(_PATIENCE):
            if self.mirror.choices and not self.answer(game, wanted):
                raise Misread(
                    tr(
                        "the table asks about turn {turn}, without what was played",
                        turn=len(game.turns) + 1,
                    )
                )
            if self._understood(game, wanted):
                return
            self.wait(_REST_MS)
        raise Misread(tr("turn {turn} was not understood", turn=len(game.turns) + 1))

    def do(self, gesture: Gesture, mover: int) -> bool:
        """Do one gesture of who moves; False where the lights do not offer what it chooses."""
        table = self.table

        def look() -> bytes:
            self.wait(_ANSWER_MS)
            return self.mirror.table.leds

        def tap(sensor: int) -> None:
            table.lift(sensor)
            self.wait(_TAP_MS)
            table.place(sensor)

        if gesture.choice is None and gesture.closed:
            table.place(gesture.sensor, gesture.piece)
        elif gesture.choice is None:
            table.lift(gesture.sensor)
        elif not choose(
            gesture.sensor, gesture.choice, look, lambda: table.press("action", mover), tap
        ):
            return False
        self._gestured(gesture)
        return True

    def answer(self, game: Game, aim: array[int]) -> bool:
        """Press the button of the turn that was meant; False where the table does not name it."""
        self.questions += 1
        letter = letter_meant(game, self.mirror.choices, aim)
        if letter is None:
            return False
        self.table.press(letter, game.mover)
        self.wait(_ANSWER_MS)
        return True

    def _understood(self, game: Game, wanted: array[int]) -> bool:
        """Tell whether the table has the turn; raises Misread where it has another one."""
        mirror = self.mirror
        if mirror.provisional is not None:
            state = array("H", wanted)
            mirror.game.after(mirror.provisional, state)
        elif len(mirror.game.turns) > len(game.turns):
            state = mirror.game.state
        else:
            return False
        if state != wanted:
            raise Misread(tr("turn {turn} was taken for another one", turn=len(game.turns) + 1))
        return True


def play(
    hands: Hands,
    game: Game,
    players: tuple[Player, Player],
    played: Callable[[Game], None] = lambda _game: None,
    most_turns: int = 1000,
) -> int:
    """Play a game to its end; return the winner, or NOBODY where it was stopped.

    `game` is the players' own; it is compared with what the table has after every turn, and
    `played` is called with it then.
    """
    while game.winner() == NOBODY and len(game.turns) < most_turns:
        turn = players[game.mover](game)
        if turn is None:
            break
        hands.act(game, turn)
        game.apply(_same_result(hands.mirror, game))
        played(game)
    hands.wait(_REST_MS)
    return game.winner()


def _same_result(mirror: Mirror, game: Game) -> int:
    """Return the turn as the table tells it: another one may lead to the same position."""
    if mirror.provisional is not None:
        return mirror.provisional
    return mirror.game.turns[len(game.turns)]
