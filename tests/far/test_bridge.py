"""Two tables and the log between them: whatever happens in whatever order, it is one game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests import lanes
from tests.far.end import End, records_of
from tests.far.world import World, is_level, world
from ttykm.layout import BLACK, WHITE


@pytest.fixture
def rng() -> Random:
    return Random(4)


@pytest.fixture
def at(tmp_path: Path) -> Iterator[World]:
    with world(tmp_path) as made:
        yield made


def next_turn(at: World, rng: Random) -> None:
    """Have whose turn it is play any, and the other end's hands carry it out."""
    mover = at.mover()
    mover.settle(lambda: mover.is_mine)
    mover.play(rng.choice([*mover.game.legal_turns()]))
    at.both_settle()


def line_of(end: End) -> list[int]:
    """Return the turns of a log."""
    return [each.turn for each in end.room.course.line]


def notices(end: End) -> str:
    """Return the sentences that were told since the last time."""
    return " ".join(end.heard("notice"))


def begun(at: World, turns: int, rng: Random) -> None:
    """Play so many turns."""
    at.wait(3000)
    for _ in range(turns):
        next_turn(at, rng)
    for end in at.ends.values():
        end.told.clear()


@lanes.gate
@pytest.mark.parametrize("is_granted", lanes.first([True, False]))
def test_a_turn_that_hands_take_back(is_granted: bool, at: World, rng: Random) -> None:
    begun(at, 2, rng)
    mover = at.mover()
    mover.play(rng.choice([*mover.game.legal_turns()]))
    other = next(each for each in at.ends.values() if each is not mover)
    turns = line_of(mover)
    mover.lift_marker()
    at.wait(500)
    assert mover.far.bridge.is_waiting
    assert "would like to take 1 turn back. Yes or no?" in notices(other)
    assert line_of(mover) == turns
    at.wait(5000)
    assert not mover.mirror.table.is_turn_wanted, "nothing is asked before there is an answer"
    other.far.bridge.write("yes" if is_granted else "no")
    if is_granted:
        at.wait(500)
        mover.put_back()
    at.both_settle()
    assert line_of(other) == line_of(mover) == (turns[:-1] if is_granted else turns)
    assert is_level(mover)
    assert ("1 turn was taken back" if is_granted else "Bo says no") in notices(at.inviter)


@lanes.gate
def test_the_same_turn_made_again_asks_for_nothing(at: World, rng: Random) -> None:
    """A marker that was lifted by mistake and put back."""
    begun(at, 2, rng)
    mover = at.mover()
    mover.play(rng.choice([*mover.game.legal_turns()]))
    spot = mover.lift_marker()
    at.wait(500)
    assert mover.room.course.question is not None
    mover.place.place(spot)
    mover.helper.board[spot] = mover.far.bridge.own
    at.wait(2000)
    assert mover.room.course.question is None
    at.both_settle()


@lanes.full
def test_undo_of_who_is_asked_agrees(at: World, rng: Random) -> None:
    begun(at, 3, rng)
    asks, asked = at.inviter, at.joiner
    assert asked is at.mover()
    turns = line_of(asks)
    asks.far.bridge.ask_back()
    at.wait(500)
    asked.place.press("undo", BLACK)
    at.both_settle()
    assert line_of(asks) == turns[:2]
    assert asks is at.mover()


@lanes.gate
def test_undo_at_ones_own_turn_asks_for_the_own_last_decision(at: World, rng: Random) -> None:
    begun(at, 4, rng)
    turns = line_of(at.inviter)
    at.inviter.place.press("undo", WHITE)
    at.wait(500)
    assert "would like to take 2 turns back" in notices(at.joiner)
    at.joiner.far.bridge.write("yes")
    at.both_settle()
    assert line_of(at.joiner) == turns[:2]


@lanes.full
def test_the_others_marker_lifted_by_mistake_is_led_back(at: World, rng: Random) -> None:
    begun(at, 4, rng)
    turns = line_of(at.inviter)
    at.inviter.lift_marker()
    at.both_settle()
    assert line_of(at.joiner) == turns
    assert at.joiner.room.course.question is None


@lanes.gate
def test_a_turn_and_a_take_back_in_the_same_instant(at: World, rng: Random) -> None:
    """The turn counts: who took back did not know of it."""
    begun(at, 3, rng)
    asks, moves = at.inviter, at.joiner
    for end in at.ends.values():
        end.client.cut()  # type: ignore[attr-defined]
    moves.play(rng.choice([*moves.game.legal_turns()]))
    asks.lift_marker()
    at.wait(1000)
    for end in at.ends.values():
        end.client.mend()  # type: ignore[attr-defined]
    at.both_settle()
    assert line_of(asks) == line_of(moves)
    assert len(line_of(asks)) == 4
    assert asks.room.course.void == moves.room.course.void == 1


