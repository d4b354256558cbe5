"""Heedless people: half of what the table asks they overlook, and play on for a while.

They are rough, and besides: of the questions and guides that open, every other one is overlooked
for up to 20 gestures. The turn is done in their eyes, marker and all; the other player plays, then
the first one again, and nobody waits for the lights. When somebody looks up at last, they do what
the lights ask for and answer, and what the table does not have by then they play again.

Two things must not happen meanwhile: that the table takes a turn for another one, and that a
question is decided by what was touched after it.
"""

from __future__ import annotations

from array import array
from random import Random

from chronotable_host.pieces import pieces_of
from chronotable_host.rules.notation import format_turn
from chronotable_host.virtual.hand import Gesture
from tests.lab.hand import Hand
from tests.lab.people.account import DECIDED, LOST, OVERLOOKED, WRONG, Incident
from tests.lab.people.person import READ_MS, Person
from tests.lab.people.place import SET_UP, Place
from ttykm.layout import NOBODY

_MOST_ASKED = 60  # one question or guide after another, until nobody follows any more
_MOST_LOOKS = 300  # in a game


class _Noticed(Exception):  # noqa: N818 - what a person does
    """Somebody looks up: the table does not have what was played."""


class _Misread(Exception):  # noqa: N818 - what the table did
    """The table has another turn than the hands meant."""


class HeedlessPerson(Person):
    """Both players of a game at a place, who do not look at it half of the time.

    `game` is what they think was played, and may be ahead of the table's.
    """

    def __init__(self, place: Place, rng: Random) -> None:
        super().__init__(place, rng, rough=True)
        self.hand = Hand(rng, heedless=True)
        self._turn = 0  # that is being acted
        self._blind = 0  # for so many gestures more nobody looks
        self._is_alert = False  # somebody looked up, and minds the table until it has the turn
        self._asked_of = -1  # how many turns come before the one that is asked about in vain
        self._judged = 0  # how many of the table's turns were compared with what was meant
        self._looks = 0

    # ---- the course of a game

    def take_turn(self, turn: int, gestures: list[Gesture] | None = None) -> None:
        """Act a turn out; the table may not have it in the end, nor the ones before."""
        self._turn = turn
        try:
            super().take_turn(turn, gestures)
        except _Noticed:
            self._look_up()
        except _Misread:
            self._begin_anew()

    def _catches_up(self) -> bool:
        if not self._is_behind(len(self.game.turns)) or self._looks >= _MOST_LOOKS:
            return False
        self._look_up()
        return True

    def _look_up(self) -> None:
        """Do what the lights ask for, and go on from where the table is then."""
        self._looks += 1
        try:
            self._heed_the_lights()
        except _Misread:
            self._begin_anew()
        else:
            if self._looks == _MOST_LOOKS:
                self._note(LOST, len(self.game.turns))
                self._begin_anew()

    def _begin_anew(self) -> None:
        if self.game.winner() == NOBODY:
            self._put_up()

    def _put_up(self) -> None:
        self._blind = self._judged = 0
        self._asked_of = -1
        self._is_alert = False
        super()._put_up()

    # ---- overlooking

    def _overlooks(self) -> bool:
        if not self._blind and not self._is_alert:
            self._blind = self.hand.overlooks_for()
            self.account.overlooked += self._blind > 0
        return self._blind > 0

    def _is_behind(self, number: int) -> bool:
        return self._turns_taken() + (self.place.provisional is not None) < number

    def _verdict(self, wanted: array[int], number: int) -> str | None:
        if self._is_behind(number):
            if self._blind:
                return OVERLOOKED
            raise _Noticed
        if self._taken(wanted, number) is None and self._overlooks():
            return OVERLOOKED  # it may not be lit yet: who does not look does not wait for it
        verdict = super()._verdict(wanted, number)
        if verdict is not None:
            self._is_alert = False
        return verdict

    def _do(self, gesture: Gesture) -> None:
        if self._blind and not self._can(gesture):
            self._open_eyes()
            raise _Noticed
        super()._do(gesture)
        if self._blind == 1:
            self._open_eyes()
            self._wait(READ_MS)
            if self.place.choices or self._todo() or self.place.phase == SET_UP:
                raise _Noticed
        elif self._blind:
            self._blind -= 1

    def _can(self, gesture: Gesture) -> bool:
        """Tell whether the board lets the hand do what it is about to."""
        if gesture.flicker_ms or gesture.closed:
            return gesture.closed == (gesture.sensor not in self.board)
        return self.board.get(gesture.sensor) == gesture.piece

    def _look(self) -> bytes:
        """Look at the lights, to choose what they offer: then nothing is overlooked."""
        if self._blind:
            self._open_eyes()
        picture = super()._look()
        if self._is_behind(len(self.game.turns)):
            raise _Noticed
        return picture

    def _open_eyes(self) -> None:
        self._blind = 0
        self._is_alert = True

    # ---- looking up

    def _heed_the_lights(self) -> None:
        self._open_eyes()
        self._asked_of = -1
        game = self.game
        undone = []
        while len(game.turns) > self._turns_taken():
            undone.append(game.undo())
        after = self._results[len(game.turns) :]
        self._meant = pieces_of(after[0]) if after else {}
        self._seen = {}
        for _ in range(_MOST_ASKED):
            self._wait(READ_MS)
            if self.place.choices:
                self._answer()
            elif not self._todo() or not self._follow():
                break
        while undone and not self._is_behind(len(game.turns) + 1):
            game.apply(undone.pop())
        self.account.turns -= len(undone)
        self._arrange(pieces_of(game.state))

    def _press(self, name: str, side: int) -> None:
        self._asked_of = -1
        super()._press(name, side)

    # ---- judging

    def _wait(self, duration_ms: int) -> None:
        super()._wait(duration_ms)
        self._judge()

    def _judge(self) -> None:
        """Compare the turn that became final last with what was meant; raises _Misread."""
        place, number = self.place, self._turns_taken()
        if self._asked_of >= 0 and (number > self._asked_of or place.provisional is not None):
            self._note(DECIDED, self._asked_of)
            self._asked_of = -1
        if len(self.game.turns) > number and place.choices:
            self._asked_of = number
        if number == self._judged:
            return
        self._judged = number
        if number > self._before and [place.game.state] != self._results[number - 1 : number]:
            self._note(WRONG, number - 1)
            raise _Misread

    def _note(self, what: str, number: int) -> None:
        meant = [*self.game.turns, self._turn][min(number, len(self.game.turns))]
        taken = self._taken_for()
        text = "" if taken is None else format_turn(taken)
        script = list(self.recorder.lines)
        incident = Incident(what, number + 1, format_turn(meant), self.hand.last, script, text)
        self.account.incidents.append(incident)
