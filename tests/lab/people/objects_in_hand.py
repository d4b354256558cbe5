"""What hands know of a chapter's objects while they do what the lights ask for.

They have seen which light says what, they know how plants grow, that no shrub moves, and that a
statue stands in an era and those behind it; and they see what they hold, and whence it came.
"""

from __future__ import annotations

from collections import Counter

from chronotable import meanings
from chronotable.sensors import SPACES
from chronotable_host.pieces import Pieces, is_object
from tests.lab.people.todo import Todo, todo_of
from ttykm.objects import ELEPHANT, SHRUB, STATUE, TREE

_ERA = 16
_ROW = 4
_GROWN = (SHRUB, TREE)  # one era behind the seed, two eras


class ObjectsInHand:
    """The objects in the hands, and those that are to come out of the box in this turn."""

    def __init__(self) -> None:
        self._held: list[tuple[int, int]] = []  # where each came from, and what it is
        self._new: Pieces = {}
        self._out_of_box: set[int] = set()
        self._builds = False
        self._touched: Pieces = {}  # by mistake: what lay there, which people remember

    def forget(self) -> None:
        """Another turn begins: what is still in the hands goes into the box."""
        self._held.clear()
        self._new.clear()
        self._out_of_box.clear()
        self._builds = False

    def lifted(self, sensor: int, piece: int) -> None:
        """Take what was lifted into the hands."""
        if is_object(piece) and piece != SHRUB and sensor < SPACES:
            self._held.append((sensor, piece))

    def touched(self, sensor: int, piece: int) -> None:
        """Remember what was lifted without being asked for."""
        if is_object(piece) and sensor not in self._touched:
            self._touched[sensor] = piece

    def placed(self, sensor: int, piece: int) -> None:
        """Put what was placed out of the hands."""
        if self._touched.get(sensor) == piece:
            del self._touched[sensor]
        if self._new.get(sensor) == piece:
            self._out_of_box.add(sensor)
        found = [each for each in self._held if each[1] == piece]
        if found:  # what came from beside it, then what was there, then anything
            self._held.remove(min(found, key=lambda each: abs(_distance(each[0], sensor) - 1)))

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
            to_come = meanings.TODO_TAKE in picture[:SPACES]
            piece = self._piece_for(sensor, to_come, said == meanings.COMMAND)
            if said in (meanings.TODO_PUT, meanings.BUILD) and sensor not in board:
                piece = self._touched.get(sensor, self._new.get(sensor, piece))
                if piece is None and self._builds and not to_come:
                    piece = STATUE + 1 + mover  # one that was turned away from where it was built
            elif said != meanings.COMMAND:
                continue
            if piece is not None and board.get(sensor) != piece:
                memory[sensor] = piece
                todo[sensor] = meanings.TODO_PUT
        return todo, memory

    def _piece_for(self, sensor: int, more_to_come: bool, is_commanded: bool) -> int | None:
        """Return what was lifted next to a sensor in its era; what lay there itself comes last."""
        held = Counter(piece for _, piece in self._held)
        held -= Counter(self._touched.values())  # which belongs where it was lifted by mistake
        there = [
            each
            for each in self._held
            if each[0] // _ERA == sensor // _ERA
            and not (more_to_come and each[0] == sensor)
            and held[each[1]] > 0
            and (each[1] >= ELEPHANT or not is_commanded)
        ]
        near = [each for each in there if _distance(each[0], sensor) <= 1]  # objects move one space
        return max(near, key=lambda each: _distance(each[0], sensor))[1] if near else None


def _distance(one: int, other: int) -> int:
    """Return how many steps two spaces are apart; eras count as far."""
    (row, column), (to_row, to_column) = divmod(one % _ERA, _ROW), divmod(other % _ERA, _ROW)
    return abs(row - to_row) + abs(column - to_column) + _ERA * abs(one // _ERA - other // _ERA)
