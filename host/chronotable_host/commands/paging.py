"""Serving the page: the options for it, and the server that `try` and `play` open."""

from __future__ import annotations

import logging
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chronotable_host.said import say

if TYPE_CHECKING:
    from chronotable_host.web.page import Page
    from chronotable_host.web.server import PageServer

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


def serve(
    page: Page,
    archive: Path | None,
    listen: str | None,
    no_browser: bool,
) -> PageServer:
    """Serve a page and say where; raises UserError where that cannot be."""
    from chronotable_host.web.addresses import LOOPBACK, parse_listen  # noqa: PLC0415
    from chronotable_host.web.games import Games  # noqa: PLC0415
    from chronotable_host.web.server import PageServer  # noqa: PLC0415

    host, port = (LOOPBACK, 0) if listen is None else parse_listen(listen)
    server = PageServer(page.hub, Games(archive), page.board_svg, host, port)
    _tell_of_refusals()
    server.start()
    say(f"The page: {server.url}")
    for url in server.urls:
        say(f"  for others in this network: {url}")
    if not no_browser:
        webbrowser.open(server.url)
    return server


def _tell_of_refusals() -> None:
    """Have what the page refuses said on stderr, seldom as the page logs it."""
    log = logging.getLogger("chronotable.page")
    if not log.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("page: %(message)s"))
        log.addHandler(handler)
        log.setLevel(logging.INFO)
        log.propagate = False
