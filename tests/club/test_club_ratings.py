"""Glicko-2, and ratings across a club's history."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

import pytest

from chronotable_club.tournament.ratings import RatedGame, by_tournament, by_week, members
from chronotable_host.rating import Rating, rate

# ---- Glicko-2


def test_the_example_of_glickman() -> None:
    """The one worked through in "Example of the Glicko-2 system"."""
    met = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    found = rate(Rating(1500, 200, 0.06), met)
    assert found.value == pytest.approx(1464.06, abs=0.02)
    assert found.deviation == pytest.approx(151.52, abs=0.02)
    assert found.volatility == pytest.approx(0.05999, abs=0.00001)


def test_who_does_not_play_is_known_less_well() -> None:
    """Step 6: the deviation grows by the volatility, up to that of somebody unknown."""
    found = rate(Rating(1500, 200, 0.06), [])
    assert found.value == 1500
    assert found.deviation == pytest.approx(200.27, abs=0.01)
    assert rate(Rating(), []).deviation == 350


def test_a_surprise_makes_ratings_waver() -> None:
    """The other branch of step 5: delta is larger than the deviation and the variance say."""
    weak = Rating(1500, 50, 0.06)
    found = rate(weak, [(Rating(2400, 30), 1.0)] * 5)
    assert found.volatility > weak.volatility
    assert found.value > 1550


# ---- a club's history

DAY = date(2026, 11, 2)  # a Monday


def some_games(random: Random, count: int) -> list[RatedGame]:
    names = ["Ada", "Ben", "Cleo", "Dan", "Eve"]
    games = []
    for _ in range(count):
        white, black = random.sample(names, 2)
        result = random.choice(("1-0", "0-1", "1/2-1/2"))
        day = DAY + timedelta(days=random.randrange(60))
        games.append(RatedGame(white, black, result, day, random.choice(("", "A", "B"))))
    return games


def test_the_order_in_which_games_come_says_nothing() -> None:
    random = Random(5)
    games = some_games(random, 60)
    for periods in (by_week, by_tournament):
        first = members(periods(games))
        for _ in range(5):
            assert members(periods(random.sample(games, len(games)))) == first


def test_a_period_counts_at_once_against_ratings_before_it() -> None:
    games = [
        RatedGame("Ada", "Ben", "1-0", DAY),
        RatedGame("Cleo", "Ada", "1/2-1/2", DAY + timedelta(days=2)),
    ]
    found = {member.name: member for member in members(by_week(games))}
    assert found["Ada"].rating == rate(Rating(), [(Rating(), 1.0), (Rating(), 0.5)])
    assert found["Ben"].rating == rate(Rating(), [(Rating(), 0.0)])
    assert found["Ada"].history == (("2026-W45", found["Ada"].rating),)
    assert found["Ada"].games == 2
    assert [member.name for member in members(by_week(games))] == ["Ada", "Cleo", "Ben"]


def test_who_was_entered_with_a_rating_begins_with_it() -> None:
    entered = [("Ada", 1600), ("Ben", 0), ("Eve", 1550), ("ada", 1900)]
    found = members(by_week([]), entered)
    assert [(it.name, it.rating, it.games) for it in found] == [
        ("Ada", Rating(1600), 0),
        ("Eve", Rating(1550), 0),
    ]
    after = members(by_week([RatedGame("Ben", " ADA", "1-0", DAY)]), entered)
    ratings = {member.name: member.rating for member in after}
    assert ratings["ADA"] == rate(Rating(1600), [(Rating(), 0.0)])
    assert ratings["Ben"] == rate(Rating(), [(Rating(1600), 1.0)])


def test_weeks_without_a_game_count() -> None:
    games = [
        RatedGame("Ada", "Ben", "1-0", DAY),
        RatedGame("Cleo", "Dan", "1-0", DAY + timedelta(days=21)),
    ]
    periods = by_week(games)
    assert [name for name, _ in periods] == ["2026-W45", "2026-W46", "2026-W47", "2026-W48"]
    found = {member.name: member for member in members(periods)}
    played = rate(Rating(), [(Rating(), 1.0)])
    assert found["Ada"].rating == rate(rate(rate(played, []), []), [])
    assert found["Ada"].rating.deviation > found["Cleo"].rating.deviation


def test_tournaments_count_in_the_order_of_their_ends() -> None:
    games = [
        RatedGame("Ada", "Ben", "1-0", DAY, "Long"),
        RatedGame("Ada", "Ben", "1-0", DAY + timedelta(days=9), "Long"),
        RatedGame("Ada", "Ben", "0-1", DAY + timedelta(days=3), "Short"),
        RatedGame("Ada", "Ben", "1-0", DAY, ""),
    ]
    assert [(name, len(played)) for name, played in by_tournament(games)] == [
        ("Short", 1),
        ("Long", 2),
    ]


def test_what_is_no_game_between_two_people_counts_for_nothing() -> None:
    games = [
        RatedGame("Ada", "ada ", "1-0", DAY),
        RatedGame("Ada", "", "1-0", DAY),
        RatedGame("Ada", "Ben", "*", DAY),
    ]
    assert members(by_week(games)) == []
    assert members(by_week([])) == []
    spelled = [RatedGame("ada  l", "Ben", "1-0", DAY), RatedGame("Ada L", "Ben", "1-0", DAY)]
    assert {it.name for it in members(by_week(spelled))} == {"ada l", "Ben"}
