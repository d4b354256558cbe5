"""Starts the page's server for `try` and `play`, and prints its addresses."""

from __future__ import annotations

import logging
import sys
import webbrowser
from functools import partial
from pathlib import Path

import segno

from chronotable_host.commands.shared import is_terminal
from chronotable_host.language import tr
from chronotable_host.language.names import PLAYERS
from chronotable_host.night.app import replay_folders
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
    server = PageServer(
        page.hub,
        GamesElsewhere(archive),
        page.board_svg,
        host,
        port,
        guests=page.guests,
        folders=replay_folders(),
    )
    tell_of_refusals()
    server.start()
    say(tr("The page: {url}", url=server.url))
    for url in server.urls:
        say(tr("  for others in this network: {url}", url=url))
    page.guests.open_at(server.guest_url, partial(_invite, server.is_beyond))
    if not no_browser:
        webbrowser.open(server.url)
    return server


def _invite(is_beyond: bool, side: int, link: str) -> None:
    """Print the link to a seat, in a terminal as a QR code, too."""
    say(
        tr(
            "{player} is played by whoever opens this link: {link}",
            player=PLAYERS[side],
            link=link,
        )
    )
    if not is_beyond:
        say(tr("  It leads here from this PC only; `--listen 0.0.0.0` makes links for others."))
    elif is_terminal():
        segno.make(link, micro=False).terminal(out=sys.stderr, compact=True)


def tell_of_refusals() -> None:
    """Print on stderr what the page refuses; the page logs that seldom enough."""
    log = logging.getLogger("chronotable.page")
    if not log.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("page: %(message)s"))
        log.addHandler(handler)
        log.setLevel(logging.INFO)
        log.propagate = False
