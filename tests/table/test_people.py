"""People play whole games at the whole firmware: nothing is taken for another turn.

Clean and rough hands of DESIGN 4, seeded; `python -m tests.lab --sensing` plays thousands more.
"""

from __future__ import annotations

import pytest

from tests.lab.people.account import LOST, WRONG
from tests.lab.sensing import (
    FIRMWARE_CLEAN,
    FIRMWARE_FAULTY,
    FIRMWARE_ROUGH,
    Job,
    play,
)

QUICK = 2
GAMES = 20
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


@pytest.mark.parametrize("kind", [FIRMWARE_CLEAN, FIRMWARE_ROUGH, FIRMWARE_FAULTY])
def test_a_few_games(kind: str) -> None:
    check(kind, range(QUICK))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, GAMES, 5))
@pytest.mark.parametrize("kind", [FIRMWARE_CLEAN, FIRMWARE_ROUGH])
def test_twenty_games_of_each_hand(kind: str, first: int) -> None:
    check(kind, range(first, first + 5))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 24, 6))
def test_broken_reeds(first: int) -> None:
    """Every seed has another reed, and another way to break."""
    for number in range(first, first + 6):
        seed = 7 * number + 1  # all eras and kinds
        check(FIRMWARE_FAULTY, range(seed, seed + 1))
