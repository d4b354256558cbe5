"""The page's server as an ASGI app: what is served at which path, the socket, and the headers.

The page's own files are in memory and answered at once. Threads of their own wait for the archive,
which reads files and a database, and pictures are drawn in others, so that neither waits for the
other. The socket only carries what the hub has. Errors are `{"why": "one sentence"}`.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote

from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute

from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.limits import Refusals
from chronotable_host.rulebook import book
from chronotable_host.rules.rule_files import Part
from chronotable_host.web import sharing
from chronotable_host.web.http.answers import (
    STATUS,
    UNKEPT,
    AnswerLimit,
    answer_json,
    parameter,
    try_turn,
    wrong,
)
from chronotable_host.web.http.files import (
    STATIC,
    TYPES,
    Files,
    Headers,
    checked,
    missing,
    spoken_to,
    tag_of,
    words,
)
from chronotable_host.web.http.guard import GUEST_PATH, Access, Guard, client_of
from chronotable_host.web.http.hub import Hub
from chronotable_host.web.http.sockets import PATIENCE_S, Abort, Sockets
from chronotable_host.web.position_json import examples_json
from chronotable_host.web.study.games import Games
from chronotable_host.web.study.reading import PROCESSES, GamesElsewhere
from chronotable_host.web.study.thinking import Thinking, asked_question

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp

    from chronotable_host.web.guests import GuestLink

_GUEST = f"{GUEST_PATH}{{token}}/"

_TRICK = re.compile(r"\.\.|//|[\\%\x00]")

_GAMES, _MOST_GAMES, _MOST_OFFSET = 50, 500, 10**9
_MOST_TURNS = 10**5
_MOST_PLACES = 99
_MOST_ASKED, _WITHIN_S = 100, 10.0  # positions that are worked out for one network
_NO_FOLDERS: Mapping[str, Path] = {}


ArchivePages = Games | GamesElsewhere
"""The archive as JSON and pictures.

What it has not is a NoSuchGame, what it will not tell a LockedError, what it does not understand
another UserError.
"""


class InvitedGuests(Protocol):
    """Who plays a side from a browser, by an invitation; `guests.Guests` is one."""

    played: str
    """The game that guests may look at again, "" for none."""

    def hub_of(self, token: str, /) -> Hub | None:
        """Return the hub of whoever has this token, None where nobody has."""

    def invitations(self) -> Mapping[str, GuestLink]:
        """Return the links that lead to a seat now, by its side."""

    def dismiss(self, code: int, why: str) -> None:
        """Have the sockets of all of them closed."""


class NoGuests:
    """No guests at all."""

    played = ""

    def hub_of(self, _token: str) -> Hub | None:
        """Return that nobody has the token."""
        return None

    def invitations(self) -> Mapping[str, GuestLink]:
        """Return no invitations."""
        return {}

    def dismiss(self, code: int, why: str) -> None:
        """Have nobody's socket closed."""


def make_app(
    hub: Hub,
    games: ArchivePages,
    board_svg: Callable[[], str],
    door: Access,
    abort: Abort,
    static: Path = STATIC,
    patience_s: float = PATIENCE_S,
    guests: InvitedGuests | None = None,
    thinking: Thinking | None = None,
    folders: Mapping[str, Path] = _NO_FOLDERS,
) -> ASGIApp:
    """Return the app; `static` is the folder of the page's files.

    `folders` are others whose files are served, by the path that they have there: "/name/".
    """
    invited = guests or NoGuests()
    pages = _Pages(games, board_svg, static, invited, thinking or Thinking(), folders)
    sockets = Sockets(hub, invited.hub_of, abort, patience_s)
    app = Starlette(
        routes=[
            *pages.routes(),
            WebSocketRoute("/ws", sockets.serve),
            WebSocketRoute(f"{_GUEST}ws", sockets.serve_guest),
        ],
        exception_handlers={
            HTTPException: pages.missing,
            Exception: _failed,
            **dict.fromkeys(STATUS, wrong),
        },
    )
    app.router.redirect_slashes = False
    guard = Guard(app, *door, lambda token: invited.hub_of(token) is not None)
    return spoken_to(Headers(guard, guard.own_host))


