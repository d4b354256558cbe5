"""What an installation changes on a Pico, worked out before anything is changed, and its steps.

Whatever step the power goes at, main.py on the Pico finds `slot` naming a firmware that is whole,
or on a Pico without one no `slot` at all. The starters are replaced one by one, each by a rename,
and before the trial: old or new, each of them works with the other and with both folders.
"""

import binascii
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from chronotable_host.errors import UserError
from chronotable_host.hardware.firmware.chips import CHIPS, chip_of, untried
from chronotable_host.hardware.firmware.manifest import (
    BOARD,
    NAME,
    Manifest,
    board_name,
    entry_of,
    manifest_of,
)
from chronotable_host.hardware.flashing.device import (
    Device,
    DeviceError,
    DeviceLine,
    as_device_errors,
)
from chronotable_host.hardware.flashing.pico_state import (
    FAULT,
    FOLDERS,
    SLOT,
    TRIAL,
    PicoState,
    parse_files,
    version_text,
)
from chronotable_host.hardware.flashing.running_firmware import RunningFirmware
from chronotable_host.language import tr, tr_c

UNFINISHED = ".new"
"""What a file's name ends in until it takes its place."""

_FILES_BESIDE = 8  # blocks for small files beside, and for what littlefs writes of its own
_VERSION = re.compile(r"\d+(?:\.\d+)*")


class InstallPlan(NamedTuple):
    """What an installation is to change on a Pico."""

    old: Manifest | None
    """Of the firmware that runs; None where there is none that says what it is."""
    new: Manifest
    folder: str
    """Where the new one goes."""
    is_first: bool
    """No firmware is known to run: there is none to go back to."""
    send: dict[str, bytes]
    """Files that are not right yet, by path."""
    remove: list[str]
    """Files in the folder that do not belong there."""
    expected: dict[str, tuple[int, str]]
    """Size and hash of all that has to be there before the switch, by path."""
    starters: list[str]
    """Those of boot.py and main.py that change."""
    board: bytes
    is_needed: bool
    """False where the same is there already."""

    @property
    def size(self) -> int:
        """How many bytes are sent."""
        return sum(map(len, self.send.values()))


def make_plan(
    pico: PicoState, modules: Mapping[str, bytes], starters: Mapping[str, bytes], board: bytes
) -> InstallPlan:
    """Compare what is on a Pico with what is to be on it; `modules` by path in the folder.

    Raises UserError where there is no room for it.
    """
    new = manifest_of(modules, board_name(board), starters)
    old = pico.manifest
    folder = FOLDERS[1] if pico.slot == FOLDERS[0] else FOLDERS[0]
    wanted = {f"{folder}/{path}": data for path, data in modules.items()}
    wanted[f"{folder}/{BOARD}"] = board
    wanted[f"{folder}/{NAME}{UNFINISHED}"] = new.to_bytes()
    changed = [name for name, data in starters.items() if pico.files.get(name) != entry_of(data)]
    wanted |= {f"{name}{UNFINISHED}": starters[name] for name in changed}
    send = {path: data for path, data in wanted.items() if pico.files.get(path) != entry_of(data)}
    remove = [path for path in pico.files if path.startswith(f"{folder}/") and path not in wanted]
    is_same = old is not None and old.build == new.build and old.version == new.version
    plan = InstallPlan(
        old,
        new,
        folder,
        not pico.slot,
        send,
        sorted(remove),
        {path: entry_of(data) for path, data in wanted.items()},
        changed,
        board,
        not (is_same and pico.board == board and pico.is_sound and not changed),
    )
    _check_room(pico, plan)
    return plan


def plan_lines(pico: PicoState, plan: InstallPlan) -> list[str]:
    """Return for people what is there, and what will change."""
    new = plan.new
    kept = tr("the board file (wiring), the games, settings and what is known of the reeds")
    if pico.board is not None and pico.board != plan.board:
        kept = tr("the games, settings and what is known of the reeds")
    lines = [
        *state_lines(pico),
        *(f"  {line}" for line in untried(chip_of(pico.machine))),
        tr(
            "  to install: version {version} (build {build}) into folder {folder}, board {board}",
            version=new.version,
            build=new.build,
            folder=plan.folder,
            board=new.board,
        ),
        tr(
            "  to send: {count} of {most} files, {size} bytes",
            count=len(plan.send),
            most=len(plan.expected),
            size=plan.size,
        ),
    ]
    if plan.starters and any(name in pico.files for name in plan.starters):
        lines.append(
            tr(
                "  replaced: {names}, by which the firmware starts",
                names=tr(" and ").join(plan.starters),
            )
        )
    if plan.is_first:
        lines.append(tr("  kept: all other files there"))
    else:
        lines += [
            tr("  kept: {kept}", kept=kept),
            tr(
                "  folder {folder} stays as it is, and runs again if the new firmware proves bad",
                folder=pico.slot,
            ),
        ]
    return lines


def _runs(version: str, build: str, folder: str) -> str:
    return tr(
        "version {version} (build {build}) in folder {folder}",
        version=version,
        build=build,
        folder=folder,
    )


def state_lines(pico: PicoState) -> list[str]:
    """Return for people what is there."""
    old = pico.manifest
    board = "" if pico.board is None else board_name(pico.board)
    runs = _runs(old.version, old.build, pico.slot) if old else tr_c("firmware", "none")
    return [
        f"Pico {pico.table_id}, MicroPython {version_text(pico)}",
        tr("  firmware there: {runs}", runs=runs),
        tr("  board there: {board}", board=board or tr_c("board", "none")),
    ]


