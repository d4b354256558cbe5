"""Turns that are not in the list yet are told in sentences: nobody needs to read the notation."""

from __future__ import annotations

from random import Random

import pytest

from chronotable_host.rules.notation import format_turn, parse_turn
from chronotable_host.rules.turn_story import story_of
from chronotable_host.web.turns_told import so_far, told_apart, where_of, whole_turn
from tests.lab.positions import random_game
from ttykm import layout, objects
from ttykm.game import Game


def test_what_was_done_so_far_is_not_taken_for_the_whole() -> None:
    game = Game()
    assert so_far(game, parse_turn("1 E >future") & 0xFFFF) == "Stepped in the past"
    assert so_far(game, 0) == ""


def test_a_turn_says_where_its_focus_goes() -> None:
    told = "Stepped, then went forward to the present, then the focus went to the future"
    assert whole_turn(Game(), parse_turn("1 E F >future")) == told


def test_turns_that_read_alike_are_told_apart_by_their_ways() -> None:
    turns = [parse_turn(text) for text in ("1 E E >future", "1 S S >future", "1 E F >future")]
    told = told_apart(Game(), turns)
    assert told == [
        "Stepped twice in the past (past 1, 2, 3)",
        "Stepped twice in the past (past 1, 5, 9)",
        "Stepped, then went forward to the present",
    ]


def test_where_one_looks_is_told_where_that_differs() -> None:
    turns = [parse_turn(text) for text in ("1 E E >future", "1 E E >present")]
    told = told_apart(Game(), turns)
    assert told[0] == "Stepped twice in the past, then the focus went to the future"
    assert told[1] == "Stepped twice in the past, then the focus went to the present"


@pytest.mark.parametrize("seed", range(3))
def test_any_turns_of_a_position_are_told_apart(seed: int) -> None:
    rng, game = Random(seed), random_game(seed, 12)
    for _ in range(20):
        turns = rng.sample(list(game.legal_turns()), min(3, len(list(game.legal_turns()))))
        told = told_apart(game, turns)
        assert len(set(told)) == len(turns)
        assert all(">" not in says for says in told)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_done_with_objects_tells_turns_apart(seed: int) -> None:
    """G5: a copy that stays where it is may still do several things."""
    rng = Random(seed)
    game = random_game(seed, 2, objects.new_state(objects.ALL_MODULES))
    legal = list(game.legal_turns())
    for _ in range(20):
        turns = rng.sample(legal, 3)
        told = told_apart(game, turns)
        assert len(set(told)) == len(turns), [format_turn(turn) for turn in turns]


@pytest.mark.parametrize("modules", [0, objects.ALL_MODULES])
@pytest.mark.parametrize("seed", range(3))
def test_where_a_turn_is_made_tells_it_from_all_others(seed: int, modules: int) -> None:
    game = random_game(seed, 8, objects.new_state(modules))
    legal = list(game.legal_turns())
    told = {
        (where_of(story_of(game.state, turn, game.options).path, turn), layout.turn_focus(turn))
        for turn in Random(seed).sample(legal, min(200, len(legal)))
    }
    assert len(told) == min(200, len(legal))
