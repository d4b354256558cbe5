"""`play`: the real table, mirrored, shown and logged."""

from typing import Annotated, NamedTuple

import typer

from chronotable_host.commands.common.options import (
    ArchiveFolder,
    ClockTimes,
    ClubBroker,
    ClubName,
    ClubToken,
    DrawNumber,
    GameToAnalyse,
    HintSides,
    Json,
    KeepEvents,
    LessonNumber,
    Listen,
    ModulesName,
    NoBrowser,
    PageServed,
    PortName,
    PuzzleName,
    Settings,
    TableId,
    WithChapters,
    takes,
)

app = typer.Typer()


Player = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|level:1..8|level:you|random|engine:PATH|guest|table[:easy|:medium]",
        help="Who plays this side: the name of a person, or who else; the table then lights that"
        " player's turns, and hands carry them out.",
    ),
]


class PlayArguments(NamedTuple):
    """What `play` takes."""

    port: PortName = "auto"
    table: TableId = ""
    white: Player = None
    black: Player = None
    modules: ModulesName = None
    draw: DrawNumber = None
    clock: ClockTimes = None
    hints: HintSides = None
    lesson: LessonNumber = None
    puzzle: PuzzleName = None
    analyse: GameToAnalyse = None
    archive: ArchiveFolder = None
    settings: Settings = None
    events: KeepEvents = False
    as_json: Json = False
    page: PageServed = None
    listen: Listen = None
    no_browser: NoBrowser = False
    club: ClubBroker = None
    token: ClubToken = None
    club_name: ClubName = None
    once: Annotated[
        bool, typer.Option("--once", help="End when a game, or the lesson, is over.")
    ] = False
    patience: Annotated[
        float | None,
        typer.Option(
            min=0,
            metavar="SECONDS",
            help="Give up on a table that is away for so long; else never, with --once after 30.",
        ),
    ] = None


@app.command(cls=WithChapters)
@takes(PlayArguments)
def play(arguments: PlayArguments) -> int:
    """Mirror, show and log the game on a real table; while it runs, type `help` for commands."""
    from chronotable_host.commands.play_work import follow  # noqa: PLC0415

    return follow(arguments)
