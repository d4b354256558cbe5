"""Why nothing can be chosen at a place: each has a true sentence, short enough for the strip."""

from __future__ import annotations

import re
from random import Random

import pytest

from chronotable.hardware.sensors import SENSORS
from chronotable_host import chapters
from chronotable_host.rulebook.book import rules
from chronotable_host.rules.notation import parse_position
from chronotable_host.rules.turn_builder import TurnBuilder
from chronotable_host.web.building import refusals, turn_view
from tests.lab.positions import random_game
from tests.sweep import size
from ttykm import objects
from ttykm.game import Game
from ttykm.layout import WHITE

FITS = 130
START = "w..............b/w..............b/w..............b 0 2 4 4 w"
BUSY = "w....b.....w..../.w...b...wb..b../w..w......b....b 1 2 1 0 w"


def building(position: str, *chosen: str) -> TurnBuilder:
    game = Game()
    game.start(parse_position(position), 0)
    builder = TurnBuilder(game)
    for text in chosen:
        builder.choose(text)
    return builder


def said(builder: TurnBuilder, at: int) -> str:
    told = refusals(builder, builder.text)
    says: str = told["says"][told["at"][at]]
    return says


@pytest.mark.parametrize(
    ("position", "chosen", "at", "part"),
    [
        (START, (), 16, "White's focus is on the past."),
        (START, (), 47, "That copy is Black's."),
        (START, (), 5, "White has nobody there."),
        (START, (), 50, "First a copy acts"),
        (START, (), 48, "The focus is there already."),
        (START, (), 53, "That is Black's focus."),
        (START, ("1",), 5, "One space at a time"),
        (START, ("1",), 16, "is taken, so the copy cannot travel forward."),
        (START, ("1",), 32, "One era at a time."),
        (START, ("1",), 20, "to the same space"),
        (START, ("1", "E", "E"), 3, "Now the focus moves to another era"),
        ("...............b" + START[16:], (), 5, "No copy can act there."),
        (BUSY.replace("1 2 1 0", "1 2 0 1"), ("10",), 9, "supply is empty"),
    ],
)
def test_the_reason_is_the_one_that_a_newcomer_needs(
    position: str, chosen: tuple[str, ...], at: int, part: str
) -> None:
    assert part in said(building(position, *chosen), at)


def test_who_goes_back_in_time_sees_the_copy_leave_the_supply() -> None:
    for chosen, supply in ((["10"], [1, 0]), (["10", "B"], [0, 0])):
        assert turn_view(building(BUSY, *chosen), WHITE, "")["builder"]["supply"] == supply


@pytest.mark.parametrize("modules", [0, objects.ALL_MODULES], ids=["standard", "all"])
def test_every_place_is_chosen_or_refused_for_a_rule(modules: int) -> None:
    chapters.unlock_to(chapters.COUNT)
    known = rules()
    for seed in range(size(3, 30)):
        rng = Random(seed)
        game = random_game(seed, rng.randrange(12), objects.new_state(modules))
        builder = TurnBuilder(game)
        while builder.choices:
            offered = {choice.at for choice in builder.choices}
            for at in {*range(SENSORS)} - offered - {builder.active}:
                says = said(builder, at)
                assert says and len(says) <= FITS, (seed, builder.text, at, says)
                assert {*re.findall(r"[TGIMC]\d+", says)} <= known.keys(), says
            builder.choose(rng.choice(builder.choices).text)
