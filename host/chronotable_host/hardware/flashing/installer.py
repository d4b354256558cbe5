"""Installs the firmware: from finding the port to a table that is known to run.

Where it is refused or fails, the table is started again before the error is raised.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import chronotable_host
from chronotable.hardware.board import board_hash
from chronotable_host.errors import UserError
from chronotable_host.hardware.firmware.chips import RP2040
from chronotable_host.hardware.firmware.manifest import Manifest, manifest_of
from chronotable_host.hardware.flashing import bootsel, pico_state, running_firmware
from chronotable_host.hardware.flashing.device import Device, DeviceError, RawPrompt
from chronotable_host.hardware.flashing.pico_state import PicoState, version_text
from chronotable_host.hardware.flashing.plan import (
    InstallPlan,
    is_older,
    make_plan,
    plan_lines,
    running_lines,
    send,
    state_lines,
    switch,
    verify,
)
from chronotable_host.hardware.flashing.running_firmware import RunningFirmware, Whereabouts
from chronotable_host.language import tr
from chronotable_host.live.line.connection import OpenPort
from chronotable_host.live.line.port import PortError, open_port
from chronotable_host.live.line.port_search import PortSearch

if TYPE_CHECKING:
    from chronotable_host.hardware.firmware.uf2 import Image

INSTALLED = "installed"
UNCHANGED = "unchanged"
DRY_RUN = "dry run"
DECLINED = "declined"
WENT_BACK = "went back"
FAILING = "failing"
SILENT = "silent"

_PROVES_S = 12.0
_NOT_STARTED = tr(
    "the table does not answer and may stand still: pull its cable and plug it in again"
)


class InstallRequest(NamedTuple):
    """What is to be installed, and what the user allows."""

    modules: Mapping[str, bytes]
    """Of the new firmware, by path in its folder."""
    starters: Mapping[str, bytes]
    board: bytes | None
    """A board file, None to keep the table's."""
    reference: bytes
    """The board file of a Pico that has none."""
    chip: str = RP2040
    """Whose firmware that is."""
    may_downgrade: bool = False
    dry_run: bool = False
    image: Path | None = None
    bootsel: Path | None = None
    patience_s: float = 60.0
    is_port_named: bool = False
    """The user has said which port or table it is: no other Pico that is a drive is meant."""
    lacks: str = ""
    """Why there are no modules, on this computer: then only a dry run can be done."""


class InstallResult(NamedTuple):
    """How an installation ended."""

    how: str
    """INSTALLED, UNCHANGED ..."""
    port: str
    pico: PicoState | None = None
    plan: InstallPlan | None = None
    running: RunningFirmware | None = None
    """What the table said last."""
    new: Manifest | None = None
    """What would be installed, where there is no plan for it."""


class UserInterface(Protocol):
    """How the installer tells its user what happens, and asks whether to go on."""

    def say(self, line: str) -> None:
        """Say what is going on."""

    def show(self, lines: Sequence[str]) -> None:
        """Show what is there and what will change."""

    def may_go_on(self) -> bool:
        """Ask whether to go on."""

    def progress(self, done: int, total: int) -> None:
        """Tell how many bytes of how many were sent."""


