"""The app behind a real server: files, archive, socket, and what rude clients get."""

import json
import os
import re
import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from chronotable_host import chapters
from chronotable_host.web.http import app
from chronotable_host.web.http import hub as hubs
from chronotable_host.web.http.files import STATIC
from chronotable_host.web.http.requests import MOST_BYTES
from tests import lanes
from tests.page.served import BOARD, WAIT_S, FakeGames, served

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; media-src data:; connect-src 'self' ws://{host}; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files of a page, and one in the folder above that must not be served."""
    static = tmp_path_factory.mktemp("page") / "static"
    static.mkdir()
    (static / "index.html").write_text("<!doctype html><title>Table</title>", "utf-8")
    (static / "main.js").write_text("export {};", "utf-8")
    (static / "style.css").write_text("body {}", "utf-8")
    (static / "notes.txt").write_text("secret", "utf-8")
    (static / ".hidden.js").write_text("secret", "utf-8")
    (static / "sub").mkdir()
    (static / "sub" / "inner.js").write_text("secret", "utf-8")
    (static.parent / "secret.js").write_text("secret", "utf-8")
    (static / "link.js").symlink_to(static.parent / "secret.js")
    (static / "folder.js").mkdir()
    return static


@pytest.fixture(scope="module")
def page(folder):
    with served(folder) as page:
        yield page


# ---- files


@pytest.mark.parametrize(
    ("path", "kind", "body"),
    [
        ("/", "text/html; charset=utf-8", b"<!doctype html><title>Table</title>"),
        ("/static/index.html", "text/html; charset=utf-8", b"<!doctype html><title>Table</title>"),
        ("/static/main.js", "text/javascript; charset=utf-8", b"export {};"),
        ("/static/style.css", "text/css; charset=utf-8", b"body {}"),
        ("/board.svg", "image/svg+xml", BOARD.encode()),
    ],
)
def test_files_are_asked_about_each_time_and_sent_when_they_have_changed(page, path, kind, body):
    answer = page.get(path)
    assert (answer.status, answer.headers["content-type"], answer.body) == (200, kind, body)
    assert answer.headers["cache-control"] == "no-cache"
    again = page.get(path, If_None_Match=answer.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    assert page.get(path, If_None_Match='"other"').status == 200
    head = page.get(path, method="HEAD")
    assert (head.status, head.body) == (200, b"")


def test_a_page_that_was_upgraded_is_seen_at_once(page, folder):
    file = folder / "new.js"
    file.write_text("1", "utf-8")
    tag = page.get("/static/new.js").headers["etag"]
    file.write_text("2", "utf-8")
    assert page.get("/static/new.js", If_None_Match=tag).body == b"2"


TRICKS = [
    r"/static/../secret.js",
    r"/static/..%2fsecret.js",
    r"/static/%2e%2e/secret.js",
    r"/static/%2e%2e%2fsecret.js",
    r"/static/%252e%252e%252fsecret.js",
    r"/static/..\secret.js",
    r"/static/..%5csecret.js",
    r"/static/..%00.js",
    r"/static/main.js%00",
    r"/static//secret.js",
    r"/static//etc/passwd",
    r"/static/%2fetc%2fpasswd",
    r"/static/C:%5cmain.js",
    r"/../secret.js",
    r"/%2e%2e/secret.js",
    r"//static/main.js",
]
MISSING = [
    "/static/",
    "/static",
    "/static/link.js",
    "/static/folder.js",
    "/static/sub",
    "/static/sub/inner.js",
    "/static/notes.txt",
    "/static/.hidden.js",
    "/static/none.js",
    "/static/main",
    "/static/main.js/",
    "/static/MAIN.JS.",
    "/static/main.js::$DATA",
    "/index.html",
    "/api",
    "/api/",
    "/api/games/",
    "/openapi.json",
    "/ws",
]


@pytest.mark.parametrize("path", [*TRICKS, *MISSING])
def test_nothing_else_is_served(page, path, caplog):
    answer = page.get(path)
    assert (answer.status, answer.why) == (404, "there is nothing at this address")
    assert b"secret" not in answer.body


def test_tricks_with_paths_are_logged(folder, caplog):
    with served(folder) as page:
        for path in TRICKS:
            page.get(path)
    assert [(record.name, record.levelname) for record in caplog.records] == [
        ("chronotable.page", "WARNING")
    ] * len(TRICKS)
    said = [record.getMessage() for record in caplog.records]
    assert all(line.endswith(": there is nothing at this address") for line in said), said


def test_a_link_within_the_folder_is_served(page, folder):
    (folder / "alias.js").symlink_to(folder / "main.js")
    assert page.get("/static/alias.js").body == b"export {};"


# ---- the archive


def test_the_page_does_not_wait_for_the_archive(folder):
    """Twelve readers whom the archive keeps waiting; the page, its files and pictures go out."""
    is_asked, may_answer = threading.Event(), threading.Event()

    class SlowGames(FakeGames):
        def game(self, id):  # noqa: A002
            is_asked.set()
            assert may_answer.wait(WAIT_S)
            return {"id": id}

    with served(folder, games=SlowGames()) as page, ThreadPoolExecutor(12) as readers:
        answers = [readers.submit(page.get, f"/api/games/{number}") for number in range(12)]
        assert is_asked.wait(WAIT_S)
        for path in ("/", "/static/main.js", "/board.svg", "/picture.svg?position=w"):
            assert page.get(path).status == 200
        assert not any(answer.done() for answer in answers)
        may_answer.set()
        assert {answer.result(WAIT_S).status for answer in answers} == {200}


def test_a_file_of_the_page_is_read_once(page, folder, monkeypatch):
    os.utime(folder / "style.css", (0, 0))
    read = []
    read_bytes = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read.append(path.name) or read_bytes(path))
    bodies = {page.get("/static/style.css").body for _ in range(5)}
    assert (bodies, read) == ({b"body {}"}, ["style.css"])
    (folder / "style.css").unlink()
    assert page.get("/static/style.css").status == 404
    (folder / "style.css").write_text("body {}", "utf-8")


