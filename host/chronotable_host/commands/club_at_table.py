"""What `play` and `try` do where they belong to a club."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from chronotable_host.archive.store import Archive
from chronotable_host.errors import UserError
from chronotable_host.home import default_folder
from chronotable_host.language import tr
from chronotable_host.live.happenings import Notice
from chronotable_host.output import say

if TYPE_CHECKING:
    from pathlib import Path

    from chronotable_host.club.at_table import ClubTable, Look
    from chronotable_host.engine.thinkers import Seats
    from chronotable_host.live.audience import Audience
    from chronotable_host.live.clocks import Clocks
    from chronotable_host.live.happenings import Happening
    from chronotable_host.live.session import Session


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


@contextmanager
def told(
    arguments: ClubArguments,
    archive: Path | None,
    audience: Audience,
    session: Session,
    clocks: Clocks | None = None,
    is_there: Callable[[], bool] = lambda: True,
    tell: Callable[[Happening], None] | None = None,
    start: tuple[array[int], int] | None = None,
    seats: Callable[[], Seats | None] = lambda: None,
) -> Iterator[Callable[[], None]]:
    """Have a club told of a table; yield what is to be called often. Raises UserError, OSError.

    `tell` hears sentences for people, else the audience does. `start` is the position that rounds
    of a tournament begin in, and the options of the rules; None where nobody would set it up.
    `seats` has who plays at the table, once that is known.
    """
    if not arguments.check():
        yield _nothing
        return
    from chronotable_host.club.at_table import Look  # noqa: PLC0415
    from chronotable_host.club.pairing_at_table import PairedTable  # noqa: PLC0415

    look = Look(session.mirror, clocks, is_there)
    table = _table(arguments, archive, look, tell or audience.tell)
    audience.add(table.hear)
    paired = PairedTable(session, tell or audience.tell, start, Archive(archive), seats)
    if start is not None:  # else what is played here is nobody's of a pairing
        table.told.append(paired.hear)

    def step() -> None:
        table.step()
        paired.step()

    try:
        yield step
    finally:
        table.close()


def beside(step: Callable[[], None], is_done: Callable[[], bool]) -> Callable[[], bool]:
    """Return `is_done` with the club told each time that it is called."""

    def both() -> bool:
        step()
        return is_done()

    return both


def _table(
    arguments: ClubArguments,
    archive: Path | None,
    look: Look,
    tell: Callable[[Happening], None],
) -> ClubTable:
    from chronotable_host.broker.address import parse_broker  # noqa: PLC0415
    from chronotable_host.club.at_table import ClubTable  # noqa: PLC0415
    from chronotable_host.club.tokens import parse_token  # noqa: PLC0415

    return ClubTable(
        parse_broker(arguments.broker or ""),
        parse_token(arguments.token or ""),
        archive or default_folder(),
        look,
        tell,
        arguments.name or "",
    )


def printed(happening: Happening) -> None:
    """Print a sentence where nobody else does."""
    if isinstance(happening, Notice):
        say(happening.notice)


def _nothing() -> None:
    """Do nothing: the table belongs to no club."""
