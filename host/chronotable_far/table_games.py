"""Which games of tables are a room's: what a table itself has of them is not kept again.

They are noted in a file beside the room's logs, a line each: the source of the table's game, and
how many games of the room were over before. The latest count, and what cannot be read is none.
"""

from __future__ import annotations

from pathlib import Path

from chronotable_host.archive import regular_files
from chronotable_host.archive.disk import write_whole

MOST = 200
"""Of the games that are kept: a table has given its old ones away long since."""

_SOURCE = frozenset("0123456789abcdef-")
_MOST_CHARS = 60  # of a source
_MOST_DIGITS = 6


class TableGames:
    """The games of tables that a room was played in; `path` is None where nothing is kept."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._known: dict[str, int] = {}
        if path is not None:
            self._known.update(_read(path))

    def games_of(self, source: str) -> int | None:
        """Return how many games of the room came before this game of a table, None if not one."""
        return self._known.get(source)

    def note(self, source: str, games: int) -> None:
        """Note a game of a table; raises OSError."""
        if self._known.get(source) == games:
            return
        self._known.pop(source, None)
        self._known[source] = games
        if self._path is not None:
            kept = [*self._known.items()][-MOST:]
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._path, "".join(f"{each} {count}\n" for each, count in kept))


def _read(path: Path) -> dict[str, int]:
    try:
        lines = regular_files.read(path).decode("ascii", "replace").splitlines()
    except OSError:
        return {}
    found = (line.partition(" ") for line in lines)
    return {source: int(games) for source, _, games in found if _is_noted(source, games)}


def _is_noted(source: str, games: str) -> bool:
    is_source = 0 < len(source) <= _MOST_CHARS and _SOURCE.issuperset(source)
    return is_source and len(games) <= _MOST_DIGITS and games.isascii() and games.isdecimal()
