"""The firmware's files: where they are, in a checkout and in an installed wheel."""

from collections.abc import Mapping
from pathlib import Path

import chronotable
import ttykm
from chronotable_host.errors import UserError
from chronotable_host.hardware.firmware import manifest
from chronotable_host.language import tr

FOLDER = "a"
"""The one of the firmware's two folders that a virtual table runs from; see app/main.py."""

_PACKAGE = Path(__file__).resolve().parents[2]


def app_folder() -> Path:
    """Return the folder of the app files (`main.py`, ...); raises UserError if it is missing."""
    for folder in (_PACKAGE / "_firmware", _PACKAGE.parent.parent / "firmware" / "app"):
        if (folder / "main.py").is_file():
            return folder
    raise UserError(tr("the firmware's files are missing; install chronotable again"))


def library_folders() -> list[Path]:
    """Return the folders of the packages that run on the device too."""
    return [Path(package.__path__[0]) for package in (ttykm, chronotable)]


def app_sources() -> dict[str, str]:
    """Return the text of each app file by name."""
    return {path.name: path.read_text("utf-8") for path in sorted(app_folder().glob("*.py"))}


def files_for_board(
    board_json: bytes,
    modules: Mapping[str, bytes] | None = None,
    starters: Mapping[str, bytes] | None = None,
) -> dict[str, bytes]:
    """Return what makes a firmware in FOLDER run with a board, its `modules` in it included.

    `starters` start it, and count for its build. A virtual table on CPython has its modules
    elsewhere.
    """
    found = manifest.manifest_of(modules or {}, manifest.board_name(board_json), starters)
    inside = {**(modules or {}), manifest.BOARD: board_json, manifest.NAME: found.to_bytes()}
    return {"slot": FOLDER.encode(), **{f"{FOLDER}/{path}": inside[path] for path in inside}}
