"""Seats that are vacated for a while: in a lesson, or an analysis, nobody plays against anybody."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from chronotable_host.live.texts.table_texts import plays_itself
from chronotable_host.rules.notation import PLAYERS

if TYPE_CHECKING:
    from chronotable_host.engine.thinkers import Thinker
    from chronotable_host.live.desk import Desk

Seat = Callable[[int, "Thinker | None"], "Thinker | None"]
"""Returns who has a side meanwhile, for the side and who has it now."""


def to_hands(_side: int, _now: Thinker | None) -> Thinker | None:
    """Return nobody: hands play."""
    return None


class Vacancy:
    """The seats of a desk's table, given to those that `seat` returns and then back."""

    def __init__(self, desk: Desk, seat: Seat) -> None:
        self._desk = desk
        self._session = desk.session
        self._seat = seat
        self._sat: dict[int, tuple[Thinker | None, Thinker | None]] = {}
        self._levels: dict[int, int] = {}  # of the table's own player

    def take(self) -> None:
        """Have nobody else play."""
        if self._sat or self._levels:
            return
        for side, level in enumerate(self._session.mirror.table.own_levels):
            if plays_itself(level):
                self._levels[side] = level
                self._session.set_own_level(side, 0)
        for side in range(len(PLAYERS)):
            before = self._desk.seats.thinkers.get(side)
            now = self._seat(side, before)
            if now is not before:
                self._sat[side] = before, now
                if before is not None:
                    self._desk.seats.away[side] = before
                self._desk.seats.seat_thinker(side, now)

    def give_back(self) -> None:
        """Have those play again who did before, where nobody else has taken the seat."""
        sat, self._sat = self._sat, {}
        self._desk.seats.away.clear()
        for side, (before, now) in sat.items():
            if self._desk.seats.thinkers.get(side) is now:
                self._desk.seats.seat_thinker(side, before)
        levels, self._levels = self._levels, {}
        for side, level in levels.items():
            self._session.set_own_level(side, level)
