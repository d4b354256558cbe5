"""The server of a club: what is served at which path, and the links that lead there.

The wall, its feed and the tournaments are for everybody; the director's pages for one.
"""

import asyncio
import csv
import io
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp

from chronotable_club.collecting import Collector
from chronotable_club.desk import ClubDesk
from chronotable_club.director import Director
from chronotable_club.register import Delivery, Register
from chronotable_club.tournament.ratings import PERIODS
from chronotable_club.tournament.views import table_of
from chronotable_club.views import feed_of, is_open, turns_of
from chronotable_club.wall import Wall, WallSockets
from chronotable_host import chapters
from chronotable_host.archive.database import UnusableError
from chronotable_host.archive.naming import SUFFIX
from chronotable_host.errors import UserError, without_folders
from chronotable_host.language import tr
from chronotable_host.limits import network_of
from chronotable_host.rules.record import format_record
from chronotable_host.web.http.addresses import LOOPBACK
from chronotable_host.web.http.files import STATIC as SHARED
from chronotable_host.web.http.files import Files, Headers, missing, words
from chronotable_host.web.http.guard import Access, Guard
from chronotable_host.web.http.json_text import json_text
from chronotable_host.web.http.serving import Server
from chronotable_host.web.http.sockets import PATIENCE_S, Sockets
from chronotable_host.web.sharing import PAGE
from chronotable_host.web.study.games import NoSuchGame
from chronotable_host.web.study.reading import GamesElsewhere

STATIC = Path(__file__).parent / "static"
DIRECTOR_PATH = "/director"
"""Begins what is the director's alone."""

_OWN_PATH = "/club/static/"
_ARCHIVE_S = 8.0  # that an answer out of the database may take
_ARCHIVE_THREADS = 4
_MOST_RESULTS = 500
_STREAM_S = 0.25
_MOST_STREAMS, _MOST_OF_NETWORK = 32, 8
_GAME = re.compile(r"[A-Za-z0-9_-]{1,80}")
_UNKEPT = {"cache-control": "no-store"}
# a replay is a page that has all it needs, and says itself what it may do
_REPLAY = {**_UNKEPT, "content-security-policy": "frame-ancestors 'none'"}
_CSV = ("date", "table", "white", "black", "result", "termination", "modules", "turns", "file")

Page = tuple[str, Callable[["Request"], Awaitable[Response]]]
"""A path, and what answers there."""


