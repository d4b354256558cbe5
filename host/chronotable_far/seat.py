"""Who plays a side whose turns come out of a log, at a table where hands carry them out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ttykm.game import Game

Line = Callable[[], Sequence[int]]
"""Returns the turns that the log has now, packed."""


class LogPlayer:
    """Plays the next turn of a log as soon as that has it; `name` is the seat's.

    It is somebody elsewhere, or this side itself at another time or table.
    """

    is_person = True
    thought = ""

    def __init__(self, name: str, line: Line) -> None:
        self.name = name
        self._line = line
        self._turns: Sequence[int] | None = None

    def begin(self, game: Game) -> None:
        """Have a turn of this game in mind."""
        self._turns = [*game.turns]

    def poll(self) -> int | None:
        """Return the turn that follows, where the log has one behind just these."""
        turns, line = self._turns, self._line()
        if turns is None or len(line) <= len(turns) or [*line[: len(turns)]] != turns:
            return None
        return line[len(turns)]

    def cancel(self) -> None:
        """Have no turn in mind."""
        self._turns = None

    def close(self) -> None:
        """Give the seat up."""
        self._turns = None
