"""What `flash` does: it looks, asks, installs, and says how it ended."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from chronotable_host import boards
from chronotable_host.commands.shared import Busy, is_terminal, print_json
from chronotable_host.commands.typed_lines import TypedLines, ask_which
from chronotable_host.errors import RuntimeUnavailable, UserError, printable
from chronotable_host.firmware.files import app_folder, library_folders
from chronotable_host.firmware.image import device_modules, starters
from chronotable_host.flashing import installer
from chronotable_host.flashing.installer import Installer, InstallRequest, InstallResult
from chronotable_host.flashing.pico_state import version_text
from chronotable_host.flashing.plan import as_json
from chronotable_host.live.port import is_in_use
from chronotable_host.live.port_search import AUTO, PortSearch
from chronotable_host.output import say

_NO = 1
_DEFAULT_BOARD = "reference"


def install(
    port: str,
    table: str,
    board: str | None,
    dry_run: bool,
    downgrade: bool,
    yes: bool,
    image: Path | None,
    bootsel: Path | None,
    patience: float,
    as_json: bool,
) -> int:
    """Install or update as the options of `flash` say, and return the exit status."""
    if not (yes or dry_run or is_terminal()):
        raise UserError("nobody is there to be asked: --yes installs without a question")
    if board is not None:
        boards.read(board)
    modules, lacks = {}, ""
    try:
        modules = device_modules(app_folder(), library_folders())
    except RuntimeUnavailable as error:
        if not dry_run:
            raise
        lacks = str(error)
    request = InstallRequest(
        modules,
        starters(app_folder()),
        None if board is None else boards.find(board).read_bytes(),
        boards.find(_DEFAULT_BOARD).read_bytes(),
        downgrade,
        dry_run,
        image,
        bootsel,
        patience,
        port != AUTO or bool(table),
        lacks,
    )
    typed = TypedLines(sys.stdin)
    search = PortSearch(
        port,
        table,
        (lambda candidates: ask_which(candidates, typed, is_in_use)) if is_terminal() else None,
    )
    with ExitStack() as closing:
        end = Installer(search, request, TerminalInterface(typed, yes, as_json, closing)).run()
    if as_json:
        print_json(report(end))
    for line in [] if as_json else result_lines(end):
        print(printable(line))
    return 0 if end.how in ("installed", "unchanged", "dry run") else _NO


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
        say("Install it? Type y, or n to leave everything as it is.")
        while (line := self._typed.wait()) is not None:
            word = line.strip().lower()
            if word in ("y", "yes"):
                return True
            if word in ("n", "no"):
                return False
            say("Type y or n.")
        return False

    def progress(self, done: int, total: int) -> None:
        """Show how much was sent."""
        if self._busy is None:
            self._busy = self._closing.enter_context(Busy("sending", total))
        self._busy.report(done, total)
        if done == total:
            self._closing.close()


def result_lines(end: InstallResult) -> list[str]:
    """Return for people how it ended."""
    running, plan = end.running, end.plan
    why = running.failure if running is not None and running.failure else ""
    match end.how:
        case installer.UNCHANGED:
            return ["The table has this very firmware already; nothing was changed."]
        case installer.DRY_RUN:
            if end.pico is None:
                return ["Nothing was touched; the table runs on."]
            return ["Nothing was changed; the Pico was stopped for a look, and started again."]
        case installer.DECLINED:
            return ["Nothing was changed; the table runs again."]
        case installer.INSTALLED:
            assert plan is not None
            return [
                f"Installed and healthy: version {plan.new.version}, build {plan.new.build}, in "
                f"folder {plan.folder}."
            ]
        case installer.WENT_BACK:
            assert running is not None
            reason = why or "it hung or ended while it started"
            return [
                f"The new firmware failed ({reason}); the table went back to version "
                f"{running.version} (build {running.build})."
            ]
        case installer.FAILING:
            return [
                f"Installed, but the firmware fails on this Pico ({why}), and there is none to go "
                "back to: `chronotable flash` again with a --board that fits, or report it."
            ]
    return [
        "The new firmware did not prove healthy in time"
        + (" (it waits in safe mode or is held up)" if running is not None else " (no answer)")
        + (
            "; run `chronotable flash` again."
            if plan is None or plan.is_first
            else "; switch the table off and on, and the one before runs again."
        )
    ]


def report(end: InstallResult) -> dict[str, Any]:
    """Return for programs how it ended."""
    running = end.running
    found: dict[str, Any] = {"result": end.how, "port": end.port}
    if end.pico is not None and end.plan is not None:
        found |= as_json(end.pico, end.plan)
    elif end.pico is not None:
        found |= {"table": end.pico.table_id, "micropython": version_text(end.pico)}
    if end.new is not None:
        found["to"] = {"version": end.new.version, "build": end.new.build}
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
