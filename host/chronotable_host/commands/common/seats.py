"""Who plays which side at a virtual table, as it is typed: a person, or a player that is none."""

from __future__ import annotations

from chronotable_host.engine.levels import DEFAULT
from chronotable_host.engine.thinkers import KNOWN
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.live.players.seats import GUEST, HANDS, ME, parse_seat

BUILT_IN = f"level:{DEFAULT}"
EASIEST = "level:1"


PEOPLE = (ME, HANDS)
"""Who plays here: on the page by choosing turns, or with the pieces in the hand."""


def seat(name: str | None, default: str) -> str:
    """Return who plays a side; raises UserError where nobody is called so."""
    if name is None or name == ME:
        return name or default
    try:
        return name if name in (GUEST, HANDS) else parse_seat(name).name
    except UserError as error:
        if name.partition(":")[0] in ("level", "engine"):
            raise
        raise UserError(
            tr(
                "'{name}' plays no side; there are {me}, {hands}, {known}",
                name=name,
                me=ME,
                hands=HANDS,
                known=KNOWN,
            )
        ) from error
