"""A club as people have it: the commands, a broker, tables that play, a database."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sql
from sqlalchemy.engine import make_url

from chronotable_club.commands.club import serving
from chronotable_club.folder import new_club, open_club
from chronotable_far.broker.embedded import EmbeddedBroker
from chronotable_host.archive.parsing import read
from chronotable_host.archive.store import Archive
from chronotable_host.cli import run
from tests import lanes
from tests.broker.conftest import LOCAL
from tests.lab.ports import free_port
from tests.waiting import until

pytestmark = pytest.mark.usefixtures("usual_broker_port")

SERVER = os.environ.get("CHRONOTABLE_POSTGRESQL", "")


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of a database, "" for one in the club's folder."""
    if request.param == "sqlite":
        yield ""
        return
    if not SERVER:
        pytest.skip("CHRONOTABLE_POSTGRESQL does not name a PostgreSQL server")
    server = sql.create_engine(SERVER, isolation_level="AUTOCOMMIT")
    name = f"chronotable_club_{os.getpid()}"
    with server.connect() as connection:
        connection.execute(sql.text(f"DROP DATABASE IF EXISTS {name}"))
        connection.execute(sql.text(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0"))
    yield make_url(SERVER).set(database=name).render_as_string(hide_password=False)
    with server.connect() as connection:
        connection.execute(sql.text(f"DROP DATABASE {name} WITH (FORCE)"))
    server.dispose()


@lanes.gate
def test_two_tables_play_and_the_club_has_their_games(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "club"
    named = ["--db", url] if url else []
    broker = EmbeddedBroker(LOCAL, free_port())
    address = f"mqtt://{LOCAL}:{broker.port}"
    assert run(["club", "new", "Café", "--folder", str(folder), "--broker", address, *named]) == 0
    assert run(["club", "new", "Café", "--folder", str(folder)]) == 2
    capsys.readouterr()
    tokens = []
    for name in ("Table 1", "Table 2"):
        assert run(["club", "table", "add", name, "--folder", str(folder), "--json"]) == 0
        tokens.append(json.loads(capsys.readouterr().out)["token"])
    assert run(["club", "table", "add", "table 1", "--folder", str(folder)]) == 2
    assert run(["club", "table", "list", "--folder", str(folder)]) == 0
    listed = capsys.readouterr()
    assert "Table 2" in listed.out
    secret = json.loads((folder / "club.json").read_text("utf-8"))["secret"]
    assert secret not in listed.out + listed.err
    assert (folder / "club.json").stat().st_mode & 0o077 == 0

    def play(number: int) -> None:
        words = ["try", "--headless", "--quiet", "--seed", str(number), "--turns", "8"]
        club = ["--club", address, "--token", tokens[number], "--as", f"Table {number + 1}"]
        assert run([*words, *club, "--archive", str(tmp_path / "games")]) == 0

    with serving(open_club(folder), None) as (_, collector):
        until(lambda: len(collector.hub.tables) == 2)
        play(0)
        until(lambda: len(list(collector.folder.games.glob("*.ttykm"))) == 1)
    play(1)  # nobody collects
    broker.close()
    play(0)  # not even a broker is there
    assert "nothing is lost" in capsys.readouterr().err
    broker = EmbeddedBroker(LOCAL, broker.port)
    with serving(open_club(folder), None) as (_, collector):
        play(1)
        play(0)
        until(lambda: len(list(collector.folder.games.glob("*.ttykm"))) == 5)
        until(lambda: len(collector.register.files()) == 5 and not collector.behind)
        with Archive(collector.folder.games, collector.folder.url) as archive:
            assert archive.count() == 5
        delivered = collector.register.delivered()
        assert {each.table_name for each in delivered} == {"Table 1", "Table 2"}
    broker.close()
    played = sorted((tmp_path / "games").glob("*.ttykm"), key=lambda it: it.stat().st_mtime_ns)
    assert len(played) == 5
    for number, file in zip((1, 2, 1, 2, 1), played, strict=True):  # of one folder, each its own
        own, its = read(file).record, read(folder / "games" / file.name).record
        assert own.turns == its.turns
        assert its.headers["Table"] == f"Table {number}"
    assert run(["club", "table", "revoke", "Table 2", "--folder", str(folder)]) == 0
    assert run(["club", "table", "revoke", "Table 2", "--folder", str(folder)]) == 2
    assert threading.active_count() < 20


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["play", "--club", "mqtt://host"], "--club needs the table's --token"),
        (["play", "--as", "Table 4"], "--as belongs to --club"),
        (["try", "--club", "mqtt://host", "--token", "x", "--headless"], "is no token of a table"),
        (["club", "serve", "--folder", "/nowhere"], "holds no club"),
        (["club", "new", "Café", "--db", "no url"], "is no URL of a database"),
        (["club", "new", "Café", "--broker", "http://host"], "is no broker"),
    ],
)
def test_what_cannot_be_is_told(
    words: list[str],
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path))
    monkeypatch.delenv("CHRONOTABLE_TOKEN", raising=False)
    assert run(words) == 2
    assert why in capsys.readouterr().err


def test_a_club_has_one_hub(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two would write into the same records."""
    club = new_club(tmp_path / "club", "Café")
    with club.collected():
        assert run(["club", "serve", "--folder", str(club.path), "--no-browser"]) == 2
        assert "another program collects for the club in" in capsys.readouterr().err
    with open_club(club.path).collected():
        pass  # the lock is gone with who had it
