"""An archive that stays open: it follows its folder, and asks no more of it than it has to.

What a request costs is counted: queries, steps of SQLite, rows loaded, files looked at and read.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import pytest
import sqlalchemy as sql

from chronotable_host.archive import index, parsing, shared
from chronotable_host.archive.shared import SharedArchive
from chronotable_host.archive.store import Archive
from chronotable_host.errors import UserError
from chronotable_host.rules.record import format_record
from chronotable_host.web.games import Games
from tests import lanes
from tests.host.archives import TURNS, append, played
from tests.lab import readers
from tests.lab.side_by_side import unheard


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def kept(home: Path, clock: Clock) -> Iterator[SharedArchive]:
    """An archive that is asked all along; games are played and files changed behind its back."""
    with closing(SharedArchive(home, clock=clock)) as kept:
        yield kept


def names(kept: SharedArchive) -> list[str]:
    return [entry.white for entry in kept.ask(lambda archive: archive.games())]


# ---------------------------------------------------------------- it follows its folder


def test_games_that_are_played_now_appear_at_once(kept: SharedArchive, archive: Archive) -> None:
    assert names(kept) == []
    for count in range(1, 4):
        archive.new_game(played(str(count))).close()
        assert len(names(kept)) == count
    archive.store([played("imported")])
    archive.close()
    assert "imported" in names(kept)


def test_a_game_that_goes_on_is_shown_as_it_is(kept: SharedArchive, archive: Archive) -> None:
    def shown() -> tuple[int, str]:
        (entry,) = kept.current(lambda archive: archive.games())
        return entry.turns, entry.result

    with archive.new_game(played(turns=[])) as game:
        for count, text in enumerate(TURNS, 1):
            append(game, text)
            assert shown() == (count, "*")
        game.take_back()
        assert shown() == (len(TURNS) - 1, "*")
        game.finish("1-0", "resigned")
    assert shown() == (len(TURNS) - 1, "1-0")


def test_files_that_go_or_are_written_in_place(
    kept: SharedArchive, archive: Archive, clock: Clock
) -> None:
    games = [archive.new_game(played(name)) for name in ("Ada", "Bob")]
    for game in games:
        game.close()
    assert names(kept) == ["Bob", "Ada"]
    with games[0].path.open("r+", encoding="utf-8") as opened:
        opened.write(format_record(played("Eve")))
    assert [entry.white for entry in kept.current(lambda archive: archive.games())][1] == "Eve"
    with games[1].path.open("r+", encoding="utf-8") as opened:
        opened.write(format_record(played("Zoe", "Yva")))
    assert kept.ask(lambda archive: archive.count("yva")) == 0  # nobody has looked at it
    clock.now += shared.LOOKS_S
    assert kept.ask(lambda archive: archive.count("yva")) == 1
    games[1].path.unlink()
    assert names(kept) == ["Eve"]


def test_what_is_found_by_its_name_costs_no_look_at_the_folder(
    kept: SharedArchive, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(name: str) -> str | None:
        found = kept.find(lambda archive: next(iter(archive.named(name)), None))
        return None if found is None else found.white

    first = archive.new_game(played("Ada"))
    first.close()
    assert find(first.id) == "Ada"  # the index is opened for it
    second = archive.new_game(played("Bob"))
    second.close()
    with watched(monkeypatch) as meter:
        assert meter.of(lambda: find(first.id)).stats == 0
    assert find(second.id) == "Bob"  # is new, so that the folder was looked at
    assert find("nosuch") is None


def test_a_file_that_comes_in_the_same_tick_of_the_clock_appears_soon(
    kept: SharedArchive, archive: Archive, clock: Clock
) -> None:
    archive.new_game(played("Ada")).close()
    assert names(kept) == ["Ada"]
    before = archive.folder.stat()
    archive.new_game(played("Bob")).close()
    os.utime(archive.folder, ns=(before.st_atime_ns, before.st_mtime_ns))
    seen = [names(kept)]
    clock.now += shared.SETTLES_S
    seen.append(names(kept))
    assert seen[1] == ["Bob", "Ada"]


@pytest.mark.parametrize("times", [1, 2])
def test_folder_and_index_may_be_taken_away(
    kept: SharedArchive, home: Path, archive: Archive, times: int
) -> None:
    for _ in range(times):
        assert names(kept) == []
        archive.new_game(played("Ada")).close()
        assert names(kept) == ["Ada"]
        shutil.rmtree(home)
        assert names(kept) == []
    archive.new_game(played("Bob")).close()
    assert names(kept) == ["Bob"]
    (home / "index.sqlite").unlink()
    archive.new_game(played("Cy")).close()
    assert names(kept) == ["Cy", "Bob"]
    moved = home.with_name("moved")
    home.rename(moved)
    archive.new_game(played("Dan")).close()
    assert names(kept) == ["Dan"]


def test_a_folder_without_an_index_of_its_own_is_read_once_for_all_threads(
    home: Path, archive: Archive, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it cannot be written to, the index is in memory, and still the same for all."""
    for name in ("Ada", "Bob"):
        archive.new_game(played(name)).close()
    (home / "index.sqlite").mkdir()
    read: list[Any] = []
    parse = index.parse

    def counted(data: bytes) -> Any:
        read.append(data)
        return parse(data)

    monkeypatch.setattr(index, "parse", counted)
    found = []
    with closing(SharedArchive(home, clock=clock)) as kept:
        for _ in range(5):
            thread = Thread(target=lambda: found.append(names(kept)))
            thread.start()
            thread.join()
    assert found == [["Bob", "Ada"]] * 5
    assert len(read) == 2


