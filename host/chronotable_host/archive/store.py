"""The archive of games: what the commands and the live session ask for."""

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from chronotable_host.archive.files import SUFFIX, GameFile, Reading, parse_records, read
from chronotable_host.errors import UserError
from chronotable_host.text import record_problem
from ttykm.notation import NotationError
from ttykm.record import Record, RecordError, format_record, header_line

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

    from chronotable_host.archive.index import Entry, Index, Progress

HOME_VARIABLE = "CHRONOTABLE_HOME"
DATABASE_VARIABLE = "CHRONOTABLE_DB"
LAST = "last"

_INDEX_FILE = "index.sqlite"


@dataclass(frozen=True)
class Stored:
    """What became of one imported game: its id, and whether it was there already."""

    id: str
    is_duplicate: bool


def default_folder() -> Path:
    """Return the folder of the games: CHRONOTABLE_HOME, or the user's data folder."""
    home = os.environ.get(HOME_VARIABLE)
    if home:
        return Path(home)
    from platformdirs import user_data_path  # noqa: PLC0415

    return user_data_path("chronotable", appauthor=False)


class Archive:
    """The games of one folder.

    A game is begun without the index: the files alone are the truth, and the index reads them at
    its next opening. It is opened when it is first asked, in a database of the folder's own or at
    any SQLAlchemy `url` (CHRONOTABLE_DB). `progress` hears how far the reading of files is.
    """

    def __init__(
        self,
        folder: Path | None = None,
        url: str | None = None,
        progress: "Progress | None" = None,
    ) -> None:
        self.folder = default_folder() if folder is None else folder
        self.url = url or os.environ.get(DATABASE_VARIABLE) or None
        self._progress = progress
        self._index: Index | None = None

    def __enter__(self) -> "Archive":
        """Return the archive itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the index."""
        self.close()

    def close(self) -> None:
        """Close the index; it is opened again, and brought up to date, when it is next asked."""
        if self._index is not None:
            self._index.close()
        self._index = None

    def new_game(self, record: Record, now: datetime | None = None) -> GameFile:
        """Begin the file of a new game, dated today unless its record has a date.

        Raises OSError.
        """
        if record.headers["Date"].startswith("?"):
            record.headers["Date"] = (now or datetime.now()).strftime("%Y-%m-%d")
        return GameFile.create(self.folder, record, now)

    def resume(self, header: str, value: str) -> GameFile | None:
        """Open the newest game whose header has this value to go on with it, None if none has."""
        line = header_line(header, value).encode()
        for path in sorted(self.folder.glob(f"*{SUFFIX}"), reverse=True):
            with contextlib.suppress(OSError, NotationError):
                if line in path.read_bytes():
                    return GameFile.resume(path)
        return None

    def games(
        self, player: str | None = None, result: str | None = None, limit: int | None = None
    ) -> "list[Entry]":
        """Return the games, the newest first.

        `player` is a part of a name, in any case; `result` is one of a record's results.
        """
        return self._opened().games(player, result, limit)

    def problems(self) -> "list[Entry]":
        """Return the files of the folder that cannot be read as games."""
        return self._opened().problems()

    def get(self, wanted: str) -> "Entry":
        """Return the game of an id, a file name, the beginning of one that is unique, or `last`.

        Raises UserError where there is none or more than one, or where its file cannot be read.
        """
        entries = self._opened().everything()
        if wanted.lower() == LAST:
            found = [entry for entry in entries if not entry.problem][:1]
        else:
            key = wanted.casefold()
            named = [(entry, _names(entry)) for entry in entries]
            found = [entry for entry, names in named if key in names]
            if not found and key:
                found = [
                    entry for entry, names in named if any(name.startswith(key) for name in names)
                ]
        if not found:
            hint = "`chronotable games` lists them" if entries else "it has none yet"
            raise UserError(f"no game '{wanted}' is in the archive {self.folder}; {hint}")
        if len(found) > 1:
            ids = ", ".join(entry.file for entry in found[:3]) + (", ..." if found[3:] else "")
            raise UserError(f"'{wanted}' fits {len(found)} games ({ids}); write more of the id")
        if found[0].problem:
            raise UserError(f"{self.path(found[0])}: {found[0].problem}")
        return found[0]

    def path(self, entry: "Entry") -> Path:
        """Return the file of a game."""
        return self.folder / entry.file

    def read(self, entry: "Entry") -> Reading:
        """Read the game of an entry; raises RecordError, with the file's name, and OSError."""
        path = self.path(entry)
        try:
            return read(path)
        except RecordError as error:
            raise RecordError(f"{path}: {record_problem(error)}", error.turn) from error

    def export(self, entry: "Entry") -> str:
        """Return the canonical text of a game."""
        return format_record(self.read(entry).record)

    def import_text(self, text: str, name: str = "the text") -> list[Stored]:
        """Store every game of a text, after all of them were checked; see `store`.

        Raises RecordError with `name`, and then nothing was stored.
        """
        return self.store(parse_records(text, name))

    def store(self, records: Sequence[Record]) -> list[Stored]:
        """Store games that were played elsewhere; one that is there already is left out."""
        from chronotable_host.archive.index import IMPORTED, digest  # noqa: PLC0415

        folder = self.folder / IMPORTED
        folder.mkdir(parents=True, exist_ok=True)
        index = self._opened()
        ids: dict[str, str] = {}
        stored = []
        for done, record in enumerate(records):
            if self._progress is not None:
                self._progress(done, len(records))
            content = digest(record)
            if content not in ids:
                entry = index.with_digest(content)
                if entry is None:
                    ids[content] = GameFile.create(folder, record).id
                    stored.append(Stored(ids[content], False))
                    continue
                ids[content] = entry.id
            stored.append(Stored(ids[content], True))
        index.refresh()
        return stored

    def refresh(self) -> None:
        """Bring the index up to date with the files, as opening does."""
        self._opened().refresh(self._progress)

    def rebuild(self) -> None:
        """Make the index anew from the files."""
        self._opened().rebuild(self._progress)

    def _opened(self) -> "Index":
        """Return the index, opened; a database of our own that is no good is made anew."""
        if self._index is not None:
            return self._index
        from sqlalchemy.engine import URL  # noqa: PLC0415

        from chronotable_host.archive.index import Index  # noqa: PLC0415

        index = None
        if self.url is None and self.folder.is_dir():
            own = URL.create("sqlite", database=str(self.folder / _INDEX_FILE))
            index = self._try(own) or self._try(own)  # another process may just be making it
            if index is None:
                with contextlib.suppress(OSError):
                    (self.folder / _INDEX_FILE).unlink()  # damaged, and only an index
                index = self._try(own)
        if index is None:  # where there is no folder yet, or none to write to, it is in memory
            index = Index(self.folder, self.url or "sqlite://")
            index.open(self._progress)
        self._index = index
        return index

    def _try(self, url: "URL") -> "Index | None":
        """Return an open index, or None where the database is no good."""
        from chronotable_host.archive.index import Index  # noqa: PLC0415

        index = Index(self.folder, url)
        try:
            index.open(self._progress)
        except UserError:
            return None
        return index


def _names(entry: "Entry") -> tuple[str, ...]:
    """Return what a game can be called, case folded."""
    path = Path(entry.file)
    return entry.id.casefold(), path.stem.casefold(), path.name.casefold(), entry.file.casefold()
