"""`play` with the page: a real table's game, shown to whoever looks on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from chronotable_host import boards
from chronotable_host.commands.serving import serve
from chronotable_host.live.status import status_lines, status_of
from chronotable_host.web.page import Connection, Page

if TYPE_CHECKING:
    from pathlib import Path

    from chronotable_host.live.audience import Audience
    from chronotable_host.live.player import Player

_BOARD = "reference"


class MirroredPage:
    """The page beside a player's loop."""

    def __init__(
        self, player: Player, audience: Audience, settings: dict[str, str], archive: Path | None
    ) -> None:
        self._player = player
        self._archive = archive
        self.page = Page(
            player.session, self._board, archive, None, self._connection, self._health, settings
        )
        audience.add(self.page.hear)

    @contextmanager
    def served(self, listen: str | None, no_browser: bool) -> Iterator[None]:
        """Serve it; raises UserError where that cannot be."""
        server = serve(self.page, self._archive, listen, no_browser)
        try:
            yield
        finally:
            server.close()

    def beside(self, is_done: Callable[[], bool]) -> Callable[[], bool]:
        """Return what serves the page whenever a player asks whether it is done."""

        def step() -> bool:
            self.page.step(self._player.now_ms)
            return is_done()

        return step

    def _board(self) -> str:
        """Return the board of the table that is there, as far as it is known here."""
        peer = self._player.session.mirror.table.peer
        told = "" if peer is None else peer.board_name  # its first twelve characters
        return next((name for name in boards.names() if told and name[:12] == told), _BOARD)

    def _connection(self) -> Connection:
        player = self._player
        mirror = player.session.mirror
        if mirror.table.refusal:
            return Connection("refused", mirror.table.refusal)
        if not player.is_there:
            return Connection("waiting", f"no table at {player.name or 'any port'} yet")
        return Connection("online", self._health()[0])

    def _health(self) -> list[str]:
        return status_lines(status_of(self._player))
