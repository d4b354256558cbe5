"""What hands know of a chapter's objects while they do what the lights ask for.

They have seen which light says what; they know how plants grow and go, that no shrub moves, that
other objects move one space, and that a statue stands in an era and those behind it and never
leaves the boards (I1); and they see what they hold, whence it came, and who asked them to take it.
"""

from __future__ import annotations

from typing import NamedTuple

from chronotable import meanings
from chronotable.sensors import SPACES
from chronotable_host.pieces import Pieces, is_object
from tests.lab.people.todo import PUT, Todo, todo_of
from ttykm.objects import ELEPHANT, SHRUB, STATUE, TREE

_ERA = 16
_ROW = 4
_GROWN = (SHRUB, TREE)  # one era behind the seed, two eras


class _Object(NamedTuple):
    """Where it lay before hands took it, what it is, and whether the lights asked them to."""

    home: int
    piece: int
    is_asked: bool


class ObjectsInHand:
    """The objects in the hands, and those that are to come out of the box in this turn."""

    def __init__(self) -> None:
        self._held: list[_Object] = []
        self._astray: dict[int, _Object] = {}  # by where they were put by mistake
        self._new: Pieces = {}
        self._out_of_box: set[int] = set()
        self._builds = False

    def forget(self) -> None:
        """Another turn begins: what is still in the hands goes into the box."""
        self._held.clear()
        self._astray.clear()
        self._new.clear()
        self._out_of_box.clear()
        self._builds = False

    def lifted(self, sensor: int, piece: int, said: int) -> None:
        """Take what was lifted into the hands; `said` is the light there."""
        if is_object(piece) and sensor < SPACES:
            known = _Object(sensor, piece, said == meanings.TODO_TAKE)
            self._held.append(self._astray.pop(sensor, known))

    def placed(self, sensor: int, piece: int, is_asked: bool) -> None:
        """Put what was placed out of the hands, as the lights asked or by mistake."""
        found = [each for each in self._held if each.piece == piece]
        if not is_asked:
            if found:
                self._held.remove(found[-1])
                if found[-1].home != sensor:
                    self._astray[sensor] = found[-1]
            return
        if self._new.get(sensor) == piece and not any(each.home == sensor for each in found):
            self._out_of_box.add(sensor)
        elif found:  # what was there by mistake, then what came from beside it, then anything
            self._held.remove(min(found, key=lambda each: self._strangeness(each, sensor)))

    def _strangeness(self, each: _Object, sensor: int) -> int:
        if each.home == sensor and not each.is_asked:
            return -1
        return abs(_distance(each.home, sensor) - 1)

    def asked(self, picture: bytes, board: Pieces, mover: int) -> tuple[Todo, Pieces]:
        """Return what the lights ask for, and which object is meant where they do not say it."""
        todo = todo_of(picture)
        for sensor, said in enumerate(picture[:SPACES]):
            if said == meanings.BUILD:
                self._builds = True
                for at in range(sensor, SPACES, _ERA):
                    self._new[at] = STATUE + 1 + mover
            elif said == meanings.PLANT:
                for at, plant in zip(range(sensor + _ERA, SPACES, _ERA), _GROWN, strict=False):
                    self._new[at] = plant
        for sensor in self._out_of_box:
            self._new.pop(sensor, None)
        memory: Pieces = {}
        for sensor, said in enumerate(picture[:SPACES]):
            piece = None
            if said in (meanings.TODO_PUT, meanings.BUILD, meanings.COMMAND):
                if sensor not in board:
                    piece = self._wanted(sensor, picture, board, mover)
                elif said == meanings.COMMAND:
                    piece = self._moved(sensor, picture, board)
            if piece is not None and board.get(sensor) != piece:
                memory[sensor] = piece
                todo[sensor] = meanings.TODO_PUT
        return todo, memory

    def _wanted(self, sensor: int, picture: bytes, board: Pieces, mover: int) -> int | None:
        """Return what belongs on a free space, None where that is not known, or not at hand."""
        for each in self._held:
            if each.home == sensor and not each.is_asked:
                return each.piece
        if any(each.home == sensor and not each.is_asked for each in self._astray.values()):
            return None
        if sensor in self._new and not self._is_pushed_to(sensor, picture, board):
            return self._new[sensor]
        piece = self._moved(sensor, picture, board)
        if (
            piece is None
            and picture[sensor] != meanings.COMMAND
            and self._builds
            and meanings.TODO_TAKE not in picture[:SPACES]
        ):
            return STATUE + 1 + mover  # one that was turned away from where it was built
        return piece

    def _moved(self, sensor: int, picture: bytes, board: Pieces) -> int | None:
        """Return what was lifted next to a sensor in its era; what lay there itself comes last.

        None while something else that is still to be lifted may be meant.
        """
        more_to_come = meanings.TODO_TAKE in picture[:SPACES]
        near = self._near(sensor, picture, board)
        spots = [at for at in range(SPACES) if picture[at] in PUT and at not in board]
        for at in spots:  # what nothing else can fill
            only = self._near(at, picture, board)
            if at != sensor and len(only) == 1 and len(near) > 1 and only[0] in near:
                near.remove(only[0])
        if not near:
            return None
        if more_to_come and len({each.piece for each in near}) > 1:
            return None
        found = max(near, key=lambda each: _distance(each.home, sensor))
        return found.piece if found in self._held else None

    def _is_pushed_to(self, sensor: int, picture: bytes, board: Pieces) -> bool:
        """Tell whether a statue, which never leaves the boards (I1), can go nowhere else."""
        spots = [at for at in range(SPACES) if picture[at] in PUT and at not in board]
        return any(
            STATUE <= each.piece < ELEPHANT
            and not any(_distance(each.home, at) <= 1 for at in spots if at != sensor)
            for each in self._near(sensor, picture, board)
        )

    def _was_shrub(self, sensor: int, to_lift: list[_Object]) -> bool:
        """Tell whether a shrub goes into the box, as its tree behind it does then."""
        return _Object(sensor, SHRUB, True) in (*self._held, *to_lift)

    def _near(self, sensor: int, picture: bytes, board: Pieces) -> list[_Object]:
        """Return what may belong on a sensor: in the hands, or still to be lifted."""
        more_to_come = meanings.TODO_TAKE in picture[:SPACES]
        is_commanded = picture[sensor] == meanings.COMMAND
        to_lift = [
            _Object(at, piece, True)
            for at, piece in board.items()
            if at < SPACES
            and picture[at] == meanings.TODO_TAKE
            and is_object(piece)
            and at not in self._astray
        ]
        return [
            each
            for each in (*self._held, *to_lift)
            if _distance(each.home, sensor) <= 1  # objects move one space
            and each.piece != SHRUB
            and not (each.piece == TREE and self._was_shrub(each.home - _ERA, to_lift))
            and not (more_to_come and each.home == sensor)
            and (each.is_asked or picture[each.home] not in PUT)
            and (each.piece >= ELEPHANT or not is_commanded)
        ]


def _distance(one: int, other: int) -> int:
    """Return how many steps two spaces are apart; eras count as far."""
    (row, column), (to_row, to_column) = divmod(one % _ERA, _ROW), divmod(other % _ERA, _ROW)
    return abs(row - to_row) + abs(column - to_column) + _ERA * abs(one // _ERA - other // _ERA)
