"""`python -m tests.lab.endgames`: known endgames, against slow ways to find them.

Two copies each are solved backwards once more, here without folding and numpy.
A player with two copies and nothing to place has lost who ends a turn with both in one era, or who
loses one, unless that turn wins: the other then wins with whatever turn comes. So only positions
matter in which both players hold two eras. All positions are asked forwards, too, for the wins
that are near, by a solver that knows nothing but the rules.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import cycle, islice, product
from random import Random
from typing import Annotated, NamedTuple

import typer

from chronotable_host.engine.endgames import arrangements, end_of
from chronotable_host.engine.position import OTHERS, Position, eras_held, has_won, results
from tests.lab.tactics import Solver
from ttykm import layout

_UNKNOWN = 0
_FOCI = 3

app = typer.Typer(add_completion=False)


class Endgames(NamedTuple):
    """The solved table: `ends` has a byte for each position, by `number`.

    0 is a position that nobody wins; n > 0 is won in (n + 1) / 2 turns of the mover where n is odd,
    and lost in n / 2 turns where it is even.
    """

    pairs: dict[tuple[int, int], int]
    ends: bytearray

    def number(self, node: Position) -> int:
        pair = self.pairs[node.own, node.other]
        return (pair * _FOCI + node.focus) * _FOCI + node.other_focus

    def end(self, node: Position) -> int:
        return self.ends[self.number(node)]

    def positions(self) -> Iterator[Position]:
        for (own, other), focus, other_focus in product(self.pairs, range(_FOCI), range(_FOCI)):
            yield Position(own, other, 0, 0, focus, other_focus)


@app.command()
def compare(
    samples: Annotated[int, typer.Option(min=1, help="Positions solved forwards.")] = 10_000,
    turns: Annotated[int, typer.Option(min=1, help="How far they are solved.")] = 2,
    seed: Annotated[int, typer.Option()] = 0,
) -> None:
    """Compare all of two against two, and some of all with what is found forwards."""
    solved = solve()
    count = len(solved.ends)
    wrong = sum(1 for node in solved.positions() if end_of(node) != solved.end(node))
    neither = solved.ends.count(_UNKNOWN)
    won = sum(1 for end in solved.ends if end & 1)
    print(f"{count} positions of 2 against 2: won {won / count:.1%}, ", end="")
    print(f"lost {(count - won - neither) / count:.1%}, neither {neither / count:.1%}; ", end="")
    print(f"longest {max(solved.ends)} turns of both; {wrong} are wrong")
    wrong = 0
    for node in islice(any_positions(seed), samples):
        end = end_of(node)
        assert end is not None, "everything there is known"
        is_won = end & 1 == 1 and end < 2 * turns
        wrong += (Solver().win(state_of(node), turns) is not None) != is_won
    print(f"{samples} positions solved forwards, {turns} turns far: {wrong} are wrong")


def any_positions(seed: int) -> Iterator[Position]:
    """Yield positions of all tables by turns; in a table each is as likely as any other."""
    rng = Random(seed)
    sides = {count: [*arrangements(count)] for count in (2, 3)}
    for mine, theirs in cycle(((2, 2), (3, 2), (2, 3))):
        own = other = 0
        while own & other or not own:
            own, other = rng.choice(sides[mine]), rng.choice(sides[theirs])
        supplies = mine - own.bit_count(), theirs - other.bit_count()
        yield Position(own, other, *supplies, rng.randrange(_FOCI), rng.randrange(_FOCI))


def state_of(node: Position) -> array[int]:
    """Return a position as a state, in which White moves."""
    own, other, supply, other_supply, focus, other_focus = node
    boards = [copies >> 16 * era & 0xFFFF for copies in (own, other) for era in range(3)]
    meta = layout.pack_meta(supply, other_supply, focus, other_focus, layout.WHITE)
    return array("H", (*boards, meta))


def solve() -> Endgames:
    pairs, boards = _pairs()
    first, children, wins = _children(pairs, boards)
    ends = bytearray(len(boards) * _FOCI * _FOCI)
    undecided = []
    for number in range(len(ends)):
        if wins[number // _FOCI]:
            ends[number] = 1
        else:
            undecided.append(number)
    half = 1
    while True:
        half += 1
        decided: list[int] = []
        rest: list[int] = []
        for number in undecided:
            (decided if _is_decided(number, half, ends, first, children) else rest).append(number)
        for number in decided:
            ends[number] = half
        if not decided and not _goes_on(half, ends):
            return Endgames(pairs, ends)
        undecided = rest


def _pairs() -> tuple[dict[tuple[int, int], int], list[tuple[int, int]]]:
    """Return all pairs of copies of both players, both in two eras, with their numbers."""
    lone = [
        1 << 16 * low + one | 1 << 16 * high + two
        for low, high in ((0, 1), (0, 2), (1, 2))
        for one, two in product(range(16), repeat=2)
    ]
    boards = [(own, other) for own, other in product(lone, repeat=2) if not own & other]
    return {board: number for number, board in enumerate(boards)}, boards


def _children(
    pairs: dict[tuple[int, int], int], boards: list[tuple[int, int]]
) -> tuple[array[int], array[int], bytearray]:
    """Return what each board leads to with each focus.

    The numbers of the boards as the other player sees them stand in the second result, from where
    the first result says for each board and focus on; the third one tells where the mover wins.
    """
    first, children = array("I", [0]), array("I")
    wins = bytearray(len(boards) * _FOCI)
    for at, (own, other) in enumerate(boards):
        for focus in range(_FOCI):
            for mine, theirs, _ in results(own, other, 0, focus):
                if has_won(theirs):
                    wins[at * _FOCI + focus] = 1
                elif eras_held(mine) == 2:
                    children.append(pairs[theirs, mine])
            first.append(len(children))
    return first, children, wins


def _is_decided(
    number: int, half: int, ends: bytearray, first: array[int], children: array[int]
) -> bool:
    """Tell whether a position is won (odd) or lost (even) in so many turns of both players.

    It is won with a turn to a position that is lost in one less; lost where all turns lead to
    positions that are won.
    """
    row, other_focus = divmod(number, _FOCI)
    shifts = OTHERS[row % _FOCI]
    for at in range(first[row], first[row + 1]):
        base = (children[at] * _FOCI + other_focus) * _FOCI
        for focus in shifts:
            end = ends[base + focus]
            if half & 1:
                if end and not end & 1:
                    return True
            elif not end & 1:
                return False
    return not half & 1


def _goes_on(half: int, ends: bytearray) -> bool:
    """Tell whether the last round but one decided anything: rounds alternate."""
    return half - 1 in ends


if __name__ == "__main__":
    app()
