"""The firmware as files for a Pico: compiled, with its board, ready for `mpremote cp`.

Compiled files are not a matter of speed alone: compiling on the device splits its heap so much
that the tables no longer fit.
"""

from __future__ import annotations

import sys
from pathlib import Path

from chronotable_host import boards
from chronotable_host.errors import one_line
from chronotable_host.virtual.firmware import app_folder, library_folders
from chronotable_host.virtual.image import device_files


def write(folder: Path, board: str) -> list[str]:
    """Write the device's files for a board into a folder; return their names on the device.

    Raises BoardError, OSError and RuntimeUnavailable.
    """
    files = device_files(app_folder(), library_folders(), boards.find(board).read_bytes())
    boards.read(board)
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return sorted(files)


def main(args: list[str]) -> int:
    """Write the files: `python -m chronotable_host.deploy FOLDER [BOARD]`."""
    if not 1 <= len(args) <= 2 or args[0].startswith("-"):
        print("usage: python -m chronotable_host.deploy FOLDER [BOARD]", file=sys.stderr)
        return 2
    try:
        names = write(Path(args[0]), args[1] if len(args) > 1 else "reference")
    except Exception as error:
        line = one_line(error)
        if line is None:
            raise
        print(f"chronotable: {line}", file=sys.stderr)
        return 2
    print(f"{len(names)} files in {args[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
