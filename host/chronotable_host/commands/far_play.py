"""A game far apart at a real table: mirrored, shown, and kept together with the log."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from chronotable.frames import LocalLinkError
from chronotable_host import chapters
from chronotable_host.commands.far_control import COMMANDS, QUIT, FarControl
from chronotable_host.commands.play_work import GameScreen, asking
from chronotable_host.commands.shared import is_terminal
from chronotable_host.commands.typed_lines import TypedLines
from chronotable_host.errors import UserError, printable
from chronotable_host.far.table import FarTable
from chronotable_host.language import tr
from chronotable_host.live.desk import Desk
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.port_search import PortSearch
from chronotable_host.live.settings import spelled
from chronotable_host.output import say
from chronotable_host.rules.notation import NotationError

if TYPE_CHECKING:
    from chronotable_host.commands.far import InviteArguments, JoinArguments
    from chronotable_host.commands.far_work import Meeting

_AT_TABLE = tr("a, b, c, none (answers), set brightness=night, status")


def play_at_table(
    arguments: InviteArguments | JoinArguments, meeting: Meeting, settings: dict[str, int]
) -> int:
    """Play at the table on the USB cable until that is ended; return the exit status."""
    typed = TypedLines(sys.stdin)
    search = PortSearch(arguments.port, "", asking(typed) if is_terminal() else None)
    has_page = arguments.page
    if has_page is None:
        has_page = is_terminal() or arguments.listen is not None
    with Desk(meeting.archive, resumes=True, lock=chapters) as desk:
        desk.connect(search)
        screen = GameScreen(desk, False)
        desk.seat()
        far = FarTable(
            *(desk, meeting.room, meeting.client, partial(_board_of, desk.mirror)),
            here=meeting.here,
            laid=meeting.laid,
        )
        control = _Control(desk, far, screen, typed, settings, meeting)
        if has_page:
            from chronotable_host.commands.page_server import serve  # noqa: PLC0415
            from chronotable_host.commands.play_page import MirroredPage  # noqa: PLC0415
            from chronotable_host.web.far import FarDesk  # noqa: PLC0415

            page = MirroredPage(desk, arguments.archive, spelled(settings))
            page.play_far(FarDesk(far, desk.mirror, meeting.link))
            serve(page, arguments.archive, arguments.listen, arguments.no_browser)
        desk.run(control.is_done)
    return 0


def _board_of(mirror: Mirror) -> str:
    peer = mirror.table.peer
    return "?" if peer is None else peer.board_name


class _Control:
    """Does what is typed, between two exchanges with the table."""

    def __init__(
        self,
        desk: Desk,
        far: FarTable,
        screen: GameScreen,
        typed: TypedLines,
        settings: dict[str, int],
        meeting: Meeting,
    ) -> None:
        self._desk = desk
        self._screen = screen
        self._typed = typed
        self._settings = desk.session.settings = settings
        self._typed_far = FarControl(far, meeting.tell_link)

    def is_done(self) -> bool:
        """Do what is due and tell whether to end; raises UserError, OSError."""
        self._screen.refresh()
        while (line := self._typed.take()) is not None:
            if line.strip().lower() in QUIT:
                return True
            try:
                self._obey(line)
            except (LocalLinkError, NotationError, UserError) as error:
                say(str(error))
        return False

    def _obey(self, line: str) -> None:
        if self._typed_far.obey(line):
            return
        match line.lower().split():
            case []:
                pass
            case ["a" | "b" | "c" as choice]:
                self._desk.session.command("answer", choice=choice)
            case ["none"]:
                self._desk.session.command("answer", choice="n")
            case ["set", *words] if words:
                from chronotable_host.live.settings import parse_settings  # noqa: PLC0415

                wanted = parse_settings(words)
                self._settings.update(wanted)
                self._desk.session.set(wanted)
            case ["status"] if self._desk.connection is not None:
                self._screen.show_status(self._desk.connection)
            case ["help" | "?"]:
                say(tr("commands: {commands}", commands=f"{COMMANDS}; {_AT_TABLE}"))
            case _:
                say(
                    tr(
                        "'{typed}' is no command; there are {commands}",
                        typed=printable(line.strip()),
                        commands=f"{COMMANDS}; {_AT_TABLE}",
                    )
                )
