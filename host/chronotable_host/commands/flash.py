"""`flash`: the firmware on the table, installed or brought up to date."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from chronotable_host.commands.arguments import takes
from chronotable_host.commands.shared import Json, PortName, TableId

app = typer.Typer()

BoardName = Annotated[
    str | None,
    typer.Option(
        "--board",
        metavar="NAME",
        help="A board's name, or a board file; else the table keeps its own.",
    ),
]


class FlashArguments(NamedTuple):
    """What `flash` takes."""

    port: PortName = "auto"
    table: TableId = ""
    board: BoardName = None
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would change, and change nothing.")
    ] = False
    downgrade: Annotated[
        bool, typer.Option("--downgrade", help="Install an older version than the table has.")
    ] = False
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False
    image: Annotated[
        Path | None,
        typer.Option(
            metavar="UF2",
            help="MicroPython for a Pico in BOOTSEL mode, or for one whose MicroPython is too old.",
        ),
    ] = None
    bootsel: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="The drive of the Pico in BOOTSEL mode."),
    ] = None
    patience: Annotated[
        float,
        typer.Option(
            min=20,
            metavar="SECONDS",
            help="How long the Pico may be silent, and the new firmware take to prove healthy.",
        ),
    ] = 60.0
    as_json: Json = False


@app.command()
@takes(FlashArguments)
def flash(arguments: FlashArguments) -> int:
    """Install the firmware on the table, or update it; games and settings stay."""
    from chronotable_host.commands.flash_work import install  # noqa: PLC0415

    return install(arguments)
