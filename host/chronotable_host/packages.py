"""What stands on this package: found by its name when asked for, and imported nowhere here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from pathlib import Path

    from chronotable_host.archive.index import Entry
    from chronotable_host.archive.nights import GameRecord
    from chronotable_host.cases import Case

_NIGHTS = "chronotable_host.night.archived"


class Nights(Protocol):
    """The games of games nights, for the archive, its page and `verify`."""

    def title_of(self, game: str, /) -> str:
        """Return a game's name for people; a record may be of one that is not known here."""
        ...

    def listed(self, entry: Entry, /) -> dict[str, Any]:
        """Return what the list of games tells of one."""
        ...

    def replay(self, entry: Entry, record: GameRecord, seat: int, /) -> dict[str, Any]:
        """Return a game with all its moments, as a seat saw it or, with -1, who looked on."""
        ...

    def folders(self) -> Mapping[str, Path]:
        """Return the folders of files that replays of all games need, by their paths."""
        ...

    def case(self, text: str, before: int, /) -> Case:
        """Return what is to be checked of a record, `before` which so many lines stand."""
        ...

    def cases(self, entries: Sequence[Mapping[str, Any]], /) -> list[Case] | None:
        """Return what is to be checked of a file's objects, None where they are of no game."""
        ...


def nights() -> Nights:
    """Return what there is of games nights."""
    return cast(Nights, import_module(_NIGHTS))
