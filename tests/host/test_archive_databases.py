"""Databases that the index may be in: places, schemas, dialects, URLs; what is looked for there."""

from __future__ import annotations

import contextlib
import errno
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql
from sqlalchemy.dialects import mssql, mysql, oracle, postgresql, sqlite

from chronotable_host.archive import disk, index, schema
from chronotable_host.archive.database import UnusableError
from chronotable_host.archive.store import Archive, GameFilter
from chronotable_host.errors import UserError
from chronotable_host.rules.record import format_record
from tests import lanes
from tests.host.archives import ask, played
from tests.host.power_cut import Calls

pytestmark = pytest.mark.usefixtures("home")


def shared(tmp_path: Path) -> str:
    """Return the URL of a database elsewhere."""
    return f"sqlite:///{tmp_path / 'elsewhere.sqlite'}"


# ---- databases elsewhere


def test_a_database_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Archive(url=shared(tmp_path)) as archive:
        archive.new_game(played()).close()
        assert len(archive.games()) == 1
        assert not (archive.folder / "index.sqlite").exists()
    assert (tmp_path / "elsewhere.sqlite").exists()
    monkeypatch.setenv("CHRONOTABLE_DB", "nosuch://host/base")
    with Archive() as archive, pytest.raises(UserError, match="CHRONOTABLE_DB takes a URL"):
        archive.games()


def test_folders_that_share_a_database(tmp_path: Path) -> None:
    """Each sees its own games, also where the other one is rebuilt, moved, or has the same game."""
    url = shared(tmp_path)
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        with Archive(folder, url) as archive:
            archive.store([played(), played(folder.name)])
            archive.new_game(played("live " + folder.name)).close()
    reads: list[int] = []
    for _ in range(3):
        reads.clear()
        for folder in folders:
            with Archive(folder, url, lambda done, *_: reads.append(done)) as archive:
                assert [game.white for game in archive.games()] == [
                    "live " + folder.name, folder.name, "Ada",
                ]  # fmt: skip
    assert reads == []
    with Archive(folders[0], url) as archive:
        archive.rebuild()
    moved = tmp_path / "moved"
    folders[1].rename(moved)
    with Archive(moved, url, lambda done, *_: reads.append(done)) as archive:
        assert len(archive.games()) == 3
    assert reads == []
    with Archive(tmp_path / "none", url) as archive:
        assert archive.games() == []


