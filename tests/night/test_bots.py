"""Bots think in a process of their own, which may be killed."""

import multiprocessing
from random import Random

import pytest

from chronotable_night.bots import BotThinker
from chronotable_night.games.bots import BOTS
from chronotable_night.games.shelf import kinds
from chronotable_night.room import BotDue
from tests import lanes

WAIT_S = 120
KIND = next(iter(kinds().values()))


@pytest.fixture
def due():
    game = KIND.game()
    state = game.new(
        5, KIND.players[0], {each.name: next(iter(each.values)) for each in KIND.options}
    )
    seat = game.to_decide(state)
    return BotDue(seat, "sensible", game.view(state, seat), 0, KIND.name, KIND.default_data)


def test_an_answer_depends_on_view_and_chance_alone(due):
    answers = []
    for _ in range(2):
        thinker = BotThinker(3)
        try:
            answers.append(thinker.choose(due).result(WAIT_S))
        finally:
            thinker.close()
    chance = Random(Random(3).getrandbits(64))
    own = BOTS["sensible"](KIND.game(), due.view, due.seat, chance)
    assert answers == [own, own]


@lanes.gate
def test_where_the_process_is_killed_another_one_thinks(due):
    others = multiprocessing.active_children()
    thinker = BotThinker(3)
    try:
        thinker.choose(due).result(WAIT_S)
        (worker,) = [each for each in multiprocessing.active_children() if each not in others]
        worker.kill()
        worker.join(WAIT_S)
        while True:
            try:
                assert thinker.choose(due).result(WAIT_S)
                break
            except RuntimeError:  # the pool has not noticed yet; the room asks again, too
                continue
    finally:
        thinker.close()
