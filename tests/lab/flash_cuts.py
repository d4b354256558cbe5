"""The cable pulled at points spread over an upgrade of the emulated table, its power with it.

One transfer goes through the real command and a pty, on which `TappedLine` counts what the PC
sends; at each point the flash is kept as it is, and started on a chip of its own.
tests/emulator/test_flash_on_chip.py compares that with cables that are really pulled.
"""

from __future__ import annotations

import math
import threading
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from chronotable.hardware.wiring import Board
from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware.files import FOLDER
from chronotable_host.hardware.firmware.image import device_modules, starters
from chronotable_host.hardware.firmware.manifest import BOARD, NAME, manifest_of
from chronotable_host.hardware.flashing.device import RawPrompt
from chronotable_host.hardware.flashing.installer import (
    INSTALLED,
    Installer,
    InstallRequest,
    InstallResult,
)
from chronotable_host.hardware.flashing.running_firmware import FirmwareQuery, RunningFirmware
from chronotable_host.live.line.port import PortError
from chronotable_host.live.line.port_search import PortSearch
from chronotable_host.virtual.faulty.rehearsal import DirectPort
from chronotable_host.virtual.runtimes.rp2040 import Rp2040Runtime
from chronotable_host.virtual.runtimes.runtime import Runtime
from chronotable_host.virtual.serve import PtyLine, ServedRuntime
from tests.lab.chip import Report
from tests.lab.figures import Figure
from tests.lab.offline import files_of, long_game
from tests.lab.rig import Trouble

OLD_VERSION = "0.0.9"
GAMES = "games"

_BOARD = "reference"
_EVERY_BYTES = 1000  # so often the flash is kept, of which the points are chosen
_START_MS = 8000
_PATIENCE_S = 60.0
_STALL_S = 300.0  # of the wall's time: this computer may have a lot to do
_SLICE_MS = 2.0
_LISTEN_MS = 20.0
_TURNS = 20


class Chip(Rp2040Runtime):
    """A Pico whose flash can be taken out, and another one's put in."""

    def flash_now(self) -> bytes:
        """Return the flash as it would be if the power went now, compressed."""
        return zlib.compress(self._flash if self._chip is None else self._chip.flash(), 1)

    @classmethod
    def with_flash(cls, image: Path, board: Board, flash: bytes) -> Chip:
        """Return a chip that is switched on with this flash."""
        chip = cls(image, {}, board)
        chip.power(False)
        chip._flash = zlib.decompress(flash)
        chip.power(True)
        return chip


class TappedLine(PtyLine):
    """A pty that lets no byte of the PC's pass beyond `stop` before somebody says so."""

    def __init__(self) -> None:
        self.count = 0
        self.stop: float = math.inf
        self._held = b""
        super().__init__()

    def plug(self, is_there: bool) -> None:
        """Let the port appear, or vanish with what was on its way."""
        self._held = b""
        super().plug(is_there)

    def read(self) -> bytes:
        """Return what has come, up to the byte to stop at."""
        data = self._held + super().read()
        end = int(min(len(data), self.stop - self.count))
        self._held = data[end:]
        self.count += end
        return data[:end]


class OnPty:
    """A chip on a pty in a thread of its own.

    `at_stop` is called in that thread when the PC has sent so many bytes as `stop` says, with this
    object; it says where to stop next.
    """

    def __init__(self, chip: Chip, at_stop: Callable[[OnPty], None] | None = None) -> None:
        self.chip = chip
        self.line = TappedLine()
        self.served = ServedRuntime(chip, self.line)
        self._at_stop = at_stop
        self._over = threading.Event()
        self._wanted: list[Callable[[], None]] = []
        self._thread = threading.Thread(target=self._run, name="pico", daemon=True)

    def __enter__(self) -> OnPty:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self.served.close()

    def _run(self) -> None:
        while not self._over.is_set():
            self.served.run_until(self.served.now_ms + _SLICE_MS)
            if self.line.count >= self.line.stop:
                self.line.stop = math.inf
                if self._at_stop is not None:
                    self._at_stop(self)


def listen(chip: Runtime, patience_ms: float) -> RunningFirmware | None:
    """Return what runs on a chip, None where it does not say so in time."""
    end_ms = chip.now_ms + patience_ms
    ear: FirmwareQuery | None = None
    while chip.now_ms < end_ms:
        try:
            ear = ear or FirmwareQuery(
                DirectPort("emulated", chip.port), lambda: chip.now_ms / 1000
            )
            running = ear.step()
        except PortError:  # it has started anew
            running, ear = None, None
        if running is not None:
            return running
        chip.run_until(chip.now_ms + _LISTEN_MS)
    return None


def files_under(files: Mapping[str, bytes], folder: str) -> dict[str, bytes]:
    return {path: data for path, data in files.items() if path.startswith(f"{folder}/")}


class Kept(NamedTuple):
    """The flash, compressed, after the PC has sent so many bytes."""

    sent: int
    flash: bytes


class Transfer(NamedTuple):
    """An upgrade that was not disturbed."""

    kept: list[Kept]
    end: InstallResult
    sent: int
    """How many bytes the PC had sent, of any kind."""


