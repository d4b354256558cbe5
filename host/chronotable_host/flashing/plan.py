"""What an installation changes on a Pico, worked out before anything is changed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from chronotable_host.errors import UserError
from chronotable_host.firmware.manifest import (
    BOARD,
    NAME,
    Manifest,
    board_name,
    entry_of,
    manifest_of,
)
from chronotable_host.flashing.pico_state import FOLDERS, SLOT, TRIAL, PicoState, version_text
from chronotable_host.flashing.running_firmware import RunningFirmware

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
    kept = "the board file (wiring), the games, settings and what is known of the reeds"
    if pico.board is not None and pico.board != plan.board:
        kept = "the games, settings and what is known of the reeds"
    lines = [
        *state_lines(pico),
        f"  to install: version {new.version} (build {new.build}) into folder {plan.folder}, "
        f"board {new.board}",
        f"  to send: {len(plan.send)} of {len(plan.expected)} files, {plan.size} bytes",
    ]
    if plan.starters and any(name in pico.files for name in plan.starters):
        lines.append(f"  replaced: {' and '.join(plan.starters)}, by which the firmware starts")
    if plan.is_first:
        lines.append("  kept: all other files there")
    else:
        lines += [
            f"  kept: {kept}",
            f"  folder {pico.slot} stays as it is, and runs again if the new firmware proves bad",
        ]
    return lines


def state_lines(pico: PicoState) -> list[str]:
    """Return for people what is there."""
    old = pico.manifest
    board = "" if pico.board is None else board_name(pico.board)
    runs = f"version {old.version} (build {old.build}) in folder {pico.slot}" if old else "none"
    return [
        f"Pico {pico.table_id}, MicroPython {version_text(pico)}",
        f"  firmware there: {runs}",
        f"  board there: {board or 'none'}",
    ]


def running_lines(running: RunningFirmware, new: Manifest | None, lacks: str) -> list[str]:
    """Return for people what a table says of itself, and what would be installed.

    `lacks` says why that is not known.
    """
    there = f"version {running.version} (build {running.build}) in folder {running.folder}"
    installs = f"version {new.version} (build {new.build})" if new else lacks
    return [
        f"Pico {running.table_id}",
        f"  firmware there: {there}" + (", on trial" if running.is_on_trial else ""),
        *([f"  it failed before: {running.failure}"] if running.failure else []),
        f"  to install: {installs}",
    ]


def is_older(version: str, other: str) -> bool:
    """Tell whether a version comes before another one."""
    return _parts(version) < _parts(other)


def plan_as_json(pico: PicoState, plan: InstallPlan) -> dict[str, Any]:
    """Return for programs what `plan_lines` says for people."""
    return {
        "table": pico.table_id,
        "micropython": version_text(pico),
        "from": None
        if plan.old is None
        else {
            "version": plan.old.version,
            "build": plan.old.build,
            "board": plan.old.board,
            "folder": pico.slot,
        },
        "to": {
            "version": plan.new.version,
            "build": plan.new.build,
            "board": plan.new.board,
            "folder": plan.folder,
        },
        "files": len(plan.send),
        "bytes": plan.size,
    }


def marker_path(plan: InstallPlan) -> str:
    """Return the file whose rename decides what starts next."""
    return SLOT if plan.is_first else TRIAL


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
            f"the Pico has no room for a second firmware, {missing} KB are missing: `chronotable "
            "play` fetches the games that it keeps, and makes room"
        )
