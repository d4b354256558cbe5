"""A real table at the cable of who looks at the page: its port, and the desk that it has there.

The browser has the port, in the page's own thread (`static/cable.js`); what comes there and goes is
handed on through here. The rest is what `play` has: the same search, connection, mirror, players.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

from chronotable.link.frames import LocalLinkError
from chronotable_host import chapters
from chronotable_host.archive.store import Archive
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.live.desk import Desk
from chronotable_host.live.line.connection import PAUSE_S, TableConnection, TableError
from chronotable_host.live.line.port import vanished
from chronotable_host.live.line.port_search import AUTO, PortCandidate, PortSearch
from chronotable_host.live.players.tutor import READ_MS
from chronotable_host.web.page import MirroredPage

NAME = "USB"
"""What the port is called: a browser does not tell its name."""

_SETTLES_S = 0.5
_NO_TABLE = tr(
    "No Chronotable firmware answers there. Choose another port, or have the firmware installed: "
    "the button is on the start page."
)


class CablePort:
    """The port of the page, as `TableConnection` wants one: open as long as the page's is."""

    name = NAME

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self.unsent = 0
        self.is_there = True
        self._is_lost = False  # since it was opened
        self._send = send
        self._came = bytearray()

    def plug(self, is_there: bool) -> None:
        """Take note that the page has the port again, or has lost it."""
        self.is_there = is_there
        self._is_lost |= not is_there

    def hear(self, data: bytes) -> None:
        """Take what has come."""
        self._came += data

    def open(self, _name: str) -> CablePort:
        """Return the port; raises PortError where the page has lost it."""
        if not self.is_there:
            raise vanished(NAME)
        return self

    def read(self) -> bytes:
        """Return what has come; raises PortError."""
        if self._is_lost:
            raise vanished(NAME)
        data = bytes(self._came)
        self._came.clear()
        return data

    def write(self, data: bytes) -> None:
        """Send bytes; raises PortError."""
        if self._is_lost:
            raise vanished(NAME)
        self._send(data)

    def close(self) -> None:
        """Forget what was before; the page keeps the port, so that it can be opened again."""
        self._is_lost = False
        self._came.clear()

    def found(self) -> list[PortCandidate]:
        """Return the port where it is there, as a search wants it."""
        return [PortCandidate(NAME, "", NAME)] if self.is_there else []


class CabledDesk(Desk):
    """The desk at the table, and its page, which it has `shown`."""

    def __init__(self, games: Archive, port: CablePort) -> None:
        super().__init__(games, resumes=True, lock=chapters)
        search = PortSearch(AUTO, ports=port.found)
        self._line: TableConnection = self.connect(search, opens=port.open)
        self.seat()
        self.keep_time()
        self.assist(pause_ms=READ_MS)
        self.shown = MirroredPage(self, None)
        self._line.open()

    def exchange(self) -> None:
        """Exchange what there is, and do what is due; raises UserError where no table is there."""
        try:
            self._line.step()
        except TableError as error:
            if self.mirror.table.refusal:
                raise
            raise UserError(_NO_TABLE) from error
        self.step()

    async def leave_to_hands(self) -> None:
        """Leave the table to hands alone, and wait until it knows, if it is there."""
        with suppress(LocalLinkError):
            self.leave()
        self.seats.close()
        late_s = time.monotonic() + _SETTLES_S
        with suppress(UserError):
            while self._line.is_there and time.monotonic() < late_s:
                self._line.step()
                if self.session.link.is_settled:
                    break
                await asyncio.sleep(PAUSE_S)
