"""Records of games of a night: read from their files, and told to the index."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from chronotable_host.archive import regular_files
from chronotable_host.errors import UserError, printable
from chronotable_host.games.record import GAME, NOBODY_WON, GameRecord, parse_record
from chronotable_host.language import tr


def read(path: Path) -> GameRecord:
    """Read a record; raises UserError and OSError."""
    return parse(regular_files.read(path))


def parse(data: bytes) -> GameRecord:
    """Read the bytes of a record; raises UserError."""
    try:
        return parse_record(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UserError(tr("byte {number} is not UTF-8 text", number=error.start + 1)) from error


def columns_of(record: GameRecord) -> Mapping[str, str | int | bool]:
    """Return the columns of the index that a record has something for.

    It is not replayed: what is not legal in it is told to who looks at the game.
    """
    headers = {name: printable(value) for name, value in record.headers.items()}
    seats = "\n".join(map(printable, record.players))
    return {
        "night": True,
        "game": headers[GAME],
        "seats": seats,
        "players": seats.casefold(),
        "played_on": headers.get("Date", ""),
        "result": headers.get("Result", NOBODY_WON),
        "termination": headers.get("Termination", ""),
        "turns": len(record.actions),
        "rule_options": headers.get("Options", ""),
    }
