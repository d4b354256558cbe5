"""The cable pulled at points spread over an upgrade of the emulated table, its power with it.

One transfer goes through the real command and a pty; at each point the flash is kept as
it is, and started on a chip of its own. tests/emulator/test_flash_on_chip.py compares that with
cables that are really pulled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

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
from chronotable_host.live.line.port_search import PortSearch
from chronotable_host.virtual.faulty.rehearsal import DirectPort
from tests.lab.figures import Figure
from tests.lab.flash_line import Chip, OnPty, files_under, listen
from tests.lab.offline import files_of
from tests.lab.positions import random_game
from tests.lab.rig import Trouble

OLD_VERSION = "0.0.9"
GAMES = "games"

_BOARD = "reference"
_EVERY_BYTES = 1000  # so often the flash is kept, of which the points are chosen
_START_MS = 8000
_PATIENCE_S = 60.0
_STALL_S = 300.0  # of the wall's time: this computer may have a lot to do
_TURNS = 20

Report = Callable[[str, int, int], None]


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
    game = next(
        game for seed in range(1000) if len((game := random_game(seed, _TURNS)).turns) == _TURNS
    )
    return {
        **wishes.starters,
        **{f"{FOLDER}/{path}": data for path, data in inside.items()},
        "slot": FOLDER.encode(),
        **files_of(game),
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
    good = verdicts["old"] + verdicts["new"]
    bad = ", ".join(f"{why}: {count}" for why, count in verdicts.items() if why not in _GOOD)
    return [
        *figures,
        Figure(
            "flash_cuts",
            {
                "points": points,
                "old": verdicts["old"],
                "new": verdicts["new"],
                "bad": points - good,
            },
            remark=bad,
        ),
    ]


_GOOD = ("old", "new")
