"""Whatever lies in the folder of the games: it is told in a sentence, and harms nothing else."""

from __future__ import annotations

import json
import os
import signal
import socket
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chronotable_host.archive import regular_files
from chronotable_host.archive.store import Archive
from chronotable_host.errors import UserError
from chronotable_host.rules.record import format_record
from chronotable_host.web.study.games import Games, NoSuchGame
from tests.host.archives import Output, played, told

pytestmark = [
    pytest.mark.usefixtures("home", "patience"),
    pytest.mark.skipif(os.name != "posix", reason="only POSIX has such entries"),
]

NAME = "2026-11-20T2153Z-06ea0500.ttykm"  # the newest, and one of ours: `last` would be it
GAME = format_record(played("Eve"))


@pytest.fixture
def patience() -> Iterator[None]:
    """End a test that waits for ever, as reading a fifo does."""

    def give_up(*_: object) -> None:
        raise TimeoutError("it waits for ever")

    former = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, former)


def linked_out(path: Path) -> None:
    secret = path.parents[2] / "secret.txt"
    secret.write_text("what nobody is to be told")
    path.symlink_to(secret)


def in_a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        here = os.open(path.parent, os.O_RDONLY)  # a socket's path has a hundred characters at most
        server.bind(f"/proc/self/fd/{here}/{path.name}")
        os.close(here)


MADE: dict[str, Callable[[Path], object]] = {
    "looping": lambda path: path.symlink_to(path.name),
    "dangling": lambda path: path.symlink_to("nothing"),
    "linked out": linked_out,
    "linked to zeros": lambda path: path.symlink_to("/dev/zero"),
    "device": lambda path: os.mknod(path, 0o600 | 0o020000, os.makedev(1, 5)),  # /dev/zero
    "fifo": os.mkfifo,
    "folder": Path.mkdir,
    "socket": in_a_socket,
    "sparse": lambda path: (path.touch(), os.truncate(path, 4 << 30)),
    "empty": Path.touch,
}
LINK = "is a link, which is not followed"
ENTRIES = {
    **dict.fromkeys(("looping", "dangling", "linked out", "linked to zeros"), LINK),
    **{name: f"is a {name}, not a file" for name in ("device", "fifo", "folder", "socket")},
    "sparse": "has more than 16 MB, which no game has",
}


@pytest.fixture(params=ENTRIES)
def entry(request: pytest.FixtureRequest, home: Path) -> str:
    """Put an entry of each kind among the games, and among the imported ones; return its why."""
    for place in (home, home / "imported"):
        place.mkdir(parents=True, exist_ok=True)
        try:
            MADE[request.param](place / NAME)
        except OSError as error:
            pytest.skip(f"cannot be made here: {error}")
    return ENTRIES[request.param]


def test_it_is_told_and_the_others_are_there(entry: str, archive: Archive) -> None:
    game = archive.new_game(played("Ada"))
    game.close()
    for again in (archive.refresh, archive.rebuild, archive.close):
        assert [each.white for each in archive.games()] == ["Ada"]
        problems = {each.file: each.problem for each in archive.problems()}
        assert problems.keys() == {NAME, f"imported/{NAME}"}
        assert all(entry in why for why in problems.values())
        again()
    with pytest.raises(UserError, match=f"imported/{NAME}: {entry}"):
        archive.get(f"imported/{NAME}")
    assert archive.get("last").white == "Ada"
    archive.store([played("Bob")])
    assert [each.white for each in archive.games()] == ["Bob", "Ada"]


def test_a_game_is_found_to_go_on_with(entry: str, archive: Archive) -> None:
    record = played("Ada")
    record.headers["Source"] = "a table"
    game = archive.new_game(record)
    game.close()
    assert list(archive.having("Source", "a table")) == [game.path]
    assert not list(archive.having("Source", "another"))


