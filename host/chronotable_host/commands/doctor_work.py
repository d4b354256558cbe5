"""What `doctor` does: it examines a table, led by the doctor that runs there."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Any

from chronotable.board import BoardError
from chronotable_host.commands.doctor_ports import show_ports
from chronotable_host.commands.doctor_screen import Show
from chronotable_host.commands.shared import is_terminal
from chronotable_host.commands.typed import Typed, ask_which
from chronotable_host.doctor import learned
from chronotable_host.doctor.course import Course
from chronotable_host.doctor.listener import Listener
from chronotable_host.live.happenings import Happening, Notice
from chronotable_host.live.places import places
from chronotable_host.live.player import PAUSE_S, Player
from chronotable_host.live.port import PortError, is_in_use
from chronotable_host.live.search import Search
from chronotable_host.live.session import Session

PATIENCE_S = 60.0
"""So long a table may be away."""

_FOUND = 1


def examine(port: str, table: str, as_json: bool) -> int:
    """Examine a real table; where none is found the ports are told.

    Raises PortError and TableError.
    """
    show = Show(as_json)
    try:
        return _examine(port, table, show)
    except PortError as error:
        show_ports(port, table, error, as_json)
        raise


def _examine(port: str, table: str, show: Show) -> int:
    typed = Typed(sys.stdin)
    asking = (lambda found: ask_which(found, typed, is_in_use)) if is_terminal() else None
    listener = Listener(show.hear)
    with ExitStack() as closing:
        closing.callback(listener.close)
        session = Session(listener)
        search = Search(port, table, asking)

        def hear(happening: Happening) -> None:
            course.hear(happening)

        player = Player(session, search, hear, PATIENCE_S)
        closing.callback(player.close)
        course = Course(player, listener, typed, show.hear)
        follow(player, course, _sleep)
        return conclude(listener, course, show)


def follow(player: Player, course: Course, pause: Callable[[float], None]) -> None:
    """Serve the examination to its end, or until Ctrl-C."""
    player.open()
    try:
        _drive(player, course.is_done, pause)
    except KeyboardInterrupt:
        course.stop()
        with suppress(KeyboardInterrupt):
            _drive(player, course.is_done, pause)


def _sleep(duration_s: float) -> None:
    time.sleep(duration_s)


def _drive(player: Player, is_done: Callable[[], bool], pause: Callable[[float], None]) -> None:
    while True:
        player.step()
        if is_done():
            return
        pause(PAUSE_S)


def conclude(listener: Listener, course: Course, show: Show, is_kept: bool = True) -> int:
    """Write what was learned, and sum up; return the exit status."""
    path = None
    if listener.result is not None and listener.has_learned and is_kept:
        path = _write_learned(listener, show)
    step = listener.step or {}
    felt = places(step["put"]) if step.get("asks") in ("d", "z") else ""
    summary = {
        "findings": len(listener.findings),
        "step": step.get("step"),
        "felt": felt,
        "unseen": list(listener.unseen),
        "stopped": listener.result is None,
        "current_ma": listener.current_ma or None,
        "learned": None if path is None else str(path),
        "back": course.is_back,
        **(listener.result or {}),
    }
    show.sum_up(summary)
    return _FOUND if summary["findings"] or summary["stopped"] else 0


def _write_learned(listener: Listener, show: Show) -> Any:
    """Write the table's own board file here; return where, None where that cannot be."""
    peer = listener.examined_peer
    if peer is None or listener.result is None or not listener.result["stored"]:
        return None
    data = learned.own_board(peer)
    if data is None:
        sentence = (
            "the board file that the table had before is not known here, so its new one is on the "
            "table only"
        )
        show.hear(Notice(None, sentence))
        return None
    try:
        new = learned.rewired(data, listener.learned, listener.colour_order)
        return learned.save(new, peer.unique_id)
    except (BoardError, OSError) as error:
        sentence = f"the table's new board file could not be written here: {error}"
        show.hear(Notice(None, sentence))
        return None
