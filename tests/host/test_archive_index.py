"""The archive and its index, which says what the files say, in whatever database."""

from __future__ import annotations

import contextlib
import errno
import os
import random
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from chronotable_host.archive import disk
from chronotable_host.archive.importing import ImportedGame
from chronotable_host.archive.index import NewerIndexError
from chronotable_host.archive.parsing import each_record
from chronotable_host.archive.store import Archive, GameFilter
from chronotable_host.errors import UserError
from chronotable_host.home import default_folder
from chronotable_host.rules.record import RESULTS, Record, RecordError, format_record
from tests import lanes, sweep
from tests.host.archives import TURNS, append, ask, played, random_record
from tests.host.power_cut import Calls

pytestmark = pytest.mark.usefixtures("home")


# ---- the archive


def test_default_folder(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    assert default_folder() == home
    monkeypatch.delenv("CHRONOTABLE_HOME")
    assert default_folder().name == "chronotable"


def test_an_archive_that_is_not_there_is_empty(archive: Archive) -> None:
    assert archive.games() == []
    with pytest.raises(UserError, match="it has none yet"):
        archive.get("last")
    assert not archive.folder.exists()


def test_a_live_game_is_found(archive: Archive) -> None:
    record = Record()
    with archive.new_game(record, datetime(2026, 11, 20, 21, 53)) as game:
        append(game, TURNS[0])
    assert record.headers["Date"] == "2026-11-20"
    assert format_record(archive.read(archive.get("last")).record) == format_record(record)


def test_filters(archive: Archive) -> None:
    for seed, (white, black) in enumerate([("Ada", "Bob"), ("Émile", "ADA K."), ("Cy", "Bo_b")]):
        record = random_record(seed)
        record.headers.update({"White": white, "Black": black})
        archive.new_game(record).close()
    names = [game.white for game in archive.games()]
    assert names == ["Cy", "Émile", "Ada"]  # the newest first
    assert [game.white for game in archive.games(GameFilter(player="ada"))] == ["Émile", "Ada"]
    assert [game.white for game in archive.games(GameFilter(player="éMILE"))] == ["Émile"]
    assert [game.white for game in archive.games(GameFilter(player="o_b"))] == ["Cy"]
    assert [game.white for game in archive.games(GameFilter(player="%"))] == []
    assert [game.white for game in archive.games(limit=1)] == ["Cy"]
    for result in RESULTS:
        assert all(game.result == result for game in archive.games(GameFilter(result=result)))
    assert sum(len(archive.games(GameFilter(result=result))) for result in RESULTS) == 3


def test_get(archive: Archive) -> None:
    first, second = archive.new_game(played()), archive.new_game(played())
    for name in (first.id, first.id.upper(), first.path.name, first.path.stem):
        assert archive.get(name).id == first.id
    assert archive.get("LAST").id == second.id
    with pytest.raises(UserError, match="fits 2 games"):
        archive.get("2")
    with pytest.raises(UserError, match=r"no game 'zz' .*; `chronotable games` lists them"):
        archive.get("zz")
    with pytest.raises(UserError, match="no game ''"):
        archive.get("")
    (archive.folder / "By hand.ttykm").write_text(format_record(played("Eve")), "utf-8")
    archive.refresh()
    assert archive.get("by h").white == "Eve"


def test_a_file_that_cannot_be_read_is_told_and_harms_nobody(archive: Archive) -> None:
    game = archive.new_game(played())
    (archive.folder / "bad.ttykm").write_text(format_record(played()).replace("2. 16", "2. 99"))
    (archive.folder / "empty.ttykm").write_text("")
    (archive.folder / "later.ttykm").write_text('[Modules "gardening"]\n')
    (archive.folder / "folder.ttykm").mkdir()
    assert [entry.id for entry in archive.games()] == [game.id]
    assert {entry.file: entry.problem for entry in archive.problems()} == {
        "bad.ttykm": "line 13, turn 2: turn: '99' is not a space from 1 to 16",
        "empty.ttykm": "the file is empty",
        "folder.ttykm": "is a folder, not a file; rename it",
        "later.ttykm": "header Modules: only the standard game is known here, not 'gardening'",
    }
    with pytest.raises(UserError, match=r"empty\.ttykm: the file is empty"):
        archive.get("empty")


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has such names")
def test_a_name_that_is_no_text(archive: Archive) -> None:
    archive.folder.mkdir()
    try:
        Path(os.fsdecode(bytes(archive.folder) + b"/\xff.ttykm")).write_text("")
    except OSError:
        pytest.skip("this file system has no such names")
    assert archive.games() == []
    problem = archive.problems()[0]
    assert (problem.id, problem.problem) == (
        "\\udcff", "its name is not text in UTF-8; rename it",
    )  # fmt: skip


def test_names_longer_than_a_column_are_kept_in_the_file(archive: Archive) -> None:
    long = "\N{GRINNING FACE}" * 300 + "ß" * 700
    archive.new_game(played(long, long)).close()
    entry = archive.games(GameFilter(player="\N{GRINNING FACE}"))[0]
    assert entry.white == "\N{GRINNING FACE}" * 127
    assert archive.read(entry).record.headers["White"] == long


# ---- import


def test_import_and_export(archive: Archive) -> None:
    records = [random_record(seed) for seed in range(4)]
    text = "\n".join(format_record(record) for record in records)
    stored = archive.store(each_record(text, "x"))
    assert [game.is_duplicate for game in stored] == [False] * 4
    assert len({game.id for game in stored}) == 4
    assert all(game.imported for game in archive.games())
    assert [game.id for game in archive.games()] == [game.id for game in reversed(stored)]
    kept = [archive.read(archive.get(each.id)).record for each in stored]
    assert "\n".join(map(format_record, kept)) == text
    again = archive.store(
        each_record(text.replace("\n", "\n  ") + "\n" + format_record(played()), "x")
    )
    assert [game.is_duplicate for game in again] == [True] * 4 + [False]
    assert [game.id for game in again[:4]] == [game.id for game in stored]
    twice = archive.store(each_record((format_record(played("X")) + "\n") * 2, "x"))
    assert [game.is_duplicate for game in twice] == [False, True]
    assert twice[0].id == twice[1].id


def test_the_index_has_of_an_import_what_it_reads_from_the_files(archive: Archive) -> None:
    archive.store(random_record(seed) for seed in range(4))
    known = archive.games()
    archive.rebuild()
    assert archive.games() == known


def test_a_game_played_here_is_a_duplicate_too(archive: Archive) -> None:
    with archive.new_game(played()) as game:
        pass
    assert archive.store(each_record(format_record(played()), "x")) == [ImportedGame(game.id, True)]


def test_nothing_of_a_bad_text_is_stored(archive: Archive) -> None:
    text = format_record(played()) + "\n" + format_record(played()).replace("2. 16", "2. 99")
    with pytest.raises(RecordError, match=r"^evening, game 2: line 29"):
        archive.store(each_record(text, "evening"))
    assert archive.games() == []
    assert not archive.folder.exists()


def test_an_imported_file_that_somebody_wrote_in_is_left_alone(archive: Archive) -> None:
    first = archive.store([played()])[0]
    path = archive.path(archive.get(first.id))
    path.write_text(format_record(played("Ada Lovelace")), "utf-8")
    archive.refresh()
    second = archive.store([played()])[0]
    assert not second.is_duplicate
    assert second.id.startswith(first.id)
    assert sorted(game.white for game in archive.games()) == ["Ada", "Ada Lovelace"]


def test_a_disk_that_is_full_in_the_middle_of_an_import(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [played(str(number)) for number in range(5)]
    calls = 0

    def hook(name: str, _args: tuple[Any, ...]) -> None:
        nonlocal calls
        calls += name == "write"
        if calls == 3:
            raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(disk, "os", Calls(hook))
        with pytest.raises(OSError, match="2 of 5 games are stored, import again for the rest"):
            archive.store(records)
    archive.close()
    assert [game.white for game in archive.games()] == ["1", "0"]
    assert [game.is_duplicate for game in archive.store(records)] == [True] * 2 + [False] * 3
    assert len(list((archive.folder / "imported").iterdir())) == 5


# ---- a database that is no good


@pytest.mark.parametrize("damage", ["no database", "old", "foreign", "strange", "a folder"])
@pytest.mark.parametrize("does", ["open", "rebuild"])
def test_a_database_that_is_no_good_is_made_anew(archive: Archive, damage: str, does: str) -> None:
    archive.new_game(played()).close()
    assert len(archive.games()) == 1
    archive.close()
    file = archive.folder / "index.sqlite"
    if damage == "no database":
        file.write_bytes(b"no database" * 1000)
    elif damage == "a folder":
        file.unlink()
        file.mkdir()
    else:
        statements = {
            "old": "update chronotable set schema = 0",
            "foreign": "alter table chronotable_games rename column white to weiss",
            "strange": "alter table chronotable rename column schema to other",
        }
        ask(file, "update chronotable_games set white = 'old'", statements[damage])
    if does == "rebuild":
        archive.rebuild()
    assert [game.white for game in archive.games()] == ["Ada"]


@lanes.gate
@pytest.mark.parametrize("seed", range(sweep.size(4, 10)))
def test_a_database_that_is_damaged_anywhere(archive: Archive, seed: int) -> None:
    """Whatever is noticed is mended; a byte that was changed within a text `--rebuild` mends."""
    rng = random.Random(seed)
    archive.store(played(str(number)) for number in range(40))
    archive.close()
    file = archive.folder / "index.sqlite"
    data = bytearray(file.read_bytes())
    where = rng.randrange(len(data))
    if rng.random() < 0.3:
        del data[where:]
    else:
        data[where : where + 300] = rng.randbytes(min(300, len(data) - where))
    file.write_bytes(data)
    with contextlib.suppress(NewerIndexError):  # where the number of the schema was hit
        assert len(archive.games()) <= 40, seed
    archive.rebuild()
    assert sorted(int(game.white) for game in archive.games()) == list(range(40)), seed


def test_rebuild_reads_what_looks_unchanged(archive: Archive) -> None:
    """A file that has its size and its time still, and an index that has been tampered with."""
    game = archive.new_game(played("Ada"))
    game.close()
    archive.games()
    times = game.path.stat()
    game.path.write_text(format_record(played("Eve")), "utf-8")
    os.utime(game.path, ns=(times.st_atime_ns, times.st_mtime_ns))
    archive.refresh()
    assert archive.games()[0].white == "Ada"
    archive.rebuild()
    assert archive.games()[0].white == "Eve"


def test_rebuild_removes_what_crashes_left(archive: Archive) -> None:
    archive.store([played()])
    left = [
        archive.folder / ".2026-11-20T2153-06ea050f.ttykm.123.tmp",
        archive.folder / "imported" / ".0123456789ab.ttykm.123.tmp",
    ]
    for path in left:
        path.write_text("half")
    archive.rebuild()
    assert all(path.exists() for path in left)  # somebody may be writing them
    for path in left:
        os.utime(path, (0, 0))
    archive.rebuild()
    assert not any(path.exists() for path in left)
    assert len(archive.games()) == 1
