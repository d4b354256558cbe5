"""The options that all commands of a club have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from chronotable_host.commands.common.options import secret

Folder = Annotated[
    Path | None,
    typer.Option("--folder", metavar="DIR", help="The club's folder; else the user's own."),
]
DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="URL",
        envvar="CHRONOTABLE_CLUB_DB",
        callback=secret,
        help="The club's database, as postgresql+psycopg://club:password@host/club; else a file"
        " in the club's folder.",
    ),
]
