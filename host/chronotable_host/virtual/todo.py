"""What the lights ask hands to do, and whether it can be done, or is so already."""

from __future__ import annotations

from chronotable import meanings
from chronotable.sensors import FOCUS, SPACES
from chronotable_host.virtual.steps import Lying
from ttykm.layout import BLACK, WHITE

_PIECES = 7  # of each player
_TAKE = meanings.TODO_TAKE
_OWNERS = {
    meanings.PUT_WHITE: WHITE,
    meanings.PUT_BLACK: BLACK,
    meanings.CONFIRM_WHITE: WHITE,
    meanings.CONFIRM_BLACK: BLACK,
}
_ASKING = {_TAKE, meanings.TODO_PUT, *_OWNERS}

CONFIRM = {meanings.CONFIRM_WHITE, meanings.CONFIRM_BLACK}
"""Lift what lies there, and put it back if it is this player's."""

Todo = dict[int, int]
"""What the lights ask for: meanings by sensor."""


def todo_of(picture: bytes) -> Todo:
    """Return what a picture asks for."""
    return {sensor: said for sensor, said in enumerate(picture) if said in _ASKING}


def are_so(board: Lying, todo: Todo) -> bool:
    """Tell whether all of it is so already: then the table must be wrong about reeds."""
    return all(_is_so(board, sensor, said) for sensor, said in todo.items())


def _is_so(board: Lying, sensor: int, said: int) -> bool:
    if said == _TAKE:
        return sensor not in board
    return sensor in board and _OWNERS.get(said, board[sensor]) == board[sensor]


def owner_of(sensor: int, said: int, memory: Lying) -> int | None:
    """Return whose piece should lie on a sensor: by the spot, the light, or from memory."""
    if sensor >= FOCUS:
        return (sensor - FOCUS) // 3
    return _OWNERS.get(said, memory.get(sensor))


def can_do(board: Lying, sensor: int, said: int, memory: Lying) -> bool:
    """Tell whether hands can do now what a light asks for."""
    if said == _TAKE:
        return sensor in board
    owner = owner_of(sensor, said, memory)
    if sensor in board:
        return said in CONFIRM or (said in _OWNERS and owner != board[sensor])
    return owner is not None and has_piece(board, sensor, owner)


def has_piece(board: Lying, sensor: int, owner: int) -> bool:
    """Tell whether a player has a piece beside the board, or the marker for a spot."""
    if sensor >= FOCUS:
        return not any(FOCUS + 3 * owner + era in board for era in range(3))
    return [piece for at, piece in board.items() if at < SPACES].count(owner) < _PIECES
