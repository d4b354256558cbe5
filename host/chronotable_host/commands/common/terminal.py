"""What commands read and print: files, JSON, a console, a progress bar."""

import json
import os
import sys
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from chronotable_host import chapters
from chronotable_host.archive.disk import write_whole
from chronotable_host.errors import UserError, printable_json, why_failed
from chronotable_host.language import tr
from chronotable_host.output import uncleaned
from chronotable_host.rules.notation import parse_options

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

PATIENCE_S = 2.0
_MOST_BYTES = 256 << 20  # of a text, some 100,000 games: a device such as /dev/zero has no end

STATUS_NO = 1
"""The exit status of a command whose answer is no."""


def option_bits(words: Sequence[str] | None) -> int:
    """Return the option bits of all `--option` words; raises NotationError and LockedError."""
    text = " ".join(words or ())
    chapters.require(0, chapters.options_in(text))
    return parse_options(text)


def print_json(value: Any) -> None:
    """Print a value as JSON that every terminal can show, and its texts, too."""
    print(json.dumps(printable_json(value), indent=2))


def is_terminal() -> bool:
    """Tell whether a person can be asked."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def read_text(name: str) -> str:
    """Return the text of a file, `-` for stdin; raises UserError where it cannot be read."""
    try:
        if name == "-":
            data = _read(sys.stdin.buffer)
        else:
            with Path(name).open("rb") as file:
                data = _read(file)
    except OSError as error:
        raise UserError(
            tr("{name}: cannot be read ({why})", name=name, why=why_failed(error))
        ) from error
    if len(data) > _MOST_BYTES:
        raise UserError(
            tr(
                "{name}: has more than {most} MB; give it in parts",
                name=name,
                most=_MOST_BYTES >> 20,
            )
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(
            tr(
                "{name}: not a text file in UTF-8 (byte {number} is wrong)",
                name=name,
                number=error.start + 1,
            )
        ) from error


def write_to(to: str, pieces: Iterable[str]) -> None:
    """Write text to a file, whole or not at all, or to what is no file, as it comes; `-` is stdout.

    Raises UserError that names the file.
    """
    if to == "-":
        (sys.stdout if sys.stdout.isatty() else uncleaned(sys.stdout)).writelines(pieces)
        return
    path = Path(to)
    try:
        if path.exists() and not path.is_file():  # a device or a pipe has no whole to be put there
            with path.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(pieces)
        else:
            write_whole(Path(os.path.realpath(path)), pieces)
    except OSError as error:
        raise UserError(
            tr("{to}: cannot be written ({why})", to=to, why=why_failed(error))
        ) from error


def _read(file: BinaryIO) -> bytes:
    """Return what a file holds, or the beginning of one that is too long."""
    data = bytearray()
    while len(data) <= _MOST_BYTES and (piece := file.read(1 << 20)):
        data += piece
    return bytes(data)


def console() -> "Console":
    """Return the console for drawings; it knows NO_COLOR and whether stdout is a terminal.

    What a stranger wrote is to be `printable` before it is printed there.
    """
    from rich.console import Console  # noqa: PLC0415

    return Console(file=uncleaned(sys.stdout), highlight=False, markup=False, soft_wrap=True)


class Busy:
    """A progress bar on stderr that shows itself once the work has taken over two seconds.

    Only a terminal gets to see it. `total` None is for work whose end is not known.
    """

    def __init__(self, what: str, total: int | None = None) -> None:
        self._what = what
        self._total = total
        self._done = 0
        self._bar: Progress | None = None
        self._lock = threading.Lock()
        self._timer = threading.Timer(PATIENCE_S, self._show)
        self._timer.daemon = True

    def __enter__(self) -> "Busy":
        """Begin to wait."""
        if sys.stderr.isatty():
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Take the bar away."""
        self._timer.cancel()
        with self._lock:
            if self._bar is not None:
                self._bar.stop()
            self._bar = None
            self._total = -1

    def report(self, done: int, total: int | None = None, what: str | None = None) -> None:
        """Say how far the work is, and what is being done."""
        with self._lock:
            self._done = done
            self._total = self._total if total is None else total
            self._what = self._what if what is None else what
            if self._bar is not None:
                self._update(self._bar)

    def _show(self) -> None:
        from rich.console import Console  # noqa: PLC0415
        from rich.progress import (  # noqa: PLC0415
            BarColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
        )

        bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[count]}"),
            TimeElapsedColumn(),
            console=Console(file=uncleaned(sys.stderr)),
            transient=True,
        )
        with self._lock:
            if self._total == -1:  # the work ended in the meantime
                return
            bar.add_task(self._what, total=self._total, count="")
            self._update(bar)
            bar.start()
            self._bar = bar

    def _update(self, bar: "Progress") -> None:
        count = "" if self._total is None else f"{self._done}/{self._total}"
        bar.update(
            bar.task_ids[0],
            description=self._what,
            completed=self._done,
            total=self._total,
            count=count,
        )
