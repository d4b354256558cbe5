"""The archive of games: what the commands and the live session ask for."""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from chronotable_host.archive import nights, regular_files
from chronotable_host.archive.disk import explained
from chronotable_host.archive.files import GameFile
from chronotable_host.archive.naming import SUFFIX, time_of_name
from chronotable_host.archive.nights import GameRecord
from chronotable_host.archive.parsing import ParsedRecord, Progress, read
from chronotable_host.errors import UserError, located
from chronotable_host.home import default_folder
from chronotable_host.language import tr
from chronotable_host.rules.reason_texts import record_problem
from chronotable_host.rules.record import Record, RecordError, header_line

if TYPE_CHECKING:  # the database is loaded when it is needed: a game is played without it
    from chronotable_host.archive.facts import GameFacts
    from chronotable_host.archive.importing import ImportedGame
    from chronotable_host.archive.index import Entry, Index
    from chronotable_host.archive.opening import IndexLocation

Result = TypeVar("Result")

DATABASE_VARIABLE = "CHRONOTABLE_DB"
LAST = "last"
_TOLD_NAMES = 3  # how many games are listed where a name fits several


class GameFilter(NamedTuple):
    """Which games are asked for.

    `player` is a part of a name, in any case, and `seats` are names that it may stand for; `result`
    is one of a record's results. Those of fewer than `least_turns` are left out. With `by_errors`
    those that were analysed, the one with the most errors first. Games of a night are among them
    `with_nights`.
    """

    player: str | None = None
    result: str | None = None
    least_turns: int = 0
    by_errors: bool = False
    with_nights: bool = False
    seats: tuple[str, ...] = ()


ALL_GAMES = GameFilter()
"""All games of the table."""


