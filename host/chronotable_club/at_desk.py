"""A desk's table in a club: what `play` and `try` do where it belongs to one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chronotable_club.at_table import ClubTable, Look
from chronotable_club.pairing_at_table import PairedTable
from chronotable_club.tokens import parse_token
from chronotable_far.broker.address import parse_broker
from chronotable_host.live.happenings import Notice
from chronotable_host.output import say

if TYPE_CHECKING:
    from chronotable_host.live.desk import Desk
    from chronotable_host.live.happenings import Happening


def join(desk: Desk, broker: str, token: str, name: str | None, plays_alone: bool) -> None:
    """Have the club told of a desk's table; raises UserError, OSError.

    A program that `plays_alone` plays its own game, of no round, and shows people nothing else.
    """
    desk.club = club = AtClub(desk, broker, token, name, plays_alone)
    desk.callback(club.close)


class AtClub:
    """What a club is told of a table, and tells it."""

    def __init__(
        self, desk: Desk, broker: str, token: str, name: str | None, plays_alone: bool
    ) -> None:
        assert desk.archive is not None
        tell = _print if plays_alone else desk.tell
        self._plays_alone = plays_alone
        self._table = ClubTable(
            parse_broker(broker),
            parse_token(token),
            desk.archive.folder,
            Look(desk),
            tell,
            name or "",
        )
        self._paired = PairedTable(desk, tell)
        if not plays_alone:
            self._table.told.append(self._paired.hear)
        self.close = self._table.close

    def hear(self, happening: Happening) -> None:
        """Take note of what happens at the table."""
        self._table.hear(happening)
        if self._plays_alone:  # nobody comes by between two turns
            self.step(0)

    def step(self, _now_ms: int) -> None:
        """Do what is due."""
        self._table.step()
        self._paired.step()


def _print(happening: Happening) -> None:
    """Print a sentence where nobody else does."""
    if isinstance(happening, Notice):
        say(happening.notice)
