"""The director's page: what is wrong at which table, tokens, and what other parts of the club add.

What it shows is made of parts, each by name and whole each time; what it may ask for are commands,
each with who does it. Commands may wait for the database: a thread of their own does them.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from chronotable_club.tokens import token_of
from chronotable_club.views import hello, remarks_of
from chronotable_host.errors import UserError
from chronotable_host.fields import RequestField, short_text
from chronotable_host.language import tr
from chronotable_host.limits import Clock
from chronotable_host.web.requests import Request
from chronotable_host.web.viewers import Viewer, Viewers, text_of

if TYPE_CHECKING:
    from chronotable_club.collecting import Collector
    from chronotable_club.register import Register

Part = Callable[[], Any]
Doing = Callable[[Mapping[str, Any]], Mapping[str, str] | None]
"""Does a command with these values; returns what the answer says besides. Raises UserError."""

_ID = short_text(1, 20)
_NAME = short_text(1, 60)
_LOOKS_S = 0.5

LOG = logging.getLogger("chronotable.page")


class Director(Viewers):
    """The pages of those who direct a club."""

    def __init__(self, club: str, clock: Clock = time.monotonic) -> None:
        self._fields: dict[str, Mapping[str, RequestField]] = {}
        super().__init__(self._fields, clock)
        self._club = club
        self._doing: dict[str, Doing] = {}
        self._parts: dict[str, Part] = {}
        self._texts: dict[str, tuple[int, str]] = {}  # version and JSON of each part
        self._version = 0
        self._looked_s = 0.0
        self._threads = ThreadPoolExecutor(1, "director")  # one after the other

    # ---- for other parts of the club

    def add_part(self, name: str, part: Part) -> None:
        """Show something by name; `part` is asked for it about twice a second."""
        self._parts[name] = part

    def add_command(self, name: str, fields: Mapping[str, RequestField], doing: Doing) -> None:
        """Have something done that the page asks for."""
        self._fields[name] = fields
        self._doing[name] = doing

    # ---- for the hub

    def look(self, at_once: bool = False) -> None:
        """See what has changed, if somebody looks on; called often, from any thread."""
        now = self._clock()
        if not self._viewers or (now < self._looked_s and not at_once):
            return
        self._looked_s = now + _LOOKS_S
        texts = {name: json.dumps(part()) for name, part in self._parts.items()}
        with self._lock:
            for name, text in texts.items():
                if self._texts.get(name, (0, ""))[1] != text:
                    self._version += 1
                    self._texts[name] = self._version, text
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
            changed = [
                f"{json.dumps(name)}:{text}"
                for name, (version, text) in self._texts.items()
                if version > viewer.seen
            ]
            viewer.seen = self._version
        if changed:
            texts.append(f'{{"type":"parts","parts":{{{",".join(changed)}}}}}')
        return texts

    def _came(self, viewer: Viewer) -> None:
        self._looked_s = 0.0
        viewer.wake()

    def _admit(self, _viewer: Viewer, request: Request) -> None:
        self._threads.submit(self._do, request)

    def _do(self, request: Request) -> None:
        try:
            told = self._doing[request.do](request.values)
            request.told = dict(told or {})
        except UserError as error:
            request.refuse(str(error))
        except Exception:
            LOG.exception(tr("the command '{name}' failed", name=request.do))
            request.refuse(tr("this failed here; the log has more about it"))
        else:
            request.accept()
        self.look(at_once=True)

    def _reply_of(self, number: int, why: str | None) -> dict[str, Any]:
        answer: dict[str, Any] = {"type": "answer", "id": number}
        return answer if why is None else {**answer, "error": why}


def direct_tables(director: Director, collector: Collector, register: Register) -> None:
    """Have the director see the tables, give tokens out and take them back."""
    club = collector.folder.club

    def word_of(table: str) -> str:
        return token_of(club.id, club.secret, table).word

    def add(values: Mapping[str, Any]) -> Mapping[str, str]:
        enrolled = register.add(values["name"], collector.now_ms())
        collector.look_at_tables()
        return {"name": enrolled.name, "token": word_of(enrolled.id)}

    def revoke(values: Mapping[str, Any]) -> None:
        register.revoke(values["table"], collector.now_ms())
        collector.look_at_tables()

    def token(values: Mapping[str, Any]) -> Mapping[str, str]:
        with collector.lock:
            seat = collector.hub.seats.get(values["table"])
        if seat is None or seat.is_revoked:
            raise UserError(tr("there is no table '{name}'", name=values["table"]))
        return {"name": seat.name, "token": word_of(seat.id)}

    def tables() -> list[dict[str, Any]]:
        with collector.lock:
            return [remarks_of(seat) for seat in collector.hub.seats.values()]

    def status() -> dict[str, Any]:
        return {
            "broker": collector.line_problem,
            "database": collector.database_problem,
            "files": collector.file_problem,
            "behind": collector.behind,
            "strangers": collector.hub.strangers,
        }

    director.add_part("tables", tables)
    director.add_part("status", status)
    director.add_command("add_table", {"name": _NAME}, add)
    director.add_command("revoke_table", {"table": _ID}, revoke)
    director.add_command("token", {"table": _ID}, token)
