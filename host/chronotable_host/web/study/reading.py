"""The archive for the page, read in processes of its own.

Reading a game, and following its rules, is work for Python alone: in a thread of this process it
would take its time from the table and from the page. So it is done elsewhere, by as many processes
as read at once, and their answers travel as text. A game that takes too long to be read is given
up with its process, so that nobody's record keeps others from the archive. Each begins when a
question finds none idle, and ends with this process, whatever happens to it: then there is nobody
at the other end of its pipe.
"""

from __future__ import annotations

import multiprocessing
import signal
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from queue import LifoQueue
from threading import Lock
from typing import Any

from chronotable_host.errors import UserError
from chronotable_host.language import speaking, spoken, tr
from chronotable_host.web.http.json_text import JsonText, json_text
from chronotable_host.web.study.games import Games

PROCESSES = 2
"""That read at once; a third one would have to wait for a core of most PCs."""

_TRIES = 2
_GAME_S = 30.0  # that a game may take to be read: many times what the longest one takes
_GONE = (EOFError, BrokenPipeError, ConnectionResetError)


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
                answer = None if self._is_closed else process.ask(reads, given, most_s)
            if isinstance(answer, Exception):
                raise answer
            if answer is not None:
                return answer
        raise UserError(tr("The archive could not be read: the program that reads it was ended."))

    @contextmanager
    def _one(self) -> Iterator[_Process]:
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
    """A process that reads, and the pipe to it."""

    def __init__(self, archive_folder: Path | None, url: str | None) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, there = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(there, archive_folder, url), name="archive", daemon=True
        )
        self._process.start()
        there.close()
        self._is_open = False
        self.is_there = True

    def ask(
        self, reads: Callable[..., object], given: tuple[Any, ...], most_s: float | None
    ) -> Any:
        """Return the answer, or the error that it is; None where the process is gone.

        A process that takes longer than `most_s` is ended.
        """
        late = None
        try:
            if not self._is_open:  # its index may have much to learn
                self._is_open = self._pipe.recv()
            self._pipe.send((spoken(), reads, given))
            if self._pipe.poll(most_s):
                return self._pipe.recv()
            self._process.kill()
            late = UserError(tr("the record takes too long to be read"))
        except _GONE:
            pass
        self.is_there = False
        self._process.join()
        self._pipe.close()
        return late

    def end(self) -> None:
        """End the process; who waits for its answer gets none."""
        self._process.terminate()


def _serve(pipe: Connection, archive_folder: Path | None, url: str | None) -> None:
    """Answer until nobody is there any more; Ctrl-C is for the process that asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    games = Games(archive_folder, url)
    try:
        games.open()
        pipe.send(True)
        while True:
            language, reads, given = pipe.recv()
            with speaking(language):
                pipe.send(_answer(games, reads, given))
    except _GONE:
        games.close()


def _answer(games: Games, reads: Callable[..., object], given: tuple[Any, ...]) -> object:
    try:
        answer = reads(games, *given)
    except (UserError, OSError) as error:
        return error
    except Exception:
        return RuntimeError(traceback.format_exc())
    return json_text(answer) if isinstance(answer, dict) else answer
