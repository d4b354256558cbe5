"""PostgreSQL as a database for the index: only one in UTF-8 takes everybody's name.

With `CHRONOTABLE_POSTGRESQL`, the URL of a server on which databases may be made and dropped, and
its driver, a real one is asked, too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sql
from sqlalchemy.engine import make_url

from chronotable_host.archive import database
from chronotable_host.archive.database import DamagedError
from chronotable_host.archive.store import Archive
from chronotable_host.cli import run
from chronotable_host.rules.record import format_record
from tests import lanes
from tests.host.archives import Output, played

pytestmark = [lanes.tool, pytest.mark.usefixtures("home")]

SERVER = os.environ.get("CHRONOTABLE_POSTGRESQL", "")
URL = "postgresql+pg8000://ada:secret@host/games"
NAME = "Zoë Łukasz 春"


class DriverError(Exception):
    """What a driver raises."""


class Connection:
    """A connection to PostgreSQL that answers one question; `said` is what it was asked."""

    def __init__(self, encoding: str | bytes) -> None:
        self.encoding = encoding
        self.said: list[str] = []
        self.is_open = True

    def cursor(self) -> Connection:
        return self

    def execute(self, statement: str) -> None:
        self.said.append(statement)

    def fetchone(self) -> tuple[str | bytes]:
        return (self.encoding,)

    def rollback(self) -> None:
        pass

    def close(self) -> None:
        self.is_open = False


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII", b"SQL_ASCII", "WIN1252"])
def test_a_database_that_is_not_in_utf_8_is_refused(
    encoding: str | bytes, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    connection = Connection(encoding)
    driver = SimpleNamespace(
        paramstyle="format",
        Error=DriverError,
        InterfaceError=DriverError,
        connect=lambda **_words: connection,
    )
    create = sql.create_engine
    monkeypatch.setattr(database.sql, "create_engine", lambda url: create(url, module=driver))
    assert run(["games", "--url", URL]) == 2
    name = encoding.decode() if isinstance(encoding, bytes) else encoding
    assert capsys.readouterr().err == (
        "chronotable: the database postgresql+pg8000://ada:***@host/games cannot be used: it is "
        f"a database in {name}, and the players' names need one in UTF-8; `createdb --encoding "
        "UTF8 --template template0 NAME` makes one\n"
    )
    assert connection.said == ["SHOW server_encoding"]
    assert not connection.is_open


@pytest.fixture
def server() -> sql.Engine:
    """A real PostgreSQL."""
    if not SERVER:
        pytest.skip("CHRONOTABLE_POSTGRESQL does not name a PostgreSQL server")
    return sql.create_engine(SERVER, isolation_level="AUTOCOMMIT")


@pytest.fixture
def made(request: pytest.FixtureRequest, server: sql.Engine) -> Iterator[str]:
    """The URL of a database in the encoding that the test names."""
    name = f"chronotable_test_{request.param.lower()}"
    with server.connect() as connection:
        connection.execute(sql.text(f"DROP DATABASE IF EXISTS {name}"))
        words = "TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'"
        connection.execute(sql.text(f"CREATE DATABASE {name} ENCODING '{request.param}' {words}"))
    yield make_url(SERVER).set(database=name).render_as_string(hide_password=False)
    with server.connect() as connection:
        connection.execute(sql.text(f"DROP DATABASE {name}"))
    server.dispose()


def game_in(url: str) -> Any:
    """Put a game of somebody with a name into the archive, and find it there."""
    record = played(white=NAME)
    with Archive(url=url) as archive:
        archive.folder.mkdir(parents=True, exist_ok=True)
        (archive.folder / "game.ttykm").write_text(format_record(record), "utf-8")
    with Archive(url=url) as archive:
        return archive.games()


@pytest.mark.parametrize("made", ["UTF8"], indirect=True)
def test_a_real_one_in_utf_8_keeps_every_name(made: str) -> None:
    (game,) = game_in(made)
    assert game.white == NAME


@pytest.mark.parametrize("made", ["LATIN1", "SQL_ASCII"], indirect=True)
def test_a_real_one_in_another_encoding_is_refused(made: str) -> None:
    with pytest.raises(DamagedError, match="need one in UTF-8"):
        game_in(made)
