"""The options of commands that play at a table which may belong to a club."""

from __future__ import annotations

from typing import Annotated

import typer

from chronotable_host.commands.common.shared import secret

ClubBroker = Annotated[
    str | None,
    typer.Option(
        "--club",
        metavar="mqtts://HOST",
        envvar="CHRONOTABLE_CLUB",
        callback=secret,
        help="Tell a club what this table shows and keeps, through this broker; with --token.",
    ),
]
ClubToken = Annotated[
    str | None,
    typer.Option(
        "--token",
        metavar="TOKEN",
        envvar="CHRONOTABLE_TOKEN",
        callback=secret,
        help="This table's token, as `chronotable club table add` prints it.",
    ),
]
ClubName = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="NAME",
        help="The table's name in the club; the token of another one is told of.",
    ),
]