class Quiet:
    """A desk without a person: it hears all and agrees to all."""

    def say(self, line: str) -> None:
        """Nobody hears it."""

    def show(self, lines: Sequence[str]) -> None:
        """Nobody looks."""

    def may_go_on(self) -> bool:
        """Nobody minds."""
        return True

    def progress(self, done: int, total: int) -> None:
        """Nobody waits."""


def new_wishes() -> InstallRequest:
    """Return what `chronotable flash` would install."""
    return InstallRequest(
        device_modules(), starters(), None, boards.find(_BOARD).read_bytes(), patience_s=_PATIENCE_S
    )


def old_files(wishes: InstallRequest) -> dict[str, bytes]:
    """Return the flash of a table with an older firmware, and a game that no PC has."""
    modules = {**wishes.modules, "older.mpy": wishes.modules["slots.mpy"]}
    manifest = manifest_of(modules, _BOARD, wishes.starters)._replace(version=OLD_VERSION)
    inside = {**modules, BOARD: wishes.reference, NAME: manifest.to_bytes()}
    return {
        **wishes.starters,
        **{f"{FOLDER}/{path}": data for path, data in inside.items()},
        "slot": FOLDER.encode(),
        **files_of(long_game(_TURNS)),
    }


def flash(table: OnPty, wishes: InstallRequest) -> InstallResult:
    """Run the whole course on a table, with patience in table time.

    Raises UserError.
    """
    return Installer(
        PortSearch(table.line.name),
        wishes,
        Quiet(),
        lambda name, _patience: RawPrompt(name, _STALL_S),
        clock=lambda: table.chip.now_ms / 1000,
    ).run()


def flash_in_step(chip: Chip, wishes: InstallRequest) -> InstallResult:
    """Run the whole course on a chip that waits for the PC, whatever else this computer does.

    The PC takes no time, and looks each millisecond of table time. Raises UserError.
    """
    return Installer(
        PortSearch("emulated", ports=list),
        wishes,
        Quiet(),
        opens=lambda name: DirectPort(name, chip.port),
        clock=lambda: chip.now_ms / 1000,
        sleep=lambda seconds: chip.run_until(chip.now_ms + 1000 * seconds),
    ).run()


def record(image: Path, files: dict[str, bytes], wishes: InstallRequest) -> Transfer:
    """Upgrade a table, and keep its flash again and again; raises Trouble where that fails."""
    kept: list[Kept] = []

    def keep(table: OnPty) -> None:
        kept.append(Kept(table.line.count, table.chip.flash_now()))
        table.line.stop = table.line.count + _EVERY_BYTES

    with OnPty(Chip(image, files, boards.read(_BOARD)), keep) as table:
        table.line.stop = 0
        end = flash(table, wishes)
        keep(table)
        sent = table.line.count
    if end.how != INSTALLED:
        raise Trouble(f"the undisturbed upgrade ended as '{end.how}'")
    return Transfer(kept, end, sent)


def points_of(transfer: Transfer, points: int) -> list[Kept]:
    """Return what was kept nearest to so many points, spread evenly up to the last byte.

    At the last one the new firmware has proved healthy.
    """
    wanted = [transfer.sent * (at + 1) / points for at in range(points)]
    latest = transfer.kept[::-1]
    return [min(latest, key=lambda kept: abs(kept.sent - want)) for want in wanted]


def verdict_on(
    image: Path, flash_now: bytes, files: dict[str, bytes], transfer: InstallResult
) -> str:
    """Start a chip with a flash; return "old" or "new", or else what is wrong."""
    assert transfer.plan is not None
    with closing(Chip.with_flash(image, boards.read(_BOARD), flash_now)) as chip:
        running = listen(chip, _START_MS)
        games = files_under(chip.flash_files(), GAMES)
    if running is None:
        return "it does not start"
    if any(games.get(path) != data for path, data in files_under(files, GAMES).items()):
        return "a game is not what it was"
    old, new = transfer.plan.old, transfer.plan.new
    assert old is not None
    found = (running.version, running.build)
    if found == (new.version, new.build):
        return "new"
    return "old" if found == (old.version, old.build) else f"it runs {found}"


def measure(image: Path, points: int, report: Report) -> list[Figure]:
    """Install on an empty Pico, upgrade, and pull the cable at so many points of that."""
    wishes = new_wishes()
    files = old_files(wishes)
    figures = []
    for key, there in (("flash_install", {}), ("flash_upgrade", files)):
        report(key, 0, points)
        with closing(Chip(image, there, boards.read(_BOARD))) as chip:
            end = flash_in_step(chip, wishes)
            took_s = round(chip.now_ms / 1000, 1)
        assert end.plan is not None
        said = f"{len(end.plan.send)} files, {end.plan.size} bytes; {end.how}"
        figures.append(Figure(key, {"value": took_s}, remark=said))
    transfer = record(image, files, wishes)
    verdicts: Counter[str] = Counter()
    for number, kept in enumerate(points_of(transfer, points)):
        report("points", number, points)
        verdicts[verdict_on(image, kept.flash, files, transfer.end)] += 1
    good = {how: verdicts.pop(how, 0) for how in ("old", "new")}
    bad = ", ".join(f"{why}: {count}" for why, count in verdicts.items())
    counts = {"points": points, **good, "bad": points - sum(good.values())}
    return [*figures, Figure("flash_cuts", counts, remark=bad)]
