"""Clocks of a game far apart: each end measures its own player, and the log tells the other end.

One rule: what the log says that a player had left counts. Between two turns the time of whose turn
it is passes on the own table as ever, and that of the other player as long as that end is there.
A player's first turn takes none: a program can be there long before anybody looks at it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from chronotable_host.errors import UserError
from chronotable_host.live.happenings import Happening
from chronotable_host.live.players.clocks import Clocks, parse_controls
from chronotable_host.rules.notation import PLAYERS
from ttykm import layout
from ttykm.layout import NOBODY

if TYPE_CHECKING:
    from chronotable_far.course import Course
    from chronotable_far.room import FarRoom
    from chronotable_host.live.session import Session


class FarClocks(Clocks):
    """The clocks of a room at a session's table; `tell` as for those of a table alone."""

    def __init__(self, session: Session, tell: Callable[[Happening], None], room: FarRoom) -> None:
        super().__init__(session, tell)
        self._room = room
        self._known: tuple[int, int] | None = None  # games and turns for which times are known

    def follow(self, course: Course) -> None:
        """Take the times from the log, where that has another line than before."""
        if course.begin is None:
            return
        place = course.games, len(course.line)
        if place == self._known:
            return
        if self._known is None:
            with suppress(UserError):  # another program may write what is not known here
                self.controls = (
                    parse_controls(course.begin.clock, 1) if course.begin.clock else None
                )
        self._known = place
        self._begin()
        if self.controls is None:
            return
        for played in course.line:
            if played.left_s is not None:
                self._left_ms[course.sides[played.end]] = 1000.0 * played.left_s

    def left_s(self, side: int) -> int | None:
        """Return what a player has left behind the turn that is made just now, None without one."""
        if self.controls is None:
            return None
        return max(0, int(self._left_ms[side] + self._increment_ms(side)) // 1000)

    @property
    def _is_timed(self) -> bool:
        return True

    @property
    def running(self) -> int:
        """The side whose clock runs, or NOBODY."""
        course = self._room.course
        if course.join is None or course.result is not None or course.question is not None:
            return NOBODY
        if len(course.line) < len(PLAYERS):
            return NOBODY
        side = layout.mover(course.state)
        if side != course.sides[self._room.end]:
            return side if self.controls is not None and self._room.there else NOBODY
        return super().running if super().running == side else NOBODY

    def hear(self, happening: Happening) -> None:
        """Take nothing from the table: the log has it."""

    def _remark(self) -> str:
        """Say nothing in the record of the table's game, which nobody keeps."""
        return ""
