"""The page of `play`: a real table's game in the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chronotable_host import boards
from chronotable_host.language import tr
from chronotable_host.live.status import status_lines, status_of
from chronotable_host.web.page import ConnectionState, Page

if TYPE_CHECKING:
    from pathlib import Path

    from chronotable_host.live.desk import Desk

_BOARD = "reference"


class MirroredPage(Page):
    """The page of a desk at a real table, plugged in there."""

    def __init__(self, desk: Desk, archive: Path | None, settings: dict[str, str]) -> None:
        assert desk.connection is not None
        self._line = desk.connection
        place = self._known_board, self._state, lambda: status_lines(status_of(self._line))
        super().__init__(desk, archive, None, *place, settings)
        desk.page = self

    def _known_board(self) -> str:
        """Return the board of the table that is there, as far as it is known here."""
        peer = self._session.mirror.table.peer
        known = "" if peer is None else peer.board_name  # its first twelve characters
        return next((name for name in boards.names() if known and name[:12] == known), _BOARD)

    def _state(self) -> ConnectionState:
        line, refusal = self._line, self._session.mirror.table.refusal
        if refusal:
            return ConnectionState("refused", refusal)
        if not line.is_there:
            name = line.name or tr("any port")
            return ConnectionState("waiting", tr("no table at {name} yet", name=name))
        return ConnectionState("online", status_lines(status_of(line))[0])
