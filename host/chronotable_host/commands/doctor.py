"""`doctor`: a guided examination of the table, and of what keeps the PC from it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from random import Random
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chronotable_host.commands.doctor_screen import Show
from chronotable_host.commands.shared import Json, PortName, TableId, is_terminal, print_json
from chronotable_host.commands.table import BoardName
from chronotable_host.errors import UserError, printable
from chronotable_host.said import say

if TYPE_CHECKING:
    from chronotable_host.doctor.course import Course
    from chronotable_host.doctor.listener import Listener
    from chronotable_host.live.mirror import Happening
    from chronotable_host.live.player import Player
    from chronotable_host.live.port import PortError

app = typer.Typer()

_PATIENCE_S = 60.0
_FOUND = 1


@app.command()
def doctor(
    port: PortName = "auto",
    table: TableId = "",
    ports: Annotated[
        bool, typer.Option("--ports", help="Only look at this computer's ports; open none.")
    ] = False,
    virtual: Annotated[
        bool,
        typer.Option("--virtual", help="Rehearse it on a virtual table; what you type are hands."),
    ] = False,
    faults: Annotated[
        int,
        typer.Option(
            min=0,
            max=5,
            metavar="N",
            help="With --virtual: so many faults, at random, to be found.",
        ),
    ] = 0,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="With --virtual: the same faults once more.")
    ] = None,
    board: BoardName = "reference",
    as_json: Json = False,
) -> int:
    """Examine the table with you: every reed, light, button and diode, the colours, the supply.

    It says what to do, step by step; Enter says that something does not answer, n leaves the rest
    of a step out, help tells the keys, q stops. What is wired otherwise than the board file says is
    learned. The exit status is 0 where nothing is found, 1 where something is or the examination is
    stopped.
    """
    from chronotable_host.live.port import PortError  # noqa: PLC0415 - half of the commands

    if ports:
        _show_ports(port, table, None, as_json)
        return 0
    if virtual:
        if port != "auto" or table:
            raise UserError("a virtual table has no port: leave --port and --table out")
        return _rehearse(board, faults, seed, Show(as_json))
    if faults or seed is not None:
        raise UserError("--faults and --seed are for a virtual table: add --virtual")
    try:
        return _examine(port, table, Show(as_json))
    except PortError as error:
        _show_ports(port, table, error, as_json)
        raise


def _examine(port: str, table: str, show: Show) -> int:
    from chronotable_host.commands.typed import Typed, ask_which  # noqa: PLC0415
    from chronotable_host.doctor.course import Course  # noqa: PLC0415
    from chronotable_host.doctor.listener import Listener  # noqa: PLC0415
    from chronotable_host.live.player import Player  # noqa: PLC0415
    from chronotable_host.live.port import is_in_use  # noqa: PLC0415
    from chronotable_host.live.search import Search  # noqa: PLC0415
    from chronotable_host.live.session import Session  # noqa: PLC0415

    typed = Typed(sys.stdin)
    asking = (lambda found: ask_which(found, typed, is_in_use)) if is_terminal() else None
    listener = Listener(show.hear)
    with ExitStack() as closing:
        closing.callback(listener.close)
        session = Session(listener)
        search = Search(port, table, asking)

        def hear(happening: Happening) -> None:
            course.hear(happening)

        player = Player(session, search, hear, _PATIENCE_S)
        closing.callback(player.close)
        course = Course(player, listener, typed, show.hear)
        _follow(player, course, _sleep)
        return _conclude(listener, course, show)


def _rehearse(board: str, faults: int, seed: int | None, show: Show) -> int:
    """Examine a virtual table, whose hands are what is typed; nothing is kept."""
    from chronotable_host.commands.typed import Typed  # noqa: PLC0415
    from chronotable_host.doctor.course import Course  # noqa: PLC0415
    from chronotable_host.doctor.listener import Listener  # noqa: PLC0415
    from chronotable_host.live.findings import fault_text  # noqa: PLC0415
    from chronotable_host.live.player import Player  # noqa: PLC0415
    from chronotable_host.live.search import Search  # noqa: PLC0415
    from chronotable_host.live.session import Session  # noqa: PLC0415
    from chronotable_host.virtual.faulty.rehearsal import HANDS, PORT, Rehearsal  # noqa: PLC0415

    if seed is None:
        seed = Random().randrange(1 << 16)

    def tell(sentence: str) -> None:
        show.hear({"notice": sentence})

    def hear(happening: Happening) -> None:
        step = happening.get("step")
        if step is not None:
            rehearsal.follow(step)
        show.hear(happening)

    def pass_on(happening: Happening) -> None:
        course.hear(happening)

    tell(f"A virtual table with {faults or 'no'} faults. What you type is done with hands there:")
    for line in HANDS:
        tell(line)
    rehearsal = Rehearsal(board, faults, seed, Typed(sys.stdin), tell)
    listener = Listener(hear)
    with ExitStack() as closing:
        closing.callback(rehearsal.close)
        closing.callback(listener.close)
        session = Session(listener)
        player = Player(
            session,
            Search(PORT),
            pass_on,
            _PATIENCE_S,
            opens=rehearsal.open_port,
        )
        closing.callback(player.close)
        course = Course(player, listener, rehearsal, hear, HANDS)
        _follow(player, course, rehearsal.pause)
        status = _conclude(listener, course, show, is_kept=False)
    for fault in rehearsal.faults:
        tell(f"What was wrong with it: {fault_text(*fault)}.")
    tell(f"Once more with --faults {faults} --seed {seed}; of a virtual table nothing is kept.")
    return status


def _follow(player: Player, course: Course, pause: Callable[[float], None]) -> None:
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
    from chronotable_host.live.player import PAUSE_S  # noqa: PLC0415

    while True:
        player.step()
        if is_done():
            return
        pause(PAUSE_S)


def _conclude(listener: Listener, course: Course, show: Show, is_kept: bool = True) -> int:
    """Write what was learned, and sum up; return the exit status."""
    from chronotable_host.live.places import places  # noqa: PLC0415

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
    from chronotable.board import BoardError  # noqa: PLC0415
    from chronotable_host.doctor import learned  # noqa: PLC0415

    peer = listener.examined_peer
    if peer is None or listener.result is None or not listener.result["stored"]:
        return None
    data = learned.own_board(peer)
    if data is None:
        show.hear(
            {
                "notice": "the board file that the table had before is not known here, so its new "
                "one is on the table only"
            }
        )
        return None
    try:
        new = learned.rewired(data, listener.learned, listener.colour_order)
        return learned.save(new, peer.unique_id)
    except (BoardError, OSError) as error:
        show.hear({"notice": f"the table's new board file could not be written here: {error}"})
        return None


def _show_ports(port: str, table: str, failure: PortError | None, as_json: bool) -> None:
    """Say what this computer's ports look like: on stderr beside an error."""
    from chronotable_host.ports.report import as_json as report_json  # noqa: PLC0415
    from chronotable_host.ports.report import examine, lines  # noqa: PLC0415

    report = examine(port, table, failure)
    if as_json and failure is None:
        print_json(report_json(report))
        return
    for line in lines(report):
        (print if failure is None else say)(printable(line))
