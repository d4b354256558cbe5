"""Pairings by the FIDE (Dutch) System: published ones, an oracle, and what holds for all."""

from __future__ import annotations

import sys
from random import Random

import pytest

pytest.importorskip("networkx", reason="pairing a Swiss needs the extra `club`")

from chronotable_club.tournament.cards import PAIRING_BYE, score
from chronotable_club.tournament.swiss import (
    ABSOLUTE,
    DOWN,
    MILD,
    NO_PREFERENCE,
    STRONG,
    PairedRound,
    Player,
    UnpairableError,
    paired,
    players_of,
    seated,
)
from chronotable_host.errors import UserError
from tests import lanes, sweep
from tests.club import drawn
from tests.club.dutch_oracle import Oracle

pytestmark = lanes.tool

ROUNDS = [(name, at) for name, cards in drawn.tournaments().items() for at in range(len(cards[1]))]


def in_no_order(found: PairedRound | None) -> PairedRound | None:
    return found and found._replace(pairs=tuple(sorted(found.pairs)))


# ---- published pairings


@lanes.gate
@pytest.mark.parametrize(("name", "at"), sweep.some(ROUNDS, 12))
def test_rounds_are_paired_as_they_were(name: str, at: int) -> None:
    """Tournaments of 9 to 48 players with byes, forfeits and absences, all of whose rounds
    bbpPairings 6.0.0 paired, which follows the rules in force from February 2026.
    """
    cards = drawn.tournaments()[name]
    players = players_of(drawn.before(cards, at), drawn.present(cards, at), len(cards[1]))
    initial = cards[1][0].colour or "W"
    assert in_no_order(paired(players, initial)) == drawn.pairing(cards, at)


def of_text(text: str, away: frozenset[int] = frozenset(), rounds: int = 3) -> PairedRound:
    cards = drawn.read(text)
    return paired(players_of(cards, set(cards) - away, rounds))


def test_the_bye_goes_to_the_lowest_score_at_the_cost_of_brackets() -> None:
    """bbpPairings' own test of C.5: the leaders are not paired with each other for it."""
    found = of_text("4w1 2b1\n5b1 1w0\n6w1 4b1\n1b0 3w0\n2w0 6b1\n3b0 5w0", frozenset({4}))
    assert found == PairedRound(((1, 5), (3, 2)), 6)


def test_the_bye_goes_to_who_has_played_more() -> None:
    """bbpPairings' own test of C.9: number 5 was away in the first round."""
    found = of_text("3w1\n4b1\n1b0\n2w0\n0Z")
    assert found == PairedRound(((2, 1), (3, 5)), 4)


def test_the_first_round_of_a_field() -> None:
    """C.04.3 3.2 and 5.2.5: the upper half meets the lower one, colours alternate."""
    found = paired([Player(number) for number in range(1, 8)], "B")
    assert found == PairedRound(((4, 1), (2, 5), (6, 3)), 7)


# ---- the oracle


@pytest.mark.parametrize("seed", range(sweep.size(12, 300, 3_000)))
def test_small_fields_are_paired_as_the_handbook_tells_it(seed: int) -> None:
    """Candidate after candidate, which shares nothing with the code but a player's data."""
    random = Random(seed)
    size, count = random.randint(3, 8), random.randint(3, 7)
    strays, draws = random.choice((0, 0.1, 0.25)), random.choice((0.1, 0.3, 0.6))
    for number, each in enumerate(drawn.played_by_chance(random, size, count, strays, draws), 1):
        wanted = Oracle(each.players, each.initial).paired()
        assert in_no_order(each.round) == wanted, f"seed {seed}, round {number}"


# ---- what holds for every round


