"""What a table was told to do for a game far apart, and has not done yet."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from chronotable_far.leading import MOST_LED
from chronotable_host.rules.notation import format_position

if TYPE_CHECKING:
    from chronotable_host.live.desk import Desk

_UNDO_MS = 3000.0  # until a table that has not taken a turn back is told so again
_ECHO_MS = 1000.0  # after a command in which what a table takes back is ascribed to it
_SET_UP_MS = 10_000.0  # until a table that sets nothing up is asked again


class Orders:
    """Tells a table what to do, and knows whether it has: told twice it would do it twice.

    `asked` is the position that is to be set up, None where the table has it. `now_ms` is the time
    of the last step.
    """

    def __init__(self, desk: Desk) -> None:
        self.now_ms = 0.0
        self._desk = desk
        self._session = desk.session
        self._mirror = desk.mirror
        self._asked: _SetUpOrder | None = None
        self._undone: tuple[int, float] | None = None  # of so many turns one is to be taken back
        self._echoes_until = 0.0  # what is taken back until then, was by a command
        self._told: dict[str, object] = {}  # what the table was told once, of each kind

    @property
    def asked(self) -> array[int] | None:
        """The position that the table was asked to set up, None where it has it."""
        return None if self._asked is None else self._asked.state

    @property
    def is_echo(self) -> bool:
        """Whether what the table takes back now was by a command, and not by hands."""
        return self.is_just_told or self._undone is not None

    @property
    def is_just_told(self) -> bool:
        """Whether a button that is pressed now may be so by a command, and not by hands."""
        return self.now_ms < self._echoes_until

    def drop(self) -> None:
        """Take it that the table was not told to set anything up."""
        self._asked = None

    def hear_started(self, position: str) -> None:
        """Take note that a game has begun at a position."""
        if self._asked is not None and position == format_position(self._asked.state):
            self._asked = None

    def set_up(self, state: array[int], options: int) -> None:
        """Have a position set up; raises LocalLinkError."""
        table = self._mirror.table
        self._asked = _SetUpOrder(state, (table.id, table.boot), self.now_ms)
        self._undone = None
        self._echo()
        self._desk.set_up(state, options)

    def awaits_position(self, states: Sequence[array[int]]) -> bool:
        """Tell whether the table has a position to set up still, that is one of a game's `states`.

        Where it is late, or has forgotten, it is to be asked again.
        """
        asked, table = self._asked, self._mirror.table
        if asked is None:
            return False
        if (table.id, table.boot) == asked.boot and asked.state in states[-1 - MOST_LED :]:
            is_late = self.now_ms - asked.since_ms >= _SET_UP_MS and table.phase != "set-up"
            if not (is_late and self._session.link.is_settled):
                return True
        self._asked = None
        return False

    def undo(self) -> None:
        """Have the last turn taken back; raises LocalLinkError."""
        self._undone = self._mirror.turns_of_table, self.now_ms
        self._echo()
        self._desk.undo()

    def awaits_undo(self) -> bool:
        """Tell whether the table has a turn to take back still; if late, it is to be told again."""
        if self._undone is None:
            return False
        count, since_ms = self._undone
        is_settled = self._session.link.is_settled
        if not is_settled:
            self._undone = count, self.now_ms
        if self._mirror.turns_of_table == count and self.now_ms - since_ms < _UNDO_MS:
            return True
        if is_settled:
            self._undone = None
            self._echo()
        return not is_settled

    def once(self, kind: str, what: object, name: str, **fields: str) -> None:
        """Give a command, unless this table was told `what` of this kind already."""
        if self.is_news(kind, what):
            self._session.command(name, **fields)

    def is_news(self, kind: str, what: object) -> bool:
        """Tell whether the table was not told this yet, and note that it is."""
        told = what, self._mirror.table.boot, self._mirror.source
        is_new = self._told.get(kind) != told
        self._told[kind] = told
        return is_new

    def _echo(self) -> None:
        """Ascribe what the table takes back in the next moment to what it was told."""
        self._echoes_until = self.now_ms + _ECHO_MS


class _SetUpOrder(NamedTuple):
    """A position that a table was asked to set up, the boot of which table, and when."""

    state: array[int]
    boot: tuple[str, int]
    since_ms: float