@lanes.gate
def test_a_turn_is_written_while_the_broker_is_away(at: World, rng: Random) -> None:
    begun(at, 2, rng)
    at.inviter.client.cut()  # type: ignore[attr-defined]
    at.inviter.play(rng.choice([*at.inviter.game.legal_turns()]))
    assert len(line_of(at.inviter)) == 3
    at.wait(60_000)
    said = notices(at.inviter)
    assert said.count("no broker answers") == 1
    assert len(line_of(at.joiner)) == 2
    at.inviter.client.mend()  # type: ignore[attr-defined]
    at.both_settle()
    assert len(line_of(at.joiner)) == 3


@pytest.mark.parametrize("waits_ms", lanes.once([0, 400, 900, 1100, 1500], 2))
def test_a_program_that_is_killed_while_a_turn_becomes_final(
    waits_ms: int, at: World, rng: Random
) -> None:
    """The table has one turn more than the log, or is just about to: it is appended once."""
    begun(at, 2, rng)
    end = at.inviter
    append = end.room.append

    def killed(kind: str, **fields: object) -> None:
        raise KeyboardInterrupt

    end.room.append = killed  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        end.play(rng.choice([*end.game.legal_turns()]))
    del append
    end.kill()
    at.wait(waits_ms)
    end.start()
    at.both_settle()
    assert len(line_of(at.joiner)) == 3
    next_turn(at, rng)
    next_turn(at, rng)
    assert line_of(at.joiner) == line_of(at.inviter)
    assert len(records_of(at.inviter.folder)) == len(records_of(at.joiner.folder)) == 1


@lanes.gate
def test_another_table_and_another_computer(tmp_path: Path, at: World, rng: Random) -> None:
    begun(at, 7, rng)
    old = at.inviter
    old.kill()
    at.joiner.told.clear()
    new = at.add("inviter", tmp_path / "laptop")
    at.wait(4000)
    at.both_settle()
    assert line_of(new) == line_of(at.joiner)
    assert len(line_of(new)) == 7
    next_turn(at, rng)
    next_turn(at, rng)
    assert records_of(new.folder) == records_of(at.joiner.folder)
    old.table.close()


@lanes.full
def test_the_same_table_at_another_computer(tmp_path: Path, at: World, rng: Random) -> None:
    begun(at, 5, rng)
    end = at.inviter
    end.kill()
    end.folder = tmp_path / "laptop"
    end.start()
    at.both_settle()
    assert len(line_of(end)) == 5
    next_turn(at, rng)
    assert records_of(end.folder) == records_of(at.joiner.folder)


@lanes.gate
def test_tables_that_lose_their_power(at: World, rng: Random) -> None:
    begun(at, 3, rng)
    for end in at.ends.values():
        end.table.power(False)
        end.table.power(True)
    at.wait(3000)
    next_turn(at, rng)
    assert len(line_of(at.inviter)) == 4
    for end in at.ends.values():
        assert not end.heard("mismatch")


@lanes.gate
def test_resigning_at_the_table(at: World, rng: Random) -> None:
    begun(at, 3, rng)
    at.inviter.place.press("resign", WHITE)
    at.wait(2000)
    assert at.joiner.room.course.result == ("0-1", "resigned")
    assert at.joiner.place.phase == at.inviter.place.phase == "over"
    assert "Ada resigns" in notices(at.joiner)
    assert records_of(at.inviter.folder) == records_of(at.joiner.folder)


@lanes.gate
def test_who_resigns_for_the_other_end_is_led_back(at: World, rng: Random) -> None:
    begun(at, 3, rng)
    at.inviter.place.press("resign", BLACK)
    at.both_settle()
    assert at.joiner.room.course.result is None
    next_turn(at, rng)


@lanes.gate
def test_a_draw_by_buttons(at: World, rng: Random) -> None:
    begun(at, 2, rng)
    at.inviter.place.press("draw", WHITE)
    at.wait(1000)
    assert "Ada offers a draw. Yes or no?" in notices(at.joiner)
    assert at.joiner.mirror.table.offers == {WHITE}
    at.joiner.place.press("a", BLACK)
    at.wait(2000)
    for end in at.ends.values():
        assert end.room.course.result == ("1/2-1/2", "agreed")
        assert end.place.phase == "over"


@lanes.gate
def test_a_draw_that_is_declined(at: World, rng: Random) -> None:
    begun(at, 2, rng)
    at.inviter.place.press("draw", WHITE)
    at.wait(1000)
    at.joiner.far.bridge.write("no")
    at.wait(1000)
    assert "Bo says no" in notices(at.inviter)
    for end in at.ends.values():
        assert end.mirror.table.offers == set()
        assert end.room.course.question is None
    next_turn(at, rng)


@lanes.gate
def test_a_second_person_with_a_link_is_told_to_all(tmp_path: Path, at: World) -> None:
    """Eve has found Bo's link: the player she plays as, too, and the other one, hear of it once."""
    at.both_settle()
    at.wait(30_000)
    assert not [each for end in at.ends.values() for each in end.told if "second" in str(each)]
    at.add("joiner", tmp_path / "Eve", "Eve")
    at.wait(120_000)
    for end in ("inviter", "joiner"):
        says = [each["notice"] for each in at.ends[end].told if "second" in str(each)]
        assert says == ["A second computer, Eve's, plays black now, too."]
