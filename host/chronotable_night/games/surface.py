"""A game on the table of reeds and lights: its three boards side by side, 4 rows of 12 spaces.

A game that has a place there has a module `surface` in its folder, with a function of that name
(`Shows`). What it returns is data: where pieces should lie, and what the lights say besides.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from chronotable_night.games.interface import Game, State
from chronotable_night.games.shelf import own_module

ROWS = 4
COLUMNS = 12

_SIDE = 4  # a board is a square of so many spaces


class Track(NamedTuple):
    """Places of pieces that are all alike, and on which of them one should lie.

    On `spare` places one may lie besides, such as a disc that nobody has to put. `says` is what
    hands are to do here, in a sentence.
    """

    places: Collection[int]
    taken: Collection[int]
    says: str
    spare: Collection[int] = ()


class TablePicture(NamedTuple):
    """What the table should look like; `lights` has words of `light_names.NAMES` by place."""

    tracks: Sequence[Track]
    lights: Mapping[int, str]


class SurfaceError(Exception):
    """A game that has no room on the table: why, in a sentence."""


Shows = Callable[[Game, State, Sequence[str]], TablePicture]
"""A game's own function: what the table should look like in a view of the spectators, by names.

It raises SurfaceError.
"""


def place(row: int, column: int) -> int:
    """Return the number of a space, as reeds and lights count them; rows and columns from 0."""
    board, column = divmod(column, _SIDE)
    return board * _SIDE * _SIDE + row * _SIDE + column


def focus(player: int, board: int) -> int:
    """Return the number of a focus spot: of the two players' sides of the three boards."""
    return ROWS * COLUMNS + 3 * player + board


def surface_of(name: str) -> Shows | None:
    """Return the function of a game, None if it has none."""
    own = own_module(name, "surface")
    shows: Shows | None = own and own.surface
    return shows
