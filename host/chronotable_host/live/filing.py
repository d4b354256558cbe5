"""Which record file a game of the table is written to: an old one, a new one, or none yet.

Three rules. A file holds one game: turns that a table sends, or has in its journal, go into it only
where they continue all that the file has. A game without a turn has no file: that comes with its
first turn, or with its end. And where it is not certain which game a file holds, nothing is
written, and the table's journal is fetched. What is tried out in a lesson or an analysis is no
game: it has no file.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from chronotable_host.archive import regular_files
from chronotable_host.archive.comments import join_comments, note_taken_back
from chronotable_host.archive.disk import write_whole
from chronotable_host.archive.files import GameFile, OutOfStepError, begins_with, is_same
from chronotable_host.archive.naming import new_path
from chronotable_host.archive.parsing import read
from chronotable_host.language import tr
from chronotable_host.learning.course import is_taught
from chronotable_host.live.journal_game import JournalGame, RecordFit, compare_record, update_file
from chronotable_host.rules.notation import NotationError
from chronotable_host.rules.record import DRAW, RESULTS, Record
from ttykm import objects

if TYPE_CHECKING:
    from chronotable_host.archive.store import Archive

SOURCE = "Source"
"""Header of a record that says which game of which table it is, so that it is kept once."""

_TRIALS = "trials.txt"
"""The file of the archive's folder that has the sources of what was tried out, the latest last.

