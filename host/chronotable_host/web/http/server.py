"""The page's server: the hub, the archive and the pictures, served at the page's addresses.

Few threads answer for the archive; all else is as `serving` has it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from chronotable_host.limits import Clock
from chronotable_host.web.http.addresses import LOOPBACK
from chronotable_host.web.http.app import ArchivePages, InvitedGuests, NoGuests, make_app
from chronotable_host.web.http.files import STATIC
from chronotable_host.web.http.guard import GUEST_PATH, Access
from chronotable_host.web.http.serving import Server
from chronotable_host.web.http.sockets import PATIENCE_S
from chronotable_host.web.study.thinking import Thinking

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from chronotable_host.web.http.hub import Hub


class PageServer(Server):
    """Serves the page.

    `url` is for this PC, `urls` are for others in the same network; all have the token.
    `guest_urls` begin the links of guests, the likeliest first. `folders` see `app.make_app`.
    """

    def __init__(
        self,
        hub: Hub,
        games: ArchivePages,
        board_svg: Callable[[], str],
        host: str = LOOPBACK,
        port: int = 0,
        token: str = "",
        static: Path = STATIC,
        patience_s: float = PATIENCE_S,
        clock: Clock = time.monotonic,
        guests: InvitedGuests | None = None,
        folders: Mapping[str, Path] | None = None,
    ) -> None:
        super().__init__(host, port, token, clock)
        self.url = ""
        self.urls: list[str] = []
        self.guest_urls: list[str] = []
        self._hub = hub
        self._games = games
        self._board_svg = board_svg
        self._static = static
        self._guests = guests or NoGuests()
        self._thinking = Thinking()
        self._patience_s = patience_s
        self._folders = folders or {}

    def _named(self) -> None:
        query = f"?token={quote(self.token, safe='')}" if self.token else ""
        self.url, *self.urls = (f"{base}/{query}" for base in self.bases)
        self.guest_urls = [base + GUEST_PATH for base in self.bases[1:] or self.bases]

    def _app(self, door: Access) -> ASGIApp:
        return make_app(
            self._hub,
            self._games,
            self._board_svg,
            door,
            self.abort,
            self._static,
            self._patience_s,
            self._guests,
            self._thinking,
            self._folders,
        )

    def _dismiss(self, code: int, why: str) -> None:
        for each in (self._hub, self._guests):
            each.dismiss(code, why)

    def _ended(self) -> None:
        self._games.close()
        self._thinking.close()