class _Pages:
    def __init__(self, collector: Collector, games: GamesElsewhere, register: Register) -> None:
        self._collector = collector
        self._games = games
        self._register = register
        self._limit: CapacityLimiter | None = None
        self._streams: Counter[str] = Counter()  # by network

    def routes(self) -> list[Route]:
        """Return who answers where."""
        own = Files(STATIC)
        answers: Mapping[str, Callable[[Request], Awaitable[Response]]] = {
            "/": own.answering("wall.html"),
            "/results": own.answering("results.html"),
            DIRECTOR_PATH: own.answering("director.html"),
            "/api/tables/{table}": self._table,
            "/api/results": self._results,
            "/results.csv": self._results_csv,
            "/replay/{game}": self._replay,
            "/feed.json": self._feed,
            "/feed/stream": self._stream,
            "/feed/{name}": self._record,
            "/static/{name}": Files(SHARED).answering(),
            f"{_OWN_PATH}{{name}}": own.answering(),
            "/catalogue.js": words,
        }
        return [Route(path, answer) for path, answer in answers.items()]

    async def _slowly(self, work: Callable[[], Any]) -> Any:
        """Do what may have to wait for the database, and not for long."""
        if self._limit is None:
            self._limit = CapacityLimiter(_ARCHIVE_THREADS)
        working = to_thread.run_sync(work, limiter=self._limit, abandon_on_cancel=True)
        try:
            return await asyncio.wait_for(working, _ARCHIVE_S)
        except asyncio.TimeoutError as error:
            raise UnusableError(
                tr("the club's database does not answer now; the wall goes on")
            ) from error

    # ---- tables

    async def _table(self, request: Request) -> Response:
        with self._collector.lock:
            table = self._collector.hub.tables.get(request.path_params["table"])
            told = None if table is None else turns_of(table)
        if told is None:
            raise HTTPException(404)
        return _json(told)

    # ---- results

    async def _results(self, _request: Request) -> Response:
        found = await self._slowly(lambda: self._register.delivered(_MOST_RESULTS))
        return _json({"results": [_result(each) for each in found]})

    async def _results_csv(self, _request: Request) -> Response:
        found = await self._slowly(self._register.delivered)
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\r\n")
        writer.writerow(_CSV)
        for each in reversed(found):
            row = _result(each)
            writer.writerow([_plain(str(row[name] or "")) for name in _CSV])
        headers = {**_UNKEPT, "content-disposition": 'attachment; filename="results.csv"'}
        return Response(out.getvalue().encode("utf-8-sig"), headers=headers, media_type="text/csv")

    async def _replay(self, request: Request) -> Response:
        game = request.path_params["game"]
        page = await self._slowly(lambda: self._games.share(game, PAGE, 0))
        return Response(page, headers=_REPLAY, media_type="text/html")

    # ---- the feed

    async def _feed(self, _request: Request) -> Response:
        collector = self._collector
        with collector.lock:
            tables = [feed_of(it) for it in collector.hub.tables.values() if not it.is_revoked]
        club = collector.folder.club.name
        return _json({"club": club, "now_ms": collector.now_ms(), "tables": tables})

    async def _record(self, request: Request) -> Response:
        """Answer with the record of a game, as it is now."""
        name = request.path_params["name"]
        game = name.removesuffix(SUFFIX)
        if game == name or not _GAME.fullmatch(game):
            raise HTTPException(404)
        with self._collector.lock:
            for table in self._collector.hub.tables.values():
                if table.live and table.live.game == game and table.followed:
                    if not is_open(table.followed):
                        raise chapters.LockedError
                    text = format_record(table.followed.record)
                    return Response(text, headers=_UNKEPT, media_type="text/plain")
        _, text = await self._slowly(lambda: self._games.record(game))
        return Response(text, headers=_UNKEPT, media_type="text/plain")

    async def _stream(self, request: Request) -> Response:
        network, _ = network_of(request.client.host if request.client else "")
        if self._streams.total() >= _MOST_STREAMS or self._streams[network] >= _MOST_OF_NETWORK:
            raise HTTPException(503)
        return StreamingResponse(
            self._lines(network), headers=_UNKEPT, media_type="application/x-ndjson"
        )

    async def _lines(self, network: str) -> AsyncIterator[str]:
        """Yield a line for each table, and another one whenever it shows something else."""
        self._streams[network] += 1
        seen: dict[str, int] = {}
        collector = self._collector
        try:
            while True:
                with collector.lock:
                    changed = [
                        (table.version, feed_of(table))
                        for table in collector.hub.tables.values()
                        if not table.is_revoked and seen.get(table.id) != table.version
                    ]
                for version, told in changed:
                    seen[told["id"]] = version
                    yield f"{json_text(told)}\n"
                if not changed:
                    yield ""  # who is gone is noticed
                await asyncio.sleep(_STREAM_S)
        finally:
            self._streams -= Counter((network,))


def _result(each: Delivery) -> dict[str, Any]:
    moment = datetime.fromtimestamp(each.first_ms / 1000)
    is_shown = chapters.is_open(chapters.modules_in(each.modules)) if each.modules else True
    return {
        "id": Path(each.file_name).stem,
        "date": moment.strftime("%Y-%m-%d %H:%M"),
        "table": each.table_name,
        "white": each.white,
        "black": each.black,
        "result": each.result,
        "termination": each.termination,
        "modules": each.modules if is_shown else "",
        "turns": each.turns,
        "file": each.file_name,
    }


