"""All puzzles that there are here: those that everybody has, and those made of one's own games.

The made ones are lines of a file in the archive's folder, `puzzles/made.jsonl`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path

from chronotable_host import chapters
from chronotable_host.archive import regular_files
from chronotable_host.archive.disk import write_whole
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.learning.puzzles.puzzle import Puzzle, built_in, format_puzzle, parse_puzzle

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

    It is one of those that everybody has, and none comes twice before all the others came.
    """
    count = len(built_in())
    lap, at = divmod(day.toordinal(), count)

    def shuffled(number: int) -> bytes:
        return hashlib.sha256(f"{lap} {number}".encode()).digest()

    return sorted(range(1, count + 1), key=shuffled)[at]


def _read(file: Path) -> list[Puzzle]:
    """Return the puzzles of a file, none where there is none; raises UserError and OSError."""
    try:
        lines = regular_files.read(file).decode("utf-8").splitlines()
        return [parse_puzzle(line) for line in lines if line.strip()]
    except FileNotFoundError:
        return []
    except ValueError as error:
        raise UserError(tr("{file}: is no file of puzzles; move it away", file=file)) from error