So a program that comes after one which was killed does not take them for games.
"""
_MOST_TRIALS = 500
"""Of the sources that are kept: a table has given its old games away long since."""

_WORD = re.compile(r"[0-9a-f-]{1,60}")

_TRIES = 3  # at a file that another program writes


class FiledGame(NamedTuple):
    """The file of a game out of a table's journal; whether it, or the game's end, is new there."""

    file: GameFile
    is_new: bool
    has_ended: bool


class Filing:
    """The files of the games that one program follows; does nothing without an archive.

    `file` is the file of the game that is followed, None as long as it has none. It may have more
    turns than the table, which can lose its last ones when its power fails: the game is written to
    the same file as long as the same turns are played again. New games get `headers`, and `board`
    for the board that they are played on. `resumes` says that the archive may have games of the
    table already. As long as it `is_paused` what begins is no game; `is_game` says that what is
    followed is one.
    """

    def __init__(self, archive: "Archive | None", headers: dict[str, str], resumes: bool) -> None:
        self.file: GameFile | None = None
        self.headers = headers
        self.board = "?"
        self.is_paused = False
        self.is_game = True
        # the sources of what began meanwhile, in earlier programs, too
        self._tried = set(_read_trials(archive.folder) if archive is not None and resumes else ())
        self._archive = archive
        self._resumes = resumes
        self._source = ""
        self._begun: dict[str, list[Path]] = {}  # the files that this program made, by source
        self._record: Record | None = None  # the game, while no file has just these turns
        self._note = ""  # for its first turn
        self._place: Path | None = None  # where its file will be
        self._may_be_there = False  # it may have a file of another program already
        self._overwritten: Record | None = None  # the game whose file holds another one by now

    @property
    def record(self) -> Record | None:
        """The record of the game that is followed, on the disk or not yet."""
        return self._record if self.file is None else self.file.record

    @property
    def path(self) -> Path | None:
        """Where the game's file is, or will be; None where no game is followed."""
        return self._place if self.file is None else self.file.path

    def keeps(self, source: str, record: Record) -> bool:
        """Tell whether a game is kept at all."""
        is_game = source not in self._tried and not is_taught(record.start)
        return self._archive is not None and is_game

    # ---- the game that is followed

    def begin(self, source: str, record: Record, is_news: bool = False) -> None:
        """Follow a game from its beginning; if that `is_news` no other program has heard of it.

        Of the game before nothing is kept if all of its turns were taken back.
        """
        before = self.file
        self.leave()
        if before and not before.record.turns and before.record.headers["Result"] == RESULTS[3]:
            with suppress(OutOfStepError):  # somebody wrote in it
                before.remove()
        if self.is_paused:
            self.leave_out(source)
        self.is_game = source not in self._tried
        if not self.keeps(source, record):
            return
        self._source = source
        self._wait(record)
        self._may_be_there = self._resumes and not is_news

    def leave_out(self, source: str) -> None:
        """Write nothing of a game, now and in later programs."""
        if source in self._tried:
            return
        self._tried.add(source)
        if self._archive is not None and self._resumes:
            _note_trial(self._archive.folder, source)

    def go_on(self, source: str, journal_game: JournalGame) -> None:
        """Follow a game from where the table's journal has it; raises OSError."""
        self.is_game = source not in self._tried
        if not self.keeps(source, journal_game.record):
            self.leave()
            return
        file, fit, _ = self._settle(source, journal_game)
        if file is None and (journal_game.record.turns or journal_game.is_over):
            path = self._place if source == self._source else None
            file, fit = self._create(source, journal_game.record, path=path), RecordFit.EARLIER
        self.leave(journal_game, keeps=file)
        self._source = source
        self.file = file
        if file is None or fit is RecordFit.AHEAD:
            self._wait(journal_game.record)
            self._may_be_there = self._resumes

    def leave(self, journal_game: JournalGame | None = None, keeps: GameFile | None = None) -> None:
        """Follow no game any more; the file `keeps` is left open.

        Turns that the table told, and that somebody has overwritten in the game's file since, are
        written to a file of their own, unless `journal_game`, which the journal has of this game,
        has them too.
        """
        overwritten, self._overwritten = self._overwritten, None
        if self.file is not None and self.file is not keeps:
            self.file.close()
        self.file = self._record = self._place = None
        self._note = ""
        if overwritten is None or not overwritten.turns:
            return
        if (
            journal_game is None
            or compare_record(overwritten, journal_game) is not RecordFit.EARLIER
        ):
            source = overwritten.headers[SOURCE]
            if self._file_with(source, overwritten) is None:
                self._create(source, overwritten).close()

    def _wait(self, record: Record) -> None:
        """Follow a record that no file is known to hold yet."""
        assert self._archive is not None
        self._record = self._dressed(record, self._source)
        self._place = new_path(self._archive.folder)

    def look_again(self) -> None:
        """The line was cut: another program may have received, and written, what comes now."""
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
        record.add(turn, join_comments(self._note, comment))
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

    def rename(self, name: str, value: str) -> None:
        """Have another value in a header."""
        if self._record is None:
            self._in_file(lambda file: file.rename(name, value))
        else:
            self._record.headers[name] = value

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
        if self._overwritten is not None:
            self.leave()
        if self.file is not None:
            self.file.close()

    # ---- a game out of the journal

    def store(self, source: str, journal_game: JournalGame, date: str) -> FiledGame:
        """Write a game out of the journal to its file, or to a new one; raises OSError."""
        file, fit, was_open = self._settle(source, journal_game)
        if file is not None:
            return FiledGame(
                file, False, was_open and journal_game.is_over and fit is RecordFit.EARLIER
            )
        return FiledGame(self._create(source, journal_game.record, date), True, False)

    def _settle(
        self, source: str, journal_game: JournalGame
    ) -> tuple[GameFile | None, RecordFit, bool]:
        """Bring the file of a game up to what the journal has; return it, None where there is none.

        Returns too how the file compared before, and whether its game had no result yet.
        """
        ahead: GameFile | None = None
        for path in self._paths(source):
            file, fit, was_open = self._try(path, journal_game)
            if fit is RecordFit.EARLIER:
                self._note_path(source, path)
                return file, fit, was_open
            if fit is RecordFit.AHEAD and ahead is None:
                ahead = file
        return ahead, RecordFit.AHEAD, False

    def _try(
        self, path: Path, journal_game: JournalGame
    ) -> tuple[GameFile | None, RecordFit, bool]:
        for _ in range(_TRIES):
            file = self._open(path)
            if file is None:
                break
            fit = compare_record(file.record, journal_game)
            was_open = file.record.headers["Result"] == RESULTS[3]
            if fit is not RecordFit.EARLIER:
                return file, fit, was_open
            with suppress(OutOfStepError):  # another program was quicker
                update_file(file, journal_game)
                return file, fit, was_open
        return None, RecordFit.OTHER, False

    # ---- the archive

    def _in_file(self, change: Callable[[GameFile], object]) -> None:
        if self.file is None:
            return
        try:
            change(self.file)
        except OutOfStepError:
            if not self._is_of_game(self.file.path):
                self._overwritten = self.file.record
            raise

    def _is_of_game(self, path: Path) -> bool:
        """Tell whether a file still holds the game that is followed, if only its first turns."""
        with suppress(OSError, NotationError):
            return read(path).record.headers.get(SOURCE) == self._source
        return False

    def _catch_up(self, record: Record) -> None:
        """Write a record that is not on the disk yet, unless another program has written it."""
        file: GameFile | None = None
        if self.file is not None or self._may_be_there:
            file = self._file_with(self._source, record)
        if file is None:
            if self.file is not None:
                raise OutOfStepError(tr("{path}: its game went on otherwise", path=self.file.path))
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


def _read_trials(folder: Path) -> list[str]:
    """Return the sources that are noted in a folder; what cannot be read is none."""
    try:
        lines = regular_files.read(folder / _TRIALS).decode("ascii", "replace").split()
    except OSError:
        return []
    return [line for line in lines if _WORD.fullmatch(line)][-_MOST_TRIALS:]


def _note_trial(folder: Path, source: str) -> None:
    """Note a source; raises OSError."""
    known = _read_trials(folder)
    if source not in known:
        folder.mkdir(parents=True, exist_ok=True)
        kept = [*known, source][-_MOST_TRIALS:]
        write_whole(folder / _TRIALS, "".join(f"{each}\n" for each in kept))
