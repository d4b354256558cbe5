"""Sentences for files and folders of the archive that cannot be written."""

import contextlib
import errno
from collections.abc import Iterator
from pathlib import Path

from chronotable_host.language import tr

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
