"""A game far apart at a real table: mirrored, shown, and kept together with the log."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from chronotable_far.commands.far_work import own_words
from chronotable_far.table import FarTable
from chronotable_host import chapters
from chronotable_host.commands.common.terminal import is_terminal
from chronotable_host.commands.common.typed_lines import TypedLines
from chronotable_host.commands.play_work import GameScreen, PlayControl, asking
from chronotable_host.live.desk import Desk
from chronotable_host.live.line.port_search import PortSearch
from chronotable_host.live.mirror import Mirror

if TYPE_CHECKING:
    from chronotable_far.commands.far import InviteArguments, JoinArguments
    from chronotable_far.commands.far_work import Meeting


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
            desk,
            meeting.room,
            meeting.client,
            board=partial(_board_of, desk.mirror),
            here=meeting.here,
            table_games=meeting.table_games,
        )
        desk.session.settings = settings
        if has_page:
            from chronotable_far.page import FarPageView  # noqa: PLC0415
            from chronotable_host.commands.common.page_server import serve  # noqa: PLC0415
            from chronotable_host.web.page import MirroredPage  # noqa: PLC0415

            page = MirroredPage(desk, arguments.archive)
            page.play_far(FarPageView(far, desk.mirror, meeting.link))
            serve(page, arguments.archive, arguments.listen, arguments.no_browser)
        desk.run(PlayControl(desk, screen, typed, False, own_words(far, meeting)).is_done)
    return 0


def _board_of(mirror: Mirror) -> str:
    peer = mirror.table.peer
    return "?" if peer is None else peer.board_name
