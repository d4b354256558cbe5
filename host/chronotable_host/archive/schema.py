"""The tables of the index.

Two rules. Nothing here is one database's own: short texts, no empty ones demanded (Oracle has
none), keys of plain ASCII (MySQL compares without case), every number given by us. And what the
tables hold is made from files, so those of an earlier schema are dropped and made anew.
"""

import hashlib
from collections.abc import Mapping

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from chronotable_host.archive.facts import COUNTS

SCHEMA = 7

_SHORT = 255
_LONG = 765

tables = sql.MetaData()

about = sql.Table(
    "chronotable", tables, sql.Column("schema", sql.Integer, primary_key=True, autoincrement=False)
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
    sql.Column("night", sql.Boolean, nullable=False),  # a game of a night
    sql.Column("game", sql.Unicode(_SHORT)),  # which one, of a night
    sql.Column("seats", sql.Unicode(_LONG)),  # of a night: all names, a line each
    sql.Column("players", sql.Unicode(_LONG)),  # all, case folded, to search in
    sql.Column("played_on", sql.Unicode(_SHORT)),
    sql.Column("result", sql.String(32)),
    sql.Column("termination", sql.String(16)),
    sql.Column("turns", sql.Integer, nullable=False),
    sql.Column("modules", sql.Unicode(_SHORT)),
    sql.Column("rule_options", sql.Unicode(_SHORT)),
    sql.Column("start_position", sql.Unicode(_LONG)),
    sql.Column("board", sql.Unicode(_SHORT)),
    sql.Column("copies", sql.String(24)),  # at the end; see `facts`
    sql.Column("imported", sql.Boolean, nullable=False),
    sql.Column("digest", sql.String(64)),
    sql.Column("analysed", sql.Integer, nullable=False),  # turns that were
    sql.Column("white_errors", sql.Integer, nullable=False),
    sql.Column("black_errors", sql.Integer, nullable=False),
    sql.Column("opening", sql.Unicode(_LONG)),  # see `facts`
    *(sql.Column(name, sql.BigInteger, nullable=False) for name in COUNTS),
    sql.Column("note", sql.Unicode(_SHORT)),  # what reading had to mend
    sql.Column("readable", sql.Boolean, nullable=False),
    sql.Column("problem", sql.Unicode(_LONG)),  # why it cannot be read
    sql.Column("id_key", sql.String(_SHORT)),  # of the id, to be found by
    sql.Column("name_key", sql.String(_SHORT)),  # of the file's name
    sql.Index("ix_chronotable_listed", "archive", "readable", "stored", "row_key"),
    sql.Index("ix_chronotable_analysed", "archive", "analysed"),
    sql.Index("ix_chronotable_digest", "archive", "digest"),
    sql.Index("ix_chronotable_id", "archive", "id_key"),
    sql.Index("ix_chronotable_name", "archive", "name_key"),
)

_GAMES_OF_1 = sql.Table(
    "games",
    sql.MetaData(),
    *(sql.Column(name, sql.Text) for name in ("file", "mtime_ns", "players", "digest", "problem")),
)


def row_key(archive: str, file: str) -> str:
    """Return the key of a file's row."""
    return hashlib.sha256(f"{archive}\n{file}".encode("utf-8", "surrogatepass")).hexdigest()


def key_of(name: str) -> str:
    """Return what a game is found by: its name in plain ASCII, whatever its case was.

    What a name begins with, its key begins with.
    """
    return name.casefold().encode("ascii", "backslashreplace").decode("ascii")


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


def fitted(row: "Mapping[str, object]") -> "dict[str, object]":
    """Return a row of `games` with its keys, and its texts no longer than the columns."""
    keys = {
        "id_key": key_of(str(row["id"] or "")),
        "name_key": key_of(str(row["file_name"] or "").rpartition("/")[2]),
    }
    return {
        name: fit(games.c[name], value) if isinstance(value, str) else value
        for name, value in {**row, **keys}.items()
    }


def clear(connection: Connection, there: int) -> None:
    """Drop the games of an earlier schema: all that they say is in the files, and read anew."""
    games.drop(connection, checkfirst=True)
    if there == 1 and is_whole(connection, _GAMES_OF_1):  # not somebody else's table
        _GAMES_OF_1.drop(connection)
