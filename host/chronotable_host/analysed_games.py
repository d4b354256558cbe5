"""Analyses of archived games: searched as far as that was not done, and written into the record."""

from collections.abc import Callable
from typing import NamedTuple

from chronotable_host import chapters
from chronotable_host.archive.files import GameFile
from chronotable_host.archive.store import Archive
from chronotable_host.engine.analysis import Analyst
from chronotable_host.engine.levels import LEVELS
from chronotable_host.engine.thinkers import LEVEL, parse_program
from chronotable_host.rules.annotations import ANNOTATOR, Annotation, read_annotations
from chronotable_host.rules.record import Record
from ttykm import objects


class AnalysedGame(NamedTuple):
    """A game, and what each of its turns was worth."""

    id: str
    record: Record
    said: list[Annotation]


def annotator_of(level: int) -> str:
    """Return who a record says analysed it, by what a level finds and looks at once more.

    Before claims were checked it was the level alone: such an analysis is made anew.
    """
    return f"{parse_program(f'{LEVEL}{level}').record_name}, checked"


def analyse(
    archive: Archive,
    name: str,
    level: int,
    progress: Callable[[int, int, str], None],
    look: Callable[[], None] = lambda: None,
) -> AnalysedGame:
    """Analyse a game of the archive as far as that was not done, and write it into its record.

    `progress` hears how many turns are done, of how many, and of which game; `look` is called now
    and then. Interrupted, also by what these raise, it writes what it has; the next time it goes
    on there. Raises UserError, and what reading and writing raise.
    """
    annotator = annotator_of(level)
    entry = archive.get(name)
    with GameFile.resume(archive.path(entry)) as file:
        record = file.record
        chapters.require(objects.modules_of(record.start), record.options)
        is_same = record.headers.get(ANNOTATOR) == annotator
        said = read_annotations(record.comments) if is_same else []
        known = len(said)
        analyst = Analyst(record.start, record.options, LEVELS[level - 1], look)
        try:
            for judged in analyst.judge(record.turns, known):
                said.append(judged.annotation())
                progress(len(said), len(record.turns), entry.id)
        finally:
            if len(said) > known or not is_same:
                file.annotate(said, annotator)
        return AnalysedGame(entry.id, record, said)
