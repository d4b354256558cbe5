"""The server of a club, and the links that lead to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

from chronotable_club.app import DIRECTOR_PATH, Page, make_app
from chronotable_club.director import Director
from chronotable_club.wall import Wall
from chronotable_host.web.addresses import LOOPBACK
from chronotable_host.web.serving import Access, Server

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from chronotable_club.collecting import Collector
    from chronotable_club.register import Register

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
        return make_app(
            self._collector,
            self._wall,
            self._director,
            self._collector.games,
            self._register,
            door,
            self.abort,
            self._more,
        )

    def _dismiss(self, code: int, why: str) -> None:
        self._wall.end(code, why)
        self._director.end(code, why)

    def _ended(self) -> None:
        self._register.close()
