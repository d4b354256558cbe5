"""Lines that people type while a command runs, read without making the command wait."""

import os
import queue
import stat
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

from chronotable_host.errors import UserError, printable
from chronotable_host.language import tr
from chronotable_host.output import say

if TYPE_CHECKING:
    from chronotable_host.live.line.port_search import PortCandidate

_BYTES = 4096
_POLL_S = 0.2  # so that Ctrl-C is heard on Windows, too


class TypedLines:
    """The lines that a person or another program types.

    A thread reads the descriptor itself: in `sys.stdin.readline` it would hold a lock that the
    interpreter needs to end.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        number = _descriptor(stream)
        if number is not None:
            self._thread = threading.Thread(
                target=self._read, args=(number,), name="typed", daemon=True
            )
            self._thread.start()

    def take(self) -> str | None:
        """Return the next line, None where there is none."""
        try:
            return self._lines.get_nowait()
        except queue.Empty:
            return None

    def wait(self) -> str | None:
        """Wait for the next line; None when there will be none any more."""
        while self._thread is not None and self._thread.is_alive():
            with suppress(queue.Empty):
                return self._lines.get(timeout=_POLL_S)
        return self.take()  # with a timeout of 0 CPython's queue may wait for ever

    def _read(self, number: int) -> None:
        rest = b""
        while True:
            try:
                data = os.read(number, _BYTES)
            except OSError:
                return
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self._lines.put(line.decode("utf-8", "replace"))
            if not data:
                if rest:
                    self._lines.put(rest.decode("utf-8", "replace"))
                return


def _descriptor(stream: TextIO | None) -> int | None:
    """Return the descriptor of a terminal or a pipe; None for anything else."""
    try:
        number = -1 if stream is None else stream.fileno()
        if os.isatty(number) or stat.S_ISFIFO(os.fstat(number).st_mode):
            return number
    except (OSError, ValueError):
        pass
    return None


def ask_which(
    candidates: "Sequence[PortCandidate]", typed: TypedLines, is_in_use: Callable[[str], bool]
) -> "PortCandidate":
    """Ask a person which of several ports is the table's; raises UserError where nobody answers."""
    say(tr("There are {count} boards that may be the table:", count=len(candidates)))
    for number, candidate in enumerate(candidates, 1):
        used = tr(", in use by another program") if is_in_use(candidate.name) else ""
        about = f"{candidate.description}{used}" or "?"
        say(printable(f"  {number}  {candidate}  {about}"))
    while True:
        say(tr("Which one? Type 1 to {count}; Ctrl-C ends.", count=len(candidates)))
        line = typed.wait()
        if line is None:
            raise UserError(tr("nobody said which board it is: name it with --port or --table"))
        word = line.strip()
        if word.isascii() and word.isdecimal() and 0 < int(word[:9]) <= len(candidates):
            return candidates[int(word[:9]) - 1]
