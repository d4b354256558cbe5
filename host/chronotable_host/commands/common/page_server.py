"""Starts the page's server for `try` and `play`, and prints its addresses."""

import logging
import sys
import webbrowser
from pathlib import Path

import segno

from chronotable_host.commands.common.terminal import is_terminal
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.language.names import PLAYERS
from chronotable_host.output import say
from chronotable_host.packages import nights
from chronotable_host.web.http.addresses import EVERYWHERE, LOOPBACK, parse_listen
from chronotable_host.web.http.server import PageBeyond, PageServer, Reach
from chronotable_host.web.page import Page
from chronotable_host.web.study.reading import GamesElsewhere


def serve(page: Page, archive: Path | None, listen: str | None, no_browser: bool) -> Reach:
    """Serve a page as long as its desk is open, and say where; raises UserError, if it cannot."""
    folders = nights().folders()

    def started(kind: type[PageServer], host: str, port: int) -> PageServer:
        server = kind(
            page.hub,
            GamesElsewhere(archive),
            page.board_svg,
            host,
            port,
            guests=page.guests,
            folders=folders,
        )
        server.start()
        return server

    def beyond() -> PageServer:
        server = started(PageBeyond, EVERYWHERE, 0)
        if not server.is_beyond:
            server.close()
            raise UserError(tr("this computer is in no network that others could come from"))
        _tell_others(server)
        return server

    tell_of_refusals()
    server = started(PageServer, *((LOOPBACK, 0) if listen is None else parse_listen(listen)))
    say(tr("The page: {url}", url=server.url))
    _tell_others(server)
    reach = page.service.reach = Reach(page.guests, server, beyond, _invite)
    page.desk.callback(reach.close)
    if not no_browser:
        webbrowser.open(server.url)
    return reach


def _tell_others(server: PageServer) -> None:
    for url in server.urls:
        say(tr("  for others in this network: {url}", url=url))


def _invite(is_beyond: bool, side: int, link: str) -> None:
    """Print the link to a seat, in a terminal as a QR code, too."""
    say(
        tr("{player} is played by whoever opens this link: {link}", player=PLAYERS[side], link=link)
    )
    if not is_beyond:
        say(
            tr(
                "  It leads here from this PC only; a button of the page lets others in, or "
                "`--listen 0.0.0.0`."
            )
        )
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
