"""What a puzzle is, and all that there are: those that everybody has, those made of own games.

The made ones are lines of a file in the archive's folder, `puzzles/made.jsonl`.
"""

import hashlib
import json
from array import array
from collections.abc import Iterable, Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from chronotable_host import chapters
from chronotable_host.archive import regular_files
from chronotable_host.archive.disk import write_whole
from chronotable_host.errors import UserError
from chronotable_host.language import names, tr, tr_n
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
    def state(self) -> "array[int]":
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


def is_of_puzzle(start: "array[int]") -> bool:
    """Tell whether a game that begins in this position is a puzzle's, which nobody keeps.

    One that was made of one's own games is that only once it was begun: games are played on from
    there, too.
    """
    return start.tobytes() in _BEGUN or start.tobytes() in _beginnings()


@cache
def _beginnings() -> frozenset[bytes]:
    return frozenset(puzzle.state.tobytes() for puzzle in built_in())


FOLDER = "puzzles"
"""Within the archive's."""

_MADE = "made.jsonl"


class PuzzleBox:
    """The puzzles, numbered from 1 on: first those that everybody has, the easiest first."""

    def __init__(self, archive: Path) -> None:
        self._file = archive / FOLDER / _MADE
        self.puzzles = [*built_in(), *_read(self._file)]

    def open(self) -> Iterator[tuple[int, Puzzle]]:
        """Yield those that may be shown here with their numbers, the easiest first."""
        found = [
            (number, puzzle)
            for number, puzzle in enumerate(self.puzzles, 1)
            if chapters.is_open(puzzle.modules, puzzle.options)
        ]
        yield from sorted(found, key=lambda each: each[1].rating)

    def get(self, number: int) -> Puzzle:
        """Return the puzzle of a number; raises UserError for none, and LockedError."""
        if not 1 <= number <= len(self.puzzles):
            known = len(self.puzzles)
            raise UserError(
                tr("there is no puzzle {number}; choose 1 to {known}", number=number, known=known)
            )
        puzzle = self.puzzles[number - 1]
        chapters.require(puzzle.modules, puzzle.options)
        return puzzle

    def add(self, puzzles: Iterable[Puzzle]) -> list[int]:
        """Keep puzzles that are not there yet, and return the numbers of all; raises OSError."""
        known = {puzzle.key: number for number, puzzle in enumerate(self.puzzles, 1)}
        numbers = []
        for puzzle in puzzles:
            if puzzle.key not in known:
                self.puzzles.append(puzzle)
                known[puzzle.key] = len(self.puzzles)
            numbers.append(known[puzzle.key])
        made = self.puzzles[len(built_in()) :]
        if made:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._file, (format_puzzle(puzzle) + "\n" for puzzle in made))
        return numbers


def of_the_day(day: date) -> int:
    """Return the number of a day's puzzle, the same everywhere.

    It is one of those that everybody has, of one or two turns, as a child may be the one who looks;
    and none comes twice before all the others came.
    """
    numbers = [number for number, puzzle in enumerate(built_in(), 1) if puzzle.win < 3]
    lap, at = divmod(day.toordinal(), len(numbers))

    def shuffled(number: int) -> bytes:
        return hashlib.sha256(f"{lap} {number}".encode()).digest()

    return sorted(numbers, key=shuffled)[at]


def _read(file: Path) -> list[Puzzle]:
    """Return the puzzles of a file, none where there is none; raises UserError and OSError."""
    try:
        lines = regular_files.read(file).decode("utf-8").splitlines()
        return [parse_puzzle(line) for line in lines if line.strip()]
    except FileNotFoundError:
        return []
    except ValueError as error:
        raise UserError(tr("{file}: is no file of puzzles; move it away", file=file)) from error
