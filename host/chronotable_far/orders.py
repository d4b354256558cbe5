"""What is due at a table for a game far apart, and what it was told and has not done yet.

One rule: the log is the truth. What is due follows from both lines alone, so that it comes out the
same in whatever order things happened, and after a restart.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from chronotable_host.rules.notation import format_position

if TYPE_CHECKING:
    from chronotable_host.live.desk import Desk

MOST_LED = 2
"""Turns by which a table may be behind to be led through them one by one; else it is set up."""

MOST_UNDONE = 4
"""Turns that are taken back one by one; where there are more, the position is set up."""


class Due(Enum):
    """What is to be done at a table, or with what was played there."""

    NOTHING = auto()
    """Log and table have the same game."""
    APPEND = auto()
    """The table has a turn of its own side that the log has not: it is to be written there."""
    LEAD = auto()
    """The hands are to carry out the next turn of the log."""
    WAIT = auto()
    """Turns were taken back at the table, and the other end has not said yet whether they may."""
    UNDO = auto()
    """The table has a turn that does not count: it is to be taken back."""
    SET_UP = auto()
    """The position of the log is to be set up."""


class LoggedGame(NamedTuple):
    """What the log has: its turns, packed, and how the game stands.

    `own` says of the turn behind them whether it is one of this end's side, `is_over` that none is
    due. `back_to` is to how many turns this end has asked to go back, None where it has not, and
    `void` the turn that the log had there before, None where a table may make it anew.
    """

    turns: Sequence[int]
    own: bool
    is_over: bool
    back_to: int | None = None
    void: int | None = None


class AtTable(NamedTuple):
    """What the table has: its turns, packed, and whether it takes none any more (`is_over`).

    `undoable` is how many it can take back: the others were played before its game was set up.
    """

    turns: Sequence[int]
    is_over: bool = False
    undoable: int = MOST_UNDONE


def common_turns(one: Sequence[int], other: Sequence[int]) -> int:
    """Return how many turns two lines have in common."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count


def voided_turn(before: Sequence[int], now: Sequence[int]) -> int | None:
    """Return the turn that a log had where it ends now, None where that never had one."""
    count = len(now)
    return before[count] if common_turns(before, now) == count < len(before) else None


def due(line: LoggedGame, table: AtTable) -> Due:
    """Return what is due at a table that plays the game of the log, if another course of it."""
    played, counting = len(table.turns), len(line.turns)
    common = common_turns(line.turns, table.turns)
    if common == counting:
        if played == counting:
            return Due.SET_UP if table.is_over and not line.is_over else Due.NOTHING
        if line.is_over:
            return Due.NOTHING  # it ended before that turn; the table may show what it has
        if line.own and table.turns[counting] != line.void:
            return Due.APPEND
    elif line.back_to is not None and common >= line.back_to:
        return Due.WAIT
    elif played == common and not table.is_over:
        return Due.LEAD if counting - common <= MOST_LED else Due.SET_UP
    if table.is_over or played - common > min(MOST_UNDONE, table.undoable):
        return Due.SET_UP
    return Due.UNDO


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
