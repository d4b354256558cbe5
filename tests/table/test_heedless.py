"""Heedless people: what they overlook is neither answered nor lost by what they do instead.

Questions are rare; so that many are overlooked, some games are played at a table that asks about
every fourth turn, once.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from random import Random
from typing import Any

import pytest

from chronotable.core.tracker import Tracker
from tests import sweep
from tests.lab.hand import OVERLOOKED_FOR, OVERLOOKS, Hand
from tests.lab.people.account import DECIDED, LOST, WRONG, Account
from tests.lab.people.heedless import HeedlessPerson
from tests.lab.people.tracker_place import TrackerPlace
from tests.lab.positions import random_game
from ttykm import layout, objects
from ttykm.game import Game

ASKED_OFTEN = sweep.size(6, 20)
_SHARE = 0.25
_MOST_TURNS = 60


class DoubtfulTracker(Tracker):
    """Has doubts about every fourth turn, the first time that it lies there whole."""

    def __init__(self, seed: int, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._seed = seed
        self._doubted: set[int] = set()

    def _choices(self, focus: int, is_still: bool) -> list[int] | None:
        """Ask about a turn that is certain, too."""
        choices = super()._choices(focus, is_still)
        number = len(self.game.turns)
        if choices is not None or number in self._doubted:
            return choices
        if Random(f"{self._seed} {number}").random() >= _SHARE:
            return None
        if not is_still:
            return []
        self._doubted.add(number)
        return self._candidates().about_others(focus, self.now_ms)


class DoubtfulPlace(TrackerPlace):
    """A tracker that asks a lot."""

    def __init__(self, seed: int) -> None:
        self.tracker_type = partial(DoubtfulTracker, seed)
        super().__init__(Random(seed))


def bad(account: Account) -> list[str]:
    """Return what must not happen."""
    return [str(each) for each in account.incidents if each.what in (WRONG, DECIDED, LOST)]


def test_a_heedless_hand_keeps_its_figures() -> None:
    hand = Hand(Random(1), heedless=True)
    assert hand.rough
    numbers = Counter(hand.overlooks_for() for _ in range(8000))
    least, most = OVERLOOKED_FOR
    assert (least, most, OVERLOOKS) == (1, 20, 0.5)
    assert abs(numbers.pop(0) / 8000 - (1 - OVERLOOKS)) < 0.03
    assert set(numbers) == set(range(least, most + 1))
    assert max(numbers.values()) < 1.5 * min(numbers.values())
    assert not any(Hand(Random(1), rough=True).overlooks_for() for _ in range(100))


@pytest.mark.parametrize("seed", range(ASKED_OFTEN))
def test_a_table_that_asks_a_lot(seed: int) -> None:
    place = DoubtfulPlace(seed)
    person = HeedlessPerson(place, Random(seed))
    turns = random_game(seed, _MOST_TURNS).turns
    person.begin(layout.new_state())
    account = person.play(lambda game: turns[len(game.turns)] if len(game.turns) < 30 else None)
    assert bad(account) == [], seed
    assert person.place.game.state == person.game.state, seed
    assert len(person.game.turns) == min(30, len(turns)), seed
    assert account.told["asked"] > 0, seed
    print(f"{account.told['ask']} questions, {account.overlooked} overlooked")


@pytest.mark.parametrize("modules", range(1, 8))
def test_a_table_that_asks_a_lot_where_modules_are_played(modules: int) -> None:
    place = DoubtfulPlace(modules)
    person = HeedlessPerson(place, Random(modules))
    chance = Random(modules)
    person.begin(objects.new_state(modules))

    def choose(game: Game) -> int:
        return chance.choice(list(game.legal_turns()))

    account = person.play(choose, 15)
    assert bad(account) == [], modules
    assert account.finished, modules
