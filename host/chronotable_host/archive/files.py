"""Record files: one game each, on disk before anyone is told.

Three rules. A turn counts once its line is on the disk, so `append` returns after an fsync. A file
is at every moment a whole record, apart from a last line that a crash cut short, which `read`
leaves out: nobody was told of that turn. And only a program that knows what a file holds writes to
it: several programs may use one archive, and follow one game.
"""

import contextlib
import os
import re
import secrets
from array import array
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import TracebackType

from chronotable_host.archive import disk, regular_files
from chronotable_host.archive.comments import joined, note_taken_back
from chronotable_host.archive.disk import write_whole
from chronotable_host.archive.write_errors import explained
from chronotable_host.errors import UserError
from chronotable_host.language import tr, tr_c, tr_n
from chronotable_host.reason_texts import record_problem
from chronotable_host.rules.annotations import (
    ANNOTATOR,
    Annotation,
    annotated,
    without_annotation,
)
from chronotable_host.rules.line import drop, keep
from chronotable_host.rules.notation import NotationError, UnknownModuleError
from chronotable_host.rules.record import (
    IN_PROGRESS,
    ClaimError,
    Record,
    RecordError,
    format_record,
    last,
    parse_record,
    parse_states,
)
from ttykm.game import Game, IllegalTurnError, digest

SUFFIX = ".ttykm"
SCRIPT_SUFFIX = ".script.jsonl"

Progress = Callable[[int, int, str], None]
"""Called with how much is done, of how much, and of what."""

UNDERSTOOD = ("certain", "asked", "corrected")
"""How the table understood a turn, as the turn's comment says it."""

_STAMP = "%Y-%m-%dT%H%M"
_OUR_NAME = re.compile(r"(\d{4}-\d\d-\d\dT\d{4})(Z?)-([0-9a-f]{8})", re.ASCII)
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_LATEST = datetime.max.replace(tzinfo=timezone.utc)
_TIME = re.compile(r"\b(\d+\.\d\d) s, ")
_HOW = re.compile(rf"\b\d+\.\d\d s, ({'|'.join(UNDERSTOOD)})\b")


@dataclass(frozen=True)
class ParsedRecord:
    """A record as it was read, and what had to be mended, "" for nothing.

    `states` are that at the start and those after every turn.
    """

    record: Record
    states: "Sequence[array[int]]"
    note: str = ""


def read(path: Path) -> ParsedRecord:
    """Read a record file, also that of a game in progress whose last line was cut short.

    Raises NotationError and OSError.
    """
    return parse(regular_files.read(path))


def parse(data: bytes) -> ParsedRecord:
    """Read the bytes of a record file, as `read` does."""
    # A power cut can leave zeros where the last line should be.
    data = data.rstrip(b"\0")
    if not data.strip():
        raise RecordError(tr("the file is empty"))
    try:
        return _settle(data)
    except RecordError:
        whole, _, torn = data.rpartition(b"\n")
        if not torn.strip() or not whole.strip():
            raise
        reading = _settled_or_none(whole + b"\n")
        if reading is None or reading.record.headers["Result"] != "*":
            raise
        note = tr_n(
            "its last line was cut short, so {n} turn of it is known",
            "its last line was cut short, so {n} turns of it are known",
            len(reading.record.turns),
        )
        return ParsedRecord(reading.record, reading.states, note)


def _settled_or_none(data: bytes) -> ParsedRecord | None:
    try:
        return _settle(data)
    except RecordError:
        return None


def _settle(data: bytes) -> ParsedRecord:
    """Read a record; a game that the last turn won may still say that it is in progress."""
    try:
        return ParsedRecord(*parse_states(data.decode("utf-8-sig")))
    except UnicodeDecodeError as error:
        raise RecordError(tr("byte {number} is not UTF-8 text", number=error.start + 1)) from error
    except ClaimError as error:
        if error.record.headers["Result"] != "*" or not error.won:
            raise
        error.record.finish(error.won, "normal")
        states = [array("H", game.state) for game in error.record.replay()]
        return ParsedRecord(
            error.record, states, tr("its last turn won, which its headers did not say yet")
        )


def parse_records(text: str, name: str) -> list[Record]:
    """Read all records of a text at once, as `each_record` does."""
    return list(each_record(text, name))


def each_record(text: str, name: str, progress: Progress | None = None) -> Iterator[Record]:
    """Read the records of a text; a header line behind turns begins the next one.

    Raises RecordError with `name`, which game it is and what is wrong, and UnknownModuleError.
    """
    parts = split_records(text)
    if not parts:
        raise RecordError(tr("{name}: no game is in it", name=name))
    for number, (line, part) in enumerate(parts, 1):
        if progress is not None:
            progress(number, len(parts), tr_c("progress", "checking"))
        where = tr("{name}, game {number}", name=name, number=number) if len(parts) > 1 else name
        yield _parse_named(part, line, where)


