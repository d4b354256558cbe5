"""What the lights ask hands to do, and whether it can be done, or is so already."""

from __future__ import annotations

from collections.abc import Mapping

from chronotable.hardware.sensors import FOCUS, SPACES
from chronotable.lights import meanings
from chronotable_host.pieces import Pieces, is_object, piece_of_kind
from ttykm.layout import BLACK, WHITE
from ttykm.objects import ELEPHANT, SHRUB, STATUE, TREE

_OF_ERAS = 3
_BOX: Mapping[int, int] = {
    WHITE: 7,
    BLACK: 7,
    SHRUB: 5,
    TREE: 5,
    **dict.fromkeys(range(STATUE, STATUE + 3), _OF_ERAS),
    **dict.fromkeys(range(ELEPHANT, ELEPHANT + 2), _OF_ERAS),
}
"""How many pieces of each kind there are (T2, and the set-up of each chapter)."""

_TAKE = meanings.TODO_TAKE
_OWNERS = {
    meanings.PUT_WHITE: WHITE,
    meanings.PUT_BLACK: BLACK,
    meanings.CONFIRM_WHITE: WHITE,
    meanings.CONFIRM_BLACK: BLACK,
}
_NAMED = {
    **_OWNERS,
    **{meanings.PUT_OBJECT + kind: piece_of_kind(kind) for kind in range(SHRUB, ELEPHANT + 2)},
}

PUT = {meanings.TODO_PUT, *_NAMED}
"""Something is to be put here, of a kind that the light says, or the hands know."""

_ASKING = {_TAKE, *PUT}

CONFIRM = {meanings.CONFIRM_WHITE, meanings.CONFIRM_BLACK}
"""Lift what lies there, and put it back if it is this player's."""

Todo = dict[int, int]
"""What the lights ask for: meanings by sensor."""


def todo_of(picture: bytes) -> Todo:
    return {sensor: said for sensor, said in enumerate(picture) if said in _ASKING}


def are_so(board: Pieces, todo: Todo, memory: Pieces) -> bool:
    """Tell whether all of it is so already: then the table must be wrong about reeds.

    `memory` says which piece is meant where the lights do not.
    """
    return all(_is_so(board, sensor, said, memory) for sensor, said in todo.items())


def _is_so(board: Pieces, sensor: int, said: int, memory: Pieces) -> bool:
    if said == _TAKE:
        return sensor not in board
    if sensor not in board or _is_exchange(board, sensor, said, memory):
        return False
    return _NAMED.get(said, board[sensor]) == board[sensor]


def _is_exchange(board: Pieces, sensor: int, said: int, memory: Pieces) -> bool:
    """Tell whether another piece is to take a space, one of the two being nobody's."""
    if sensor >= FOCUS or said in _NAMED:
        return False
    lies, wanted = board.get(sensor), memory.get(sensor)
    return lies != wanted and wanted is not None and (is_object(lies) or is_object(wanted))


def owner_of(sensor: int, said: int, memory: Pieces) -> int | None:
    """Return which piece should lie on a sensor: by the spot, the light, or from memory."""
    if sensor >= FOCUS:
        return (sensor - FOCUS) // 3
    return _NAMED.get(said, memory.get(sensor))


def can_do(board: Pieces, sensor: int, said: int, memory: Pieces) -> bool:
    if said == _TAKE:
        return sensor in board
    owner = owner_of(sensor, said, memory)
    if sensor in board:
        return (
            said in CONFIRM
            or (said in _NAMED and owner != board[sensor])
            or _is_exchange(board, sensor, said, memory)
        )
    return owner is not None and has_piece(board, sensor, owner)


def has_piece(board: Pieces, sensor: int, owner: int) -> bool:
    """Tell whether such a piece lies beside the board, or the marker for a spot."""
    if sensor >= FOCUS:
        return not any(FOCUS + 3 * owner + era in board for era in range(3))
    return [piece for at, piece in board.items() if at < SPACES].count(owner) < _BOX[owner]
