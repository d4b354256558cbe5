"""A page that is served for a test, and clients of it: polite ones and rude ones.

Nothing here sleeps: whoever waits, waits for a message or an event, `WAIT_S` at most.
"""

from __future__ import annotations

import http.client
import itertools
import json
import socket
from contextlib import contextmanager
from typing import NamedTuple

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from chronotable_host.chapters import LockedError
from chronotable_host.errors import UserError
from chronotable_host.rules.notation import NotationError
from chronotable_host.web.http.hub import Hub
from chronotable_host.web.http.server import PageServer
from chronotable_host.web.sharing import KINDS
from chronotable_host.web.study.games import NoSuchGame

WAIT_S = 60
BOARD = "<svg xmlns='http://www.w3.org/2000/svg'/>"


class FakeGames:
    """An archive of one game; positions are short words."""

    def __init__(self):
        self.asked = []

    def close(self):
        pass

    def list(self, player, result, limit, offset, order):
        self.asked.append((player, result, limit, offset, order))
        return {"games": [{"id": "one"}], "total": 1}

    def game(self, id):  # noqa: A002
        if id == "locked":
            raise LockedError
        if id == "broken":
            raise OSError(5, "Input/output error", "one.ttykm")
        if id == "bug":
            raise ZeroDivisionError
        if id != "one":
            raise NoSuchGame("there is no such game")
        return {"id": id, "turns": []}

    def stories(self, id):  # noqa: A002
        self.game(id)
        return {"id": id, "turns": [{"says": "Stepped twice in the past"}]}

    def record(self, id):  # noqa: A002
        self.game(id)
        return 'größe "1".ttykm', '[White "Ann"]\n'

    def share(self, id, kind, turn):  # noqa: A002
        self.game(id)
        if kind not in KINDS:
            raise UserError("a game is not shared so")
        return f"{id} {kind} {turn}"

    def statistics(self, player, modules, after):
        self.asked.append((player, modules, after))
        if after == "wrong":
            raise NotationError("that is no turn")
        return {"total": {"games": 1}}

    def picture(self, position):
        return f"<svg><title>{self.position(position)['position']}</title></svg>"

    def position(self, text):
        if text == "wrong":
            raise NotationError("a position has three boards")
        if text == "told":
            raise UserError("an elephant stands in the way")
        return {"position": text, "pieces": []}


class Answer(NamedTuple):
    status: int
    headers: dict
    body: bytes

    @property
    def text(self):
        return self.body.decode("utf-8-sig")

    @property
    def told(self):
        return json.loads(self.body)

    @property
    def why(self):
        return self.told["why"]


class Visitor:
    """A page's end of a socket."""

    def __init__(self, connection):
        self.socket = connection
        self._ids = itertools.count(1)

    def ask(self, do, **fields):
        """Send a request and return its number."""
        number = next(self._ids)
        self.say({"id": number, "do": do, **fields})
        return number

    def say(self, message):
        self.socket.send(message if isinstance(message, (str, bytes)) else json.dumps(message))

    def hears(self, kind, **fields):
        """Return the next message of a kind in which these fields are so."""
        while True:
            message = json.loads(self.socket.recv(timeout=WAIT_S))
            if message["type"] == kind and fields.items() <= message.items():
                return message

    def is_told(self, number):
        """Return the reply to a request: "" for yes, else why not."""
        reply = self.hears("reply", id=number)
        assert reply["ok"] is ("why" not in reply)
        return reply.get("why", "")

    def closed_with(self):
        """Return code and reason with which the server closes the socket."""
        try:
            while True:
                self.socket.recv(timeout=WAIT_S)
        except ConnectionClosed as end:
            assert end.rcvd is not None, end
            return end.rcvd.code, end.rcvd.reason


class Served:
    """A server and how to get there; a page's has a hub and an archive."""

    def __init__(self, server, hub=None, games=None):
        self.hub = hub
        self.server = server
        self.games = games
        self.port = server.port
        self.own = f"127.0.0.1:{server.port}"

    def get(self, path, method="GET", host=None, body=None, **headers):
        """Ask for a path exactly as it is written; names of headers have _ for -."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT_S)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            if host != "":
                connection.putheader("Host", host or self.own)
            for name, value in headers.items():
                connection.putheader(name.replace("_", "-"), value)
            connection.endheaders(body)
            response = connection.getresponse()
            named = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, named, response.read())
        finally:
            connection.close()

    def upgrade(self):
        """Return what asks for a WebSocket, for clients that do the rest by hand."""
        return (
            f"GET /ws HTTP/1.1\r\nHost: {self.own}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        ).encode()

    @contextmanager
    def quiet(self):
        """Look on, and never read: yield the socket."""
        with socket.socket() as quiet:
            quiet.settimeout(WAIT_S)
            quiet.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            quiet.connect(("127.0.0.1", self.port))
            quiet.sendall(self.upgrade())
            yield quiet

    @contextmanager
    def visit(self, host=None, path="/ws", address="127.0.0.1", kind=Visitor, source="", **headers):
        """Look on, from a source of one's own: yield a visitor."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        with connect(
            f"ws://{host or self.own}{path}",
            sock=socket.create_connection((address, self.port), WAIT_S, (source, 0)),
            additional_headers=sent,
            compression=None,
            open_timeout=WAIT_S,
            close_timeout=WAIT_S,
        ) as connection:
            yield kind(connection)


def hello():
    return {"mode": "try", "board": "reference"}


@contextmanager
def served(folder, hub=None, games=None, **where):
    """Serve a page whose files are in a folder."""
    hub = hub or Hub(hello)
    games = games or FakeGames()
    server = PageServer(hub, games, lambda: BOARD, static=folder, **where)
    server.start()
    try:
        yield Served(server, hub, games)
    finally:
        server.close()