def test_the_list_of_games(page):
    answer = page.get("/api/games")
    assert answer.told == {"games": [{"id": "one"}], "total": 1}
    assert answer.headers["content-type"] == "application/json"
    page.get("/api/games?player=An%20n&result=1-0&limit=7&offset=14&order=mistakes&other=x")
    assert page.games.asked[-2:] == [("", "", 50, 0, ""), ("An n", "1-0", 7, 14, "mistakes")]


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("limit=x", "'limit' is a whole number from 0 to 500"),
        ("limit=501", "'limit' is a whole number from 0 to 500"),
        ("limit=-1", "'limit' is a whole number from 0 to 500"),
        ("limit=", "'limit' is a whole number from 0 to 500"),
        ("limit=1e2", "'limit' is a whole number from 0 to 500"),
        ("limit=%D9%A1", "'limit' is a whole number from 0 to 500"),
        ("offset=" + "9" * 900, "'offset' is a whole number from 0 to 1000000000"),
        ("player=" + "x" * 1001, "'player' has more than 1000 characters"),
    ],
)
def test_a_list_that_cannot_be(page, query, why):
    answer = page.get(f"/api/games?{query}")
    assert (answer.status, answer.why) == (400, why)


def test_a_game_and_its_record(page):
    assert page.get("/api/games/one").told == {"id": "one", "turns": []}
    answer = page.get("/api/games/one/record")
    assert answer.body == b'[White "Ann"]\n'
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["content-disposition"] == (
        "attachment; filename=\"gr__e__1_.ttykm\"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%221%22.ttykm"
    )


def test_what_happened_in_a_game(page):
    answer = page.get("/api/games/one/stories")
    told = {"id": "one", "turns": [{"says": "Stepped twice in the past"}]}
    assert answer.told == told
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("kind", "name", "media_type"),
    [
        ("page", "one-7.html", "text/html; charset=utf-8"),
        ("turn", "one-7.svg", "image/svg+xml"),
        ("text", "one-7.txt", "text/plain; charset=utf-8"),
    ],
)
def test_a_game_is_shared_as_a_file(page, kind, name, media_type):
    """Never shown by the browser itself: a page of its own would be one of ours."""
    answer = page.get(f"/api/games/one/share?kind={kind}&turn=7")
    assert (answer.status, answer.body) == (200, f"one {kind} 7".encode())
    assert answer.headers["content-type"] == media_type
    assert f'attachment; filename="{name}"' in answer.headers["content-disposition"]


def test_statistics_are_asked_for(page):
    assert page.get("/api/statistics").told == {"total": {"games": 1}}
    page.get("/api/statistics?player=An%20n&modules=x&after=1%20E%20E%20%3Epast")
    assert page.games.asked[-2:] == [("", "standard", ""), ("An n", "x", "1 E E >past")]


def test_positions_and_their_pictures(page):
    answer = page.get("/api/position?position=w%20b")
    assert answer.told == {"position": "w b", "pieces": []}
    answer = page.get("/picture.svg?position=w%20b")
    assert answer.body == b"<svg><title>w b</title></svg>"
    assert answer.headers["content-type"] == "image/svg+xml"
    assert 'attachment; filename="position.svg"' in answer.headers["content-disposition"]


