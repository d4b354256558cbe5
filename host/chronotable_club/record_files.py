"""The club's records as files: what tables delivered, each game in one file, on disk when told so.

A file says of which table it is, so that no other writes into it. What continues a file is added to
it; else it is put in place whole.
"""

import time
from collections import OrderedDict
from pathlib import Path

from chronotable_club.following import IllegalRecordError, read_whole
from chronotable_club.hub import FiledRecord, Read
from chronotable_host.archive import disk, regular_files
from chronotable_host.archive.disk import write_whole
from chronotable_host.archive.naming import SUFFIX, time_of_name
from chronotable_host.language import tr
from chronotable_host.rules.record import Record, format_record, header_line

TABLE, TABLE_ID = "Table", "TableId"
"""Headers of a club's record: what the table is called, and its id."""
CHANGED_S = 600.0
"""So long after its end a game may still be told otherwise: its last turn is taken back, or its end
was a mistake. Later it is as it was."""

_MOST_KNOWN = 4000


class ChangedError(Exception):
    """A game that is over long since is told otherwise; the message is a sentence."""


class RecordFiles:
    """The files of a folder; `read` reads what is there."""

    def __init__(self, folder: Path, read: Read = lambda _whose, text: read_whole(text)) -> None:
        self._read = read
        self.folder = folder
        self._known: OrderedDict[tuple[str, str], tuple[Path, str]] = OrderedDict()

    def store(self, filing: FiledRecord, name: str) -> Path:
        """Have a record on disk; `name` is what its table is called. Raises OSError, ChangedError.

        Returns the file.
        """
        record = filing.record
        record.headers[TABLE], record.headers[TABLE_ID] = name, filing.table
        text = format_record(record)
        path, there = self._find(filing.table, filing.game)
        if text == there:
            return path
        if there:
            self._check_change(path, there, record)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._known.pop((filing.table, filing.game), None)  # what a failure leaves is read again
        if there and text.startswith(there) and _size_of(path) == len(there.encode()):
            _append(path, text[len(there) :].encode())
        else:
            write_whole(path, text, is_new=not there)
        self._note(filing, path, text)
        return path

    def _find(self, table: str, game: str) -> tuple[Path, str]:
        """Return the file of a game and what it holds, "" where there is none yet."""
        known = self._known.get((table, game))
        if known is not None:
            return known
        own = header_line(TABLE_ID, table)
        other = self.folder / f"{game}-{table}{SUFFIX}"
        plain = self.folder / f"{game}{SUFFIX}"
        names = [plain, other] if time_of_name(plain) else [other]
        free = None
        for path in names:
            try:
                text = regular_files.read(path).decode("utf-8", "replace")
            except FileNotFoundError:
                free = free or path
                continue
            if own in text.partition("\n\n")[0].split("\n"):
                return path, text
        return free or other, ""

    def _check_change(self, path: Path, there: str, record: Record) -> None:
        """Raise ChangedError where a game that is over long since would become another one."""
        if '\n[Result "*"]' in there:
            return
        try:
            known = self._read(str(path), there).record
        except IllegalRecordError:
            return
        is_same = (
            known.turns == record.turns and known.headers["Result"] == record.headers["Result"]
        )
        if not is_same and time.time() > path.stat().st_mtime + CHANGED_S:
            raise ChangedError(
                tr("the game was over long since, and cannot be told otherwise any more")
            )

    def _note(self, filing: FiledRecord, path: Path, text: str) -> None:
        self._known[filing.table, filing.game] = path, text
        if len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)


def _size_of(path: Path) -> int:
    """Return how large a file is: another one than it was known to be is written anew."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return -1


def _append(path: Path, data: bytes) -> None:
    fd = disk.open_end(path)
    try:
        disk.append(fd, data)
    finally:
        disk.close(fd)
