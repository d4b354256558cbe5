"""Turns put together choice by choice: all legal ones, and no others."""

from random import Random

import pytest

from chronotable.hardware.sensors import FOCUS, SENSORS
from chronotable_host.errors import UserError
from chronotable_host.rules.notation import format_turn, parse_position
from chronotable_host.rules.turn_builder import TurnBuilder
from tests.lab.positions import random_game
from tests.sweep import size
from ttykm import objects
from ttykm.game import Game
from ttykm.layout import STRICT_TWO_ACTIONS, new_state


def all_turns(builder: TurnBuilder) -> list[int]:
    """Return every turn that can be put together, going each way and back."""
    if builder.turn is not None:
        assert builder.choices == []
        return [builder.turn]
    found = []
    before = builder.text
    for choice in builder.choices:
        assert 0 <= choice.at < SENSORS
        builder.choose(choice.text)
        found += all_turns(builder)
        builder.back()
        assert builder.text == before
    return found


def game_at(state, options: int = 0) -> Game:
    game = Game()
    game.start(state, options)
    return game


@pytest.mark.parametrize("seed", range(size(8, 200)))
def test_every_legal_turn_of_a_game_and_no_other(seed: int) -> None:
    game = random_game(seed, 30)
    while len(game.turns) > 20:
        game.undo()
    if game.winner() == game.mover ^ 1:
        return
    assert sorted(all_turns(TurnBuilder(game))) == sorted(game.legal_turns())


@pytest.mark.parametrize("modules", range(1, objects.ALL_MODULES + 1))
def test_with_modules_too(modules: int) -> None:
    game = game_at(objects.new_state(modules))
    rng = Random(modules)
    for _ in range(4):
        legal = sorted(game.legal_turns())
        assert sorted(all_turns(TurnBuilder(game))) == legal
        game.apply(rng.choice(legal))


def test_where_two_actions_are_a_duty() -> None:
    game = game_at(new_state(), STRICT_TWO_ACTIONS)
    assert sorted(all_turns(TurnBuilder(game))) == sorted(game.legal_turns())


def test_where_no_copy_can_act_there_is_the_focus_to_choose() -> None:
    nobody = "................/w..............b/w..............b 0 2 0 0 w"
    builder = TurnBuilder(game_at(parse_position(nobody)))
    assert builder.due == "focus"
    assert [choice.text for choice in builder.choices] == [">present", ">future"]
    builder.choose(">future")
    assert builder.text == ">future"


def test_a_turn_of_the_start() -> None:
    game = game_at(new_state())
    builder = TurnBuilder(game)
    assert (builder.due, builder.text, builder.turn) == ("copy", "", None)
    assert [(choice.at, choice.text) for choice in builder.choices] == [(0, "1")]
    builder.choose("1")
    assert (builder.due, builder.active) == ("action", 0)
    builder.choose("E")
    assert (builder.text, builder.active) == ("1 E", 1)
    builder.choose("F")
    assert (builder.due, builder.active) == ("focus", 17)
    assert builder.state[1] >> 1 & 1  # white's copy in the present
    assert [choice.at for choice in builder.choices] == [FOCUS + 1, FOCUS + 2]
    builder.choose(">future")
    assert builder.due == "nothing"
    assert builder.turn is not None
    assert format_turn(builder.turn) == builder.text == "1 E F >future"


def test_what_cannot_be_chosen_changes_nothing() -> None:
    builder = TurnBuilder(game_at(new_state()))
    for text in ("N", ">future", "16", ""):
        with pytest.raises(UserError, match="cannot be chosen"):
            builder.choose(text)
    with pytest.raises(UserError, match="nothing is chosen"):
        builder.back()
    assert builder.due == "copy"
