"""What is seen of a turn while it is made."""

from __future__ import annotations

from array import array
from random import Random

import pytest

from chronotable.hardware.sensors import SPACES
from chronotable_host.live.players.turn_preview import TurnPreview
from chronotable_host.rules.notation import format_turn, parse_turn
from chronotable_host.virtual.hand import act_out
from tests.lab.positions import random_game
from tests.page.evening import EAST_AND_FORWARD
from ttykm import layout, objects
from ttykm.game import Game


def seen_of(game: Game, turn: int, seed: int) -> list[str]:
    """Act a turn out; return what is seen after each gesture, each text once in a row."""
    preview = TurnPreview()
    preview.begin(game.state, game.options)
    reeds: dict[int, bool] = {}
    texts: list[str] = []
    for gesture in act_out(game, turn, Random(seed)):
        if gesture.choice is None:
            reeds[gesture.sensor] = gesture.closed
            preview.look(reeds)
            if texts[-1:] != [preview.text]:
                texts.append(preview.text)
    return texts


def felt(state: array[int]) -> list[int]:
    """Return what reeds feel in the three eras."""
    return [state[era] | state[era + 3] for era in range(3)]


def test_two_actions_one_after_the_other() -> None:
    preview = TurnPreview()
    preview.begin(layout.new_state(), 0)
    reeds: dict[int, bool] = {}
    seen = []
    for name, at, *_ in EAST_AND_FORWARD:
        reeds[at] = name == "place"
        preview.look(reeds)
        seen.append(preview.text)
    assert seen == ["", "1 E", "1 E", "1 E F", "1 E F", "1 E F"]


@pytest.mark.parametrize("seed", range(12))
def test_whole_turns_are_seen_as_they_are_or_as_one_that_looks_alike(seed: int) -> None:
    game = Game()
    for turn in random_game(seed, 30).turns:
        if turn & 0xFFFF:
            seen = [text for text in seen_of(game, turn, seed) if text]
            wanted, found = game.state[:], game.state[:]
            assert game.after(turn, wanted)
            if seen:
                assert game.after(
                    parse_turn(f"{seen[-1]} >{format_turn(turn).split('>')[1]}"), found
                )
            # out and back at once looks like nothing at all
            assert felt(wanted) == felt(found), (seed, format_turn(turn), seen)
        game.apply(turn)


def test_a_turn_with_modules_shows_its_first_action() -> None:
    preview = TurnPreview()
    preview.begin(objects.new_state(objects.ALL_MODULES), 0)
    preview.look({0: False})
    preview.look({0: False, 1: True})
    assert preview.text == "1 E"
    preview.look({0: True, 1: False})
    assert preview.text == ""


def test_markers_and_buttons_say_nothing() -> None:
    preview = TurnPreview()
    preview.begin(layout.new_state(), 0)
    preview.look({SPACES: False, SPACES + 1: True})
    assert preview.text == ""
