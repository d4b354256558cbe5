"""A Pico in a test: the files in its flash, the real scripts, starter and slots on them.

Power can go at every operation on the files, or whatever `ends_in` says come in between. As with
littlefs a file has its new content when it is closed, and is there, empty, from the moment it is
made.
"""

from __future__ import annotations

import builtins
import errno
import json
from collections.abc import Callable, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

from chronotable.hardware.board import board_hash
from chronotable.link.identity import TABLE, Identity
from chronotable.link.link import Link
from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware.files import app_sources
from chronotable_host.hardware.firmware.image import starters
from chronotable_host.hardware.firmware.manifest import entry_of, manifest_of, parse
from chronotable_host.hardware.flashing import device as devices
from chronotable_host.hardware.flashing.device import DeviceError, DeviceLine
from chronotable_host.hardware.flashing.installer import Installer, InstallRequest, InstallResult
from chronotable_host.live.line.port import PortError
from chronotable_host.live.line.port_search import AUTO, PortSearch
from chronotable_host.virtual.runtimes.flash import Flash
from tests.host.usb import ACM, Usb
from ttykm.game import RULES_VERSION

TABLE_ID = "aabb11223344"
SERIAL = "E660AABB11223344"

_HEALTHY_MS = 10_000
_START_MS = 1500
_FOLDER = 0x4000
_FILE = 0x8000
_MPY = 0x1306  # version 6, sub-version 3, armv6m
_SCRIPT = devices._SCRIPT.read_text("utf-8")
_TRIALS_ENDED = 10  # starts in a row that fail: no table does that


class PowerCut(Exception):  # noqa: N818 - it is no error
    """The cable was pulled, and the power goes with it."""


class ResetNow(Exception):  # noqa: N818 - it is no error
    """The chip starts again."""


class Hang(BaseException):
    """The firmware hangs until the watchdog bites."""


class Files(Flash):
    """The flash; `left` operations until the power goes, None for never."""

    def __init__(self, files: dict[str, bytes], blocks: int = 352) -> None:
        super().__init__(files, blocks)
        self.left: int | None = None
        self.ends_in: type[BaseException] = PowerCut
        self.done = 0

    def listdir(self, folder: str = "") -> list[str]:
        return super().listdir(folder)

    def ilistdir(self, folder: str) -> list[tuple[str, int]]:
        names = self.listdir(folder)
        return [
            (name, _FILE if f"{folder.strip('/')}/{name}" in self.files else _FOLDER)
            for name in names
        ]

    def stat(self, name: str) -> tuple[int, ...]:
        name = name.strip("/")
        if name not in self.files and f"{name}/" not in self._all() and not self._is_folder(name):
            raise OSError(errno.ENOENT, "ENOENT")
        return ()

    def mkdir(self, folder: str) -> None:
        self.operate()
        self._folders.add(folder.strip("/"))

    def rename(self, name: str, new_name: str) -> None:
        self.operate()
        super().rename(name, new_name)

    def remove(self, name: str) -> None:
        self.operate()
        super().remove(name)

    def open(self, name: str, mode: str = "r") -> Any:
        path = name.lstrip("/")
        if "r" in mode:
            return super().open(name, mode)
        folder = path.rpartition("/")[0]
        if folder and not self._is_folder(folder):
            raise OSError(errno.ENOENT, "ENOENT")
        if path not in self.files:
            self.operate()
            self.files[path] = b""
        self.operate()
        return super().open(name, mode)

    def operate(self) -> None:
        self.done += 1
        if self.left is not None:
            if not self.left:
                self.left = None
                raise self.ends_in
            self.left -= 1

    def _is_folder(self, name: str) -> bool:
        return name in self._folders or any(path.startswith(name + "/") for path in self.files)


@cache
def _code(text: str | bytes) -> Any:
    return compile(text, "on the Pico", "exec")


