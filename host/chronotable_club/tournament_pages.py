"""Pages of tournaments for everybody: pairings by table, standings, cross table, ratings, CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from chronotable_club.tournament.ratings import PERIODS
from chronotable_club.tournament.views import table_of
from chronotable_host.web.files import Files
from chronotable_host.web.json_text import json_text

if TYPE_CHECKING:
    from starlette.requests import Request

    from chronotable_club.desk import ClubDesk

STATIC = Path(__file__).parent / "static"
TABLES = ("pairings", "standings", "cross")
_UNKEPT = {"cache-control": "no-store"}

Page = tuple[str, Callable[["Request"], Awaitable[Response]]]


def tournament_pages(desk: ClubDesk) -> list[Page]:
    """Return the pages, each with its path."""
    files = Files(STATIC)

    def html(name: str) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            return _found(files.answer(request, name))

        return answer

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
        ("/tournaments", html("tournaments.html")),
        ("/director/tournaments", html("direct.html")),
        ("/api/tournaments", overview),
        ("/api/tournaments/{tournament}", whole),
        ("/api/ratings", rated),
        ("/tournaments/{tournament}/{table}.csv", as_csv),
    ]


def _plain(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def _json(value: Any) -> Response:
    return Response(json_text(value), headers=_UNKEPT, media_type="application/json")


def _found(response: Response | None) -> Response:
    if response is None:
        raise HTTPException(404)
    return response
