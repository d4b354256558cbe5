"""What viewers are told: nothing that steers, and no folder of the computer that serves them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from chronotable_host import chapters
from chronotable_host.archive import store
from chronotable_host.archive.schema import row_key
from chronotable_host.archive.store import Archive
from chronotable_host.errors import UserError
from chronotable_host.live.happenings import Notice
from chronotable_host.rules.record import format_record, parse_record
from chronotable_host.web.http.hub import Hub
from chronotable_host.web.study.games import Games, NoSuchGame
from tests.host.test_said import EVIL, EVIL_FILE, evil_record, steers, texts
from tests.page.evening import Evening
from tests.page.looker import Looker
from tests.page.served import served

quoted = partial(quote, safe="")
GAME = "2026-11-20T2153Z-06ea0500.ttykm"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "Ada Lovelace" / "archive"
    folder.mkdir(parents=True)
    monkeypatch.setenv("CHRONOTABLE_HOME", str(folder))
    return folder


def names_a_folder(text: str) -> bool:
    return "Lovelace" in text or "/tmp" in text


def test_the_api_steers_nobody(home: Path) -> None:
    (home / GAME).write_text(evil_record(), "utf-8")
    try:
        (home / EVIL_FILE).write_text(evil_record(), "utf-8")
        (home / f"bad{EVIL_FILE}").write_text(f'[{EVIL} "x\n', "utf-8")
    except OSError as error:
        pytest.skip(f"this file system has no such names: {error}")
    with served(home, games=Games(home)) as page:
        found = page.get("/api/games").told
        assert (found["total"], found["unreadable"]["total"]) == (2, 1)
        for game in found["games"]:
            answer = page.get(f"/api/games/{quoted(game['id'])}")
            assert answer.status == 200
            assert "evil" in texts(answer.told)
            assert steers(texts(answer.told)) == []
            record = page.get(f"/api/games/{quoted(game['id'])}/record")
            text = format_record(parse_record(evil_record()))
            assert record.body.decode() == text  # a file keeps its content
            assert steers(record.headers["content-disposition"]) == []
        assert steers(texts(found)) == []
        (bad,) = [each["file"] for each in found["unreadable"]["files"]]
        for path in (f"/api/games/{quoted(bad)[:-6]}", f"/api/position?position={quoted(EVIL)}"):
            answer = page.get(path)
            assert answer.status in (400, 404)
            assert steers(answer.why) == []


def test_the_socket_steers_nobody_and_names_no_folder() -> None:
    hub = Hub(lambda: {"board": EVIL, EVIL: [EVIL]})
    viewer = hub.join("here", lambda: None)
    hub.publish({"log": [{"text": EVIL}], EVIL: ("x", {"white": EVIL})})
    hub.receive(viewer, json.dumps({"id": 1, "do": "undo"}))
    (request,) = hub.take()
    request.refuse(f"/home/Ada L/x.ttykm: {EVIL}")
    sent = [json.loads(text) for text in hub.outgoing(viewer)]
    assert [each["type"] for each in sent] == ["hello", "control", "reply", "view"]
    assert steers(texts(sent)) == []
    assert sent[2]["why"].startswith("x.ttykm: ?[2J")


@pytest.mark.parametrize("wanted", ["nothing", "last", GAME, "../secret", EVIL[:3]])
def test_a_branch_from_nowhere_names_no_folder(home: Path, wanted: str) -> None:
    with closing(Evening(folder=home)) as evening:
        looker = Looker(evening, home)
        why = looker.ask("branch", game=wanted, turn=0)
    assert why
    assert not names_a_folder(why)


def damaged_chapters(home: Path) -> None:
    (home / chapters.FILE).write_text("x")


def newer_index(home: Path) -> None:
    with Archive(home) as archive:
        archive.games()
    with closing(sqlite3.connect(home / "index.sqlite")) as connection, connection:
        connection.execute("update chronotable set schema = 99")


def no_folder(home: Path) -> None:
    for path in home.iterdir():
        path.unlink()
    home.rmdir()
    home.touch()


@pytest.mark.parametrize("harm", [damaged_chapters, newer_index, no_folder])
def test_whatever_is_wrong_no_folder_is_named(home: Path, harm: Any) -> None:
    record = evil_record().replace('[Modules "standard"]', '[Modules "growth"]')
    record = record.replace(' w"]', ' w growth -/-/- seeds=5"]')
    (home / GAME).write_text(record, "utf-8")
    harm(home)
    paths = ["/api/games", "/api/games/06ea0500", "/api/games/nothing"]
    with served(home, games=Games(home)) as page:
        answers = [page.get(path) for path in (*paths, "/api/position?position=x%20growth")]
    assert any(answer.status >= 400 for answer in answers)
    assert not [answer for answer in answers if names_a_folder(answer.body.decode())]


def test_a_game_that_went_bad_names_no_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / GAME).write_text(evil_record(), "utf-8")
    games = Games(home)
    games.list("", "", 50, 0)
    read = store.read

    def bad(path: Path) -> Any:
        path.write_text("1. no turn", "utf-8")
        return read(path)

    monkeypatch.setattr(store, "read", bad)
    with pytest.raises(NoSuchGame, match=f"^The file {GAME} cannot be read: line 1, turn 1") as got:
        games.game("06ea0500")
    assert not names_a_folder(str(got.value))


def test_what_goes_on_is_told_without_folders(home: Path) -> None:
    with closing(Evening(folder=home)) as evening:
        looker = Looker(evening, home)
        looker.evening.tell(Notice(0, f"{home}/x.ttykm: cannot be written"))
        looker.page._health = lambda: (f"a table on {home}/tty",)
        looker.page._health_due_ms = 0
        view = looker.look()
    assert not names_a_folder(json.dumps(view))
    assert view["log"][-1]["text"] == "x.ttykm: cannot be written"
    assert view["health"]["lines"] == ["a table on tty"]


# ---------------------------------------------------------------- rows are not believed


@pytest.mark.parametrize(
    "name",
    [
        "../../../../etc/passwd", "/etc/passwd", "../secret.ttykm", "imported/../../secret.ttykm",
        "other/secret.ttykm", "index.sqlite", ".archive-id", "..\\secret.ttykm", "x\0.ttykm", "",
        "imported/", "imported/imported/x.ttykm", "//x.ttykm", "imported//x.ttykm",
    ],
)  # fmt: skip
@pytest.mark.parametrize("where", ["in the folder", "elsewhere"])
def test_no_row_leads_out_of_the_folder(home: Path, name: str, where: str, tmp_path: Path) -> None:
    """Whoever may write in the database has a row of ours name another file."""
    (home / GAME).write_text(evil_record(), "utf-8")
    (home.parent / "secret.ttykm").write_text(evil_record(), "utf-8")
    file = home / "index.sqlite" if where == "in the folder" else tmp_path / "x.sqlite"
    url = None if where == "in the folder" else f"sqlite:///{file}"
    with Archive(home, url) as archive:
        archive.games()
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("update chronotable_games set file_name = ?", (name,))
        (entry,) = archive.games()
        assert entry.file == name
        for ask in (archive.path, archive.read):
            with pytest.raises(UserError, match="no file of the archive"):
                ask(entry)
    games = Games(home, url)
    for each in (games.game, games.record, games.stories):
        with pytest.raises(NoSuchGame) as caught:
            each("06ea0500")
        assert "root:" not in str(caught.value)
    with Archive(home, url) as archive:
        archive.rebuild()
        assert archive.read(archive.get("last")).record.headers["White"]


def test_a_row_of_a_file_that_is_not_there_goes(home: Path) -> None:
    (home / GAME).write_text(evil_record(), "utf-8")
    name = "../../../../etc/passwd"
    with Archive(home) as archive:
        archive.games()
    with closing(sqlite3.connect(home / "index.sqlite")) as connection, connection:
        connection.execute(
            "update chronotable_games set file_name = ?, row_key = ?", (name, row_key("own", name))
        )
    with Archive(home) as archive:
        assert [entry.file for entry in archive.games()] == [GAME]
