"""Games with modules from the table to the archive: live, late, out of its journal, alike."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chronotable.hardware.sensors import SHARED
from chronotable.link.packed import pack_position
from chronotable_host.archive.store import Archive
from chronotable_host.rules.notation import format_modules, format_position, parse_position
from chronotable_host.rules.record import DRAW, parse_record
from tests import lanes
from tests.host.driven import Driven, starts, texts
from tests.lab.store import MemoryStore
from ttykm import objects
from ttykm.layout import BLACK, WHITE

STARTS = starts()


@pytest.fixture
def archives(tmp_path: Path) -> Iterator[tuple[Archive, Archive]]:
    with Archive(tmp_path / "live") as live, Archive(tmp_path / "kept") as kept:
        yield live, kept


@pytest.mark.parametrize("name", lanes.first(STARTS, 5))
def test_the_record_is_the_same_live_and_out_of_the_journal(
    archives: tuple[Archive, Archive], name: str
) -> None:
    live, kept = archives
    start = STARTS[name]
    for archive in archives:
        table = Driven(7)
        if archive is live:
            table.attach(archive)
        else:
            table.run(1000)
        table.begin(start, 1)
        table.run(1000)
        table.play(9)
        table.resign(WHITE)
        table.run(1000)
        if archive is kept:
            table.attach(archive)
            table.run(2000)
        table.detach()
        assert not table.heard("mismatch")
        assert not table.heard("log") + table.heard("notice")
        assert not table.table.journal.first(), "it was delivered"
    (told,), (fetched,) = texts(live.folder), texts(kept.folder)
    assert told == fetched
    record = parse_record(told)
    assert record.start == start
    assert record.turns == list(table.table.game.turns)
    assert record.headers["Modules"] == format_modules(objects.modules_of(start))
    assert record.headers["Result"] == "0-1"


@pytest.mark.parametrize("name", STARTS)
def test_a_pc_that_comes_late_has_the_whole_game(
    archives: tuple[Archive, Archive], name: str
) -> None:
    table = Driven(3)
    table.begin(STARTS[name])
    table.play(4)
    mirror = table.attach(archives[0])
    assert mirror.game.state == table.table.game.state
    table.play(3)
    assert list(mirror.game.turns) == list(table.table.game.turns)
    table.detach()
    (text,) = texts(archives[0].folder)
    assert parse_record(text).start == STARTS[name]


@pytest.mark.parametrize("name", STARTS)
def test_a_table_that_keeps_no_games_is_joined_where_it_is(
    archives: tuple[Archive, Archive], name: str
) -> None:
    table = Driven(4, store=MemoryStore(room=100))
    table.begin(STARTS[name])
    table.play(4)
    mirror = table.attach(archives[0])
    here = format_position(table.table.game.state)
    assert table.heard("joined") == [here]
    assert mirror.game.state == parse_position(here)
    table.play(3)
    assert mirror.game.state == table.table.game.state
    table.detach()
    assert mirror.record is not None
    assert format_position(mirror.record.start) == here
    starts = [format_position(parse_record(text).start) for text in texts(archives[0].folder)]
    assert starts == [here] * bool(mirror.game.turns)  # some positions have only turns that win


def test_the_objects_of_one_turn_are_never_joined_with_the_snapshot_of_another() -> None:
    table = Driven(5, store=MemoryStore(room=100))
    table.begin(objects.new_state(objects.ALL_MODULES))
    table.play(4)
    mirror = table.attach(None)
    mirror._on_objects(0, "f" * 51)
    joined = len(table.heard("joined"))
    mirror.adopt(None, 0)
    things = "".join(f"{word:04x}" for word in objects.new_state(7)[7:19]) + "000"
    mirror._on_objects(0, things)
    mirror.adopt(None, 0)
    assert len(table.heard("joined")) == joined


@pytest.mark.parametrize("name", STARTS)
def test_a_pc_has_any_position_set_up(name: str) -> None:
    table = Driven(6)
    table.attach(None)
    assert table.session is not None
    table.session.set_up(STARTS[name], 2)
    table.run()
    assert table.table.game.state == STARTS[name]
    assert table.table.game.options == 2
    assert not table.heard("refused")


def test_what_was_laid_for_one_game_is_not_there_in_another() -> None:
    table = Driven(6)
    table.attach(None)
    session = table.session
    assert session is not None
    session.set_up(STARTS["a position of 7"], 0)
    session.set_up(objects.new_state(7), 0)
    table.run()
    assert table.table.game.state == objects.new_state(7)
    apart = STARTS["a position of 2"]
    session.command("new_game", position=pack_position(apart), options=0)
    table.run()
    assert len(table.heard("refused")) == 1
    assert table.table.game.state == objects.new_state(7)


def test_a_table_that_draws_tells_the_seed(archives: tuple[Archive, Archive]) -> None:
    live, kept = archives
    for archive in archives:
        table = Driven(8)
        if archive is live:
            table.attach(archive)
        else:
            table.run(1000)
        table.begin(objects.new_state(objects.MEMORY))
        table.play(2)
        table.resign(BLACK)
        table.press(("draw", SHARED))
        table.go()
        table.play(4)
        table.resign(BLACK)
        table.run(1000)
        if archive is kept:
            table.attach(archive)
            table.run(2000)
        table.detach()
    first, second = texts(live.folder)
    assert [first, second] == texts(kept.folder)
    assert DRAW not in parse_record(first).headers
    record = parse_record(second)
    word, seed = record.headers[DRAW].split()
    assert word == "convergence"
    assert objects.new_state(objects.convergence(int(seed))) == record.start
    assert int(seed) == table.table.game_id