@pytest.mark.parametrize(
    ("path", "status", "why"),
    [
        ("/api/games/none", 404, "there is no such game"),
        ("/api/games/none/record", 404, "there is no such game"),
        ("/api/games/none/stories", 404, "there is no such game"),
        ("/api/games/locked", 403, chapters.LOCKED),
        ("/api/games/locked/stories", 403, chapters.LOCKED),
        ("/api/games/broken", 500, "one.ttykm: Input/output error"),
        ("/api/position?position=wrong", 400, "a position has three boards"),
        ("/picture.svg?position=wrong", 400, "a position has three boards"),
        ("/api/position", 400, "'position' is missing"),
        ("/api/games/none/share?kind=page", 404, "there is no such game"),
        ("/api/games/locked/share?kind=page", 403, chapters.LOCKED),
        ("/api/games/one/share", 400, "'kind' is missing"),
        ("/api/games/one/share?kind=film", 400, "a game is not shared so"),
        (
            "/api/games/one/share?kind=turn&turn=x",
            400,
            "'turn' is a whole number from 0 to 100000",
        ),
        ("/api/statistics?after=wrong", 400, "that is no turn"),
        ("/picture.svg?position=" + "w" * 1001, 400, "'position' has more than 1000 characters"),
    ],
)
def test_what_the_archive_refuses(page, path, status, why):
    answer = page.get(path)
    assert (answer.status, answer.why) == (status, why)
    assert answer.headers["content-security-policy"]


def test_an_error_names_nothing_of_a_locked_chapter(page):
    answer = page.get("/api/position?position=told")
    assert (answer.status, answer.why) == (403, chapters.LOCKED)
    chapters.unlock_to(chapters.COUNT)
    answer = page.get("/api/position?position=told")
    assert (answer.status, answer.why) == (400, "an elephant stands in the way")


def test_positions_are_worked_out_at_a_pace_and_the_rest_goes_on(folder, monkeypatch):
    monkeypatch.setattr(app, "_MOST_ASKED", 4)
    with served(folder) as page:
        asked = ("/api/position", "/picture.svg", "/api/try")
        answers = [page.get(f"{path}?position=w%20b") for _ in range(2) for path in asked]
        *soon, fifth, sixth = answers
        assert not [each for each in soon if "just now" in each.body.decode()]
        for late in (fifth, sixth):
            assert (late.status, "try again in a moment" in late.why) == (400, True)
        assert page.get("/api/statistics").status == 200


def test_a_fault_of_ours_is_logged_and_the_page_goes_on(folder, caplog):
    with served(folder) as page:
        answer = page.get("/api/games/bug")
        assert (answer.status, answer.why) == (500, "this failed here; the log has more about it")
        assert page.get("/api/games/one").status == 200
    assert "ZeroDivisionError" in caplog.text


# ---- headers, and who may come in


@pytest.mark.parametrize("path", ["/", "/static/main.js", "/api/games", "/board.svg", "/nothing"])
def test_every_answer_says_what_a_browser_may_do_with_it(page, path):
    headers = page.get(path).headers
    assert headers["content-security-policy"] == POLICY.format(host=page.own)
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "server" not in headers
    assert "access-control-allow-origin" not in headers


def test_a_page_under_another_name_gets_nothing(page):
    """What a name that was bound to our address later on (DNS rebinding) would be sent."""
    answer = page.get("/", host=f"evil.com:{page.port}")
    assert (answer.status, answer.why) == (403, f"this page is not known as 'evil.com:{page.port}'")
    assert answer.headers["content-security-policy"] == POLICY.replace(" ws://{host}", "")
    with pytest.raises(InvalidStatus) as caught, page.visit(host=f"evil.com:{page.port}"):
        pass
    assert caught.value.response.status_code == 403
    assert page.get("/", host="").status == 400  # h11 wants one


# ---- the socket


def test_who_comes_gets_hello_control_and_the_latest_view(folder):
    with served(folder) as page:
        page.hub.publish({"phase": "set-up"})
        page.hub.publish({"phase": "turn"})
        with page.visit() as visitor:
            told = [json.loads(visitor.socket.recv(timeout=WAIT_S)) for _ in range(3)]
            assert [each["type"] for each in told] == ["hello", "control", "view"]
            assert (told[0]["mode"], told[0]["you"]) == ("try", "screen 1")
            assert (told[2]["version"], told[2]["phase"]) == (2, "turn")
            page.hub.publish({"phase": "over"})
            assert visitor.hears("view")["version"] == 3
        page.hub.publish({"phase": "set-up"})
        with page.visit() as visitor:  # comes back
            assert visitor.hears("hello")["server"] == told[0]["server"]
            assert visitor.hears("view")["version"] == 4
            page.hub.greet()
            visitor.hears("hello")


