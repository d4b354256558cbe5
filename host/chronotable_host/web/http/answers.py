"""Answers in JSON to what a browser asks about positions, and to what cannot be answered.

Whoever serves boards on which turns are tried has them, as the page and a games night do.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from anyio import to_thread
from starlette.responses import JSONResponse, Response

from chronotable_host import chapters
from chronotable_host.errors import UserError, one_line, without_folders
from chronotable_host.language import tr
from chronotable_host.limits import Quotas
from chronotable_host.web.http.json_text import JsonText, json_text
from chronotable_host.web.study import trying
from chronotable_host.web.study.games import NoSuchGame
from chronotable_host.web.study.thinking import too_many

if TYPE_CHECKING:
    from starlette.requests import Request

Answer = dict[str, Any] | JsonText
"""What the page is told as JSON."""
UNKEPT = {"cache-control": "no-store"}

_MOST_TEXT = 1000  # characters of a parameter; a position has some 300 at most
_LOCKED = 403
STATUS: dict[type[Exception], int] = {
    chapters.LockedError: _LOCKED,
    NoSuchGame: 404,
    UserError: 400,
    OSError: 500,
}
"""What `wrong` answers, by its error."""


class AnswerLimit:
    """So many answers in so many seconds for each network, each worked out in a thread."""

    def __init__(self, most: int = 100, within_s: float = 10.0) -> None:
        self._asked = Quotas(most, within_s)

    def keeping(
        self, answer: Callable[[Request], Response]
    ) -> Callable[[Request], Awaitable[Response]]:
        """Have something worked out as often as people ask for it, and no more."""

        async def work_out(request: Request) -> Response:
            if not self._asked.allows(request.client.host if request.client else ""):
                raise too_many()
            return await to_thread.run_sync(answer, request)

        return work_out


def try_turn(request: Request) -> Response:
    """Answer what a turn has become by some choices; see `trying.try_turn`."""
    named = (parameter(request, name, "") for name in ("options", "choices"))
    return answer_json(trying.try_turn(parameter(request, "position"), *named))


def answer_json(answer: Answer) -> Response:
    """Answer with JSON that no browser keeps."""
    text = answer if isinstance(answer, JsonText) else json_text(answer)
    return Response(text, headers=UNKEPT, media_type="application/json")


def parameter(request: Request, name: str, default: str | None = None) -> str:
    """Return a parameter of a request; raises UserError where it is missing or too long."""
    value = request.query_params.get(name, default)
    if value is None:
        raise UserError(tr("'{name}' is missing", name=name))
    if len(value) > _MOST_TEXT:
        raise UserError(tr("'{name}' has more than {most} characters", name=name, most=_MOST_TEXT))
    return value


async def wrong(request: Request, error: Exception) -> Response:
    """Answer what cannot be used; of a locked chapter that names no more than was sent."""
    status = next(status for kind, status in STATUS.items() if isinstance(error, kind))
    given = " ".join([*request.path_params.values(), *request.query_params.values()])
    line = without_folders(one_line(error) or "")
    why = chapters.discreet(line, given, may_quote=True)
    return JSONResponse({"why": why}, status if why == line else _LOCKED)
