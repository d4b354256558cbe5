"""From where guests come to the page: by which address, and whether from this computer alone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.web.http.server import PageServer

if TYPE_CHECKING:
    from chronotable_host.web.guests import Guests

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