class Pico:
    """The board: what `flash` reaches at its prompt, and what starts when it is switched on.

    `behaves` says what a firmware in a folder does when it starts: nothing, or raise something.
    """

    def __init__(self, files: dict[str, bytes] | None = None, blocks: int = 352) -> None:
        self.files = Files(dict(files or {}), blocks)
        self.typed = b""
        self.version = (1, 26, 1)
        self.machine = "Raspberry Pi Pico with RP2040"
        self.behaves: Callable[[str, Files], None] = lambda _folder, _files: None
        self.folder = ""
        """Where the firmware that runs lies, "" at the prompt."""
        self.starts = 0
        self.stops = 0
        self.is_deaf = False
        self.is_off = False
        self.garble: Callable[[str], str] = lambda line: line
        self._link: Link | None = None
        self._slots: dict[str, Any] = {}
        self._begun_ms: int | None = None

    # ---- as a board that is switched on

    def power_on(self) -> str:
        """Start it after a power cut; return the folder of the firmware that runs."""
        self.files.left = None
        self.is_off = False
        return self.start()

    def start(self) -> str:
        """Start it; return the folder of the firmware that runs, "" for none."""
        for _ in range(_TRIALS_ENDED):
            self.starts += 1
            try:
                self._main()
            except (ResetNow, Hang):
                continue
            except PowerCut:
                self.is_off = True
            return self.folder
        raise AssertionError("it starts again and again")

    def answer(self, data: bytes, now_ms: int) -> bytes:
        """Be what a PC has on the line."""
        self.typed += data
        if self.is_off:
            raise PortError("it vanished")
        if not self.folder or self.is_deaf:
            return data
        if self._begun_ms is None:
            self._begun_ms = now_ms
        if now_ms - self._begun_ms < _START_MS:
            return b""
        if self._link is None:
            self._link = self._make_link()
            self._link.open(now_ms)
        link = self._link
        link.receive(data, now_ms)
        while link.next_event() is not None:
            pass
        if now_ms - self._begun_ms >= _HEALTHY_MS and link.connected:
            self.files.files.pop("fault.txt", None)
            try:
                self._slots["confirm"](link)
            except PowerCut:
                self.is_off = True
        link.tick(now_ms)
        return link.data_to_send()

    def _main(self) -> None:
        """Run main.py as it lies there, as far as the firmware's own start."""
        system = SimpleNamespace(
            path=["", "/lib"],
            modules={},
            implementation=SimpleNamespace(version=(*self.version, "")),
            print_exception=lambda _error: None,
        )
        self.folder = ""
        self._link = self._begun_ms = None

        def start() -> None:
            folder = system.path[0]
            self.behaves(folder[1:], self.files)
            self.folder = folder[1:]
            self._slots = self._run(app_sources()["slots.py"], sys=system)

        def reset() -> None:
            raise ResetNow

        machine = SimpleNamespace(WDT=lambda timeout: None, reset=reset)
        text = self.files.files.get("main.py", b"")
        self._run(text, sys=system, machine=machine, start=SimpleNamespace(start=start))

    def _make_link(self) -> Link:
        board = self.files.files[f"{self.folder}/board.json"]
        identity = Identity(
            str(json.loads(board)["name"])[:12],
            board_hash(board),
            TABLE_ID,
            RULES_VERSION,
            self.starts,
        )
        link = Link(TABLE, identity)
        link.send("about", firmware=self._slots["version"]()[0], micropython="1.26.1")
        self._slots["tell"](link)
        if "fault.txt" in self.files.files:
            reason = self.files.files["fault.txt"].decode()
            link.send("failure", boots=1, reason=reason)
        link.send("counters", scan_max_us=1, loop_max_ms=1, heap_free=1, reset_cause=4)
        return link

    def _run(self, text: str | bytes, **modules: Any) -> dict[str, Any]:
        files = self.files

        def imported(name: str, *rest: Any) -> Any:
            micropython = SimpleNamespace(const=lambda value: value)
            known = {"os": files, "micropython": micropython, **modules}
            return known[name] if name in known else builtins.__import__(name, *rest)

        space: dict[str, Any] = {
            "__name__": "on the Pico",
            "__builtins__": {
                **vars(builtins),
                "__import__": imported,
                "open": files.open,
                "print": lambda *_words, **_rest: None,
            },
        }
        exec(_code(text), space)
        return space


class PicoDevice:
    """What `flash` has in the place of its prompt."""

    def __init__(self, pico: Pico, name: str) -> None:
        self.name = name
        self.pico = pico
        self.calls: list[str] = []

    def run(self, calls: Sequence[str], hear: Callable[[DeviceLine], None]) -> None:
        pico = self.pico
        pico.folder = ""
        pico.stops += 1
        lines: list[str] = []
        system = SimpleNamespace(
            implementation=SimpleNamespace(
                name="micropython", version=(*pico.version, ""), _machine=pico.machine, _mpy=_MPY
            ),
            platform="rp2",
        )
        machine = SimpleNamespace(unique_id=lambda: bytes.fromhex(SERIAL), mem32={})
        space = pico._run(_SCRIPT, sys=system, machine=machine)
        space["__builtins__"]["print"] = lines.append
        for call in calls:
            self.calls.append(call)
            try:
                exec(call, space)
            except PowerCut:
                pico.is_off = True
                raise DeviceError(f"{self.name}: the Pico vanished") from None
            except OSError as error:
                raise DeviceError(f"{self.name}: {error}") from error
            for line in lines:
                hear(devices.parse_line(self.name, pico.garble(line)))
            lines.clear()

    def restart(self) -> bool:
        files = self.pico.files
        if files.ends_in is KeyboardInterrupt:  # which is the PC's, and has to wait
            files.left = None
        if not self.pico.is_off:
            self.pico.start()
        return not self.pico.is_off

    def to_bootsel(self) -> None:
        self.pico.folder = ""


# ---- what is flashed, and the person who is asked


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
