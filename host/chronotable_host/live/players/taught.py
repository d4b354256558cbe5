"""Games that teach: lessons and puzzles at a table, which are kept nowhere."""

from __future__ import annotations

from array import array

from chronotable_host.learning.lessons.exercises import is_of_lesson
from chronotable_host.learning.puzzles.puzzle import is_of_puzzle


def is_taught(start: array[int]) -> bool:
    """Tell whether a game that begins in this position is one of a lesson or a puzzle."""
    return is_of_lesson(start) or is_of_puzzle(start)