def test_a_database_that_cannot_be_had_is_told_each_time(home: Path) -> None:
    with closing(SharedArchive(home, "sqlite:////no/such/folder/x")) as kept:
        for _ in range(2):
            with pytest.raises(UserError, match="cannot be used"):
                names(kept)


# ---------------------------------------------------------------- what it costs


class Cost(NamedTuple):
    """What was asked of database and folder."""

    queries: int
    steps: int
    rows: int
    stats: int
    files: int


class Meter:
    """Counts what is asked, in all, while it is watched."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys(Cost._fields, 0)

    def note(self, what: str, count: int = 1) -> None:
        self.counts[what] += count

    def of(self, work: Callable[[], Any]) -> Cost:
        before = Cost(**self.counts)
        work()
        return Cost(*(now - was for now, was in zip(Cost(**self.counts), before, strict=True)))


@contextmanager
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Meter]:
    meter = Meter()

    def connected(connection: Any, _record: Any) -> None:
        connection.set_progress_handler(lambda: meter.note("steps"), 1)

    def asked(*_: Any) -> None:
        meter.note("queries")

    def counting(what: str, function: Any, size: Callable[[Any], int] = lambda _: 1) -> Any:
        def counted(*given: Any, **named: Any) -> Any:
            result = function(*given, **named)
            meter.note(what, size(result))
            return result

        return counted

    sql.event.listen(sql.Engine, "connect", connected)
    sql.event.listen(sql.Engine, "before_cursor_execute", asked)
    with monkeypatch.context() as patch:
        for name in ("stat", "lstat"):
            patch.setattr(os, name, counting("stats", getattr(os, name)))
        for module in (index, parsing):
            patch.setattr(module, "parse", counting("files", module.parse))
        patch.setattr(index.Index, "_rows", counting("rows", index.Index._rows, len))
        patch.setattr(index.Index, "_known", counting("rows", index.Index._known, len))
        yield meter
    sql.event.remove(sql.Engine, "connect", connected)
    sql.event.remove(sql.Engine, "before_cursor_execute", asked)


def costs(folder: Path, count: int, monkeypatch: pytest.MonkeyPatch) -> dict[str, Cost]:
    """Return what requests cost in an archive of so many games."""
    folder.mkdir()
    ids = readers.fill(folder, count, unheard)
    with watched(monkeypatch) as meter, closing(Games(folder)) as games:
        clock = Clock()
        games._shared._clock = clock

        def ask_in_vain() -> None:
            with pytest.raises(UserError):
                games.game("nosuch")

        for _ in range(2):
            games.open()
            clock.now += shared.SETTLES_S
        return {
            "game": meter.of(lambda: games.game(ids[count // 2])),
            "file name": meter.of(lambda: games.record(f"2026-01-01T0007-{ids[7]}")),
            "no game": meter.of(ask_in_vain),
            "list": meter.of(lambda: games.list("", "", 20, 0)),
            "last page": meter.of(lambda: games.list("", "", 20, count - 20)),
        }


@lanes.gate
def test_what_a_request_costs_does_not_grow_with_the_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CHRONOTABLE_DB", raising=False)
    monkeypatch.setattr(readers, "_COURSES", 5)
    few, many = (costs(tmp_path / str(count), count, monkeypatch) for count in (100, 2000))
    for name, cost in many.items():
        assert cost[2:] == few[name][2:], name  # rows, stats and files
        assert cost.queries == few[name].queries <= 6, name
    for name in ("game", "file name", "no game"):
        assert many[name].steps <= 2 * few[name].steps, name
        assert many[name].rows <= 1, name
        assert many[name].stats <= 10, name
    assert few["list"].rows <= 2 * 20 + 2
    assert few["list"].stats <= 20 + 10
    assert [few["game"].files, few["list"].files] == [1, 0]
