"""Places in a browser: workers, of which there are two, one for the game and one for study.

The other half, `serve`, is what runs there. A worker has files of its own: what works on the
archive takes those along, and brings back what it has changed. It hears that nobody wants more
where the browser lets Python wait (JavaScript's Promise Integration); where it does not the page
ends the worker and begins another.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from itertools import count
from typing import Any

from chronotable_host import elsewhere
from chronotable_host.archive.disk import write_whole
from chronotable_host.elsewhere import DONE, FAILED, TOLD, GoneError, Work, said_by
from chronotable_host.home import default_folder

GAME, STUDY = "game", "study"
FILES = "files"
"""What comes back besides: files that were changed."""

_LOOK_S = 0.1
_WITH_FILES = "analysis"
_KEPT_HERE = ("index.", "table/")  # what the other half has no use for

Post = Callable[[str, int, bytes | None], None]
"""Asks a worker for work of a number, or (None) to stop it."""


class Workers:
    """All workers of a page."""

    def __init__(self, post: Post) -> None:
        self.post = post
        self.asked: dict[int, WorkerPlace] = {}
        self._numbers = count(1)

    def start(self, name: str, _is_behind: bool) -> WorkerPlace:
        """Begin a place, as `elsewhere.start` says."""
        return WorkerPlace(self, GAME if name == "engine" else STUDY, name == _WITH_FILES)

    def ask(self, place: WorkerPlace, lane: str, asked: bytes) -> int:
        """Have work done for a place; return its number."""
        number = next(self._numbers)
        self.asked[number] = place
        self.post(lane, number, asked)
        return number

    def heard(self, number: int, said: bytes | None) -> None:
        """Take what a worker tells; None is the end of what was stopped before it told one."""
        place = self.asked.get(number)
        if place is None:
            return
        kind: str = DONE
        value: Any = None
        if said is not None:
            kind, value = pickle.loads(said)
        if kind == FILES:
            _write(value)
        else:
            place.hear(kind, value)
        if kind in (DONE, FAILED):
            del self.asked[number]

    def died(self, number: int) -> None:
        """Take note that a worker is gone, with what it was doing."""
        if (place := self.asked.pop(number, None)) is not None:
            place.hear(FAILED, GoneError())


class WorkerPlace:
    """A place in a worker, which others may share; see `elsewhere.Place`."""

    def __init__(self, workers: Workers, lane: str, with_files: bool) -> None:
        self.is_busy = False
        self._workers = workers
        self._lane = lane
        self._with_files = with_files
        self._number = 0
        self._said: list[tuple[str, Any]] = []

    def ask(self, work: Work, *given: Any) -> None:
        """Have work done."""
        self.forget()
        asked = pickle.dumps((work, given, _files() if self._with_files else {}))
        self._number = self._workers.ask(self, self._lane, asked)
        self.is_busy = True

    def told(self, _wait_s: float | None = 0.0) -> list[Any]:
        """Return what was told since, without waiting; raises as `Place.told` says."""
        found, self._said = self._said, []
        values = []
        for kind, value in found:
            self.is_busy = kind == TOLD
            if kind == FAILED:
                raise value
            if kind == TOLD:
                values.append(value)
        return values

    def stop(self) -> None:
        """Have it stop."""
        if self.is_busy:
            self._workers.post(self._lane, self._number, None)

    def forget(self) -> None:
        """Have it stop, and hear no more of that."""
        self.stop()
        self._workers.asked.pop(self._number, None)
        self._said.clear()
        self.is_busy = False

    end = forget

    def hear(self, kind: str, value: Any) -> None:
        """Take what was told."""
        self._said.append((kind, value))


def _files() -> dict[str, bytes]:
    """Return the user's files."""
    folder = default_folder()
    found = {each.relative_to(folder).as_posix(): each for each in folder.rglob("*.*")}
    return {
        name: file.read_bytes() for name, file in found.items() if not name.startswith(_KEPT_HERE)
    }


def _write(files: dict[str, bytes]) -> None:
    for name, content in files.items():
        write_whole(default_folder() / name, content.decode())


# ---- in the worker


class _Caller:
    def __init__(
        self, say: Callable[[bytes], None], is_stopped: Callable[[], bool], look: Callable[[], None]
    ) -> None:
        self._say = say
        self._is_stopped = is_stopped
        self._look = look
        self._due_s = 0.0

    def tell(self, said: object) -> None:
        self._say(pickle.dumps((TOLD, said)))

    def is_over(self) -> bool:
        if time.monotonic() >= self._due_s:
            self._look()
            self._due_s = time.monotonic() + _LOOK_S
        return self._is_stopped()


def serve(
    asked: bytes | memoryview,
    say: Callable[[bytes], None],
    is_stopped: Callable[[], bool],
    turn: Callable[[], object] | None,
) -> None:
    """Do what was asked, and say what comes of it.

    `turn` gives a promise for which messages come in, None where Python cannot wait for one.
    """

    def look() -> None:
        if turn is not None:
            from pyodide.ffi import (  # type: ignore[import-not-found] # noqa: PLC0415
                run_sync,
            )

            run_sync(turn())

    work, given, files = pickle.loads(asked)
    folder = default_folder()
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    end = said_by(work, _Caller(say, is_stopped, look), given)
    if files:
        say(pickle.dumps((FILES, {n: it for n, it in _files().items() if files.get(n) != it})))
    say(pickle.dumps(end))


def use(post: Post) -> Workers:
    """Have all that is done elsewhere done in workers."""
    workers = Workers(post)
    elsewhere.start = workers.start
    return workers
