"""Positions that people hand in."""

from __future__ import annotations

from array import array

from chronotable_host.errors import UserError
from ttykm.game import is_conserved


def with_box_pieces(state: array[int]) -> array[int]:
    """Return a state that the box has the pieces for; raises UserError for any other one.

    The rules could play on from it, but no table can: it cannot be set up, and the room that a
    table keeps for the turns of a position is for seven pieces a player (T2).
    """
    if not is_conserved(state):
        raise UserError("the position has more than seven pieces of one player, supply included")
    return state
