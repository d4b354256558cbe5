"""What `--lesson` and `--puzzle` ask for: what is to be learned at the table."""

from __future__ import annotations

from pathlib import Path

from chronotable_host.archive.store import Archive
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.lessons.course import Course, Taught
from chronotable_host.puzzles.asked import asked_number
from chronotable_host.puzzles.course import PuzzleCourse


def asked_course(lesson: int | None, puzzle: str | None, archive: Path | None) -> Taught | None:
    """Return what was asked for, None for nothing; raises UserError and OSError."""
    if lesson is not None and puzzle is not None:
        raise UserError(tr("--lesson and --puzzle: one after the other; leave one of them out"))
    if lesson is not None:
        return Course(lesson)
    if puzzle is None:
        return None
    folder = Archive(archive).folder
    return PuzzleCourse(folder, asked_number(puzzle, folder))
