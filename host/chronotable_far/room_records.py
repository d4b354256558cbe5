"""The records of a room's games: made of the logs alone, kept in an archive each once.

So they are the same at both ends but for the header Board, the place, and follow the log: what it
has is on the disk already, and a record which could not be written is written with the next change.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from chronotable_far.entries import ENDS
from chronotable_host.archive import regular_files
from chronotable_host.archive.comments import Comments, clock_left, join_comments, turn_comment
from chronotable_host.archive.disk import write_whole
from chronotable_host.archive.files import GameFile, OutOfStepError
from chronotable_host.language import tr
from chronotable_host.live.filing import SOURCE
from chronotable_host.live.players.clocks import TIME_CONTROL
from chronotable_host.rules.annotations import without_annotation
from chronotable_host.rules.notation import PLAYER_NAMES, NotationError
from chronotable_host.rules.record import DRAW, Record
from ttykm import objects

if TYPE_CHECKING:
    from chronotable_far.course import Course, PlayedTurn, RoomGame
    from chronotable_host.archive.store import Archive

_DRAWER = "convergence"


class RoomRecords:
    """Writes a room's games to an archive; `board` names the board that is played on here.

    `id` is what the present game is called there, None as long as it has no turn. `complain` is
    told once where nothing can be written.
    """

    def __init__(
        self, archive: Archive, board: Callable[[], str], complain: Callable[[str], None]
    ) -> None:
        self._archive = archive
        self._board = board
        self._complain = complain
        self._files: dict[str, GameFile] = {}  # by source
        self._kept: dict[int, RoomGame] = {}  # what was written of each game
        self._said = ""
        self._present = ""

    @property
    def id(self) -> str | None:
        """What the present game is called in the archive."""
        file = self._files.get(self._present)
        return None if file is None else file.id

    def keep(self, course: Course) -> None:
        """Have the archive hold the games that a course has, as they are now.

        A game begins when somebody has joined: before, nobody knows against whom it is.
        """
        if course.join is None:
            return
        try:
            for number, part in enumerate((*course.earlier, course.part), 1):
                if self._kept.get(number) is not part:
                    record = record_of(course, number)
                    self._present = record.headers[SOURCE]
                    self._keep(record)
                    self._kept[number] = part
        except (OSError, OutOfStepError) as error:
            if str(error) != self._said:
                self._said = str(error)
                self._complain(tr("{problem}; the game itself is kept, and goes on", problem=error))

    def _keep(self, record: Record) -> None:
        source = record.headers[SOURCE]
        file = self._files.get(source) or self._found(source)
        if file is None:
            if not record.turns and record.headers["Result"] == "*":
                return
            record.headers["Board"] = self._board()
            file = GameFile.create(self._archive.folder, record)
        elif not _is_as(file.record, record):
            try:
                file.become(record)
            except OutOfStepError:  # somebody has said something beside its turns
                file = GameFile.resume(file.path)
                file.become(record)
        self._files[source] = file
        file.close()

    def _found(self, source: str) -> GameFile | None:
        for path in self._archive.having(SOURCE, source):
            with suppress(OSError, NotationError, OutOfStepError):
                return GameFile.resume(path)
        return None


def _is_as(known: Record, record: Record) -> bool:
    """Tell whether a file holds a record, whatever an analysis says in it besides."""
    return (
        known.turns == record.turns
        and [*map(without_annotation, known.comments)] == record.comments
        and all(known.headers[name] == record.headers[name] for name in ("Result", "Termination"))
    )


def record_of(course: Course, number: int | None = None) -> Record:
    """Return the record of a room's game `number`, from 1 on; of the present one without that.

    The game has begun: there is a `begin`.
    """
    begin = course.begin
    assert begin is not None
    parts = (*course.earlier, course.part)
    number = len(parts) if number is None else number
    part = parts[number - 1]
    record = Record(begin.start, begin.options)
    for end in ENDS:
        record.headers[PLAYER_NAMES[part.sides[end]]] = course.names.get(end, "?")
    record.headers["Date"] = part.date
    record.headers[SOURCE] = f"far-{begin.id}-{number}"
    if begin.clock:
        record.headers[TIME_CONTROL] = begin.clock
    if _has_drawn(begin.draw, objects.modules_of(begin.start)):
        record.headers[DRAW] = begin.draw
    for played, comment in zip(part.line, _comments(part), strict=True):
        record.add(played.turn, comment)
    if part.result is not None:
        record.finish(*part.result)
    return record


def _comments(part: RoomGame) -> list[str]:
    """Return the comment of each turn that counts, with what was taken back."""
    comments = Comments()
    line: list[PlayedTurn] = []
    for played in part.history:
        if played is None:
            comments.take_back(line.pop().turn)
            continue
        left = "" if played.left_s is None else clock_left(played.left_s)
        comments.add(join_comments(turn_comment(played.at_ms, played.how), left))
        line.append(played)
    return comments.texts


def _has_drawn(draw: str, modules: int) -> bool:
    """Tell whether a header Draw is canonical, and draws just these modules."""
    name, _, seed = draw.partition(" ")
    is_seed = seed.isascii() and seed.isdecimal() and str(int(seed)) == seed and int(seed) < 1 << 32
    return name == _DRAWER and is_seed and objects.convergence(int(seed)) == modules


MOST = 200
"""Of the games that are kept: a table has given its old ones away long since."""

_SOURCE = frozenset("0123456789abcdef-")
_MOST_CHARS = 60  # of a source
_MOST_DIGITS = 6


class TableGames:
    """The games of tables that a room was played in; `path` is None where nothing is kept.

    What a table itself has of them is not kept again. They are noted in a file beside the room's
    logs, a line each: the source of the table's game, and how many games of the room were over
    before. The latest count, and what cannot be read is none.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._known: dict[str, int] = {}
        if path is not None:
            self._known.update(_read(path))

    def games_of(self, source: str) -> int | None:
        """Return how many games of the room came before this game of a table, None if not one."""
        return self._known.get(source)

    def note(self, source: str, games: int) -> None:
        """Note a game of a table; raises OSError."""
        if self._known.get(source) == games:
            return
        self._known.pop(source, None)
        self._known[source] = games
        if self._path is not None:
            kept = [*self._known.items()][-MOST:]
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._path, "".join(f"{each} {count}\n" for each, count in kept))


def _read(path: Path) -> dict[str, int]:
    try:
        lines = regular_files.read(path).decode("ascii", "replace").splitlines()
    except OSError:
        return {}
    found = (line.partition(" ") for line in lines)
    return {source: int(games) for source, _, games in found if _is_noted(source, games)}


def _is_noted(source: str, games: str) -> bool:
    is_source = 0 < len(source) <= _MOST_CHARS and _SOURCE.issuperset(source)
    return is_source and len(games) <= _MOST_DIGITS and games.isascii() and games.isdecimal()
