"""`night` and `games-data`: games with hidden hands, played with phones."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import typer

from chronotable_host.commands.arguments import takes
from chronotable_host.commands.page_options import Listen, NoBrowser
from chronotable_host.commands.shared import ArchiveFolder, Json, PortName

app = typer.Typer()
data_app = typer.Typer(
    name="games-data",
    no_args_is_help=True,
    help="Data files of games: what no source tells, from an owner's own box.",
)
app.add_typer(data_app)


class NightArguments(NamedTuple):
    """What `night` takes."""

    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="Which game; else it is chosen on the page."),
    ] = None
    players: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="How many play; else as many as come."),
    ] = None
    option: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE", help="An option of the game; may be repeated. The page has them."
        ),
    ] = None
    data: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The data of an owner's own box, as JSON."),
    ] = None
    seed: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="What chance goes by; else nobody knows it."),
    ] = None
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the game that was interrupted last.")
    ] = False
    table: Annotated[
        bool,
        typer.Option("--table", help="Show the game on the table, too, whose lights lead hands."),
    ] = False
    port: PortName = "auto"
    archive: ArchiveFolder = None
    listen: Listen = None
    no_browser: NoBrowser = False


@app.command()
@takes(NightArguments)
def night(arguments: NightArguments) -> int:
    """Play a game with hidden hands, which are phones.

    Any browser is the big screen. With --listen 0.0.0.0 phones in this network can come; the QR
    code leads to a seat.
    """
    from chronotable_night.commands.work import host  # noqa: PLC0415

    return host(arguments)


@data_app.command()
def example(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Which game.")],
) -> int:
    """Print the data that a game has here, to begin the file of your own box with."""
    from chronotable_night.commands.work import print_example  # noqa: PLC0415

    return print_example(game)


@data_app.command()
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The data file; - for stdin.")],
    as_json: Json = False,
) -> int:
    """Say which game a data file is for, and each mistake in it with its place."""
    from chronotable_night.commands.work import check_data  # noqa: PLC0415

    return check_data(file, as_json)
