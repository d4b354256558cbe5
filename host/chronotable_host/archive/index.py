"""The index: a table of the games in a folder, made from their files and made anew whenever needed.

Each opening compares name, size and time of the files with the rows and reads what has changed, so
the index always says what the folder holds. Files are read outside of transactions, so that these
are short: other processes use the database, too.
"""

import contextlib
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from chronotable_host.archive import nights, regular_files, schema
from chronotable_host.archive.database import DamagedError, Database, UnusableError
from chronotable_host.archive.facts import COUNTS, GameFacts, copies_text, facts_of
from chronotable_host.archive.naming import NIGHT_SUFFIX, SUFFIX, SUFFIXES, game_id, time_of_file
from chronotable_host.archive.nights import GameRecord
from chronotable_host.archive.nights import format_record as format_night
from chronotable_host.archive.parsing import Progress, parse
from chronotable_host.archive.schema import about, fitted, games, key_of, row_key
from chronotable_host.archive.store import GameFilter
from chronotable_host.errors import UserError, printable
from chronotable_host.language import tr, tr_c
from chronotable_host.rules.annotations import (
    ANNOTATOR,
    errors,
    read_annotations,
    without_annotations,
)
from chronotable_host.rules.reason_texts import record_problem
from chronotable_host.rules.record import Record, RecordError, format_record, last

IMPORTED = "imported"
"""Folder within the archive for the games that were played elsewhere."""

Row = Mapping[str, Any]
Stamp = tuple[int, int]
"""Size and time in ns of a file, which tell whether it has changed."""
Condition = sql.ColumnElement[bool]

_LONGEST_KEY = 255  # of an id or a file name; some databases take no long patterns
_IMPORTED_FROM = IMPORTED + "/"
_BATCH = 500  # rows at a time: below what any database takes in one statement
_NO_STAMP: Stamp = -1, 0  # of a file that could not be read: the next look tries again
_MOST_NS = 2**63 - 1  # the latest time that a column takes; some file systems have later ones


class NewerIndexError(UnusableError):
    """A newer chronotable made the index; this one leaves it as it is."""


