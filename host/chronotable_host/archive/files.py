"""Record files: one game each, on disk before anyone is told.

Three rules. A turn counts once its line is on the disk, so `append` returns after an fsync. A file
is at every moment a whole record, apart from a last line that a crash cut short, which
`parsing.read` leaves out: nobody was told of that turn. And only a program that knows what a file
holds writes to it: several programs may use one archive, and follow one game.
"""

import contextlib
import os
from collections.abc import Iterator, Sequence
from copy import deepcopy
from datetime import datetime
from pathlib import Path

from chronotable_host.archive import disk, regular_files
from chronotable_host.archive.comments import join_comments, note_taken_back
from chronotable_host.archive.disk import explained, write_whole
from chronotable_host.archive.naming import game_id, new_path
from chronotable_host.archive.parsing import parse
from chronotable_host.errors import UserError
from chronotable_host.language import tr, tr_n
from chronotable_host.rules.annotations import ANNOTATOR, Annotation, annotated, without_annotation
from chronotable_host.rules.line import drop, keep
from chronotable_host.rules.notation import NotationError
from chronotable_host.rules.record import IN_PROGRESS, Record, format_record, last
from ttykm.game import Game, IllegalTurnError, digest


class OutOfStepError(UserError):
    """A file holds another game than its writer takes it to hold; nothing was written."""


