"""Opens the index of a folder: in which database it is, and what to do if that is unusable.

One rule: the only database that is ever removed is our own, a file in the folder, as it can be made
anew from the games. One that the user named is never touched.
"""

import contextlib
import hashlib
import os
import platform
import secrets
import time
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from sqlalchemy.engine import URL

from chronotable_host.archive import disk, regular_files
from chronotable_host.archive.database import DamagedError, Database, HeldError, UnusableError
from chronotable_host.archive.index import IMPORTED, Index, NewerIndexError
from chronotable_host.archive.naming import SUFFIXES
from chronotable_host.archive.parsing import Progress
from chronotable_host.language import tr

_FILE = "index.sqlite"
_ENDS = ("", "-journal", "-wal", "-shm")  # of the files of one SQLite database
_ID_FILE = ".archive-id"
_ID_LENGTH = 64
_MOST_ID_BYTES = 1024
_OWN = "own"  # what stands for the folder in its own database, which has no other
_LEFT_OVER = tuple(f".*{each}.*.tmp" for each in SUFFIXES)
_LEFT_OVER_S = 24 * 3600.0


@dataclass(frozen=True)
class IndexLocation:
    """A folder of games, and the URL of a database for their index, None for our own.

    `source` is where that URL was given.
    """

    folder: Path
    url: str | None = None
    source: str = "--url"

    def database(self) -> tuple[Database, str]:
        """Return the database, and what tells this folder from others in it.

        Our own is in the folder and may be moved with it. It is in memory where there is no
        folder, as there is nothing to keep, and where something is in its way that is no file.
        """
        if self.url is not None:
            return Database(self.url, source=self.source), self.archive_id()
        if not self.folder.is_dir() or not self._clear_own():
            return _in_memory()
        file = self.folder / _FILE
        return Database(
            URL.create("sqlite", database=str(file)), tr("the index {file}", file=file)
        ), _OWN

    def archive_id(self) -> str:
        """Return what tells this folder from others in one database.

        It is kept in the folder, so that it stays the same when that is moved, or seen from another
        computer. A copy of the folder has the same one, which costs time and nothing else; where
        the two are to live side by side, delete the copy's `.archive-id`.
        """
        file = self.folder / _ID_FILE
        for _ in range(2):
            with contextlib.suppress(OSError, UnicodeDecodeError):
                known = regular_files.read(file, _MOST_ID_BYTES).decode("ascii").strip()
                if known:
                    return known[:_ID_LENGTH]
            with contextlib.suppress(OSError):
                disk.write_whole(file, secrets.token_hex(16) + "\n", is_new=True)
        # a folder that cannot be written to has no id of its own
        here = f"{platform.node()}\n{self.folder.resolve()}"
        return hashlib.sha256(here.encode("utf-8", "surrogatepass")).hexdigest()

    def remove_own(self) -> None:
        """Remove our own database."""
        for path in self._own():
            with contextlib.suppress(OSError):
                path.unlink()

    def sweep(self) -> None:
        """Remove temporary files that a crash left, once they are a day old."""
        before_s = time.time() - _LEFT_OVER_S
        for place in (self.folder, self.folder / IMPORTED):
            with contextlib.suppress(OSError):
                names = (
                    os.listdir(place) if place == self.folder else regular_files.list_folder(place)
                )
                for name in names:
                    path = place / name
                    with contextlib.suppress(OSError):
                        is_ours = any(fnmatch(name, each) for each in _LEFT_OVER)
                        if is_ours and os.lstat(path).st_mtime < before_s:
                            path.unlink()

    def _own(self) -> list[Path]:
        """Return the files that our own database has, or would have."""
        return [self.folder / f"{_FILE}{end}" for end in _ENDS]

    def _clear_own(self) -> bool:
        """Remove what has the name of such a file and is none; return whether that worked.

        A database would wait for a fifo, and write where a link leads.
        """
        for path in self._own():
            if os.path.lexists(path) and not regular_files.is_regular(path):
                with contextlib.suppress(OSError):
                    path.unlink()
                if os.path.lexists(path):
                    return False
        return True


def open_index(
    place: IndexLocation, progress: Progress | None = None, reads_all: bool = False
) -> Index:
    """Return a folder's index, up to date; our own is made anew where it is damaged.

    With `reads_all` it is made anew from the files, whatever was there. Where our own cannot be
    had, as in a folder that cannot be written to, there is one in memory. Raises UnusableError for
    one that was named, HeldError, and NewerIndexError unless it `reads_all`.
    """
    try:
        return _connect(place, *place.database(), progress, reads_all)
    except UnusableError as error:
        if place.url is not None or isinstance(error, HeldError):
            raise
        if isinstance(error, NewerIndexError) and not reads_all:
            raise NewerIndexError(
                tr("{problem}, or `chronotable games --rebuild` to make it ours", problem=error)
            ) from error
        if reads_all or isinstance(error, DamagedError):
            place.remove_own()
            with contextlib.suppress(UnusableError):
                return _connect(place, *place.database(), progress, reads_all)
    return _connect(place, *_in_memory(), progress, reads_all)


def _connect(
    place: IndexLocation,
    database: Database,
    archive: str,
    progress: Progress | None,
    reads_all: bool,
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
    return Database("sqlite://", tr("the index in memory")), _OWN