@dataclass(frozen=True)
class Entry:
    """One game of the index; `file` is its path within the folder.

    One of a `night` has `seats` and the name of its `game`, and no white and black; its `turns` are
    actions, its `result` is that of its record. `note` says what reading the file had to mend,
    `problem` why it could not be read.
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
    copies: str = ""
    """Of both players at the end; see `facts.copies_text`."""
    night: bool = False
    game: str = ""
    seats: str = ""
    """Names, a line each."""
    imported: bool = False
    analysed: int = 0
    """Turns that were, from the first on; see `rules/annotations.py`."""
    white_errors: int = 0
    black_errors: int = 0
    note: str = ""
    problem: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return what there is to report of a game that can be read."""
        values = asdict(self)
        if self.night:
            told = {name: values[name] for name in _NIGHT_FIELDS}
            players, winners = list(self.players), list(self.winners)
            return {**told, "players": players, "winners": winners, "actions": self.turns}
        for name in ("problem", "night", "game", "seats", "copies"):
            del values[name]
        return values

    @property
    def players(self) -> tuple[str, ...]:
        """The names, by seat."""
        return tuple(self.seats.split("\n")) if self.night else (self.white, self.black)

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of those who have won a game of a night."""
        seats = dict(enumerate(self.players, 1)) if self.night else {}
        named = (int(it) for it in self.result.split() if it.isascii() and it.isdecimal())
        return tuple(seats[seat] for seat in named if seat in seats)


_FILE_COLUMNS = ("row_key", "archive", "id", "file_name", "stored")
_BLANK: Row = {
    **{
        column.name: ""
        for column in games.columns
        if isinstance(column.type, sql.String) and column.name not in _FILE_COLUMNS
    },
    **dict.fromkeys(("turns", "analysed", "white_errors", "black_errors", *COUNTS), 0),
    "night": False,
    "readable": False,
}
"""The columns that come from what a file holds, if it holds nothing."""

_NIGHT_FIELDS = ("id", "file", "game", "date", "options", "imported")
_COLUMN_NAMES = {
    "file": "file_name",
    "date": "played_on",
    "options": "rule_options",
    "start": "start_position",
}
_COLUMNS = [games.c[_COLUMN_NAMES.get(field.name, field.name)] for field in fields(Entry)]
_FACTS = [games.c[_COLUMN_NAMES.get(name, name)] for name in GameFacts._fields]


def digest(record: Record | GameRecord) -> str:
    """Return what only the same game has too, by its canonical text, analysed or not."""
    text = (
        format_night(record)
        if isinstance(record, GameRecord)
        else format_record(without_annotations(record))
    )
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


class Index:
    """The index of one folder in one database, in which `archive` tells it from others."""

    def __init__(self, folder: Path, database: Database, archive: str) -> None:
        self.folder = folder
        self.archive = archive
        self._database = database
        self._name_query = self._query(
            self._any(_NAME_CONDITIONS)
        )  # made once: it is asked for each game

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

    def refresh(
        self,
        progress: Progress | None = None,
        reads_all: bool = False,
        files: Sequence[str] | None = None,
    ) -> int:
        """Make the rows agree with the files of the folder; return how many files were read.

        With `reads_all` no row is trusted; with `files`, which are at most 500, only those are
        looked at. Raises UnusableError.
        """
        scanned = _scan(self.folder) if files is None else _stamps_of(self.folder, files)
        there = {
            row_key(self.archive, file): (file, seen, problem) for file, seen, problem in scanned
        }
        known = self._database.run(lambda connection: self._known_stamps(connection, files))
        gone = known.keys() - there.keys()
        if gone:
            self._database.run(lambda connection: _delete(connection, gone))
        changed = sorted(
            (file, seen, problem)
            for key, (file, seen, problem) in there.items()
            if reads_all or seen == _NO_STAMP or known.get(key) != seen
        )
        for start in range(0, len(changed), _BATCH):
            rows = []
            for done, found in enumerate(changed[start : start + _BATCH], start):
                if progress is not None:
                    progress(done, len(changed), tr_c("progress", "reading the archive"))
                rows.append(self._read(*found))
            self._enter([row for row in rows if row is not None])
        return len(changed)

    def add(self, found: Sequence[tuple[str, Row]]) -> None:
        """Enter files that were just written, with what `row_of` says of their records."""
        rows = []
        for file, row in found:
            try:
                status = os.lstat(self.folder / file)
            except OSError:  # the next look at the folder finds out why
                continue
            rows.append(self._row(file, _stamp_of(status), row))
        for start in range(0, len(rows), _BATCH):
            self._enter(rows[start : start + _BATCH])

    def games(self, wanted: GameFilter, limit: int | None, offset: int) -> list[Entry]:
        """Return the games that `Archive.games` has."""
        query = self._query(self._is_ours(), *_conditions(wanted)).limit(limit)
        if wanted.by_errors:
            most = (games.c.white_errors + games.c.black_errors).desc()
            query = query.order_by(None).order_by(
                most, games.c.stored.desc(), games.c.row_key.desc()
            )
        return self._entries(query.offset(offset) if offset else query)

    def count(self, wanted: GameFilter) -> int:
        """Return how many games there are of a filter."""
        return self._count(self._is_ours(), *_conditions(wanted))

    def facts(self, player: str | None = None) -> list[GameFacts]:
        """Return what statistics know of the games with a turn; `player` as in a filter."""
        wanted = _conditions(GameFilter(player, least_turns=1))
        query = sql.select(*_FACTS).where(self._is_ours(), *wanted)
        rows = self._rows(query)
        return [GameFacts._make("" if value is None else value for value in row) for row in rows]

    def nights(self, player: str | None = None) -> list[Entry]:
        """Return the games of a night, the newest first; `player` as in a filter."""
        wanted = _conditions(GameFilter(player, with_nights=True))
        return self._entries(self._query(self._is_ours(), games.c.night == sql.true(), *wanted))

    def problems(self, limit: int | None = None) -> list[Entry]:
        """Return the files that cannot be read."""
        query = self._query(self._is_ours(), games.c.readable == sql.false()).order_by(None)
        return self._entries(query.order_by(games.c.file_name).limit(limit))

    def count_problems(self) -> int:
        """Return how many files cannot be read."""
        return self._count(self._is_ours(), games.c.readable == sql.false())

    def find(self, wanted: str) -> list[Entry]:
        """Return what has this id or this file name, in any case, the newest first."""
        key = key_of(wanted)
        names = {"key": key, "file": key + SUFFIX, "night": key + NIGHT_SUFFIX, "inner": ""}
        if key.startswith(_IMPORTED_FROM):
            names["inner"] = key.removeprefix(_IMPORTED_FROM)
        return self._entries(self._name_query, names)

    def beginning(self, wanted: str, limit: int) -> tuple[list[Entry], int]:
        """Return the newest whose id or file name begins so, in any case, and how many do."""
        begins = self._any(_beginning_conditions(wanted))
        found = self._entries(self._query(begins).limit(limit))
        return found, len(found) if len(found) < limit else self._count(begins)

    def is_empty(self) -> bool:
        """Tell whether there is neither a game nor a problem."""
        return not self._entries(self._query(self._is_ours()).limit(1))

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
                tr(
                    "{database} has a table '{table}' that is not of ours",
                    database=self._database.name,
                    table=about.name,
                )
            )
        there = _schema_of(connection)
        if there is None or there < schema.SCHEMA:
            # writing makes other processes wait, even where nothing changes; one may have done it
            connection.execute(sql.update(about).values(schema=about.c.schema))
            there = _schema_of(connection)
        if there is not None and there > schema.SCHEMA:
            raise NewerIndexError(
                tr(
                    "{database} was made by a newer chronotable (schema {there}, this one knows "
                    "{known}): update chronotable",
                    database=self._database.name,
                    there=there,
                    known=schema.SCHEMA,
                )
            )
        if there != schema.SCHEMA:
            schema.clear(connection, there or 0)
            connection.execute(sql.delete(about))
            connection.execute(sql.insert(about).values(schema=schema.SCHEMA))
        games.create(connection, checkfirst=True)
        if not schema.is_whole(connection, games):
            games.drop(connection)
            games.create(connection)

    def _known_stamps(
        self, connection: Connection, files: Sequence[str] | None
    ) -> dict[str, Stamp]:
        query = sql.select(games.c.row_key, games.c.file_size, games.c.mtime_ns)
        if files is None:
            query = query.where(self._is_ours())
        else:
            query = query.where(games.c.row_key.in_([row_key(self.archive, it) for it in files]))
        found = connection.execute(query)
        return {key: (size, mtime_ns) for key, size, mtime_ns in found}

    def _enter(self, rows: Sequence[Row]) -> None:
        """Put rows in the place of those that their files had."""

        def enter(connection: Connection) -> None:
            _delete(connection, {row["row_key"] for row in rows})
            connection.execute(sql.insert(games), rows)

        if rows:
            self._database.run(enter)

    def _query(self, *wanted: Condition) -> "sql.Select[Any]":
        """Return the query for such rows, the newest first."""
        query = sql.select(*_COLUMNS).where(*wanted)
        return query.order_by(games.c.stored.desc(), games.c.row_key.desc())

    def _is_ours(self) -> Condition:
        return games.c.archive == self.archive

    def _any(self, conditions: Sequence[Condition]) -> Condition:
        """Return what is asked of a row of the folder that one of the conditions is true of.

        Each is looked up in an index of its own: with `or`, or with the folder asked for once more,
        SQLite reads all rows.
        """
        ours = sql.select(games.c.row_key).where(self._is_ours())
        return games.c.row_key.in_(sql.union(*(ours.where(each) for each in conditions)))

    def _count(self, *wanted: Condition) -> int:
        query = sql.select(sql.func.count()).select_from(games)
        ((count,),) = self._rows(query.where(*wanted))
        return int(count)

    def _entries(
        self, query: "sql.Select[Any]", values: Mapping[str, str] | None = None
    ) -> list[Entry]:
        rows: list[list[Any]] = [
            ["" if value is None else value for value in row] for row in self._rows(query, values)
        ]
        return [Entry(*row) for row in rows]

    def _rows(
        self, query: "sql.Select[Any]", values: Mapping[str, str] | None = None
    ) -> "list[tuple[Any, ...]]":
        return self._database.run(
            lambda connection: [tuple(row) for row in connection.execute(query, values)]
        )

    # ---- from files to rows

    def _read(self, file: str, seen: Stamp, problem: str) -> Row | None:
        """Return a file's row, None where it is gone since the folder was listed."""
        if problem:
            return self._row(file, seen, _unreadable(problem))
        try:
            data, status = regular_files.read_dated(self.folder / file)
        except FileNotFoundError:
            return None
        except OSError as error:
            if not isinstance(error, regular_files.NotAFileError):
                seen = _NO_STAMP
            return self._row(file, seen, _unreadable(error.strerror or str(error)))
        return self._row(file, _stamp_of(status), _row_of_data(file, data))

    def _row(self, file: str, seen: Stamp, row: Row) -> Row:
        path = Path(file)
        size, mtime_ns = seen
        if file != _printable_name(file):
            row = _unreadable(tr("its name is not text in UTF-8; rename it"))
        return fitted(
            {
                "row_key": row_key(self.archive, file),
                "archive": self.archive,
                "id": printable(_printable_name(game_id(path))),
                "file_name": _printable_name(file),
                "file_size": size,
                "mtime_ns": mtime_ns,
                "stored": time_of_file(path, mtime_ns),
                "imported": path.parent.name == IMPORTED,
                **row,
            }
        )


