"""`play`: the real table, mirrored, shown and logged."""

from __future__ import annotations

import json
import math
import sys
import time
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Annotated

import typer

from chronotable_host import chapters
from chronotable_host.chosen import choose_drawn
from chronotable_host.commands.chosen import DrawNumber, ModulesName, WithChapters
from chronotable_host.commands.paging import Listen, NoBrowser, PageServed
from chronotable_host.commands.shared import (
    ArchiveFolder,
    Json,
    PortName,
    TableId,
    console,
    is_terminal,
)
from chronotable_host.errors import printable
from chronotable_host.said import say

if TYPE_CHECKING:
    from chronotable_host.commands.typed import Typed
    from chronotable_host.live.mirror import Happening, Mirror
    from chronotable_host.live.player import Player
    from chronotable_host.live.search import Ask

app = typer.Typer()

_ONCE_PATIENCE_S = 30.0
_PICTURE_S = 0.25  # after a turn the LEDs change within this time
_NO = 1

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


@app.command(cls=WithChapters)
def play(
    port: PortName = "auto",
    table: TableId = "",
    white: Annotated[str | None, typer.Option(metavar="NAME", help="Who plays white.")] = None,
    black: Annotated[str | None, typer.Option(metavar="NAME", help="Who plays black.")] = None,
    modules: ModulesName = None,
    draw: DrawNumber = None,
    archive: ArchiveFolder = None,
    settings: Settings = None,
    events: KeepEvents = False,
    as_json: Json = False,
    page: PageServed = None,
    listen: Listen = None,
    no_browser: NoBrowser = False,
    once: Annotated[bool, typer.Option("--once", help="End when a game is over.")] = False,
    patience: Annotated[
        float | None,
        typer.Option(
            min=0,
            metavar="SECONDS",
            help="Give up on a table that is away for so long; else never, with --once after 30.",
        ),
    ] = None,
) -> int:
    """Mirror, show and log the game on a real table; while it runs, type `help` for commands."""
    from chronotable_host.archive.store import Archive  # noqa: PLC0415 - half of the commands
    from chronotable_host.commands.desk import Desk  # noqa: PLC0415
    from chronotable_host.commands.typed import Typed  # noqa: PLC0415
    from chronotable_host.live.audience import Audience  # noqa: PLC0415
    from chronotable_host.live.mirror import Mirror  # noqa: PLC0415
    from chronotable_host.live.player import Player  # noqa: PLC0415
    from chronotable_host.live.search import Search  # noqa: PLC0415
    from chronotable_host.live.session import Session  # noqa: PLC0415
    from chronotable_host.live.settings import parse_settings, spelled  # noqa: PLC0415

    chosen = choose_drawn(modules, draw)
    start = chosen.start()
    wanted = parse_settings(settings or ())
    typed = Typed(sys.stdin)
    search = Search(port, table, _asking(typed) if is_terminal() else None)
    if patience is None:
        patience = _ONCE_PATIENCE_S if once else math.inf
    names = {"White": white, "Black": black}
    headers = {**{name: value for name, value in names.items() if value}, **chosen.headers}
    with Archive(archive) as games, ExitStack() as closing:
        show = Show(as_json)
        audience = Audience()
        audience.add(show.hear)
        mirror = Mirror(audience.tell, games, headers, resumes=True, keeps_events=events)
        closing.callback(mirror.close)
        session = Session(mirror, lock=chapters)
        player = show.player = Player(session, search, audience.tell, patience)
        closing.callback(player.close)
        is_done = Desk(show, player, typed, once, wanted, start).is_done
        if is_terminal() or listen is not None if page is None else page:
            from chronotable_host.commands.mirrored import MirroredPage  # noqa: PLC0415

            mirrored = MirroredPage(player, audience, spelled(wanted), archive)
            closing.enter_context(mirrored.served(listen, no_browser))
            is_done = mirrored.beside(is_done)
        with suppress(KeyboardInterrupt):
            player.run(is_done)
        closing.close()
        _say_where(mirror, player)
    return _NO if once and not mirror.ended else 0


def _asking(typed: Typed) -> Ask:
    from chronotable_host.commands.typed import ask_which  # noqa: PLC0415
    from chronotable_host.live.port import is_in_use  # noqa: PLC0415

    return lambda candidates: ask_which(candidates, typed, is_in_use)


def _say_where(mirror: Mirror, player: Player) -> None:
    """Say where the game is, and whether it can be gone on with."""
    if mirror.file is None:
        return
    result = mirror.file.record.headers["Result"]
    again = "; `chronotable play` goes on with it" if result == "*" else ""
    times = f"; interruptions of the line: {player.losses}" if player.losses else ""
    say(f"record: {mirror.file.path}{again}{times}")
    if mirror.events.path is not None:
        say(f"events: {mirror.events.path}")


class Show:
    """Prints what happens, as JSON lines or for people."""

    def __init__(self, as_json: bool) -> None:
        self.player: Player | None = None
        self._as_json = as_json
        self._console = console()
        self._picture_due_s = math.inf
        self._boards: set[str] = set()

    @property
    def mirror(self) -> Mirror | None:
        """What is known of the table's game."""
        return None if self.player is None else self.player.session.mirror

    def hear(self, happening: Happening) -> None:
        """Print one happening."""
        from chronotable_host.live.telling import sentences  # noqa: PLC0415

        if "connected" in happening:
            happening = self._meet(happening)
        if self._as_json:
            print(json.dumps(happening), flush=True)
            return
        if "leds" in happening and self._picture_due_s != math.inf:
            self._picture_due_s = 0
        if {"turn", "started", "joined", "taken_back"} & happening.keys():
            self._picture_due_s = time.monotonic() + _PICTURE_S
        if self.mirror is not None and happening.get("refused") == self.mirror.refusal:
            return  # it is said at the end
        for kind, line in sentences(happening, None if self.mirror is None else self.mirror.game):
            style = "bold" if kind in ("turn", "game_over") else ""
            self._console.print(printable(line), style=style)

    def refresh(self) -> None:
        """Draw the table, once the LEDs show the new turn."""
        from chronotable_host.live.picture import highlights, legend  # noqa: PLC0415
        from chronotable_host.text import can_draw_lines, draw  # noqa: PLC0415

        if self.mirror is None or time.monotonic() < self._picture_due_s:
            return
        self._picture_due_s = math.inf
        leds = self.mirror.leds
        lines = can_draw_lines(sys.stdout.encoding)
        self._console.print(draw(self.mirror.game.state, highlights(leds), lines))
        if any(leds):
            self._console.print(" LEDs: " + legend(leds), style="dim")

    def show_status(self, player: Player) -> None:
        """Print how table and line are."""
        from chronotable_host.live.status import status_lines, status_of  # noqa: PLC0415

        status = status_of(player)
        if self._as_json:
            self.hear({"t_ms": player.now_ms, "status": status})
            return
        for line in status_lines(status):
            self._console.print(line)

    def _meet(self, happening: Happening) -> Happening:
        """Return the happening with who is there; remark on a board that is not known here."""
        from chronotable_host import boards  # noqa: PLC0415

        peer = None if self.mirror is None else self.mirror.peer
        if self.player is None or peer is None:
            return happening
        if peer.board_name not in self._boards:
            self._boards.add(peer.board_name)
            if peer.board_name not in [name[:12] for name in boards.names()]:
                board = printable(peer.board_name)
                say(f"the board '{board}' is not known here; that does no harm")
        return {**happening, "table": peer.unique_id, "port": self.player.name}
