"""`doctor`: a guided examination of the table, and of what keeps the PC from it."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chronotable_host.commands.shared import (
    Json,
    PortName,
    TableId,
    console,
    is_terminal,
    print_json,
    say,
)
from chronotable_host.errors import printable

if TYPE_CHECKING:
    from chronotable_host.doctor.course import Course
    from chronotable_host.doctor.listener import Listener
    from chronotable_host.live.mirror import Happening
    from chronotable_host.live.player import Player
    from chronotable_host.live.port import PortError

app = typer.Typer()

_PATIENCE_S = 60.0
_FOUND = 1
_KEYS = "Enter: go on, it does not answer. n and Enter: on to the next step. q and Enter: stop."


@app.command()
def doctor(
    port: PortName = "auto",
    table: TableId = "",
    ports: Annotated[
        bool, typer.Option("--ports", help="Only look at this computer's ports; open none.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Examine the table with you: every reed, light, button and diode, the colours, the supply.

    It says what to do, step by step; Enter goes on where something does not answer, n ends a step,
    q stops. What is wired otherwise than the board file says is learned. The exit status is 0 where
    nothing is found, 1 where something is or the examination is stopped.
    """
    from chronotable_host.live.port import PortError  # noqa: PLC0415 - half of the commands

    if ports:
        _show_ports(port, table, None, as_json)
        return 0
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
        player.open()
        try:
            _drive(player, course.is_done)
        except KeyboardInterrupt:
            course.stop()
            with suppress(KeyboardInterrupt):
                _drive(player, course.is_done)
        return _conclude(listener, course, show)


def _drive(player: Player, is_done: Callable[[], bool]) -> None:
    from chronotable_host.live.player import PAUSE_S  # noqa: PLC0415

    while True:
        player.step()
        if is_done():
            return
        time.sleep(PAUSE_S)


def _conclude(listener: Listener, course: Course, show: Show) -> int:
    """Write what was learned, and sum up; return the exit status."""
    path = None
    if listener.result is not None and listener.has_learned:
        path = _write_learned(listener, show)
    summary = {
        "findings": len(listener.findings),
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


class Show:
    """Prints what happens, as JSON lines or for people."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._console = console()
        self._step = -1
        self._last = ""
        self._is_told = False  # which keys there are

    def hear(self, happening: Happening) -> None:
        """Print one happening."""
        if self._as_json:
            if {"leds", "guide"} & happening.keys():
                return
            print(json.dumps(happening), flush=True)
            return
        for line, style in self._lines(happening):
            self._console.print(printable(line), style=style)

    def sum_up(self, summary: dict[str, Any]) -> None:
        """Print how it ended."""
        if self._as_json:
            print(json.dumps({"summary": summary}), flush=True)
            return
        for line in _summary_lines(summary):
            self._console.print(printable(line))

    def _lines(self, happening: Happening) -> list[tuple[str, str]]:
        if "step" in happening:
            return self._step_lines(happening["step"])
        if "finding" in happening:
            return [(f"! {happening['finding']['text']}", "bold")]
        if "unusual" in happening:
            return [(f"! {happening['unusual']}", "bold")]
        if "connected" in happening:
            return [(f"Connected: board {happening['connected']}.", "")]
        for kind in ("notice", "lost", "refused"):
            if kind in happening:
                return [(f"  {happening[kind]}", "")]
        return []

    def _step_lines(self, step: dict[str, Any]) -> list[tuple[str, str]]:
        lines = []
        if step["step"] != self._step:
            self._step = step["step"]
            self._last = ""
            if not self._is_told:
                self._is_told = True
                lines.append((_KEYS, ""))
            lines.append((f"Step {self._step + 1}. {step['head']}", "bold"))
        text = step["text"]
        if step["ma"]:
            text = f"At {step['ma']} mA. {text}"
        if text and text != self._last:
            self._last = text
            count = (
                f"{min(step['done'] + 1, step['of'])} of {step['of']}: " if step["of"] > 1 else ""
            )
            lines.append((f"  {count}{text}", ""))
        return lines


def _summary_lines(summary: dict[str, Any]) -> list[str]:
    if summary["stopped"]:
        lines = [f"Stopped before the end; found so far: {summary['findings'] or 'nothing'}."]
    elif summary["findings"]:
        lines = [f"Findings: {summary['findings']}, each with what to look at above."]
    else:
        lines = ["Nothing is wrong with this table."]
    if summary["current_ma"]:
        lines.append(_power_line(summary["current_ma"]))
    if summary.get("stored"):
        lines.append("The table has learned its wiring and goes by it from now on.")
    if summary["learned"]:
        lines.append(
            f"Its board file: {summary['learned']} (`chronotable boards` lists it, `chronotable "
            "flash` keeps what the table has)."
        )
    if not summary["stopped"] and not summary.get("complete", True):
        lines.append(
            "Not all was examined, or answered: for the rest the board file counts. Examine the "
            "table again when that is mended, or built."
        )
    return lines


def _power_line(lights_ma: int) -> str:
    """Say what the LEDs, as bright as is allowed, and the Pico take together."""
    from chronotable_host.power import PICO_MA, verdict  # noqa: PLC0415 - for few commands

    total = lights_ma + PICO_MA
    return (
        f"With all lights as bright as is allowed it takes about {total} mA ({lights_ma} the LEDs, "
        f"{PICO_MA} the Pico); {verdict(total)}."
    )