def _conditions(wanted: GameFilter) -> list[Condition]:
    found = [games.c.readable == sql.true()]
    if not wanted.with_nights:
        found.append(games.c.night == sql.false())
    if wanted.by_errors:
        found.append(games.c.analysed > 0)
    if wanted.least_turns:
        found.append(games.c.turns >= wanted.least_turns)
    if wanted.player is not None:
        names = (wanted.player.casefold(), *wanted.seats)
        found.append(sql.or_(*(games.c.players.contains(each, autoescape=True) for each in names)))
    if wanted.result is not None:
        found.append(games.c.result == wanted.result)
    return found


# What may be true of a game that is called so: by its id, its file, its path, also without suffix.
_NAME_CONDITIONS: list[Condition] = [
    games.c.id_key == sql.bindparam("key"),
    games.c.name_key == sql.bindparam("key"),
    games.c.name_key == sql.bindparam("file"),
    games.c.name_key == sql.bindparam("night"),
    sql.and_(games.c.name_key == sql.bindparam("inner"), games.c.imported == sql.true()),
]


def _beginning_conditions(wanted: str) -> list[Condition]:
    """Return what may be true of a game whose id, file name or path begins so."""
    key = key_of(wanted)[:_LONGEST_KEY]
    names: list[Condition] = [
        games.c.id_key.startswith(key, autoescape=True),
        games.c.name_key.startswith(key, autoescape=True),
    ]
    if _IMPORTED_FROM.startswith(key):
        names.append(games.c.imported == sql.true())
    elif key.startswith(_IMPORTED_FROM):
        begins = games.c.name_key.startswith(key.removeprefix(_IMPORTED_FROM), autoescape=True)
        names.append(sql.and_(begins, games.c.imported == sql.true()))
    return names


