"""An archive that stays open: it follows its folder, and asks no more of it than it has to.

What a request costs is counted: queries, steps of SQLite, rows loaded, files looked at and read.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import shutil
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from multiprocessing.synchronize import Barrier
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import pytest
import sqlalchemy as sql

from chronotable_host.archive import index, parsing, shared
from chronotable_host.archive.files import GameFile, OutOfStepError
from chronotable_host.archive.parsing import each_record, read
from chronotable_host.archive.shared import SharedArchive
from chronotable_host.archive.store import Archive, GameFilter
from chronotable_host.errors import UserError
from chronotable_host.rules.record import Record, format_record, last
from chronotable_host.web.study.games import Games
from tests import lanes, sweep
from tests.host.archives import TURNS, append, played, turn_texts
from tests.lab import readers
from tests.lab.side_by_side import unheard
from ttykm.game import digest


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


# ---- it follows its folder


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
    assert kept.ask(lambda archive: archive.count(GameFilter("yva"))) == 0  # nobody has looked
    clock.now += shared.LOOKS_S
    assert kept.ask(lambda archive: archive.count(GameFilter("yva"))) == 1
    games[1].path.unlink()
    assert names(kept) == ["Eve"]


def test_what_is_found_by_its_name_costs_no_look_at_the_folder(
    kept: SharedArchive, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(name: str) -> str | None:
        found = kept.find(lambda archive: next(iter(archive.find(name)), None))
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


# ---- what it costs


class Cost(NamedTuple):
    """What was asked of database and folder."""

    queries: int
    steps: int
    rows: int
    stats: int
    files: int


class Meter:
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
        patch.setattr(
            index.Index, "_known_stamps", counting("rows", index.Index._known_stamps, len)
        )
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


# ---- several processes

_PATIENCE_S = 120

_PROCESSES = multiprocessing.get_context("forkserver" if os.name == "posix" else "spawn")
_PROCESSES.set_forkserver_preload([__name__])  # imported once, and not by each process again


def busy(
    folder: Path, url: str, evening: Path, seed: int, rounds: int, choices: Sequence[str]
) -> None:
    """Do so many things with an archive, by chance."""
    records = [*each_record(evening.read_text("utf-8"), str(evening))]
    rng = random.Random(seed)
    for _ in range(rounds):
        with Archive(folder, url or None) as archive:
            does = rng.choice(choices)
            if does == "import all":
                archive.store(records)
            elif does == "import":
                archive.store(rng.sample(records, 12))
            elif does == "play":
                record = Record()
                record.headers["White"] = "live"
                with archive.new_game(record) as game:
                    for turn in TURNS:
                        append(game, turn)
                        archive.refresh()
            elif does == "rebuild":
                archive.rebuild()
            assert not archive.problems(), archive.problems()
            archive.games()


def racing(path: Path, log: Path, seed: str) -> None:
    """Play random turns in a game that others play on in, too; log those that it was told of."""
    rng = random.Random(seed)
    told = []
    while True:
        try:
            with GameFile.resume(path) as game:
                position = last(game.record.replay())
                number, turns = len(game.record.turns) + 1, list(position.legal_turns())
                if number > 60 or not turns:
                    break
                turn = rng.choice(turns)
                game.append(number, digest(position.state), turn)
                told.append([number, turn])
        except OutOfStepError:
            pass
    log.write_text(json.dumps(told))


IMPORTING = """
import os, sys
from pathlib import Path
from chronotable_host.archive import disk
from chronotable_host.archive.parsing import each_record
from chronotable_host.archive.store import Archive

class Dying:
    left = int(sys.argv[3])
    def __getattr__(self, name):
        if name in ("write", "fsync", "replace"):
            Dying.left -= 1
            if Dying.left < 0:
                os.kill(os.getpid(), 9)
        return getattr(os, name)