def test_what_is_no_request_is_answered_and_the_socket_stays(folder, caplog):
    with served(folder) as page, page.visit() as visitor:
        visitor.say("undo")
        assert visitor.is_told(0) == "the message is no JSON that can be understood"
        visitor.say(b'{"id": 1, "do": "undo"}')
        assert visitor.is_told(0) == "a message is a text, not bytes"
        visitor.say({"id": 3, "do": "lift", "at": 54})
        assert visitor.is_told(3) == "'at' of 'lift' is a whole number from 0 to 53"
        visitor.say({"id": 4, "do": "undo", "x": "a" * (MOST_BYTES - 40)})
        assert visitor.is_told(4) == "'undo' has no field 'x'"
        assert visitor.is_told(visitor.ask("take_control")) == ""
        assert page.hub.take() == []
    assert len(caplog.records) == 4
    assert all("screen 1 from 127.0.0.1 port" in each.getMessage() for each in caplog.records)


@pytest.mark.parametrize("parts", [1, 3])
def test_a_message_that_is_too_long_closes_the_socket(folder, caplog, parts):
    with served(folder) as page, page.visit() as polite, page.visit() as rude:
        text = json.dumps({"id": 1, "do": "undo", "x": "a" * MOST_BYTES})
        size = -(-len(text) // parts)
        with suppress(ConnectionClosed):  # it may be closed before the last part
            rude.socket.send(
                text if parts == 1 else [text[at : at + size] for at in range(0, len(text), size)]
            )
        code, reason = rude.closed_with()
        assert code == 1009
        assert reason
        polite.hears("control", viewers=1)
        assert polite.is_told(polite.ask("take_control")) == ""
        assert page.hub.take() == []
    (record,) = caplog.records
    assert record.getMessage().startswith("refused: screen 2 from 127.0.0.1 port")
    assert record.getMessage().endswith("a message that is too long")


@lanes.gate
def test_a_viewer_that_never_reads_costs_little_and_the_others_get_the_last_view(folder):
    patience_s = 120.0  # whoever reads is not dropped, however busy the computer is
    with served(folder, patience_s=patience_s) as page, page.visit() as reader, page.quiet():
        reader.hears("control", viewers=2)
        view = {"says": "x" * 10_000}
        page.hub.publish(view)
        tracemalloc.start()
        try:
            for _ in range(10_000):
                page.hub.publish(view)
            reader.hears("view", version=10_001)
            kept, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert kept < 1_000_000


def test_a_viewer_that_never_reads_is_dropped(folder, caplog):
    with served(folder, patience_s=0.2) as page, page.visit() as reader, page.quiet() as quiet:
        reader.hears("control", viewers=2)
        for _ in range(1000):
            page.hub.publish({"says": "x" * 10_000})
            if reader.hears("view") and caplog.records:
                break
        reader.hears("control", viewers=1)
        with pytest.raises(ConnectionError):  # nobody is there any more, nor is what was not sent
            while True:
                quiet.sendall(bytes(10_000))
    (record,) = caplog.records
    assert record.getMessage().startswith("refused: screen 2 from 127.0.0.1 port")
    assert record.getMessage().endswith("nothing is read any more")


def test_a_hello_that_fails_is_logged_and_hurts_nobody_else(folder, caplog):
    good = {"n": 1}
    hub = hubs.Hub(lambda: {"n": good["n"]})
    with served(folder, hub) as page, page.visit() as visitor:
        visitor.hears("hello")
        good.clear()
        with page.visit() as other:
            with pytest.raises(ConnectionClosed):
                other.hears("hello")
            visitor.hears("control", viewers=1)
        assert visitor.is_told(visitor.ask("take_control")) == ""
    assert "KeyError" in caplog.text


def test_the_page_speaks_the_browser_s_language_or_the_one_that_was_chosen_there():
    with served(STATIC) as page:

        def spoken(**headers):
            (language,) = re.findall(r'<html lang="(\w+)"', page.get("/", **headers).text)
            assert f'language = "{language}"' in page.get("/catalogue.js", **headers).text
            return language

        assert spoken() == "en"
        assert spoken(accept_language="fr, de-AT;q=0.8, en;q=0.5") == "de"
        assert spoken(accept_language="fr") == "en"
        assert spoken(accept_language="de", cookie="chronotable-language=en") == "en"
        assert spoken(cookie="chronotable-language=de") == "de"
        assert "fehlt" in page.get("/api/position", accept_language="de").text
