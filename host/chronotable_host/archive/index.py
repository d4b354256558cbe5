"""The index: a table of the games in a folder, made from their files and never needed to keep them.

Any SQLAlchemy URL will do. Each opening compares name, size and time of the files with the rows,
so whatever happened in between, the index says what the folder holds.
"""

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import URL, Connection, Engine
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from chronotable_host.archive.files import SUFFIX, game_id, parse
from chronotable_host.errors import UserError, printable
from chronotable_host.text import record_problem
from ttykm.notation import NotationError
from ttykm.record import Record, RecordError, format_record

SCHEMA = 1
IMPORTED = "imported"
"""Folder within the archive for the games that were played elsewhere."""

Progress = Callable[[int, int], None]

_tables = sql.MetaData()
_about = sql.Table("chronotable", _tables, sql.Column("schema", sql.Integer, primary_key=True))
_games = sql.Table(
    "games",
    _tables,
    sql.Column("file", sql.String(255), primary_key=True),
    sql.Column("size", sql.BigInteger, nullable=False),
    sql.Column("mtime_ns", sql.BigInteger, nullable=False),
    sql.Column("stored", sql.String(255), nullable=False, index=True),  # sorts by time
    sql.Column("id", sql.String(255), nullable=False),
    sql.Column("white", sql.Text, nullable=False),
    sql.Column("black", sql.Text, nullable=False),
    sql.Column("players", sql.Text, nullable=False),  # both, case folded, to search in
    sql.Column("date", sql.Text, nullable=False),
    sql.Column("result", sql.String(8), nullable=False),
    sql.Column("termination", sql.String(16), nullable=False),
    sql.Column("turns", sql.Integer, nullable=False),
    sql.Column("modules", sql.Text, nullable=False),
    sql.Column("options", sql.Text, nullable=False),
    sql.Column("start", sql.Text, nullable=False),
    sql.Column("board", sql.Text, nullable=False),
    sql.Column("imported", sql.Boolean, nullable=False),
    sql.Column("digest", sql.String(64), nullable=False, index=True),
    sql.Column("note", sql.Text, nullable=False),  # what reading had to mend
    sql.Column("problem", sql.Text, nullable=False),  # why it cannot be read
)


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


_COLUMNS = [_games.c[field.name] for field in fields(Entry)]


def digest(record: Record) -> str:
    """Return what only the same record has too, however it is written."""
    return hashlib.sha256(format_record(record).encode("utf-8")).hexdigest()


