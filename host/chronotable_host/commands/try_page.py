"""`try` with the page: people and the built-in player at a virtual table, in real time."""

from __future__ import annotations

import time
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

from chronotable_host.commands.page_server import serve
from chronotable_host.commands.seats import ME
from chronotable_host.commands.table_work import check_answered
from chronotable_host.engine.person import Person
from chronotable_host.engine.seats import HANDS, PAGE
from chronotable_host.virtual.pace import Pace
from chronotable_host.web.page import virtual_page

if TYPE_CHECKING:
    from chronotable_host.commands.try_command import TryArguments
    from chronotable_host.lessons.course import Taught
    from chronotable_host.rules.record import Record
    from chronotable_host.web.hand import HandDesk

_PAUSE_S = 0.004
_READY_MS = 1500.0  # after so long the table is set up and the game has begun


def play_on_page(
    desk: HandDesk,
    arguments: TryArguments,
    names: tuple[str, str],
    seed: int,
    settings: dict[str, str],
    course: Taught | None,
    analysed: Record | None,
) -> None:
    """Serve the page until Ctrl-C; `names` are those of the players.

    `course` begins at once, and so does the analysis of `analysed`. Raises UserError where it
    cannot be served.
    """
    hand = desk.take_place(Random(seed))
    for side, name in enumerate(names):
        if name == ME:  # whose name is known already
            hand.seats.seat_thinker(side, Person(PAGE))
        elif name != HANDS:
            hand.seats.seat(side, name)
    page = virtual_page(desk, arguments.board, arguments.archive, settings)
    tutor, hinter, analysis = desk.assist()
    if arguments.hints is not None:
        hinter.choose(arguments.hints)
    hand.begin(desk.start)
    desk.table.run_until(desk.table.now_ms + _READY_MS)
    check_answered(desk.mirror)
    if course is not None:
        tutor.teach(course)
    if analysed is not None:
        analysis.begin(analysed)
    serve(page, arguments.archive, arguments.listen, arguments.no_browser)
    pace = Pace(desk.table.now_ms)
    with suppress(KeyboardInterrupt):
        while True:
            desk.run_until(pace.due_ms(desk.table.now_ms))
            time.sleep(_PAUSE_S)
