"""Records read from files and texts: what can be mended is, and said; the rest is a sentence."""

from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from chronotable_host.archive import nights, regular_files
from chronotable_host.archive.nights import GameRecord
from chronotable_host.errors import UserError
from chronotable_host.language import tr, tr_c, tr_n
from chronotable_host.rules.notation import UnknownModuleError
from chronotable_host.rules.reason_texts import record_problem
from chronotable_host.rules.record import (
    ClaimError,
    Record,
    RecordError,
    parse_record,
    parse_states,
)

Progress = Callable[[int, int, str], None]
"""Called with how much is done, of how much, and of what."""


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
        reading = None
        with suppress(RecordError):
            reading = _settle(whole + b"\n")
        if reading is None or reading.record.headers["Result"] != "*":
            raise
        note = tr_n(
            "its last line was cut short, so {n} turn of it is known",
            "its last line was cut short, so {n} turns of it are known",
            len(reading.record.turns),
        )
        return ParsedRecord(reading.record, reading.states, note)


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


def each_record(
    text: str, name: str, progress: Progress | None = None
) -> Iterator[Record | GameRecord]:
    """Read the records of a text; a header line behind turns begins the next one.

    Raises RecordError with `name`, which game it is and what is wrong, and UnknownModuleError; of
    a game of a night UserError.
    """
    if text.lstrip()[:9].lower() == "<!doctype":
        says = tr("{name}: that is a page, to be looked at; a game is in its .ttykm", name=name)
        raise RecordError(says)
    parts = split_records(text)
    if not parts:
        raise RecordError(tr("{name}: no game is in it", name=name))
    for number, (line, part) in enumerate(parts, 1):
        if progress is not None:
            progress(number, len(parts), tr_c("progress", "checking"))
        where = tr("{name}, game {number}", name=name, number=number) if len(parts) > 1 else name
        yield _parse_named(part, line, where)


def _parse_named(text: str, line: int, where: str) -> Record | GameRecord:
    try:
        if nights.is_record(text):
            return nights.parse_record(text, line)
        return parse_record(text, line)
    except RecordError as error:
        raise RecordError(f"{where}: {record_problem(error)}", error.turn) from error
    except UnknownModuleError as error:
        raise UnknownModuleError(f"{where}: {error}") from error
    except UserError as error:
        raise UserError(f"{where}: {error}") from error


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
