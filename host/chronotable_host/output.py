"""Everything that a command says, to stdout and stderr, on its way to the terminal.

One rule: of what strangers wrote (names, comments, names of files, logs of a device) nothing steers
the terminal: no control and no format character but a line's end is written. What is content and
no remark goes around that, as records into a file that is to have them byte for byte.
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from chronotable_host.errors import printable


class CleanedStream:
    """A stream that writes what is printable; in all else it is the stream beneath."""

    def __init__(self, uncleaned: TextIO) -> None:
        self.beneath = uncleaned

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
    """Return a stream that writes all as it is, for who draws in colour or writes content."""
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
    """Print a remark on one line to stderr: it is no part of what was asked for."""
    print(printable(line), file=sys.stderr)
