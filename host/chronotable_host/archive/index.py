"""The index: a table of the games in a folder, made from their files and never needed to keep them.

Each opening compares name, size and time of the files with the rows, so whatever happened in
between, the index says what the folder holds. Files are read outside of transactions, which are
short: other processes work here, too.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from chronotable_host.archive import regular, schema
from chronotable_host.archive.database import DamagedError, Database, UnusableError
from chronotable_host.archive.files import SUFFIX, Progress, game_id, parse, time_of_file
from chronotable_host.archive.schema import about, fitted, games, row_key
from chronotable_host.errors import printable
from chronotable_host.text import record_problem
from ttykm.notation import NotationError
from ttykm.record import Record, RecordError, format_record

IMPORTED = "imported"
"""Folder within the archive for the games that were played elsewhere."""

Row = Mapping[str, Any]
Seen = tuple[int, int]
"""Size and time in ns of a file, which tell whether it has changed."""

_BATCH = 500  # rows at a time: below what any database takes in one statement
_UNSEEN: Seen = -1, 0  # what could not be read for now: the next look tries again
_MOST_NS = 2**63 - 1  # that a column takes; some file systems know later times


class NewerIndexError(UnusableError):
    """A newer chronotable made the index; this one leaves it as it is."""


@dataclass(frozen=True)
class Entry:
    """One game of the index; `file` is its path within the folder.

    `note` says what reading the file had to mend, `problem` why it could not be read.
    """

    id: str
    file: str
    white: str = ""
    black: str = ""
    date: str = ""
    result: str = ""
    termination: str = ""
    turns: int = 0
    modules: str = ""
    options: str = ""
    start: str = ""
    board: str = ""
    imported: bool = False
    note: str = ""
    problem: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return what there is to report of a game that can be read."""
        values = asdict(self)
        del values["problem"]
        return values


_COLUMNS = [
    games.c[
        {
            "file": "file_name",
            "date": "played_on",
            "options": "rule_options",
            "start": "start_position",
        }.get(field.name, field.name)
    ]
    for field in fields(Entry)
]


