"""Which piece or marker lies on which sensor of the table in a position."""

from array import array

from chronotable.hardware.sensors import FOCUS
from ttykm import layout
from ttykm.layout import STATE_WORDS
from ttykm.objects import SEED, STATUE, TREE, objects_of

Pieces = dict[int, int]
"""Which piece or marker lies on which sensor.

A copy or a marker is given by its player's number, anything else by its kind of object
(objects.py), where every fallen tree is a TREE. Seeds have no magnet and are left out.
"""


def is_object(piece: int | None) -> bool:
    """Tell whether a piece is an object, and no player's."""
    return piece is not None and piece > layout.BLACK


def pieces_of(state: "array[int]") -> Pieces:
    """Return the pieces and markers of a position."""
    board = {
        16 * era + space: player
        for player in range(2)
        for era in range(3)
        for space in range(16)
        if state[3 * player + era] >> space & 1
    }
    if len(state) > STATE_WORDS:
        for era, space, kind in objects_of(state):
            if kind > SEED:
                board[16 * era + space] = piece_of_kind(kind)
    for player in range(2):
        board[FOCUS + 3 * player + layout.focus(state, player)] = player
    return board


def piece_of_kind(kind: int) -> int:
    """Return the piece that a player's copy or a kind of object is."""
    return TREE if TREE < kind < STATUE else kind
