"""`analyse`: what the turns of archived games were worth, searched, written down and told."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from chronotable_host import analysed_games, chapters
from chronotable_host.analysed_games import AnalysedGame
from chronotable_host.archive.parsing import Progress
from chronotable_host.archive.store import Archive
from chronotable_host.commands.common.options import ArchiveFolder, DatabaseUrl, Json
from chronotable_host.commands.common.terminal import Busy, print_json
from chronotable_host.engine.analysis import LEAST_LEVEL, white_chance
from chronotable_host.engine.levels import LEVELS
from chronotable_host.errors import printable
from chronotable_host.language import names, tr
from chronotable_host.rules.annotations import ANNOTATOR, ERRORS, INACCURACY, MARKS, Annotation
from chronotable_host.rules.notation import PLAYERS, format_turn
from ttykm import layout, objects
from ttykm.layout import BLACK, WHITE

_MARKS = {
    "best": tr("best"),
    "only": tr("the only good turn"),
    "good": tr("good"),
    "longer-win": tr("a longer win"),
    "inaccuracy": tr("inaccuracy"),
    "mistake": tr("mistake"),
    "blunder": tr("blunder"),
    "missed-win": tr("missed win"),
}

app = typer.Typer()


@app.command()
def analyse(
    games: Annotated[
        list[str], typer.Argument(metavar="GAME...", help="Games, as `show` takes them.")
    ],
    level: Annotated[
        int,
        typer.Option(
            min=LEAST_LEVEL, max=len(LEVELS), metavar="N", help="How far the search looks, 4 to 8."
        ),
    ] = len(LEVELS),
    folder: ArchiveFolder = None,
    url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Find out what each turn of games was worth, and what would have been better.

    It is written into the records; what is there of the same level already is not searched again.
    """
    with Busy(tr("analysing")) as busy:
        found = [analyse_game(name, level, folder, url, busy.report) for name in games]
    if as_json:
        print_json([each.as_json() for each in found])
        return
    for each in found:
        print("\n".join(each.lines()))


class AnalysisReport(AnalysedGame):
    """How a game and its analysis are told: in lines for people, or for programs."""

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
                    "chance": white_chance(said.value, modules),
                    "best_value": said.best_value or said.value,
                    "best_chance": white_chance(said.best_value or said.value, modules),
                    "best": [format_turn(each) for each in said.best],
                }
                for number, (turn, said) in enumerate(
                    zip(self.record.turns, self.said, strict=True), 1
                )
            ],
        }


def analyse_game(
    name: str, level: int, folder: Path | None, url: str | None, progress: Progress
) -> AnalysisReport:
    """Analyse a game of the archive, as `analysed_games.analyse` does; raises what that raises."""

    def report(done: int, turns: int, game: str) -> None:
        progress(done, turns, tr("analysing {game}", game=game))

    with chapters.discretion(name), Archive(folder, url, progress) as archive:
        return AnalysisReport(*analysed_games.analyse(archive, name, level, report))
