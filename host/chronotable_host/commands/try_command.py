"""`try`: a virtual table, no hardware needed."""

from typing import Annotated, NamedTuple

import typer

from chronotable_host.commands.common.options import (
    ArchiveFolder,
    BoardName,
    ClubBroker,
    ClubName,
    ClubToken,
    GameOptions,
    GameToAnalyse,
    HintSides,
    Image,
    KeepEvents,
    LessonNumber,
    Listen,
    ModulesName,
    NoBrowser,
    PuzzleName,
    RuntimeName,
    Settings,
    WithChapters,
    takes,
)

app = typer.Typer()

PlayerName = Annotated[
    str | None,
    typer.Option(
        metavar="me|hands|level:1..8|level:you|random|engine:PATH|guest",
        help="Who plays this side: you, you with the pieces in the hand, the built-in player at one"
        " of its levels or at the one for your last ten results, chance, a program that speaks the"
        " engine protocol, or whoever opens a link. Else level:3; on the page you have white, and"
        " it is level:1 until a game is finished, then level:you.",
    ),
]


class TryArguments(NamedTuple):
    """What `try` takes."""

    lesson: LessonNumber = None
    puzzle: PuzzleName = None
    analyse: GameToAnalyse = None
    hints: HintSides = None
    headless: Annotated[
        bool, typer.Option("--headless", help="In this terminal, without the page.")
    ] = False
    white: PlayerName = None
    black: PlayerName = None
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Repeat the built-in players' choices.")
    ] = None
    turns: Annotated[
        int, typer.Option(min=1, metavar="N", help="With --headless: stop after so many turns.")
    ] = 1000
    quiet: Annotated[
        bool, typer.Option("--quiet", help="With --headless: only say how the game ended.")
    ] = False
    modules: ModulesName = None
    option: GameOptions = None
    runtime: RuntimeName = "cpython"
    image: Image = None
    board: BoardName = "reference"
    settings: Settings = None
    events: KeepEvents = False
    listen: Listen = None
    no_browser: NoBrowser = False
    archive: ArchiveFolder = None
    club: ClubBroker = None
    token: ClubToken = None
    club_name: ClubName = None


@app.command(name="try", cls=WithChapters)
@takes(TryArguments)
def try_(arguments: TryArguments) -> int:
    """Play on a virtual table: hands lift and place, the firmware understands, the page shows."""
    from chronotable_host.commands.try_work import play_on  # noqa: PLC0415

    return play_on(arguments)
