"""Records of games of a night in an archive's folder, beside those of the table.

They are few and short, so they are read where they lie; the index knows nothing of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from chronotable_host.archive import regular_files
from chronotable_host.archive.naming import game_id, time_of_file
from chronotable_host.errors import UserError, printable
from chronotable_host.games.record import GAME, NOBODY_WON, GameRecord, parse_record
from chronotable_host.language import tr

SUFFIX = ".night"


@dataclass(frozen=True)
class NightEntry:
    """A game of a night: `winners` are names; `stored` sorts by time with other games."""

    id: str
    file: str
    stored: str
    game: str
    players: tuple[str, ...]
    winners: tuple[str, ...]
    date: str
    actions: int
    options: str

    def as_dict(self) -> dict[str, Any]:
        """Return what there is to report of it."""
        values = asdict(self)
        del values["stored"]
        return {**values, "players": list(self.players), "winners": list(self.winners)}


def entries(folder: Path, player: str | None = None) -> tuple[list[NightEntry], dict[str, str]]:
    """Return the games of a folder, the newest first, and why other files cannot be read.

    `player` is a part of a name, in any case.
    """
    found: list[NightEntry] = []
    problems: dict[str, str] = {}
    for path in folder.glob(f"*{SUFFIX}"):
        try:
            entry = _entry(path, read(path))
        except (UserError, OSError) as error:
            problems[path.name] = getattr(error, "strerror", None) or str(error)
            continue
        if player is None or any(player.casefold() in each.casefold() for each in entry.players):
            found.append(entry)
    return sorted(found, key=lambda entry: (entry.stored, entry.file), reverse=True), problems


def find(folder: Path, wanted: str) -> list[NightEntry]:
    """Return the games of a folder that an id, a file's name or the beginning of one names."""
    key = wanted.casefold()
    if not key:
        return []
    all_of_them = entries(folder)[0]
    exact = [each for each in all_of_them if key in _names(each)]
    return exact or [
        each for each in all_of_them if any(name.startswith(key) for name in _names(each))
    ]


def newest(folder: Path) -> NightEntry | None:
    """Return the last game of a folder, None if it has none."""
    return next(iter(entries(folder)[0]), None)


def read(path: Path) -> GameRecord:
    """Read a record; raises UserError and OSError."""
    try:
        text = regular_files.read(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(tr("byte {number} is not UTF-8 text", number=error.start + 1)) from error
    return parse_record(text)


def _names(entry: NightEntry) -> Iterator[str]:
    yield entry.id.casefold()
    yield entry.file.casefold()
    yield entry.file.removesuffix(SUFFIX).casefold()


def _entry(path: Path, record: GameRecord) -> NightEntry:
    headers = {name: printable(value) for name, value in record.headers.items()}
    players = tuple(map(printable, record.players))
    result = headers.get("Result", NOBODY_WON).split()
    winners = (int(each) - 1 for each in result if each.isascii() and each.isdecimal())
    return NightEntry(
        printable(game_id(path)),
        path.name,
        time_of_file(path, path.stat().st_mtime_ns),
        headers[GAME],
        players,
        tuple(players[seat] for seat in winners if 0 <= seat < len(players)),
        headers.get("Date", ""),
        len(record.actions),
        headers.get("Options", ""),
    )
