"""The folder of a club: its secret, its tables as the database had them last, its games.

`club.json` is the club: who has it can speak as the director and as every table. The rest is there
so that the hub works without its database, and goes on after a restart.

Each game that tables delivered is one file, on disk when they are told so. A file says of which
table it is, so that no other writes into it. What continues a file is added to it; else it is put
in place whole.
"""

import contextlib
import json
import os
import secrets
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from chronotable_club.following import IllegalRecordError, read_whole
from chronotable_club.hub import Club, EnrolledTable, FiledRecord, Read
from chronotable_club.tokens import CLUB_CHARS, new_id
from chronotable_far.broker.sealing import derived
from chronotable_host.archive import disk, regular_files
from chronotable_host.archive.disk import try_lock, write_whole
from chronotable_host.archive.naming import SUFFIX, time_of_name
from chronotable_host.errors import UserError
from chronotable_host.home import default_folder
from chronotable_host.language import tr
from chronotable_host.rules.record import Record, format_record, header_line

_CLUB, _TABLES, _NUMBERS = "club.json", "tables.json", "numbers.json"
_LOCK = "collecting.lock"
_SECRET_BYTES = 32


def usual_folder() -> Path:
    """Return where a club is if nobody says otherwise."""
    return default_folder() / "club"


class ClubFolder(NamedTuple):
    """A club as its folder has it; `broker` and `database` are URLs, "" where none was named."""

    path: Path
    club: Club
    broker: str
    database: str

    @property
    def games(self) -> Path:
        """The folder of its records."""
        return self.path / "games"

    @property
    def url(self) -> str:
        """The URL of its database: one of its own where none was named."""
        return self.database or f"sqlite:///{self.path / 'club.sqlite'}"

    @property
    def director(self) -> str:
        """The token of the director's pages: the same at each start."""
        return derived(self.club.secret, "chronotable club, director", 16).hex()

    @contextmanager
    def collected(self) -> Iterator[None]:
        """Have this program be the one that collects; raises UserError where another one does."""
        fd = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if not try_lock(fd):
                raise UserError(
                    tr("another program collects for the club in {folder}", folder=self.path)
                )
            yield
        finally:
            os.close(fd)

    def tables(self) -> list[EnrolledTable]:
        """Return the tables as they were noted last."""
        found = _read(self.path / _TABLES).get("tables", [])
        return [EnrolledTable(str(it[0]), str(it[1]), bool(it[2])) for it in found]

    def note_tables(self, tables: Iterable[EnrolledTable]) -> None:
        """Note the tables; raises OSError."""
        _write(self.path / _TABLES, {"tables": [list(each) for each in tables]})

    def numbers(self) -> Mapping[str, Mapping[str, int]]:
        """Return the numbers of the latest messages that were noted."""
        found: dict[str, dict[str, int]] = _read(self.path / _NUMBERS)
        return found

    def note_numbers(self, numbers: Mapping[str, Mapping[str, int]]) -> None:
        """Note the numbers of the latest messages; raises OSError."""
        _write(self.path / _NUMBERS, numbers)


def new_club(path: Path, name: str, broker: str = "", database: str = "") -> ClubFolder:
    """Begin a club in a folder; raises UserError where it holds one, and OSError."""
    if (path / _CLUB).exists():
        raise UserError(tr("{folder} holds a club already", folder=path))
    path.mkdir(parents=True, exist_ok=True)
    club = Club(new_id(CLUB_CHARS), name, secrets.token_bytes(_SECRET_BYTES), new_id(CLUB_CHARS))
    told = {
        "club": club.id,
        "name": name,
        "secret": club.secret.hex(),
        "hub": club.hub,
        "broker": broker,
        "database": database,
    }
    write_whole(path / _CLUB, json.dumps(told, indent=1) + "\n", is_new=True, mode=0o600)
    return ClubFolder(path, club, broker, database)


