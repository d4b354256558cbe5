"""Makes the tables of `endgames` with numpy, backwards from the wins.

A table is solved in passes: in pass n who has a turn to a position that is lost in n - 1 turns of
both players wins in n, and who has none to a position that is not won by then loses in n. What each
position leads to is worked out once and lies in files: with three pieces each that are some 3 GB.
All that is done stays done when the work is interrupted.
"""

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chronotable_host.engine.endgames import (
    FEWEST,
    SYMMETRIES,
    Material,
    arrangements,
    image,
    kinds,
    tablebase,
    write,
)
from chronotable_host.engine.position import ERA, ERA_BITS, FUTURE, LINES, OTHERS, PAST

_Array: TypeAlias = NDArray[Any]

_FOCI = 3
_WON_AT_ONCE, _LOST_AT_ONCE = 1, 2


class _Side(NamedTuple):
    """The arrangements of a player with so many pieces, by number."""

    copies: _Array
    images: _Array
    """Their numbers when the boards are turned, for each way to do so."""
    kind: _Array
    way: _Array
    firsts: list[int]


def _side(count: int) -> _Side:
    numbers = arrangements(count)
    found, firsts = kinds(count)
    kind, way = zip(*(found[copies] for copies in numbers), strict=True)
    images = [[numbers[image(copies, each)] for copies in numbers] for each in SYMMETRIES]
    arrays = np.array([*numbers], np.int64), np.array(images, np.int32)
    return _Side(*arrays, np.array(kind), np.array(way), firsts)


class _Ways(NamedTuple):
    """Turns under way: of which position they are, and what they have led to so far."""

    position: _Array
    own: _Array
    other: _Array
    supply: _Array

    def of(self, chosen: _Array) -> "_Ways":
        return _Ways(*(each[chosen] for each in self))


def _act(ways: _Ways, bit: int) -> Iterator[tuple[int, _Ways]]:
    """Yield what the actions of the copy on a place lead to, with where it is then; 0 if it died.

    As `position.step` and `position.ways` have it. In two eras three copies leave each other a way
    that is no paradox, so nobody has to be asked who can act longest (T12).
    """
    own, other = ways.own, ways.other
    for _, target, second, third in LINES[bit]:
        pushes = other & target != 0
        pushes_on = pushes & (own & second != 0)
        then = ways._replace(
            own=own ^ (bit | target) ^ pushes_on * (second | third),
            other=other ^ pushes * (target | second) ^ (pushes_on & (other & third != 0)) * third,
        )
        dies = own & target != 0
        yield 0, then.of(dies)
        yield target, then.of(~dies)
    taken = own | other
    if not bit & FUTURE:
        free = ways.of(taken & bit << ERA_BITS == 0)
        yield bit << ERA_BITS, free._replace(own=free.own ^ (bit | bit << ERA_BITS))
    if not bit & PAST:
        free = ways.of((taken & bit >> ERA_BITS == 0) & (ways.supply > 0))
        back = free._replace(own=free.own | bit >> ERA_BITS, supply=free.supply - 1)
        yield bit >> ERA_BITS, back


def _turns(ways: _Ways, focus: int) -> _Ways:
    """Return all that turns lead to, but for the shift of the focus; the same may come often."""
    found = [ways.of(ways.own & ERA << ERA_BITS * focus == 0)]  # T10
    for space in range(ERA_BITS):
        bit = 1 << ERA_BITS * focus + space
        for at, once in _act(ways.of(ways.own & bit != 0), bit):
            found += [twice for _, twice in _act(once, at)] if at else [once]
    return _Ways(*map(np.concatenate, zip(*found, strict=True)))


def _is_in_one_era(copies: _Array) -> _Array:
    return sum((copies & ERA << ERA_BITS * era != 0).astype(int) for era in range(3)) < 2


