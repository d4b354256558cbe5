"""What `analyse` does: searches what was not searched yet, writes it down, and tells it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from chronotable_host import chapters
from chronotable_host.archive.files import GameFile, Progress
from chronotable_host.archive.store import Archive
from chronotable_host.engine.analysis import Analyst, value_of
from chronotable_host.engine.chances import chance_of
from chronotable_host.engine.seats import player_name
from chronotable_host.errors import printable
from chronotable_host.language import names, tr
from chronotable_host.rules.annotations import (
    ANNOTATOR,
    ERRORS,
    INACCURACY,
    MARKS,
    Annotation,
    read_annotations,
)
from chronotable_host.rules.notation import PLAYERS, format_turn
from chronotable_host.rules.record import Record
from ttykm import layout, objects
from ttykm.layout import BLACK, WHITE

_MARKS = {
    "best": tr("best"),
    "only": tr("the only good turn"),
    "good": tr("good"),
    "inaccuracy": tr("inaccuracy"),
    "mistake": tr("mistake"),
    "blunder": tr("blunder"),
    "missed-win": tr("missed win"),
}


class Analysed(NamedTuple):
    """A game, and what each of its turns was worth."""

    id: str
    record: Record
    said: list[Annotation]

    def turns(self, player: int) -> list[Annotation]:
        """Return what is said of a player's turns."""
        first = layout.mover(self.record.start)
        return self.said[(player - first) % 2 :: 2]

    def lines(self) -> Iterator[str]:
        """Yield what people read: how each played, and the turns that could have been better."""
        headers = self.record.headers
        title = f"{headers['White']} - {headers['Black']}, {headers['Result']}"
        yield printable(f"{self.id}: {title} ({headers[ANNOTATOR]})")
        for player in (WHITE, BLACK):
            marks = [each.mark for each in self.turns(player)]
            counts = [f"{_MARKS[mark]} {marks.count(mark)}" for mark in MARKS if mark in marks]
            told = ", ".join(counts) or tr("no turn")
            yield f"  {names.PLAYERS[player]}: {told}"
        for number, (turn, said) in enumerate(zip(self.record.turns, self.said, strict=True), 1):
            if said.mark not in (INACCURACY, *ERRORS):
                continue
            better = format_turn(said.best[0]) if said.best else "?"
            yield "  " + tr(
                "{number}. {turn}: {mark}; better is {better} ({value} instead of {now})",
                number=number,
                turn=format_turn(turn),
                mark=_MARKS[said.mark],
                better=better,
                value=said.best_value,
                now=said.value,
            )

    def as_json(self) -> dict[str, Any]:
        """Return what programs read; chances are White's, 0 to 1."""
        modules = objects.modules_of(self.record.start)

        def chance(value: str) -> float:
            return round(chance_of(value_of(value, WHITE), modules), 4)

        first = layout.mover(self.record.start)
        return {
            "id": self.id,
            "annotator": self.record.headers[ANNOTATOR],
            "turns": [
                {
                    "number": number,
                    "player": PLAYERS[(first + number - 1) % 2],
                    "turn": format_turn(turn),
                    "mark": said.mark,
                    "value": said.value,
                    "chance": chance(said.value),
                    "best_value": said.best_value or said.value,
                    "best_chance": chance(said.best_value or said.value),
                    "best": [format_turn(each) for each in said.best],
                }
                for number, (turn, said) in enumerate(
                    zip(self.record.turns, self.said, strict=True), 1
                )
            ],
        }


def analysed(
    name: str, level: int, folder: Path | None, url: str | None, progress: Progress
) -> Analysed:
    """Analyse a game of the archive as far as that was not done, and write it into its record.

    Interrupted, it writes what it has; the next time it goes on there. Raises UserError, and what
    reading and writing raise.
    """
    annotator = player_name(f"level:{level}")
    with chapters.discretion(name), Archive(folder, url, progress) as archive:
        entry = archive.get(name)
        with GameFile.resume(archive.path(entry)) as file:
            record = file.record
            chapters.require(objects.modules_of(record.start), record.options)
            is_same = record.headers.get(ANNOTATOR) == annotator
            said = read_annotations(record.comments) if is_same else []
            known = len(said)
            analyst = Analyst(record.start, record.options, level)
            what = tr("analysing {game}", game=entry.id)
            try:
                for judged in analyst.judge(record.turns, known):
                    said.append(judged.annotation())
                    progress(len(said), len(record.turns), what)
            finally:
                if len(said) > known or not is_same:
                    file.annotate(said, annotator)
            return Analysed(entry.id, record, said)