def _plain(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: names are strangers'."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def _json(told: Mapping[str, Any]) -> Response:
    return Response(json_text(told), headers=_UNKEPT, media_type="application/json")


async def _wrong(_request: Request, error: Exception) -> Response:
    statuses = {NoSuchGame: 404, UnusableError: 503, chapters.LockedError: 403}
    status = next((it for kind, it in statuses.items() if isinstance(error, kind)), 400)
    why = chapters.discreet(without_folders(str(error)))
    return JSONResponse({"why": why}, status)


# ---- pages of tournaments


TABLES = ("pairings", "standings", "cross")


def tournament_pages(desk: ClubDesk) -> list[Page]:
    """Return the pages, each with its path."""
    files = Files(STATIC)

    async def overview(_request: Request) -> Response:
        return _json({"tournaments": desk.overviews()})

    async def whole(request: Request) -> Response:
        found = desk.view(request.path_params["tournament"])
        if found is None:
            raise HTTPException(404)
        return _json(found)

    async def rated(request: Request) -> Response:
        periods = request.query_params.get("periods", "week")
        if periods not in PERIODS:
            raise HTTPException(404)
        return _json({"periods": periods, "ratings": desk.ratings(periods)})

    async def as_csv(request: Request) -> Response:
        name = request.path_params["table"]
        state = desk.state(request.path_params["tournament"])
        if state is None or name not in TABLES:
            raise HTTPException(404)
        out = io.StringIO()
        csv.writer(out, lineterminator="\r\n").writerows(
            [_plain(it) for it in row] for row in table_of(name, state)
        )
        file = f'attachment; filename="{state.id}-{name}.csv"'
        return Response(
            out.getvalue().encode("utf-8-sig"),
            headers={**_UNKEPT, "content-disposition": file},
            media_type="text/csv",
        )

    return [
        ("/tournaments", files.answering("tournaments.html")),
        ("/director/tournaments", files.answering("direct.html")),
        ("/api/tournaments", overview),
        ("/api/tournaments/{tournament}", whole),
        ("/api/ratings", rated),
        ("/tournaments/{tournament}/{table}.csv", as_csv),
    ]


# ---- the server


CROWD = 4
"""Times as many connections as the page of one table has: spectators need no link."""


class ClubServer(Server):
    """Serves a club.

    `walls` are the links to the wall, the one for this PC first; `director_link` is the director's.
    `register` is asked for results, `more` are further pages.
    """

    def __init__(
        self,
        collector: Collector,
        wall: Wall,
        director: Director,
        register: Register,
        host: str = LOOPBACK,
        port: int = 0,
        more: Sequence[Page] = (),
    ) -> None:
        super().__init__(host, port, collector.folder.director, times=CROWD)
        self.walls: list[str] = []
        self.director_link = ""
        self._collector = collector
        self._wall = wall
        self._director = director
        self._register = register
        self._more = more

    def _named(self) -> None:
        self.walls = [f"{base}/" for base in self.bases]
        query = f"?token={quote(self.token, safe='')}"
        self.director_link = f"{self.bases[0]}{DIRECTOR_PATH}{query}"

    def _app(self, door: Access) -> ASGIApp:
        collector = self._collector
        pages = _Pages(collector, collector.games, self._register)
        spectators = WallSockets(self._wall, lambda _token: None, self.abort, PATIENCE_S)
        directors = Sockets(self._director, lambda _token: None, self.abort, PATIENCE_S)
        app = Starlette(
            routes=[
                *(Route(path, answer) for path, answer in self._more),
                *pages.routes(),
                WebSocketRoute("/ws", spectators.serve),
                WebSocketRoute(f"{DIRECTOR_PATH}/ws", directors.serve),
            ],
            exception_handlers={
                HTTPException: missing,
                **dict.fromkeys((NoSuchGame, UnusableError, UserError), _wrong),
            },
        )
        app.router.redirect_slashes = False
        own = (DIRECTOR_PATH,)
        guard = Guard(app, *door, lambda _token: False, invited=(), linked=own, private=own)
        return Headers(guard, guard.own_host)

    def _dismiss(self, code: int, why: str) -> None:
        self._wall.end(code, why)
        self._director.end(code, why)

    def _ended(self) -> None:
        self._register.close()
