"""The file of a room: every entry of both ends is on the disk before anybody hears of it.

One file for each room and end, of lines, for its user alone: the first has the invitation, each
other one an entry with its hash. A last line that a crash cut short is cut off, for nobody was told
of it; a file that was changed otherwise is refused. One program at a time has a file open.
"""

import contextlib
import json
import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from chronotable_far.entries import ENDS, PROTOCOL, EntryError, LogEntry, read
from chronotable_far.invitation import Invitation
from chronotable_host.archive import disk, regular_files
from chronotable_host.archive.disk import explained
from chronotable_host.errors import UserError
from chronotable_host.language import tr

FOLDER = "far"
SUFFIX = ".far"


class StoreError(UserError):
    """The file of a room cannot be gone on with; the message says why."""


class Store:
    """The open file of a room; `entries` is what it held when it was opened, in its order."""

    def __init__(
        self, path: Path, fd: int, invitation: Invitation, entries: list[LogEntry]
    ) -> None:
        self.path = path
        self.invitation = invitation
        self.entries = entries
        self._fd = fd

    @classmethod
    def open(cls, folder: Path, invitation: Invitation) -> "Store":
        """Open the file of a room below an archive's folder, a new one where there is none.

        Raises StoreError where another program has it open, or somebody has changed it, and
        OSError.
        """
        path = path_of(folder, invitation)
        with explained(path.parent):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with explained(path):
            fd = _opened(path)
        try:
            if not disk.try_lock(fd):
                raise StoreError(
                    tr(
                        "another program of this computer plays this game already ({path}); "
                        "end that one first",
                        path=path,
                    )
                )
            data = disk.content(fd)
            whole = whole_lines(data)
            if whole != data:
                disk.cut(fd, len(whole))
                os.lseek(fd, 0, os.SEEK_END)
            store = cls(path, fd, invitation, [])
            if whole:
                store.invitation, store.entries = parsed(path, whole)
                _check_same(path, store.invitation, invitation)
            else:
                store._write(head_of(invitation))
                disk.sync_folder(path.parent)
        except BaseException:
            disk.close(fd)
            raise
        return store

    def append(self, entry: LogEntry) -> None:
        """Add an entry; it is on the disk when this returns. Raises OSError, with nothing added."""
        self._write(line_of(entry))

    def close(self) -> None:
        """Let go of the file."""
        disk.close(self._fd)

    def _write(self, line: bytes) -> None:
        with explained(self.path):
            before = os.lseek(self._fd, 0, os.SEEK_END)
            try:
                disk.append(self._fd, line)
            except BaseException:
                with contextlib.suppress(OSError):  # else a line would stand behind half of one
                    disk.cut(self._fd, before)
                raise


def path_of(folder: Path, invitation: Invitation) -> Path:
    """Return the file of a room below an archive's folder."""
    return folder / FOLDER / f"{invitation.room}-{invitation.end}{SUFFIX}"


def kept(folder: Path) -> Iterator[tuple[Path, Invitation, list[LogEntry]]]:
    """Yield the rooms that are kept below an archive's folder, the one played last first.

    Files that cannot be gone on with are left out, and rooms in which nobody has begun.
    """
    here = folder / FOLDER
    paths = [here / name for name in regular_files.list_folder(here) if name.endswith(SUFFIX)]
    for path in sorted(paths, key=_changed_ns, reverse=True):
        with contextlib.suppress(OSError, StoreError):
            data = regular_files.read(path)
            if whole := whole_lines(data):
                invitation, entries = parsed(path, whole)
                if entries:
                    yield path, invitation, entries


def _changed_ns(path: Path) -> int:
    try:
        return path.lstat().st_mtime_ns
    except OSError:
        return 0


def _opened(path: Path) -> int:
    """Open a file that only its user may read; a new one where there is none."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    regular_files.read(path)  # a link, a fifo or a giant is refused
    return disk.open_end(path)


def head_of(invitation: Invitation) -> bytes:
    """Return the first line of a file."""
    return _line([SUFFIX, PROTOCOL, *invitation])


def line_of(entry: LogEntry) -> bytes:
    """Return the line of an entry."""
    return _line([entry.end, entry.number, entry.hash, entry.text.decode()])


def _line(parts: list[str | int]) -> bytes:
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode()
    return text + b" " + _check_of(text) + b"\n"


def _check_of(text: bytes) -> bytes:
    return sha256(text).hexdigest()[:8].encode()


def whole_lines(data: bytes) -> bytes:
    """Return what a file holds without a last line that a crash cut short."""
    return data[: data.rfind(b"\n") + 1]


def parsed(path: Path, data: bytes) -> tuple[Invitation, list[LogEntry]]:
    """Return what the lines of a file hold; raises StoreError."""
    invitation: Invitation | None = None
    entries: list[LogEntry] = []
    try:
        for line in data[:-1].split(b"\n"):
            text, _, check = line.rpartition(b" ")
            if check != _check_of(text):
                raise ValueError("check")
            parts = json.loads(text)
            if invitation is None:
                suffix, protocol, *rest = parts
                invitation = Invitation(*rest)
                if (suffix, protocol) != (SUFFIX, PROTOCOL) or invitation.end not in ENDS:
                    raise ValueError("head")
            else:
                end, number, known, entry_text = parts
                entry = read(invitation.room, end, number, entry_text.encode())
                if entry.hash != known or end not in ENDS:
                    raise ValueError("hash")
                entries.append(entry)
    except (ValueError, TypeError, KeyError, AttributeError, EntryError) as error:
        raise changed(path) from error
    assert invitation is not None
    return invitation, entries


def _check_same(path: Path, kept_one: Invitation, invitation: Invitation) -> None:
    if (kept_one.words, kept_one.end) != (invitation.words, invitation.end):
        raise changed(path)


def changed(path: Path) -> StoreError:
    """Return the error about a file that somebody has changed."""
    return StoreError(
        tr(
            "{path}: was changed by somebody, and cannot be gone on with; move it away, and what "
            "the other end has comes back",
            path=path,
        )
    )