def test_commands_and_page_go_on(entry: str, archive: Archive, capsys: Output) -> None:
    archive.new_game(played("Ada")).close()
    archive.close()
    for words in (("games",), ("show", "last"), ("export", "last"), ("games", "--rebuild")):
        status, out, err = told(capsys, *words)
        assert (status, "Ada" in out, "Traceback" in err) == (0, True, False), (words, err)
    status, out, err = told(capsys, "export", "--all")
    assert (status, out.count('[White "Ada"]'), err.count(entry)) == (1, 1, 2)
    games = Games(archive.folder)
    found = games.list("", "", 50, 0)
    assert [each["white"] for each in found["games"]] == ["Ada"]
    assert [each["file"] for each in found["unreadable"]["files"]] == [NAME, f"imported/{NAME}"]
    with pytest.raises(NoSuchGame, match=entry):
        games.game(NAME.removesuffix(".ttykm"))
    games.close()


def test_a_game_is_imported_where_its_name_is_taken(
    entry: str, archive: Archive, tmp_path: Path
) -> None:
    """The file of an imported game is named for its content."""
    (stored,) = archive.store([played("Bob")])
    archive.close()
    file = archive.folder / "imported" / f"{stored.id}.ttykm"
    file.unlink()
    os.rename(archive.folder / "imported" / NAME, file)
    (again,) = archive.store([played("Bob")])
    assert again.id.startswith(stored.id)
    assert not again.is_duplicate
    assert [each.white for each in archive.games()] == ["Bob"]


@pytest.mark.parametrize("kind", ["looping", "dangling", "linked to zeros", "fifo", "folder"])
def test_our_own_files_are_something_else(
    kind: str, archive: Archive, tmp_path: Path, capsys: Output
) -> None:
    """The index, what beside it belongs to a database, the id, and what was unlocked."""
    archive.new_game(played("Ada")).close()
    names = ("index.sqlite", "index.sqlite-journal", "index.sqlite-wal", ".archive-id")
    for name in names:
        MADE[kind](archive.folder / name)
    for _ in range(2):
        assert [each.white for each in archive.games()] == ["Ada"]
        archive.rebuild()
        archive.close()
    with Archive(url=f"sqlite:///{tmp_path / 'other'}") as elsewhere:
        assert [each.white for each in elsewhere.games()] == ["Ada"]
    MADE[kind](archive.folder / "chapters.json")
    status, out, err = told(capsys, "unlock")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "chapters.json" in err
    assert told(capsys, "games")[0] == 0


def test_an_index_that_is_a_link_leads_nowhere(archive: Archive, tmp_path: Path) -> None:
    archive.new_game(played("Ada")).close()
    foreign = tmp_path / "foreign"
    foreign.write_bytes(b"")  # SQLite takes an empty file for a database
    (archive.folder / "index.sqlite").symlink_to(foreign)
    assert [each.white for each in archive.games()] == ["Ada"]
    assert foreign.read_bytes() == b""


@pytest.mark.parametrize("kind", ["empty", "looping", "fifo", "linked to zeros"])
def test_the_folder_of_imported_games_is_something_else(
    kind: str, archive: Archive, tmp_path: Path, capsys: Output
) -> None:
    archive.new_game(played("Ada")).close()
    MADE[kind](archive.folder / "imported")
    assert [each.white for each in archive.games()] == ["Ada"]
    ((file, why),) = [(each.file, each.problem) for each in archive.problems()]
    assert file == "imported"
    assert "is no folder; rename it" in why or "is a link, which is not followed" in why
    archive.rebuild()
    archive.close()
    (tmp_path / "game.ttykm").write_text(GAME)
    status, out, err = told(capsys, "import", str(tmp_path / "game.ttykm"))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"{archive.folder / 'imported'}: " in err
    assert why.partition(";")[0] in err
    (archive.folder / "imported").unlink()
    assert told(capsys, "import", str(tmp_path / "game.ttykm"))[0] == 0
    assert [each.white for each in archive.games()] == ["Eve", "Ada"]
    assert archive.problems() == []


