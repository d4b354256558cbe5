"""What is due at a table so that it comes to the game that the log of a game far apart has.

One rule: the log is the truth, and nothing is remembered here. What is due follows from both lines
alone, so that it comes out the same in whatever order things happened, and after a restart.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import NamedTuple

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
