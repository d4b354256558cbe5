"""What a puzzle is, and those that everybody has."""

from __future__ import annotations

import hashlib
import json
from array import array
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from chronotable_host.language import names, tr_n
from chronotable_host.rules.notation import (
    format_options,
    parse_options,
    parse_position,
    parse_turn,
)
from ttykm import layout, objects

FILE = Path(__file__).parent / "positions.jsonl"
"""A line of JSON for each: as `Puzzle` has it, options and game left out where there are none."""

LONGEST = 3
"""Turns of the winner, at most."""

_KEY_DIGITS = 12
_BEGUN: set[bytes] = set()


class Puzzle(NamedTuple):
    """A position in which the mover wins in `win` turns and no sooner.

    `position` and `turn`, the first of a solution, are texts of rules.notation; `rating` says how
    hard it is, on the scale of the players' ratings (`making.py`). `game` is the archived one
    that it was found in, "" for none.
    """

    position: str
    win: int
    turn: str
    rating: int
    options: int = 0
    game: str = ""

    @property
    def state(self) -> array[int]:
        """Return the position as a state."""
        return parse_position(self.position)

    @property
    def mover(self) -> int:
        """Return who is to win."""
        return layout.mover(self.state)

    @property
    def key(self) -> str:
        """Return what the puzzle is known by, however many others there are."""
        text = f"{self.position} {format_options(self.options)}".strip()
        return hashlib.sha256(text.encode()).hexdigest()[:_KEY_DIGITS]

    @property
    def modules(self) -> int:
        """Return the set of modules that is played with."""
        return objects.modules_of(self.state)

    @property
    def says(self) -> str:
        """Return what is to be done."""
        player = names.PLAYERS[self.mover]
        return tr_n(
            "{player} wins in {n} turn", "{player} wins in {n} turns", self.win, player=player
        )


def format_puzzle(puzzle: Puzzle) -> str:
    """Return the line of a file that has this puzzle."""
    said = {**puzzle._asdict(), "options": format_options(puzzle.options)}
    return json.dumps({name: value for name, value in said.items() if value != ""})


def parse_puzzle(line: str) -> Puzzle:
    """Return the puzzle of a line; raises ValueError, of which NotationError is one."""
    try:
        said: dict[str, Any] = json.loads(line)
        puzzle = Puzzle(**{**said, "options": parse_options(said.get("options", ""))})
        parse_turn(puzzle.turn)
        layout.mover(puzzle.state)
        is_good = 1 <= puzzle.win <= LONGEST and type(puzzle.rating) is int
    except (AttributeError, TypeError, RecursionError) as error:
        raise ValueError(str(error)) from error
    if not is_good:
        raise ValueError(line)
    return puzzle


@cache
def built_in() -> tuple[Puzzle, ...]:
    """Return the puzzles that everybody has, the easiest first."""
    found = [parse_puzzle(line) for line in FILE.read_text("utf-8").splitlines()]
    return tuple(sorted(found, key=lambda puzzle: puzzle.rating))


def note_begun(puzzle: Puzzle) -> None:
    """Have a puzzle known as one that is solved at a table, whose game nobody keeps."""
    _BEGUN.add(puzzle.state.tobytes())


def is_of_puzzle(start: array[int]) -> bool:
    """Tell whether a game that begins in this position is a puzzle's, which nobody keeps.

    One that was made of one's own games is that only once it was begun: games are played on from
    there, too.
    """
    return start.tobytes() in _BEGUN or start.tobytes() in _beginnings()


@cache
def _beginnings() -> frozenset[bytes]:
    return frozenset(puzzle.state.tobytes() for puzzle in built_in())