def row_of(record: Record | GameRecord, content: str, note: str = "") -> Row:
    """Return the columns that come from a record, whose digest is `content`."""
    if isinstance(record, GameRecord):
        return {**_BLANK, **nights.columns_of(record), "digest": content, "readable": True}
    headers = {name: printable(value) for name, value in record.headers.items()}
    white_errors, black_errors = errors(record) if ANNOTATOR in headers else (0, 0)
    return {
        **_BLANK,
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
        "copies": copies_text(last(record.replay()).state),
        "digest": content,
        "analysed": len(read_annotations(record.comments)) if ANNOTATOR in record.headers else 0,
        "white_errors": white_errors,
        "black_errors": black_errors,
        **facts_of(record),
        "note": note,
        "readable": True,
    }


def _row_of_data(file: str, data: bytes) -> Row:
    """Return the columns that come from a file's content."""
    try:
        if file.endswith(NIGHT_SUFFIX):
            night = nights.parse(data)
            return row_of(night, digest(night))
        reading = parse(data)
    except RecordError as error:
        return _unreadable(record_problem(error))
    except UserError as error:
        return _unreadable(str(error))
    return row_of(reading.record, digest(reading.record), reading.note)


def _unreadable(problem: str) -> Row:
    return {**_BLANK, "problem": problem}


