"""People play whole games at the whole firmware: nothing is taken for another turn.

Clean and rough hands, seeded; `python -m tests.lab --sensing` plays thousands more.
"""

from __future__ import annotations

import pytest

from tests import lanes, sweep
from tests.lab import accidents
from tests.lab.helping import CLEAN, HEEDLESS, ROUGH
from tests.lab.people.account import LOST, WRONG
from tests.lab.sensing import (
    FIRMWARE_CLEAN,
    FIRMWARE_FAULTY,
    FIRMWARE_ROUGH,
    Job,
    play,
)

SEEDS = range(sweep.size(1, 20))
TOGETHER = 5  # games whose questions are counted
# each seed has another reed, and another way to break; all eras where there are all
BROKEN = [0, 1, 2, *range(8, 169, 7)][: sweep.size(2, 26)]
MOST_ASKED = {FIRMWARE_CLEAN: 0.01, FIRMWARE_ROUGH: 0.03}
MOST_GUIDED = 0.05


def check(kind: str, seeds: range) -> None:
    """Play the games; see that all were understood, and few turns asked about."""
    turns = asked = guided = 0
    for seed in seeds:
        result = play(Job(kind, seed))
        account = result.account
        assert account.finished, result.job
        bad = [str(each) for each in account.incidents if each.what in (WRONG, LOST)]
        assert bad == [], result.job
        turns += account.turns
        asked += account.asked
        guided += account.guided
    print(f"{kind}: {len(seeds)} games, {turns} turns, {asked} asked, {guided} guided back")
    assert turns >= 5 * len(seeds)
    if kind in MOST_ASKED:
        assert asked <= max(1, MOST_ASKED[kind] * turns)
        assert guided <= MOST_GUIDED * turns


@lanes.gate
@pytest.mark.parametrize("first", SEEDS[::TOGETHER])
@pytest.mark.parametrize("kind", [FIRMWARE_CLEAN, FIRMWARE_ROUGH])
def test_games_of_each_hand(kind: str, first: int) -> None:
    check(kind, SEEDS[first : first + TOGETHER])


@lanes.gate
@pytest.mark.parametrize("seed", BROKEN)
def test_broken_reeds(seed: int) -> None:
    check(FIRMWARE_FAULTY, range(seed, seed + 1))


@pytest.mark.parametrize(
    "job",
    [
        accidents.Job("cat", ROUGH, 301),  # no light said whose a copy out of the box is
        accidents.Job("cat", ROUGH, 40004, 1),  # a copy lies where a pushed tree might
        accidents.Job("cat", HEEDLESS, 60025, 4),  # a turn that was chosen is taken back
        accidents.Job("cat", CLEAN, 60141, 6),  # copies are back, but objects changed places
        accidents.Job("cat", ROUGH, 60346, 1),  # the magnet that tapped lies where the copy may go
        accidents.Job("cat", ROUGH, 60367, 6),  # two hands exchange pieces as quick as one brushes
        accidents.Job("cat", ROUGH, 94009, 2),  # a statue was dropped before it is put elsewhere
        accidents.Job("child", CLEAN, 81012, 6),  # what was led to reads as another turn, too
        accidents.Job("child", ROUGH, 5000, 6),  # a child puts down what may be either player's
        accidents.Job("child", ROUGH, 20008, 2),  # the opponent's copy goes where one's own is due
        accidents.Job("child", HEEDLESS, 8, 7),  # an elephant belongs where a statue lies
        accidents.Job("fall", HEEDLESS, 3008, 7),  # what is looked at leaves another action
        accidents.Job("hasty", CLEAN, 82007, 7),  # a light's word is done with empty hands
        accidents.Job("hasty", CLEAN, 93028, 7),  # a tree is carried while an echo asks for a shrub
        accidents.Job("hasty", HEEDLESS, 81002, 2),  # a statue stands where the copy may go
        accidents.Job("hasty", HEEDLESS, 92016, 6),  # an elephant stands where a statue belongs
        accidents.Job("sleeve", ROUGH, 92003),  # a light asks for the mover's copy in its place
        accidents.Job(
            "sleeve", HEEDLESS, 81030, 3
        ),  # hands that mind no light have minded none before
        accidents.Job("sleeve", HEEDLESS, 81006, 2),  # a statue is asked for that stands elsewhere
        accidents.Job("sleeve", ROUGH, 70012, 7),  # a tree lies where a statue may be built
        accidents.Job("sleeve", ROUGH, 5015),  # a light changes while a hand is on its way
        accidents.Job("power", ROUGH, 91004, 1),  # a magnet that taps lies where the copy was
        accidents.Job("power", ROUGH, 91007, 7),
        accidents.Job("power and child", ROUGH, 91017, 1),  # a marker that is tried when it goes
        accidents.Job("power and child", ROUGH, 2017),  # the turn cut off explains a part
    ],
    ids=repr,
)
def test_after_an_accident_all_lies_where_the_table_takes_it_to_lie(job: accidents.Job) -> None:
    """Each once ended with exchanged owners, or stood still."""
    outcome = accidents.play(job)
    assert outcome.has_happened
    assert not outcome.came_to
    assert not outcome.misread
