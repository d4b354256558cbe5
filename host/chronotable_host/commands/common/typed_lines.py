"""Lines that people type while a command runs, without making it wait; a game of such turns."""

import os
import queue
import stat
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

from chronotable_host.errors import UserError, printable
from chronotable_host.language import tr
from chronotable_host.language.names import PLAYERS
from chronotable_host.live.texts.led_marks import highlights, legend
from chronotable_host.output import say
from chronotable_host.rules.board_drawing import can_draw_lines, draw
from chronotable_host.rules.notation import NotationError, parse_turn
from chronotable_host.rules.reason_texts import why_text
from ttykm.game import Game

if TYPE_CHECKING:
    from rich.console import Console

    from chronotable_host.live.line.port_search import PortCandidate
    from chronotable_host.live.mirror import Mirror


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


# ---- a game in the terminal: its boards are printed, its turns typed


def ask_turn(game: Game, hint: Callable[[], None] | None = None) -> int | None:
    """Read a turn from the terminal until it is a legal one; the end of the input stops.

    Whoever types `hint` is given one, where there are any.
    """
    while True:
        print(
            tr("{player}'s turn, as '1 E F >future'; empty to stop: ", player=PLAYERS[game.mover]),
            end="",
            flush=True,
        )
        line = sys.stdin.readline()
        if not line.strip():
            return None
        if hint is not None and line.strip().lower() == "hint":
            try:
                hint()
            except UserError as error:
                print(error)
            continue
        try:
            turn = parse_turn(line)
        except NotationError as error:
            print(error)
            continue
        problem = why_text(game, turn)
        if not problem:
            return turn
        print(problem)


def print_boards(console: "Console", mirror: "Mirror") -> None:
    """Print the position of a mirror's game and the marks of the lights that are on."""
    leds = mirror.table.leds
    lines = can_draw_lines(sys.stdout.encoding)
    console.print(draw(mirror.game.state, highlights(leds), lines))
    if any(leds):
        console.print(" " + tr("LEDs: {legend}", legend=legend(leds)), style="dim")
