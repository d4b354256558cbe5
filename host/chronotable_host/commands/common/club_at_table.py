"""What `play` and `try` do where they belong to a club."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chronotable_host import packages
from chronotable_host.errors import UserError
from chronotable_host.language import tr

if TYPE_CHECKING:
    from chronotable_host.live.desk import Desk


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
            packages.clubs().join(desk, self.broker or "", self.token or "", self.name, plays_alone)
