"""What `play` and `try` do where they belong to a club."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.live.happenings import Notice
from chronotable_host.output import say

if TYPE_CHECKING:
    from chronotable_host.live.desk import Desk
    from chronotable_host.live.happenings import Happening


class ClubArguments(NamedTuple):
    """What was typed of a club: its broker, the table's token, what the table is called."""

    broker: str | None
    token: str | None
    name: str | None

    def check(self) -> bool:
        """Tell whether the table belongs to a club; raises UserError where that is half said."""
        if self.broker is None:
            if self.name is not None:
                raise UserError(tr("--as belongs to --club"))
            return False
        if self.token is None:
            raise UserError(
                tr("--club needs the table's --token; `chronotable club table add` prints one")
            )
        return True

    def join(self, desk: Desk, plays_alone: bool = False) -> None:
        """Have the club told of a table, if there is one; raises UserError, OSError.

        A program that `plays_alone` plays its own game, of no round, and shows people nothing else.
        """
        if self.check():
            desk.club = _AtClub(desk, self, plays_alone)
            desk.callback(desk.club.close)


class _AtClub:
    """What a club is told of a table, and tells it."""

    def __init__(self, desk: Desk, said: ClubArguments, plays_alone: bool) -> None:
        from chronotable_host.broker.address import parse_broker  # noqa: PLC0415
        from chronotable_host.club.at_table import ClubTable, Look  # noqa: PLC0415
        from chronotable_host.club.pairing_at_table import PairedTable  # noqa: PLC0415
        from chronotable_host.club.tokens import parse_token  # noqa: PLC0415

        assert desk.archive is not None
        tell = _print if plays_alone else desk.tell
        self._plays_alone = plays_alone
        self._table = ClubTable(
            parse_broker(said.broker or ""),
            parse_token(said.token or ""),
            desk.archive.folder,
            Look(desk),
            tell,
            said.name or "",
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
