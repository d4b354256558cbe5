"""What is said of what happens at a table."""

from __future__ import annotations

import pytest

from chronotable_host.live.happening_texts import ending, sentences
from chronotable_host.live.happenings import Leds, Started
from chronotable_host.rules.notation import format_position
from ttykm import objects
from ttykm.layout import BLACK, WHITE


@pytest.mark.parametrize("modules", [0, objects.GROWTH, objects.ALL_MODULES])
@pytest.mark.parametrize(("first", "name"), [(WHITE, "white"), (BLACK, "black")])
def test_who_begins_is_said_whatever_is_played(modules: int, first: int, name: str) -> None:
    start = format_position(objects.new_state(modules, first))
    told = list(sentences(Started(5, start), None))
    assert told == [("started", f"A game begins; {name} is to move.")]


@pytest.mark.parametrize(
    ("winner", "by", "sentence"),
    [
        ("white", "normal", "White wins by the rules."),
        ("black", "resigned", "Black wins by resignation."),
        ("draw", "agreed", "The game is drawn by agreement."),
    ],
)
def test_how_a_game_ended(winner: str, by: str, sentence: str) -> None:
    assert ending(winner, by) == sentence


def test_what_a_picture_shows_is_not_said() -> None:
    assert not list(sentences(Leds(5, {"past 1": "copy"}), None))
