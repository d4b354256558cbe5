"""The club's register: its tables and what they delivered, in its database.

Whoever asks may have to wait for the database, for long where that is slow: never the hub itself.
All of it raises UnusableError where the database cannot be used.

As in archive/schema.py nothing here is one database's own. Unlike there, what its tables hold is in
no file, but for copies: a table that is there is never dropped, and columns are only added.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sql
from sqlalchemy.engine import Connection, RowMapping

from chronotable_club.hub import EnrolledTable
from chronotable_club.tokens import TABLE_CHARS, new_id
from chronotable_host.archive.database import DamagedError, Database
from chronotable_host.archive.schema import fit, is_whole
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.rules.record import Record

SCHEMA = 1

_ID, _SHORT, _LONG = 16, 255, 765

metadata = sql.MetaData()
"""Of all of a club's tables, those of its tournaments, too."""

about = sql.Table(
    "chronotable_club",
    metadata,
    sql.Column("schema", sql.Integer, primary_key=True, autoincrement=False),
)

tables = sql.Table(
    "chronotable_club_tables",
    metadata,
    sql.Column("club", sql.String(_ID), primary_key=True),
    sql.Column("id", sql.String(_ID), primary_key=True),
    sql.Column("name", sql.Unicode(_SHORT)),
    sql.Column("added_ms", sql.BigInteger, nullable=False),
    sql.Column("revoked_ms", sql.BigInteger, nullable=False),  # 0 as long as it is not
)

deliveries = sql.Table(
    "chronotable_club_deliveries",
    metadata,
    sql.Column("row_key", sql.String(64), primary_key=True),  # of club and file name
    sql.Column("club", sql.String(_ID), nullable=False),
    sql.Column("table_id", sql.String(_ID)),
    sql.Column("table_name", sql.Unicode(_SHORT)),
    sql.Column("file_name", sql.Unicode(_LONG)),
    sql.Column("white", sql.Unicode(_SHORT)),
    sql.Column("black", sql.Unicode(_SHORT)),
    sql.Column("result", sql.String(32)),
    sql.Column("termination", sql.String(16)),
    sql.Column("modules", sql.Unicode(_SHORT)),
    sql.Column("turns", sql.Integer, nullable=False),
    sql.Column("first_ms", sql.BigInteger, nullable=False),
    sql.Column("last_ms", sql.BigInteger, nullable=False),
    sql.Index("ix_chronotable_club_delivered", "club", "last_ms"),
)


def row_key(club: str, file_name: str) -> str:
    """Return the key of a delivered game's row."""
    return hashlib.sha256(f"{club}\n{file_name}".encode("utf-8", "surrogatepass")).hexdigest()


def prepare(connection: Connection) -> None:
    """Make the tables that are not there; raises DamagedError where a newer program made them."""
    if is_whole(connection, about):
        found = connection.execute(sql.select(sql.func.max(about.c.schema))).scalar()
        if found is not None and found > SCHEMA:
            raise DamagedError(
                tr("a newer chronotable made the club's tables in this database; update this one")
            )
        if found == SCHEMA:
            metadata.create_all(connection)  # those of other parts of it
            return
    metadata.create_all(connection)
    connection.execute(sql.insert(about).values(schema=SCHEMA))


# ---- the register


Result = TypeVar("Result")

_BATCH = 400


class Delivery(NamedTuple):
    """A game that a table delivered."""

    table_id: str
    table_name: str
    file_name: str
    white: str
    black: str
    result: str
    termination: str
    modules: str
    turns: int
    first_ms: int
    last_ms: int