def test_a_folder_that_cannot_be_written_to_has_an_index_all_the_same(
    tmp_path: Path, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive.new_game(played()).close()

    def hook(name: str, _args: tuple[Any, ...]) -> None:
        if name == "open":
            raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(disk, "os", Calls(hook))
    for _ in range(2):
        with Archive(archive.folder, shared(tmp_path)) as other:
            assert len(other.games()) == 1


# ---- schemas

OF_SCHEMA_1 = (
    "create table chronotable_games (x)",
    "create table chronotable (schema integer primary key)",
    "insert into chronotable values (1)",
)


@pytest.fixture(params=["in the folder", "elsewhere"])
def file(request: pytest.FixtureRequest, tmp_path: Path, archive: Archive) -> Path:
    """Return where the index of the archive is."""
    if request.param == "elsewhere":
        archive.url = shared(tmp_path)
        return tmp_path / "elsewhere.sqlite"
    return archive.folder / "index.sqlite"


def test_a_table_of_somebody_else_stays(tmp_path: Path, archive: Archive) -> None:
    """Schema 1 called its table `games`, as others may."""
    archive.new_game(played("mine")).close()
    archive.url, elsewhere = shared(tmp_path), tmp_path / "elsewhere.sqlite"
    ask(elsewhere, "create table games (title)", *OF_SCHEMA_1)
    assert [game.white for game in archive.games()] == ["mine"]
    archive.close()
    assert ask(elsewhere, "select * from games") == []


def test_an_index_of_a_newer_chronotable_is_left_as_it_is(archive: Archive, file: Path) -> None:
    archive.new_game(played()).close()
    ask(
        file,
        "create table chronotable (schema integer primary key)",
        f"insert into chronotable values ({schema.SCHEMA + 1})",
        "create table chronotable_games_and_more (x)",
    )
    before = file.read_bytes()
    newer = f"newer chronotable (schema {schema.SCHEMA + 1}, this one knows {schema.SCHEMA})"
    with pytest.raises(UserError, match=re.escape(newer)):
        archive.games()
    assert file.read_bytes() == before
    if archive.url:
        with pytest.raises(UserError, match="newer"):
            archive.rebuild()
        assert file.read_bytes() == before
    else:
        archive.rebuild()
        assert len(archive.games()) == 1


@pytest.mark.parametrize("before", ["nothing", "schema 1"])
def test_one_process_does_not_drop_what_another_has_just_made(
    tmp_path: Path, archive: Archive, before: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one makes the index between this one's look at the schema and what it does."""
    archive.new_game(played("mine")).close()
    url = shared(tmp_path)
    if before == "schema 1":
        ask(tmp_path / "elsewhere.sqlite", *OF_SCHEMA_1)
    other = Archive(archive.folder, url)
    looks = iter([other.open])
    schema_of = index._schema_of

    def answered(connection: sql.Connection) -> int | None:
        there = schema_of(connection)
        for look in looks:
            look()
        return there

    cleared: list[int] = []
    clear = schema.clear

    def counted(connection: sql.Connection, there: int) -> None:
        clear(connection, there)
        cleared.append(there)

    monkeypatch.setattr(index, "_schema_of", answered)
    monkeypatch.setattr(schema, "clear", counted)
    archive.url = url
    archive.open()
    assert next(looks, None) is None
    assert cleared == [0 if before == "nothing" else 1]
    assert "mine" in [game.white for game in other.games()]
    other.close()


# ---- no database's own


DIALECTS = (sqlite, postgresql, mysql, oracle, mssql)


@pytest.fixture
def statements() -> Iterator[list[Any]]:
    """Collect all that is asked of any database."""
    found: list[Any] = []

    def note(_connection: Any, clause: Any, *_: Any) -> None:
        found.append(clause)

    sql.event.listen(sql.Engine, "before_execute", note)
    yield found
    sql.event.remove(sql.Engine, "before_execute", note)


@pytest.mark.parametrize("package", DIALECTS, ids=lambda package: package.__name__.split(".")[-1])
def test_whatever_is_asked_any_database_can_be_asked(
    package: Any, archive: Archive, statements: list[Any]
) -> None:
    archive.folder.mkdir()
    (archive.folder / "empty.ttykm").write_text("")
    ask(archive.folder / "index.sqlite", *OF_SCHEMA_1)
    archive.store([played("new")])
    archive.games(GameFilter("ada", "*"), 3)
    archive.problems()
    archive.get("last")
    with contextlib.suppress(UserError):
        archive.get("0")
    archive.count(GameFilter("ada", "*"))
    archive.count_problems()
    archive.games(limit=1, offset=1)
    (archive.folder / "empty.ttykm").unlink()
    archive.refresh()
    archive.rebuild()
    kinds = {type(statement).__name__ for statement in statements}
    assert {"CreateTable", "CreateIndex", "DropTable", "Select", "Insert", "Delete"} <= kinds
    assert "TextClause" not in kinds
    for statement in statements:
        assert str(statement.compile(dialect=package.dialect())).strip()


def test_columns_fit_every_database() -> None:
    """Keys of plain ASCII and by us; texts with a length, which may be missing; rows not too long.

    Oracle keeps an empty text as none; MySQL takes 3,072 bytes of 4 per character in a key and
    65,535 in a row; SQL Server 900 in a key, and counts two for an emoji.
    """
    for table in schema.tables.tables.values():
        for column in table.columns:
            if isinstance(column.type, sql.String):
                assert column.type.length, column
                is_number_or_name = isinstance(column.type, sql.Unicode) or column.nullable
                assert is_number_or_name or column.name in ("row_key", "archive"), column
            assert not (column.primary_key and column.autoincrement is True)
        for key in (table.primary_key.columns, *(each.columns for each in table.indexes)):
            lengths = [getattr(column.type, "length", None) or 8 for column in key]
            assert 2 * sum(lengths) <= 900, table
        lengths = [getattr(column.type, "length", None) or 8 for column in table.columns]
        assert 4 * sum(lengths) <= 65_535, table
    assert schema.about.c.schema.autoincrement is False


# ---- what can be wrong with a URL


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("nonsense", "--url is no URL of a database; it reads as sqlite:///file or "),
        ("postgresql://ada:secret@host:port/x", "--url is no URL of a database"),
        ("nosuch://ada:secret@host/x", r"nosuch://ada:\*\*\*@host/x .* knows no 'nosuch' here"),
        ("firebird+no_such_driver://host/x", "knows no 'firebird.no_such_driver' here"),
        ("sqlite:////no/such/folder/x", "the database sqlite:////no/such/folder/x cannot be used"),
        ("sqlite:///{not_one}", "cannot be used: file is not a database"),
        ("sqlite:///{foreign}", "has a table 'chronotable' that is not of ours"),
    ],
)
def test_a_url_that_cannot_be_used(url: str, sentence: str, tmp_path: Path) -> None:
    not_one, foreign = tmp_path / "not_one", tmp_path / "foreign"
    not_one.write_bytes(b"not a database" * 100)
    ask(foreign, "create table chronotable (watches integer)")
    before = foreign.read_bytes()
    archive = Archive(url=url.format(not_one=not_one, foreign=foreign))
    for does in (archive.games, archive.rebuild):
        with pytest.raises(UnusableError, match=sentence) as caught:
            does()
        assert "secret" not in str(caught.value)
        assert "\n" not in str(caught.value)
    assert foreign.read_bytes() == before


