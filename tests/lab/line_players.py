"""The players of a pair: those of the sensing figures, with quick hands.

They look at the lights and do what is asked. They can take turns back, resign and begin anew, also
by having the PC say so.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from chronotable.core.commands import SETTINGS
from chronotable.core.tracker import Tracker
from chronotable.hardware.sensors import BUTTON, FOCUS, SENSORS, SPACES
from chronotable.link.frames import LocalLinkError
from chronotable.link.packed import pack_position
from chronotable_host.pieces import pieces_of
from chronotable_host.rules.notation import OPTIONS
from chronotable_host.virtual.hand import Gesture
from tests.lab.hand import Hand
from tests.lab.hostile.case import expect
from tests.lab.line_pair import WholePair
from tests.lab.people.account import LOST, TWIN, WRONG
from tests.lab.people.person import Person
from tests.lab.people.place import OVER, SET_UP, TURN, Told, button
from tests.lab.people.tracker_place import TrackedPlace
from tests.lab.positions import random_game
from ttykm import layout

_START_MS = 1000  # of a table: so long it has no port
_QUICK_MS = (80, 200)  # between gestures
_SETTLED_MS = 600
_PRESS_MS = 100
_PC_PATIENCE_MS = 150_000
_SLOW_MS = 3000
_SETTLE, _SETTLE_MS = SETTINGS.index("settle_ms"), 250


class LinePlace(TrackedPlace):
    """The table of a pair as a place to play at; while time passes there, things befall it."""

    def __init__(self, pair: WholePair) -> None:
        self.pair = pair
        self.befalls: Callable[[], None] | None = None
        self._told = Told()

    @property
    def now_ms(self) -> float:
        return self.pair.now_ms

    def _track(self) -> Tracker:
        return self.pair.table.table.tracker

    @property
    def provisional(self) -> int | None:
        return self.pair.table.table.standing

    def told(self) -> Told:
        """Return what was told: nothing that matters here."""
        return self._told

    def picture(self) -> bytes:
        return bytes(self.pair.table.table.hints.leds[:SENSORS])

    def start(self, state: array[int], options: int) -> None:
        """Put a position up, and switch the table on; there is no other way to begin."""
        expect(not self.pair.table.boots, "the table has lost the game")
        expect(options == 0, "a table begins without options")
        self.pair.table.lies = set(pieces_of(state))
        self.pair.table.power_on()
        self.wait(_SETTLED_MS)

    def wait(self, duration_ms: int) -> None:
        end_ms = self.pair.now_ms + duration_ms
        while self.pair.now_ms < end_ms:
            self.pair.step()
            if self.befalls is not None:
                self.befalls()

    def lift(self, sensor: int) -> None:
        self.pair.move(sensor, False)

    def place(self, sensor: int) -> None:
        self.pair.move(sensor, True)

    def press(self, name: str, side: int) -> None:
        sensor = BUTTON + button(name, side)
        self.pair.move(sensor, True)
        self.wait(_PRESS_MS)
        self.pair.move(sensor, False)

    def break_reed(self, sensor: int, how: bool | str) -> None:
        raise NotImplementedError


class _QuickHand(Hand):
    def pause_ms(self) -> int:
        return self.rng.randint(*_QUICK_MS)


class Players(Person):
    """Both players of a pair's games, who sometimes have the PC speak for them."""

    def __init__(self, place: LinePlace, rng: Random) -> None:
        super().__init__(place, rng)
        self.at = place
        self.hand = self._careful = _QuickHand(rng)
        self.did: Counter[str] = Counter()

    def take(self, turn: int) -> None:
        """Act a turn out; that it is understood is taken for granted here."""
        self.take_turn(turn)
        for what in (WRONG, LOST, TWIN):
            expect(not self.account.of(what), f"a turn was {what}")

    def wait_until(self, is_so: Callable[[], bool], most_ms: int = 5000) -> bool:
        end_ms = self.place.now_ms + most_ms
        while not is_so() and self.place.now_ms < end_ms:
            self.place.wait(_PRESS_MS // 2)
        return is_so()

    def rest(self) -> None:
        """Wait until the last turn is final; then the table has the game that was meant.

        Its turns may be written otherwise: there are two ways to go around a corner.
        """
        self.wait_until(lambda: self.place.provisional is None)
        has = self.place.game
        expect(has.state == self.game.state, "the table has another position than was played")
        expect(len(has.turns) == len(self.game.turns), "the table has lost turns")

    def take_back(self, by_pc: bool = False) -> None:
        """Take the last turn back, which the other player agrees to, and put the pieces back."""
        number = len(self.game.turns)
        if not (by_pc and self._have_pc_say(lambda: self._turns() < number, "undo")):
            self.place.press("undo", self.game.mover)
        self.did["taken back"] += 1
        self.game.undo()
        self._arrange(pieces_of(self.game.state))
        self.rest()

    def take_back_by_pc(self) -> None:
        """Have the PC take the last turn back, wait for as long as that may take, put it back."""
        self.at.pair.say("undo")
        self.place.wait(_SLOW_MS)
        self.did["taken back by the PC"] += 1
        self.game.undo()
        self._arrange(pieces_of(self.game.state))
        self.rest()

    def have_pc_set(self) -> None:
        """Have the PC set what is so already: a command like any other."""
        process = self.at.pair.pc.process
        if process is not None and process.connection.is_there:
            with suppress(LocalLinkError):  # too many wait
                process.session.command("set", setting=_SETTLE, value=_SETTLE_MS)

    def _turns(self) -> int:
        return len(self.place.game.turns)

    def lift_marker_again(self) -> None:
        owner = 1 - self.game.mover
        spot = FOCUS + 3 * owner + layout.focus(self.game.state, owner)
        self.place.lift(spot)
        self.place.wait(4 * _PRESS_MS)
        number = len(self.game.turns) - 1
        expect(self._turns() == number, "the turn does not go on")
        self.place.place(spot)
        self.did["marker lifted again"] += 1
        expect(self._verdict(self.game.state, number) == "", "the turn is not taken again")
        self.rest()

    def restart(self, turn: int | None = None) -> None:
        self.rest()
        if turn is not None:
            gestures = self.hand.act_out(self.game, turn)
            for gesture in gestures[: self.rng.randint(1, len(gestures) - 1)]:
                self._do(gesture)
        pair = self.at.pair
        self.did["restarts in mid-turn" if turn else "restarts"] += 1
        if self.rng.random() < 0.7:
            pair.unplug(_START_MS)  # else the port outlives it
        pair.line.restart()
        pair.table.power_on()
        self._arrange(pieces_of(self.game.state))
        self.rest()
        expect(self.place.phase == TURN, f"the game does not go on, but {self.place.phase}")

    def end_early(self) -> None:
        side = self.rng.randrange(2)
        if self.rng.random() < 0.3:
            self.place.press("draw", side)
            self.place.press("draw", 1 - side)
        elif self.rng.random() < 0.5 or not self._have_pc_say(
            lambda: self.place.phase == OVER, "resign", side="wb"[side]
        ):
            self.place.press("resign", side)
        expect(self.wait_until(lambda: self.place.phase == OVER), "the game does not end")

    def begin_again(self, by_pc: bool) -> None:
        """Begin another game; the PC may name any position and any options."""
        state, options = layout.new_state(), 0
        if by_pc:
            if self.rng.random() < 0.5:
                state = random_game(self.rng.randrange(1000), 10).state
            options = self.rng.randrange(1 << len(OPTIONS))
            by_pc = self._have_pc_say(
                self._is_new, "new_game", position=pack_position(state), options=options
            )
        if not by_pc:
            if self.place.phase != OVER:
                return
            state, options = layout.new_state(), 0
        self.game.start(state, options)
        for sensor in [at for at in self.board if at < SPACES]:  # the last marker is no take-back
            self._do(Gesture(self.hand.pause_ms(), sensor, False, self.board[sensor]))
        self._arrange(pieces_of(state))
        self.did["new games by the PC" if by_pc else "new games"] += 1
        expect(self.wait_until(lambda: self.place.phase == TURN), "no game begins")
        self.rest()

    def _is_new(self) -> bool:
        return self.place.phase == SET_UP

    def _have_pc_say(self, is_done: Callable[[], bool], name: str, **fields: Any) -> bool:
        """Have the PC send a command; return whether the table did it.

        It is done once, or the program was killed before it could see to that.
        """
        pc, table = self.at.pair.pc, self.at.pair.table
        process = pc.process
        if process is None or not process.connection.is_there:
            return False
        if process.order.boot != table.boots[-1]:  # it is about to hear of a restart
            return False
        try:
            process.session.command(name, **fields)
        except LocalLinkError:
            return False
        self.did["commands"] += 1
        self.wait_until(lambda: is_done() or pc.process is not process, _PC_PATIENCE_MS)
        expect(is_done() or pc.process is not process, f"the table does not '{name}'")
        self.wait_until(is_done, 1000)
        return is_done()
