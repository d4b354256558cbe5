"""The wall: all tables of a club, for whoever looks on. A page is told what has changed since.

One rule: nobody waits for a viewer. What is sent of a table is all of it, so that a viewer who is
slow gets the latest, and misses what was in between.
"""

import json
import time
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Any

from chronotable_club.hub import HubTable
from chronotable_club.views import hello, table_json
from chronotable_host.web.http.requests import Request
from chronotable_host.web.http.sockets import Sockets
from chronotable_host.web.http.viewers import Viewer, Viewers, text_of

MOST = 400
"""Pages that look on."""
PACE_S = 0.1
"""Between two messages to a page: of a table that changes twice meanwhile the latest is sent."""


class Wall(Viewers):
    """What the pages of spectators are told; they ask for nothing."""

    def __init__(self, club: str) -> None:
        super().__init__({}, most=MOST)
        self._club = club
        self._tables: OrderedDict[str, tuple[int, str]] = OrderedDict()  # version and JSON
        self._version = 1  # 0 has seen nothing
        self._order: list[str] = []  # of the tables, as the club has them
        self._lists = 1  # the version in which that changed last
        self._own = Lock()

    # ---- for the hub

    def show(self, tables: Sequence[HubTable]) -> None:
        """Show what has changed at these tables."""
        made = [(table.id, table_json(table)) for table in tables]
        with self._lock:
            self._version += 1
            for key, text in made:
                self._tables[key] = self._version, text
                self._tables.move_to_end(key)
            self._wake_all()

    def arrange(self, order: Sequence[str]) -> None:
        """Show these tables and no others, in this order."""
        with self._lock:
            if list(order) != self._order:
                self._order = list(order)
                for gone in set(self._tables) - set(order):
                    del self._tables[gone]
                self._version += 1
                self._lists = self._version
                self._wake_all()

    # ---- for the server

    def outgoing(self, viewer: Viewer) -> list[str]:
        """Return what a viewer is to be sent by now, in order."""
        with self._lock:
            viewer.is_woken = False
            if viewer not in self._viewers:
                return []
            texts = [text_of(hello(self._club))] if viewer.needs_hello else []
            viewer.needs_hello = False
            texts += viewer.replies
            viewer.replies.clear()
            if viewer.seen == self._version:
                return texts
            changed = []
            for version, text in reversed(self._tables.values()):
                if version <= viewer.seen:
                    break
                changed.append(text)
            order = f',"order":{json.dumps(self._order)}' if self._lists > viewer.seen else ""
            viewer.seen = self._version
        now = time.time_ns() // 1_000_000
        joined = ",".join(reversed(changed))
        return [*texts, f'{{"type":"tables","now_ms":{now}{order},"tables":[{joined}]}}']

    def _came(self, viewer: Viewer) -> None:
        viewer.wake()

    def _admit(self, _viewer: Viewer, request: Request) -> None:
        request.accept()

    def _reply_of(self, number: int, why: str | None) -> dict[str, Any]:
        return {"type": "reply", "id": number, "ok": why is None, "why": why or ""}


class WallSockets(Sockets):
    """Sockets of pages that are told no more often than they can show."""

    _pace_s = PACE_S
