"""A game of the archive for an analysis on the table, as it is named where commands are typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from chronotable_host import chapters
from chronotable_host.live.table_analysis import TableAnalysis
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


class TypedAnalysis:
    """An analysis that is led by what is typed: `find` returns the game of a name."""

    def __init__(self, analysis: TableAnalysis, find: Callable[[str], Record]) -> None:
        self.analysis = analysis
        self._find = find

    def obey(self, words: list[str]) -> bool:
        """Do what a line asks of it; return whether it is about an analysis. Raises UserError."""
        match words:
            case ["analyse", name]:
                self.analysis.begin(self._find(name))
            case ["turn", number] if number.isascii() and number.isdecimal():
                self.analysis.go(int(number[:6]))
            case ["back"]:
                self.analysis.back()
            case ["forth"]:
                self.analysis.forth()
            case _:
                return False
        return True
