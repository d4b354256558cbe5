"""`try` with the page: people and the built-in player at a virtual table, in real time."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING

from chronotable_host.commands.page_server import serve
from chronotable_host.commands.seats import ME
from chronotable_host.commands.table_work import check_answered
from chronotable_host.engine.person import Person
from chronotable_host.engine.seats import HANDS, PAGE
from chronotable_host.language import tr
from chronotable_host.live.hinter import Hinter
from chronotable_host.virtual.pace import Pace
from chronotable_host.web.analysis import virtual_analysis
from chronotable_host.web.hand import PageHand
from chronotable_host.web.lessons import virtual_tutor
from chronotable_host.web.page import ConnectionState, Page

if TYPE_CHECKING:
    from pathlib import Path

    from chronotable_host.engine.thinkers import Seats
    from chronotable_host.lessons.course import Taught
    from chronotable_host.live.audience import Audience
    from chronotable_host.live.session import Session
    from chronotable_host.rules.record import Record
    from chronotable_host.virtual.table import VirtualTable

_PAUSE_S = 0.004
_READY_MS = 1500.0  # after so long the table is set up and the game has begun


def play_on_page(
    virtual: VirtualTable,
    session: Session,
    audience: Audience,
    board: str,
    state: array[int],
    names: tuple[str, str],
    seed: int,
    settings: dict[str, str],
    archive: Path | None,
    listen: str | None,
    no_browser: bool,
    course: Taught | None = None,
    hints: str | None = None,
    analysed: Record | None = None,
    is_over: Callable[[], bool] = lambda: False,
    sleep: Callable[[float], None] = time.sleep,
    beside: Callable[[], None] = lambda: None,
    sat: Callable[[Seats], None] = lambda _seats: None,
) -> None:
    """Serve the page until Ctrl-C; `names` are those of the players.

    `beside` is called each time that the table was looked at, `sat` once, with who plays. `course`
    begins at once, and so does the analysis of `analysed`.

    Raises UserError where it cannot be served.
    """
    rng = Random(seed)
    hand = PageHand(virtual, session.mirror, rng)
    for side, name in enumerate(names):
        if name == ME:  # whose name is known already
            hand.seats.seat_thinker(side, Person(PAGE))
        elif name != HANDS:
            hand.seats.seat(side, name)
    sat(hand.seats)

    def health() -> Sequence[str]:
        return (tr("a virtual table, board {board}, on this computer", board=board),)

    page = Page(
        session,
        lambda: board,
        archive,
        hand,
        hand.seats,
        lambda: ConnectionState("online", health()[0]),
        health,
        settings,
    )
    tutor = page.service.tutor = virtual_tutor(page.service, audience.tell, state)
    audience.add(tutor.hear)
    hinter = Hinter(session, hand.seats, audience.tell, tutor)
    audience.add(hinter.hear)
    page.give_hints(hinter)
    if hints is not None:
        hinter.choose(hints)
    analysis = virtual_analysis(page.service, hinter, audience.tell, state)
    page.service.analysis = analysis
    audience.add(analysis.hear)
    audience.add(page.hear)
    audience.add(hand.hear)
    hand.begin(state)
    virtual.run_until(virtual.now_ms + _READY_MS)
    check_answered(session.mirror)
    if course is not None:
        tutor.teach(course)
    if analysed is not None:
        analysis.begin(analysed)
    server = serve(page, archive, listen, no_browser)
    pace = Pace(virtual.now_ms)
    try:
        while not is_over():
            virtual.run_until(pace.due_ms(virtual.now_ms))
            hand.step()
            tutor.step(virtual.now_ms)
            hinter.step()
            analysis.step(virtual.now_ms)
            page.step(virtual.now_ms)
            beside()
            sleep(_PAUSE_S)
    except KeyboardInterrupt:
        pass
    finally:
        hand.seats.close()
        hinter.close()
        server.close()
