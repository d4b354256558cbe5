"""A Pico that is flashed in a test: its firmware, old and new, and the person who is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware.image import starters
from chronotable_host.hardware.firmware.manifest import entry_of, manifest_of, parse
from chronotable_host.hardware.flashing.installer import Installer, InstallRequest, InstallResult
from chronotable_host.live.line.port_search import AUTO, PortSearch
from tests.host.pico import SERIAL, Pico, PicoDevice
from tests.host.usb import ACM, Usb

BOARD = boards.find("reference").read_bytes()
STARTERS = starters()
OTHER_STARTERS = {name: data + b"# of before\n" for name, data in STARTERS.items()}
GAMES = {"games/000001": b"a game", "settings.json": b"{}", "reeds.json": b'{"doubted": [3]}'}


OLD_VERSION, NEW_VERSION = "0.1.0", "0.2.0"


OLD = {
    "start.mpy": b"M\x06\x13old",
    "lib/ttykm/acts.mpy": b"M\x06\x00acts",
    "gone.mpy": b"M\x06\x00",
}


NEW = {
    "start.mpy": b"M\x06\x13" + bytes(range(256)) * 50,
    "lib/ttykm/acts.mpy": b"M\x06\x00acts",
    "lib/chronotable/core/table.mpy": b"M\x06\x00table",
}


class Desk:
    """Says yes, and takes note."""

    def __init__(self, answer: bool = True) -> None:
        self.answer = answer
        self.lines: list[str] = []
        self.done: list[int] = []

    def say(self, line: str) -> None:
        self.lines.append(line)

    def show(self, lines: Sequence[str]) -> None:
        self.lines += lines

    def may_go_on(self) -> bool:
        return self.answer

    def progress(self, done: int, total: int) -> None:
        assert done <= total
        self.done.append(done)


def wishes(modules: dict[str, bytes] = NEW, **changes: Any) -> InstallRequest:
    return InstallRequest(modules, STARTERS, None, BOARD)._replace(**changes)


def in_folder(
    folder: str,
    modules: dict[str, bytes],
    version: str,
    board: bytes = BOARD,
    started_by: dict[str, bytes] = STARTERS,
) -> Any:
    """The files of an installed firmware."""
    manifest = manifest_of(modules, "reference", started_by)._replace(version=version)
    inside = {**modules, "board.json": board, "manifest.json": manifest.to_bytes()}
    return {f"{folder}/{path}": data for path, data in inside.items()}


def old_table(version: str = OLD_VERSION, **more: bytes) -> Pico:
    """A Pico that runs the old firmware from folder a."""
    files = {**in_folder("a", OLD, version), "slot": b"a", **STARTERS, **GAMES, **more}
    pico = Pico(files)
    assert pico.power_on() == "a"
    return pico


def other_starters_only() -> Pico:
    """A Pico that has the new firmware, but for what starts it."""
    files = in_folder("a", NEW, NEW_VERSION, started_by=OTHER_STARTERS)
    pico = Pico({**files, "slot": b"a", **OTHER_STARTERS, **GAMES})
    assert pico.power_on() == "a"
    return pico


def flash(
    usb: Usb,
    pico: Pico,
    wanted: InstallRequest | None = None,
    *,
    desk: Desk | None = None,
    table: str = "",
    serial: str | None = SERIAL,
    device: type[PicoDevice] = PicoDevice,
) -> InstallResult:
    """Plug the Pico in and flash it."""
    usb.devices.clear()
    usb.plug(ACM[0], pico, serial)

    def sleep(duration_s: float) -> None:
        usb.now_s += duration_s

    return Installer(
        PortSearch(AUTO, table),
        wanted or wishes(),
        desk or Desk(),
        lambda name, _patience: device(pico, name),
        usb.open,
        usb.clock,
        sleep,
    ).run()


def contents(pico: Pico, folder: str) -> dict[str, bytes]:
    return {
        path.removeprefix(f"{folder}/"): data
        for path, data in pico.files.files.items()
        if path.startswith(f"{folder}/")
    }


def is_whole(pico: Pico, folder: str, modules: dict[str, bytes]) -> bool:
    """Tell whether a folder has these modules, and says so."""
    inside = contents(pico, folder)
    manifest = parse(inside.get("manifest.json", b"").decode())
    return (
        manifest is not None
        and manifest.files == {path: entry_of(data) for path, data in modules.items()}
        and all(inside.get(path) == data for path, data in modules.items())
        and inside.get("board.json") == BOARD
    )


def kept(pico: Pico) -> dict[str, bytes]:
    return {path: pico.files.files[path] for path in GAMES}
