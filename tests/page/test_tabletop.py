"""The pieces on a virtual table: what can be done with them, and what the reeds feel of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from random import Random

import pytest

from chronotable_host.errors import UserError
from chronotable_host.virtual.tabletop import COPIES, looks_in
from tests import lanes
from tests.page.evening import EAST_AND_FORWARD, Evening
from ttykm import layout, objects


@pytest.fixture
def evening() -> Iterator[Evening]:
    with closing(Evening()) as made:
        yield made


def test_a_turn_by_hand_is_understood(evening: Evening) -> None:
    evening.do(*EAST_AND_FORWARD)
    evening.wait_until(lambda: evening.heard("turn"))
    assert evening.heard("turn") == ["1 E F >future"]
    assert evening.top.there == looks_in(evening.mirror.game.state)


@pytest.mark.parametrize(
    ("gesture", "sentence"),
    [
        (("lift", 5), "nothing lies on past 6"),
        (("place", 0, "white"), "past 1 is taken"),
        (("place", 49, "white"), "is no place for that piece"),
        (("place", 5, "white-focus"), "no such piece in the hand or in the box"),
        (("place", 5, "shrub"), "no such piece in the hand or in the box"),
        (("put_away", "black"), "no such piece in the hand"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_has_happened(
    evening: Evening, gesture: tuple[str, int], sentence: str
) -> None:
    before = dict(evening.top.there), evening.hand.held.copy()
    with pytest.raises(UserError, match=sentence):
        evening.do(gesture)
    assert before == (evening.top.there, evening.hand.held)
    assert [evening.table.has_magnet(at) for at in range(54)] == [
        at in evening.top.there for at in range(54)
    ]


def test_the_other_player_s_spot_takes_no_marker(evening: Evening) -> None:
    evening.do(("lift", 48))
    with pytest.raises(UserError, match="is the other player's"):
        evening.do(("place", 51, "white-focus"))
    assert evening.hand.held == ["white-focus"]


def test_the_hand_holds_seven_pieces(evening: Evening) -> None:
    evening.do(*(("lift", at) for at in (0, 16, 32, 15, 31, 47, 48)))
    with pytest.raises(UserError, match="the hand is full"):
        evening.do(("lift", 53))


def test_pieces_are_neither_made_nor_lost(evening: Evening) -> None:
    def all_of_them() -> Counter[str]:
        counts = Counter(dict(evening.top.box(*evening.hand.held)))
        return counts + Counter(evening.top.there.values()) + Counter(evening.hand.held)

    before = all_of_them()
    assert before == {"white": COPIES, "black": COPIES, "white-focus": 1, "black-focus": 1}
    evening.do(("lift", 0), ("place", 5, "black"), ("place", 6, "white"), ("lift", 47))
    assert all_of_them() == before
    evening.hand.put_away("black")
    assert all_of_them() == before


def test_the_box_has_what_the_modules_bring_along() -> None:
    with closing(Evening(objects.new_state(objects.ALL_MODULES))) as evening:
        box = dict(evening.top.box())
        assert box["tree"] == 5
        assert box["statue-neutral"] == 0
        assert evening.top.there[6] == "statue-neutral"


def test_a_tap_is_felt_and_leaves_everything_as_it_was(evening: Evening) -> None:
    before = dict(evening.top.there)
    felt: list[bool] = []
    evening.each_step = lambda: felt.append(evening.table.has_magnet(0))
    evening.top.tap(0)
    with pytest.raises(UserError, match="wait a moment"):
        evening.top.lift(0)
    evening.wait()
    assert felt[0] is False
    assert felt[-1] is True
    evening.top.tap(5)
    evening.wait()
    assert evening.top.there == before
    assert not evening.table.has_magnet(5)
    assert not evening.heard("turn")


def test_a_clumsy_hand_brushes_and_drops_and_is_understood() -> None:
    """What it does beside the turn is over when it has ended."""
    with closing(Evening(seed=5)) as evening:
        evening.top.clumsy = 1.0
        evening.do(*EAST_AND_FORWARD)
        evening.wait(1500)
        assert evening.top.there == looks_in(evening.mirror.game.state)
        assert [evening.table.has_magnet(at) for at in range(54)] == [
            at in evening.top.there for at in range(54)
        ]
        assert len(evening.mirror.game.turns) == 1


def test_a_position_is_laid_whatever_is_under_way(evening: Evening) -> None:
    evening.top.tap(0)
    evening.top.tap(5)
    state = layout.new_state(layout.BLACK, 2)
    evening.hand.lay(state)
    evening.wait()
    assert evening.top.there == looks_in(state)
    assert {at for at in range(54) if evening.table.has_magnet(at)} == set(evening.top.there)


@pytest.mark.parametrize("how", ["open", "closed", "flicker"])
def test_a_broken_reed_can_be_mended(evening: Evening, how: str) -> None:
    evening.top.break_reed(5, how)
    evening.wait()
    assert evening.top.broken == {5: how}
    evening.top.break_reed(5, "good")
    assert evening.top.broken == {}
    evening.wait()
    evening.do(*EAST_AND_FORWARD)
    evening.wait(3000)
    assert len(evening.mirror.game.turns) == 1


def test_a_hand_takes_its_time_even_if_told_all_at_once(evening: Evening) -> None:
    """What a viewer did while the program stood still comes in a heap."""
    for name, *values in EAST_AND_FORWARD:
        getattr(evening.hand, name)(*values)
    assert evening.top.there[17] == "white"
    evening.wait(2500)
    assert evening.heard("turn") == ["1 E F >future"]


def test_what_a_hand_was_told_is_void_when_a_position_is_laid(evening: Evening) -> None:
    for name, *values in EAST_AND_FORWARD:
        getattr(evening.hand, name)(*values)
    evening.hand.lay(layout.new_state())
    evening.wait(1000)
    assert {at for at in range(54) if evening.table.has_magnet(at)} == set(evening.top.there)
    assert evening.top.there == looks_in(layout.new_state())


@pytest.mark.parametrize("seed", lanes.first(range(8), 2))
def test_a_clumsy_hand_in_a_hurry_never_stumbles_over_itself(seed: int) -> None:
    """Brushes and drops keep away from what the hand was told to do next."""
    rng = Random(seed)
    with closing(Evening(seed=seed)) as evening:
        evening.top.clumsy = 1.0
        for _ in range(60):
            sensor = rng.randrange(48)
            try:
                if sensor in evening.top.there:
                    evening.hand.lift(sensor)
                elif evening.hand.held and rng.random() < 0.8:
                    evening.hand.place(sensor, evening.hand.held[-1])
                else:
                    evening.top.tap(sensor)
            except UserError:
                pass  # something moves there still, or the hand is full
            evening.wait(rng.choice((0, 20, 60)))
        evening.wait(12_000)
        there = {at for at in range(54) if evening.table.has_magnet(at)}
        assert there == set(evening.top.there), seed