def digest(text: str) -> str:
    """Return what only the same record has too, by its canonical text."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


class Index:
    """The index of one folder in one database, in which `archive` tells it from others."""

    def __init__(self, folder: Path, database: Database, archive: str) -> None:
        self.folder = folder
        self.archive = archive
        self._database = database

    def open(self) -> None:
        """Connect, and make the tables where they are missing or old.

        Raises UnusableError where the database cannot be used, NewerIndexError where it is not ours
        to use any more.
        """
        self._database.open()
        try:
            self._database.run(self._prepare)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    def refresh(self, progress: Progress | None = None, reads_all: bool = False) -> int:
        """Make the rows agree with the files of the folder; return how many files were read.

        With `reads_all` no row is trusted. Raises UnusableError.
        """
        there = {
            row_key(self.archive, file): (file, seen, problem)
            for file, seen, problem in _scan(self.folder)
        }
        known = self._database.run(self._known)
        gone = known.keys() - there.keys()
        if gone:
            self._database.run(lambda connection: _delete(connection, gone))
        changed = sorted(
            (file, seen, problem)
            for key, (file, seen, problem) in there.items()
            if reads_all or seen == _UNSEEN or known.get(key) != seen
        )
        for start in range(0, len(changed), _BATCH):
            rows = []
            for done, found in enumerate(changed[start : start + _BATCH], start):
                if progress is not None:
                    progress(done, len(changed), "reading the archive")
                rows.append(self._read(*found))
            self._enter([row for row in rows if row is not None])
        return len(changed)

    def add(self, found: Sequence[tuple[str, Row]]) -> None:
        """Enter files that were just written, with what `row_of` says of their records."""
        rows = []
        for file, row in found:
            try:
                status = os.lstat(self.folder / file)
            except OSError:  # the next look at the folder finds out what became of it
                continue
            rows.append(self._row(file, _seen(status), row))
        for start in range(0, len(rows), _BATCH):
            self._enter(rows[start : start + _BATCH])

    def games(
        self, player: str | None = None, result: str | None = None, limit: int | None = None
    ) -> list[Entry]:
        """Return the games, the newest first; `player` is a part of a name in any case."""
        query = self._query().where(games.c.readable == sql.true())
        if player is not None:
            query = query.where(games.c.players.contains(player.casefold(), autoescape=True))
        if result is not None:
            query = query.where(games.c.result == result)
        return self._entries(query.limit(limit))

    def problems(self) -> list[Entry]:
        """Return the files that cannot be read."""
        found = self._entries(self._query().where(games.c.readable == sql.false()))
        return sorted(found, key=lambda entry: entry.file)

    def everything(self) -> list[Entry]:
        """Return all rows, the newest first."""
        return self._entries(self._query())

    def with_digests(self, wanted: Sequence[str]) -> dict[str, str]:
        """Return, by digest, the id of the first game with it, for those that there are."""
        found: dict[str, str] = {}
        for start in range(0, len(wanted), _BATCH):
            query = (
                sql.select(games.c.digest, games.c.id)
                .where(games.c.archive == self.archive)
                .where(games.c.digest.in_(wanted[start : start + _BATCH]))
                .order_by(games.c.stored.desc(), games.c.row_key.desc())
            )
            found |= dict(self._rows(query))  # of several the last one counts, the oldest
        return found

    # ---- within a transaction

    def _prepare(self, connection: Connection) -> None:
        about.create(connection, checkfirst=True)
        if not schema.is_whole(connection, about):
            raise DamagedError(
                f"{self._database.name} has a table '{about.name}' that is not of ours"
            )
        there = connection.execute(sql.select(sql.func.max(about.c.schema))).scalar()
        if there is not None and there > schema.SCHEMA:
            raise NewerIndexError(
                f"{self._database.name} was made by a newer chronotable (schema {there}, "
                f"this one knows {schema.SCHEMA}): update chronotable"
            )
        at: int = schema.SCHEMA if there is None else there
        while at in schema.MIGRATIONS:
            schema.MIGRATIONS[at](connection, self.archive)
            at += 1
        if there != schema.SCHEMA:
            connection.execute(sql.delete(about))
            connection.execute(sql.insert(about).values(schema=schema.SCHEMA))
        games.create(connection, checkfirst=True)
        if at != schema.SCHEMA or not schema.is_whole(connection, games):
            games.drop(connection)
            games.create(connection)

    def _known(self, connection: Connection) -> dict[str, Seen]:
        query = sql.select(games.c.row_key, games.c.file_size, games.c.mtime_ns)
        found = connection.execute(query.where(games.c.archive == self.archive))
        return {key: (size, mtime_ns) for key, size, mtime_ns in found}

    def _enter(self, rows: Sequence[Row]) -> None:
        """Put rows in the place of those that their files had."""

        def enter(connection: Connection) -> None:
            _delete(connection, {row["row_key"] for row in rows})
            connection.execute(sql.insert(games), rows)

        if rows:
            self._database.run(enter)

    def _query(self) -> "sql.Select[Any]":
        """Return the query for all rows of the folder, the newest first."""
        query = sql.select(*_COLUMNS).where(games.c.archive == self.archive)
        return query.order_by(games.c.stored.desc(), games.c.row_key.desc())

    def _entries(self, query: "sql.Select[Any]") -> list[Entry]:
        rows: list[list[Any]] = [
            ["" if value is None else value for value in row] for row in self._rows(query)
        ]
        return [Entry(*row) for row in rows]

    def _rows(self, query: "sql.Select[Any]") -> "list[tuple[Any, ...]]":
        return self._database.run(
            lambda connection: [tuple(row) for row in connection.execute(query)]
        )

    # ---- from files to rows

    def _read(self, file: str, seen: Seen, problem: str) -> Row | None:
        """Return a file's row, None where it is gone since the folder was listed."""
        if problem:
            return self._row(file, seen, _unreadable(problem))
        try:
            data, status = regular.read_dated(self.folder / file)
        except FileNotFoundError:
            return None
        except OSError as error:
            if not isinstance(error, regular.NotAFileError):
                seen = _UNSEEN
            return self._row(file, seen, _unreadable(error.strerror or str(error)))
        return self._row(file, _seen(status), _row_of_data(data))

    def _row(self, file: str, seen: Seen, row: Row) -> Row:
        path = Path(file)
        size, mtime_ns = seen
        if file != _named(file):
            row = _unreadable("its name is not text in UTF-8; rename it")
        return fitted(
            {
                "row_key": row_key(self.archive, file),
                "archive": self.archive,
                "id": printable(_named(game_id(path))),
                "file_name": _named(file),
                "file_size": size,
                "mtime_ns": mtime_ns,
                "stored": time_of_file(path, mtime_ns),
                "imported": path.parent.name == IMPORTED,
                **row,
            }
        )