records = [*each_record(Path(sys.argv[2]).read_text("utf-8"), "x")]
disk.os = Dying()
Archive(Path(sys.argv[1])).store(records)
"""


def evening(tmp_path: Path, games: int) -> Path:
    """Write a file with so many games."""
    file = tmp_path / "evening.ttykm"
    file.write_text("\n".join(format_record(played(f"no. {n}")) for n in range(games)), "utf-8")
    return file


def begun(ready: Barrier, errors: Path, work: Callable[..., None], words: Sequence[object]) -> None:
    """Work as soon as all processes are ready; leave the traceback of what goes wrong."""
    try:
        warnings.simplefilter("error")
        ready.wait(_PATIENCE_S)
        work(*words)
    except BaseException:
        errors.write_text(traceback.format_exc())
        raise


def all_at_once(
    work: Callable[..., None], each: Sequence[Sequence[object]], tmp_path: Path
) -> None:
    """Do some work in a process for each list of arguments, and see that all end well."""
    ready = _PROCESSES.Barrier(len(each))
    errors = [tmp_path / f"{number}.error" for number in range(len(each))]
    processes = [
        _PROCESSES.Process(target=begun, args=(ready, error, work, words))
        for error, words in zip(errors, each, strict=True)
    ]
    try:
        for process in processes:
            process.start()
        for process, words, error in zip(processes, each, errors, strict=True):
            process.join(_PATIENCE_S)
            said = error.read_text() if error.exists() else ""
            assert process.exitcode == 0, f"{words}\n{said}"
    finally:
        for process in processes:
            if process.pid is not None:
                process.kill()
                process.join()


@pytest.mark.parametrize("where", ["in the folder", "elsewhere"])
def test_processes_that_do_everything_at_once(where: str, tmp_path: Path, home: Path) -> None:
    """The seeds say what each process does, not when: that differs each time."""
    url = f"sqlite:///{tmp_path / 'elsewhere'}" if where == "elsewhere" else ""
    file = evening(tmp_path, 30)
    seeds, rounds = (1, 2, 3), sweep.size(3, 5)
    does = ["import", "play", "rebuild", "look"]
    all_at_once(busy, [[home, url, file, seed, rounds, does] for seed in seeds], tmp_path)
    with Archive(home, url or None) as archive:
        known = archive.games()
        assert archive.problems() == []
        archive.rebuild()
        assert archive.games() == known, seeds
        names = [game.white for game in known if game.imported]
        assert len(set(names)) == len(names) > 12, seeds
        live = [archive.read(game).record for game in known if not game.imported]
    assert live
    assert all(turn_texts(record) == TURNS for record in live)


@pytest.mark.parametrize("seed", range(sweep.size(1, 3)))
def test_processes_that_play_on_in_one_file(seed: int, tmp_path: Path) -> None:
    """Who is told that a turn is in the file finds it there, and no other one in its place."""
    with GameFile.create(tmp_path, played(turns=[])) as game:
        pass
    logs = [tmp_path / f"{number}.json" for number in range(3)]
    all_at_once(racing, [[game.path, log, f"{seed}{at}"] for at, log in enumerate(logs)], tmp_path)
    told = sorted(turn for log in logs for turn in json.loads(log.read_text()))
    reading = read(game.path)
    assert reading.note == ""
    assert told == [list(pair) for pair in enumerate(reading.record.turns, 1)], seed


def test_processes_that_import_the_same_games(tmp_path: Path, home: Path) -> None:
    file = evening(tmp_path, 40)
    all_at_once(busy, [[home, "", file, seed, 1, ["import all"]] for seed in range(3)], tmp_path)
    with Archive() as archive:
        assert sorted(game.white for game in archive.games()) == sorted(
            f"no. {number}" for number in range(40)
        )
    assert len(list((home / "imported").iterdir())) == 40


@lanes.gate
@pytest.mark.parametrize("seed", range(sweep.size(1, 4)))
def test_an_import_that_is_killed_is_completed_by_the_next(
    seed: int, tmp_path: Path, home: Path
) -> None:
    file = evening(tmp_path, 20)
    calls = random.Random(seed).randrange(60)
    process = subprocess.run(
        [sys.executable, "-c", IMPORTING, str(home), str(file), str(calls)],
        capture_output=True,
        timeout=_PATIENCE_S,
        check=False,
    )
    assert process.returncode != 0, (seed, process.stderr)
    assert process.stderr == b"", (seed, process.stderr)
    with Archive() as archive:
        before = {game.white for game in archive.games()}
        assert archive.problems() == [], seed
        assert len(before) == calls // 3, seed
        stored = archive.store(each_record(file.read_text("utf-8"), "x"))
        assert sum(game.is_duplicate for game in stored) == len(before), seed
        names = [game.white for game in archive.games()]
        assert sorted(names) == sorted(f"no. {number}" for number in range(20)), seed
    assert len(list((home / "imported").glob("*.ttykm"))) == 20
