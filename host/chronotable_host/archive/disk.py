"""Writing to disk: no other file of the archive does.

Two rules. What a function was given is on the disk when it returns, not in a cache. And a whole
file is written under another name and then renamed, so that after any crash there is either the old
one or the new one.
"""

import contextlib
import errno
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from chronotable_host.language import tr

_CHUNK = 1 << 16
_BINARY = getattr(os, "O_BINARY", 0)  # only Windows makes a difference


def write_whole(
    path: Path,
    content: str | bytes | Iterable[str],
    is_new: bool = False,
    mtime_ns: int | None = None,
    syncs_name: bool = True,
    mode: int = 0o666,
) -> None:
    """Put a file in place: a text, bytes, or many texts one after the other.

    It is dated `mtime_ns` if that is given, and has its `mode` from the first byte on.

    With `is_new` there must be none yet, FileExistsError says that there is. Without `syncs_name`
    a power cut may still cost the file its name, until `sync_folder` has been called.
    Raises OSError that names `path`. Then the old file is there, or the new one where nothing but
    its name could not be made to last.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    written = temporary  # to be removed if this fails
    try:
        try:
            pieces = [content] if isinstance(content, (str, bytes)) else content
            _write_new(temporary, pieces, mode)
            if mtime_ns is not None:
                os.utime(temporary, ns=(mtime_ns, mtime_ns))
            if is_new:
                _name_once(temporary, path)
                written = path
            else:
                os.replace(temporary, path)
            if syncs_name:
                sync_folder(path.parent)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(written)
            raise
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def open_end(path: Path) -> int:
    """Open a file to add to it; return its descriptor."""
    fd = os.open(path, os.O_RDWR | _BINARY)
    os.lseek(fd, 0, os.SEEK_END)
    return fd


def append(fd: int, data: bytes) -> None:
    """Add bytes at the place where a file stands."""
    _write(fd, data)
    _sync(fd)


def close(fd: int) -> None:
    """Close a file."""
    os.close(fd)


def cut(fd: int, size: int) -> None:
    """Take away what a file has beyond `size` bytes."""
    os.ftruncate(fd, size)


def content(fd: int) -> bytes:
    """Return all that a file holds; it stands at its end then."""
    os.lseek(fd, 0, os.SEEK_SET)
    pieces = []
    while piece := os.read(fd, _CHUNK):
        pieces.append(piece)
    return b"".join(pieces)


def is_file_of(fd: int, path: Path) -> bool:
    """Tell whether `path` still names the open file."""
    try:
        named = os.stat(path)
    except OSError:
        return False
    return os.path.samestat(os.fstat(fd), named)


def lock(fd: int) -> None:
    """Lock a file, once no other program has it locked; without effect on Windows.

    A program locks a file only while it compares and writes.
    """
    _flock(fd, "LOCK_EX")


def try_lock(fd: int) -> bool:
    """Lock a file for as long as it is open; False where another program has it locked."""
    if os.name != "posix":
        return True
    import fcntl  # noqa: PLC0415

    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # not every file system has locks
        pass
    return True


def unlock(fd: int) -> None:
    """Unlock a file; closing it does that, too."""
    _flock(fd, "LOCK_UN")


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk; Windows opens no folders."""
    if os.name != "posix":
        return
    fd = os.open(folder, os.O_RDONLY)
    try:
        _sync(fd)
    finally:
        os.close(fd)


def _flock(fd: int, how: str) -> None:
    if os.name != "posix":
        return
    import fcntl  # noqa: PLC0415

    with contextlib.suppress(OSError):  # not every file system has locks
        fcntl.flock(fd, getattr(fcntl, how))


def _write_new(path: Path, pieces: Iterable[str | bytes], mode: int) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _BINARY, mode)
    try:
        for piece in pieces:
            _write(fd, piece.encode("utf-8") if isinstance(piece, str) else piece)
        _sync(fd)
    finally:
        os.close(fd)


def _write(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _name_once(temporary: Path, path: Path) -> None:
    """Give a file its name unless another one has it, also if two processes want that at once."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except (AttributeError, OSError):  # not every file system has links, a browser's no such name
        if path.exists():
            raise FileExistsError(17, tr("there is such a file already")) from None
        os.replace(temporary, path)
    else:
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def _sync(fd: int) -> None:
    """Have the disk write what it was given; a Mac's fsync leaves it in the drive's cache."""
    if sys.platform == "darwin":
        import fcntl  # noqa: PLC0415

        try:
            fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
            return
        except OSError:  # not every file system has it
            pass
    os.fsync(fd)


_NO_ROOM = tr("make room there; what was shown is kept")
_NO_RIGHT = tr("choose a folder that can be written to, with --archive or CHRONOTABLE_HOME")
_ADVICE = {
    errno.ENOSPC: _NO_ROOM,
    errno.EDQUOT: _NO_ROOM,
    errno.ENOENT: tr("put the folder back"),
    errno.EACCES: _NO_RIGHT,
    errno.EPERM: _NO_RIGHT,
    errno.EROFS: _NO_RIGHT,
    errno.ENOTDIR: _NO_RIGHT,
    errno.EEXIST: _NO_RIGHT,
}
_CANNOT = tr("cannot be written")


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Have an OSError say which file or folder of the archive it is about, and what to do."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        if why.startswith(_CANNOT):
            raise
        advice = _ADVICE.get(error.errno or 0, "")
        text = f"{_CANNOT} ({why})" + (f"; {advice}" if advice else "")
        raise OSError(error.errno, text, str(path)) from error