def running_lines(running: RunningFirmware, new: Manifest | None, lacks: str) -> list[str]:
    """Return for people what a table says of itself, and what would be installed.

    `lacks` says why that is not known.
    """
    there = _runs(running.version, running.build, running.folder)
    failed = []
    if running.failure:
        failed = [tr("  it failed before: {failure}", failure=running.failure)]
    installs = lacks
    if new:
        installs = tr("version {version} (build {build})", version=new.version, build=new.build)
    return [
        f"Pico {running.table_id}",
        tr("  firmware there: {runs}, on trial", runs=there)
        if running.is_on_trial
        else tr("  firmware there: {runs}", runs=there),
        *failed,
        tr("  to install: {installs}", installs=installs),
    ]


def is_older(version: str, other: str) -> bool:
    """Tell whether a version comes before another one."""
    return _parts(version) < _parts(other)


def plan_as_json(pico: PicoState, plan: InstallPlan) -> dict[str, Any]:
    """Return for programs what `plan_lines` says for people."""

    def told(of: Manifest, folder: str) -> dict[str, str]:
        return {"version": of.version, "build": of.build, "board": of.board, "folder": folder}

    return {
        "table": pico.table_id,
        "micropython": version_text(pico),
        "from": None if plan.old is None else told(plan.old, pico.slot),
        "to": told(plan.new, plan.folder),
        "files": len(plan.send),
        "bytes": plan.size,
    }


def _parts(version: str) -> tuple[int, ...]:
    """Return the numbers of a version, () of one without."""
    match = _VERSION.match(version)
    return tuple(map(int, match[0].split("."))) if match else ()


def _check_room(pico: PicoState, plan: InstallPlan) -> None:
    def blocks(size: int) -> int:
        return -(-size // pico.block)

    freed = sum(blocks(pico.files[path][0]) for path in plan.remove)
    freed += sum(blocks(pico.files[path][0]) for path in plan.send if path in pico.files)
    needed = sum(blocks(len(data)) for data in plan.send.values()) + _FILES_BESIDE
    if needed > pico.free_blocks + freed:
        missing = (needed - pico.free_blocks - freed) * pico.block // 1024
        raise UserError(
            tr(
                "the Pico has no room for a second firmware, {missing} KB are missing: "
                "`chronotable play` fetches the games that it keeps, and makes room",
                missing=missing,
            )
        )


_PIECE = 6144  # bytes of a file in one script: what the Pico's heap takes with ease

Progress = Callable[[int, int], None]
"""Hears how many of how many bytes are there."""


def send(device: Device, plan: InstallPlan, progress: Progress) -> None:
    """Bring all files to the Pico, under names that nothing starts; raises DeviceError."""
    done = 0

    def hear(line: DeviceLine) -> None:
        nonlocal done
        if line[0] == "wrote":
            with as_device_errors(device.name):
                done = min(done + int(line[2]), plan.size)
            progress(done, plan.size)

    # a folder without a manifest is not finished; nor may it be tried while it changes
    gone = [TRIAL, f"{plan.folder}/{NAME}", *plan.remove]
    device.run([f"remove({gone!r})", *_writes(plan)], hear)


def verify(device: Device, plan: InstallPlan) -> None:
    """Have the Pico read everything back; raises DeviceError where a byte is not as it was sent."""
    lines: list[DeviceLine] = []
    others = [path for path in plan.expected if not path.startswith(f"{plan.folder}/")]
    device.run([f"check([{plan.folder!r}], {others!r})"], lines.append)
    with as_device_errors(device.name):
        there = parse_files(lines)
    wrong = sorted(
        path
        for path in there.keys() | plan.expected.keys()
        if there.get(path) != plan.expected.get(path)
    )
    if wrong:
        raise DeviceError(
            tr(
                "{name}: {count} files on the Pico are not as they were sent ({example} for one); "
                "run `chronotable flash` again, and if it is the same, try another Pico",
                name=device.name,
                count=len(wrong),
                example=wrong[0],
            )
        )


def switch(device: Device, plan: InstallPlan, chip: str) -> None:
    """Name the new firmware as the one to start; raises DeviceError."""
    manifest = f"{plan.folder}/{NAME}"
    calls = [f"remove([{FAULT!r}])", _takes_place(manifest)]
    starters = [_takes_place(name) for name in plan.starters]
    marker = SLOT if plan.is_first else TRIAL  # its rename decides what starts next
    name_it = f"put({marker!r}, {plan.folder!r})"
    if plan.is_first:
        # what ran there, if anything did, goes on being started until the very last step
        calls += [name_it, *starters]
    else:
        calls += [*starters, name_it]
    calls.append(f"forget_failures({CHIPS[chip].WATCHDOG_SCRATCH_0})")
    device.run(calls, lambda _line: None)


def _takes_place(path: str) -> str:
    return f"rename({path + UNFINISHED!r}, {path!r})"


def _writes(plan: InstallPlan) -> Iterator[str]:
    for path, data in plan.send.items():
        for at in range(0, max(1, len(data)), _PIECE):
            piece = binascii.b2a_base64(data[at : at + _PIECE], newline=False)
            yield f"write({path!r}, {at == 0}, {piece!r})"
