"""Which database has the index of a folder, and what is done where it is no good.

One rule: the only database that is ever removed is our own, a file in the folder: it is made from
the games. One that somebody named is left to them.
"""

import contextlib
import hashlib
import platform
import secrets
import time
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.engine import URL

from chronotable_host.archive import disk
from chronotable_host.archive.database import DamagedError, Database, UnusableError
from chronotable_host.archive.files import SUFFIX, Progress
from chronotable_host.archive.index import Index, NewerIndexError

_FILE = "index.sqlite"
_ID_FILE = ".archive-id"
_ID_LENGTH = 64
_OWN = "own"  # the only folder in its own database
_LEFT_OVER = f".*{SUFFIX}.*.tmp"
_LEFT_OVER_S = 24 * 3600.0


@dataclass(frozen=True)
class Place:
    """A folder of games, and the URL of a database for their index, None for our own.

    `source` is where that URL was given.
    """

    folder: Path
    url: str | None = None
    source: str = "--url"

    def database(self) -> tuple[Database, str]:
        """Return the database, and what tells this folder from others in it.

        Our own is in the folder and may be moved with it; where there is no folder it is in
        memory, as there is nothing to keep.
        """
        if self.url is not None:
            return Database(self.url, source=self.source), self.archive_id()
        if not self.folder.is_dir():
            return _in_memory()
        file = self.folder / _FILE
        return Database(URL.create("sqlite", database=str(file)), f"the index {file}"), _OWN

    def archive_id(self) -> str:
        """Return what tells this folder from others in one database.

        It is kept in the folder, so that it stays the same when that is moved, or seen from another
        computer. A copy of the folder has the same one, which costs time and nothing else; where
        the two are to live side by side, delete the copy's `.archive-id`.
        """
        file = self.folder / _ID_FILE
        for _ in range(2):
            with contextlib.suppress(OSError, UnicodeDecodeError):
                known = file.read_text("ascii").strip()
                if known:
                    return known[:_ID_LENGTH]
            with contextlib.suppress(OSError):
                disk.write_whole(file, secrets.token_hex(16) + "\n", is_new=True)
        here = f"{platform.node()}\n{self.folder.resolve()}"  # a folder that we cannot write to
        return hashlib.sha256(here.encode("utf-8", "surrogatepass")).hexdigest()

    def remove_own(self) -> None:
        """Remove our own database."""
        for path in (self.folder / _FILE, *self.folder.glob(f"{_FILE}-*")):
            with contextlib.suppress(OSError):
                path.unlink()

    def sweep(self) -> None:
        """Remove what crashes left of files that were never put in their place, a day ago."""
        before_s = time.time() - _LEFT_OVER_S
        for path in (*self.folder.glob(_LEFT_OVER), *self.folder.glob(f"*/{_LEFT_OVER}")):
            with contextlib.suppress(OSError):
                if path.stat().st_mtime < before_s:
                    path.unlink()


def open_index(place: Place, progress: Progress | None = None) -> Index:
    """Return a folder's index, up to date; our own is made anew where it is damaged.

    Where our own cannot be had, there is one in memory. Raises UnusableError for one that was
    named, and NewerIndexError.
    """
    try:
        return _connect(place, *place.database(), progress)
    except NewerIndexError as error:
        if place.url is not None:
            raise
        hint = "or `chronotable games --rebuild` to make it ours"
        raise NewerIndexError(f"{error}, {hint}") from error
    except UnusableError as error:
        if place.url is not None:
            raise
        if isinstance(error, DamagedError):
            place.remove_own()
            with contextlib.suppress(UnusableError):
                return _connect(place, *place.database(), progress)
    return _connect(place, *_in_memory(), progress)


def rebuild_index(place: Place, progress: Progress | None = None) -> Index:
    """Return a folder's index, made anew from the files, whatever was there.

    Raises UnusableError where it cannot be.
    """
    try:
        return _connect(place, *place.database(), progress, reads_all=True)
    except UnusableError:
        if place.url is not None:
            raise
        place.remove_own()
        return _connect(place, *place.database(), progress, reads_all=True)


def _connect(
    place: Place,
    database: Database,
    archive: str,
    progress: Progress | None,
    reads_all: bool = False,
) -> Index:
    index = Index(place.folder, database, archive)
    index.open()
    try:
        index.refresh(progress, reads_all)
    except BaseException:
        index.close()
        raise
    return index


def _in_memory() -> tuple[Database, str]:
    return Database("sqlite://", "the index in memory"), _OWN
