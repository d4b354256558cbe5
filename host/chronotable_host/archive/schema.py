"""The tables of the index, and how those of earlier versions become them.

Two rules. Nothing here is one database's own: short texts, no empty ones demanded (Oracle has
none), keys of plain ASCII (MySQL compares without case), every number given by us. And what the
tables hold is made from files, so a step of a migration may be repeated, and what it cannot keep
is read anew.
"""

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from chronotable_host.archive.files import time_of_file

SCHEMA = 3

_SHORT = 255
_LONG = 765

tables = sql.MetaData()

about = sql.Table(
    "chronotable",
    tables,
    sql.Column("schema", sql.Integer, primary_key=True, autoincrement=False),
)

games = sql.Table(
    "chronotable_games",
    tables,
    sql.Column("row_key", sql.String(64), primary_key=True),  # of archive and file name
    sql.Column("archive", sql.String(64), nullable=False),
    sql.Column("id", sql.Unicode(_SHORT)),
    sql.Column("file_name", sql.Unicode(_LONG)),
    sql.Column("file_size", sql.BigInteger, nullable=False),
    sql.Column("mtime_ns", sql.BigInteger, nullable=False),
    sql.Column("stored", sql.Unicode(_SHORT)),  # sorts by time
    sql.Column("white", sql.Unicode(_SHORT)),
    sql.Column("black", sql.Unicode(_SHORT)),
    sql.Column("players", sql.Unicode(_LONG)),  # both, case folded, to search in
    sql.Column("played_on", sql.Unicode(_SHORT)),
    sql.Column("result", sql.String(8)),
    sql.Column("termination", sql.String(16)),
    sql.Column("turns", sql.Integer, nullable=False),
    sql.Column("modules", sql.Unicode(_SHORT)),
    sql.Column("rule_options", sql.Unicode(_SHORT)),
    sql.Column("start_position", sql.Unicode(_LONG)),
    sql.Column("board", sql.Unicode(_SHORT)),
    sql.Column("imported", sql.Boolean, nullable=False),
    sql.Column("digest", sql.String(64)),
    sql.Column("note", sql.Unicode(_SHORT)),  # what reading had to mend
    sql.Column("readable", sql.Boolean, nullable=False),
    sql.Column("problem", sql.Unicode(_LONG)),  # why it cannot be read
    sql.Index("ix_chronotable_listed", "archive", "stored"),
    sql.Index("ix_chronotable_digest", "archive", "digest"),
)


def row_key(archive: str, file: str) -> str:
    """Return the key of a file's row."""
    return hashlib.sha256(f"{archive}\n{file}".encode("utf-8", "surrogatepass")).hexdigest()


def fit(column: "sql.Column[str]", text: str) -> str:
    """Return as much of a text as a column takes; some databases count in units of UTF-16."""
    assert isinstance(column.type, sql.String)
    size = column.type.length or 0
    if len(text) * 2 <= size:
        return text
    return text.encode("utf-16-le", "replace")[: 2 * size].decode("utf-16-le", "ignore")


def is_whole(connection: Connection, table: sql.Table) -> bool:
    """Tell whether a table is there with all its columns."""
    inspector = sql.inspect(connection)
    if not inspector.has_table(table.name):
        return False
    there = {column["name"].lower() for column in inspector.get_columns(table.name)}
    return {column.name for column in table.columns} <= there


# ---------------------------------------------------------------- earlier versions

_games_1 = sql.Table(
    "games",
    sql.MetaData(),
    *(
        sql.Column(name, sql.BigInteger if name in ("size", "mtime_ns", "turns") else sql.Text)
        for name in (
            *("file", "size", "mtime_ns", "stored", "id", "white", "black", "players", "date"),
            *("result", "termination", "turns", "modules", "options", "start", "board"),
            *("digest", "note", "problem"),
        )
    ),
    sql.Column("imported", sql.Boolean),
)
_NAMES_SINCE_1 = {
    "file_name": "file",
    "file_size": "size",
    "played_on": "date",
    "rule_options": "options",
    "start_position": "start",
}


def _from_1(connection: Connection, archive: str) -> None:
    """Schema 1 knew one folder for all: its rows are taken for those of `archive`.

    Where they are another folder's, the next look at the files finds that out.
    """
    games.create(connection, checkfirst=True)
    if not sql.inspect(connection).has_table(_games_1.name):
        return
    connection.execute(sql.delete(games).where(games.c.archive == archive))
    rows = []
    for old in connection.execute(sql.select(_games_1)).mappings():
        row = {
            column.name: old[_NAMES_SINCE_1.get(column.name, column.name)]
            for column in games.columns
            if column.name not in ("row_key", "archive", "readable")
        }
        row |= {
            "row_key": row_key(archive, old["file"]),
            "archive": archive,
            "readable": not old["problem"],
        }
        rows.append(fitted(row))
    if rows:
        connection.execute(sql.insert(games), rows)
    _games_1.drop(connection)


def _from_2(connection: Connection, _archive: str) -> None:
    """Schema 2 sorted by local time, which goes back where summer ends."""
    query = sql.select(games.c.row_key, games.c.file_name, games.c.mtime_ns)
    times = [
        {"key": key, "time": time_of_file(Path(file or ""), mtime_ns)}
        for key, file, mtime_ns in connection.execute(query)
    ]
    if times:
        change = sql.update(games).where(games.c.row_key == sql.bindparam("key"))
        connection.execute(change.values(stored=sql.bindparam("time")), times)


def fitted(row: "Mapping[str, object]") -> "dict[str, object]":
    """Return a row of `games` with its texts no longer than the columns."""
    return {
        name: fit(games.c[name], value) if isinstance(value, str) else value
        for name, value in row.items()
    }


MIGRATIONS: Mapping[int, Callable[[Connection, str], None]] = {1: _from_1, 2: _from_2}
"""By the schema that is there: the step to the next one, for the archive of this id."""
