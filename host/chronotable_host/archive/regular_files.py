"""Reads files of an archive's folder safely, whatever lies there.

One rule: files of the folder are opened here and nowhere else. Only regular files are read; links
are not followed, so that no name leads out of the folder; nothing far larger than a game is read.
"""

import errno
import os
import stat
from pathlib import Path

from chronotable_host.language import tr

MOST_BYTES = 16 << 20
"""Of a file that is read: a game of ten thousand turns, each with a comment, has half a MB."""

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # do not wait for a fifo that has replaced the file meanwhile
)
_LINK = tr("is a link, which is not followed; put there what it leads to")
_KINDS = (
    (stat.S_ISLNK, _LINK),
    (stat.S_ISDIR, tr("is a folder, not a file; rename it")),
    (stat.S_ISFIFO, tr("is a fifo, not a file; move it away")),
    (stat.S_ISSOCK, tr("is a socket, not a file; move it away")),
)
_NO_FILE = tr("is a device, not a file; move it away")


class NotAFileError(OSError):
    """What has the name is not read: no regular file, or too large. `strerror` says which."""


def read(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return what a file holds; raises NotAFileError and other OSErrors."""
    return read_dated(path, most)[0]


def read_dated(path: Path, most: int = MOST_BYTES) -> tuple[bytes, os.stat_result]:
    """Return what a file holds, and its status when it was opened; raises as `read` does."""
    _check(path, os.lstat(path), most)  # before opening: that alone has effects on some devices
    fd = os.open(path, _FLAGS)
    try:
        status = os.fstat(fd)
        _check(path, status, most)
        pieces: list[bytes] = []
        size = 0
        while size <= most:
            piece = os.read(fd, max(status.st_size - size, 0) + 4096)
            if not piece:
                return b"".join(pieces), status
            pieces.append(piece)
            size += len(piece)
    finally:
        os.close(fd)
    raise _too_large(path, most)  # it has grown meanwhile


def is_regular(path: Path) -> bool:
    """Tell whether a regular file has the name, not a link to one; False where nothing has it."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def list_folder(path: Path) -> list[str]:
    """Return the names in a folder within the archive, none where there is no such folder.

    Raises NotAFileError where something else has its name, and other OSErrors.
    """
    try:
        mode = os.lstat(path).st_mode
        if stat.S_ISLNK(mode):
            raise _refused(path, _LINK)
        if not stat.S_ISDIR(mode):
            raise _refused(path, tr("is no folder; rename it"))
        return os.listdir(path)
    except FileNotFoundError:
        return []


def _check(path: Path, status: os.stat_result, most: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        kinds = (why for is_kind, why in _KINDS if is_kind(status.st_mode))
        raise _refused(path, next(kinds, _NO_FILE))
    if status.st_size > most:
        raise _too_large(path, most)


def _too_large(path: Path, most: int) -> NotAFileError:
    return _refused(
        path, tr("has more than {most} MB, which no game has; move it away", most=most >> 20)
    )


def _refused(path: Path, why: str) -> NotAFileError:
    return NotAFileError(errno.EINVAL, why, str(path))
