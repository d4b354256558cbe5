"""Where board files are on the PC, and reading them; hardware/board.py says what is in them."""

import json
import os
from pathlib import Path
from typing import Any

from chronotable.hardware import board
from chronotable.hardware.board import BoardError
from chronotable.hardware.wiring import Board
from chronotable_host.errors import UserError, why_failed
from chronotable_host.home import default_folder
from chronotable_host.language import others, tr

_PACKAGE = Path(__file__).resolve().parents[1]
# The wheel brings its own copy; an editable install or a checkout has the repository's folder.
_FOLDERS = (_PACKAGE / "_boards", _PACKAGE.parents[1] / "boards")
_MOST_BYTES = 1 << 20  # of a board file; ours have 3 KB


class BoardFileError(BoardError, UserError):
    """A board file is wrong, as BoardError says it, in the user's language."""

    def __str__(self) -> str:
        """Return the error as one sentence, `path: message`."""
        return f"{self.path}: {others.translated(self.message, others.WRONG_BOARD)}"


def load(data: dict[str, Any]) -> Board:
    """Check a parsed board file and build its Board. Raises BoardFileError."""
    try:
        return board.load(data)
    except BoardError as error:
        raise BoardFileError(error.path, error.message) from error


def names() -> list[str]:
    """Names of the boards that come with Chronotable, sorted."""
    return sorted(file.stem for file in folder().glob("*.json"))


def learned() -> list[str]:
    """Names of the board files of single tables, which a doctor has learned, sorted."""
    return sorted(file.stem for file in learned_folder().glob("*.json"))


def learned_folder() -> Path:
    """Folder of the board files of single tables, in the user's own folder; it may not exist."""
    return default_folder() / "boards"


def folder() -> Path:
    """Folder of the board files that come with Chronotable.

    Raises BoardFileError where the installation has none.
    """
    for candidate in _FOLDERS:
        if candidate.is_dir():
            return candidate
    places = tr(" or ").join(str(candidate) for candidate in _FOLDERS)
    raise BoardFileError(
        "board", tr("no board files are installed; they belong in {places}", places=places)
    )


def find(name_or_path: str | os.PathLike[str]) -> Path:
    """File of a board: a known name, or the path of any file that ends in .json or has a slash.

    Raises BoardFileError where there is no such board; the message lists the known ones.
    """
    text = os.fspath(name_or_path)
    if not isinstance(name_or_path, str) or text.endswith(".json") or Path(text).name != text:
        return Path(text)
    known = names()
    if text in known:
        return folder() / f"{text}.json"
    own = learned()
    if text in own:
        return learned_folder() / f"{text}.json"
    listed = ", ".join(known + own)
    raise BoardFileError(
        "board", tr("there is no board '{name}'; known are {listed}", name=text, listed=listed)
    )


def read_data(name_or_path: str | os.PathLike[str]) -> dict[str, Any]:
    """Parsed and checked content of a board file, for what the Board leaves out (the geometry).

    Raises BoardFileError, also where the file cannot be read or is not JSON (with line and column).
    """
    file = find(name_or_path)
    data: dict[str, Any] = _parse(file)
    name = load(data).name
    if file.parent == folder() and name != file.stem:
        # The table says its board's name in HELLO, and the PC looks the file up by it.
        raise BoardFileError(
            "name",
            tr(
                "must be {expected} as the file is called, not {name}",
                expected=file.stem,
                name=name,
            ),
        )
    return data


def read(name_or_path: str | os.PathLike[str]) -> Board:
    """Board of a name or file; raises BoardFileError as `read_data` does."""
    return load(read_data(name_or_path))


def _parse(file: Path) -> Any:
    def wrong(why: str) -> BoardFileError:
        return BoardFileError(str(file), why)

    too_much = tr("is not a board file, and too much to read")
    try:
        with file.open("rb") as opened:
            content = opened.read(_MOST_BYTES + 1)  # a device such as /dev/zero has no end
        if len(content) > _MOST_BYTES:
            raise wrong(too_much)
        return json.loads(content.decode("utf-8"), object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        where = tr(
            "{file} line {line} column {column}", file=file, line=error.lineno, column=error.colno
        )
        raise BoardFileError(where, tr("is not valid JSON: {msg}", msg=error.msg)) from error
    except UnicodeDecodeError as error:
        raise wrong(tr("is not UTF-8 text at byte {number}", number=error.start)) from error
    except BoardFileError:
        raise
    except (RecursionError, ValueError) as error:
        # Nesting and digits without end: valid JSON, but beyond what Python reads.
        raise wrong(too_much) from error
    except FileNotFoundError as error:
        raise wrong(tr("this file does not exist")) from error
    except OSError as error:
        raise wrong(tr("cannot be read ({why})", why=why_failed(error))) from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a key written twice, of which json would keep the last without a word."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise BoardFileError(key, tr("is written twice in the same object"))
        found[key] = value
    return found
