"""An archive that stays open for a program with many threads, as a server is.

One thread at a time asks the index, which is brought up to date before if that is due: when a
folder's time has changed (a game was begun or finished, files came or went), once more shortly
after that (the times of file systems are coarse, and writing the index changes them, too), and each
minute. Writing to an existing file changes no folder's time: entries that are shown are checked
again by `current`.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from chronotable_host.archive.store import Archive

if TYPE_CHECKING:
    from chronotable_host.archive.index import Entry

Result = TypeVar("Result")

SETTLES_S = 2.5
"""How long after a change the folder is looked at once more; FAT stores times in steps of 2 s."""
LOOKS_S = 60.0
"""Between two looks at a folder that does not change."""

_WAITS_S = 0.3

Stamp = tuple[int, int, int]
"""What tells whether a folder is still the same one, and the time of its last change."""


class SharedArchive:
    """The archive of a folder, in the index at `url` or in the folder's own; see `Archive`."""

    def __init__(
        self,
        folder: Path | None,
        url: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.archive = Archive(folder, url)
        self._clock = clock
        self._lock = Lock()
        self._seen: list[Stamp | None] = []
        self._due_s = 0.0

    def ask(self, question: Callable[[Archive], Result]) -> Result:
        """Ask the archive, in its turn, when it is up to date; raises UserError.

        An index that cannot be used any more (somebody took its file away) is opened anew.
        """
        from chronotable_host.archive.database import UnusableError  # noqa: PLC0415

        with self._lock:
            try:
                self._follow()
                return question(self.archive)
            except UnusableError:
                self._close()
                self._follow()
                return question(self.archive)

    def find(self, question: Callable[[Archive], Result | None]) -> Result | None:
        """Return what the index has, as `ask` does, but look at the folder only where it has none.

        For what is found by its name and then read from its file: that is as it is now.
        """
        from chronotable_host.archive.database import UnusableError  # noqa: PLC0415

        with self._lock, contextlib.suppress(UnusableError):
            found = question(self.archive) if self._seen else None
            if found is not None:
                return found
        return self.ask(question)

    def current(self, question: Callable[[Archive], list[Entry]]) -> list[Entry]:
        """Return entries, at most 500, as their files are now; raises UserError."""

        def ask(archive: Archive) -> list[Entry]:
            found = question(archive)
            if archive.refresh([entry.file for entry in found]):
                self._looked(self._stamps(), SETTLES_S)
                found = question(archive)
            return found

        return self.ask(ask)

    def close(self) -> None:
        """Let go of the index, unless somebody asks it for long; it is opened again when asked."""
        if self._lock.acquire(timeout=_WAITS_S):
            try:
                self._close()
            finally:
                self._lock.release()

    def _close(self) -> None:
        self.archive.close()
        self._seen = []

    def _follow(self) -> None:
        """Open the index, or bring it up to date where that is due."""
        stamps = self._stamps()
        if self._seen and _same(stamps[0]) != _same(self._seen[0]):
            self._close()  # another folder is there, or none, whose index was in memory
        if stamps == self._seen and self._clock() < self._due_s:
            return
        if self._seen:
            self.archive.refresh()
        else:
            self.archive.open()
        is_settled = stamps == self._seen
        stamps = self._stamps()  # the index, too, is written in the folder
        self._looked(stamps, LOOKS_S if is_settled and stamps == self._seen else SETTLES_S)

    def _looked(self, stamps: list[Stamp | None], again_s: float) -> None:
        self._seen = stamps
        self._due_s = self._clock() + again_s

    def _stamps(self) -> list[Stamp | None]:
        from chronotable_host.archive.index import IMPORTED  # noqa: PLC0415

        return [_stamp(self.archive.folder), _stamp(self.archive.folder / IMPORTED)]


def _stamp(folder: Path) -> Stamp | None:
    try:
        status = os.stat(folder)
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns


def _same(stamp: Stamp | None) -> tuple[int, int] | None:
    return None if stamp is None else stamp[:2]
