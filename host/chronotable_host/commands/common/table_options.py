"""The options of commands that play at a table, real or virtual."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A setting of the table, as brightness=night or hints_black=off; may be repeated.",
    ),
]
KeepEvents = Annotated[
    bool,
    typer.Option(
        "--events", help="Keep what the reeds felt, too, as a script for `chronotable table`."
    ),
]
ClockTimes = Annotated[
    str | None,
    typer.Option(
        metavar="MINUTES[+SECONDS]",
        help="Time for a game, and more for each turn, as 5+3, or 5+3,10+5 for white and black.",
    ),
]
BoardName = Annotated[
    str, typer.Option("--board", metavar="NAME", help="A board's name, or a board file.")
]
RuntimeName = Annotated[
    str, typer.Option("--runtime", metavar="cpython|rp2040", help="Where the firmware runs.")
]
Image = Annotated[
    Path | None,
    typer.Option("--image", metavar="UF2", help="A MicroPython image, for the emulated RP2040."),
]