def row_of(record: Record, content: str, note: str = "") -> Row:
    """Return the columns that come from a record, whose digest is `content`."""
    headers = {name: printable(value) for name, value in record.headers.items()}
    return {
        "white": headers["White"],
        "black": headers["Black"],
        "players": f"{headers['White']}\n{headers['Black']}".casefold(),
        "played_on": headers["Date"],
        "result": headers["Result"],
        "termination": headers["Termination"],
        "turns": len(record.turns),
        "modules": headers["Modules"],
        "rule_options": headers["Options"],
        "start_position": headers["Start"],
        "board": headers["Board"],
        "digest": content,
        "note": note,
        "readable": True,
        "problem": "",
    }


def _row_of_data(data: bytes) -> Row:
    """Return the columns that come from a file's content."""
    try:
        reading = parse(data)
    except RecordError as error:
        return _unreadable(record_problem(error))
    except NotationError as error:
        return _unreadable(str(error))
    return row_of(reading.record, digest(format_record(reading.record)), reading.note)


def _unreadable(problem: str) -> Row:
    texts = [column.name for column in games.columns if isinstance(column.type, sql.String)]
    own = ("row_key", "archive", "id", "file_name", "stored")
    empty = {name: "" for name in texts if name not in own}
    return {**empty, "turns": 0, "readable": False, "problem": problem}


def _delete(connection: Connection, keys: "set[str]") -> None:
    ordered = sorted(keys)  # the same order everywhere, against deadlocks
    for start in range(0, len(ordered), _BATCH):
        batch = ordered[start : start + _BATCH]
        connection.execute(sql.delete(games).where(games.c.row_key.in_(batch)))


def is_of_archive(file: str) -> bool:
    """Tell whether a file's path is one that the index can have found in the folder."""
    name = file.removeprefix(IMPORTED + "/")
    return name.endswith(SUFFIX) and not {*"/\\\0"} & {*name} and Path(name).name == name


def _named(file: str) -> str:
    """Return a file's name as text; Linux takes names that are none."""
    return file.encode("utf-8", "backslashreplace").decode("utf-8")


def _scan(folder: Path) -> Iterator[tuple[str, Seen, str]]:
    """Yield path within the folder, size and time of each record file.

    What has such a name and is no file is yielded, too; behind the time stands why something
    cannot even be looked at, "" where it can.
    """
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return
    yield from _records(folder, "", names)
    place = folder / IMPORTED
    try:
        names = regular.list_folder(place)
    except OSError as error:
        is_there = isinstance(error, regular.NotAFileError)
        yield IMPORTED, _seen(os.lstat(place)) if is_there else _UNSEEN, error.strerror or ""
    else:
        yield from _records(folder, IMPORTED + "/", names)


def _records(folder: Path, prefix: str, names: list[str]) -> Iterator[tuple[str, Seen, str]]:
    for name in names:
        if not name.endswith(SUFFIX):
            continue
        try:
            # not scandir's own stat, which is stale on Windows
            status = os.lstat(folder / (prefix + name))
        except FileNotFoundError:  # gone since the folder was listed
            continue
        except OSError as error:
            yield prefix + name, _UNSEEN, error.strerror or str(error)
        else:
            yield prefix + name, _seen(status), ""


def _seen(status: os.stat_result) -> Seen:
    return status.st_size, max(-_MOST_NS, min(_MOST_NS, status.st_mtime_ns))