class Maker:
    """Makes the table of so many pieces; tables of fewer are there. `folder` keeps the work.

    A row is a kind and an arrangement of the other side, and all tables' rows are in one array.
    """

    def __init__(self, material: Material, folder: Path) -> None:
        self._new = material.sides()
        self._folder = folder
        self._sides = {count: _side(count) for count in range(FEWEST, material.more + 1)}
        self._bases: dict[Material, int] = {}
        self._rows = 0
        for each in (side for known in material.closed() for side in known.sides()):
            self._bases[each] = self._rows
            self._rows += len(self._fewer(each).firsts) * len(self._sides[each.more].copies)
        self._blocks = [
            (each, kind) for each in self._new for kind in range(len(self._fewer(each).firsts))
        ]
        self._copies = self._sides[material.more].copies
        self._sorted = np.argsort(self._copies)
        self._ends: _Array = np.zeros((self._rows, _FOCI, _FOCI), np.uint8)

    def _fewer(self, material: Material) -> _Side:
        return self._sides[material.fewer]

    def _part(self, material: Material, kind: int) -> _Array:
        """Return the ends of a kind: a view that can be written to."""
        count = len(self._sides[material.more].copies)
        base = self._bases[material] + kind * count
        return self._ends[base : base + count]

    def prepare(self) -> Iterator[tuple[int, int]]:
        """Work out what positions lead to; yield how many blocks of how many are done."""
        self._folder.mkdir(parents=True, exist_ok=True)
        for done, (material, kind) in enumerate(self._blocks):
            if not self._file(done).exists():
                _save(self._file(done), self.edges(material, kind))
            yield done + 1, len(self._blocks)

    def solve(self) -> Iterator[tuple[int, int]]:
        """Decide positions, pass by pass; yield the pass and how many it decided."""
        for material in self._bases.keys() - {*self._new}:
            known = tablebase(material)
            assert known is not None, "tables of fewer pieces are made before"
            for kind in range(len(self._fewer(material).firsts)):
                ends = np.frombuffer(known.block(kind), np.uint8).reshape(_FOCI, _FOCI, -1)
                self._part(material, kind)[:] = ends.transpose(2, 0, 1)
        number = 1
        by_row = self._ends.reshape(-1, _FOCI)
        kept = self._folder / "ends.npy"
        if kept.exists():
            number, self._ends[:] = _load(kept)
            number = int(number)
        else:
            for block in range(len(self._blocks)):
                won, lost, *_ = _load(self._file(block))
                by_row[won], by_row[lost] = _WON_AT_ONCE, _LOST_AT_ONCE
        longest = int(self._ends.max())
        since = 0
        while since < 2 or number <= longest:  # wins and losses take turns
            number += 1
            decided = self._pass(number, by_row)
            since = 0 if decided else since + 1
            _save(kept, (number, self._ends))
            yield number, decided

    def finish(self, path: Path) -> None:
        """Write the table, and remove what lies in the folder."""
        ends = (self._part(*each).transpose(1, 2, 0).tobytes() for each in self._blocks)
        write(path, self._new[0], ends)
        shutil.rmtree(self._folder)

    def _file(self, block: int) -> Path:
        return self._folder / f"{block}.npy"

    def edges(self, material: Material, kind: int) -> list[_Array]:
        """Return all of a kind that is won or lost at once, and what the rest leads to.

        Positions are named by row and focus; those that lead on with where in the last array it is
        said where to.
        """
        first, many = self._fewer(material).firsts[kind], self._sides[material.more].copies
        rows = np.flatnonzero(many & first == 0)
        sides = [many[rows], np.full(len(rows), first)]
        own, other = sides if material.other <= material.own else sides[::-1]
        ways = _Ways(rows, own, other, material.own - np.bitwise_count(own).astype(np.int64))
        other_supply: _Array = np.zeros(len(many), np.int64)
        other_supply[rows] = material.other - np.bitwise_count(other)
        base = self._bases[material] + kind * len(many)
        found: list[list[_Array]] = [[], [], [], [], []]
        for focus in range(_FOCI):
            then = _turns(ways, focus)
            won: _Array = np.zeros(len(many), bool)
            won[then.position[_is_in_one_era(then.other)]] = True
            then = then.of(~(won[then.position] | _is_in_one_era(then.own)))
            to: _Array = np.empty(len(then.position), np.int64)
            left = np.bitwise_count(then.own) + then.supply
            other_left = np.bitwise_count(then.other) + other_supply[then.position]
            for after in self._bases:
                here = (other_left == after.own) & (left == after.other)
                to[here] = self.row(then.other[here], then.own[here], after)
            pairs = np.unique(then.position * self._rows + to)
            position, to = np.divmod(pairs, self._rows)
            begins = np.flatnonzero(np.diff(position, prepend=-1))
            leads: _Array = np.zeros(len(many), bool)
            leads[position] = True
            lost = rows[~(won | leads)[rows]]
            for at, each in enumerate((np.flatnonzero(won), lost, position[begins])):
                found[at].append((base + each) * _FOCI + focus)
            found[3].append(begins + sum(map(len, found[4])))
            found[4].append(to * _FOCI + focus)
        return [np.concatenate(each).astype(np.uint32) for each in found]

    def row(self, own: _Array, other: _Array, material: Material) -> _Array:
        """Return the row of positions within the table of so many pieces."""
        folded, free = (
            self._sorted[np.searchsorted(self._copies, each, sorter=self._sorted)]
            for each in ((other, own) if material.other <= material.own else (own, other))
        )
        fewer, more = self._fewer(material), self._sides[material.more]
        first = self._bases[material] + fewer.kind[folded] * len(more.copies)
        return first + more.images[fewer.way[folded], free]

    def _pass(self, number: int, by_row: _Array) -> int:
        """Decide what can be decided now; return how many positions that are.

        What a turn can lead to is told by six bits for each row and focus it was played with: for
        each place of the other's focus, whether one of both shifts leads to a loss of the other
        player, and whether one leads to what is not won.
        """
        bits: _Array = np.full(256, 1 << _FOCI, np.uint8)
        bits[1:number:2], bits[_LOST_AT_ONCE:number:2] = 0, 1 | 1 << _FOCI
        ends = bits[self._ends]
        told: _Array = np.zeros((self._rows, _FOCI), np.uint8)
        for focus, (one, two) in enumerate(OTHERS):
            for other in range(_FOCI):
                told[:, focus] |= (ends[:, other, one] | ends[:, other, two]) << other
        told = told.reshape(-1)
        decided = 0
        for block in range(len(self._blocks)):
            won, lost, positions, begins, to = _load(self._file(block))
            if not len(positions):
                continue
            seen = np.bitwise_or.reduceat(told[to], begins)[:, None] >> np.arange(2 * _FOCI) & 1
            before = by_row[positions]
            new = (before == 0) & (seen[:, :_FOCI] | 1 - seen[:, _FOCI:]).astype(bool)
            by_row[positions] = np.where(new, min(number, 254 + number % 2), before)
            decided += int(new.sum())
            is_open = (before == 0).any(1)  # as it was: what is new is not kept yet
            if is_open.mean() < 0.5:
                counts = np.diff(begins, append=len(to))
                to = to[np.repeat(is_open, counts)]
                counts = counts[is_open]
                rest = positions[is_open], (np.cumsum(counts) - counts).astype(np.uint32), to
                _save(self._file(block), (won, lost, *rest))
        return decided


def _save(path: Path, arrays: Iterable[Any]) -> None:
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        for each in arrays:
            np.save(file, each)
    part.replace(path)


def _load(path: Path) -> list[_Array]:
    found = []
    with path.open("rb") as file:
        while file.peek(1):
            found.append(np.load(file))
    return found
