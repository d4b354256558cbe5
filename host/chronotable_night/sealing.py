"""A file that only this program reads while a game goes on: sealed lines, and the key elsewhere.

Each line is one entry as JSON, numbered and filled up to a length that tells nothing, encrypted and
signed (Fernet: AES-128-CBC and HMAC-SHA256). The key lies in the user's own folder, readable by the
user alone. This is against a player who looks into a file: whoever may use this user's programs can
have the key as well.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet, InvalidToken

from chronotable_host.archive import disk, regular_files
from chronotable_host.errors import UserError
from chronotable_host.home import default_folder
from chronotable_host.language import tr

SUFFIX = ".sealed"

_KEYS = "night-keys"
_FILL = 256  # bytes that an entry is a multiple of

Entry = Mapping[str, Any]


class SealedFile:
    """A sealed file that is written to; each method raises OSError where the disk does not."""

    def __init__(self, path: Path, key: bytes, entries: int) -> None:
        self.path = path
        self._fernet = Fernet(key)
        self._entries = entries
        self._fd = disk.open_end(path)

    @classmethod
    def create(cls, path: Path, first: Entry) -> SealedFile:
        """Make a new file, which begins with an entry, and its key."""
        key = Fernet.generate_key()
        _keep_key(_key_path(path), key)
        disk.write_whole(path, _sealed(Fernet(key), 0, first), is_new=True)
        return cls(path, key, 1)

    @classmethod
    def open(cls, path: Path) -> tuple[SealedFile, list[Entry]]:
        """Open a file to go on with it; return its entries, too. Raises UserError and OSError."""
        key, data = _key_of(path), regular_files.read(path)
        whole, _, torn = data.rpartition(b"\n")
        entries = list(_opened(path, Fernet(key), whole))
        file = cls(path, key, len(entries))
        if torn:  # nobody was told of a line that a crash cut short
            disk.cut(file._fd, len(data) - len(torn))
            os.lseek(file._fd, 0, os.SEEK_END)
        return file, entries

    def append(self, entry: Entry) -> None:
        """Add an entry; it is on the disk when this returns."""
        before = os.lseek(self._fd, 0, os.SEEK_END)
        try:
            disk.append(self._fd, _sealed(self._fernet, self._entries, entry).encode())
        except OSError:
            with contextlib.suppress(OSError):  # else a line would stand behind half of one
                disk.cut(self._fd, before)
            raise
        self._entries += 1

    def close(self) -> None:
        """Let go of the file."""
        disk.close(self._fd)

    def remove(self) -> None:
        """Remove the file and its key: what it holds is elsewhere now."""
        self.close()
        for path in (self.path, _key_path(self.path)):
            path.unlink(missing_ok=True)


def waiting(folder: Path) -> list[Path]:
    """Return the sealed files in a folder whose key is here, the oldest first."""
    return sorted(path for path in folder.glob(f"*{SUFFIX}") if _key_path(path).is_file())


def first_entry(path: Path) -> Entry:
    """Return what a sealed file begins with; raises UserError and OSError."""
    line = regular_files.read(path).partition(b"\n")[0]
    return next(_opened(path, Fernet(_key_of(path)), line))


def _sealed(fernet: Fernet, number: int, entry: Entry) -> str:
    text = json.dumps([number, entry], separators=(",", ":"))
    text += " " * (-len(text) % _FILL)
    return str(fernet.encrypt(text.encode()), "ascii") + "\n"


def _opened(path: Path, fernet: Fernet, data: bytes) -> Iterator[Entry]:
    for due, line in enumerate(data.splitlines()):
        try:
            number, entry = json.loads(fernet.decrypt(line))
        except (InvalidToken, ValueError) as error:
            raise _changed(path) from error
        if number != due:
            raise _changed(path)
        yield entry


def _changed(path: Path) -> UserError:
    return UserError(tr("{path}: was changed by somebody, and cannot be gone on with", path=path))


def _key_path(path: Path) -> Path:
    return default_folder() / _KEYS / f"{path.stem}.key"


def _key_of(path: Path) -> bytes:
    try:
        return _key_path(path).read_bytes()
    except FileNotFoundError as error:
        raise UserError(
            tr("{path}: its key is not here; another user has begun this game", path=path)
        ) from error


def _keep_key(path: Path, key: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        disk.append(fd, key)
    finally:
        disk.close(fd)
    disk.sync_folder(path.parent)
