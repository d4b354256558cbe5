"""Endgames that are known: who wins with few pieces, and in how many turns.

What a player has on the boards and in supply together never grows. So positions of two pieces
against two, three against two and so on lead to nothing but themselves and fewer pieces, and
`endgames_making` solves them backwards. Only those are kept in which both players hold two eras or
more: with less, the other one has won (T29).

A player's copies are an arrangement, and arrangements are numbered: those of two copies first, then
those of three; what is not on the boards is in supply. The boards, all three alike, can be turned
and mirrored until the arrangement of who has fewer pieces (of the other player, where they are
equal) is the first of its kind. A table has a block for each kind. Of each place of both foci and
of each arrangement of the other side a byte says in how many turns of both the position ends: it is
odd where the mover wins, even where the mover loses, and 0 where neither has to; 254 and 255 stand
for all that takes longer, too.

Nothing is read before it is asked for.
"""

import lzma
import mmap
import struct
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate, combinations, product
from pathlib import Path
from typing import NamedTuple

from chronotable_host.engine.position import ERA_BITS, Position
from chronotable_host.home import default_folder

FEWEST = 2
"""Pieces that a player needs to hold two eras."""
MOST_OF_BOTH = 6
"""With more pieces of both players together nothing is known."""

_KEPT = 256  # blocks of a table: some 40 MB
_PLACES = 3 * ERA_BITS
_ABOUT = b"Endgames of %d against %d, made by `chronotable endgames make %dv%d`\n"
_PACKED = ({"id": lzma.FILTER_LZMA2, "preset": 6, "lc": 1, "pb": 0},)  # a block unpacks in 1 ms


def _image(place: int, turned: int, down: int, right: int) -> int:
    row, column = place // 4 % 4 ^ down, place % 4 ^ right
    return place // ERA_BITS * ERA_BITS + (4 * column + row if turned else 4 * row + column)


SYMMETRIES = [
    [_image(place, *way) for place in range(_PLACES)] for way in product((0, 1), (0, 3), (0, 3))
]
"""Where each place comes to, for each way to turn and mirror the boards."""
_BACK = [SYMMETRIES.index([way.index(place) for place in range(_PLACES)]) for way in SYMMETRIES]


def image(copies: int, places: Sequence[int]) -> int:
    """Return copies as they lie when the boards are turned."""
    found = 0
    while copies:
        found |= 1 << places[(copies & -copies).bit_length() - 1]
        copies &= copies - 1
    return found


@cache
def arrangements(pieces: int) -> dict[int, int]:
    """Return the arrangements of a player with so many pieces, with their numbers."""
    found = (
        sum(1 << place for place in places)
        for count in range(FEWEST, pieces + 1)
        for places in combinations(range(_PLACES), count)
        if places[0] // ERA_BITS != places[-1] // ERA_BITS
    )
    return {copies: number for number, copies in enumerate(found)}


@cache
def kinds(pieces: int) -> tuple[dict[int, tuple[int, int]], list[int]]:
    """Return the kind of each arrangement, and how the boards turn to make it the first of it.

    The second result are the first ones.
    """
    found: dict[int, tuple[int, int]] = {}
    firsts: list[int] = []
    for copies in arrangements(pieces):
        if copies not in found:
            for way, back in zip(SYMMETRIES, _BACK, strict=True):
                found.setdefault(image(copies, way), (len(firsts), back))
            firsts.append(copies)
    return found, firsts


class Material(NamedTuple):
    """How many pieces the mover and the other player have, on the boards and in supply."""

    own: int
    other: int

    @property
    def more(self) -> int:
        """The pieces of who has more of them."""
        return max(self)

    @property
    def fewer(self) -> int:
        """The pieces of who has fewer of them."""
        return min(self)

    def closed(self) -> "list[Material]":
        """Return all that positions with so many pieces lead to, themselves at the end."""
        return [
            Material(more, fewer)
            for more in range(FEWEST, self.more + 1)
            for fewer in range(FEWEST, min(more, self.fewer) + 1)
        ]

    def sides(self) -> "list[Material]":
        """Return whose turn it may be: the tables that lie in one file."""
        return [self, Material(self.other, self.own)][: 1 + (self.own != self.other)]


def folders() -> list[Path]:
    """Return where tables may lie: those that everybody has, and those made here."""
    return [Path(__file__).parent, default_folder() / "endgames"]


def file_name(material: Material) -> str:
    """Return how the file of a table is called."""
    return f"endgames-{material.more}v{material.fewer}.bin"


class Tablebase:
    """The ends of all positions of so many pieces, block by block as they are asked for."""

    def __init__(self, path: Path, material: Material) -> None:
        with path.open("rb") as file:
            self._file = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._is_folded_by_other = material.other <= material.own
        self._kinds, firsts = kinds(material.fewer)
        self._numbers = arrangements(material.more)
        # who has more pieces moves in the first half of a file
        self._first = 0 if self._is_folded_by_other else len(firsts)
        self._begin = self._file.find(b"\n") + 1
        self._blocks: dict[int, bytes] = {}

    def block(self, kind: int) -> bytes:
        """Return the ends of a kind, by focus, the other's focus, and arrangement."""
        found = self._blocks.get(kind)
        if found is None:
            at = self._begin + 4 * (self._first + kind)
            begin, end = struct.unpack_from("<2I", self._file, at)
            packed = self._file[self._begin + begin : self._begin + end]
            if len(self._blocks) >= _KEPT:
                self._blocks.clear()
            found = lzma.decompress(packed, lzma.FORMAT_RAW, filters=_PACKED)
            self._blocks[kind] = found
        return found

    def end(self, node: Position) -> int | None:
        """Return how a position ends, None where a player holds but one era."""
        own, other, _, _, focus, other_focus = node
        folded, free = (other, own) if self._is_folded_by_other else (own, other)
        if folded not in self._kinds or free not in self._numbers:
            return None
        kind, way = self._kinds[folded]
        number = self._numbers[image(free, SYMMETRIES[way])]
        return self.block(kind)[(3 * focus + other_focus) * len(self._numbers) + number]


def write(path: Path, material: Material, blocks: Iterable[bytes]) -> None:
    """Write a file: what it is, where each block begins and the last one ends, the blocks."""
    packed = [lzma.compress(each, lzma.FORMAT_RAW, filters=_PACKED) for each in blocks]
    begins = [*accumulate(map(len, packed), initial=4 * (len(packed) + 1))]
    about = _ABOUT % (material.more, material.fewer, material.more, material.fewer)
    part = path.with_suffix(".part")
    part.write_bytes(about + struct.pack(f"<{len(begins)}I", *begins) + b"".join(packed))
    part.replace(path)


@cache
def tablebase(material: Material) -> Tablebase | None:
    """Return the table of so many pieces, None where it was not made."""
    paths = [folder / file_name(material) for folder in folders()]
    return next((Tablebase(path, material) for path in paths if path.is_file()), None)


def end_of(node: Position) -> int | None:
    """Return in how many turns of both players a position ends, None where it is not known.

    It is odd where the mover wins, even where the mover loses, 0 where neither has to.
    """
    own, other, supply, other_supply, _, _ = node
    material = Material(own.bit_count() + supply, other.bit_count() + other_supply)
    if material.fewer < FEWEST:
        return None
    found = tablebase(material)
    return found.end(node) if found else None