# ---- files, archive, pictures


class _Pages:
    def __init__(
        self,
        games: ArchivePages,
        board_svg: Callable[[], str],
        static: Path,
        invited: InvitedGuests,
        thinking: Thinking,
        folders: Mapping[str, Path],
    ) -> None:
        self._invited = invited
        self._thinking = thinking
        self._games = games
        self._board_svg = board_svg
        self._files = Files(static)
        self._folders = {path: Files(folder) for path, folder in folders.items()}
        self._archive: CapacityLimiter | None = None
        self._refusals = Refusals()
        self._answer_limit = AnswerLimit(_MOST_ASKED, _WITHIN_S)

    def routes(self) -> list[Route]:
        """Return who answers where; what is no coroutine does it in threads."""
        answers: dict[str, Callable[[Request], Response | Awaitable[Response]]] = {
            "/": self._files.answering("index.html"),
            "/static/{name}": self._files.answering(),
            "/catalogue.js": words,
            "/board.svg": self._board,
            "/api/games": self._of_archive(self._list),
            "/api/games/{id}": self._of_archive(self._game),
            "/api/games/{id}/stories": self._of_archive(self._stories),
            "/api/games/{id}/record": self._of_archive(self._record),
            "/api/games/{id}/share": self._of_archive(self._share),
            "/api/nights/{id}": self._of_archive(self._night),
            "/api/statistics": self._of_archive(self._statistics),
            "/api/puzzles": self._of_archive(self._puzzles),
            "/api/puzzles/{number}": self._of_archive(self._puzzle),
            "/api/position": self._answer_limit.keeping(self._position),
            "/api/try": self._answer_limit.keeping(try_turn),
            "/api/think": self._think,
            "/picture.svg": self._answer_limit.keeping(self._picture),
            "/api/rules": self._rules,
            "/api/invitations": self._invitations,
            "/help/": _help,
            "/help/{name}": _help,
            _GUEST: self._files.answering("guest.html"),
            f"{_GUEST}static/{{name}}": self._files.answering(),
            f"{_GUEST}catalogue.js": words,
            f"{_GUEST}board.svg": self._board,
            f"{_GUEST}api/rules": self._rules,
            f"{_GUEST}game": self._of_archive(partial(self._played, sharing.PAGE)),
            f"{_GUEST}review": self._of_archive(partial(self._played, sharing.SERVED)),
            f"{_GUEST}help/": _help,
            f"{_GUEST}help/{{name}}": _help,
        }
        for path, files in self._folders.items():
            answers[f"{path}{{name}}"] = files.answering()
        return [Route(path, answer) for path, answer in answers.items()]

    def _of_archive(
        self, answer: Callable[[Request], Response]
    ) -> Callable[[Request], Awaitable[Response]]:
        """Have something answered by one of the threads that wait for the archive."""

        async def wait_for(request: Request) -> Response:
            if self._archive is None:  # there may be none before a loop runs
                # One waits behind each process, so that none is idle between two answers.
                self._archive = CapacityLimiter(2 * PROCESSES)
            return await to_thread.run_sync(answer, request, limiter=self._archive)

        return wait_for

    async def missing(self, request: Request, error: Exception) -> Response:
        """Answer where there is nothing, and note it."""
        why, path = tr("there is nothing at this address"), request.url.path
        level = logging.WARNING if _TRICK.search(path) else logging.INFO
        self._refusals.note(f"{request.method} {path}", client_of(request.scope), why, level)
        return await missing(request, error)

    def _board(self, request: Request) -> Response:
        content = self._board_svg().encode()
        return checked(request, content, tag_of(content), TYPES[".svg"])

    def _list(self, request: Request) -> Response:
        return answer_json(
            self._games.list(
                parameter(request, "player", ""),
                parameter(request, "result", ""),
                _count(request, "limit", _GAMES, _MOST_GAMES),
                _count(request, "offset", 0, _MOST_OFFSET),
                parameter(request, "order", ""),
            )
        )

    def _game(self, request: Request) -> Response:
        return answer_json(self._games.game(request.path_params["id"]))

    def _stories(self, request: Request) -> Response:
        return answer_json(self._games.stories(request.path_params["id"]))

    def _night(self, request: Request) -> Response:
        place = _count(request, "place", 0, _MOST_PLACES)
        return answer_json(self._games.night(request.path_params["id"], place - 1))

    def _record(self, request: Request) -> Response:
        name, text = self._games.record(request.path_params["id"])
        return Response(text, headers=_as_file(name), media_type="text/plain")

    def _statistics(self, request: Request) -> Response:
        asked = (("player", ""), ("modules", "standard"), ("after", ""))
        player, modules, after = (parameter(request, *each) for each in asked)
        return answer_json(self._games.statistics(player, modules, after))

    def _share(self, request: Request) -> Response:
        game, kind = request.path_params["id"], parameter(request, "kind")
        turn = _count(request, "turn", 0, _MOST_TURNS)
        text = self._games.share(game, kind, turn)
        ending, media_type = sharing.KINDS[kind]
        name = f"{game}-{turn}{ending}" if turn else f"{game}{ending}"
        return Response(text, headers=_as_file(name), media_type=media_type)

    def _played(self, kind: str, _request: Request) -> Response:
        """Answer with a guest's game as a page, which says itself what it needs."""
        if not self._invited.played:
            raise HTTPException(404)
        page = self._games.share(self._invited.played, kind, 0)
        own = {"content-security-policy": "frame-ancestors 'none'", "cache-control": "no-store"}
        return Response(page, headers=own, media_type="text/html")

    def _position(self, request: Request) -> Response:
        return answer_json(self._games.position(parameter(request, "position")))

    def _puzzles(self, request: Request) -> Response:
        return answer_json(self._games.puzzles(parameter(request, "player", "")))

    def _puzzle(self, request: Request) -> Response:
        number = request.path_params["number"]
        turns, asked = (parameter(request, name, "") for name in ("turns", "ask"))
        return answer_json(self._games.puzzle(_number(number), turns, asked))

    async def _think(self, request: Request) -> Response:
        self._thinking.refuse_too_many()
        options, turns = (parameter(request, name, "") for name in ("options", "turns"))
        lines = _number(parameter(request, "lines", "1"))
        question = asked_question(parameter(request, "position"), options, turns, lines)
        found = self._thinking.lines(question)
        return StreamingResponse(found, headers=UNKEPT, media_type="application/x-ndjson")

    def _picture(self, request: Request) -> Response:
        svg = self._games.picture(parameter(request, "position"))
        return Response(svg, headers=_as_file("position.svg"), media_type=TYPES[".svg"])

    def _invitations(self, _request: Request) -> Response:
        return answer_json({side: it._asdict() for side, it in self._invited.invitations().items()})

    def _rules(self, _request: Request) -> Response:
        parts = [_part_json(part) for part in book.parts()]
        return answer_json({"parts": parts, "examples": examples_json()})


def _help(request: Request) -> Response:
    from chronotable_host.web.http import help_html  # noqa: PLC0415 - most tables need none

    return help_html.answer(request)


def _part_json(part: Part) -> dict[str, Any]:
    """Return a part of the rules as JSON."""
    sections = [
        {"title": section.title, "rules": [rule._asdict() for rule in section.rules]}
        for section in part.sections
    ]
    return {"title": part.title, "setup": part.setup, "sections": sections}


def _as_file(name: str) -> dict[str, str]:
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", name)
    named = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
    return {"content-disposition": named, "cache-control": "no-store"}


def _count(request: Request, name: str, default: int, most: int) -> int:
    text = parameter(request, name, str(default))
    if text.isascii() and text.isdecimal() and len(text) <= len(str(most)) and int(text) <= most:
        return int(text)
    raise UserError(tr("'{name}' is a whole number from 0 to {most}", name=name, most=most))


def _number(text: str) -> int:
    """Return the number that a path ends with, 0 for what is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else 0


async def _failed(_request: Request, _error: Exception) -> Response:
    return JSONResponse({"why": tr("this failed here; the log has more about it")}, 500)
