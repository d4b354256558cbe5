"""A game far apart on the page: at a virtual table, whose hand carries out what the log has."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from chronotable_host import boards, chapters
from chronotable_host.commands.far_control import COMMANDS, QUIT, FarControl
from chronotable_host.commands.page_server import serve
from chronotable_host.commands.typed_lines import TypedLines
from chronotable_host.engine.person import Person
from chronotable_host.engine.seats import PAGE
from chronotable_host.errors import UserError, printable
from chronotable_host.far.orders import Ways
from chronotable_host.far.table import FarTable
from chronotable_host.language import tr
from chronotable_host.live.audience import Audience
from chronotable_host.live.happening_texts import sentences
from chronotable_host.live.happenings import Happening, Notice
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.session import Session
from chronotable_host.live.settings import spelled
from chronotable_host.output import say
from chronotable_host.virtual import chance
from chronotable_host.virtual.pace import Pace
from chronotable_host.virtual.table import VirtualTable, open_runtime, settings_for
from chronotable_host.web.far import FarDesk
from chronotable_host.web.hand import PageHand
from chronotable_host.web.page import ConnectionState, Page
from ttykm.layout import new_state

if TYPE_CHECKING:
    from chronotable_host.commands.far import InviteArguments, JoinArguments
    from chronotable_host.commands.far_work import Meeting
    from chronotable_host.virtual.chance import Chance

_PAUSE_S = 0.004


def play_on_page(
    arguments: InviteArguments | JoinArguments,
    meeting: Meeting,
    settings: dict[str, int],
    sleep: Callable[[float], None] = time.sleep,
) -> int:
    """Serve the page of a virtual table until that is ended; return the exit status.

    Raises UserError where it cannot be served, or this end cannot play what it is invited to.
    """
    at = FarPage(arguments, meeting, settings)
    typed, control = TypedLines(sys.stdin), FarControl(at.far, meeting.tell_link)
    try:
        server = serve(at.page, arguments.archive, arguments.listen, arguments.no_browser)
        pace = Pace(at.virtual.now_ms)
        try:
            while _obey(typed, control):
                at.run_until(pace.due_ms(at.virtual.now_ms))
                sleep(_PAUSE_S)
        except KeyboardInterrupt:
            pass
        finally:
            server.close()
    finally:
        at.close()
    return 0


class FarPage:
    """A virtual table and its page, in a room; `run_until` has the time of all of it pass."""

    def __init__(
        self,
        arguments: InviteArguments | JoinArguments,
        meeting: Meeting,
        settings: dict[str, int],
        rng: Random | None = None,
        chances: Chance | None = None,
    ) -> None:
        rng = Random() if rng is None else rng
        board = arguments.board
        plan = boards.read(board)
        begin = meeting.room.course.begin
        start = new_state() if begin is None or meeting.room.stopped else begin.start
        own = {**settings_for(start, 0), **settings}
        audience = Audience()
        mirror = self.mirror = Mirror(audience.tell, meeting.archive)
        session = Session(mirror, lock=chapters)
        machine = open_runtime(
            *(arguments.runtime, plan, boards.find(board).read_bytes(), own, arguments.image),
            chance=chances or chance.real(),
        )
        self.virtual = VirtualTable(machine, plan, session, rng)
        hand = self.hand = PageHand(self.virtual, mirror, rng)
        page = self.page = _page(session, board, arguments, hand, spelled(settings))

        def undo() -> None:
            session.command("undo")
            hand.opponent.forget()

        far = self.far = FarTable(
            *(session, hand.seats, meeting.room, meeting.client, meeting.archive),
            lambda: board,
            audience.tell,
            lambda: Person(PAGE),
            meeting.here,
            Ways(page.service.begin, undo),
            meeting.laid,
        )
        page.clocks = far.clocks
        page.play_far(FarDesk(far, mirror, meeting.link))
        # the log has a turn before anybody hears of it
        for listener in (far.hear, _tell, page.hear, hand.hear):
            audience.add(listener)

    def run_until(self, t_ms: float) -> None:
        """Have table time pass, then do what is due; raises UserError, OSError."""
        self.virtual.run_until(t_ms)
        now_ms = self.virtual.now_ms
        self.far.step(now_ms)
        self.hand.step()
        self.page.step(now_ms)

    def close(self) -> None:
        """Switch the table off."""
        self.hand.seats.close()
        self.virtual.close()
        self.mirror.close()


def _page(
    session: Session,
    board: str,
    arguments: InviteArguments | JoinArguments,
    hand: PageHand,
    settings: dict[str, str],
) -> Page:
    says = tr("a virtual table, board {board}, on this computer", board=board)
    return Page(
        *(session, lambda: board, arguments.archive, hand, hand.seats),
        lambda: ConnectionState("online", says),
        lambda: (says,),
        settings,
    )


def _tell(happening: Happening) -> None:
    """Print what is said of no moment at the table: it comes from far away."""
    if isinstance(happening, Notice):
        for _, line in sentences(happening, None):
            say(printable(line.strip()))


def _obey(typed: TypedLines, control: FarControl) -> bool:
    """Do what was typed; return whether to go on."""
    while (line := typed.take()) is not None:
        if line.strip().lower() in QUIT:
            return False
        try:
            if not control.obey(line) and line.strip():
                say(tr("commands: {commands}", commands=COMMANDS))
        except UserError as error:
            say(str(error))
    return True
