"""Checks of positions that people type."""

from __future__ import annotations

from array import array

from chronotable_host.errors import UserError
from chronotable_host.language import tr
from ttykm.game import is_conserved


def with_box_pieces(state: array[int]) -> array[int]:
    """Return the state if the box has enough pieces for it; raises UserError if not.

    The rules could be applied to others, too, but such a position cannot be set up on a table,
    which also reserves memory for the turns of seven pieces a player at most (T2).
    """
    if not is_conserved(state):
        raise UserError(
            tr("the position has more than seven pieces of one player, supply included")
        )
    return state
