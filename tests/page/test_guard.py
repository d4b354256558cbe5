"""Who may come in, asked of the guard itself."""

import asyncio
import json
import logging

import pytest

from chronotable_host.limits import Quota
from chronotable_host.web.http.guard import Guard

PORT = 8484
OWN = "localhost:8484"
TOKEN = "pX-7_secret"


class Door:
    """A guard, and what lies behind it."""

    def __init__(self, port=PORT, **how):
        self.let_in = []
        self.guard = Guard(self._app, port, **how)

    async def _app(self, scope, receive, send):
        self.let_in.append(scope["path"])

    def knock(self, path="/", query="", method="GET", kind="http", **headers):
        """Return None where it comes in, else the status, the reason and the answer's headers.

        A header that is None is not sent, of a list each is.
        """
        given = [
            (name.encode(), value.encode("latin-1"))
            for name, values in {"host": OWN, **headers}.items()
            for value in (values if isinstance(values, list) else [values])
            if value is not None
        ]
        scope = {
            "type": kind,
            "path": path,
            "query_string": query.encode("latin-1"),
            "headers": given,
            "client": ("192.168.0.9", 50123),
        }
        if kind == "http":
            scope["method"] = method
        sent = []

        async def send(message):
            sent.append(message)

        self.let_in.clear()
        asyncio.run(self.guard(scope, None, send))
        if self.let_in:
            assert not sent
            return None
        start, body = sent
        assert start["type"].startswith("websocket.http" if kind == "websocket" else "http")
        why = json.loads(body["body"])["why"] if body["body"] else ""
        return start["status"], why, dict(start["headers"])


# ---- Host


@pytest.mark.parametrize("host", [OWN, "LOCALHOST:8484", "127.0.0.1:8484", "[::1]:8484"])
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_this_pc_s_names_for_itself_are_good(host, kind):
    assert Door().knock(host=host, kind=kind) is None


FOREIGN = [
    None, "", "evil.com", "evil.com:8484", "localhost", "localhost:80", "localhost:84840",
    "localhost:8484.evil.com", "localhost.evil.com:8484", "localhost.:8484",
    "evil.com#localhost:8484", "evil.com@localhost:8484", "localhost:8484@evil.com",
    "localhost:8484, evil.com", "127.0.0.1.nip.io:8484", "127.1:8484", "127.0.0.2:8484",
    "0.0.0.0:8484", "2130706433:8484", "[::]:8484", "::1:8484", "[::1:8484", "192.168.0.7:8484",
    "localhost:", "localhost:+8484", "localhost:8484 ", "local\xb5host:8484", "localhost:8484\x00",
]  # fmt: skip


@pytest.mark.parametrize("host", FOREIGN)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_no_other_name_is(host, kind):
    status, why, headers = Door().knock(host=host, kind=kind)
    assert status == 403
    assert why.startswith("this page is not known as '")
    assert why.isprintable()
    assert headers[b"connection"] == b"close"
    assert "access-control-allow-origin" not in str(headers)


def test_two_hosts_are_none():
    assert Door().knock(host=[OWN, "evil.com"])[0] == 403
    assert Door().knock(host=[OWN, OWN])[0] == 403


def test_port_80_may_be_left_out():
    door = Door(port=80)
    assert door.knock(host="localhost") is None
    assert door.knock(host="localhost:80") is None
    assert door.knock(host=OWN)[0] == 403


BEYOND = {"names": ["tablepc", "tablepc.local"], "any_address": True}


@pytest.mark.parametrize(
    "host",
    ["192.168.0.7:8484", "[fd00::2]:8484", "TablePC:8484", "tablepc.local:8484", OWN],
)
def test_beyond_this_pc_addresses_and_the_machine_s_names_are_good(host):
    assert Door(**BEYOND).knock(host=host) is None


@pytest.mark.parametrize(
    "host", ["evil.com:8484", "192.168.0.7", "192.168.0.7:80", "1.2.3:8484", "tablepc.evil:8484"]
)
def test_beyond_this_pc_others_are_not(host):
    assert Door(**BEYOND).knock(host=host)[0] == 403


# ---- Origin and method


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_our_own_page_may_ask(kind):
    assert Door().knock("/ws", kind=kind, origin="http://localhost:8484") is None
    assert Door().knock("/ws", kind=kind) is None  # no browser


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "http://evil.com",
        "http://localhost",
        "http://localhost:8485",
        "https://localhost:8484",
        "http://127.0.0.1:8484",  # this page, but under another name than it is asked for
        "http://localhost:8484/",
        "http://localhost:8484.evil.com",
        "file://",
        "chrome-extension://abc",
        ["http://localhost:8484", "http://evil.com"],
    ],
)
def test_a_page_from_elsewhere_may_not(kind, origin):
    status, why, _ = Door().knock("/ws", kind=kind, origin=origin)
    assert status == 403
    assert why.startswith("a page from '")


