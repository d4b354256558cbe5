"""`flash`: the firmware on the table, installed or brought up to date: it looks, asks, installs."""

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from chronotable_host.commands.common.options import Json, PortName, TableId, takes
from chronotable_host.commands.common.terminal import STATUS_NO, Busy, is_terminal, print_json
from chronotable_host.commands.common.typed_lines import TypedLines, ask_which
from chronotable_host.errors import RuntimeUnavailable, UserError, printable
from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware.chips import RP2040
from chronotable_host.hardware.firmware.image import device_modules, starters
from chronotable_host.hardware.flashing import installer
from chronotable_host.hardware.flashing.installer import (
    Installer,
    InstallRequest,
    InstallResult,
    result_lines,
)
from chronotable_host.hardware.flashing.pico_state import version_text
from chronotable_host.hardware.flashing.plan import plan_as_json
from chronotable_host.language import tr
from chronotable_host.language.names import NO, YES
from chronotable_host.live.line.port import is_in_use
from chronotable_host.live.line.port_search import AUTO, PortSearch
from chronotable_host.output import say

_WELL = (installer.INSTALLED, installer.UNCHANGED, installer.DRY_RUN)
_DEFAULT_BOARD = "reference"

app = typer.Typer()

BoardName = Annotated[
    str | None,
    typer.Option(
        "--board",
        metavar="NAME",
        help="A board's name, or a board file; else the table keeps its own.",
    ),
]


class FlashArguments(NamedTuple):
    """What `flash` takes."""

    port: PortName = "auto"
    table: TableId = ""
    board: BoardName = None
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would change, and change nothing.")
    ] = False
    downgrade: Annotated[
        bool, typer.Option("--downgrade", help="Install an older version than the table has.")
    ] = False
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False
    image: Annotated[
        Path | None,
        typer.Option(
            metavar="UF2",
            help="MicroPython for a Pico in BOOTSEL mode, or for one whose MicroPython is too old.",
        ),
    ] = None
    bootsel: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The drive of the Pico in BOOTSEL mode.")
    ] = None
    patience: Annotated[
        float,
        typer.Option(
            min=20,
            metavar="SECONDS",
            help="How long the Pico may be silent, and the new firmware take to prove healthy.",
        ),
    ] = 60.0
    as_json: Json = False


@app.command()
@takes(FlashArguments)
def flash(arguments: FlashArguments) -> int:
    """Install the firmware on the table, or update it; games and settings stay."""
    port, table, board = arguments.port, arguments.table, arguments.board
    if not (arguments.yes or arguments.dry_run or is_terminal()):
        raise UserError(tr("nobody is there to be asked: --yes installs without a question"))
    chip = RP2040 if board is None else boards.read_data(board)["mcu"]
    modules, lacks = {}, ""
    try:
        modules = device_modules(chip)
    except RuntimeUnavailable as error:
        if not arguments.dry_run:
            raise
        lacks = str(error)
    request = InstallRequest(
        modules,
        starters(chip),
        None if board is None else boards.find(board).read_bytes(),
        boards.find(_DEFAULT_BOARD).read_bytes(),
        chip=chip,
        may_downgrade=arguments.downgrade,
        dry_run=arguments.dry_run,
        image=arguments.image,
        bootsel=arguments.bootsel,
        patience_s=arguments.patience,
        is_port_named=port != AUTO or bool(table),
        lacks=lacks,
    )
    typed = TypedLines(sys.stdin)
    search = PortSearch(
        port,
        table,
        (lambda candidates: ask_which(candidates, typed, is_in_use)) if is_terminal() else None,
    )
    with ExitStack() as closing:
        ui = TerminalInterface(typed, arguments.yes, arguments.as_json, closing)
        result = Installer(search, request, ui).run()
    if arguments.as_json:
        print_json(report(result))
    else:
        for line in result_lines(result):
            print(printable(line))
    return 0 if result.how in _WELL else STATUS_NO


class TerminalInterface:
    """The terminal as an installer uses it: it prints, asks, and shows how much was sent."""

    def __init__(self, typed: TypedLines, is_sure: bool, as_json: bool, closing: ExitStack) -> None:
        self._typed = typed
        self._is_sure = is_sure
        self._as_json = as_json
        self._closing = closing
        self._busy: Busy | None = None

    def say(self, line: str) -> None:
        """Say what is going on."""
        say(line)

    def show(self, lines: Sequence[str]) -> None:
        """Show what is there and what will change."""
        for line in lines:
            if self._as_json:
                say(printable(line))
            else:
                print(printable(line), flush=True)

    def may_go_on(self) -> bool:
        """Ask, unless the answer is known."""
        if self._is_sure:
            return True
        say(tr("Install it? Type y, or n to leave everything as it is."))
        while (line := self._typed.wait()) is not None:
            word = line.strip().lower()
            if word in YES:
                return True
            if word in NO:
                return False
            say(tr("Type y or n."))
        return False

    def progress(self, done: int, total: int) -> None:
        """Show how much was sent."""
        if self._busy is None:
            self._busy = self._closing.enter_context(Busy(tr("sending"), total))
        self._busy.report(done, total)
        if done == total:
            self._closing.close()


def report(result: InstallResult) -> dict[str, Any]:
    """Return for programs how it ended."""
    running = result.running
    found: dict[str, Any] = {"result": result.how, "port": result.port}
    if result.pico is not None and result.plan is not None:
        found |= plan_as_json(result.pico, result.plan)
    elif result.pico is not None:
        found |= {"table": result.pico.table_id, "micropython": version_text(result.pico)}
    if result.new is not None:
        found["to"] = {"version": result.new.version, "build": result.new.build}
    if running is not None:
        found |= {
            "table": running.table_id,
            "runs": {
                "version": running.version,
                "build": running.build,
                "folder": running.folder,
                "trial": running.is_on_trial,
                "failure": running.failure,
            },
        }
    return found
