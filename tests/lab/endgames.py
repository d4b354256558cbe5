"""`python -m tests.lab.endgames`: endgames of two copies each without supplies, solved backwards.

A player with two copies and nothing to place has lost who ends a turn with both in one era, or who
loses one, unless that turn wins: the other then wins with whatever turn comes. So only positions
matter in which both players hold two eras. Of them it is told for which turn on the player to
move wins or loses against every answer, and the search is asked about some of the wins.
"""

from __future__ import annotations

import random
from array import array
from itertools import product
from typing import Annotated, NamedTuple

import typer

from chronotable_host.engine.games import StandardGame
from chronotable_host.engine.levels import LEVELS
from chronotable_host.engine.position import OTHERS, Position, eras_held, has_won, results
from chronotable_host.engine.search import Limits, Search, turns_to_end

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
        """Return the index of a position."""
        pair = self.pairs[node.own, node.other]
        return (pair * _FOCI + node.focus) * _FOCI + node.other_focus

    def end(self, node: Position) -> int:
        """Return in how many own turns the mover wins, or loses (negative); 0 for neither."""
        found = self.ends[self.number(node)]
        return (found + 1) // 2 if found & 1 else -(found // 2)


@app.command()
def solve_and_compare(
    samples: Annotated[int, typer.Option(min=1, help="Won positions that are searched.")] = 1000,
    turns: Annotated[int, typer.Option(min=1, help="The longest win among them.")] = 5,
    nodes: Annotated[int, typer.Option(min=1, help="Of a search.")] = LEVELS[-1].nodes_in_endgames,
    seed: Annotated[int, typer.Option()] = 0,
) -> None:
    """Solve, count, and compare the search with what was solved."""
    endgames = solve()
    count = len(endgames.ends)
    won = sum(1 for end in endgames.ends if end & 1)
    open_ended = endgames.ends.count(_UNKNOWN)
    lost = count - won - open_ended
    print(f"{count} positions: won {won / count:.1%}, lost {lost / count:.1%}, ", end="")
    print(f"neither {open_ended / count:.1%}; longest {max(endgames.ends)} turns of both")
    worse = 0
    asked = sample(endgames, samples, turns, seed)
    for node in asked:
        thought = [*Search(StandardGame()).think(node, Limits(nodes=nodes))][-1]
        found, wanted = turns_to_end(thought.score), endgames.end(node)
        if not 0 < found <= wanted:
            worse += 1
            print(f"worse: {node}: win in {wanted}, the search says {found or thought.score}")
    print(f"{len(asked)} wins in at most {turns} turns searched, {worse} worse than the table")


def solve() -> Endgames:
    """Return every endgame, solved."""
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


def sample(endgames: Endgames, count: int, turns: int, seed: int) -> list[Position]:
    """Return won positions, each length of a win alike as far as there are that many."""
    rng = random.Random(seed)
    boards = list(endgames.pairs)
    by_length: dict[int, list[Position]] = {}
    while sum(map(len, by_length.values())) < count:
        own, other = rng.choice(boards)
        node = Position(own, other, 0, 0, rng.randrange(3), rng.randrange(3))
        end = endgames.end(node)
        if 0 < end <= turns and len(by_length.setdefault(end, [])) < -(-count // turns):
            by_length[end].append(node)
    return [node for length in sorted(by_length) for node in by_length[length]][:count]


if __name__ == "__main__":
    app()
