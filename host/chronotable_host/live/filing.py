"""Which file a game is kept in: found, begun, or left alone.

Three rules. A file is of one game: what a table tells or has kept goes into it only where it leads
on from all that the file has. A game that was never played has none: its file comes with its first
turn, or with its end. And where it is not certain which game a file holds nothing is written, and
the table's journal is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from chronotable_host.archive.comments import joined, note_taken_back
from chronotable_host.archive.files import (
    GameFile,
    OutOfStepError,
    begins_with,
    is_same,
    new_path,
    read,
)
from chronotable_host.live.journal_game import Fit, JournalGame, fit_of, keep
from chronotable_host.rules.notation import NotationError
from chronotable_host.rules.record import DRAW, RESULTS, Record
from ttykm import objects

if TYPE_CHECKING:
    from pathlib import Path

    from chronotable_host.archive.store import Archive

SOURCE = "Source"
"""Header of a record that says which game of which table it is, so that it is kept once."""

_TRIES = 3  # at a file that another program writes


class Stored(NamedTuple):
    """What became of a game that a table has kept: its file, and what is news to the archive."""

    file: GameFile
    is_new: bool
    has_ended: bool


class Filing:
    """The files of the games that one program hears of; does nothing without an archive.

    `file` is the file of the game that is followed, None as long as it has none. It may know more
    than the table does, which lost its last turns with its power: the game has the same file as
    long as it goes the same way. New games get `headers`, and `board` for the board that they are
    played on. `resumes` says that the archive may have games of the table already.
    """

    def __init__(self, archive: Archive | None, headers: dict[str, str], resumes: bool) -> None:
        self.file: GameFile | None = None
        self.headers = headers
        self.board = "?"
        self._archive = archive
        self._resumes = resumes
        self._source = ""
        self._begun: dict[str, list[Path]] = {}  # the files that this program made, by source
        self._record: Record | None = None  # the game, while no file ends with it
        self._note = ""  # for its first turn
        self._place: Path | None = None  # where its file will be
        self._may_be_there = False  # it may be in a file that this program does not know
        self._told: Record | None = None  # what a file had in whose place there is another game

    @property
    def record(self) -> Record | None:
        """The record of the game that is followed, on the disk or not yet."""
        return self._record if self.file is None else self.file.record

    @property
    def path(self) -> Path | None:
        """Where the game's file is, or will be; None where no game is followed."""
        return self._place if self.file is None else self.file.path

    # ---- the game that is followed

    def begin(self, source: str, record: Record, is_news: bool = False) -> None:
        """Follow a game from its beginning; if that `is_news` no other program has heard of it."""
        self.leave()
        if self._archive is None:
            return
        self._source = source
        self._wait(record)
        self._may_be_there = self._resumes and not is_news

    def go_on(self, source: str, kept: JournalGame) -> None:
        """Follow a game from where the table's journal has it; raises OSError."""
        if self._archive is None:
            return
        file, fit, _ = self._settle(source, kept)
        if file is None and (kept.record.turns or kept.is_over):
            path = self._place if source == self._source else None
            file, fit = self._create(source, kept.record, path=path), Fit.PAST
        self.leave(kept, keeps=file)
        self._source = source
        self.file = file
        if file is None or fit is Fit.AHEAD:
            self._wait(kept.record)
            self._may_be_there = self._resumes

    def leave(self, kept: JournalGame | None = None, keeps: GameFile | None = None) -> None:
        """Follow no game any more; `kept` is how the journal has it, `keeps` a file to leave open.

        What was told of it is in a file then, whatever somebody has made of the one it had.
        """
        told, self._told = self._told, None
        if self.file is not None and self.file is not keeps:
            self.file.close()
        self.file = self._record = self._place = None
        self._note = ""
        if told is None or not told.turns:
            return
        if kept is None or fit_of(told, kept) is not Fit.PAST:
            source = told.headers[SOURCE]
            if self._file_with(source, told) is None:
                self._create(source, told).close()

    def _wait(self, record: Record) -> None:
        """Follow a record that no file ends with, or none is known to."""
        assert self._archive is not None
        self._record = self._dressed(record, self._source)
        self._place = new_path(self._archive.folder)

    def look_again(self) -> None:
        """The line was cut: another program may have heard what comes now."""
        self._may_be_there = self._resumes

    def turn(self, number: int, before: int, turn: int, comment: str) -> None:
        """Have turn `number` on the disk, which follows the position with the digest `before`.

        Raises OSError, and OutOfStepError where the journal has to tell what is true; so do the
        next two. Then nothing was written.
        """
        record = self._record
        if record is None:
            self._in_file(lambda file: file.append(number, before, turn, comment))
            return
        record.add(turn, joined(self._note, comment))
        try:
            self._catch_up(record)
        except BaseException:
            record.take_back()
            raise
        self._note = ""

    def take_back(self) -> None:
        """Take the last turn back."""
        if self._record is None:
            self._in_file(GameFile.take_back)
        else:
            turn = self._record.take_back()
            self._note = note_taken_back(self._record.comments, self._note, turn)

    def finish(self, result: str, termination: str) -> None:
        """The game is over."""
        record = self._record
        if record is None:
            self._in_file(lambda file: file.finish(result, termination))
            return
        headers = dict(record.headers)
        record.finish(result, termination)
        try:
            self._catch_up(record)
        except BaseException:
            record.headers = headers
            raise

    def close(self) -> None:
        """Close the file; a game in progress can be gone on with."""
        if self._told is not None:
            self.leave()
        if self.file is not None:
            self.file.close()

    # ---- a game out of the journal

    def store(self, source: str, kept: JournalGame, date: str) -> Stored:
        """Have a game in a file that the table has kept; raises OSError."""
        file, fit, was_open = self._settle(source, kept)
        if file is not None:
            return Stored(file, False, was_open and kept.is_over and fit is Fit.PAST)
        return Stored(self._create(source, kept.record, date), True, False)

    def _settle(self, source: str, kept: JournalGame) -> tuple[GameFile | None, Fit, bool]:
        """Have a kept game in the file where it belongs; return that, None where there is none.

        Returns too what the file was to the game, and whether its game was open.
        """
        ahead: GameFile | None = None
        for path in self._paths(source):
            file, fit, was_open = self._try(path, kept)
            if fit is Fit.PAST:
                self._note_path(source, path)
                return file, fit, was_open
            if fit is Fit.AHEAD and ahead is None:
                ahead = file
        return ahead, Fit.AHEAD, False

    def _try(self, path: Path, kept: JournalGame) -> tuple[GameFile | None, Fit, bool]:
        for _ in range(_TRIES):
            file = self._open(path)
            if file is None:
                break
            fit = fit_of(file.record, kept)
            was_open = file.record.headers["Result"] == RESULTS[3]
            if fit is not Fit.PAST:
                return file, fit, was_open
            with suppress(OutOfStepError):  # another program was quicker
                keep(file, kept)
                return file, fit, was_open
        return None, Fit.OTHER, False

    # ---- the archive

    def _in_file(self, change: Callable[[GameFile], object]) -> None:
        if self.file is None:
            return
        try:
            change(self.file)
        except OutOfStepError:
            if not self._is_of_game(self.file.path):
                self._told = self.file.record
            raise

    def _is_of_game(self, path: Path) -> bool:
        """Tell whether a file has the table's game still, as another program has heard it."""
        with suppress(OSError, NotationError):
            return read(path).record.headers.get(SOURCE) == self._source
        return False

    def _catch_up(self, record: Record) -> None:
        """Have a record on the disk that is not, or not as it is; or see that a file has it."""
        file: GameFile | None = None
        if self.file is not None or self._may_be_there:
            file = self._file_with(self._source, record)
        if file is None:
            if self.file is not None:
                raise OutOfStepError(f"{self.file.path}: its game went on otherwise")
            self.file = self._create(self._source, record, path=self._place)
            self._record = None
            return
        if self.file is not None and self.file is not file:
            self.file.close()
        self.file = file
        if is_same(file.record, record):
            self._record = None

    def _file_with(self, source: str, record: Record) -> GameFile | None:
        """Return a file that has all of a record, None where there is none."""
        for path in self._paths(source):
            file = self._open(path)
            if file is not None and begins_with(file.record, record):
                return file
        return None

    def _paths(self, source: str) -> Iterator[Path]:
        """Yield the files with a source, the likeliest first."""
        seen = set()
        own = [self.file.path] if self.file is not None and source == self._source else []
        for path in own + self._begun.get(source, [])[::-1]:
            if path not in seen:
                seen.add(path)
                yield path
        if self._archive is not None and self._resumes:
            for path in self._archive.having(SOURCE, source):
                if path not in seen:
                    yield path

    def _open(self, path: Path) -> GameFile | None:
        """Return a file to go on with, None where it cannot be read."""
        if self.file is not None and path == self.file.path:
            with suppress(OutOfStepError):
                self.file.check()  # also where it was taken away: we know the whole game
                return self.file
        for _ in range(_TRIES):
            try:
                read(path)
            except (OSError, NotationError):
                return None
            with suppress(OutOfStepError):  # another program is writing it
                return GameFile.resume(path)
        return None

    def _create(
        self, source: str, record: Record, date: str = "", path: Path | None = None
    ) -> GameFile:
        """Begin a file with a game so far; one of a known `date` was played without us."""
        assert self._archive is not None
        if date:
            record.headers.update({"Date": date, "Board": self.board, SOURCE: source})
            file = GameFile.create(self._archive.folder, record)
        else:
            file = self._archive.new_game(self._dressed(record, source), path=path)
        self._note_path(source, file.path)
        return file

    def _note_path(self, source: str, path: Path) -> None:
        paths = self._begun.setdefault(source, [])
        if path not in paths:
            paths.append(path)

    def _dressed(self, record: Record, source: str) -> Record:
        """Return a record with our headers; what drew modules is said of a game with these only."""
        if SOURCE in record.headers:
            return record
        headers = dict(self.headers)
        drawn = headers.pop(DRAW, "")
        if drawn and DRAW not in record.headers:
            modules = objects.convergence(int(drawn.split()[-1]))
            if modules == objects.modules_of(record.start):
                headers[DRAW] = drawn
        record.headers.update({**headers, "Board": self.board, SOURCE: source})
        return record
