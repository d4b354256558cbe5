"""Errors that a user can mend, as opposed to faults of the program, and how they are printed."""

import errno
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from chronotable_host.language import LANGUAGE, tr

_MOST = 400
"""Characters of a line about an error."""
_FOLDERS = re.compile(r"""(?<![^\s'"(=<\[{])(?:[A-Za-z]:)?[/\\]+(?=\S)(?:[^:;"\n]*[/\\])?""")

_SYSTEM_ERRORS = {
    errno.EACCES: tr("Permission denied"),
    errno.EEXIST: tr("File exists"),
    errno.EISDIR: tr("Is a directory"),
    errno.ENOENT: tr("No such file or directory"),
    errno.ENOSPC: tr("No space left on device"),
    errno.ENOTDIR: tr("Not a directory"),
    errno.EPERM: tr("Operation not permitted"),
    errno.EROFS: tr("Read-only file system"),
}
"""What systems say most often, in English, of a file that cannot be read or written."""


class UserError(Exception):
    """The input cannot be used; the message says what is wrong with it and what to do."""


@contextmanager
def located(place: object) -> Iterator[None]:
    """Have a UserError say where that is which cannot be used: a file, a line."""
    try:
        yield
    except UserError as error:
        raise UserError(f"{place}: {error}") from error


class RuntimeUnavailable(UserError):  # noqa: N818 - what is missing, not what went wrong
    """What runs or compiles the firmware cannot be had here: a package or an image is missing.

    The text says what to do.
    """


def one_line(error: BaseException) -> str | None:
    """Return the line that tells a user about an error, or None where it is a fault of ours."""
    if isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename is not None else ""
        text = f"{name}{why_failed(error)}"
    elif isinstance(error, UserError):
        text = str(error)
    else:
        return None
    line = " ".join(printable(text).split())
    if len(line) > _MOST:  # it quotes a whole file: beginning and end are enough
        line = f"{line[: _MOST // 2]} ... {line[-_MOST // 2 :]}"
    return line


def why_failed(error: OSError) -> str:
    """Return why the system could not do something."""
    said = error.strerror or str(error)
    return said if LANGUAGE == "en" else _SYSTEM_ERRORS.get(error.errno or 0, said)


def printable(text: str) -> str:
    """Return text on one line, without what would steer a terminal: it may be a stranger's.

    White space of any kind becomes a space; control and format characters (among them those that
    turn the direction of writing), and code points that are none, become question marks.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else " " if char.isspace() else "?" for char in text)


def printable_json(value: Any) -> Any:
    """Return a value of JSON with every text in it, keys too, as `printable` has it."""
    if isinstance(value, str):
        return printable(str(value))  # in the language that is spoken
    if isinstance(value, Mapping):
        return {printable_json(key): printable_json(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [printable_json(each) for each in value]
    return value


def without_folders(text: str) -> str:
    """Return a sentence with the last name of each absolute path only.

    Who looks on from elsewhere has no use for the others. A path has blanks maybe, so it goes on to
    the last slash before a colon, a semicolon or a double quote.
    """
    return _FOLDERS.sub("", text)


def pip_install(package: str) -> str:
    """Return the command that installs a package for the Python that runs this program."""
    words = [sys.executable or "python", "-m", "pip", "install", package]
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
