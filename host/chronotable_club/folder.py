"""The folder of a club: its secret, its tables as the database had them last, its games.

`club.json` is the club: who has it can speak as the director and as every table. The rest is there
so that the hub works without its database, and goes on after a restart.
"""

import contextlib
import json
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from chronotable_club.hub import Club, EnrolledTable
from chronotable_club.tokens import CLUB_CHARS, new_id
from chronotable_far.broker.sealing import derived
from chronotable_host.archive import regular_files
from chronotable_host.archive.disk import try_lock, write_whole
from chronotable_host.errors import UserError
from chronotable_host.home import default_folder
from chronotable_host.language import tr

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
