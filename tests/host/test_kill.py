"""A host that is killed at any moment: every turn that it told is on disk, and can be gone on with.

`python -m tests.lab --only kills --games 100` does this a hundred times.
"""

from __future__ import annotations

import pytest

from tests import lanes, sweep
from tests.host.archives import TURNS, played
from tests.lab import kills
from tests.lab.kills import Told
from tests.lab.side_by_side import do_all

SEEDS = range(sweep.size(2, 5))


@lanes.gate
def test_a_killed_host_has_lost_nothing() -> None:
    """Whole tables with mirror and archive, killed from outside and in the middle of a write."""
    outcomes = do_all(kills.play, SEEDS)
    for outcome in outcomes:
        assert not outcome.lost, f"seed {outcome.seed}: {outcome.lost}"
    assert sum(outcome.turns for outcome in outcomes) > 10


@pytest.mark.parametrize(
    ("lines", "is_last", "fits"),
    [
        ([{"turn": text} for text in TURNS], False, True),
        ([{"turn": text} for text in TURNS[:3]], True, True),  # one step ahead
        ([{"turn": text} for text in TURNS[:3]], False, False),  # though the next game has begun
        ([{"turn": text} for text in TURNS[:2]], True, False),
        ([{"turn": text} for text in [*TURNS, "1 S S >past"]], True, False),
        ([{"turn": text} for text in [*TURNS, "1 S S >past"]] + [{"lifts": True}], True, True),
        ([{"turn": text} for text in TURNS] + [{"taken_back": TURNS[3]}], False, False),
        ([{"turn": text} for text in TURNS] + [{"game_over": "draw", "by": "agreed"}], True, False),
        (
            [{"turn": text} for text in [*TURNS, "1 S S >past"]]
            + [{"game_over": "black", "by": "normal"}, {"lifts": True}],
            True,
            True,
        ),
    ],
)
def test_what_counts_as_lost(lines: list[dict[str, object]], is_last: bool, fits: bool) -> None:
    told = Told()
    for line in lines:
        told.hear(line)
    assert (told.problem(played(), is_last) == "") is fits
