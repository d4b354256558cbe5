"""The options of commands that serve the page."""

from __future__ import annotations

from typing import Annotated

import typer

Listen = Annotated[
    str | None,
    typer.Option(
        metavar="HOST[:PORT]",
        help="Serve the page to others, too, as 0.0.0.0:8484; the link that is printed lets in.",
    ),
]
PageServed = Annotated[
    bool | None,
    typer.Option("--page/--no-page", help="Serve the page; in a terminal it is, else not."),
]
NoBrowser = Annotated[
    bool, typer.Option("--no-browser", help="Open no browser, only say where the page is.")
]
