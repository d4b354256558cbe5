"""The server of a night: what it serves at which path, who may come in, and by which links."""

from collections import deque
from collections.abc import Callable
from urllib.parse import quote

import segno
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Scope
from starlette.websockets import WebSocket

from chronotable_host.web.http.addresses import LOOPBACK
from chronotable_host.web.http.answers import STATUS, AnswerLimit, try_turn, wrong
from chronotable_host.web.http.files import STATIC as SHARED
from chronotable_host.web.http.files import Files, Headers, missing, spoken_to, words
from chronotable_host.web.http.guard import Access, Guard
from chronotable_host.web.http.serving import Server
from chronotable_host.web.http.sockets import PATIENCE_S, Abort, Sockets
from chronotable_night.archived import OWN_PATH, STATIC, path_of
from chronotable_night.evening import SEAT_PATH, Evening
from chronotable_night.messages import Door

BOX_PATH = "/box"
"""The page of an owner's box, here and at a seat; its query names the game."""
_SOCKET = "/night/socket"
_INVITED = (SEAT_PATH, f"{_SOCKET}/")
_LINKED = ("/", "/join")
_ENDED = "/join?ended"
# Files are in the package, for everybody to read, and so are the rules, by which turns are tried;
# the socket finds out who comes.
_PUBLIC = ("/join", "/static/", "/night/", "/games/", "/catalogue.js", "/api/try")


class _Sockets(Sockets):
    """The sockets of seats, of screens, and of those who want to be one."""

    def __init__(self, evening: Evening, abort: Abort) -> None:
        super().__init__(evening.screens(False), evening.pages_of, abort, PATIENCE_S)
        self._evening = evening
        self.is_let_in: Callable[[Scope], bool] = lambda _scope: False

    async def serve_screen(self, socket: WebSocket) -> None:
        """Serve a page without a seat."""
        await self.carry(socket, self._evening.screens(self.is_let_in(socket.scope)))


def _routes(evening: Evening) -> list[Route]:
    """Return who answers where with pages and their files."""
    own = Files(STATIC)
    folders = {
        "/static/": Files(SHARED),
        OWN_PATH: own,
        **{path_of(it.name): Files(it.page) for it in evening.room.shelf.values()},
    }
    return [
        Route("/", own.answering("big.html")),
        Route("/join", own.answering("join.html")),
        Route(BOX_PATH, own.answering("box.html")),
        Route(f"{SEAT_PATH}{{token}}/", own.answering("phone.html")),
        Route(f"{SEAT_PATH}{{token}}{BOX_PATH}", own.answering("box.html")),
        Route("/catalogue.js", words),
        Route("/api/try", AnswerLimit().keeping(try_turn)),
        *(Route(f"{path}{{name}}", files.answering()) for path, files in folders.items()),
    ]


# ---- the server


class NightServer(Server):
    """Serves a night.

    `screens` are the links to the big screen, the one for this PC first; `link` leads players to
    their seats, from elsewhere where it `is_beyond` this PC.
    """

    def __init__(
        self, evening: Evening, host: str = LOOPBACK, port: int = 0, token: str = ""
    ) -> None:
        super().__init__(host, port, token)
        self.screens: list[str] = []
        self.link = ""
        self._ways: deque[str] = deque()
        self._evening = evening

    def _named(self) -> None:
        query = f"?token={quote(self.token, safe='')}" if self.token else ""
        self.screens = [f"{base}/{query}" for base in self.bases]
        self._evening.watch_link = f"/{query}"
        self._evening.switch = self.switch
        self._ways = deque(self.bases[1:] or self.bases)
        self._lead()

    def switch(self) -> None:
        """Have `link` begin with the next of the addresses, on all pages."""
        self._ways.rotate(-1)
        self._lead()

    def _lead(self) -> None:
        base = self._ways[0]
        code = self._evening.codes.code
        self.link = f"{base}/join?code={quote(code)}"
        door = Door(code, self.link, picture(self.link), len(self._ways))
        self._evening.lead(door, lambda path: picture(base + path))

    def _app(self, door: Access) -> ASGIApp:
        sockets = _Sockets(self._evening, self.abort)
        app = Starlette(
            routes=[
                *_routes(self._evening),
                WebSocketRoute(_SOCKET, sockets.serve_screen),
                WebSocketRoute(f"{_SOCKET}/{{token}}", sockets.serve_guest),
            ],
            exception_handlers={HTTPException: missing, **dict.fromkeys(STATUS, wrong)},
        )
        app.router.redirect_slashes = False
        guard = Guard(app, *door, self._evening.has_seat, _INVITED, _LINKED, _PUBLIC, ended=_ENDED)
        sockets.is_let_in = guard.lets_in
        return spoken_to(Headers(guard, guard.own_host))

    def _dismiss(self, code: int, why: str) -> None:
        self._evening.dismiss(code, why)

    def _ended(self) -> None:
        self._evening.close()


def picture(link: str) -> str:
    """Return a link as a QR code with the quiet zone that readers need, a `data:` URI."""
    return segno.make(link, micro=False).svg_data_uri(scale=4, border=4)
