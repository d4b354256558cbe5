"""What stands on this package: found by its name when asked for, and imported nowhere here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

if TYPE_CHECKING:
    from pathlib import Path

    from chronotable_host.archive.index import Entry
    from chronotable_host.archive.nights import GameRecord
    from chronotable_host.archive.store import Archive
    from chronotable_host.cases import Case
    from chronotable_host.live.desk import Desk


class CommandEntry(NamedTuple):
    """A command, which is imported when it is typed."""

    module: str
    """Its `app` has it."""
    summary: str
    """What the list of commands says of it: how its own help begins."""


_FAR = "chronotable_far.commands.far"
COMMANDS = {
    "night": CommandEntry(
        "chronotable_night.commands.night", "Play a game with hidden hands, which are phones."
    ),
    "games-data": CommandEntry(
        "chronotable_night.commands.games_data", "Data files of games: what no source tells."
    ),
    "invite": CommandEntry(_FAR, "Invite somebody far away to the other side of your table."),
    "join": CommandEntry(_FAR, "Play with whoever invited you, by the link."),
    "club": CommandEntry(
        "chronotable_club.commands.club", "A club of tables: one archive, one wall."
    ),
}
"""The commands of those packages."""
_NIGHTS = "chronotable_night.archived"
_NIGHTS_TOLD = "chronotable_night.commands.archive"
_CLUBS = "chronotable_club.at_table"
FAR = "chronotable_far"
"""The package that a page in a browser alone has of them, too."""


class Nights(Protocol):
    """The games of games nights, for the archive, its page and `verify`."""

    def title_of(self, game: str, /) -> str:
        """Return a game's name for people; a record may be of one that is not known here."""

    def list_entry(self, entry: Entry, /) -> dict[str, Any]:
        """Return what the list of games tells of one."""

    def replay(self, entry: Entry, record: GameRecord, seat: int, /) -> dict[str, Any]:
        """Return a game with all its moments, as a seat saw it or, with -1, who looked on."""

    def folders(self) -> Mapping[str, Path]:
        """Return the folders of files that replays of all games need, by their paths."""

    def case(self, text: str, before: int, /) -> Case:
        """Return what is to be checked of a record, `before` which so many lines stand."""

    def cases(self, entries: Sequence[Mapping[str, Any]], /) -> list[Case] | None:
        """Return what is to be checked of a file's objects, None where they are of no game."""


class NightsTold(Protocol):
    """Games of nights in a terminal; `where` is what people are told of where a game is."""

    def show(
        self, record: GameRecord, entry: Entry, where: str, turn: int | None, as_json: bool, /
    ) -> None:
        """Show a game: headers, the next step after an action or at the end, and the actions."""

    def replay(self, record: GameRecord, where: str, turn: int | None, as_json: bool, /) -> None:
        """Print what happened in a game, from an action on."""


class Clubs(Protocol):
    """What has a club told of a table."""

    def join(
        self, desk: Desk, broker: str, token: str, name: str | None, plays_alone: bool, /
    ) -> None:
        """Have the club told of a desk's table; raises UserError, OSError."""


class FarInBrowser(Protocol):
    """A game far apart in a browser alone, at a virtual table's desk with a page."""

    desk: Any
    again: str
    """What it is asked for by when the page is opened again, as JSON."""
    close: Callable[[], None]
    wired: Callable[[int, bytes | bool | None], None]
    """Takes what comes from the broker."""

    def step(self) -> None:
        """Have time pass; raises UserError, OSError."""


def far_tab(
    games: Archive,
    board: str,
    asked: Mapping[str, str],
    send: Callable[[int, str | bytes | None], None],
    /,
) -> FarInBrowser:
    """Return the game that is asked for; raises UserError, OSError."""
    return cast(FarInBrowser, import_module(f"{FAR}.in_browser").FarTab(games, board, asked, send))


def nights() -> Nights:
    """Return what there is of games nights."""
    return cast(Nights, import_module(_NIGHTS))


def nights_told() -> NightsTold:
    """Return what tells games of nights in a terminal."""
    return cast(NightsTold, import_module(_NIGHTS_TOLD))


def clubs() -> Clubs:
    """Return what has clubs told of tables."""
    return cast(Clubs, import_module(_CLUBS))