def check(each: drawn.Paired, is_last: bool) -> None:
    """Check the absolute criteria and what follows from them."""
    found = each.round
    assert found is not None
    by_number = {player.number: player for player in each.players}
    named = [number for pair in found.pairs for number in pair]
    named += [found.bye] if found.bye is not None else []
    assert sorted(named) == sorted(by_number)
    assert (found.bye is not None) == len(by_number) % 2
    for white, black in found.pairs:
        a, b = by_number[white], by_number[black]
        assert black not in a.opponents
        for player, colour in ((a, "W"), (b, "B")):
            after = player.colours + colour
            topscorers = is_last and (a.is_topscorer or b.is_topscorer)
            assert topscorers or abs(after.count("W") - after.count("B")) <= 2
            assert topscorers or not after.endswith(colour * 3)
    if found.bye is not None:
        assert by_number[found.bye].may_have_bye
        assert all(entry.kind != PAIRING_BYE for entry in each.cards[found.bye])
    boards = [tuple(by_number[it].score for it in pair) for pair in found.pairs]
    assert [max(it) for it in boards] == sorted((max(it) for it in boards), reverse=True)


@lanes.gate
@pytest.mark.parametrize("seed", range(sweep.size(3, 60, 1_500)))
def test_a_swiss_of_seven_rounds(seed: int) -> None:
    """24 players, 23 in every other one; some with people who stay away and forfeits."""
    random = Random(seed)
    strays = (0, 0, 0.04, 0.1)[seed % 4]
    rounds = list(drawn.played_by_chance(random, 24 - seed % 2, 7, strays))
    assert len(rounds) == 7
    for number, each in enumerate(rounds, 1):
        check(each, number == 7)


def test_nobody_is_left_where_no_pairing_is_whole() -> None:
    met = frozenset({1, 2, 3, 4})
    with pytest.raises(UnpairableError):
        paired([Player(number, opponents=met - {number}) for number in range(1, 5)])
    with pytest.raises(UnpairableError):
        paired([Player(number, may_have_bye=False) for number in range(1, 4)])
    with pytest.raises(UnpairableError):
        paired([Player(1)])


def test_what_a_swiss_needs_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(UserError, match="pip install networkx"):
        paired([Player(number) for number in range(1, 5)])


def test_the_order_in_which_players_come_says_nothing() -> None:
    random = Random(7)
    for each in drawn.played_by_chance(random, 15, 6, 0.1):
        mixed = random.sample(each.players, len(each.players))
        assert paired(mixed, each.initial) == each.round


# ---- colours


@pytest.mark.parametrize(
    ("colours", "preference"),
    [
        ("", ("", NO_PREFERENCE)),
        ("W", ("B", STRONG)),
        ("WB", ("W", MILD)),
        ("BW", ("B", MILD)),
        ("WBB", ("W", ABSOLUTE)),
        ("WBWBB", ("W", ABSOLUTE)),
        ("WWBWBW", ("B", ABSOLUTE)),
        ("BWW", ("B", ABSOLUTE)),
        ("BBW", ("W", STRONG)),
    ],
)
def test_preferences(colours: str, preference: tuple[str, int]) -> None:
    """C.04.3 1.7."""
    assert Player(1, colours=colours).preference == preference


@pytest.mark.parametrize(
    ("one", "two", "white"),
    [
        ("W", "B", 2),  # 5.2.1 both
        ("WB", "WBB", 2),  # 5.2.2 the stronger
        ("WWBWBWW", "BWW", 2),  # 5.2.2 the wider difference
        ("WBWB", "BWWB", 1),  # 5.2.3 the last time they differed, 1 had black
        ("WB", "WB", 1),  # 5.2.4 the higher one's preference
        ("BW", "BW", 2),
        ("", "", 1),  # 5.2.5
    ],
)
def test_who_has_white(one: str, two: str, white: int) -> None:
    found = seated(Player(1, colours=one), Player(2, colours=two), "W")
    assert found[0].number == white


def test_floats_of_rounds_without_a_game() -> None:
    """1.4: points without a game float down, a lost forfeit or an absence does not."""
    cards = drawn.read("2w1 0U 0H\n1b0 3w+ 0Z\n4w1 2b- 0Z\n3b0 0Z 0U")
    players = {it.number: it for it in players_of(cards, cards, 5)}
    assert [players[it].floats for it in (1, 2, 3, 4)] == [
        (DOWN, DOWN),
        ("", DOWN),
        ("", ""),
        (DOWN, ""),
    ]
    assert [players[it].may_have_bye for it in (1, 2, 3, 4)] == [False, False, True, False]
    assert score(cards[1]) == 5
