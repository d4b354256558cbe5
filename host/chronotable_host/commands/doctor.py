"""`doctor`: a guided examination of the table, and of what keeps the PC from it."""

import json
import sys
import textwrap
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from random import Random
from typing import Annotated, Any

import typer
from rich.control import Control
from rich.segment import ControlType

from chronotable_host.commands.common.options import BoardName, Json, PortName, TableId
from chronotable_host.commands.common.terminal import STATUS_NO, console, is_terminal, print_json
from chronotable_host.commands.common.typed_lines import TypedLines, ask_which
from chronotable_host.errors import UserError, printable
from chronotable_host.hardware.doctor.examination import Examination
from chronotable_host.hardware.doctor.listener import DoctorListener
from chronotable_host.hardware.doctor.telling import INDENT, DoctorLines, conclude, summary_lines
from chronotable_host.hardware.ports import report as reports
from chronotable_host.language import tr, tr_c
from chronotable_host.live import happenings
from chronotable_host.live.happenings import Happening, Notice, Step
from chronotable_host.live.line.connection import PAUSE_S, TableConnection
from chronotable_host.live.line.port import PortError, is_in_use
from chronotable_host.live.line.port_search import PortSearch
from chronotable_host.live.session import Session
from chronotable_host.live.texts.finding_texts import fault_text
from chronotable_host.output import say
from chronotable_host.virtual.faulty.rehearsal import HANDS, PORT, Rehearsal


class DoctorScreen:
    """Prints what happens, as JSON lines or for people."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._console = console()
        self._lines = DoctorLines()
        self._is_counting = False  # the last line is a countdown

    def hear(self, happening: Happening) -> None:
        """Print one happening."""
        if self._as_json:
            if not isinstance(happening, (happenings.Leds, happenings.Guide)):
                print(json.dumps(happening.line()), flush=True)
            return
        for line, style in self._lines.of(happening):
            self._print(line, style)
        left_s = happening.step.get("left_s", 0) if isinstance(happening, happenings.Step) else 0
        if left_s and self._console.is_terminal:
            self._wipe()
            self._console.print(f"{INDENT}{left_s} s ", end="\r")
            self._is_counting = True

    def sum_up(self, summary: dict[str, Any]) -> None:
        """Print how it ended."""
        if self._as_json:
            print(json.dumps({"summary": summary}), flush=True)
            return
        for line in summary_lines(summary):
            self._print(line)

    def _print(self, text: str, style: str = "") -> None:
        """Print a line, on a terminal in as many as it takes: no word is broken."""
        self._wipe()
        lines = [printable(text)]
        if self._console.is_terminal:
            indent = text[: len(text) - len(text.lstrip())] + INDENT
            lines = textwrap.wrap(
                printable(text),
                self._console.width,
                subsequent_indent=indent,
                break_long_words=False,
                break_on_hyphens=False,
            )
        for line in lines:
            self._console.print(line, style=style)

    def _wipe(self) -> None:
        """Take a countdown away."""
        if self._is_counting:
            self._is_counting = False
            self._console.control(Control((ControlType.ERASE_IN_LINE, 2)))


PATIENCE_S = 60.0
"""How long a table may be away before the examination is given up."""

app = typer.Typer()


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
    if ports:
        show_ports(port, table, None, as_json)
        return 0
    if virtual:
        if port != "auto" or table:
            raise UserError(tr("a virtual table has no port: leave --port and --table out"))
        return rehearse(board, faults, seed, as_json)
    if faults or seed is not None:
        raise UserError(tr("--faults and --seed are for a virtual table: add --virtual"))
    return examine(port, table, as_json)


def show_ports(port: str, table: str, failure: PortError | None, as_json: bool) -> None:
    """Say what this computer's ports look like: on stderr beside an error."""
    report = reports.examine(port, table, failure)
    if as_json and failure is None:
        print_json(reports.as_json(report))
        return
    for line in reports.lines(report):
        (print if failure is None else say)(printable(line))


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
        return _sum_up(screen, conclude(listener, examination, screen.hear))


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


def _sum_up(screen: DoctorScreen, summary: dict[str, Any]) -> int:
    """Print how it ended; return the exit status."""
    screen.sum_up(summary)
    return STATUS_NO if summary["findings"] or summary["stopped"] else 0


def rehearse(board: str, faults: int, seed: int | None, as_json: bool) -> int:
    """Examine a virtual table, whose hands are what is typed; nothing is kept."""
    screen = DoctorScreen(as_json)
    if seed is None:
        seed = Random().randrange(1 << 16)

    def tell(sentence: str) -> None:
        screen.hear(Notice(None, sentence))

    def hear(happening: Happening) -> None:
        if isinstance(happening, Step):
            rehearsal.follow(happening.step)
        screen.hear(happening)

    def pass_on(happening: Happening) -> None:
        examination.hear(happening)

    tell(
        tr(
            "A virtual table (faults: {faults}). What you type is done with hands there:",
            faults=faults or tr_c("faults", "none"),
        )
    )
    for line in HANDS:
        tell(line)
    rehearsal = Rehearsal(board, faults, seed, TypedLines(sys.stdin), tell)
    listener = DoctorListener(hear)
    with ExitStack() as closing:
        closing.callback(rehearsal.close)
        closing.callback(listener.close)
        session = Session(listener)
        connection = TableConnection(
            session, PortSearch(PORT), pass_on, PATIENCE_S, opens=rehearsal.open_port
        )
        closing.callback(connection.close)
        examination = Examination(connection, listener, rehearsal, hear, HANDS)
        follow(connection, examination, rehearsal.pause)
        status = _sum_up(screen, conclude(listener, examination, screen.hear, is_kept=False))
    for fault in rehearsal.faults:
        tell(tr("What was wrong with it: {fault}.", fault=fault_text(*fault)))
    tell(
        tr(
            "Once more with --faults {faults} --seed {seed}; of a virtual table nothing is kept.",
            faults=faults,
            seed=seed,
        )
    )
    return status