def test_a_folder_of_imported_games_that_is_a_link_leads_nowhere(
    archive: Archive, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "x.ttykm").write_text(GAME)
    left = elsewhere / ".x.ttykm.1.tmp"
    left.touch()
    os.utime(left, (0, 0))
    archive.folder.mkdir()
    (archive.folder / "imported").symlink_to(elsewhere)
    archive.rebuild()
    assert archive.games() == []
    with pytest.raises(OSError, match="is a link, which is not followed"):
        archive.store([played("Bob")])
    assert sorted(os.listdir(elsewhere)) == [".x.ttykm.1.tmp", "x.ttykm"]


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), OSError(5, "broken")])
def test_what_cannot_be_read_now_is_tried_again(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, error: OSError
) -> None:
    """As root everything can be read, so the call that opens files fails here."""
    archive.new_game(played("Ada")).close()
    (archive.folder / "other.ttykm").write_text(GAME)
    opened = os.open

    def refused(path: str | Path, *args: int) -> int:
        if Path(path).name == "other.ttykm":
            raise error
        return opened(path, *args)

    with monkeypatch.context() as patched:
        patched.setattr(regular_files.os, "open", refused)
        assert [each.white for each in archive.games()] == ["Ada"]
        assert [each.problem for each in archive.problems()] == [error.strerror]
        assert not list(archive.having("White", "Eve"))
    archive.refresh()
    assert archive.problems() == []
    assert {each.white for each in archive.games()} == {"Ada", "Eve"}


@pytest.mark.parametrize("name", ["imported", NAME])
def test_what_cannot_even_be_looked_at(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    archive.store([played("Bob")])
    archive.close()
    (archive.folder / NAME).write_text(GAME)
    looked = os.lstat

    def refused(path: str | Path, **options: int) -> os.stat_result:
        if Path(path).name == name:
            raise PermissionError(13, "Permission denied")
        return looked(path, **options)

    with monkeypatch.context() as patched:
        patched.setattr(os, "lstat", refused)
        assert len(archive.games()) == 1
        assert [(each.file, each.problem) for each in archive.problems()] == [
            (name, "Permission denied")
        ]
    archive.refresh()
    assert len(archive.games()) == 2
    assert archive.problems() == []


@pytest.mark.parametrize("year_s", [-(1 << 40), -1, 0, 253_402_300_800, 1 << 34, 1 << 40, 1 << 62])
@pytest.mark.parametrize("name", ["by hand.ttykm", "2026-11-20T2153Z-06ea0500.ttykm"])
def test_a_file_of_any_year(archive: Archive, year_s: int, name: str, capsys: Output) -> None:
    archive.new_game(played("Ada")).close()
    file = archive.folder / name
    file.write_text(GAME)
    try:
        os.utime(file, (year_s, year_s))
    except (OSError, OverflowError):
        pytest.skip("this file system has no such time")
    assert {each.white for each in archive.games()} == {"Ada", "Eve"}
    archive.rebuild()
    archive.close()
    assert {each["white"] for each in json.loads(told(capsys, "games", "--json")[1])} == {
        "Ada",
        "Eve",
    }


def test_a_file_that_grows_while_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "game.ttykm"
    file.write_text("x" * 100)
    assert regular_files.read(file, 100) == b"x" * 100
    with pytest.raises(regular_files.NotAFileError, match="has more than"):
        regular_files.read(file, 99)


def test_a_record_that_could_not_be_read_back_is_not_imported(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regular_files, "MOST_BYTES", len(GAME) - 1)
    with pytest.raises(UserError, match="no game has"):
        archive.store([played("Bob"), played("Eve")])
    assert archive.games() == []


def test_rebuild_where_nothing_can_be_written(capsys: Output) -> None:
    """By another user, as a folder stops no root."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "games"
        with Archive(folder) as filled:
            filled.new_game(played("Ada")).close()
            filled.store([played("Bob")])
        (folder / "folder.ttykm").mkdir()
        where = "--archive", str(folder)
        told(capsys, "games", "--rebuild", *where)  # who is not root may not read our modules
        for path, mode in ((place, 0o755), (folder, 0o555), (folder / "imported", 0o555)):
            os.chmod(path, mode)
        user = os.geteuid()
        try:
            os.seteuid(user or 65534)
            with pytest.raises(PermissionError):
                (folder / "new").touch()
            said = [told(capsys, "games", *where)]
            rebuilt = told(capsys, "games", "--rebuild", *where)
            said.append(told(capsys, "games", *where))
        finally:
            os.seteuid(user)
            os.chmod(folder, 0o755)
            os.chmod(folder / "imported", 0o755)
    assert said[0] == said[1]
    status, out, err = said[0]
    assert (status, "Ada" in out, "Bob" in out, "folder.ttykm" in err) == (0, True, True, True)
    line = f"read {folder} anew: 2 games, 1 that cannot be read\n"
    assert rebuilt == (0, out, line + err)
