"""`analyse`: what the turns of archived games were worth."""

from __future__ import annotations

from typing import Annotated

import typer

from chronotable_host.commands.archive import DatabaseUrl
from chronotable_host.commands.shared import ArchiveFolder, Busy, Json, print_json
from chronotable_host.engine.analysis import LEAST_LEVEL
from chronotable_host.engine.levels import LEVELS
from chronotable_host.language import tr

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
    from chronotable_host.commands import analysis_work as work  # noqa: PLC0415

    with Busy(tr("analysing")) as busy:
        found = [work.analysed(name, level, folder, url, busy.report) for name in games]
    if as_json:
        print_json([each.as_json() for each in found])
        return
    for each in found:
        print("\n".join(each.lines()))