def test_a_driver_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_driver(_url: object) -> None:
        raise ModuleNotFoundError("No module named 'psycopg'", name="psycopg")

    monkeypatch.setattr(sql, "create_engine", no_driver)
    archive = Archive(url="postgresql+psycopg://ada:secret@host/x")
    with pytest.raises(UnusableError, match=r"driver is not installed \(No module named 'psycopg"):
        archive.games()


# ---- what is looked for

NAMES = (
    "Zoë_1.ttykm",
    "zoe%.ttykm",
    "STRASSE.ttykm",
    "100\N{SNOWMAN}.ttykm",
    "a.b.ttykm",
    "a.ttykm",
)


@lanes.gate
def test_any_part_of_a_name_fits_what_it_begins(archive: Archive) -> None:
    """Ids, files and paths, whole or the beginning of them: as comparing them one by one finds."""
    archive.store([played("imported"), played("imported too")])
    archive.new_game(played("live")).close()
    for name in NAMES:
        (archive.folder / name).write_text(format_record(played(name)), "utf-8")
    (archive.folder / "imported" / "Zoë_1.ttykm").write_text("bad", "utf-8")
    archive.refresh()
    entries = [*archive.games(), *archive.problems()]
    called = {
        entry.file: [
            name.casefold()
            for name in (entry.id, Path(entry.file).stem, Path(entry.file).name, entry.file)
        ]
        for entry in entries
    }
    texts = {text[:length] for names in called.values() for text in names for length in range(40)}
    for text in sorted(
        texts | {"Strasse", "straße", "ZOË_1.TTYKM", "%", "_", "zoe_", "\\", "x" * 99_999}
    ):
        key = text.casefold()
        fits = [file for file, names in called.items() if key in names]
        fits = fits or [
            file for file, names in called.items() if any(it.startswith(key) for it in names)
        ]
        if not text or text == "last":
            continue
        try:
            found = [archive.get(text).file]
        except UserError as error:
            said = str(error)
            count = re.search(r"fits (\d+) games", said)
            if "no game" in said:
                assert fits == [], text
            elif count:
                assert int(count[1]) == len(fits) > 1, text
            else:
                assert fits == ["imported/Zoë_1.ttykm"], (text, said)
        else:
            assert found == fits, text


def test_an_index_of_schema_2_is_made_anew(archive: Archive, file: Path) -> None:
    """That had no keys to find a game by."""
    ids = [archive.new_game(played(name)).id for name in ("Ada", "Zoë")]
    archive.store([played("Eve")])
    (archive.folder / "empty.ttykm").write_text("")
    archive.refresh()
    archive.close()
    for name in ("id", "name"):
        ask(
            file,
            f"drop index ix_chronotable_{name}",
            f"alter table chronotable_games drop column {name}_key",
        )
    as_it_was = "update chronotable_games set white = white || ' as it was'"
    ask(file, as_it_was, "update chronotable set schema = 2")
    assert archive.get(ids[1][:7]).white == "Zoë"
    assert archive.get("imported/").white == "Eve"
    assert archive.get(ids[0].upper()).white == "Ada"
    assert [problem.file for problem in archive.problems()] == ["empty.ttykm"]
    archive.close()
    assert ask(file, "select schema from chronotable") == [(schema.SCHEMA,)]
