"""`flash` on the emulated RP2040, through a pty; cables pulled, power and all.

`python -m tests.lab --only flash` pulls at 100 points.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import chronotable_host
from chronotable_host.cli import run
from chronotable_host.errors import UserError
from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware.manifest import NAME
from chronotable_host.hardware.flashing import running_firmware
from chronotable_host.hardware.flashing.installer import INSTALLED, InstallRequest
from chronotable_host.hardware.flashing.running_firmware import Whereabouts
from chronotable_host.live.line.port_search import PortSearch
from tests import lanes, sweep
from tests.lab import flash_cuts
from tests.lab.flash_cuts import GAMES, Chip, Kept, OnPty, Transfer, files_under, listen

pytestmark = [
    pytest.mark.emulator,
    pytest.mark.skipif(os.name != "posix", reason="ptys are POSIX"),
]

Output = pytest.CaptureFixture[str]

POINTS = sweep.size(2, 3, 5)
PULLED = (0.3, 0.8)  # of the bytes of an upgrade
INTERRUPTED = (2000, 50_000)  # bytes: while it is looked at, and while it gets its files
PATIENCE = ("--patience", "300")  # the emulated chip can be slow
START_MS = 8000
BOARD = boards.read("reference")


@pytest.fixture(scope="module")
def wishes() -> InstallRequest:
    return flash_cuts.new_wishes()


@pytest.fixture(scope="module")
def before(wishes: InstallRequest) -> dict[str, bytes]:
    return flash_cuts.old_files(wishes)


@pytest.fixture(scope="module")
def transfer(image: Path, wishes: InstallRequest, before: dict[str, bytes]) -> Transfer:
    return flash_cuts.record(image, before, wishes)


def files_of(image: Path, kept: Kept) -> dict[str, bytes]:
    with closing(Chip.with_flash(image, BOARD, kept.flash)) as chip:
        return chip.flash_files()


def test_an_empty_pico_gets_a_firmware_and_has_it(image: Path, capsys: Output) -> None:
    with OnPty(Chip(image, {"mine.txt": b"1"}, BOARD)) as table:
        words = ["flash", "--port", table.line.name, "--yes", *PATIENCE]
        assert run(words) == 0, capsys.readouterr().err
        said = capsys.readouterr().out
        assert "firmware there: none" in said
        assert "Installed and healthy: version" in said
        assert run(words) == 0
        assert "nothing was changed" in capsys.readouterr().out
        files = table.chip.flash_files()
    assert files["mine.txt"] == b"1"
    assert files["slot"] == b"a"


@lanes.long
@lanes.gate
def test_an_upgrade_is_confirmed_and_keeps_the_games(
    image: Path, before: dict[str, bytes], wishes: InstallRequest, transfer: Transfer
) -> None:
    files = files_of(image, transfer.kept[-1])
    assert files["slot"] == b"b"
    assert not {"trial", "tried", "fault.txt"} & set(files)
    for path, data in wishes.modules.items():
        assert files[f"b/{path}"] == data
    assert files["b/board.json"] == before["a/board.json"]
    assert files_under(files, "a") == files_under(before, "a")
    games = files_under(before, GAMES)
    assert games
    assert {path: files[path] for path in games} == games


@pytest.fixture
def older_program(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(chronotable_host, "__version__", "0.0.1", raising=False)
    yield


def test_an_older_version_is_refused_and_the_table_goes_on(
    image: Path, transfer: Transfer, older_program: None, capsys: Output
) -> None:
    with OnPty(Chip.with_flash(image, BOARD, transfer.kept[-1].flash)) as table:
        assert run(["flash", "--port", table.line.name, "--yes", *PATIENCE]) == 2
        assert "--downgrade" in capsys.readouterr().err
        files = table.chip.flash_files()
        flash = table.chip.flash_now()
    assert files["slot"] == b"b"
    assert not [path for path in files_under(files, "b") if path.endswith(".new")]
    chip = Chip.with_flash(image, BOARD, flash)
    running = listen(chip, START_MS)
    chip.close()
    assert running is not None and running.folder == "b"


def test_the_cable_pulled_while_the_firmware_comes(
    image: Path, before: dict[str, bytes], transfer: Transfer
) -> None:
    verdict = ""
    for kept in flash_cuts.points_of(transfer, POINTS):
        verdict = flash_cuts.verdict_on(image, kept.flash, before, transfer.end)
        assert verdict in ("old", "new"), f"after {kept.sent} of {transfer.sent} bytes"
    assert verdict == "new"


@pytest.mark.parametrize("sent", INTERRUPTED)
def test_ctrl_c_leaves_the_table_running(
    image: Path, before: dict[str, bytes], wishes: InstallRequest, sent: int
) -> None:
    def press(_table: OnPty) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    with OnPty(Chip(image, before, BOARD), press) as table:
        table.line.stop = sent
        with pytest.raises(KeyboardInterrupt):
            flash_cuts.flash(table, wishes)
        running = running_firmware.wait_for(
            Whereabouts(PortSearch(table.line.name)),
            lambda _running: True,
            START_MS / 1000,
            lambda: table.chip.now_ms / 1000,
        )
        files = table.chip.flash_files()
    assert running is not None
    assert (running.version, running.folder) == (flash_cuts.OLD_VERSION, "a")
    assert not running.failure
    assert files_under(files, GAMES).items() >= files_under(before, GAMES).items()


@pytest.mark.parametrize("share", PULLED)
def test_a_cable_that_is_really_pulled_leaves_the_same(
    image: Path, before: dict[str, bytes], wishes: InstallRequest, transfer: Transfer, share: float
) -> None:
    def pull(table: OnPty) -> None:
        table.served.power(False)

    near = min(transfer.kept, key=lambda kept: abs(kept.sent - transfer.sent * share))
    with OnPty(Chip(image, before, BOARD), pull) as table:
        table.line.stop = near.sent
        with pytest.raises(UserError, match=r"vanished|cannot be opened|does not exist"):
            flash_cuts.flash(table, wishes)
        pulled = Kept(table.line.count, table.chip.flash_now())
    there, expected = files_of(image, pulled), files_of(image, near)
    other = {
        path for path in there.keys() | expected.keys() if there.get(path) != expected.get(path)
    }
    assert len(other) <= 2, other  # what was being written, and what it was to be called
    assert f"b/{NAME}" not in there
    assert flash_cuts.verdict_on(image, pulled.flash, before, transfer.end) == "old"
    with OnPty(Chip.with_flash(image, BOARD, pulled.flash)) as table:
        end = flash_cuts.flash(table, wishes)
        files = table.chip.flash_files()
    assert end.how == INSTALLED
    assert end.plan is not None
    assert len(end.plan.send) < len(wishes.modules), "what was there already is not sent again"
    assert files_under(files, GAMES).items() >= files_under(before, GAMES).items()
