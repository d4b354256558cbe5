"""Tie-breaks and standings: examples of FIDE's, an independent count, and what holds for all."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from chronotable_club.tournament import views
from chronotable_club.tournament.cards import (
    LOST_BY_FORFEIT,
    PAIRING_BYE,
    PLAYED,
    REQUESTED_BYE,
    WON_BY_FORFEIT,
    CardRound,
    Cards,
)
from chronotable_club.tournament.round_robin import berger
from chronotable_club.tournament.standings import (
    KNOWN,
    ROUND_ROBIN_ORDER,
    SWISS_ORDER,
    TieBreaks,
    points_text,
    standings,
)
from tests.club import drawn

ME, NOBODY = 1, 99


def among_stubs(mine: list[tuple[str, float, float]]) -> Cards:
    """Return a card whose opponents have the scores that are given: kind, points, their score."""
    cards: dict[int, list[CardRound]] = {ME: [], NOBODY: []}
    for number, (kind, points, theirs) in enumerate(mine, 10):
        met = number if kind in (PLAYED, WON_BY_FORFEIT, LOST_BY_FORFEIT) else 0
        cards[ME].append(CardRound(kind, round(2 * points), met))
        cards[number] = [CardRound(PLAYED, round(2 * theirs), NOBODY)]
    return cards


def test_a_round_that_was_left_out_voluntarily() -> None:
    """Arbiters' Manual 2026, C.07, first example: 7 of 10, not there in round 4."""
    games = [
        (1, 5),
        (1, 5),
        (0, 6.5),
        None,
        (1, 4.5),
        (0.5, 6),
        (1, 5),
        (0.5, 6.5),
        (1, 5.5),
        (1, 6),
    ]
    found = TieBreaks(
        among_stubs(
            [(PLAYED, *it) if it else (REQUESTED_BYE, 0, 0) for it in games]  # type: ignore[misc]
        ),
        is_swiss=True,
    )
    assert found.buchholz(ME) == 55  # 50, and 5 draws' worth of a dummy
    assert found.buchholz_cut_1(ME) == 50
    assert found.sonneborn_berger(ME) == Fraction("37.25")


@pytest.mark.parametrize(
    ("own", "rounds", "others", "unplayed", "buchholz"),
    [
        # Example 1: 7 of 9, a forfeit won against somebody with 5.5
        (7, 9, 44, [(WON_BY_FORFEIT, 1, 5.5)], "49.5"),
        # Example 3: 6.5 of 10, a forfeit lost against somebody with more, and one round away
        (6.5, 10, 51.5, [(LOST_BY_FORFEIT, 0, 7), (REQUESTED_BYE, 0, 0)], "63"),
        # Example 4: 9.5 of 10, a forfeit won against somebody with 4.5
        (9.5, 10, 64.5, [(WON_BY_FORFEIT, 1, 4.5)], "69"),
        # Example 2: 4 of 9, the bye
        (4, 9, 0, [(PAIRING_BYE, 1, 0)], "4"),
    ],
)
def test_dummies_are_worth_no_more_than_they_may(
    own: float, rounds: int, others: float, unplayed: list[tuple[str, float, float]], buchholz: str
) -> None:
    """The same manual's examples 1 to 4 (16.4): what the games contribute is given as a sum."""
    scored = own - sum(points for _, points, _ in unplayed)
    games: list[tuple[str, float, float]] = [(PLAYED, 0.0, 0.0)] * (rounds - len(unplayed) - 2)
    games += [(PLAYED, scored, 0.0), (PLAYED, 0.0, others)]
    found = TieBreaks(among_stubs([*unplayed, *games]), is_swiss=True)
    assert found.buchholz(ME) == Fraction(buchholz)


def test_a_bye_at_the_end_counts_as_a_draw_for_opponents() -> None:
    """16.2.5 and 16.3.2; one before somebody came back counts what it gave (16.2.3)."""
    cards = drawn.read("2w1 3b1 4w1\n1b0 0Z 0Z\n4w1 1w0 0Z\n3b0 0Z 1b0")
    found = TieBreaks(cards, is_swiss=True)
    assert found.buchholz(1) == Fraction("1") + Fraction("1.5") + 0
    assert found.contributions(4)[1].is_voluntary


def test_forfeits_of_a_round_robin_are_games() -> None:
    """15.2."""
    cards = drawn.read("2w+ 3b1\n1b- 3w1\n2b0 1w0")
    found = TieBreaks(cards, is_swiss=False)
    assert [found.sonneborn_berger(number) for number in (1, 2, 3)] == [1, 0, 0]
    assert found.buchholz_cut_1(1) == 1


