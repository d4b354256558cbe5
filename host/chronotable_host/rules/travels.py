"""Why a copy cannot travel (T24-T27), as far as copies and supplies say.

Objects in the way are a matter of objections.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ttykm import layout
from ttykm.layout import BACK, FORWARD
from ttykm.reasons import (
    LEGAL,
    NO_ERA_THERE,
    SPACE_TAKEN_BACK,
    SPACE_TAKEN_FORWARD,
    SUPPLY_EMPTY,
)

if TYPE_CHECKING:
    from ttykm.turns import TurnTree


def why_no_travel(tree: TurnTree, base: int, place: int, action: int) -> int:
    """Return why the copy on a place cannot travel, or LEGAL, as far as no object is in the way.

    `base` is where the record of the position begins.
    """
    records = tree.records
    era, space = place >> 4, place & 15
    target = era + (1 if action == FORWARD else -1)
    if not 0 <= target <= layout.FUTURE:
        return NO_ERA_THERE
    if (records[base + target] | records[base + 3 + target]) >> space & 1:
        return SPACE_TAKEN_FORWARD if action == FORWARD else SPACE_TAKEN_BACK
    meta = records[base + layout.META]
    mover = meta >> layout.MOVER_SHIFT & 1
    if action == BACK and not meta >> layout.SUPPLY_BITS * mover & 7:
        return SUPPLY_EMPTY
    return LEGAL
