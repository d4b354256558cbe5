"""An analysis that the page asked for, in a process of its own: the game waits for nothing of it.

One at a time. It writes into the record what it found, also when it is stopped, or when this
process ends: then there is nobody at the other end of its pipe.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from chronotable_host import chapters
from chronotable_host.analysed_games import analyse
from chronotable_host.archive.store import Archive
from chronotable_host.engine.analysis import scores
from chronotable_host.errors import UserError, printable, without_folders
from chronotable_host.language import tr


class Judging:
    """The analysis of one game of the archive; another one takes its place once it has ended."""

    def __init__(self, archive: Path | None) -> None:
        self._archive = archive
        self._pipe: Connection | None = None
        self._process: BaseProcess | None = None
        self._count = 0
        self._view: dict[str, Any] | None = None

    def begin(self, game: str, level: int) -> None:
        """Analyse a game, with the nodes of a level; raises UserError where one is on."""
        self.step()
        if self._pipe is not None:
            raise UserError(tr("another game is being analysed; one at a time"))
        context = multiprocessing.get_context("spawn")
        self._pipe, there = context.Pipe()
        self._process = context.Process(
            target=_work, args=(there, self._archive, game, level), name="analysis", daemon=True
        )
        self._process.start()
        there.close()
        self._count += 1
        self._view = {
            "no": self._count,
            "game": game,
            "done": 0,
            "turns": 0,
            "is_on": True,
            "why": "",
            "scores": None,
        }

    def stop(self) -> None:
        """Stop the analysis; what it found of whole turns is kept."""
        if self._pipe is None:
            raise UserError(tr("no game is being analysed"))
        with contextlib.suppress(OSError):  # it has just ended
            self._pipe.send(None)

    def step(self, wait_s: float = 0.0) -> None:
        """Take what it tells; wait for that so long at most."""
        while self._pipe is not None and self._pipe.poll(wait_s):
            assert self._view is not None
            try:
                self._view = {**self._view, **self._pipe.recv()}
            except (EOFError, OSError):
                self._end()

    def view(self) -> dict[str, Any] | None:
        """Return what the page shows: of which `game` so many `turns` are `done`.

        `no` is of this analysis alone, for who sees nothing of it but its end.
        Once it `is_on` no more, `why` says what went wrong, "" for nothing, and `scores` how both
        players did, see `analysis.PlayerScore`. None where no game was analysed yet.
        """
        self.step()
        return self._view

    def _end(self) -> None:
        assert self._pipe is not None
        assert self._process is not None
        assert self._view is not None
        self._pipe.close()
        self._process.join()
        why = self._view["why"]
        if self._process.exitcode and not why:
            why = tr("The analysis ended before it was done.")
        self._view = {**self._view, "is_on": False, "why": why}
        self._pipe = self._process = None


class _Stopped(Exception):  # noqa: N818 - nothing went wrong
    """Nobody waits for the rest."""


def _work(pipe: Connection, archive: Path | None, game: str, level: int) -> None:
    """Analyse a game and tell the pipe how far it is; Ctrl-C is for the process that asked."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def look() -> None:
        if pipe.poll():
            raise _Stopped

    def progress(done: int, turns: int, _id: str) -> None:
        pipe.send({"done": done, "turns": turns})
        look()

    with contextlib.suppress(_Stopped, BrokenPipeError, ConnectionResetError):
        try:
            with Archive(archive) as opened:
                done = analyse(opened, game, level, progress, look)
            pipe.send({"scores": scores(done.record)})
        except (UserError, OSError) as error:
            pipe.send({"why": chapters.discreet(printable(without_folders(str(error))))})
