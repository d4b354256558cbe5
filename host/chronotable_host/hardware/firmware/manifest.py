"""What a firmware's folder says of itself: version, build, and what its files have to be.

Its first line has version and build, so that the table can read them with little memory.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import NamedTuple

import chronotable_host

NAME = "manifest.json"
BOARD = "board.json"
"""Beside the modules, and not among the files: it is the table's own, which may learn."""

Files = dict[str, tuple[int, str]]
"""Size and sha256 in hex, by path in the folder."""


class Manifest(NamedTuple):
    """What is, or is to be, in a folder."""

    version: str
    build: str
    """8 hex digits of a hash over the files, and over those at the root that start them."""
    board: str
    """Name of the board that the folder was installed with."""
    files: Files

    def to_bytes(self) -> bytes:
        """Return the file's content."""
        head = json.dumps({"version": self.version, "build": self.build})[:-1]
        lines = [
            f"{json.dumps(path)}: {json.dumps(list(entry))}" for path, entry in self.files.items()
        ]
        body = ",\n".join(lines)
        board = json.dumps(self.board)
        return f'{head},\n"board": {board},\n"files": {{\n{body}\n}}}}\n'.encode()


def manifest_of(
    contents: Mapping[str, bytes], board: str, starters: Mapping[str, bytes] | None = None
) -> Manifest:
    """Return the manifest of this version with these modules (path in the folder -> bytes).

    `starters` are the files at the root that it is installed with: they are not in the folder, but
    with other ones it is another build, for the build is all that a table tells of its files.
    """
    files = {path: entry_of(data) for path, data in sorted(contents.items()) if path != BOARD}
    hashed = {**files, **{name: entry_of(data) for name, data in sorted((starters or {}).items())}}
    build = hashlib.sha256(json.dumps(hashed).encode()).hexdigest()[:8]
    return Manifest(chronotable_host.__version__, build, board, files)


def entry_of(data: bytes) -> tuple[int, str]:
    """Return size and hash of a file."""
    return len(data), hashlib.sha256(data).hexdigest()


def board_name(board_json: bytes) -> str:
    """Return the name in a board file, "" where it has none."""
    try:
        data = json.loads(board_json)
    except (ValueError, RecursionError):
        return ""
    return str(data.get("name", "")) if isinstance(data, dict) else ""


def parse(text: str) -> Manifest | None:
    """Return the manifest that a table has, None for none that makes sense."""
    try:
        data = json.loads(text)
        told = data["files"].items()
        files = {str(path): (int(size), str(digest)) for path, (size, digest) in told}
        found = Manifest(str(data["version"]), str(data["build"]), str(data["board"]), files)
        int(found.build, 16)
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError):
        return None
    return found
