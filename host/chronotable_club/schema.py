"""The tables of a club's database.

As in archive/schema.py nothing here is one database's own. Unlike there, what they hold is in no
file, but for copies: a table that is there is never dropped, and columns are only added.
"""

from __future__ import annotations

import hashlib

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from chronotable_host.archive.database import DamagedError
from chronotable_host.archive.schema import is_whole
from chronotable_host.language import tr

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
