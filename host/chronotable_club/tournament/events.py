"""What happens in a tournament, as a log: who said it, when, and what.

The log is the truth. Nothing in it is ever changed or taken out; what was wrong is corrected by
another event, with a reason.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from chronotable_host.errors import UserError
from chronotable_host.language import tr

CREATED = "created"
PLAYER_ADDED = "player-added"
PLAYER_WITHDRAWN = "player-withdrawn"
PLAYER_RETURNED = "player-returned"
BYE_REQUESTED = "bye-requested"
ROUND_PAIRED = "round-paired"
PAIRING_TAKEN_BACK = "pairing-taken-back"
TABLE_CHANGED = "table-changed"
ROUND_STARTED = "round-started"
RESULT = "result"
CORRECTED = "corrected"
ROUND_CLOSED = "round-closed"

SWISS = "swiss"
ROUND_ROBIN = "round-robin"
DOUBLE_ROUND_ROBIN = "double-round-robin"
SYSTEMS = (SWISS, ROUND_ROBIN, DOUBLE_ROUND_ROBIN)

FIELDS: Mapping[str, Mapping[str, type]] = {
    CREATED: {
        "name": str,
        "system": str,
        "rounds": int,  # 0: as many as a round robin takes
        "initial": str,  # the colour that was drawn for who is ranked first, "W" or "B"
        "bye_points": int,  # in halves
        "tie_breaks": list,
    },
    PLAYER_ADDED: {"player": int, "name": str, "rating": int},
    PLAYER_WITHDRAWN: {"player": int},
    PLAYER_RETURNED: {"player": int},
    BYE_REQUESTED: {"player": int, "round": int, "points": int},  # in halves
    # pairs: [white, black, table], by board; bye: 0 for nobody; reason: of one made by hand
    ROUND_PAIRED: {"round": int, "pairs": list, "bye": int, "reason": str},
    PAIRING_TAKEN_BACK: {"round": int, "reason": str},
    TABLE_CHANGED: {"round": int, "board": int, "table": str},
    ROUND_STARTED: {"round": int},
    RESULT: {"round": int, "board": int, "result": str, "game": str},
    CORRECTED: {"round": int, "board": int, "result": str, "reason": str},
    ROUND_CLOSED: {"round": int},
}
"""The fields of each kind of event; all of them are there. Players are numbered as they came."""

_LONGEST = 2_000
"""Characters of a field."""
_JOINERS = dict.fromkeys((0x200C, 0x200D))  # names in Persian and in scripts of India have them
_MOST = 10_000
"""Entries of a list."""


class TournamentEvent(NamedTuple):
    """An entry of the log; `number` counts from 1, `at` is a time in UTC."""

    number: int
    at: str
    by: str
    kind: str
    fields: Mapping[str, Any]


def event(number: int, at: str, by: str, kind: str, **fields: Any) -> TournamentEvent:
    """Return an event after a look at its fields; raises UserError."""
    wanted = FIELDS.get(kind)
    if wanted is None:
        raise UserError(tr("'{kind}' is nothing that happens in a tournament", kind=kind))
    for name, type_ in wanted.items():
        value = fields.get(name)
        if type(value) is not type_ or not _is_short(value):
            why = tr(
                "'{value}' cannot be the field {name} of '{kind}'",
                value=value,
                name=name,
                kind=kind,
            )
            raise UserError(why)
    strange = fields.keys() - wanted.keys()
    if strange:
        raise UserError(tr("'{kind}' has no field {name}", kind=kind, name=min(strange)))
    return TournamentEvent(number, at, by, kind, fields)


def _is_short(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= _LONGEST and value.translate(_JOINERS).isprintable()
    if isinstance(value, list):
        return len(value) <= _MOST
    return isinstance(value, int) and abs(value) <= _MOST