class Index:
    """The index of one folder in one database."""

    def __init__(self, folder: Path, url: str | URL) -> None:
        self.folder = folder
        self.url = url
        self._engine: Engine | None = None

    def open(self, progress: Progress | None = None) -> None:
        """Connect, make the tables where they are missing or old, and bring them up to date.

        Raises UserError where the database cannot be used.
        """
        try:
            self._engine = sql.create_engine(self.url)
            self._make_tables()
            self.refresh(progress)
        except (SQLAlchemyError, ImportError) as error:
            self.close()
            why = getattr(error, "orig", None) or error  # the driver says it without our statement
            raise UserError(
                f"the database of the index cannot be used: {why}; "
                "CHRONOTABLE_DB takes a URL of SQLAlchemy, as sqlite:///file"
            ) from error

    def close(self) -> None:
        """Let go of the database."""
        if self._engine is not None:
            self._engine.dispose()
        self._engine = None

    def refresh(self, progress: Progress | None = None) -> None:
        """Make the rows agree with the files of the folder."""
        try:
            self._refresh(progress)
        except IntegrityError:  # another process has just entered the same file
            self._refresh(progress)

    def rebuild(self, progress: Progress | None = None) -> None:
        """Forget all rows and read all files anew."""
        with self._begin() as connection:
            connection.execute(sql.delete(_games))
        self.refresh(progress)

    def games(
        self, player: str | None = None, result: str | None = None, limit: int | None = None
    ) -> list[Entry]:
        """Return the games, the newest first; `player` is a part of a name in any case."""
        query = sql.select(*_COLUMNS).where(_games.c.problem == "")
        if player is not None:
            query = query.where(_games.c.players.contains(player.casefold(), autoescape=True))
        if result is not None:
            query = query.where(_games.c.result == result)
        return self._entries(query.order_by(_games.c.stored.desc()).limit(limit))

    def problems(self) -> list[Entry]:
        """Return the files that cannot be read."""
        query = sql.select(*_COLUMNS).where(_games.c.problem != "").order_by(_games.c.file)
        return self._entries(query)

    def everything(self) -> list[Entry]:
        """Return all rows, the newest first."""
        return self._entries(sql.select(*_COLUMNS).order_by(_games.c.stored.desc()))

    def with_digest(self, wanted: str) -> Entry | None:
        """Return a game with this content, or None."""
        query = sql.select(*_COLUMNS).where(_games.c.digest == wanted)
        return next(iter(self._entries(query.order_by(_games.c.stored))), None)

    def _entries(self, query: "sql.Select[Any]") -> list[Entry]:
        with self._begin() as connection:
            return [Entry(**row._mapping) for row in connection.execute(query)]

    def _begin(self) -> Any:
        if self._engine is None:
            raise ValueError("the index is not open")
        return self._engine.begin()

    def _make_tables(self) -> None:
        assert self._engine is not None
        _tables.create_all(self._engine)
        with self._begin() as connection:
            known = connection.execute(sql.select(_about.c.schema)).scalars().all()
        if known == [SCHEMA]:
            return
        if known:
            _tables.drop_all(self._engine)
            _tables.create_all(self._engine)
        with self._begin() as connection:
            connection.execute(sql.insert(_about).values(schema=SCHEMA))

    def _refresh(self, progress: Progress | None) -> None:
        there = dict(_scan(self.folder))
        with self._begin() as connection:
            known = {
                row.file: (row.size, row.mtime_ns)
                for row in connection.execute(
                    sql.select(_games.c.file, _games.c.size, _games.c.mtime_ns)
                )
            }
            changed = sorted(file for file in there if known.get(file) != there[file])
            for file, seen in known.items():
                if there.get(file) != seen:
                    connection.execute(sql.delete(_games).where(_games.c.file == file))
            for done, file in enumerate(changed):
                if progress is not None:
                    progress(done, len(changed))
                self._enter(connection, file)

    def _enter(self, connection: Connection, file: str) -> None:
        try:
            with (self.folder / file).open("rb") as opened:
                status = os.fstat(opened.fileno())
                data = opened.read()
        except FileNotFoundError:  # gone since the folder was listed
            return
        except OSError as error:
            status = (self.folder / file).stat()
            row = {"problem": error.strerror or str(error)}
        else:
            row = _row(data)
        path = Path(file)
        moment = datetime.fromtimestamp(status.st_mtime).strftime("%Y-%m-%dT%H%M-")
        named = game_id(path) != path.stem
        empty = {
            column.name: "" for column in _games.columns if isinstance(column.type, sql.String)
        }
        values: dict[str, Any] = {
            **empty,
            "turns": 0,
            "file": file,
            "size": status.st_size,
            "mtime_ns": status.st_mtime_ns,
            "stored": path.stem if named else moment + path.stem,
            "id": game_id(path),
            "imported": path.parent.name == IMPORTED,
        }
        connection.execute(sql.insert(_games).values(values | row))


def _scan(folder: Path) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield path within the folder, size and time of each record file."""
    for place, prefix in ((folder, ""), (folder / IMPORTED, IMPORTED + "/")):
        for name in _listed(place):
            # not scandir's own stat, which is stale on Windows
            status = _stat(place / name)
            if name.endswith(SUFFIX) and status is not None and stat.S_ISREG(status.st_mode):
                yield prefix + name, (status.st_size, status.st_mtime_ns)


def _listed(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        return []


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:  # gone since the folder was listed
        return None


def _row(data: bytes) -> dict[str, Any]:
    """Return the columns that come from a file's content."""
    try:
        reading = parse(data)
    except RecordError as error:
        return {"problem": record_problem(error)}
    except NotationError as error:
        return {"problem": str(error)}
    record = reading.record
    headers = {name: printable(value) for name, value in record.headers.items()}
    return {
        "white": headers["White"],
        "black": headers["Black"],
        "players": f"{headers['White']}\n{headers['Black']}".casefold(),
        "date": headers["Date"],
        "result": headers["Result"],
        "termination": headers["Termination"],
        "turns": len(record.turns),
        "modules": headers["Modules"],
        "options": headers["Options"],
        "start": headers["Start"],
        "board": headers["Board"],
        "digest": digest(record),
        "note": reading.note,
    }