class Register:
    """The register of one club, in the database at a URL; the club is named by its id.

    Any thread may ask it.
    """

    def __init__(self, url: str, club: str) -> None:
        self._database = Database(url, source="--db")
        self._club = club
        self._is_open = False
        self._opening = Lock()

    def run(self, work: Callable[[Connection], Result]) -> Result:
        """Do work in a transaction; see `Database.run`."""
        with self._opening:
            if not self._is_open:
                self._database.open()
                self._database.run(prepare)
                self._is_open = True
        return self._database.run(work)

    def close(self) -> None:
        """Let go of the database; it is opened again when it is next asked."""
        self._database.close()
        self._is_open = False

    # ---- tables

    def tables(self) -> list[EnrolledTable]:
        """Return the tables in the order in which they were added, those that left included."""
        query = sql.select(tables).where(tables.c.club == self._club).order_by(tables.c.added_ms)
        return self.run(
            lambda connection: [
                EnrolledTable(row.id, row.name or "", row.revoked_ms > 0)
                for row in connection.execute(query)
            ]
        )

    def add(self, name: str, now_ms: int) -> EnrolledTable:
        """Add a table; raises UserError where one has this name."""
        name = " ".join(name.split())
        if not name:
            raise UserError(tr("a table needs a name"))
        name = fit(tables.c.name, name)

        def add(connection: Connection) -> EnrolledTable:
            if self._find_table(connection, name) is not None:
                raise UserError(
                    tr(
                        "there is a table '{name}' already; `chronotable club table revoke` ends "
                        "its token",
                        name=name,
                    )
                )
            each = EnrolledTable(new_id(TABLE_CHARS), name)
            self._enter(connection, each, now_ms)
            return each

        return self.run(add)

    def revoke(self, name: str, now_ms: int) -> EnrolledTable:
        """Take a table's token back; raises UserError where no table has this name or id."""

        def revoke(connection: Connection) -> EnrolledTable:
            known = self._find_table(connection, " ".join(name.split()))
            if known is None:
                raise UserError(tr("there is no table '{name}'", name=name))
            connection.execute(
                sql.update(tables)
                .where(tables.c.club == self._club, tables.c.id == known)
                .values(revoked_ms=now_ms)
            )
            return EnrolledTable(known, name, True)

        return self.run(revoke)

    def restore(self, known: Iterable[EnrolledTable], now_ms: int) -> None:
        """Enter tables that the club's folder knows into a database that has none of the club."""

        def restore(connection: Connection) -> None:
            for at, each in enumerate(known):
                self._enter(connection, each, now_ms + at)

        self.run(restore)

    def _enter(self, connection: Connection, each: EnrolledTable, now_ms: int) -> None:
        connection.execute(
            sql.insert(tables).values(
                club=self._club,
                id=each.id,
                name=each.name,
                added_ms=now_ms,
                revoked_ms=now_ms if each.is_revoked else 0,
            )
        )

    def _find_table(self, connection: Connection, name: str) -> str | None:
        """Return the id of the table that has a name, or this id, and a token that holds."""
        rows = connection.execute(
            sql.select(tables.c.id, tables.c.name).where(
                tables.c.club == self._club, tables.c.revoked_ms == 0
            )
        ).all()
        wanted = name.casefold()
        return next(
            (row.id for row in rows if wanted in (row.id, (row.name or "").casefold())), None
        )

    # ---- deliveries

    def deliver(self, found: Sequence[Delivery]) -> None:
        """Note games that came, or have changed."""

        def deliver(connection: Connection) -> None:
            rows = {row_key(self._club, each.file_name): _row(each) for each in found}
            for start in range(0, len(rows), _BATCH):
                keys = sorted(rows)[start : start + _BATCH]
                query = sql.select(deliveries.c.row_key).where(deliveries.c.row_key.in_(keys))
                there = {row[0] for row in connection.execute(query)}
                for key in keys:
                    row = rows[key]
                    if key in there:
                        del row["first_ms"]
                        where = deliveries.c.row_key == key
                        connection.execute(sql.update(deliveries).where(where).values(**row))
                    else:
                        connection.execute(
                            sql.insert(deliveries).values(row_key=key, club=self._club, **row)
                        )

        self.run(deliver)

    def delivered(self, limit: int | None = None) -> list[Delivery]:
        """Return the games that came, the latest first."""
        query = (
            sql.select(deliveries)
            .where(deliveries.c.club == self._club)
            .order_by(deliveries.c.last_ms.desc(), deliveries.c.row_key)
        )
        if limit is not None:
            query = query.limit(limit)
        return self.run(lambda found: [*map(_delivery, found.execute(query).mappings())])

    def files(self) -> dict[str, int]:
        """Return the names of all files that were noted, and when they were last, in ms."""
        query = sql.select(deliveries.c.file_name, deliveries.c.last_ms).where(
            deliveries.c.club == self._club
        )
        return self.run(lambda connection: {row[0]: row[1] for row in connection.execute(query)})


def delivery_of(
    record: Record, table: str, table_name: str, file_name: str, now_ms: int
) -> Delivery:
    """Return what is noted of a record that came now."""
    headers = record.headers
    return Delivery(
        table,
        table_name,
        file_name,
        headers["White"],
        headers["Black"],
        headers["Result"],
        headers["Termination"],
        headers["Modules"],
        len(record.turns),
        now_ms,
        now_ms,
    )


def _row(each: Delivery) -> dict[str, Any]:
    return {
        name: fit(deliveries.c[name], value) if isinstance(value, str) else value
        for name, value in each._asdict().items()
    }


def _delivery(row: RowMapping) -> Delivery:
    """Return what a row says; some databases have no text without a character."""
    values = (row[name] for name in Delivery._fields)
    return Delivery._make("" if value is None else value for value in values)
