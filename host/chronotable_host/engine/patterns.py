"""What a position of the standard game is worth: weights of what is seen on parts of its boards.

A board is looked at through windows: its rows, its columns, its rectangles of two by three spaces.
What lies in one has a weight for each era and for whose focus is there, the same however the board
is turned or mirrored; so places, neighbours and who can push whom are all of one kind. What a board
is worth is kept, for a search comes by the same ones all the time.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from operator import lshift
from typing import Any

from chronotable_host.engine.evaluation import weights_of
from chronotable_host.engine.position import (
    ERA,
    ERA_BITS,
    FUTURE,
    OTHERS,
    PAST,
    PRESENT,
    Position,
    Result,
)
from chronotable_host.engine.search import WON, Child
from ttykm.layout import SUPPLY

MOST = 4
"""More copies of a player on a board count as so many."""

_KEPT = 60_000  # values of boards of an era and a focus: some 70 MB in all
_MASKS = PAST, PRESENT, FUTURE
_HIGH = 32  # bits of a value, above which there lies another one

_SHAPES = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 2, 4, 5, 6), (4, 5, 6, 8, 9, 10))
"""Spaces of windows, of which all others are turned or mirrored images."""


@cache
def windows() -> tuple[dict[int, dict[int, int]], int]:
    """Return what can be seen in each window, by its mask, with its number, and how many there are.

    The mover's copies are in the lower 16 bits and the other's above them. What is the same but
    for turning and mirroring the board has the same number.
    """
    images = [
        [down * (row ^ turn) + right * (column ^ mirror) for row in range(4) for column in range(4)]
        for down, right in ((4, 1), (1, 4))
        for turn, mirror in product((0, 3), repeat=2)
    ]
    found: dict[int, dict[int, int]] = {}
    count = 0
    for shape in _SHAPES:
        placed = [[image[space] for space in shape] for image in images]
        tables = [
            found.setdefault(sum((1 | 1 << ERA_BITS) << space for space in spaces), {})
            for spaces in placed
        ]
        for who in product((0, 1, 1 << ERA_BITS), repeat=len(shape)):
            seen = [sum(map(lshift, who, spaces)) for spaces in placed]
            if seen[0] not in tables[0]:
                for table, each in zip(tables, seen, strict=True):
                    table[each] = count
                count += 1
    return found, count


class _Boards(dict[int, tuple[int, int]]):
    """What an era's board is worth to the mover, the other's focus being elsewhere, and there.

    A key has the mover's copies as they lie in a position's mask, and the other's 16 bits higher.
    """

    def __init__(self, era: int, patterns: Sequence[int], counts: Sequence[int]) -> None:
        super().__init__()
        self._shift = ERA_BITS * era
        self._patterns = patterns
        self._counts = counts
        self._windows = [*windows()[0].items()]

    def __missing__(self, key: int) -> tuple[int, int]:
        board = key >> self._shift
        own, other = (board & ERA).bit_count(), (board >> ERA_BITS).bit_count()
        both = self._counts[min(own, MOST) * (MOST + 1) + min(other, MOST)]
        patterns = self._patterns
        for mask, table in self._windows:
            both += patterns[table[board & mask]]
        there = both + (1 << _HIGH - 1) >> _HIGH
        if len(self) >= _KEPT:
            self.clear()
        found = self[key] = both - (there << _HIGH), there
        return found


_View = tuple[list[_Boards], list[int], list[int]]
"""Of the era of a focus and of both others: boards, where their copies lie, worth of the focus."""


def _paired(low: Sequence[int], high: Sequence[int]) -> list[int]:
    return [one + (other << _HIGH) for one, other in zip(low, high, strict=True)]


class PatternEvaluation:
    """Weights, ready to be looked up.

    Those of `patterns` and `counts` are by era and by whose focus is there: nobody's, the mover's,
    the other's, both players'. Patterns are numbered as `windows` does it, counts by the mover's
    copies times five and the other's. `foci` are by where the mover's and the other's focus is,
    `supply` has the mover's and the other's.
    """

    def __init__(self, weights: Mapping[str, Any]) -> None:
        self._foci: Sequence[Sequence[int]] = weights["foci"]
        self.supply: Sequence[int]
        self._other_supply: Sequence[int]
        self.supply, self._other_supply = weights["supply"]
        self._boards = [
            [
                _Boards(era, *(_paired(by_focus[at], by_focus[at + 2]) for by_focus in of_era))
                for at in range(2)
            ]
            for era, of_era in enumerate(zip(weights["patterns"], weights["counts"], strict=True))
        ]
        self._views = [[self._view(focus, other) for other in range(3)] for focus in range(3)]

    def _view(self, focus: int, other_focus: int) -> _View:
        """Return what values turns by a player with this focus; the other moves next."""
        eras = focus, *OTHERS[focus]
        boards = [self._boards[era][era == other_focus] for era in eras]
        return boards, [_MASKS[era] for era in eras], [self._foci[other_focus][era] for era in eras]

    def worth(self, position: Position) -> int:
        """Return what a position is worth to the player to move, in points."""
        own, other, supply, other_supply, focus, other_focus = position
        total = self.supply[supply] + self._other_supply[other_supply]
        total += self._foci[focus][other_focus]
        for era, boards in enumerate(self._boards):
            mask = _MASKS[era]
            both = boards[era == focus][own & mask | (other & mask) << ERA_BITS]
            total += both[era == other_focus]
        return total

    def children(
        self, ways: Iterable[tuple[Result, int]], focus: int, other_focus: int
    ) -> list[Child[Result]]:
        """Return the turns that so many ways to act make, with what they are worth to who acts.

        The best come first; the other's supply is left aside.
        """
        first, second = OTHERS[focus]
        found = []
        for outcome, sequence, worth, other_worth in self.valued(ways, focus, other_focus):
            found.append((worth, first << 16 | sequence, outcome))
            found.append((other_worth, second << 16 | sequence, outcome))
        found.sort(reverse=True)
        return found

    def best(
        self, ways: Iterable[tuple[Result, int]], focus: int, other_focus: int, enough: int
    ) -> tuple[int, Result]:
        """Return what the first of `children` is worth, and its outcome.

        The first one that is worth `enough` is as good.
        """
        best, found = -WON, (0, 0, 0)
        for outcome, _, worth, other_worth in self.valued(ways, focus, other_focus):
            if worth > best:
                best, found = worth, outcome
            if other_worth > best:
                best, found = other_worth, outcome
            if best >= enough:
                break
        return best, found

    def valued(
        self, ways: Iterable[tuple[Result, int]], focus: int, other_focus: int
    ) -> Iterator[tuple[Result, int, int, int]]:
        """Yield each way with what it is worth to who acts, with the focus on either other era."""
        boards, masks, foci = self._views[focus][other_focus]
        here, there, yonder = boards
        in_here, in_there, in_yonder = masks
        _, for_there, for_yonder = foci
        supply = self._other_supply
        for outcome, sequence in ways:
            own, other, left = outcome
            rest, _ = here[other & in_here | (own & in_here) << ERA_BITS]
            one, one_with = there[other & in_there | (own & in_there) << ERA_BITS]
            two, two_with = yonder[other & in_yonder | (own & in_yonder) << ERA_BITS]
            rest += supply[left]
            yield (
                outcome,
                sequence,
                -(rest + one_with + two + for_there),
                -(rest + one + two_with + for_yonder),
            )


@cache
def standard_evaluation() -> PatternEvaluation:
    """Return the evaluation of the standard game."""
    return PatternEvaluation(weights_of(0))


@cache
def boards_evaluation() -> PatternEvaluation:
    """Return the same but for supplies, which games with modules have weights of their own for."""
    return PatternEvaluation({**weights_of(0), "supply": [[0] * (SUPPLY + 1)] * 2})
