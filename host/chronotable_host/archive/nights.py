"""Records of games of a night (`.night`): a game as a text file, PGN-like, and told to the index.

Header lines `[Name "value"]`, the value as JSON writes a text; an empty line; then one action per
line with its number and its seat from 1: `12. 3: play flux 8`. Seed, options and data give the
first state, so a record is the whole game. The archive replays none: the games themselves do.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from chronotable_host.archive import regular_files
from chronotable_host.errors import UserError, printable
from chronotable_host.language import tr

GAME = "Game"
"""The first header."""
NOBODY_WON = "-"

_HEADER = re.compile(r'\[([A-Za-z]+[0-9]*) ("(?:[^"\\]|\\.)*")\]')
_ACTION = re.compile(r"([0-9]{1,6})\. ([0-9]{1,2}): (\S.*)")
_MOST_PLAYERS = 12


class GameRecord(NamedTuple):
    """A record: its headers in their order, and the actions, each with its seat from 0."""

    headers: Mapping[str, str]
    actions: Sequence[tuple[int, str]]

    @property
    def players(self) -> list[str]:
        """Return the names by seat."""
        seats = (self.headers.get(f"Seat{number}") for number in range(1, _MOST_PLAYERS + 1))
        return [each for each in seats if each is not None]


def is_record(text: str) -> bool:
    """Tell whether a text begins as a record does."""
    return text.lstrip("\ufeff \r\n").startswith(f"[{GAME} ")


def format_record(record: GameRecord) -> str:
    """Return a record as text."""
    lines = [
        f"[{name} {json.dumps(value, ensure_ascii=False)}]"
        for name, value in record.headers.items()
    ]
    lines.append("")
    lines += (
        f"{number}. {seat + 1}: {action}" for number, (seat, action) in enumerate(record.actions, 1)
    )
    return "\n".join(lines) + "\n"


def parse_record(text: str, before: int = 0) -> GameRecord:
    """Return the record that is a text; raises UserError with the number of a line.

    `before` is how many lines of its file stand in front of it.
    """
    headers: dict[str, str] = {}
    actions: list[tuple[int, str]] = []
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), before + 1):
        bare = line.strip()
        if not bare:
            continue
        header = None if actions else _HEADER.fullmatch(bare)
        if header:
            try:
                headers[header[1]] = str(json.loads(header[2]))
            except ValueError as error:
                raise UserError(
                    tr("line {line}: a header's value is no text", line=number)
                ) from error
            continue
        action = _ACTION.fullmatch(bare)
        if action is None or int(action[1]) != len(actions) + 1 or not int(action[2]):
            raise UserError(
                tr(
                    "line {line}: action {due} is due, as in '{due}. 2: ...'",
                    line=number,
                    due=len(actions) + 1,
                )
            )
        actions.append((int(action[2]) - 1, action[3]))
    if GAME not in headers:
        raise UserError(tr("a record begins with the header {name}", name=GAME))
    return GameRecord(headers, actions)


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
