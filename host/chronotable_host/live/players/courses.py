"""Lessons, puzzles and games to look at again, as people name them."""

from __future__ import annotations

from pathlib import Path

from chronotable_host import chapters
from chronotable_host.archive.store import Archive
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.learning.course import TableCourse
from chronotable_host.learning.lessons.course import LessonCourse
from chronotable_host.learning.puzzles.course import PuzzleCourse
from chronotable_host.learning.puzzles.standing import asked_number
from chronotable_host.rules.record import Record
from ttykm import objects


def course_of(lesson: int | None, puzzle: str | None, archive: Path | None) -> TableCourse | None:
    """Return what was asked for, None for nothing; raises UserError and OSError."""
    if lesson is not None and puzzle is not None:
        raise UserError(tr("--lesson and --puzzle: one after the other; leave one of them out"))
    if lesson is not None:
        return LessonCourse(lesson)
    if puzzle is None:
        return None
    folder = Archive(archive).folder
    return PuzzleCourse(folder, asked_number(puzzle, folder))


def record_named(archive: Archive, name: str) -> Record:
    """Return a game as `show` takes it; raises UserError, also for a chapter that is locked."""
    with chapters.discretion(name):
        record = archive.read(archive.get(name)).record
        chapters.require(objects.modules_of(record.start), record.options)
    return record
