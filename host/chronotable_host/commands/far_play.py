"""A game far apart at a real table: mirrored, shown, and kept together with the log."""

from __future__ import annotations

import sys
from contextlib import ExitStack, suppress
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
from chronotable_host.live.audience import Audience
from chronotable_host.live.connection import TableConnection, TableError
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.port import PortError
from chronotable_host.live.port_search import PortSearch
from chronotable_host.live.seated import Seated
from chronotable_host.live.session import Session
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
    with ExitStack() as closing:
        screen = GameScreen(False)
        audience = Audience()
        mirror = Mirror(audience.tell, meeting.archive, resumes=True)
        closing.callback(mirror.close)
        session = Session(mirror, lock=chapters)
        connection = TableConnection(session, search, audience.tell)
        screen.connection = connection
        closing.callback(connection.close)
        seated = Seated(session, audience.tell)
        closing.callback(seated.close)
        far = FarTable(
            *(session, seated, meeting.room, meeting.client, meeting.archive),
            partial(_board_of, mirror),
            audience.tell,
            here=meeting.here,
            laid=meeting.laid,
        )
        for listener in (far.hear, screen.hear, seated.hear):  # the log has a turn before anybody
            audience.add(listener)
        control = _Control(far, seated, connection, screen, typed, settings, meeting)
        is_done = control.is_done
        if has_page:
            from chronotable_host.commands.play_page import MirroredPage  # noqa: PLC0415
            from chronotable_host.web.far import FarDesk  # noqa: PLC0415

            mirrored = MirroredPage(
                connection, audience, seated, far.clocks, spelled(settings), arguments.archive
            )
            mirrored.page.play_far(FarDesk(far, mirror, meeting.link))
            closing.enter_context(mirrored.served(arguments.listen, arguments.no_browser))
            is_done = mirrored.beside(is_done)
        with suppress(KeyboardInterrupt):
            connection.run(is_done)
        seated.close()
        with suppress(KeyboardInterrupt, TableError, PortError):
            connection.settle()
    return 0


def _board_of(mirror: Mirror) -> str:
    peer = mirror.table.peer
    return "?" if peer is None else peer.board_name


class _Control:
    """Does what is due, and what is typed, between two exchanges with the table."""

    def __init__(
        self,
        far: FarTable,
        seated: Seated,
        connection: TableConnection,
        screen: GameScreen,
        typed: TypedLines,
        settings: dict[str, int],
        meeting: Meeting,
    ) -> None:
        self._far = far
        self._seated = seated
        self._connection = connection
        self._screen = screen
        self._typed = typed
        self._settings = connection.session.settings = settings
        self._typed_far = FarControl(far, meeting.tell_link)

    def is_done(self) -> bool:
        """Do what is due and tell whether to end; raises UserError, OSError."""
        now_ms = self._connection.now_ms
        self._far.step(now_ms)
        self._seated.step(now_ms)
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
                self._connection.session.command("answer", choice=choice)
            case ["none"]:
                self._connection.session.command("answer", choice="n")
            case ["set", *words] if words:
                from chronotable_host.live.settings import parse_settings  # noqa: PLC0415

                wanted = parse_settings(words)
                self._settings.update(wanted)
                self._connection.session.set(wanted)
            case ["status"]:
                self._screen.show_status(self._connection)
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
