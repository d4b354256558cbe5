"""The server of a night, and the links that lead to it."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING
from urllib.parse import quote

import segno

from chronotable_host.web.addresses import LOOPBACK
from chronotable_host.web.serving import Access, Server
from chronotable_night.app import make_app
from chronotable_night.messages import Door

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from chronotable_night.evening import Evening


class NightServer(Server):
    """Serves a night.

    `screens` are the links to the big screen, the one for this PC first; `link` leads players to
    their seats, from elsewhere where it `is_beyond` this PC.
    """

    def __init__(
        self, evening: Evening, host: str = LOOPBACK, port: int = 0, token: str = ""
    ) -> None:
        super().__init__(host, port, token)
        self.screens: list[str] = []
        self.link = ""
        self._ways: deque[str] = deque()
        self._evening = evening

    def _named(self) -> None:
        query = f"?token={quote(self.token, safe='')}" if self.token else ""
        self.screens = [f"{base}/{query}" for base in self.bases]
        self._evening.watch_link = f"/{query}"
        self._evening.switch = self.switch
        self._ways = deque(self.bases[1:] or self.bases)
        self._lead()

    def switch(self) -> None:
        """Have `link` begin with the next of the addresses, on all pages."""
        self._ways.rotate(-1)
        self._lead()

    def _lead(self) -> None:
        base = self._ways[0]
        code = self._evening.codes.code
        self.link = f"{base}/join?code={quote(code)}"
        door = Door(code, self.link, _picture(self.link), len(self._ways))
        self._evening.lead(door, lambda path: _picture(base + path))

    def _app(self, door: Access) -> ASGIApp:
        return make_app(self._evening, door, self.abort)

    def _dismiss(self, code: int, why: str) -> None:
        self._evening.dismiss(code, why)

    def _ended(self) -> None:
        self._evening.close()


def _picture(link: str) -> str:
    """Return a link as a QR code, a `data:` URI."""
    return segno.make(link, micro=False).svg_data_uri(scale=4, border=2)
