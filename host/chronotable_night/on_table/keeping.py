"""A real table that is kept in step with a room, in a thread of its own.

Two rules: whatever becomes of the table, the night goes on; and the thread reads nothing of the
room but what it is given.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress

from chronotable_host.errors import UserError
from chronotable_host.live.connection import PAUSE_S, TableConnection, TableError
from chronotable_host.live.port import PortError
from chronotable_night.on_table.following import OnTable, RoomView, follow

_CLOSE_S = 2.0
_GIVE_BACK_MS = 1000


class Keeper:
    """Keeps the table of a connection in step with the room that `show` was given last.

    `tell` hears, in the keeper's thread, what hands are to do there; `fail` why no table is kept
    any more.
    """

    def __init__(
        self, connection: TableConnection, tell: Callable[[str], None], fail: Callable[[str], None]
    ) -> None:
        self._connection = connection
        self._tell = tell
        self._fail = fail
        self._table = OnTable(connection.session)
        self._room: RoomView | None = None
        self._said = ""
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    def start(self) -> None:
        """Open the port, and begin; raises PortError and UserError where there is no table."""
        self._connection.open()
        self._thread.start()

    def show(self, room: RoomView | None) -> None:
        """Have the table show a room from now on, None is for none yet; called in any thread."""
        self._room = room

    def close(self) -> None:
        """Give the table back to its own game, and let it go."""
        self._is_over.set()
        if self._thread.is_alive():
            self._thread.join(_CLOSE_S)

    def _run(self) -> None:
        try:
            while not self._is_over.is_set():
                self._step()
                self._is_over.wait(PAUSE_S)
            self._give_back()
        except (UserError, PortError, TableError, OSError) as error:
            self._say("")
            self._fail(str(error))
        finally:
            with suppress(PortError, OSError):
                self._connection.close()

    def _step(self) -> None:
        self._connection.step()
        if self._room is not None:
            self._say(follow(self._room, self._table))
            self._table.picture.step(self._connection.now_ms)

    def _give_back(self) -> None:
        connection, table = self._connection, self._table
        table.leave()
        late_ms = connection.now_ms + _GIVE_BACK_MS
        while table.picture.closed is not None and connection.now_ms < late_ms:
            table.picture.step(connection.now_ms)
            connection.step()
            time.sleep(PAUSE_S)

    def _say(self, says: str) -> None:
        if says != self._said:
            self._said = says
            self._tell(says)
