"""Starts the page's server for `try` and `play`, and prints its addresses."""

from __future__ import annotations

import logging
import webbrowser
from pathlib import Path

from chronotable_host.output import say
from chronotable_host.web.addresses import LOOPBACK, parse_listen
from chronotable_host.web.page import Page
from chronotable_host.web.reading import GamesElsewhere
from chronotable_host.web.server import PageServer


def serve(
    page: Page,
    archive: Path | None,
    listen: str | None,
    no_browser: bool,
) -> PageServer:
    """Serve a page and say where; raises UserError where that cannot be."""
    host, port = (LOOPBACK, 0) if listen is None else parse_listen(listen)
    server = PageServer(page.hub, GamesElsewhere(archive), page.board_svg, host, port)
    _tell_of_refusals()
    server.start()
    say(f"The page: {server.url}")
    for url in server.urls:
        say(f"  for others in this network: {url}")
    if not no_browser:
        webbrowser.open(server.url)
    return server


def _tell_of_refusals() -> None:
    """Print on stderr what the page refuses; the page logs that seldom enough."""
    log = logging.getLogger("chronotable.page")
    if not log.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("page: %(message)s"))
        log.addHandler(handler)
        log.setLevel(logging.INFO)
        log.propagate = False
