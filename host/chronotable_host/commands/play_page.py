"""The page of `play`: a real table's game in the browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from chronotable_host import boards
from chronotable_host.commands.page_server import serve
from chronotable_host.language import tr
from chronotable_host.live.status import status_lines, status_of
from chronotable_host.web.page import ConnectionState, Page

if TYPE_CHECKING:
    from pathlib import Path

    from chronotable_host.live.audience import Audience
    from chronotable_host.live.clocks import Clocks
    from chronotable_host.live.connection import TableConnection
    from chronotable_host.live.hinter import Hinter
    from chronotable_host.live.seated import Seated
    from chronotable_host.live.table_analysis import TableAnalysis

_BOARD = "reference"


class MirroredPage:
    """The page, served beside the loop that keeps the connection to the table."""

    def __init__(
        self,
        connection: TableConnection,
        audience: Audience,
        seated: Seated,
        clocks: Clocks,
        settings: dict[str, str],
        archive: Path | None,
        hinter: Hinter | None = None,
        analysis: TableAnalysis | None = None,
    ) -> None:
        self._connection = connection
        self._archive = archive
        self.page = Page(
            connection.session,
            self._board,
            archive,
            None,
            seated,
            self._connection_state,
            self._health,
            settings,
            clocks,
        )
        if hinter is not None:
            self.page.service.tutor = hinter.tutor
            self.page.give_hints(hinter)
        self.page.service.analysis = analysis
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
        """Return `is_done` with the page served each time that it is called."""

        def step() -> bool:
            self.page.step(self._connection.now_ms)
            return is_done()

        return step

    def _board(self) -> str:
        """Return the board of the table that is there, as far as it is known here."""
        peer = self._connection.session.mirror.table.peer
        known = "" if peer is None else peer.board_name  # its first twelve characters
        return next((name for name in boards.names() if known and name[:12] == known), _BOARD)

    def _connection_state(self) -> ConnectionState:
        connection = self._connection
        mirror = connection.session.mirror
        if mirror.table.refusal:
            return ConnectionState("refused", mirror.table.refusal)
        if not connection.is_there:
            return ConnectionState(
                "waiting", tr("no table at {name} yet", name=connection.name or tr("any port"))
            )
        return ConnectionState("online", self._health()[0])

    def _health(self) -> list[str]:
        return status_lines(status_of(self._connection))
