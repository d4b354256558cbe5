"""The logs of a club's tournaments, in its database: an event is a row, and is never changed.

Whoever asks may have to wait for the database. All of it raises UnusableError where that cannot be
used.
"""

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from chronotable_club.register import Register, metadata
from chronotable_club.tournament import events
from chronotable_club.tournament.directing import Steps
from chronotable_club.tournament.events import TournamentEvent
from chronotable_club.tournament.state import Tournament, TournamentLog
from chronotable_host.errors import UserError
from chronotable_host.language import tr

_ID, _SHORT = 16, 255
_MOST_ID = 40

entries = sql.Table(
    "chronotable_club_tournament_events",
    metadata,
    sql.Column("row_key", sql.String(64), primary_key=True),  # of club, tournament and number
    sql.Column("club", sql.String(_ID), nullable=False),
    sql.Column("tournament", sql.String(_MOST_ID), nullable=False),
    sql.Column("number", sql.Integer, nullable=False),
    sql.Column("at", sql.String(32)),
    sql.Column("by_whom", sql.Unicode(_SHORT)),
    sql.Column("kind", sql.String(32)),
    sql.Column("fields", sql.UnicodeText),
    sql.Index("ix_chronotable_club_events", "club", "tournament", "number"),
)

StepsOf = Callable[[Tournament], Steps]
"""What is to happen to a tournament as it stands: kinds of events with their fields."""


class TournamentStore:
    """The tournaments of one club."""

    def __init__(self, register: Register, club: str) -> None:
        self._register = register
        self._club = club

    def lengths(self) -> dict[str, int]:
        """Return how many events each tournament has, the one that was made last at the end."""
        query = (
            sql.select(
                entries.c.tournament, sql.func.max(entries.c.number), sql.func.min(entries.c.at)
            )
            .where(entries.c.club == self._club)
            .group_by(entries.c.tournament)
        )
        rows = self._register.run(lambda connection: connection.execute(query).all())
        return {row[0]: row[1] for row in sorted(rows, key=lambda row: (row[2], row[0]))}

    def after(self, tournament: str, number: int) -> list[TournamentEvent]:
        """Return the events of a tournament behind a number."""
        return self._register.run(lambda connection: self._after(connection, tournament, number))

    def log(self, tournament: str) -> TournamentLog:
        """Return a tournament; raises UserError where there is none."""
        log = TournamentLog(tournament, self.after(tournament, 0))
        if not log.entries:
            raise UserError(tr("there is no tournament '{name}'", name=tournament))
        return log

    def create(self, at: str, by: str, fields: Mapping[str, Any]) -> TournamentLog:
        """Make a tournament; it is called after its name."""

        def create(connection: Connection) -> TournamentLog:
            known = set(
                connection.scalars(
                    sql.select(entries.c.tournament).where(entries.c.club == self._club).distinct()
                )
            )
            log = TournamentLog(_free(id_of(fields["name"]), known))
            log.append(at, by, events.CREATED, **fields)
            self._enter(connection, log)
            return log

        return self._register.run(create)

    def change(self, tournament: str, at: str, by: str, steps: StepsOf) -> TournamentLog:
        """Have something happen to a tournament, all of it or nothing; return its new log.

        Raises UserError where it does not fit.
        """

        def change(connection: Connection) -> TournamentLog:
            log = TournamentLog(tournament, self._after(connection, tournament, 0))
            if not log.entries:
                raise UserError(tr("there is no tournament '{name}'", name=tournament))
            known = len(log.entries)
            for kind, fields in steps(log.state):
                log.append(at, by, kind, **fields)
            self._enter(connection, log, known)
            return log

        return self._register.run(change)

    def _after(self, connection: Connection, tournament: str, number: int) -> list[TournamentEvent]:
        query = (
            sql.select(entries)
            .where(
                entries.c.club == self._club,
                entries.c.tournament == tournament,
                entries.c.number > number,
            )
            .order_by(entries.c.number)
        )
        return [
            events.event(row.number, row.at, row.by_whom or "", row.kind, **json.loads(row.fields))
            for row in connection.execute(query)
        ]

    def _enter(self, connection: Connection, log: TournamentLog, known: int = 0) -> None:
        for entry in log.entries[known:]:
            key = f"{self._club}\n{log.state.id}\n{entry.number}"
            connection.execute(
                sql.insert(entries).values(
                    row_key=hashlib.sha256(key.encode()).hexdigest(),
                    club=self._club,
                    tournament=log.state.id,
                    number=entry.number,
                    at=entry.at,
                    by_whom=entry.by[:_SHORT],
                    kind=entry.kind,
                    fields=json.dumps(dict(entry.fields), ensure_ascii=False),
                )
            )


def id_of(name: str) -> str:
    """Return what a tournament of this name is called in addresses and records."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:30].strip("-") or "tournament"


def _free(wanted: str, known: set[str]) -> str:
    names = [wanted, *(f"{wanted}-{number}" for number in range(2, len(known) + 3))]
    return next(name for name in names if name not in known)