def _parse_named(text: str, line: int, where: str) -> Record:
    try:
        return parse_record(text, line)
    except RecordError as error:
        raise RecordError(f"{where}: {record_problem(error)}", error.turn) from error
    except UnknownModuleError as error:
        raise UnknownModuleError(f"{where}: {error}") from error


def split_records(text: str) -> list[tuple[int, str]]:
    """Return the records in a text, each with the number of lines in front of it.

    A record begins with a header line behind turns, or, behind an empty line, with a header that
    it has already.
    """
    parts: list[tuple[int, list[str]]] = []
    names: set[str] = set()
    has_turns = in_comment = False
    gap = True
    for number, line in enumerate(text.split("\n")):
        bare = line.strip()
        is_header = not in_comment and bare.startswith("[")
        name = bare[1:].partition('"')[0].strip().lower() if is_header else ""
        if bare and (not parts or (is_header and (has_turns or (gap and name in names)))):
            parts.append((number, []))
            names = set()
            has_turns = False
        if parts:
            parts[-1][1].append(line)
        if is_header:
            names.add(name)
        elif bare:
            has_turns = True
            in_comment = line.rfind("{") > line.rfind("}") or (in_comment and "}" not in line)
        gap = not bare
    return [(number, "\n".join(lines)) for number, lines in parts]


def game_id(path: Path) -> str:
    """Return the short id that people call a game by: of our names the end, else the name."""
    match = _OUR_NAME.fullmatch(path.stem)
    return match[3] if match else path.stem


def script_path(record: Path) -> Path:
    """Return where the raw events of a record's game are kept."""
    return record.with_suffix(SCRIPT_SUFFIX)


def turn_comment(at_ms: int, how: str) -> str:
    """Return the comment of a turn: its time, and how the table understood it."""
    return f"{at_ms / 1000:.2f} s, {how}"


def seconds_of(comment: str) -> float | None:
    """Return the table's time of a turn, None where its comment does not say."""
    match = _TIME.search(comment)
    return float(match[1]) if match else None


def how_understood(comment: str) -> str:
    """Return how a turn was understood, "" where its comment does not say."""
    match = _HOW.search(comment)
    return match[1] if match else ""


def count_understood(record: Record) -> dict[str, int]:
    """Return how many turns were certain, asked and corrected; {} where no comment says it."""
    found = [how_understood(comment) for comment in record.comments]
    return {how: found.count(how) for how in UNDERSTOOD} if any(found) else {}


def time_stamp(moment: datetime) -> str:
    """Return a text that sorts by time: the minute in UTC, and the time within it in us.

    A moment without a time zone is local time, which goes back where summer ends.
    """
    moment = moment.astimezone(timezone.utc)
    in_minute = moment.second * 1_000_000 + moment.microsecond
    return f"{moment.strftime(_STAMP)}Z-{in_minute:07x}"


def new_path(folder: Path, now: datetime | None = None) -> Path:
    """Return the path of a new game; names sort by the time at which they were made.

    The id is the time within the minute in us, and a random digit against other processes.
    """
    moment = now or datetime.now(timezone.utc)
    while True:
        path = folder / f"{time_stamp(moment)}{secrets.randbelow(16):x}{SUFFIX}"
        if not os.path.lexists(path):
            return path
        moment += timedelta(microseconds=1)


def time_of_name(path: Path) -> str:
    """Return what sorts a file by the time that our name for it says, "" if it has another name.

    Names without a Z are older, and in local time.
    """
    match = _OUR_NAME.fullmatch(path.stem)
    if match is None or match[2]:
        return path.stem if match else ""
    try:
        moment = datetime.strptime(match[1], _STAMP).astimezone(timezone.utc)
    except (ValueError, OverflowError, OSError):  # no such day, or one before all zones
        return path.stem
    return f"{moment.strftime(_STAMP)}Z-{match[3]}"


def time_of_file(path: Path, mtime_ns: int) -> str:
    """Return what sorts a file by time: that of our name for it, else when it was written.

    File systems have times of years that nothing else here knows.
    """
    try:
        moment = _EPOCH + timedelta(microseconds=mtime_ns // 1000)
    except OverflowError:
        moment = _LATEST if mtime_ns > 0 else _EPOCH
    return time_of_name(path) or time_stamp(moment)


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
        cls,
        folder: Path,
        record: Record,
        now: datetime | None = None,
        path: Path | None = None,
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

    def close(self) -> None:
        """Close the file; the game can be resumed, and appending opens it again."""
        if self._fd is not None:
            disk.close(self._fd)
        self._fd = None

    def __enter__(self) -> "GameFile":
        """Return the file itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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
            self.record.add(turn, joined(self._note, comment))
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
            self.record.variations = found.variations
        self._known = there

    def _text(self) -> bytes:
        return format_record(self.record).encode("utf-8")

    def _put(self, is_new: bool = False) -> None:
        """Write the whole file."""
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
