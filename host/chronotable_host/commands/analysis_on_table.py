"""A game of the archive for an analysis on the table, as it is named where commands are typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chronotable_host import chapters
from chronotable_host.rules.record import Record
from ttykm import objects

if TYPE_CHECKING:
    from chronotable_host.archive.store import Archive


def record_named(archive: Archive, name: str) -> Record:
    """Return a game as `show` takes it; raises UserError, also for a chapter that is locked."""
    with chapters.discretion(name):
        record = archive.read(archive.get(name)).record
        chapters.require(objects.modules_of(record.start), record.options)
    return record
