"""Who may use the page: ASGI middleware for host, origin, method and token; the log of refusals.

What it guards against: a page from elsewhere in the same browser, also one whose name was bound to
our address later on (DNS rebinding), and, where we listen beyond this PC, whoever has no link. What
it cannot guard against is a program on this PC: that can send whatever a browser would.
"""

from __future__ import annotations

import hashlib
import html
import ipaddress
import json
import logging
import re
import secrets
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qs

from chronotable_host.errors import printable
from chronotable_host.language import tr
from chronotable_host.limits import Refusals

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

METHODS = ("GET", "HEAD")
SLOT = "slot"
"""The key of a request's connection in its ASGI state, where the server keeps one."""
GUEST_PATH = "/guest/"
"""Begins the paths that are a guest's; the token of the invitation comes next."""
LOOPBACK_NAMES = frozenset(("localhost", "127.0.0.1", "[::1]"))

_NOT_INVITED = tr("this invitation has ended; ask for a new link")
_READ = (
    b'<!doctype html><meta name="viewport" content="width=device-width">'
    b"<title>Chronotable</title><h1>Chronotable</h1><p>%b.</p>"
)
_MOST_QUOTED = 100
_HTTP_PORT = 80
_AUTHORITY = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?")
_MOST_QUERY_FIELDS = 8

Headers = list[tuple[bytes, bytes]]


class Access(NamedTuple):
    """Where an app is served, and who may come in; see `Guard`."""

    port: int
    names: Collection[str] = ()
    any_address: bool = False
    token: str = ""


class _Answer(NamedTuple):
    """What a request gets that does not reach the app; `why` is empty where it is sent on."""

    status: int
    why: str
    headers: Headers


