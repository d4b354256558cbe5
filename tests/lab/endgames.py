"""`python -m tests.lab.endgames`: known endgames, against slow ways to find them.

Each position of two copies each has to end as follows from those that its turns lead to, which is
found here without folding and numpy: then all that are won and lost are right, by induction on how
long they take, and so are the others.
A player with two copies and nothing to place has lost who ends a turn with both in one era, or who
loses one, unless that turn wins: the other then wins with whatever turn comes. So only positions
matter in which both players hold two eras. All positions are asked forwards, too, for the wins
that are near, by a solver that knows nothing but the rules.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice, product
from random import Random
from typing import Annotated

import typer

from chronotable_host.engine.endgames import arrangements, end_of
from chronotable_host.engine.position import OTHERS, Position, eras_held, has_won, results
from tests.lab.side_by_side import do_all
from tests.lab.tactics import Solver
from ttykm import layout

_FOCI = 3
_AT_ONCE = 1

app = typer.Typer(add_completion=False)


@app.command()
def compare(
    samples: Annotated[int, typer.Option(min=1, help="Positions solved forwards.")] = 10_000,
    turns: Annotated[int, typer.Option(min=1, help="How far they are solved.")] = 2,
    seed: Annotated[int, typer.Option()] = 0,
) -> None:
    """Compare all of two against two, and some of all with what is found forwards."""
    ends: Counter[tuple[int, int]] = Counter()
    for some in do_all(ends_of_side, list(arrangements(2))):
        ends += some
    count = ends.total()
    neither = sum(often for (end, _), often in ends.items() if not end)
    won = sum(often for (end, _), often in ends.items() if end & 1)
    wrong = sum(often for (end, due), often in ends.items() if end != due)
    print(f"{count} positions of 2 against 2: won {won / count:.1%}, ", end="")
    print(f"lost {(count - won - neither) / count:.1%}, neither {neither / count:.1%}; ", end="")
    print(f"longest {max(end for end, _ in ends)} turns of both; {wrong} are wrong")
    wrong = 0
    for node in islice(any_positions(seed), samples):
        end = _end(*node)
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


def ends_of_side(own: int) -> Counter[tuple[int, int]]:
    """Return how all positions of two against two end in which the mover has these copies.

    First how they are known to end, then how it follows from those that turns lead to.
    """
    found: Counter[tuple[int, int]] = Counter()
    for other, focus in product(arrangements(2), range(_FOCI)):
        if own & other:
            continue
        wins, after = False, []
        for mine, theirs, _ in results(own, other, 0, focus):
            wins = wins or has_won(theirs)
            if eras_held(mine) == 2:
                after += [(theirs, mine, to) for to in OTHERS[focus]]
        for other_focus in range(_FOCI):
            due = _AT_ONCE
            if not wins:
                due = _due([_end(*copies, 0, 0, other_focus, to) for *copies, to in after])
            found[_end(own, other, 0, 0, focus, other_focus), due] += 1
    return found


def _end(*node: int) -> int:
    end = end_of(Position(*node))
    assert end is not None, "everything there is known"
    return end


def _due(after: list[int]) -> int:
    """Return how a position ends that leads to such ends, and else to what is lost at once."""
    lost = [end for end in after if end and not end & 1]
    if lost:
        return min(lost) + 1
    return 0 if 0 in after else max(after, default=_AT_ONCE) + 1


if __name__ == "__main__":
    app()
