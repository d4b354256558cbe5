"""Files of a page, as they are answered: from memory, with the headers that a browser goes by."""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, NamedTuple

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, Response

from chronotable_host.language import LANGUAGE, LANGUAGES, speaking, spoken, tr
from chronotable_host.web.http import catalogue

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""What files may be, by their ending."""
STATIC = Path(__file__).parents[1] / "static"
"""The folder of the page's files."""
_STATIC_NAME = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+")
_CHOSEN = "chronotable-language"
"""The cookie of who has chosen a language on the page."""
_HEAD = "<head><!--", "--></head>"
"""What the names of the files that a page needs stand between."""
_IMPORT = re.compile(r'^(?:import|\}).* from "(?:\./|/night/static/)([\w.-]+)"', re.MULTILINE)
_SETTLED_NS = 3 * 10**9  # FAT tells times apart by two seconds

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; media-src data:; connect-src 'self'{sockets}; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def spoken_to(app: ASGIApp) -> ASGIApp:
    """Have an app speak the language of who asks: chosen on the page, else the browser's."""

    async def speaks(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await app(scope, receive, send)
        asks = HTTPConnection(scope)
        browsers = asks.headers.get("accept-language", "").split(",")
        wanted = asks.cookies.get(_CHOSEN, ""), *browsers
        named = (each.strip().partition(";")[0].partition("-")[0].lower() for each in wanted)
        with speaking(next((each for each in named if each in LANGUAGES), LANGUAGE)):
            return await app(scope, receive, send)

    return speaks


class Headers:
    """Puts the headers on every answer that say what a browser may do with it, if it has none."""

    def __init__(self, app: ASGIApp, own_host: Callable[[Scope], str | None]) -> None:
        self._app = app
        self._own_host = own_host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and put the headers on its answer."""
        host = self._own_host(scope)
        sockets = "" if host is None else f" ws://{host}"  # older Safaris want it by name
        headers = {**_HEADERS, "content-security-policy": _POLICY.format(sockets=sockets)}

        async def send_with(message: Message) -> None:
            if message["type"].endswith("response.start"):
                given = MutableHeaders(scope=message)
                given.update({name: it for name, it in headers.items() if name not in given})
            await send(message)

        await self._app(scope, receive, send_with)


class _File(NamedTuple):
    """A file of the page; `seen` tells whether it is still the same."""

    seen: tuple[int, ...]
    content: bytes
    tag: str
    media_type: str


class Files:
    """The files of the page's folder, read once and when they have changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[tuple[str, str], _File] = {}  # by language and name

    def answering(self, page: str = "") -> Callable[[Request], Awaitable[Response]]:
        """Return what answers with a page of the folder, or with the file that is asked for."""

        async def answer(request: Request) -> Response:
            file = self.get(page or request.path_params["name"])
            if file is None:
                raise HTTPException(404)
            return checked(request, file.content, file.tag, file.media_type)

        return answer

    def get(self, name: str) -> _File | None:
        """Return a file as it is now; see `static_file`."""
        key = spoken(), name
        kept = self._files.get(key)
        if kept is not None and kept.seen == _stamp_of(self._folder / name):
            return kept
        self._files.pop(key, None)
        path = static_file(self._folder, name)
        seen = None if path is None else _stamp_of(path)
        if path is None or seen is None:
            return None
        content = page_of(path) if path.suffix == ".html" else path.read_bytes()
        file = _File(seen, content, tag_of(content), TYPES[path.suffix])
        if time.time_ns() - seen[-1] > _SETTLED_NS:
            self._files[key] = file
        return file


def _stamp_of(path: Path) -> tuple[int, ...] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def page_of(path: Path) -> bytes:
    """Return a page as it is served, in the language that is spoken.

    What many have is put in for `$brand` and `$theme`. In the comment that is its head a page names
    the files that it needs, the tokens first, its script last if it has one.
    """
    parts = {each.stem: each.read_text("utf-8").strip() for each in (STATIC / "parts").iterdir()}
    page = Template(path.read_text("utf-8")).safe_substitute(parts)
    before, begun, rest = page.partition(_HEAD[0])
    if begun:
        files, _, rest = rest.partition(_HEAD[1])
        page = f"{before}{_head(parts['head'], path.parent, *files.split())}{rest}"
    return catalogue.translated(page.encode())


def _head(template: str, folder: Path, *files: str) -> str:
    """Return the head of a page: a line for each sheet, and for each module that it needs.

    Else a browser hears of a module only from the one that imports it, six rounds deep.
    """
    sheets = [each for each in files if each.endswith(".css")]
    scripts = list(files[len(sheets) :])
    own, _, entry = "".join(scripts).rpartition("/")
    modules = [entry] if entry else []
    for name in modules:
        found = _IMPORT.findall((folder / name).read_text("utf-8"))
        modules += [each for each in dict.fromkeys(found) if each not in modules]
    root = sheets[0].removesuffix("static/tokens.css")
    needed = [f"{root}catalogue.js", *(f"{own}/{each}" for each in modules[1:])] if scripts else []
    each_of = {"sheet": sheets, "script": scripts, "module": needed}
    lines = []
    for line in template.splitlines():
        name = next((each for each in each_of if f"${each}" in line), "")
        lines += [
            Template(line).substitute({"root": root, name: value})
            for value in each_of.get(name, [""])
        ]
    return "\n".join(lines)


def static_file(folder: Path, name: str) -> Path | None:
    """Return a file of the page, None for any other name, and for a link out of the folder."""
    if not _STATIC_NAME.fullmatch(name):
        return None
    file = folder / name
    if file.suffix not in TYPES or not file.is_file():
        return None
    return file if file.resolve().parent == folder.resolve() else None


def tag_of(content: bytes) -> str:
    """Return what tells content from any other, as HTTP has it."""
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


async def words(request: Request) -> Response:
    """Answer with the script that has the words of the language that is spoken."""
    content = catalogue.script()
    return checked(request, content, tag_of(content), TYPES[".js"])


async def missing(_request: Request, error: Exception) -> Response:
    """Answer where there is nothing."""
    status = error.status_code if isinstance(error, HTTPException) else 404
    return JSONResponse({"why": tr("there is nothing at this address")}, status)


def checked(request: Request, content: bytes, tag: str, media_type: str) -> Response:
    """Answer with what a browser may keep, but asks about each time: it may have changed."""
    headers = {"etag": tag, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers, media_type=media_type)
