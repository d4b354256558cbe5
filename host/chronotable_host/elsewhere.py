"""Work that is done elsewhere, so that nothing here waits for it: in a process of its own, on a PC.

Work is a function of a module, called there with its `Caller` and what it is given; all of that is
pickled. What else there is than processes says who starts the program: a browser has workers
(site/workers.py), and sets `start` to what begins them.
"""

import os
import signal
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from chronotable_host.errors import UserError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

TOLD, DONE, FAILED = "told", "done", "failed"
"""What comes back: a value, the end of the work, or the error that was its end."""

_BEHIND = 10  # steps of niceness
_GONE = (EOFError, BrokenPipeError, ConnectionResetError)


class GoneError(Exception):
    """Nobody is there any more: somebody has ended it, or it died."""


class Caller(Protocol):
    """Who asked for work, as the work sees it."""

    def tell(self, said: object) -> None:
        """Tell something that was found."""

    def is_over(self) -> bool:
        """Tell whether nobody wants to hear more; long work asks that now and then."""


Work = Callable[..., None]


class Place(Protocol):
    """Where work is done, one after the other."""

    @property
    def is_busy(self) -> bool:
        """Whether there is more to be heard of the work that was asked for last."""

    def ask(self, work: Work, *given: Any) -> None:
        """Have work done, instead of what was asked for before; raises GoneError."""

    def told(self, wait_s: float | None = 0.0) -> list[Any]:
        """Return what was told since, and wait so long for it (None: until there is something).

        Raises GoneError, UserError and OSError as the work did, and RuntimeError for what else
        that raised.
        """

    def stop(self) -> None:
        """Have the work end soon; what it says until then is told still."""

    def forget(self) -> None:
        """Want to hear no more of the work, which ends soon."""

    def end(self) -> None:
        """End the place, whatever is done there; any thread may do that."""


def said_by(work: Work, caller: Caller, given: tuple[Any, ...]) -> tuple[str, object]:
    """Do work; return what is to be said of its end."""
    try:
        work(caller, *given)
    except (UserError, OSError) as error:
        return FAILED, error
    except Exception:
        return FAILED, RuntimeError(traceback.format_exc())
    return DONE, None


class Heard:
    """Puts together what comes back from a place: what nobody wants any more is left out."""

    def __init__(self) -> None:
        self.is_busy = False
        self._left = 0  # works whose ends are still to come

    def begin(self, is_busy: bool = True) -> None:
        """Take note that work was asked for, or none, instead of what is under way."""
        self._left += self.is_busy
        self.is_busy = is_busy

    def take(self, kind: str, said: Any) -> list[Any]:
        """Return what is new in what came; raises an error that it is."""
        if self._left:
            self._left -= kind != TOLD
            return []
        self.is_busy = kind == TOLD
        if kind == FAILED:
            raise said
        return [said] if kind == TOLD else []


class OwnProcess:
    """A process, named for people who look at them; it ends with this one, whatever happens."""

    def __init__(self, name: str, is_behind: bool = False) -> None:
        import multiprocessing  # noqa: PLC0415 - a browser has none

        context = multiprocessing.get_context("spawn")
        self._pipe, there = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(there, is_behind), name=name, daemon=True
        )
        self._process.start()
        there.close()
        self._heard = Heard()

    @property
    def is_busy(self) -> bool:
        """Whether there is more to be heard."""
        return self._heard.is_busy

    def ask(self, work: Work, *given: Any) -> None:
        """Have work done; raises GoneError."""
        self.stop()
        try:
            self._pipe.send((work, given))
        except _GONE as error:
            raise GoneError from error
        self._heard.begin()

    def told(self, wait_s: float | None = 0.0) -> list[Any]:
        """Return what was told since; raises as `Place.told` says."""
        found: list[Any] = []
        try:
            while self.is_busy and self._pipe.poll(0.0 if found else wait_s):
                found += self._heard.take(*self._pipe.recv())
        except _GONE as error:
            self._heard.is_busy = False
            raise GoneError from error
        return found

    def stop(self) -> None:
        """Have it stop."""
        if self.is_busy:
            with suppress(*_GONE):
                self._pipe.send(None)

    def forget(self) -> None:
        """Have it stop, and hear no more of that."""
        self.stop()
        self._heard.begin(False)

    def end(self) -> None:
        """Kill it."""
        self._process.kill()
        self._process.join()


class _PipeCaller:
    def __init__(self, pipe: "Connection") -> None:
        self._pipe = pipe

    def tell(self, said: object) -> None:
        self._pipe.send((TOLD, said))

    def is_over(self) -> bool:
        return self._pipe.poll()


def _serve(pipe: "Connection", is_behind: bool) -> None:
    """Work until nobody is there any more; Ctrl-C is for the process that asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if is_behind and hasattr(os, "nice"):
        os.nice(_BEHIND)
    caller = _PipeCaller(pipe)
    with suppress(*_GONE):
        while True:
            asked = pipe.recv()
            if asked is not None:  # else it is to stop what has ended already
                pipe.send(said_by(asked[0], caller, asked[1]))


start: Callable[[str, bool], Place] = OwnProcess
"""Begins a place: its name, and whether it comes behind all other programs."""