def test_direct_encounter_where_all_have_met() -> None:
    """6.2: 1 has beaten 2 and 3 who drew; these stay level."""
    cards = drawn.read("2w1 3b1 4w0\n1b0 4w1 3w=\n4w1 1w0 2b=\n3b0 2b0 1b1")
    found = TieBreaks(cards, is_swiss=True)
    assert found.direct_encounter([1, 2, 3]) == [[1], [2, 3]]
    assert found.direct_encounter([2, 3]) == [[2, 3]]


def test_direct_encounter_where_some_have_not_met() -> None:
    """6.3: 1 has beaten both others and is first whatever 2 and 3 would do; they stay level."""
    cards = drawn.read("2w1 3b1\n1b0 4w1\n4w1 1w0\n3b0 2b0")
    found = TieBreaks(cards, is_swiss=True)
    assert found.direct_encounter([1, 2, 3]) == [[1], [2, 3]]
    assert found.direct_encounter([1, 4]) == [[1, 4]]
    forfeited = TieBreaks(drawn.read("2w+ 3b1\n1b- 4w1\n4w1 1w0\n3b0 2b0"), is_swiss=True)
    assert forfeited.direct_encounter([1, 2]) == [[1, 2]]


def test_wins() -> None:
    """7.1 counts byes and forfeits, 7.2 does not; 7.3 counts games with black."""
    cards = drawn.read("2w1 0U 2b+\n1b0 0H 1w-")
    found = TieBreaks(cards, is_swiss=True)
    assert (found.wins(1), found.wins_played(1), found.games_with_black(1)) == (3, 1, 0)
    assert (found.wins(2), found.wins_played(2), found.games_with_black(2)) == (0, 0, 1)


# ---- standings


def test_every_column_of_the_standings_is_explained() -> None:
    assert [*views.TIE_BREAKS_COUNT] == [*KNOWN]
    assert all(says.startswith(f"{name}: ") for name, says in views.TIE_BREAKS_COUNT.items())


@pytest.mark.parametrize("name", drawn.tournaments())
def test_standings_of_whole_tournaments(name: str) -> None:
    """Points as the drawn tournaments have them, counted once more in another way."""
    cards = drawn.tournaments()[name]
    rows = standings(cards, SWISS_ORDER, is_swiss=True)
    assert sorted(row.number for row in rows) == sorted(cards)
    for row in rows:
        words = [entry.points for entry in cards[row.number]]
        assert row.points == Fraction(sum(words)) / 2
        assert row.values["WIN"] == words.count(2)
    keys = [(-row.points, *(-row.values[it] for it in ("BH-C1", "BH", "SB"))) for row in rows]
    assert keys == sorted(keys)
    assert [row.place for row in rows] == [
        next(at for at, other in enumerate(rows, 1) if other.place == row.place) for row in rows
    ]


def test_buchholz_without_unplayed_rounds_is_a_sum() -> None:
    """An independent count over games by chance: all are played, in any order of tie-breaks."""
    random = Random(3)
    for _ in range(20):
        size = random.choice((4, 6, 8))
        cards: dict[int, list[CardRound]] = {number: [] for number in range(1, size + 1)}
        for pairs in berger(size)[: random.randint(1, size - 1)]:
            for white, black in pairs:
                points = random.choice((0, 1, 2))
                cards[white].append(CardRound(PLAYED, points, black, "W"))
                cards[black].append(CardRound(PLAYED, 2 - points, white, "B"))
        total = {number: sum(it.points for it in card) / 2 for number, card in cards.items()}
        order = random.sample(KNOWN, len(KNOWN))
        for row in standings(cards, order, is_swiss=True):
            met = [(total[it.opponent], it.points / 2) for it in cards[row.number]]
            assert float(row.values["BH"]) == sum(theirs for theirs, _ in met)
            cut = sum(theirs for theirs, _ in met) - min(theirs for theirs, _ in met)
            assert float(row.values["BH-C1"]) == cut
            assert float(row.values["SB"]) == sum(theirs * mine for theirs, mine in met)


def test_level_players_share_a_place() -> None:
    cards = drawn.read("2w= 3b= 4w=\n1b= 4w= 3b=\n4b= 1w= 2w=\n3w= 2b= 1b=")
    rows = standings(cards, ROUND_ROBIN_ORDER, is_swiss=False)
    assert [(row.place, row.number) for row in rows] == [(1, 1), (1, 2), (1, 3), (1, 4)]


@pytest.mark.parametrize(
    ("points", "text"),
    [("0", "0"), ("1/2", "½"), ("3", "3"), ("7/2", "3½"), ("149/4", "37¼"), ("3/4", "¾")],
)
def test_points_as_people_write_them(points: str, text: str) -> None:
    assert points_text(Fraction(points)) == text
