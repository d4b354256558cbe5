"""Turns that are tried at any position: what is told of each choice, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chronotable_host import chapters
from chronotable_host.chapters import LOCKED, LockedError
from chronotable_host.errors import UserError
from chronotable_host.rules.notation import (
    ERAS,
    PLAYERS,
    NotationError,
    format_options,
    format_position,
    format_turn,
)
from chronotable_host.rules.turn_story import story_of
from chronotable_host.web.study.trying import try_turn
from chronotable_host.web.view import marks_of
from tests import sweep
from tests.host.archives import random_record
from tests.host.leaks import leaks
from tests.page.served import served
from ttykm import objects
from ttykm.game import Game
from ttykm.layout import BLACK, NOBODY, STRICT_TWO_ACTIONS, WHITE
from ttykm.objects import ALL_MODULES

START = "w..............b/w..............b/w..............b 0 2 4 4 w"
GROWN = "w..............b/w..............b/w..............b 0 2 4 4 w growth seeds=5"
SEEDS = range(sweep.size(2, 6))


def told(position: str, *choices: str, options: str = "") -> Mapping[str, Any]:
    answer: Mapping[str, Any] = json.loads(try_turn(position, options, ";".join(choices)))
    return answer


def test_a_turn_is_put_together_choice_by_choice() -> None:
    begun = told(START)
    assert (begun["side"], begun["says"], begun["turn"]) == ("white", "Choose a copy", None)
    assert [each["text"] for each in begun["builder"]["choices"]] == ["1"]
    chosen = told(START, "1", "E")
    assert chosen["says"] == "1 action left"
    assert chosen["builder"]["active"] == 1
    assert {"at": 1, "look": "white"} in chosen["position"]["pieces"]
    whole = told(START, "1", "E", "F", ">future")
    assert (whole["turn"], whole["builder"], whole["over"]) == ("1 E F >future", None, None)
    assert whole["story"]["says"] == "Stepped, then went forward to the present"
    assert whole["story"]["focus"] == "future"
    assert whole["position"]["mover"] == "black"


@pytest.mark.parametrize("modules", range(ALL_MODULES + 1))
@pytest.mark.parametrize("seed", SEEDS)
def test_every_turn_can_be_tried_and_leads_where_the_rules_say(modules: int, seed: int) -> None:
    chapters.unlock_to(chapters.COUNT)
    rng, game = Random(f"{modules} {seed}"), Game()
    strict = seed % 2 * STRICT_TWO_ACTIONS
    game.start(objects.new_state(modules), strict)
    while len(game.turns) < 12 and game.winner() == NOBODY:
        position, turn = format_position(game.state), rng.choice([*game.legal_turns()])
        story = story_of(game.state, turn, game.options)
        player = PLAYERS[game.mover]
        whole = told(position, *format_turn(turn).split(), options=format_options(strict))
        game.apply(turn)
        assert whole["turn"] == format_turn(turn), f"seed {modules} {seed}"
        assert whole["position"]["position"] == format_position(game.state)
        says = {"player": player, "says": story.says, "focus": ERAS[story.focus]}
        assert whole["story"] == {**says, **marks_of(story)}
        assert whole["over"] == (None if game.winner() == NOBODY else PLAYERS[game.winner()])


def test_a_game_that_is_over_has_nothing_to_choose() -> None:
    record = random_record(11)
    *_, game = record.replay()
    winner = game.winner()
    assert winner in (WHITE, BLACK)
    end = told(format_position(game.state))
    assert (end["over"], end["builder"]) == (PLAYERS[winner], None)
    with pytest.raises(UserError):
        told(START, "1", "E", "F", ">future", "1")


@pytest.mark.parametrize(
    ("position", "choices"),
    [
        ("", ""),
        ("x" * 1001, ""),
        (f"{START} {START}", ""),
        (START, "2"),
        (START, "1;E;F;>past"),
        (START, "\ud800"),
        (START.replace("w.", "ww").replace("0 2 4 4", "0 2 9 9"), ""),
        (START.replace("w....", "wwwww"), ""),
    ],
)
def test_what_cannot_be_tried_is_refused(position: str, choices: str) -> None:
    with pytest.raises(UserError):
        try_turn(position, "", choices)


def test_options_that_nobody_knows_are_refused() -> None:
    with pytest.raises(NotationError):
        try_turn(START, "whatever")


def test_nothing_of_a_locked_chapter_is_told() -> None:
    for options in ("", "build_blocked=x", "strict_two_actions=true"):
        with pytest.raises(LockedError):
            try_turn(GROWN, options)
    with pytest.raises(LockedError):
        try_turn(START, "build_blocked=x")
    assert leaks(try_turn(START)) == []


def test_the_page_asks_for_it(tmp_path: Path) -> None:
    with served(tmp_path) as page:
        where = f"/api/try?position={START.replace(' ', '%20')}"
        answer = page.get(f"{where}&choices=1%3BE")
        assert answer.told["builder"]["text"] == "1 E"
        assert (page.get("/api/try").status, page.get("/api/try").why) == (
            400,
            "'position' is missing",
        )
        refused = page.get(f"{where}&choices=7")
        assert (refused.status, refused.why) == (400, "this cannot be chosen now")
        assert (page.get(f"{where}%20growth").status, page.get(f"{where}%20growth").why) == (
            403,
            LOCKED,
        )