class Installer:
    """Installs a firmware on what `search` finds."""

    def __init__(
        self,
        search: PortSearch,
        request: InstallRequest,
        ui: UserInterface,
        device: Callable[[str, float], Device] | None = None,
        opens: Callable[[str], OpenPort] = open_port,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._search = search
        self._where = Whereabouts(search)
        self._request = request
        self._ui = ui
        self._device = device or partial(RawPrompt, opens=opens, clock=clock, sleep=sleep)
        self._opens = opens
        self._clock = clock
        self._sleep = sleep

    def run(self) -> InstallResult:
        """Install the firmware; raises UserError where that cannot be done."""
        request = self._request
        image = None if request.image is None else bootsel.read_image(request.image)
        if image is not None:
            pico_state.check_chip(image.path.name, image.chip, request.chip)
        port = self._port(image)
        # on a Pico without a firmware this time is lost
        running = running_firmware.ask(
            port, request.patience_s / 20, self._clock, self._sleep, self._opens
        )
        if running is not None:
            self._check_id(running.table_id)
            if self._is_there(running):
                return InstallResult(UNCHANGED, port, running=running)
            if request.dry_run:
                return self._tell(running, port)
        device = self._device(port, request.patience_s)
        is_told = False
        try:
            pico = self._look(device)
            if pico_state.is_too_old(pico) and image is not None and not request.dry_run:
                if not self._may_replace(pico, image):
                    return InstallResult(DECLINED, port, pico)
                port = self._replace(device, image)
                device = self._device(port, request.patience_s)
                pico = self._look(device)
            plan, how = self._prepare(pico)
            if how:
                return InstallResult(how, port, pico, plan)
            assert plan is not None
            send(device, plan, self._ui.progress)
            self._ui.say(tr("All files are there; the Pico reads them back."))
            verify(device, plan)
            switch(device, plan, request.chip)
        except DeviceError:
            is_told = True  # the error says already what to do about a Pico that does not answer
            raise
        finally:  # after Ctrl-C, too
            if not device.restart() and not is_told:
                self._ui.say(f"{device.name}: {_NOT_STARTED}")
        return self._outcome(InstallResult("", port, pico, plan), plan)

    # ---- steps

    def _port(self, image: Image | None) -> str:
        """Return the port, of a Pico in BOOTSEL mode after it got its image."""
        request = self._request
        if image is None:
            try:
                return self._where.next()
            except PortError as error:
                drive = bootsel.find_drive(request.bootsel)
                if drive is None:
                    raise
                raise UserError(
                    tr(
                        "the Pico at {drive} is in BOOTSEL mode: --image UF2 brings MicroPython "
                        "to it",
                        drive=drive,
                    )
                ) from error
        folder = request.bootsel
        looks = not request.is_port_named if folder is None else folder.is_dir()
        drive = bootsel.find_drive(folder) if looks else None
        if drive is not None:
            return self._bring(image, drive)
        try:
            return self._where.next()
        except PortError as error:
            raise PortError(
                tr(
                    "{error}; a Pico in BOOTSEL mode is a drive, if it is not seen here name "
                    "its folder with --bootsel",
                    error=error,
                )
            ) from error

    def _bring(self, image: Image, drive: Path) -> str:
        if self._request.dry_run:
            raise UserError(
                tr(
                    "the Pico at {drive} has to get MicroPython first, which --dry-run does not do",
                    drive=drive,
                )
            )
        pico_state.check_chip(
            tr("the Pico at {drive}", drive=drive), bootsel.check_drive(drive), image.chip
        )
        self._ui.say(tr("MicroPython goes to the Pico at {drive}.", drive=drive))
        bootsel.copy_image(image, drive, self._clock, self._sleep)
        return bootsel.wait_for_port(
            self._where, self._request.patience_s, self._clock, self._sleep, self._opens
        )

    def _check_id(self, table_id: str) -> None:
        if not self._search.accepts(table_id):
            raise UserError(
                tr(
                    "the table at this port is {table_id}, not {wanted}, which --table names",
                    table_id=table_id,
                    wanted=self._search.wanted,
                )
            )

    def _is_there(self, running: RunningFirmware) -> bool:
        """Tell whether this very firmware runs already, with this board, and proved healthy."""
        request = self._request
        if request.lacks:
            return False
        new = self._new
        is_same = (running.version, running.build) == (new.version, new.build)
        is_board = request.board is None or board_hash(request.board) == running.board_hash
        return is_same and is_board and not running.is_on_trial and not running.failure

    def _look(self, device: Device) -> PicoState:
        self._ui.say(tr("The table is stopped, to look at what is on it."))
        pico = pico_state.look(device)
        self._check_id(pico.table_id)
        self._where.settle(pico.table_id, device.name)
        return pico

    def _tell(self, running: RunningFirmware, port: str) -> InstallResult:
        """Show what a table says of itself, which goes on running; raises UserError."""
        new = None if self._request.lacks else self._new
        self._ui.show(running_lines(running, new, self._request.lacks))
        self._check_version(running.version)
        return InstallResult(DRY_RUN, port, running=running, new=new)

    @property
    def _new(self) -> Manifest:
        """What there is to install; its board is not known yet."""
        return manifest_of(self._request.modules, "", self._request.starters)

    def _check_version(self, there: str) -> None:
        new = chronotable_host.__version__
        if is_older(new, there) and not self._request.may_downgrade:
            raise UserError(
                tr(
                    "the table has version {there}, and {new} is older: --downgrade installs it "
                    "all the same",
                    there=there,
                    new=new,
                )
            )

    def _may_replace(self, pico: PicoState, image: Image) -> bool:
        """Ask whether to put another MicroPython on a Pico.

        Raises UserError where the image is not for this board, whose files it might destroy.
        """
        pico_state.check_is_plain_pico(pico, image.chip)
        self._ui.say(
            tr(
                "The Pico's MicroPython {version} is too old; {name} takes its place, and "
                "all files stay.",
                version=version_text(pico),
                name=image.path.name,
            )
        )
        return self._ui.may_go_on()

    def _replace(self, device: Device, image: Image) -> str:
        """Put another MicroPython on a Pico; return the port at which it is then."""
        request = self._request
        self._ui.say(tr("The Pico restarts as a drive."))
        device.to_bootsel()
        drive = bootsel.wait_for_drive(
            request.bootsel, request.patience_s, self._clock, self._sleep
        )
        return self._bring(image, drive)

    def _prepare(self, pico: PicoState) -> tuple[InstallPlan | None, str]:
        """Return the plan, and how it ends where nothing is to be done, else ""."""
        request = self._request
        if request.lacks:
            self._ui.show([*state_lines(pico), request.lacks])
            return None, DRY_RUN
        # only native code says it: behind M its version, then the sub-version in the lowest bits
        compiled = [data for path, data in request.modules.items() if path.endswith(".mpy")]
        version, flags = max((data[1], data[2]) for data in compiled)
        pico_state.check(pico, (version, flags & 3), request.chip)
        board = request.board or pico_state.table_board(pico) or request.reference
        plan = make_plan(pico, request.modules, request.starters, board)
        if not plan.is_needed:
            return plan, UNCHANGED
        self._ui.show(plan_lines(pico, plan))
        if plan.old is not None:
            self._check_version(plan.old.version)
        if request.dry_run:
            return plan, DRY_RUN
        return plan, "" if self._ui.may_go_on() else DECLINED

    def _outcome(self, result: InstallResult, plan: InstallPlan) -> InstallResult:
        """Wait until the table says whether the new firmware proved healthy."""
        self._ui.say(tr("The table starts; the new firmware has to prove healthy."))

        def is_decided(running: RunningFirmware) -> bool:
            return not running.is_on_trial or running.folder != plan.folder

        running = self._wait_for(is_decided, self._request.patience_s)
        if not self._where.is_at(result.port):
            result = result._replace(port=self._where.port)
            self._ui.say(tr("The Pico is at {port} now.", port=result.port))
        if running is None or not is_decided(running):
            return result._replace(how=SILENT, running=running)
        if (running.folder, running.build) != (plan.folder, plan.new.build):
            return result._replace(how=WENT_BACK, running=running)
        if plan.is_first and not running.failure:
            # a first firmware is not on trial; if it fails, it does so in its first seconds
            seconds = min(_PROVES_S, self._request.patience_s)
            running = self._wait_for(lambda said: bool(said.failure), seconds) or running
        # there is none to go back to: one that fails is started again and again
        return result._replace(how=FAILING if running.failure else INSTALLED, running=running)

    def _wait_for(
        self, is_it: Callable[[RunningFirmware], bool], seconds: float
    ) -> RunningFirmware | None:
        return running_firmware.wait_for(
            self._where, is_it, seconds, self._clock, self._sleep, self._opens
        )


def result_lines(result: InstallResult) -> list[str]:
    """Return for people how it ended."""
    running, plan = result.running, result.plan
    why = running.failure if running is not None and running.failure else ""
    if result.how == UNCHANGED:
        return [tr("The table has this very firmware already; nothing was changed.")]
    if result.how == DRY_RUN:
        if result.pico is None:
            return [tr("Nothing was touched; the table runs on.")]
        return [tr("Nothing was changed; the Pico was stopped for a look, and started again.")]
    if result.how == DECLINED:
        return [tr("Nothing was changed; the table runs again.")]
    if result.how == INSTALLED:
        assert plan is not None
        return [
            tr(
                "Installed and healthy: version {version}, build {build}, in folder {folder}.",
                version=plan.new.version,
                build=plan.new.build,
                folder=plan.folder,
            )
        ]
    if result.how == WENT_BACK:
        assert running is not None
        reason = why or tr("it hung or ended while it started")
        return [
            tr(
                "The new firmware failed ({reason}); the table went back to version "
                "{version} (build {build}).",
                reason=reason,
                version=running.version,
                build=running.build,
            )
        ]
    if result.how == FAILING:
        return [
            tr(
                "Installed, but the firmware fails on this Pico ({why}), and there is none "
                "to go back to: `chronotable flash` again with a --board that fits, or "
                "report it.",
                why=why,
            )
        ]
    what = (
        tr("The new firmware did not prove healthy in time (no answer)")
        if running is None
        else tr(
            "The new firmware did not prove healthy in time (it waits in safe mode or is held up)"
        )
    )
    if plan is None or plan.is_first:
        return [tr("{what}; run `chronotable flash` again.", what=what)]
    return [tr("{what}; switch the table off and on, and the one before runs again.", what=what)]