@pytest.mark.parametrize(
    "method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "get", ""]
)
def test_only_reading_is_served(method):
    status, why, headers = Door().knock(method=method)
    assert (status, why) == (405, "only GET and HEAD are served")
    assert headers[b"allow"] == b"GET, HEAD"


def test_head_is_served():
    assert Door().knock(method="HEAD") is None


# ---- the token


def cookie_of(answer):
    return answer[2][b"set-cookie"].decode().partition(";")[0]


def test_the_link_gives_a_cookie_that_lets_in():
    door = Door(token=TOKEN)
    answer = door.knock(query=f"token={TOKEN}")
    assert answer[0] == 303
    assert answer[2][b"location"] == b"/"
    kept = answer[2][b"set-cookie"].decode()
    assert kept.startswith("chronotable-8484=")
    assert kept.endswith("; Path=/; HttpOnly; SameSite=Lax")
    assert TOKEN not in kept
    for kind in ("http", "websocket"):
        assert door.knock("/ws", kind=kind, cookie=f"a=1; {cookie_of(answer)}; b=2") is None
        assert door.knock("/ws", kind=kind, cookie=["a=1", cookie_of(answer)]) is None


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize("path", ["/", "/ws", "/static/main.js", "/api/games", "/board.svg", "/x"])
def test_without_it_nothing_is_served(kind, path):
    door = Door(token=TOKEN)
    for cookie in (
        "",
        "chronotable-8484=",
        "chronotable-8484=1",
        f"chronotable-8484={TOKEN}",
        "\xff",
    ):
        status, why, headers = door.knock(path, kind=kind, cookie=cookie)
        assert status == 403
        assert why == "the token is missing or wrong; open the link that was shown with it"
        assert b"set-cookie" not in headers


@pytest.mark.parametrize(
    "query",
    [
        "",
        "token=",
        "token",
        "token=wrong",
        f"token={TOKEN}x",
        f"token={TOKEN[:-1]}",
        f"Token={TOKEN}",
        f"token=wrong&token={TOKEN}",
        "token=%00",
        "token=\xff\xfe",
        "token=%ff",
        "&".join(f"a{n}=1" for n in range(100)) + f"&token={TOKEN}",
    ],
)
def test_a_wrong_link_lets_nobody_in(query):
    assert Door(token=TOKEN).knock(query=query)[0] == 403


def test_the_link_is_good_for_the_page_alone():
    door = Door(token=TOKEN)
    assert door.knock("/api/games", query=f"token={TOKEN}")[0] == 403
    assert door.knock("/ws", query=f"token={TOKEN}", kind="websocket")[0] == 403


def test_a_token_does_not_excuse_a_wrong_name_or_origin():
    door = Door(token=TOKEN)
    cookie = cookie_of(door.knock(query=f"token={TOKEN}"))
    assert door.knock(query=f"token={TOKEN}", host="evil.com:8484")[0] == 403
    assert door.knock("/ws", kind="websocket", cookie=cookie, origin="http://evil.com")[0] == 403


def test_two_tables_on_one_pc_have_each_their_cookie():
    first, second = Door(token=TOKEN), Door(port=8485, token="other")
    cookies = [
        cookie_of(first.knock(query=f"token={TOKEN}")),
        cookie_of(second.knock(host="localhost:8485", query="token=other")),
    ]
    both = "; ".join(cookies)
    assert first.knock(cookie=both) is None
    assert second.knock(host="localhost:8485", cookie=both) is None
    assert second.knock(host="localhost:8485", cookie=cookies[0])[0] == 403


# ---- the log


def test_refusals_are_logged_without_the_token(caplog):
    caplog.set_level(logging.INFO)
    door = Door(token=TOKEN)
    door.knock("/api/games", query=f"token={TOKEN}", cookie=f"chronotable-8484={TOKEN}")
    door.knock("/\x1b[2J" + "x" * 1000, host="evil.com")
    assert [record.name for record in caplog.records] == ["chronotable.page"] * 2
    first, second = (record.getMessage() for record in caplog.records)
    assert first == (
        "refused: GET /api/games from 192.168.0.9 port 50123: "
        "the token is missing or wrong; open the link that was shown with it"
    )
    assert second.startswith("refused: GET /?[2Jxxx")
    assert second.endswith("this page is not known as 'evil.com'")
    assert len(second) < 400
    assert TOKEN not in caplog.text


def test_a_flood_does_not_fill_the_log(caplog):
    door = Door()
    for _ in range(100):
        door.knock(host="evil.com")
    assert len(caplog.records) == 20


def test_a_quota_is_for_any_such_time():
    times = [0, 9, 9.5, 10, 18, 19, 19.5, 20]
    quota = Quota(2, 10, iter(times).__next__)
    assert [now for now in times if quota.allows()] == [0, 9, 10, 19, 20]
