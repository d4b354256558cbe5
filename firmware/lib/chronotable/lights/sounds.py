"""A table with a piezo: short tunes for a turn that is over, a question, and what is wrong.

Only a board that names the piezo's pin has the table load this.
"""

from chronotable.core import why
from chronotable.core.table import Table
from chronotable.lights.light import NIGHT
from ttykm.mp import const

if False:
    from typing import Any

TUNES = {"turn": (2093, 0), "question": (1568, 2349, 0), "wrong": (1175, 784, 0)}
"""The notes of each sound in Hz, silence last; no two begin alike, and each goes its own way."""

_NOTE_MS = const(90)
_LEADING = (why.SET_UP, why.UNFINISHED, why.RESTORE, why.WANTED)  # what hands have not done yet
_ASKING = (why.NEW_GAME, why.GO_BACK, why.MIXED)


def of_guide(reason: int) -> str:
    """Return which sound a table makes that asks for pieces for a reason, "" for none."""
    if reason in _LEADING:
        return ""
    return "question" if reason in _ASKING else "wrong"


class SoundingTable(Table):
    """A table that sounds through `pwm`, a machine.PWM, not at night; of two sounds the later."""

    def __init__(self, pwm: "Any", *of_table: "Any") -> None:
        self._pwm = pwm
        self._notes: tuple[int, ...] = ()
        self._due_ms = 0  # when the next note is
        super().__init__(*of_table)

    def _sound(self, name: str) -> None:
        if name and self.light.brightness > NIGHT:
            self._notes = TUNES[name]
            self._due_ms = self.now_ms

    def step(self, now_ms: int) -> bool:
        """Let time pass for the game and the tune."""
        is_painted = super().step(now_ms)
        if self._notes and now_ms >= self._due_ms:
            hz = self._notes[0]
            self._notes = self._notes[1:]
            self._due_ms = now_ms + _NOTE_MS
            if hz:
                self._pwm.freq(hz)
            self._pwm.duty_u16(0x8000 if hz else 0)
        return is_painted

    def provisional(self, turn: int) -> None:
        """The marker ended a turn, for now."""
        self._sound("turn")
        super().provisional(turn)

    def ask(self, choices: "list[int]") -> None:
        """Which of these turns was it?"""
        self._sound("question")
        super().ask(choices)

    def guide(self, take: bytearray, put: bytearray, why: int) -> None:
        """Ask for pieces to be taken off and put on: mostly because of a mistake."""
        self._sound(of_guide(why))
        super().guide(take, put, why)
