"""The archive for the page, read in processes of its own.

Reading a game, and following its rules, is work for Python alone: in a thread of this process it
would take its time from the table and from the page. So it is done elsewhere, by as many processes
as read at once, and their answers travel as text. A game that takes too long to be read is given
up with its process, so that nobody's record keeps others from the archive. Each begins when a
question finds none idle, and ends with this process, whatever happens to it: then there is nobody
at the other end of its pipe.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from queue import LifoQueue
from threading import Lock
from typing import Any

from chronotable_host import elsewhere
from chronotable_host.errors import UserError
from chronotable_host.language import speaking, spoken, tr
from chronotable_host.web.http.json_text import JsonText, json_text
from chronotable_host.web.study.games import Games

PROCESSES = 2
"""That read at once; a third one would have to wait for a core of most PCs."""

_TRIES = 2
_GAME_S = 30.0  # that a game may take to be read: many times what the longest one takes


class GamesElsewhere:
    """What `Games` tells, asked of other processes; any thread may ask, and waits for the answer.

    A process that was killed is replaced, and asked again. Pictures and positions are no matter of
    the archive: `Games` answers for them here.
    """

    def __init__(self, archive_folder: Path | None, url: str | None = None) -> None:
        self._here = Games(archive_folder, url)
        self._where = archive_folder, url
        self._all: list[_Process] = []
        self._idle: LifoQueue[_Process] = LifoQueue()
        self._begins = Lock()
        self._is_closed = False
        self.picture = self._here.picture
        self.position = self._here.position

    def close(self) -> None:
        """End the processes; who waits for one of them is refused."""
        self._is_closed = True
        for process in self._all:
            process.end()

    def refresh(self, files: Sequence[str] | None = None) -> None:
        """Bring the index up to date, as `Archive.refresh` does; raises UserError."""
        self._ask(Games.refresh, files)

    def list(self, player: str, result: str, limit: int, offset: int, order: str = "") -> JsonText:
        """Return a page of the list; raises UserError."""
        found: JsonText = self._ask(Games.list, player, result, limit, offset, order)
        return found

    def game(self, id: str) -> JsonText:  # noqa: A002 - what the page calls it
        """Return a game; raises as `Games.game` does."""
        found: JsonText = self._ask(Games.game, id, most_s=_GAME_S)
        return found

    def stories(self, id: str) -> JsonText:  # noqa: A002
        """Return what happened in a game's turns; raises as `Games.stories` does."""
        found: JsonText = self._ask(Games.stories, id, most_s=_GAME_S)
        return found

    def night(self, id: str, seat: int) -> JsonText:  # noqa: A002
        """Return a game of a night; raises as `Games.night` does."""
        found: JsonText = self._ask(Games.night, id, seat, most_s=_GAME_S)
        return found

    def record(self, id: str) -> tuple[str, str]:  # noqa: A002
        """Return a record's file name and text; raises as `Games.record` does."""
        name, text = self._ask(Games.record, id, most_s=_GAME_S)
        return name, text

    def share(self, id: str, kind: str, turn: int) -> str:  # noqa: A002
        """Return a game to share; raises as `Games.share` does."""
        found: str = self._ask(Games.share, id, kind, turn, most_s=_GAME_S)
        return found

    def statistics(self, player: str, modules: str, after: str) -> JsonText:
        """Return tables of games; raises as `Games.statistics` does."""
        found: JsonText = self._ask(Games.statistics, player, modules, after)
        return found

    def puzzles(self, player: str) -> JsonText:
        """Return the list of puzzles; raises as `Puzzles.list` does."""
        found: JsonText = self._ask(Games.puzzles, player)
        return found

    def puzzle(self, number: int, turns: str, asked: str) -> JsonText:
        """Return a puzzle after some turns; raises as `Puzzles.puzzle` does."""
        found: JsonText = self._ask(Games.puzzle, number, turns, asked)
        return found

    def _ask(self, reads: Callable[..., object], *given: Any, most_s: float | None = None) -> Any:
        for _ in range(_TRIES):
            if self._is_closed:
                break
            with self._one() as process:
                if not self._is_closed and (answer := process.ask(reads, given, most_s)):
                    return answer[0]
        raise UserError(tr("The archive could not be read: the program that reads it was ended."))

    @contextmanager
    def _one(self) -> "Iterator[_Process]":
        """Have a process for as long as it is asked; the one that was idle last comes first."""
        with self._begins:
            if self._idle.empty() and len(self._all) < PROCESSES:
                self._all.append(_Process(*self._where))
                self._idle.put(self._all[-1])
        process = self._idle.get()
        try:
            if not process.is_there and not self._is_closed:
                self._all.remove(process)
                process = _Process(*self._where)
                self._all.append(process)
            yield process
        finally:
            self._idle.put(process)


class _Process:
    """A process that reads."""

    def __init__(self, archive_folder: Path | None, url: str | None) -> None:
        self._place = elsewhere.start("archive", False)
        self._where = archive_folder, url
        self._is_open = False
        self.is_there = True

    def ask(
        self, reads: Callable[..., object], given: tuple[Any, ...], most_s: float | None
    ) -> list[Any]:
        """Return the answer in a list, nothing where the process is gone; raises what it raised.

        A process that takes longer than `most_s` is ended.
        """
        try:
            if not self._is_open:  # its index may have much to learn
                self._place.ask(_open, *self._where)
                self._is_open = bool(self._place.told(None))
            self._place.ask(_read, *self._where, spoken(), reads, given)
            answer = self._place.told(most_s)
        except elsewhere.GoneError:
            self.is_there = False
            return []
        if not answer:
            self.is_there = False
            self._place.end()
            raise UserError(tr("the record takes too long to be read"))
        return answer

    def end(self) -> None:
        """End the process; who waits for its answer gets none."""
        self._place.end()


@lru_cache(1)
def _games(archive_folder: Path | None, url: str | None) -> Games:
    """Return the archive, which stays open as long as the process is there."""
    return Games(archive_folder, url)


def _open(caller: elsewhere.Caller, archive_folder: Path | None, url: str | None) -> None:
    _games(archive_folder, url).open()
    caller.tell(True)


def _read(
    caller: elsewhere.Caller,
    archive_folder: Path | None,
    url: str | None,
    language: str,
    reads: Callable[..., object],
    given: tuple[Any, ...],
) -> None:
    with speaking(language):
        answer = reads(_games(archive_folder, url), *given)
        caller.tell(json_text(answer) if isinstance(answer, dict) else answer)
