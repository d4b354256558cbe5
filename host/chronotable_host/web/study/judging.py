"""An analysis that the page asked for, in a process of its own: the game waits for nothing of it.

One at a time. It writes into the record what it found, also when it is stopped, or when nobody is
there any more who asked.
"""

import contextlib
from pathlib import Path
from typing import Any

from chronotable_host import chapters, elsewhere
from chronotable_host.analysed_games import analyse
from chronotable_host.archive.store import Archive
from chronotable_host.engine.analysis import scores
from chronotable_host.errors import UserError, printable, without_folders
from chronotable_host.language import tr


class Judging:
    """The analysis of one game of the archive; another one takes its place once it has ended."""

    def __init__(self, archive: Path | None) -> None:
        self._archive = archive
        self._place: elsewhere.Place | None = None
        self._count = 0
        self._view: dict[str, Any] | None = None

    def begin(self, game: str, level: int) -> None:
        """Analyse a game, with the nodes of a level; raises UserError where one is on."""
        self.step()
        if self._place is not None:
            raise UserError(tr("another game is being analysed; one at a time"))
        self._place = elsewhere.start("analysis", False)
        self._place.ask(judge, self._archive, game, level)
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
        if self._place is None:
            raise UserError(tr("no game is being analysed"))
        self._place.stop()

    def step(self, wait_s: float = 0.0) -> None:
        """Take what it tells; wait for that so long at most."""
        while self._place is not None:
            assert self._view is not None
            try:
                said = self._place.told(wait_s)
            except (elsewhere.GoneError, RuntimeError):
                said = [{"why": tr("The analysis ended before it was done.")}]
            for each in said:
                self._view = {**self._view, **each}
            if not self._place.is_busy:
                self._place.end()
                self._place = None
                self._view = {**self._view, "is_on": False}
            elif not said:
                return

    def view(self) -> dict[str, Any] | None:
        """Return what the page shows: of which `game` so many `turns` are `done`.

        `no` is of this analysis alone, for who sees nothing of it but its end.
        Once it `is_on` no more, `why` says what went wrong, "" for nothing, and `scores` how both
        players did, see `analysis.PlayerScore`. None where no game was analysed yet.
        """
        self.step()
        return self._view


class _Stopped(Exception):  # noqa: N818 - nothing went wrong
    """Nobody waits for the rest."""


def judge(caller: elsewhere.Caller, archive: Path | None, game: str, level: int) -> None:
    """Analyse a game and tell how far it is."""

    def look() -> None:
        if caller.is_over():
            raise _Stopped

    def progress(done: int, turns: int, _id: str) -> None:
        caller.tell({"done": done, "turns": turns})
        look()

    with contextlib.suppress(_Stopped):
        try:
            with Archive(archive) as opened:
                done = analyse(opened, game, level, progress, look)
            caller.tell({"scores": scores(done.record)})
        except (UserError, OSError) as error:
            caller.tell({"why": chapters.discreet(printable(without_folders(str(error))))})