class GameFile:
    """The file of a game in progress. `record` is what it holds, turn by turn.

    One rule: only who knows what the file holds writes in it. What another program, or somebody's
    editor, has made of it in the meantime stays; a file that was taken away is written again.
    The methods that write raise OutOfStepError and OSError, and then nothing has changed.
    """

    def __init__(self, path: Path, record: Record, known: bytes = b"") -> None:
        self.path = path
        self.record = record
        self._fd: int | None = None
        self._known = known  # what the file held when it was last read or written here
        self._tried = b""  # what it may hold since writing that failed
        self._note = ""
        self._game: Game | None = None  # at the end of the record

    @classmethod
    def create(
        cls, folder: Path, record: Record, now: datetime | None = None, path: Path | None = None
    ) -> "GameFile":
        """Write the file of a new game, with the turns that its record has already.

        At `path`, which was made by `new_path` before, if nobody has taken that. Raises OSError.
        """
        with explained(folder):
            folder.mkdir(parents=True, exist_ok=True)
        while True:
            game = cls(path or new_path(folder, now), record)
            with contextlib.suppress(FileExistsError):  # another process has just used the name
                game._put(is_new=True)
                return game
            path = None

    @classmethod
    def resume(cls, path: Path) -> "GameFile":
        """Open the file of a game to go on with it; what was cut short is mended on the disk.

        Raises NotationError too.
        """
        data = regular_files.read(path)
        game = cls(path, parse(data).record, data)
        if data != game._text():
            with game._held():
                game._put()
        return game

    @property
    def id(self) -> str:
        """The short id of the game."""
        return game_id(self.path)

    def append(self, number: int, before: int, turn: int, comment: str = "") -> None:
        """Add turn `number`, behind the position with the digest `before`.

        It is on the disk when this returns. A game that is over takes none.
        """
        game = self._check_place(number, before)
        try:
            game.apply(turn)
        except IllegalTurnError as error:
            raise OutOfStepError(
                tr("{path}: turn {number} is not legal there", path=self.path, number=number)
            ) from error
        try:
            self._add(turn, comment)
        except BaseException:
            game.undo()
            raise

    def take_back(self) -> int:
        """Remove the last turn, also of a finished game, and return it.

        The turn before keeps a note of it, or the next one where there is none. Raises IndexError
        where there is no turn.
        """
        with self._changed():
            turn = self.record.take_back()
            self._note = note_taken_back(self.record.comments, self._note, turn)
            self.record.finish("*", IN_PROGRESS)
        self._game = None
        return turn

    def finish(self, result: str, termination: str) -> None:
        """Set result and termination and close the file.

        Raises RecordError where they do not fit each other.
        """
        with self._changed():
            self.record.finish(result, termination)

    def rename(self, name: str, value: str) -> None:
        """Have another value in a header."""
        with self._changed():
            self.record.headers[name] = value

    def become(self, record: Record) -> None:
        """Hold turns, comments and end of another record of the same game instead."""
        headers = dict(self.record.headers)
        for name in ("Result", "Termination"):
            headers[name] = record.headers[name]
        known = self.record.turns, self.record.comments, self.record.headers
        if (record.turns, record.comments, headers) == known:
            return
        with self._changed():
            if record.turns != self.record.turns:
                self.record.variations = {}
            self.record.turns, self.record.comments = list(record.turns), list(record.comments)
            for name in ("Result", "Termination"):
                self.record.headers[name] = record.headers[name]
            self._note = ""
        self._game = None

    def annotate(self, found: Sequence[Annotation], annotator: str) -> None:
        """Say beside the first turns what an analysis found, in the place of an earlier one."""
        with self._changed():
            comments = [without_annotation(each) for each in self.record.comments]
            for at, said in enumerate(found):
                comments[at] = annotated(comments[at], said)
            self.record.comments = comments
            self.record.headers[ANNOTATOR] = annotator

    def vary(self, number: int, turns: Sequence[int], is_kept: bool = True) -> None:
        """Keep what could have been played from turn `number` on, or forget it.

        See `rules.line`; raises UserError.
        """
        with self._changed():
            (keep if is_kept else drop)(self.record, number, turns)

    def check(self) -> None:
        """Raise OutOfStepError where the file is there and does not hold the record any more."""
        with self._held():
            pass

    def remove(self) -> None:
        """Remove the file; raises OutOfStepError where it does not hold the record any more."""
        with self._held():
            if os.name != "posix":
                self.close()  # Windows removes no open file
            self.path.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        """Close the file; the game can be resumed, and appending opens it again."""
        if self._fd is not None:
            disk.close(self._fd)
        self._fd = None

    def __enter__(self) -> "GameFile":
        """Return the file itself."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the file."""
        self.close()

    def _check_place(self, number: int, before: int) -> Game:
        """Return the game at the end of the record, if turn `number` belongs there."""
        count = len(self.record.turns)
        if self.record.headers["Result"] != "*":
            raise OutOfStepError(
                tr(
                    "{path}: the game is over; turn {number} is of another one",
                    path=self.path,
                    number=number,
                )
            )
        if self._game is None:
            self._game = last(self.record.replay())
        if number != count + 1 or before != digest(self._game.state):
            raise OutOfStepError(
                tr_n(
                    "{path}: turn {number} does not follow in it; it has {n} turn",
                    "{path}: turn {number} does not follow in it; it has {n} turns",
                    count,
                    path=self.path,
                    number=number,
                )
            )
        return self._game

    def _add(self, turn: int, comment: str) -> None:
        with self._held():
            text = self._text()
            self.record.add(turn, join_comments(self._note, comment))
            try:
                line = self._text()[len(text) :]
                if self._fd is None or self._known != text:
                    self._put_again()
                else:
                    with explained(self.path):
                        self._append_line(line)
            except BaseException:
                self.record.take_back()
                raise
            self._note = ""

    @contextlib.contextmanager
    def _changed(self) -> Iterator[None]:
        """Have the record that comes out of this on the disk, or the one of before."""
        with self._held():
            turns, comments = list(self.record.turns), list(self.record.comments)
            headers, note = dict(self.record.headers), self._note
            variations = deepcopy(self.record.variations)
            try:
                yield
                self._put_again()
            except BaseException:
                self.record.turns, self.record.comments = turns, comments
                self.record.headers, self._note = headers, note
                self.record.variations = variations
                raise

    @contextlib.contextmanager
    def _held(self) -> Iterator[None]:
        """Keep other programs from writing; the file, if it is there, holds our record."""
        with explained(self.path):
            self._take()
        try:
            yield
        finally:
            if self._fd is not None:
                disk.unlock(self._fd)

    def _take(self) -> None:
        while True:
            if self._fd is None:
                try:
                    self._fd = disk.open_end(self.path)
                except FileNotFoundError:
                    return  # the file was removed: it is written again from the record
            disk.lock(self._fd)
            if disk.is_file_of(self._fd, self.path):
                break
            self.close()  # another file was put in its place
        try:
            self._agree(disk.content(self._fd))
        except BaseException:
            self.close()
            raise

    def _agree(self, there: bytes) -> None:
        """Take over what the file holds if that is the game as it is known here."""
        if there == self._known:
            return
        is_part = there.startswith(self._known) and self._tried.startswith(there)
        if not (is_part or there == self._tried):
            try:
                found = parse(there).record
            except NotationError as error:
                raise OutOfStepError(
                    tr(
                        "{path}: somebody wrote in it, and it cannot be read any more",
                        path=self.path,
                    )
                ) from error
            if not is_same(found, self.record):
                raise OutOfStepError(
                    tr_n(
                        "{path}: another program wrote in it; {n} turn of its game was known here, "
                        "it has {count}",
                        "{path}: another program wrote in it; {n} turns of its game were known "
                        "here, it has {count}",
                        len(self.record.turns),
                        path=self.path,
                        count=len(found.turns),
                    )
                )
            self.record.headers, self.record.comments = found.headers, found.comments
            self.record.starting_comment = found.starting_comment
            self.record.variations = found.variations
        self._known = there

    def _text(self) -> bytes:
        return format_record(self.record).encode("utf-8")

    def _put(self, is_new: bool = False) -> None:
        if os.name != "posix":
            self.close()  # Windows replaces no open file
        self._tried = self._text()
        try:
            with explained(self.path):
                write_whole(self.path, self._tried.decode("utf-8"), is_new)
        finally:
            self.close()  # what is open is the old one
        self._known = self._tried

    def _put_again(self) -> None:
        try:
            self._put(is_new=self._fd is None)
        except FileExistsError as error:
            raise OutOfStepError(
                tr("{path}: another program has just written it", path=self.path)
            ) from error

    def _append_line(self, line: bytes) -> None:
        assert self._fd is not None
        self._tried = self._known + line
        try:
            disk.append(self._fd, line)
        except BaseException:
            try:
                disk.cut(self._fd, len(self._known))
            finally:
                self.close()
            raise
        self._known = self._tried


def is_same(one: Record, other: Record) -> bool:
    """Tell whether two records are of the same turns and the same end; their words may differ."""
    return (
        one.start == other.start
        and one.options == other.options
        and one.turns == other.turns
        and one.headers["Result"] == other.headers["Result"]
    )


def begins_with(longer: Record, record: Record) -> bool:
    """Tell whether a record holds all of another one, what ended that included."""
    if record.headers["Result"] != "*":
        return is_same(longer, record)
    return (
        longer.start == record.start
        and longer.options == record.options
        and longer.turns[: len(record.turns)] == record.turns
    )
