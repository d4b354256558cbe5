"""Who plays a side, as it is typed: `level:3`, `random`, or `engine:` and a program's path."""

from __future__ import annotations

import shlex
import shutil
import sys
from array import array
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from chronotable_host.engine.client import EngineProcess
from chronotable_host.engine.levels import LEVELS, LevelPlayer
from chronotable_host.errors import UserError
from ttykm.game import Game

HANDS = "hands"
"""A side that is played by a person."""
RANDOM = "random"
_LEVEL, _ENGINE = "level:", "engine:"
LEVEL_NAMES = tuple(f"{_LEVEL}{number}" for number in range(1, len(LEVELS) + 1))
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
        words = shlex.split(text.removeprefix(_ENGINE))
        if words and (program := shutil.which(words[0])):
            return Seat(text, command=(program, *words[1:]))
        named = words[0] if words else "nothing"
        raise UserError(f"'{text}': {named} is no program that can be started here")
    raise UserError(f"'{text}' plays no side; there are {KNOWN}")


def is_seat(text: str) -> bool:
    """Tell whether a text names a player that is no person, be it wrongly."""
    return text == RANDOM or text.startswith((_LEVEL, _ENGINE))


def player_name(name: str) -> str:
    """Return what a record calls who plays a seat of this name, "" for hands; raises UserError."""
    if name == HANDS:
        return ""
    seat = parse_seat(name)
    if seat.level:
        return f"Chronotable, level {seat.level}"
    return Path(seat.command[0]).name if seat.command else "Chronotable, by chance"


def spoken_name(name: str) -> str:
    """Return how people are told who thinks: `level 3`, or an engine's program without folders."""
    kind, _, rest = name.partition(":")
    return rest.replace("\\", "/").split("/")[-1] if kind == "engine" else name.replace(":", " ")


def own_engine() -> tuple[str, ...]:
    """Return the command that starts the built-in engine."""
    return (sys.executable, "-m", "chronotable_host", "engine")


class Chooser:
    """Chooses turns for a seat, one after the other, and waits for each; to be closed."""

    def __init__(self, seat: Seat, seed: int, limits: str = "") -> None:
        self._rng = Random(seed)
        self._limits = limits
        self._level = LevelPlayer(seat.level, seed) if seat.level and not limits else None
        command = seat.command or (own_engine() if seat.level else ())
        self._engine = None
        if command and self._level is None:
            self._engine = EngineProcess(command, seat.name).__enter__()

    def __call__(self, game: Game, states: Sequence[array[int]]) -> int:
        """Return a turn, packed; raises EngineError."""
        if self._level is not None:
            turn = self._level.choose(states, game.options)
            assert turn is not None
            return turn
        if self._engine is None:
            return self._rng.choice([*game.legal_turns()])
        self._engine.think(game, states[0], self._limits)
        return self._engine.wait()

    def close(self) -> None:
        """End the program behind it, if there is one."""
        if self._engine is not None:
            self._engine.close()
