"""The page's server: the hub, the archive and the pictures, served at the page's addresses.

Few threads answer for the archive; all else is as `serving` has it. `Reach` says from where guests
come: by which address, and whether from this computer alone.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from chronotable_host.errors import UserError
from chronotable_host.language import tr
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

    from chronotable_host.web.guests import Guests
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


Announce = Callable[[bool, int, str], None]


class PageBeyond(PageServer):
    """Serves a page to the network beside the server that this computer has of it already."""

    def _dismiss(self, code: int, why: str) -> None:
        """Have nobody's socket closed: most are the other server's, its own end with it."""


class Reach:
    """Where the links of guests lead: to one of the addresses of the server that reaches furthest.

    `beyond` begins to serve the page to the network and returns the server. `announce` is told of
    each link whether it leads here from elsewhere, and what guests tell of it.
    """

    def __init__(
        self,
        guests: Guests,
        server: PageServer,
        beyond: Callable[[], PageServer],
        announce: Announce,
    ) -> None:
        self._guests = guests
        self._servers = [server]
        self._beyond = beyond
        self._announce = announce
        self._lead_to(0)

    def view(self) -> dict[str, Any]:
        """Return what the page shows: whether it is open, and may be shut, and how many ways in."""
        return {
            "open": self._servers[-1].is_beyond,
            "opened": len(self._servers) > 1,
            "addresses": len(self._servers[-1].guest_urls),
        }

    def switch(self) -> None:
        """Have links begin with the next address; raises UserError where there is no other."""
        if len(self._servers[-1].guest_urls) < 2:
            raise UserError(tr("this computer has no other address"))
        self._lead_to(self._at + 1)

    def open(self) -> None:
        """Let others in the network in, by a link; raises UserError where that cannot be."""
        if self._servers[-1].is_beyond:
            raise UserError(tr("the page is open to this network already"))
        self._servers.append(self._beyond())
        self._lead_to(0)

    def shut(self) -> None:
        """Serve the page to this computer alone again; raises UserError where nobody opened it."""
        if len(self._servers) < 2:
            raise UserError(tr("the page was not opened here; `--listen` says who reaches it"))
        ended = self._servers.pop()
        threading.Thread(target=ended.close, daemon=True).start()  # the game waits for no farewell
        self._lead_to(0)

    def close(self) -> None:
        """Serve nobody any more."""
        for server in self._servers:
            server.close()

    def _lead_to(self, at: int) -> None:
        server = self._servers[-1]
        self._at = at % len(server.guest_urls)
        announce = partial(self._announce, server.is_beyond)
        self._guests.open_at(server.guest_urls[self._at], announce)
