"""Records of tables, read in a process of their own: nobody who asks the hub waits for them.

Reading takes as many steps as a record is long, but with modules a step may be all that could be
done in a turn, some 5 ms: a record of the largest size can be made to take minutes. What a game was
when it was last read is known there: a turn costs what one turn costs.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import time
from collections import OrderedDict
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Lock

from chronotable_club.following import Followed, Follower, IllegalRecordError, read_whole
from chronotable_host.language import tr

_READ_S = 2.0  # many times what the longest game takes
_BEGIN_S = 60.0
_MOST_KNOWN = 100


class Reader:
    """Reads one record at a time, each within a time; a process that takes longer is ended.

    Any thread may ask it, and waits for its turn. `took_s` is how long the last one took, without
    the beginning of a process.
    """

    def __init__(self, read_s: float = _READ_S) -> None:
        self._read_s = read_s
        self._running: tuple[BaseProcess, Connection] | None = None
        self._turn = Lock()
        self.took_s = 0.0

    def begin(self) -> None:
        """Have a process, so that the next record does not wait for one."""
        with self._turn, contextlib.suppress(EOFError, OSError):
            self._begin()

    def _begin(self) -> Connection:
        self._running = self._running or _begun()
        return self._running[1]

    def read(self, whose: str, text: str) -> Followed:
        """Return the game that a record's text tells; raises IllegalRecordError.

        What goes on from the last text of the same `whose` is not read from its beginning.
        """
        answer: Followed | str | None = None
        with self._turn:
            with contextlib.suppress(EOFError, OSError):  # it has died, or does not begin
                pipe = self._begin()
                begun_s = time.monotonic()
                pipe.send((whose, text))
                if pipe.poll(self._read_s):
                    answer = pipe.recv()
                self.took_s = time.monotonic() - begun_s
            if answer is None:
                self.close()
        if answer is None:
            raise IllegalRecordError(tr("the record takes too long to be read"))
        if isinstance(answer, str):
            raise IllegalRecordError(answer)
        return answer

    def close(self) -> None:
        """End the process; the next record has another one."""
        if self._running is not None:
            process, pipe = self._running
            self._running = None
            process.terminate()
            process.join()
            pipe.close()


def _begun() -> tuple[BaseProcess, Connection]:
    context = multiprocessing.get_context("spawn")
    pipe, there = context.Pipe()
    process = context.Process(target=_serve, args=(there,), name="records", daemon=True)
    process.start()
    there.close()
    if not pipe.poll(_BEGIN_S):
        process.terminate()
        raise TimeoutError
    pipe.recv()
    return process, pipe


def _serve(pipe: Connection) -> None:
    """Read until nobody is there any more; Ctrl-C is for the process that asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    games: OrderedDict[str, Follower] = OrderedDict()
    with contextlib.suppress(EOFError, OSError):
        pipe.send("")
        while True:
            whose, text = pipe.recv()
            follower = games[whose] = games.pop(whose, Follower(read_whole))
            if len(games) > _MOST_KNOWN:
                games.popitem(last=False)
            try:
                answer: Followed | str = follower.follow(text)
            except IllegalRecordError as error:
                answer = str(error)
            pipe.send(answer)
