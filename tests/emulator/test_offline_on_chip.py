"""Games without a PC on the emulated RP2040: kept in its flash, in the archive when one comes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chronotable_host.archive.parsing import read
from chronotable_host.archive.store import Archive
from chronotable_host.rules.record import Record
from chronotable_host.virtual.table import RP2040
from tests import lanes
from tests.lab.offline import measure
from tests.table.alone import Alone, course_of
from ttykm.layout import WHITE

pytestmark = pytest.mark.emulator

GAMES = 5
BOOT_MS = 2500
TRANSFER_MS = 2000  # the budget of `python -m tests.lab --only link`


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive(tmp_path / "archive") as opened:
        yield opened


def records(archive: Archive) -> list[Record]:
    return [read(path).record for path in sorted(archive.folder.glob("*.ttykm"))]


def test_five_games_without_a_pc_and_a_power_cut(image: Path, archive: Archive) -> None:
    with Alone(RP2040, image, boot_ms=BOOT_MS) as alone:
        played = []
        for number in range(GAMES):
            if number:
                alone.set_up()
            alone.play_random(number, 2)
            if number == 2:
                alone.power_cut()
                alone.play_one()
            played.append(alone.course)
            alone.press("resign", WHITE)
        begun_ms = alone.table.now_ms
        alone.attach(archive)
        alone.wait(TRANSFER_MS * GAMES)
        assert [course_of(record) for record in records(archive)] == played
        assert {record.headers["Result"] for record in records(archive)} == {"0-1"}
        times = [what["t_ms"] for what in alone.told if "fetched" in what]
        print([time - before for before, time in zip([begun_ms, *times], times, strict=False)])
        assert len(times) == GAMES
        for before, time in zip([begun_ms, *times], times, strict=False):
            assert time - before <= TRANSFER_MS
        alone.table.plug(False)
        alone.wait(200)
        alone.table.plug(True)
        alone.wait(TRANSFER_MS)
        assert len(records(archive)) == GAMES


@lanes.gate
def test_a_long_game_is_synced_in_two_seconds(image: Path) -> None:
    (figure,) = measure(image)
    print("synced in", figure.measured, "s")
    assert figure.met, figure
