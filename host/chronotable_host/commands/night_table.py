"""What `night --table` does besides: it finds the table, and says what becomes of it."""

from __future__ import annotations

from chronotable_host.errors import UserError, printable
from chronotable_host.games.surface import surface_of
from chronotable_host.language import tr
from chronotable_host.live.connection import TableConnection
from chronotable_host.live.happening_texts import sentences
from chronotable_host.live.happenings import Connected, Happening, Lost, Notice, Refused
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.port_search import PortSearch
from chronotable_host.live.session import Session
from chronotable_host.night.evening import Evening
from chronotable_host.night.on_table.following import seen
from chronotable_host.night.on_table.keeping import Keeper
from chronotable_host.output import say

_TOLD = (Connected, Lost, Notice, Refused)  # the rest is about the table's own game


def keeper(evening: Evening, port: str) -> Keeper:
    """Return what keeps a table in step with an evening's room, not begun yet.

    Raises UserError for a chosen game that has no place on the table; while one that is chosen
    later has none, the table has its own game.
    """
    room = evening.room
    if room.chosen is not None and surface_of(room.kind.name) is None:
        raise UserError(
            tr(
                "--table: {title} is not led by the table's lights on a games night",
                title=room.kind.title,
            )
        )
    session = Session(Mirror(_tell))
    connection = TableConnection(session, PortSearch(port), _tell)
    kept = Keeper(connection, evening.note_table, _fail)
    evening.look = lambda room: kept.show(seen(room))
    evening.look(room)
    return kept


def _tell(happening: Happening) -> None:
    if isinstance(happening, _TOLD):
        for _, line in sentences(happening, None):
            say(printable(line))


def _fail(why: str) -> None:
    say(printable(tr("{why}; the night goes on without the table", why=why)))