def open_club(path: Path) -> ClubFolder:
    """Return the club of a folder; raises UserError where there is none."""
    try:
        told = json.loads(regular_files.read(path / _CLUB))
        club = Club(told["club"], told["name"], bytes.fromhex(told["secret"]), told["hub"])
        return ClubFolder(path, club, told.get("broker", ""), told.get("database", ""))
    except FileNotFoundError as error:
        raise UserError(
            tr("{folder} holds no club; `chronotable club new NAME` begins one", folder=path)
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(tr("{file} cannot be read", file=path / _CLUB)) from error


def _read(path: Path) -> dict[str, Any]:
    with contextlib.suppress(OSError, ValueError):
        found = json.loads(regular_files.read(path))
        if isinstance(found, dict):
            return found
    return {}


def _write(path: Path, told: Mapping[str, Any]) -> None:
    write_whole(path, json.dumps(told) + "\n")


# ---- its games as files

TABLE, TABLE_ID = "Table", "TableId"
"""Headers of a club's record: what the table is called, and its id."""
CHANGED_S = 600.0
"""So long after its end a game may still be told otherwise: its last turn is taken back, or its end
was a mistake. Later it is as it was."""

_MOST_KNOWN = 4000


class ChangedError(Exception):
    """A game that is over long since is told otherwise; the message is a sentence."""


class RecordFiles:
    """The files of a folder; `read` reads what is there."""

    def __init__(self, folder: Path, read: Read = lambda _whose, text: read_whole(text)) -> None:
        self._read = read
        self.folder = folder
        self._known: OrderedDict[tuple[str, str], tuple[Path, str]] = OrderedDict()

    def store(self, filing: FiledRecord, name: str) -> Path:
        """Have a record on disk; `name` is what its table is called. Raises OSError, ChangedError.

        Returns the file.
        """
        record = filing.record
        record.headers[TABLE], record.headers[TABLE_ID] = name, filing.table
        text = format_record(record)
        path, there = self._find(filing.table, filing.game)
        if text == there:
            return path
        if there:
            self._check_change(path, there, record)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._known.pop((filing.table, filing.game), None)  # what a failure leaves is read again
        if there and text.startswith(there) and _size_of(path) == len(there.encode()):
            _append(path, text[len(there) :].encode())
        else:
            write_whole(path, text, is_new=not there)
        self._note(filing, path, text)
        return path

    def _find(self, table: str, game: str) -> tuple[Path, str]:
        """Return the file of a game and what it holds, "" where there is none yet."""
        known = self._known.get((table, game))
        if known is not None:
            return known
        own = header_line(TABLE_ID, table)
        other = self.folder / f"{game}-{table}{SUFFIX}"
        plain = self.folder / f"{game}{SUFFIX}"
        names = [plain, other] if time_of_name(plain) else [other]
        free = None
        for path in names:
            try:
                text = regular_files.read(path).decode("utf-8", "replace")
            except FileNotFoundError:
                free = free or path
                continue
            if own in text.partition("\n\n")[0].split("\n"):
                return path, text
        return free or other, ""

    def _check_change(self, path: Path, there: str, record: Record) -> None:
        """Raise ChangedError where a game that is over long since would become another one."""
        if '\n[Result "*"]' in there:
            return
        try:
            known = self._read(str(path), there).record
        except IllegalRecordError:
            return
        is_same = (
            known.turns == record.turns and known.headers["Result"] == record.headers["Result"]
        )
        if not is_same and time.time() > path.stat().st_mtime + CHANGED_S:
            raise ChangedError(
                tr("the game was over long since, and cannot be told otherwise any more")
            )

    def _note(self, filing: FiledRecord, path: Path, text: str) -> None:
        self._known[filing.table, filing.game] = path, text
        if len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)


def _size_of(path: Path) -> int:
    """Return how large a file is: another one than it was known to be is written anew."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return -1


def _append(path: Path, data: bytes) -> None:
    fd = disk.open_end(path)
    try:
        disk.append(fd, data)
    finally:
        disk.close(fd)
