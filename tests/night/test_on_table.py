"""Games of a night on the table: led by lights, checked by reeds, and never in the players' way."""

from __future__ import annotations

from random import Random

import pytest

from tests.night.at_table import PLACES, Night, night

GAMES = (
    ("timechase", 3, {}),
    ("timechase", 4, {"jumble": True}),
)
BOARDS = ("reference", "tiles")


def seed_of_chance() -> int:
    seed = Random().randrange(1 << 32)
    print("seed", seed)
    return seed


def is_right(here: Night) -> bool:
    return here.lying == PLACES[here.name](here.state)


@pytest.mark.parametrize(("name", "players", "options"), GAMES)
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("rough", [False, True])
def test_a_whole_game_that_waits_for_the_hands(
    name: str, players: int, options: dict[str, object], board: str, rough: bool
) -> None:
    with night(name, players, seed_of_chance(), options, board=board) as here:
        while True:
            here.follows(rough)
            assert is_right(here), here.says
            if here.is_over:
                break
            here.plays()
            here.waits(60)


@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_a_whole_game_that_waits_for_nobody(
    name: str, players: int, options: dict[str, object]
) -> None:
    with night(name, players, seed_of_chance(), options) as here:
        while not here.is_over:
            for _ in range(here.chance.randrange(6)):
                if not here.is_over:
                    here.plays()
            if not here.obeys():
                here.waits(100)
        here.follows()
        assert is_right(here)
