"""The director's page: what is wrong at which table, tokens, and what other parts of the club add.

What it shows is made of parts, each by name and whole each time; what it may ask for are commands,
each with who does it. Commands may wait for the database: a thread of their own does them.
"""

import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from chronotable_club.collecting import Collector
from chronotable_club.desk import ClubDesk
from chronotable_club.register import Register
from chronotable_club.tokens import token_of
from chronotable_club.tournament import directing, events
from chronotable_club.tournament.cards import ENTRIES
from chronotable_club.tournament.state import MOST_PLAYERS, MOST_ROUNDS, Tournament
from chronotable_club.views import hello, remarks_of
from chronotable_host.errors import UserError
from chronotable_host.fields import Fields, short_text, whole_number
from chronotable_host.language import tr
from chronotable_host.limits import LOG
from chronotable_host.web.http.requests import Request
from chronotable_host.web.http.viewers import Viewer, Viewers, text_of

Part = Callable[[], Any]
Doing = Callable[[Mapping[str, Any]], Mapping[str, str] | None]
"""Does a command with these values; returns what the answer says besides. Raises UserError."""

_ID = short_text(1, 20)
_NAME = short_text(1, 60)
_LOOKS_S = 0.5


class Director(Viewers):
    """The pages of those who direct a club."""

    def __init__(self, club: str) -> None:
        self._fields: dict[str, Fields] = {}
        super().__init__(self._fields)
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

    def add_command(self, name: str, fields: Fields, doing: Doing) -> None:
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
            table = collector.hub.tables.get(values["table"])
        if table is None or table.is_revoked:
            raise UserError(tr("there is no table '{name}'", name=values["table"]))
        return {"name": table.name, "token": word_of(table.id)}

    def tables() -> list[dict[str, Any]]:
        with collector.lock:
            return [remarks_of(table) for table in collector.hub.tables.values()]

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


# ---- tournaments


_TOURNAMENT = short_text(1, 40)
_REASON = short_text(1, 200)
_PLAYER = whole_number(1, MOST_PLAYERS)  # or a board: there are half as many
_ROUND = whole_number(1, MOST_ROUNDS)
_NAMES = short_text(1, 4_000)
"""Names with a comma between them, each with a rating in brackets where there is one."""

CommandSteps = Callable[[Tournament, Mapping[str, Any]], directing.Steps]
"""Returns what happens to a tournament by a command with these values; raises UserError."""


def _event(kind: str, is_of_round: bool = False) -> CommandSteps:
    """Return the steps of one event: its fields are the command's, and the round that is played."""

    def steps(state: Tournament, values: Mapping[str, Any]) -> directing.Steps:
        fields = {name: value for name, value in values.items() if name != "tournament"}
        return [(kind, {"round": directing.playing(state), **fields} if is_of_round else fields)]

    return steps


_TOURNAMENT_COMMANDS: Mapping[str, tuple[Fields, CommandSteps]] = {
    "add": (
        {"names": _NAMES},
        lambda state, of: directing.adding(state, directing.parse_players(of["names"])),
    ),
    "withdraw": ({"player": _PLAYER}, _event(events.PLAYER_WITHDRAWN)),
    "return": ({"player": _PLAYER}, _event(events.PLAYER_RETURNED)),
    "bye": (
        {"player": _PLAYER, "round": _ROUND, "points": whole_number(0, 1)},
        _event(events.BYE_REQUESTED),
    ),
    "unpair": ({"reason": _REASON}, _event(events.PAIRING_TAKEN_BACK, True)),
    "start": ({}, _event(events.ROUND_STARTED, True)),
    "close": ({}, _event(events.ROUND_CLOSED, True)),
    "seat": ({"board": _PLAYER, "table": short_text(0, 60)}, _event(events.TABLE_CHANGED, True)),
    "correct": (
        {"round": _ROUND, "board": _PLAYER, "result": short_text(0, 8), "reason": _REASON},
        _event(events.CORRECTED),
    ),
}
"""What may happen to a tournament, by the words behind `tournament_`; each needs its id, too."""


def direct_tournaments(director: Director, desk: ClubDesk) -> None:
    """Have the director lead the tournaments of a desk."""

    def create(values: Mapping[str, Any]) -> Mapping[str, str]:
        fields = directing.creation(values["name"], values["system"], values["rounds"])
        return {"tournament": desk.create(fields).id}

    def add(name: str, fields: Fields, steps: CommandSteps) -> None:
        def change(values: Mapping[str, Any]) -> None:
            desk.change(values["tournament"], lambda state: steps(state, values))

        director.add_command(f"tournament_{name}", {"tournament": _TOURNAMENT, **fields}, change)

    director.add_part("tournaments", lambda: _part(desk))
    director.add_command(
        "tournament_new",
        {"name": _NAME, "system": short_text(1, 20), "rounds": whole_number(0, MOST_ROUNDS)},
        create,
    )
    for name, (fields, steps) in _TOURNAMENT_COMMANDS.items():
        add(name, fields, steps)
    add("pair", {}, lambda state, _: directing.pairing(state, desk.tables()))


def _part(desk: ClubDesk) -> dict[str, Any]:
    """Return what the director's page shows of tournaments."""
    found = desk.overviews()
    return {
        "list": found,
        "problem": desk.problem,
        "tables": desk.tables(),
        "results": list(ENTRIES),
        "remarks": desk.remarks(),
        "open": {
            it["id"]: {**(desk.view(it["id"]) or {}), "log": desk.log(it["id"])}
            for it in found[:3]
            if not it["over"] or it is found[0]
        },
    }