class Guard:
    """Lets in whom it should, and answers everybody else with one sentence.

    `names` are the hosts, lower case, that may be asked for besides this PC's own names for itself;
    with `any_address` an address is good, too, whichever it is. With a `token` only who brings it
    in a link (`/?token=...`, or another path of `linked`) comes in; a cookie remembers that. A
    guest has a token of his own in the path (`/guest/.../`), by which he comes in there and nowhere
    else; `is_invited` knows it, `invited` are such paths. One that has ended leads a browser to the
    page `ended`, where there is one. What begins as one of `public` is anybody's, and so is what
    does not begin as one of `private`.

    A WebSocket without Origin comes in: browsers always send one, so it is no browser's. The cookie
    is SameSite=Lax and not Strict because with Strict a link that is clicked in a web mail ends at
    a refusal: the redirect still counts as the mail's, and the cookie stays at home. No request
    that such a link can make changes anything, and sockets get no Lax cookie from other sites.
    """

    def __init__(
        self,
        app: ASGIApp,
        port: int,
        names: Collection[str] = (),
        any_address: bool = False,
        token: str = "",
        is_invited: Callable[[str], bool] = lambda _token: False,
        invited: Sequence[str] = (GUEST_PATH,),
        linked: Collection[str] = ("/",),
        public: tuple[str, ...] = (),
        private: tuple[str, ...] = ("/",),
        ended: str = "",
    ) -> None:
        self._app = app
        self._is_invited = is_invited
        self._invited = invited
        self._linked = linked
        self._public = public
        self._private = private
        self._ended = ended
        self._port = port
        self._names = LOOPBACK_NAMES | frozenset(names)
        self._any_address = any_address
        self._token = token.encode()
        self._cookie = hashlib.sha256(self._token).hexdigest().encode()
        self._cookie_name = f"chronotable-{port}".encode()  # two tables on one PC have two
        self._refusals = Refusals()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it."""
        answer = self._answer(scope)
        slot = scope.get("state", {}).get(SLOT)
        if slot is not None and (answer is None or not answer.why):
            slot.is_known = slot.is_known or self._is_known(scope)
        if answer is None:
            await self._app(scope, receive, send)
            return
        if answer.why:
            what = f"{scope.get('method', 'socket')} {scope['path'][:_MOST_QUOTED]}"
            is_late = answer.why == _NOT_INVITED  # a page that a guest has left open
            level = logging.INFO if is_late else logging.WARNING
            self._refusals.note(what, client_of(scope), answer.why, level)
        await _send(scope, send, answer)

    @property
    def cookie(self) -> bytes:
        """The cookie of a browser that was let in, as it is set."""
        return b"%s=%s; Path=/; HttpOnly; SameSite=Lax" % (self._cookie_name, self._cookie)

    def lets_in(self, scope: Scope) -> bool:
        """Tell whether a request has that cookie, or needs none."""
        return not self._token or any(
            secrets.compare_digest(each, self._cookie) for each in self._cookies(scope)
        )

    def _is_known(self, scope: Scope) -> bool:
        """Tell whether somebody who was let in is more than anybody."""
        path = scope["path"]
        is_public = self._is_public(path) and not path.startswith(tuple(self._invited))
        return not is_public or self.lets_in(scope)

    def _is_public(self, path: str) -> bool:
        return path.startswith(self._public) or not path.startswith(self._private)

    def own_host(self, scope: Scope) -> str | None:
        """Return the host and port that are asked for, None where they are not ours."""
        hosts = _all(scope, b"host")
        match = _AUTHORITY.fullmatch(hosts[0].lower()) if len(hosts) == 1 else None
        if match is None or int(match[2] or _HTTP_PORT) != self._port:
            return None
        name = match[1]
        if name in self._names or (self._any_address and _is_address(name)):
            return match[0]
        return None

    def _answer(self, scope: Scope) -> _Answer | None:
        """Return what keeps a request from the app, None where nothing does."""
        host = self.own_host(scope)
        if host is None:
            return _refusal(
                tr("this page is not known as '{name}'", name=_quoted(_all(scope, b"host")))
            )
        origins = _all(scope, b"origin")
        if any(origin.lower() != f"http://{host}" for origin in origins):
            return _refusal(
                tr("a page from '{origin}' may not use this one", origin=_quoted(origins))
            )
        if scope["type"] == "http" and scope["method"] not in METHODS:
            allowed = (b"allow", ", ".join(METHODS).encode())
            return _refusal(
                tr("only {first} and {second} are served", first=METHODS[0], second=METHODS[1]),
                405,
                allowed,
            )
        path = scope["path"]
        for start in self._invited:
            if path.startswith(start):
                if self._is_invited(path[len(start) :].partition("/")[0]):
                    return None
                if self._ended and any("text/html" in each for each in _all(scope, b"accept")):
                    return _refusal(_NOT_INVITED, 303, (b"location", self._ended.encode()))
                return _refusal(_NOT_INVITED)
        return self._answer_without_token(scope) if self._token else None

    def _answer_without_token(self, scope: Scope) -> _Answer | None:
        path = scope["path"]
        if path in self._linked and self._has_link(scope):
            return _Answer(303, "", [(b"location", path.encode()), (b"set-cookie", self.cookie)])
        if self._is_public(path) or self.lets_in(scope):
            return None
        return _refusal(tr("the token is missing or wrong; open the link that was shown with it"))

    def _has_link(self, scope: Scope) -> bool:
        try:
            fields = parse_qs(
                scope["query_string"].decode("latin-1"), max_num_fields=_MOST_QUERY_FIELDS
            )
        except ValueError:
            return False
        brought = fields.get("token", [""])[0].encode()
        return secrets.compare_digest(brought, self._token)

    def _cookies(self, scope: Scope) -> Iterator[bytes]:
        for header in _all(scope, b"cookie"):
            for part in header.encode("latin-1").split(b";"):
                name, _, value = part.partition(b"=")
                if name.strip() == self._cookie_name:
                    yield value.strip()


def client_of(scope: Scope) -> str:
    """Return where a request comes from."""
    client = scope.get("client")
    return "nowhere" if client is None else f"{client[0]} port {client[1]}"


def _all(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _quoted(values: list[str]) -> str:
    return printable(", ".join(values)[:_MOST_QUOTED])


def _refusal(why: str, status: int = 403, *headers: tuple[bytes, bytes]) -> _Answer:
    # What else was sent on this connection is not read.
    return _Answer(status, why, [(b"connection", b"close"), *headers])


async def _send(scope: Scope, send: Send, answer: _Answer) -> None:
    why = str(answer.why)  # in the language that is spoken now
    content, kind = json.dumps({"why": why}).encode() if why else b"", b"application/json"
    if why and any("text/html" in each for each in _all(scope, b"accept")):  # somebody reads it
        content = _READ % html.escape(why[0].upper() + why[1:]).encode()
        kind = b"text/html; charset=utf-8"
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(content)).encode()),
        (b"cache-control", b"no-store"),
        *answer.headers,
    ]
    told = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    await send({"type": f"{told}.start", "status": answer.status, "headers": headers})
    await send({"type": f"{told}.body", "body": content})
