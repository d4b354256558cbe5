"""The table alone: what was played without a PC, or when the power went, is there afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chronotable.core.commands import SETTINGS
from chronotable.hardware.naming import sensor_name
from chronotable_host.archive.parsing import read
from chronotable_host.archive.store import Archive
from chronotable_host.live.texts.light_names import NAMES
from chronotable_host.pieces import pieces_of
from chronotable_host.rules.notation import format_position, parse_turn
from chronotable_host.rules.record import Record
from chronotable_host.virtual.hand import act_out
from tests import lanes
from tests.table.alone import Alone, course_of
from ttykm import objects
from ttykm.layout import BLACK, WHITE
from ttykm.turns import TurnTree

TRANSFER_MS = 2000  # the budget of `python -m tests.lab --only link`


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive(tmp_path / "archive") as opened:
        yield opened


@pytest.fixture
def alone() -> Iterator[Alone]:
    with Alone() as table:
        yield table


def records(archive: Archive) -> list[Record]:
    return [read(path).record for path in sorted(archive.folder.glob("*.ttykm"))]


def joins(alone: Alone, archive: Archive) -> None:
    """Have a PC come, and hear all that there is."""
    alone.attach(archive)
    alone.wait(TRANSFER_MS)


def is_kept(alone: Alone, archive: Archive) -> Record:
    """See that the archive has the game, and nothing else."""
    (record,) = records(archive)
    assert course_of(record) == alone.course
    return record


@lanes.gate
def test_games_without_a_pc_are_in_the_archive_once_it_comes(
    alone: Alone, archive: Archive
) -> None:
    played = []
    for seed in range(3):
        if seed:
            alone.set_up()
        played.append(alone.play_random(seed, 6))
        alone.press("resign", WHITE if seed else BLACK)
    joins(alone, archive)
    assert [course_of(record) for record in records(archive)] == played
    assert [record.headers["Result"] for record in records(archive)] == ["1-0", "0-1", "0-1"]
    assert len(alone.heard("fetched")) == 3
    # the PC comes again, and another PC with the same archive
    alone.table.plug(False)
    alone.wait(500)
    alone.table.plug(True)
    alone.wait(TRANSFER_MS)
    alone.table.plug(False)
    joins(alone, archive)
    assert len(records(archive)) == 3
    assert len(alone.heard("fetched")) == 3


def test_a_game_that_goes_on_is_joined_whole(alone: Alone, archive: Archive) -> None:
    course = list(alone.play_random(1, 5))
    joins(alone, archive)
    (record,) = records(archive)
    assert course_of(record) == course
    assert alone.heard("joined") == [format_position(alone.game.state)]
    assert alone.mirror is not None
    assert alone.mirror.how == ["certain"] * 5
    alone.play_one()
    is_kept(alone, archive)


def test_after_a_power_cut_the_game_goes_on(alone: Alone, archive: Archive) -> None:
    alone.play_random(2, 4)
    alone.power_cut()
    alone.play_one()
    joins(alone, archive)
    is_kept(alone, archive)
    alone.power_cut()
    alone.wait(TRANSFER_MS)
    alone.play_one()
    assert is_kept(alone, archive).headers["Result"] == "*"


def test_a_power_cut_costs_the_turn_in_the_hands_and_the_lights_ask_it_back(
    alone: Alone, archive: Archive
) -> None:
    alone.attach(archive)
    alone.play_random(3, 2)
    lie = set(pieces_of(alone.game.state))
    own = act_out(alone.game, next(alone.game.legal_turns()), alone.rng)[0].sensor  # in the hand
    alone.table.lift(own)
    alone.wait(300)
    alone.power_cut()
    assert alone.mirror is not None
    assert NAMES[alone.mirror.table.leds[own]].startswith("todo_put_")
    alone.put(lie)
    guide = next(told["guide"] for told in alone.told if "guide" in told)
    assert (guide["take"], guide["put"]) == ([], [sensor_name(own)])
    alone.play_one()
    is_kept(alone, archive)


@pytest.mark.parametrize("attached", [False, True])
def test_a_power_cut_while_the_marker_stands_costs_nothing(
    alone: Alone, archive: Archive, attached: bool
) -> None:
    if attached:
        alone.attach(archive)
    alone.play_random(2, 4)
    last = next(alone.game.legal_turns())
    for gesture in act_out(alone.game, last, alone.rng):
        alone.wait(gesture.after_ms)
        (alone.table.place if gesture.closed else alone.table.lift)(gesture.sensor)
    alone.wait(500)
    alone.power_cut()
    alone.game.apply(last)
    alone.course.append(format_position(alone.game.state))
    if not attached:
        joins(alone, archive)
    assert alone.mirror is not None
    assert not any("todo" in NAMES[light] for light in alone.mirror.table.leds)
    alone.play_one()
    is_kept(alone, archive)


def test_who_sets_up_a_new_game_after_a_power_cut_plays_it(alone: Alone, archive: Archive) -> None:
    first = alone.play_random(4, 3)
    alone.table.power(False)
    alone.set_up()
    alone.table.power(True)
    alone.machine.plug(False)
    alone.wait(alone.boot_ms)
    second = alone.play_random(5, 2)
    joins(alone, archive)
    found = sorted(records(archive), key=lambda record: len(record.turns))
    assert [course_of(record) for record in found] == [second, first]
    assert found[1].headers["Termination"] == "in progress"


def test_a_chapter_is_unlocked_and_played_on_the_table_alone(
    alone: Alone, archive: Archive
) -> None:
    alone.power_cut()
    alone.press("draw")  # offers a draw in the game that has begun
    alone.press("a")
    alone.hold("resign", True)
    alone.press("draw")
    alone.hold("resign", False)
    alone.put(())
    alone.power_cut()
    start = objects.new_state(objects.GROWTH, BLACK)
    alone.press("draw")
    alone.set_up(start)
    alone.power_cut()  # before its first turn: nobody would choose it again
    joins(alone, archive)
    (agreed,) = records(archive)
    assert (agreed.headers["Modules"], agreed.headers["Termination"]) == ("standard", "agreed")
    alone.play([parse_turn("16 N W >present")])
    record, _ = records(archive)  # the one that goes on is fetched first
    assert record.start == start
    assert record.headers["Modules"] == "growth"
    assert course_of(record) == alone.course
    alone.press("resign", WHITE)
    record, _ = records(archive)
    assert record.headers["Result"] == "0-1"


def test_a_table_without_room_for_what_was_unlocked_restarts_when_nobody_plays(
    alone: Alone, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory is in one piece at power-on; to look for it later may be in vain."""
    reserve, tries = TurnTree.reserve, []

    def reserve_at_once(table: TurnTree) -> None:
        tries.append(table)
        if len(tries) == 1:
            raise MemoryError
        reserve(table)

    monkeypatch.setattr(TurnTree, "reserve", reserve_at_once)
    alone.attach(archive)
    alone.wait(500)
    session = alone.table.session
    assert session is not None
    session.command("set", setting=SETTINGS.index("chapters"), value=1)
    alone.play_random(1, 2)
    session.set_up(objects.new_state(objects.GROWTH), 0)
    alone.wait(3000)
    assert len(alone.heard("refused")) == len(alone.heard("connected")) == 1, "people play"
    alone.play_one()
    alone.press("resign")
    alone.wait(3000)
    assert len(alone.heard("connected")) == 2
    alone.press("draw")
    alone.set_up(objects.new_state(objects.GROWTH))
    alone.wait(1000)
    assert alone.mirror is not None
    assert alone.mirror.game.state == objects.new_state(objects.GROWTH)


def test_a_full_journal_says_so_and_loses_nothing(alone: Alone, archive: Archive) -> None:
    alone.play_random(6, 2)
    alone.press("resign")
    files = alone.machine._chip.files  # type: ignore[attr-defined]
    files["big"] = bytes(4096 * 345)
    alone.set_up()
    unkept = alone.play_random(7, 2)
    joins(alone, archive)
    (kept,) = records(archive)
    assert len(kept.turns) == 2
    alone.press("resign")
    joined = min(records(archive), key=lambda record: len(record.turns))
    assert not joined.turns
    assert joined.headers["Termination"] == "resigned"
    assert alone.mirror is not None
    assert "journal_full" in {NAMES[meaning] for meaning in alone.mirror.table.leds[48:]}
    assert unkept
    assert any("no room" in str(notice) for notice in alone.heard("notice"))
    del files["big"]
    alone.set_up()
    third = alone.play_random(8, 2)
    assert course_of(records(archive)[-1]) == third
