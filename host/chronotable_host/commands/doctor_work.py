"""What `doctor` does: it examines a table, led by the doctor that runs there."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Any

from chronotable_host.commands.doctor_ports import show_ports
from chronotable_host.commands.doctor_screen import DoctorScreen
from chronotable_host.commands.shared import is_terminal
from chronotable_host.commands.typed_lines import TypedLines, ask_which
from chronotable_host.doctor import learned_board
from chronotable_host.doctor.examination import Examination
from chronotable_host.doctor.listener import DoctorListener
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.live.connection import PAUSE_S, TableConnection
from chronotable_host.live.happenings import Happening, Notice
from chronotable_host.live.place_names import place_names
from chronotable_host.live.port import PortError, is_in_use
from chronotable_host.live.port_search import PortSearch
from chronotable_host.live.session import Session

PATIENCE_S = 60.0
"""How long a table may be away before the examination is given up."""

_FOUND = 1


def examine(port: str, table: str, as_json: bool) -> int:
    """Examine a real table; where none is found, print what there is to know of the ports.

    Raises PortError and TableError.
    """
    screen = DoctorScreen(as_json)
    try:
        return _examine(port, table, screen)
    except PortError as error:
        show_ports(port, table, error, as_json)
        raise


def _examine(port: str, table: str, screen: DoctorScreen) -> int:
    typed = TypedLines(sys.stdin)
    asking = (lambda found: ask_which(found, typed, is_in_use)) if is_terminal() else None
    listener = DoctorListener(screen.hear)
    with ExitStack() as closing:
        closing.callback(listener.close)
        session = Session(listener)
        search = PortSearch(port, table, asking)

        def hear(happening: Happening) -> None:
            examination.hear(happening)

        connection = TableConnection(session, search, hear, PATIENCE_S)
        closing.callback(connection.close)
        examination = Examination(connection, listener, typed, screen.hear)
        follow(connection, examination, _sleep)
        return conclude(listener, examination, screen)


def follow(
    connection: TableConnection, examination: Examination, pause: Callable[[float], None]
) -> None:
    """Serve the examination to its end, or until Ctrl-C."""
    connection.open()
    try:
        _drive(connection, examination.is_done, pause)
    except KeyboardInterrupt:
        examination.stop()
        with suppress(KeyboardInterrupt):
            _drive(connection, examination.is_done, pause)


def _sleep(duration_s: float) -> None:
    time.sleep(duration_s)


def _drive(
    connection: TableConnection, is_done: Callable[[], bool], pause: Callable[[float], None]
) -> None:
    while True:
        connection.step()
        if is_done():
            return
        pause(PAUSE_S)


def conclude(
    listener: DoctorListener, examination: Examination, screen: DoctorScreen, is_kept: bool = True
) -> int:
    """Write what was learned, and sum up; return the exit status."""
    path = None
    if listener.result is not None and listener.has_learned and is_kept:
        path = _write_learned(listener, screen)
    step = listener.step or {}
    felt = place_names(step["put"]) if step.get("asks") in ("d", "z") else ""
    summary = {
        "findings": len(listener.findings),
        "step": step.get("step"),
        "felt": felt,
        "unseen": list(listener.unseen),
        "stopped": listener.result is None,
        "current_ma": listener.current_ma or None,
        "learned": None if path is None else str(path),
        "back": examination.is_back,
        **(listener.result or {}),
    }
    screen.sum_up(summary)
    return _FOUND if summary["findings"] or summary["stopped"] else 0


def _write_learned(listener: DoctorListener, screen: DoctorScreen) -> Any:
    """Write the table's own board file here; return where, None where that cannot be."""
    peer = listener.examined_peer
    if peer is None or listener.result is None or not listener.result["stored"]:
        return None
    data = learned_board.own_board(peer)
    if data is None:
        sentence = tr(
            "the board file that the table had before is not known here, so its new one is on the "
            "table only"
        )
        screen.hear(Notice(None, sentence))
        return None
    try:
        new = learned_board.rewired(data, listener.learned, listener.colour_order)
        return learned_board.save(new, peer.unique_id)
    except (UserError, OSError) as error:
        sentence = tr("the table's new board file could not be written here: {error}", error=error)
        screen.hear(Notice(None, sentence))
        return None
