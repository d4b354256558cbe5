"""`engine` and `match`: the built-in player for other programs, and players against each other."""

from __future__ import annotations

from typing import Annotated

import typer

from chronotable_host.commands.game_options import ModulesName, WithChapters
from chronotable_host.commands.shared import Busy, GameOptions, Json, option_bits, print_json
from chronotable_host.language import tr, tr_c

app = typer.Typer()

SeatName = Annotated[
    str,
    typer.Argument(metavar="PLAYER", help="level:1 to level:8, random, or engine:PATH."),
]


@app.command()
def engine() -> int:
    """Speak the engine protocol on stdin and stdout, for programs; `quit` ends it."""
    from chronotable_host.commands.engine_work import serve  # noqa: PLC0415

    return serve()


@app.command(cls=WithChapters)
def match(
    first: SeatName,
    second: SeatName,
    games: Annotated[
        int, typer.Option(min=1, max=100_000, metavar="N", help="How many games are played.")
    ] = 20,
    openings: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Positions to begin with, one a line, `-` for stdin; else random ones.",
        ),
    ] = None,
    limits: Annotated[
        str,
        typer.Option(
            "--go",
            metavar="LIMITS",
            help="How long they think, as in 'nodes 3000' or 'movetime 1000'; else as they like.",
        ),
    ] = "",
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="LOW,HIGH",
            help="End as soon as it is clear which of two differences in Elo is the true one.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Of openings and of chance.")] = 0,
    jobs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Games at a time; else as many as cores.")
    ] = None,
    modules: ModulesName = None,
    option: GameOptions = None,
    as_json: Json = False,
) -> int:
    """Have two players play a match: each opening twice, with the sides swapped."""
    from chronotable_host.commands import engine_work as work  # noqa: PLC0415

    settings = work.settings_of(
        first, second, games, openings, modules, option_bits(option), limits, sprt, seed, jobs
    )
    with Busy(tr("playing")) as busy:
        found = work.play_match(
            settings, lambda done: busy.report(done, games, tr_c("being counted", "games"))
        )
    if as_json:
        print_json(found.as_json())
    else:
        for line in found.lines():
            print(line)
    return 0
