"""The link over a bad cable: nothing lost, nothing doubled, whatever happens.

`python -m tests.lab.line_faults "link: all at once 7"` makes a failure again.
"""

import pytest

from chronotable.window import since
from tests import sweep
from tests.lab.line_link import TABLE_STALLS, play
from tests.lab.line_troubles import ALL, SINGLE

SEEDS = range(sweep.size(2, 6, 100))


def test_time_differences_wrap() -> None:
    assert since(5, 2**30 - 5) == 10
    assert since(2**30 + 5, 5) == 0
    assert since(4, 5) == 0
    assert since(7, 7) == 0


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", [*SINGLE, TABLE_STALLS])
def test_whatever_befalls_it_the_link_loses_and_doubles_nothing(kind: str, seed: int) -> None:
    assert play(kind, seed).problem == ""


@pytest.mark.parametrize("seed", range(sweep.size(8, 20, 1000)))
def test_nor_does_it_where_everything_befalls_it_at_once(seed: int) -> None:
    assert play(ALL, seed).problem == ""
