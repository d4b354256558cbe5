"""A program that speaks the engine protocol, started here, asked for turns, and watched.

Nothing here waits unless it is told to: who plays in real time asks `poll` now and then.
"""

import contextlib
import queue
import subprocess
import threading
import time
from array import array
from collections.abc import Callable, Mapping, Sequence

from chronotable_host.engine.levels import start_of
from chronotable_host.errors import UserError, printable
from chronotable_host.language import tr
from chronotable_host.rules.notation import (
    NotationError,
    format_options,
    format_position,
    format_turn,
    parse_turn,
)
from chronotable_host.rules.refusals import rule, why_illegal
from ttykm.game import Game

_START_S = 20.0
"""Between the start of a program and its `ttykmok`; an interpreter may have to be loaded."""
_SILENCE_S = 60.0
"""Without any line while a turn is due."""
_LONGEST = 4000  # characters of a line that are looked at
_MOST_LINES = 1000  # that wait to be read; a program that says more at once waits
_END_S = 2.0

Clock = Callable[[], float]


class EngineError(UserError):
    """An engine does not start, is silent, stops, or answers with what is no legal turn."""


class EngineProcess:
    """One engine, in a process of its own; `name` is what people call it.

    `info` is the last line of what it thinks, without the word itself, "" before there is one.
    """

    def __init__(
        self,
        command: Sequence[str],
        name: str,
        options: Mapping[str, str] | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self.name = name
        self.info = ""
        self._command = list(command)
        self._options = dict(options or {})
        self._clock = clock
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue(_MOST_LINES)
        self._asked: Game | None = None  # the position that a turn is due for
        self._rules = 0  # the options of the rules that it was told
        self._given_up = 0  # answers that nobody waits for any more
        self._heard_s = 0.0

    def __enter__(self) -> "EngineProcess":
        """Start it, and return it when it is ready."""
        self.open()
        try:
            self.wait_until_ready()
        except EngineError:
            self.close()
            raise
        return self

    def __exit__(self, *_error: object) -> None:
        """End it."""
        self.close()

    def open(self) -> None:
        """Start the program; raises EngineError. It may be asked for turns before it is ready."""
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
            )
        except OSError as error:
            why = error.strerror or str(error)
            raise EngineError(
                tr("the engine {engine} does not start: {why}", engine=self.name, why=why)
            ) from error
        self._rules = self._given_up = 0
        lines = self._lines = queue.Queue(_MOST_LINES)  # what a former one said last is not for us
        threading.Thread(target=self._read, args=(self._process, lines), daemon=True).start()
        self._send("ttykm")
        for name, value in self._options.items():
            self._send(f"setoption name {name} value {value}")
        self._send("isready")

    def wait_until_ready(self) -> None:
        """Wait until it says that it speaks the protocol and is ready; raises EngineError."""
        self._await("ttykmok")
        self._await("readyok")

    def close(self) -> None:
        """End it, within two seconds."""
        process = self._process
        self._process = None
        self._asked = None
        if process is None:
            return
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.write("stop\nquit\n")
        with contextlib.suppress(OSError):
            process.stdin.close()
        try:
            process.wait(_END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        assert process.stdout is not None
        process.stdout.close()

    def think(self, game: Game, limits: str = "") -> None:
        """Ask for the turn of the player to move; `limits` are what stands behind `go`.

        It is told the options of the rules where they are others than before. Raises EngineError.
        """
        if game.options != self._rules:
            self._send(f"setoption name Options value {format_options(game.options)}")
            self._rules = game.options
        turns = "; ".join(format_turn(turn) for turn in game.turns)
        position = format_position(start_of(game))
        self._send(f"position {position}" + (f" turns {turns}" if turns else ""))
        self._send(f"go {limits}".strip())
        self._asked = Game()
        self._asked.start(game.state, game.options)
        self.info = ""
        self._heard_s = self._clock()

    def stop(self) -> None:
        """Have it answer at once with what it has found; raises EngineError."""
        if self._asked is not None:
            self._send("stop")

    def cancel(self) -> None:
        """Want no answer any more to what was asked; raises EngineError."""
        if self._asked is not None:
            self.stop()
            self._asked = None
            self._given_up += 1

    def poll(self) -> int | None:
        """Return its turn, packed and legal, once it is there; raises EngineError."""
        while self._asked is not None:
            try:
                line = self._lines.get_nowait()
            except queue.Empty:
                if self._clock() - self._heard_s > _SILENCE_S:
                    raise self._silent() from None
                return None
            turn = self._take(line)
            if turn is not None:
                return turn
        return None

    def wait(self) -> int:
        """Return its turn as soon as it is there; raises EngineError."""
        while self._asked is not None:
            try:
                line = self._lines.get(timeout=_SILENCE_S)
            except queue.Empty:
                raise self._silent() from None
            turn = self._take(line)
            if turn is not None:
                return turn
        raise ValueError("no turn was asked for")

    def _take(self, line: str | None) -> int | None:
        """Return the turn of a line, None where it has none."""
        if line is None:
            raise self._fault(tr("the engine {engine} has stopped", engine=self.name))
        self._heard_s = self._clock()
        word, _, rest = line.partition(" ")
        if self._given_up:
            self._given_up -= word in ("bestturn", "error")
        elif word == "info":
            self.info = printable(rest)
        elif word == "error":
            raise self._says(rest)
        elif word == "bestturn":
            return self._checked(rest)
        return None

    def _checked(self, text: str) -> int:
        game = self._asked
        assert game is not None
        shown = printable(text.strip())
        try:
            turn = parse_turn(text)
        except NotationError as error:
            raise self._fault(
                tr(
                    "the engine {engine} answers '{answer}', which is no turn",
                    engine=self.name,
                    answer=shown,
                )
            ) from error
        if not game.after(turn, array("H", game.state)):
            why = rule(why_illegal(game, turn))
            raise self._fault(
                tr(
                    "the engine {engine} answers {answer}, which is not legal ({why})",
                    engine=self.name,
                    answer=shown,
                    why=why,
                )
            )
        self._asked = None
        return turn

    def _await(self, wanted: str) -> None:
        late_s = self._clock() + _START_S
        while (left_s := late_s - self._clock()) > 0:
            try:
                line = self._lines.get(timeout=left_s)
            except queue.Empty:
                break
            if line is None:
                raise self._fault(
                    tr(
                        "the engine {engine} has stopped before it said that it is ready",
                        engine=self.name,
                    )
                )
            if line.split(" ", 1)[0] == "error":
                raise self._says(line.partition(" ")[2])
            if line == wanted:
                return
        raise self._fault(
            tr(
                "the engine {engine} does not say '{word}'; it has to speak `chronotable engine`'s "
                "protocol",
                engine=self.name,
                word=wanted,
            )
        )

    def _send(self, line: str) -> None:
        if self._process is None or self._process.stdin is None:
            raise EngineError(tr("the engine {engine} is not running", engine=self.name))
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise self._fault(tr("the engine {engine} has stopped", engine=self.name)) from error

    def _silent(self) -> EngineError:
        return self._fault(
            tr(
                "the engine {engine} has said nothing for {seconds} seconds",
                engine=self.name,
                seconds=f"{_SILENCE_S:.0f}",
            )
        )

    def _says(self, sentence: str) -> EngineError:
        said = printable(sentence)
        return self._fault(
            tr("the engine {engine} says: {sentence}", engine=self.name, sentence=said)
        )

    def _fault(self, sentence: str) -> EngineError:
        """Return the error of what it did; it is not asked any more."""
        self._asked = None
        return EngineError(sentence)

    def _read(self, process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
        """Hand its lines on, in a thread of its own."""
        assert process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            while line := process.stdout.readline(_LONGEST):
                if line.strip():
                    lines.put(line.strip())
        lines.put(None)
