"""Heedless people: half of what the table asks they overlook, and play on for a while.

They are rough, and besides: when a question or a guide opens, every other time nobody looks for up
to 20 gestures. Turn and marker are done in their eyes, the other player plays, then the first one
again. When somebody looks up at last, they do what the lights ask for and answer, and what the
table does not have by then they play again.

A table that takes a turn for another one meanwhile, or decides an open question by what was touched
after it, does what must not happen.
"""

from __future__ import annotations

from array import array
from random import Random

from chronotable_host.virtual.account import DECIDED, OVERLOOKED, WRONG, Incident
from chronotable_host.virtual.hand import Gesture, Hand
from chronotable_host.virtual.person import READ_MS, Person
from chronotable_host.virtual.place import SET_UP, Place
from chronotable_host.virtual.steps import lying
from ttykm.layout import NOBODY
from ttykm.notation import format_turn

_MOST_LOOKS = 60  # at lights that ask for one thing after another
_MOST_CATCHES = 100  # in a game


class _Noticed(Exception):  # noqa: N818 - somebody looks up
    """Somebody looks at the lights, and the table does not have what was played."""


class _Misread(Exception):  # noqa: N818 - what the table did, not what we did wrong
    """The table has another turn than the hands meant."""


class HeedlessPerson(Person):
    """Both players of a game at a place, who do not look at it half of the time."""

    def __init__(self, place: Place, rng: Random) -> None:
        super().__init__(place, rng, rough=True)
        self.hand = Hand(rng, heedless=True)
        self._blind = 0  # so many gestures more nobody looks
        self._is_alert = False  # somebody looked up, and minds the table until it has all turns
        self._asked_of = -1  # the number of turns before the one that is asked about in vain
        self._judged = 0  # turns of the table's that were compared with what was meant
        self._catches = 0

    # ---- the course of a game

    def take_turn(self, turn: int, gestures: list[Gesture] | None = None) -> None:
        """Act a turn out; it may turn out later that the table does not have it."""
        try:
            super().take_turn(turn, gestures)
        except _Noticed:
            self._mind_the_lights()
        except _Misread:
            if self.game.winner() == NOBODY:
                self._put_up()

    def _catches_up(self) -> bool:
        """Look up at the end: what the table does not have is played again."""
        self._catches += 1
        if not self._is_behind(len(self.game.turns)) or self._catches > _MOST_CATCHES:
            return False
        self._mind_the_lights()
        return True

    def _mind_the_lights(self) -> None:
        try:
            self._look_up()
        except _Misread:
            if self.game.winner() == NOBODY:
                self._put_up()

    def _put_up(self) -> None:
        self._blind = self._judged = 0
        self._is_alert = False
        self._asked_of = -1
        super()._put_up()

    # ---- overlooking

    def _overlooks(self) -> bool:
        if not self._blind and not self._is_alert:
            self._blind = self.hand.overlooks_for()
            self.account.overlooked += self._blind > 0
        return self._blind > 0

    def _is_behind(self, number: int) -> bool:
        """Tell whether the table has fewer turns than these."""
        return self._turns_taken() + (self.place.provisional is not None) < number

    def _verdict(self, wanted: array[int], number: int) -> str | None:
        if self._is_behind(number):
            if self._blind:
                return OVERLOOKED
            raise _Noticed
        taken = self._taken(wanted, number)
        if taken is None and self._overlooks():
            return OVERLOOKED
        verdict = super()._verdict(wanted, number)
        if verdict is not None:
            self._is_alert = False
        return verdict

    def _do(self, gesture: Gesture) -> None:
        if self._blind and not self._can(gesture):
            self._blind = 0
            self._is_alert = True
            raise _Noticed
        super()._do(gesture)
        if self._blind:
            self._blind -= 1
            if not self._blind:
                self._is_alert = True
                self._wait(READ_MS)
                if self._is_asked():
                    raise _Noticed

    def _can(self, gesture: Gesture) -> bool:
        """Tell whether the board lets the hand do what it is about to."""
        if gesture.flicker_ms or gesture.closed:
            return gesture.closed == (gesture.sensor not in self.board)
        return self.board.get(gesture.sensor) == gesture.piece

    def _is_asked(self) -> bool:
        return bool(self.place.choices or self._todo() or self.place.phase == SET_UP)

    def _look(self) -> bytes:
        """Look at the lights, to choose what they offer: then nothing is overlooked."""
        if self._blind:
            self._blind = 0
            self._is_alert = True
        picture = super()._look()
        if self._is_behind(len(self.game.turns)):
            raise _Noticed
        return picture

    # ---- looking up

    def _look_up(self) -> None:
        """Do what the lights ask for, answer, and go on from where the table is then."""
        self._blind = 0
        self._is_alert = True
        self._asked_of = -1
        game = self.game
        undone = []
        while len(game.turns) > self._turns_taken():
            undone.append(game.undo())
        after = self._results[len(game.turns) :]
        self._meant = lying(after[0]) if after else {}
        self._seen = {}
        for _ in range(_MOST_LOOKS):
            self._wait(READ_MS)
            if self.place.choices:
                self._answer()
            elif not self._todo() or not self._follow():
                break
        while undone and self._is_behind(len(game.turns) + 1) is False:
            game.apply(undone.pop())
        self.account.turns -= len(undone)
        self._arrange(lying(game.state))

    def _press(self, name: str, side: int) -> None:
        self._asked_of = -1
        super()._press(name, side)

    # ---- judging

    def _wait(self, duration_ms: int) -> None:
        super()._wait(duration_ms)
        self._judge()

    def _judge(self) -> None:
        """Compare the turns that are final with those that were meant."""
        place, number = self.place, self._turns_taken()
        if self._asked_of >= 0 and (number > self._asked_of or place.provisional is not None):
            self._note(DECIDED, self._asked_of)
            self._asked_of = -1
        if len(self.game.turns) > number and place.choices:
            self._asked_of = number
        if number == self._judged:
            return
        self._judged = number
        wanted = self._results[number - 1 : number]
        if not self._before < number:
            return
        if not wanted or place.game.state != wanted[0]:
            self._note(WRONG, number - 1)
            raise _Misread

    def _note(self, what: str, number: int) -> None:
        turns = self.game.turns
        meant = format_turn(turns[number]) if number < len(turns) else "?"
        taken = self.place.game.turns[-1] if self.place.game.turns else None
        text = "" if taken is None else format_turn(taken)
        script = list(self.recorder.lines)
        self.account.incidents.append(Incident(what, number + 1, meant, [], script, text))
