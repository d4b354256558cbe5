"""A game far apart on the page: at a virtual table, whose hand carries out what the log has."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

from chronotable_far.commands.far_work import own_words
from chronotable_far.page import FarPageView
from chronotable_far.table import FarTable
from chronotable_host import chapters
from chronotable_host.commands.common.page_server import serve
from chronotable_host.commands.common.typed_lines import TypedLines
from chronotable_host.commands.play_work import TypedWishes
from chronotable_host.errors import printable
from chronotable_host.live.happenings import Happening, Notice
from chronotable_host.live.players.person import Person
from chronotable_host.live.players.seats import PAGE
from chronotable_host.live.texts.happening_texts import sentences
from chronotable_host.output import say
from chronotable_host.virtual import chance
from chronotable_host.virtual.pace import Pace
from chronotable_host.web.hand import HandDesk
from chronotable_host.web.page import Page, virtual_page

if TYPE_CHECKING:
    from chronotable_far.commands.far import InviteArguments, JoinArguments
    from chronotable_far.commands.far_work import Meeting
    from chronotable_host.virtual.chance import Chance

_PAUSE_S = 0.004


def play_on_page(
    arguments: InviteArguments | JoinArguments,
    meeting: Meeting,
    settings: dict[str, int],
) -> int:
    """Serve the page of a virtual table until that is ended; return the exit status.

    Raises UserError where it cannot be served, or this end cannot play what it is invited to.
    """
    with FarPage(arguments, meeting, settings) as at:
        control = TypedWishes(at, TypedLines(sys.stdin), own_words(at.far, meeting))
        serve(at.page, arguments.archive, arguments.listen, arguments.no_browser)
        pace = Pace(at.table.now_ms)
        with suppress(KeyboardInterrupt):
            while not control.obey():
                at.run_until(pace.due_ms(at.table.now_ms))
                time.sleep(_PAUSE_S)
    return 0


class FarPage(HandDesk):
    """A desk at a virtual table that plays in a room, and its page.

    `run_until` raises UserError where this end cannot play what it is invited to, and OSError.
    """

    page: Page

    def __init__(
        self,
        arguments: InviteArguments | JoinArguments,
        meeting: Meeting,
        settings: dict[str, int],
        rng: Random | None = None,
        chances: Chance | None = None,
    ) -> None:
        begin = meeting.room.course.begin
        start = None if begin is None or meeting.room.stopped else begin.start
        super().__init__(meeting.archive, start=start, lock=chapters)
        rng, board = rng or Random(), arguments.board
        kind, image, who = arguments.runtime, arguments.image, chances or chance.real()
        self.switch_on(board, rng, settings, kind, image=image, chance=who)
        self.take_place(rng)
        self.session.settings = settings
        self.page = virtual_page(self, board, arguments.archive)
        self.far = FarTable(
            self,
            meeting.room,
            meeting.client,
            board=lambda: board,
            own_player=lambda: Person(PAGE),
            here=meeting.here,
            table_games=meeting.table_games,
            lays_ends=True,
        )
        self.page.play_far(FarPageView(self.far, self.mirror, meeting.link))
        self.listeners.append(_tell)


def _tell(happening: Happening) -> None:
    """Print what is said of no moment at the table: it comes from far away."""
    if isinstance(happening, Notice):
        for _, line in sentences(happening, None):
            say(printable(line.strip()))
