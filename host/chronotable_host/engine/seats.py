"""Who plays a side, as it is typed: `level:3`, `random`, or `engine:` and a program's path."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

from chronotable_host.engine.levels import LEVELS
from chronotable_host.errors import UserError

HANDS = "hands"
"""A side that a person's hands play, at the table."""
PAGE = "page"
"""A side that a person plays on the table's page, choice by choice."""
NOBODY = "nobody"
"""A side that has nobody to play it, in a lesson: the table waits there."""
GUEST = "guest"
"""A side that is played by a person elsewhere, in a browser, by an invitation."""
RANDOM = "random"
_LEVEL, _ENGINE = "level:", "engine:"
LEVEL_NAMES = tuple(f"{_LEVEL}{number}" for number in range(1, len(LEVELS) + 1))
_PERSONS = {HANDS: "", PAGE: "", NOBODY: "", GUEST: "A guest"}
KNOWN = f"{_LEVEL}1 to {_LEVEL}{len(LEVELS)}, {RANDOM}, or {_ENGINE} and the path of a program"


class Seat(NamedTuple):
    """A player that is no person; `level` is 0, and `command` empty, where it is none of that."""

    name: str
    level: int = 0
    command: tuple[str, ...] = ()


def parse_seat(text: str) -> Seat:
    """Return who is called so; raises UserError."""
    if text == RANDOM:
        return Seat(text)
    if text.startswith(_LEVEL):
        number = text.removeprefix(_LEVEL)
        if number.isascii() and number.isdecimal() and 1 <= int(number[:3]) <= len(LEVELS):
            return Seat(text, level=int(number))
        raise UserError(f"'{text}': levels are {_LEVEL}1 to {_LEVEL}{len(LEVELS)}")
    if text.startswith(_ENGINE):
        words = _words(text.removeprefix(_ENGINE))
        if words and (program := shutil.which(words[0])):
            return Seat(text, command=(program, *words[1:]))
        named = words[0] if words else "nothing"
        raise UserError(f"'{text}': {named} is no program that can be started here")
    if text == GUEST:
        raise UserError("a guest plays on the page of a table, and not here")
    raise UserError(f"'{text}' plays no side; there are {KNOWN}")


def _words(command: str) -> list[str]:
    """Return a command's words; in quotes they may have spaces. Raises UserError."""
    try:  # on Windows a backslash is a part of paths
        words = shlex.split(command, posix=os.name != "nt")
    except ValueError as error:
        raise UserError(f"'{command}': a quotation mark is not closed") from error
    return [word.strip('"') for word in words] if os.name == "nt" else words


def is_seat(text: str) -> bool:
    """Tell whether a text names a player without hands at the table, be it wrongly."""
    return text in (GUEST, RANDOM) or text.startswith((_LEVEL, _ENGINE))


def player_name(name: str) -> str:
    """Return what a record calls who plays a seat of this name, "" for hands; raises UserError."""
    if name in _PERSONS:
        return _PERSONS[name]
    seat = parse_seat(name)
    if seat.level:
        return f"Chronotable, level {seat.level}"
    return Path(seat.command[0]).name if seat.command else "Chronotable, by chance"


def spoken_name(name: str) -> str:
    """Return how people are told who thinks: `level 3`, or an engine's program without folders.

    That somebody on the page does is told nobody: "".
    """
    if name in _PERSONS:
        return _PERSONS[name].lower()
    kind, _, rest = name.partition(":")
    return rest.replace("\\", "/").split("/")[-1] if kind == "engine" else name.replace(":", " ")


def own_engine() -> tuple[str, ...]:
    """Return the command that starts the built-in engine."""
    return (sys.executable, "-m", "chronotable_host", "engine")
