"""How much of a sweep is tried: small, full or figures, by the lane that runs (lanes.py).

A sweep tries many cases of one kind: seeded games, the bytes of a line, legal turns. Its small
size still has every kind of case and the ends of each range; repetitions are left out, and a seed
means the same case in all sizes (tests/sweeps.md). `full` is tried by turns on each change,
`figures` made the long ones among the figures of tests/lab/figures.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

SIZES: Final = ("small", "full", "figures")
_chosen = SIZES[0]

Case = TypeVar("Case")


def choose(name: str) -> None:
    """Take a size, before the tests are imported."""
    global _chosen  # noqa: PLW0603 - one option for the whole run
    _chosen = name


def is_small() -> bool:
    """Tell whether a part of the sweeps is enough."""
    return _chosen == SIZES[0]


def is_largest() -> bool:
    """Tell whether there is no larger size."""
    return _chosen == SIZES[-1]


def size(small: int, full: int, figures: int = 0) -> int:
    """Return how many repetitions to try, such as random games; `figures` like `full` if 0."""
    assert small <= full
    return {"small": small, "full": full, "figures": figures or full}[_chosen]


def some(cases: Sequence[Case], small: int) -> list[Case]:
    """Return all cases, or so many of them: the first, the last and evenly spread ones between."""
    if not is_small() or small >= len(cases):
        return list(cases)
    last = len(cases) - 1
    return [cases[number * last // (small - 1)] for number in range(small)]
