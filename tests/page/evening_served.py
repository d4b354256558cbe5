"""A table in table time whose page is served to browsers: it stays as it is while they look."""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from chronotable_host.engine.thinkers import AtOnce
from chronotable_host.rules.notation import parse_position
from chronotable_host.web.http.server import PageServer
from chronotable_host.web.study.games import Games
from tests.page.browsing import Browser, Person, Size, opened
from tests.page.evening import Evening
from tests.page.looker import Looker
from tests.table.hands import START
from ttykm.layout import BLACK, WHITE


class ServedEvening(ExitStack):
    """The page of an evening, for browsers; a `real` table is mirrored, and has no hand here.

    `where` is for the server.
    """

    def __init__(
        self, folder: Path, position: str = START, real: bool = False, seat: str = "", **where: Any
    ) -> None:
        super().__init__()
        sides = (WHITE, BLACK) if seat else ()
        start = parse_position(position)
        self.evening = self.enter_context(
            closing(Evening(start, built_in=sides, seat=seat, folder=folder))
        )
        self.looker = Looker(self.evening, folder, real=real)
        page = self.looker.page
        server = PageServer(page.hub, Games(folder), page.board_svg, guests=page.guests, **where)
        server.start()
        self.enter_context(closing(server))
        self.url = server.url

    def wants(self, side: int, turn: int) -> None:
        """Have a player without hands want a turn at a real table."""
        self.evening.seats.seat_thinker(side, AtOnce("level:3", lambda _: turn))
        self.evening.wait(500)

    def is_left(self) -> None:
        """Have whoever asked for something so far look on no longer."""
        self.looker.page.hub.leave(self.looker.viewer)

    def opens(self, browser: Browser, size: Size, **how: Any) -> Person:
        """Open the page in a window of its own."""
        return opened(browser, self.url, size=size, **{"reduced_motion": None, **how})