class Archive:
    """The games of one folder.

    A game is begun without the index: the files alone are the truth, and the index reads them at
    its next opening. It is opened when it is first asked, in a database of the folder's own or at
    any SQLAlchemy `url` (CHRONOTABLE_DB), where it may share the tables with other folders.
    `progress` hears how far the reading of files is.
    """

    def __init__(
        self, folder: Path | None = None, url: str | None = None, progress: Progress | None = None
    ) -> None:
        self.folder = default_folder() if folder is None else folder
        self.url = url or os.environ.get(DATABASE_VARIABLE) or None
        self._named_by = "--url" if url else DATABASE_VARIABLE
        self._progress = progress
        self._index: Index | None = None

    def __enter__(self) -> "Archive":
        """Return the archive itself."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the index."""
        self.close()

    def open(self) -> None:
        """Open the index now; raises UserError where it cannot be used."""
        self._open_index()

    def close(self) -> None:
        """Close the index; it is opened again, and brought up to date, when it is next asked."""
        if self._index is not None:
            self._index.close()
        self._index = None

    def new_game(
        self, record: Record, now: datetime | None = None, path: Path | None = None
    ) -> GameFile:
        """Begin the file of a new game, dated today unless its record has a date.

        `path` see `GameFile.create`. Raises OSError.
        """
        if record.headers["Date"].startswith("?"):
            record.headers["Date"] = (now or datetime.now()).strftime("%Y-%m-%d")
        self._make_folder()
        return GameFile.create(self.folder, record, now, path)

    def having(self, header: str, value: str) -> Iterator[Path]:
        """Yield the files of games played here whose header has this value, the newest first."""
        line = header_line(header, value).encode()
        paths = self.folder.glob(f"*{SUFFIX}")
        for path in sorted(paths, key=lambda path: (time_of_name(path), path.name), reverse=True):
            with contextlib.suppress(OSError):
                if line in regular_files.read(path):
                    yield path

    def games(
        self, wanted: GameFilter = ALL_GAMES, limit: int | None = None, offset: int = 0
    ) -> "list[Entry]":
        """Return the games of a filter, the newest first, without the first `offset` of them."""
        return self._ask(lambda index: index.games(wanted, limit, offset))

    def count(self, wanted: GameFilter = ALL_GAMES) -> int:
        """Return how many games `games` has without a limit."""
        return self._ask(lambda index: index.count(wanted))

    def facts(self, player: str | None = None) -> "list[GameFacts]":
        """Return what statistics know of the games with a turn; `player` as in a filter."""
        return self._ask(lambda index: index.facts(player))

    def nights(self, player: str | None = None) -> "list[Entry]":
        """Return the games of a night, the newest first; `player` as in a filter."""
        return self._ask(lambda index: index.nights(player))

    def problems(self, limit: int | None = None) -> "list[Entry]":
        """Return the files of the folder that cannot be read as games."""
        return self._ask(lambda index: index.problems(limit))

    def count_problems(self) -> int:
        """Return how many files `problems` has without a limit."""
        return self._ask(lambda index: index.count_problems())

    def find(self, wanted: str) -> "list[Entry]":
        """Return games and problems of an id or a file name, in any case, the newest first."""
        return self._ask(lambda index: index.find(wanted))

    def get(self, wanted: str, with_nights: bool = False) -> "Entry":
        """Return the game of an id, a file name, the beginning of one that is unique, or `last`.

        Raises UserError where there is none or more than one, where its file cannot be read, and,
        unless `with_nights`, where it is a game of a night.
        """
        if wanted.lower() == LAST:
            found = self.games(GameFilter(with_nights=with_nights), limit=1)
            total = len(found)
        else:
            found = self.find(wanted)
            total = len(found)
            if not found and wanted:
                found, total = self._ask(lambda index: index.beginning(wanted, _TOLD_NAMES + 1))
        if not found:
            is_empty = self._ask(lambda index: index.is_empty())
            hint = tr("it has none yet") if is_empty else tr("`chronotable games` lists them")
            raise UserError(
                tr(
                    "no game '{wanted}' is in the archive {folder}; {hint}",
                    wanted=wanted,
                    folder=self.folder,
                    hint=hint,
                )
            )
        if total > 1:
            more = ", ..." if total > _TOLD_NAMES else ""
            ids = ", ".join(entry.file for entry in found[:_TOLD_NAMES]) + more
            raise UserError(
                tr(
                    "'{wanted}' fits {count} games ({ids}); write more of the id",
                    wanted=wanted,
                    count=total,
                    ids=ids,
                )
            )
        if found[0].problem:
            raise UserError(f"{self.where(found[0])}: {found[0].problem}")
        if found[0].night and not with_nights:
            raise UserError(
                tr(
                    "{where}: is a game of a night, {game}; this is only for games of the table",
                    where=self.where(found[0]),
                    game=found[0].game,
                )
            )
        return found[0]

    def path(self, entry: "Entry") -> Path:
        """Return the file of a game; raises UserError where an entry is of no file of the folder.

        A database may be in other hands than the folder.
        """
        from chronotable_host.archive.index import is_of_archive  # noqa: PLC0415

        if not is_of_archive(entry.file):
            raise UserError(
                tr(
                    "{file}: the index names what is no file of the archive; `chronotable games "
                    "--rebuild` makes it anew",
                    file=entry.file,
                )
            )
        return self.folder / entry.file

    def where(self, entry: "Entry") -> str:
        """Return what people are told of where a game is."""
        return str(self.folder / entry.file)

    def read(self, entry: "Entry") -> ParsedRecord:
        """Read the game of an entry; raises RecordError, with the file's name, and OSError."""
        path = self.path(entry)
        try:
            return read(path)
        except RecordError as error:
            raise RecordError(f"{path}: {record_problem(error)}", error.turn) from error

    def read_night(self, entry: "Entry") -> GameRecord:
        """Read the game of a night; raises UserError, with the file's name, and OSError."""
        path = self.path(entry)
        with located(path):
            return nights.read(path)

    def store(self, records: "Iterable[Record | GameRecord]") -> "list[ImportedGame]":
        """Store games that were played elsewhere; one that is there already is left out.

        All records are looked at before the first is stored. Raises OSError where one cannot be
        written; those before it are stored.
        """
        from chronotable_host.archive.importing import prepare, take_in  # noqa: PLC0415

        games = [prepare(record) for record in records]
        self._make_folder()
        contents = list({game.content for game in games})
        known = self._ask(lambda index: index.with_digests(contents))
        stored, new = take_in(self.folder, games, known, self._progress)
        self._ask(lambda index: index.add(new))
        return stored

    def refresh(self, files: Sequence[str] | None = None) -> int:
        """Bring the index up to date with the files, as opening does; return how many were read.

        With `files`, at most 500 of them, only those are looked at.
        """
        return self._ask(lambda index: index.refresh(self._progress, files=files))

    def rebuild(self) -> None:
        """Make the index anew from the files, whatever is there.

        What crashes left behind of files that were never put in place is removed, too. Raises
        UserError where the database cannot be used.
        """
        from chronotable_host.archive.opening import open_index  # noqa: PLC0415

        self.close()
        place = self._place()
        place.sweep()
        self._index = open_index(place, self._progress, reads_all=True)

    def _ask(self, question: "Callable[[Index], Result]") -> Result:
        """Ask the index; where our own one turns out to be damaged, a new one."""
        from chronotable_host.archive.database import DamagedError  # noqa: PLC0415

        try:
            return question(self._open_index())
        except DamagedError:
            self.close()
            if self.url is not None:
                raise
            self._place().remove_own()
            return question(self._open_index())

    def _open_index(self) -> "Index":
        from chronotable_host.archive.opening import open_index  # noqa: PLC0415

        if self._index is None:
            self._index = open_index(self._place(), self._progress)
        return self._index

    def _make_folder(self) -> None:
        if self.folder.is_dir():
            return
        self.close()  # the index of a folder that is not there is in memory
        with explained(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)

    def _place(self) -> "IndexLocation":
        from chronotable_host.archive.opening import IndexLocation  # noqa: PLC0415

        return IndexLocation(self.folder, self.url, self._named_by)
