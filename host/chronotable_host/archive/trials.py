"""Which games of tables are none: what was tried out on them in an analysis.

Their sources stand in a file of the archive's folder, a line each, the latest last, so that a
program that comes after one which was killed does not take them for games.
"""

import re
from pathlib import Path

from chronotable_host.archive import regular_files
from chronotable_host.archive.disk import write_whole

NAME = "trials.txt"
MOST = 500
"""Of the sources that are kept: a table has given its old games away long since."""

_SOURCE = re.compile(r"[0-9a-f-]{1,60}")


def read_trials(folder: Path) -> list[str]:
    """Return the sources that are noted in a folder; what cannot be read is none."""
    try:
        lines = regular_files.read(folder / NAME).decode("ascii", "replace").split()
    except OSError:
        return []
    return [line for line in lines if _SOURCE.fullmatch(line)][-MOST:]


def note_trial(folder: Path, source: str) -> None:
    """Note a source; raises OSError."""
    known = read_trials(folder)
    if source not in known:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / NAME, "".join(f"{each}\n" for each in [*known, source][-MOST:]))
