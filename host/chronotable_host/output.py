"""Cleans what a command prints to stdout and stderr of whatever would steer the terminal.

One rule: nothing that strangers wrote (names, comments, names of files, logs of a device) steers
the terminal: of control and format characters only line ends are written. `uncleaned` is the way
around that, for content such as records, which a file has to get byte for byte.
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from chronotable_host.errors import printable


class CleanedStream:
    """A stream that writes only what is printable; all else is done by the stream beneath it."""

    def __init__(self, beneath: TextIO) -> None:
        self.beneath = beneath

    def __getattr__(self, name: str) -> Any:
        """Return what the stream beneath has."""
        return getattr(self.beneath, name)

    def write(self, text: str) -> int:
        """Write a text of any number of lines, cleaned."""
        self.beneath.write("\n".join(map(printable, text.split("\n"))))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts, cleaned."""
        for line in lines:
            self.write(line)


def uncleaned(stream: TextIO) -> TextIO:
    """Return the stream that writes everything as it is, for drawings in colour and for content."""
    return stream.beneath if isinstance(stream, CleanedStream) else stream


@contextmanager
def cleaned() -> Iterator[None]:
    """Have stdout and stderr write nothing that would steer a terminal."""
    former = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast(TextIO, CleanedStream(uncleaned(stream))) for stream in former)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = former


def say(line: str) -> None:
    """Print a remark on one line to stderr, apart from the output that was asked for."""
    print(printable(line), file=sys.stderr)
