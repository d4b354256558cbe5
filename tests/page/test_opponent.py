"""The built-in player's hands at the virtual table: whole games, and people in its way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing

import pytest

from chronotable_host.engine.client import EngineError
from chronotable_host.virtual.tabletop import COPIES, looks_in
from tests import lanes, sweep
from tests.page.evening import EAST_AND_FORWARD, Evening
from ttykm import layout, objects
from ttykm.game import Game
from ttykm.layout import BLACK, NOBODY, WHITE
from ttykm.objects import GROWTH, INFLUENCE, MEMORY

BOTH = (WHITE, BLACK)
ALL = {"white": COPIES, "black": COPIES, "white-focus": 1, "black-focus": 1}
LONG_MS = 1_800_000


def all_pieces(evening: Evening) -> Counter[str]:
    """Count the pieces on the table, in hands and, as the page shows it, in the box."""
    box = {each["piece"]: each["count"] for each in evening.hand.view()["box"]}
    hands = [*evening.hand.held, *evening.hand.opponent.held]
    return Counter(box) + Counter(evening.top.there.values()) + Counter(hands)


@pytest.fixture
def evening() -> Iterator[Evening]:
    with closing(Evening(built_in=[BLACK])) as made:
        yield made


@lanes.gate
@pytest.mark.parametrize(
    "modules", sweep.some([0, GROWTH, INFLUENCE, MEMORY, GROWTH | INFLUENCE | MEMORY], 2)
)
def test_two_of_them_play_a_game_that_the_table_understands(modules: int) -> None:
    start = objects.new_state(modules)
    # by chance: quicker, and odder turns
    with closing(Evening(start, seed=modules + 3, built_in=BOTH, seat="random")) as evening:
        meant: dict[int, int] = {}

        def note() -> None:
            turn, played = evening.hand.opponent.turn, len(evening.mirror.game.turns)
            if turn is not None:
                meant[played] = turn

        evening.each_step = note
        evening.wait_until(lambda: evening.heard("game_over"), LONG_MS)
        assert evening.mirror.game.winner() != NOBODY
        assert not evening.heard("mismatch")
        # also where other actions lead to the same position
        assert list(evening.mirror.game.turns) == [meant[at] for at in sorted(meant)]
        turns = len(evening.mirror.game.turns)
        assert len(evening.heard("turn")) == turns + len(evening.heard("taken_back"))


def test_it_answers_a_person(evening: Evening) -> None:
    evening.do(*EAST_AND_FORWARD)
    evening.wait_until(lambda: len(evening.mirror.game.turns) == 2)
    assert evening.heard("turn")[0] == "1 E F >future"
    assert evening.top.there == looks_in(evening.mirror.game.state)


def test_it_waits_while_a_person_has_something_in_the_hand(evening: Evening) -> None:
    evening.do(*EAST_AND_FORWARD)
    evening.do(("lift", 32))  # white's copy in the future, before black has done anything
    evening.wait(5000)
    assert not evening.hand.opponent.is_busy
    assert 15 in evening.top.there
    evening.do(("place", 32, "white"))
    evening.wait_until(lambda: len(evening.mirror.game.turns) == 2)


def test_a_person_who_takes_its_piece_is_put_up_with(evening: Evening) -> None:
    """It begins again from the position before its turn."""
    evening.do(*EAST_AND_FORWARD)
    evening.wait_until(lambda: evening.hand.opponent.is_busy)
    marker = 53
    if marker in evening.top.there:
        evening.do(("lift", marker))
    evening.wait_until(lambda: len(evening.mirror.game.turns) == 2, 60_000)
    assert not evening.heard("mismatch")
    assert evening.hand.held == []
    assert all_pieces(evening) == ALL


def test_what_it_holds_is_not_in_the_box(evening: Evening) -> None:
    """A copy in its hand can be taken by nobody else."""
    evening.do(*EAST_AND_FORWARD)
    counts: list[Counter[str]] = []
    seen: set[str] = set()

    def look() -> None:
        counts.append(all_pieces(evening))
        seen.update(evening.hand.opponent.held)

    evening.each_step = look
    evening.wait_until(lambda: len(evening.mirror.game.turns) == 2)
    assert "black-focus" in seen
    assert [count for count in counts if count != ALL] == []


def test_a_seat_can_be_taken_over(evening: Evening) -> None:
    evening.hand.seats.seat(BLACK, "hands")
    evening.do(*EAST_AND_FORWARD)
    evening.wait(5000)
    assert len(evening.mirror.game.turns) == 1
    evening.hand.seats.seat(BLACK, "level:3")
    evening.wait_until(lambda: len(evening.mirror.game.turns) == 2)


class Failing:
    """A player that never finds a turn."""

    name = "engine:broken"
    is_person = False
    thought = ""

    def __init__(self) -> None:
        self.cancelled = self.closed = 0

    def begin(self, _game: Game) -> None:
        pass

    def poll(self) -> int | None:
        raise EngineError("the engine engine:broken has stopped")

    def cancel(self) -> None:
        self.cancelled += 1

    def close(self) -> None:
        self.closed += 1


def test_an_engine_that_fails_leaves_its_side_and_the_game_stands(evening: Evening) -> None:
    failing = Failing()
    evening.hand.seats.seat_thinker(BLACK, failing)
    evening.do(*EAST_AND_FORWARD)
    evening.wait_until(lambda: evening.hand.seats.problem)
    assert evening.hand.seats.problem == (
        "the engine engine:broken has stopped; hands play black now"
    )
    assert evening.hand.seats.players() == {"white": "hands", "black": "hands"}
    assert failing.closed == 1
    assert len(evening.mirror.game.turns) == 1
    evening.hand.seats.seat(BLACK, "level:2")
    evening.wait_until(lambda: len(evening.mirror.game.turns) == 2)
    assert evening.hand.seats.problem == ""


class Slow(Failing):
    """A player that thinks until it is stopped."""

    def poll(self) -> int | None:
        return None


def test_thinking_is_stopped_when_the_position_changes(evening: Evening) -> None:
    slow = Slow()
    evening.hand.seats.seat_thinker(BLACK, slow)
    evening.do(*EAST_AND_FORWARD)
    evening.wait(4000)
    assert slow.cancelled == 0
    assert evening.hand.seats.thinking == "broken"
    evening.hand.lay(layout.new_state())
    evening.wait(1000)
    assert slow.cancelled == 1
    assert evening.hand.seats.thinking == ""