def _delete(connection: Connection, keys: "set[str]") -> None:
    ordered = sorted(keys)  # the same order everywhere, against deadlocks
    for start in range(0, len(ordered), _BATCH):
        batch = ordered[start : start + _BATCH]
        connection.execute(sql.delete(games).where(games.c.row_key.in_(batch)))


def is_of_archive(file: str) -> bool:
    """Tell whether a file's path is one that the index can have found in the folder."""
    name = file.removeprefix(IMPORTED + "/")
    return name.endswith(SUFFIXES) and not {*"/\\\0"} & {*name} and Path(name).name == name


def _printable_name(file: str) -> str:
    """Return a file's name as text; Linux takes names that are none."""
    return file.encode("utf-8", "backslashreplace").decode("utf-8")


def _schema_of(connection: Connection) -> int | None:
    found: int | None = connection.execute(sql.select(sql.func.max(about.c.schema))).scalar()
    return found


def _scan(folder: Path) -> Iterator[tuple[str, Stamp, str]]:
    """Yield path within the folder, size and time of each record file.

    What has such a name and is no file is yielded, too; behind the time stands why something
    cannot even be looked at, "" where it can.
    """
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return
    yield from _stamps_of(folder, [name for name in names if name.endswith(SUFFIXES)])
    place = folder / IMPORTED
    try:
        names = regular_files.list_folder(place)
    except OSError as error:
        is_there = isinstance(error, regular_files.NotAFileError)
        yield IMPORTED, _stamp_of(os.lstat(place)) if is_there else _NO_STAMP, error.strerror or ""
    else:
        records = [_IMPORTED_FROM + name for name in names if name.endswith(SUFFIXES)]
        yield from _stamps_of(folder, records)


def _stamps_of(folder: Path, files: Sequence[str]) -> Iterator[tuple[str, Stamp, str]]:
    """Yield what `_scan` does of these files, as far as they are there."""
    for file in files:
        with contextlib.suppress(FileNotFoundError):  # gone since the folder was listed
            yield _find_stamp(str(folder), file)


def _find_stamp(folder: str, file: str) -> tuple[str, Stamp, str]:
    try:
        # scandir's own times are stale on Windows; a Path takes longer to be made than to be asked
        return file, _stamp_of(os.lstat(os.path.join(folder, file))), ""
    except FileNotFoundError:
        raise
    except OSError as error:
        return file, _NO_STAMP, error.strerror or str(error)


def _stamp_of(status: os.stat_result) -> Stamp:
    return status.st_size, max(-_MOST_NS, min(_MOST_NS, status.st_mtime_ns))
