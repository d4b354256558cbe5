"""The power goes at every flash operation of some games: the journal opens, at most the uncommitted
turn is gone, and the game goes on."""

from __future__ import annotations

from binascii import crc32
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from chronotable.journal.journal import Journal
from chronotable.journal.units import UNIT, count_valid
from chronotable.link.packed import pack_position
from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware.files import app_sources
from chronotable_host.hardware.firmware.image import compile_modules
from chronotable_host.virtual.runtimes.rp2040 import Rp2040Runtime
from tests import lanes
from tests.lab.positions import random_game
from ttykm.game import Game
from ttykm.layout import NOBODY, new_state

pytestmark = pytest.mark.emulator

Truth = dict[int, bytes]
"""The units of each game."""


def _truth(store: object) -> Truth:
    from tests.emulator.nor_flash import contents  # noqa: PLC0415 - needs an extra

    kept: Truth = {}
    for name, data in contents(store):
        if name not in ("next", "ready"):
            number = int(name[:4], 16)
            kept[number] = data[: count_valid(data, number) * UNIT]
    return {number: data for number, data in kept.items() if data}


@lanes.gate
def test_whatever_operation_the_power_cuts_off(image: Path) -> None:
    from tests.emulator.nor_flash import Nor, mount, store_on  # noqa: PLC0415 - needs an extra

    seed = 4
    nor = Nor(seed=seed)
    files = mount(nor, fresh=True)
    files.mkdir("/lib")
    for number in range(20):  # something else lies there, too
        with files.open(f"/lib/{number}.mpy", "wb") as file:
            file.write(bytes(2300))
    store = store_on(files)
    journal = Journal(store, 1)
    assert not journal.open(Game())

    before: Truth = {}
    cuts: list[tuple[str, bytes]] = []
    nor.heard = lambda what, flash: cuts.append((what, flash))
    seen = 0

    def check(what: str, step: Callable[..., object], *values: object) -> None:
        """Do a step, and see what is left of it wherever the power goes."""
        nonlocal before, seen
        cuts.clear()
        erases = nor.erases
        step(*values)
        if what not in ("over", "forget", "begin anew"):
            assert nor.erases == erases, f"seed {seed}, {what}: a sector was erased in a game"
        after = _truth(store)
        for operation, flash in cuts:
            where = f"seed {seed}, {what}, {operation}"
            again = store_on(mount(Nor(flash)))
            left = _truth(again)
            assert left in (before, after), where
            game = Game()
            reopened = Journal(again, 2)
            goes_on = reopened.open(game)
            if goes_on:
                number = reopened.current
                assert reopened.read(number)[: len(left[number])] == left[number], where
                turn = next(iter(game.legal_turns()))
                reopened.turn(turn, 0, 1000)
                game.apply(turn)
                assert Journal(again, 3).open(Game()) == (game.winner() == NOBODY), where
            assert not reopened.is_full, where
            for number, data in left.items():
                if reopened.read(number)[: len(data)] != data:
                    assert len(data) <= 6 * UNIT, where  # nothing was played
        seen += len(cuts)
        before = after

    start = pack_position(new_state())
    rng = Random(seed)
    for number in range(1, 9):
        what = "begin anew" if number == 3 else "begin"  # its file is made at the last moment
        check(what, journal.begin, start, 0, number, 1000)
        for index, turn in enumerate(random_game(number, 70).turns):
            check("turn", journal.turn, turn, index % 3, 2000 * index)
            if rng.random() < 0.1:
                check("take back", journal.taken_back, turn, 0)
                check("turn", journal.turn, turn, 2, 2000 * index)
        if number != 2:  # that one is abandoned
            check("over", journal.over, "w", "r", 0)
    for number in (1, 2, 3, 8):
        data = journal.read(number)
        check("forget", journal.forget, number, len(data) // UNIT, crc32(data))
    assert journal.kept == 4
    assert seen > 1000
    print(f"{seen} cuts")


@lanes.gate
def test_a_file_that_fills_its_sector_or_has_none_of_its_own_goes_on(image: Path) -> None:
    from tests.emulator.nor_flash import Nor, mount, store_on  # noqa: PLC0415 - needs an extra

    files = mount(Nor(), fresh=True)
    store = store_on(files)
    assert store.names() == []
    store.replace("old", b"g" * UNIT)  # as an older firmware made it
    written = {"old": b"g" * UNIT, "new": b""}
    for number in range(520):
        for name, before in written.items():
            unit = b"c%07d" % number
            store.append(name, unit)
            written[name] = before + unit
            if number % 13 == 0 or number > 505:
                store = store_on(files)  # the power goes
                assert store.read(name) == written[name], number


ON_CHIP = """
import os
from _rp2 import Flash as Sectors
from flash import Flash
os.mkdir("games")
store = Flash()
store.append("1", b"g" * 48)
for number in range(50):
    store.append("1", b"c%07d" % number)
sectors = Sectors()
data = bytearray(64)
copies = 0
for sector in range(sectors.ioctl(4, 0)):
    sectors.readblocks(sector, data, 0)
    copies += data[48:] == b"c0000000c0000001"
print(copies, Flash().read("1")[-8:].decode())
"""


@lanes.gate
def test_the_chip_appends_to_a_file_where_it_lies(image: Path) -> None:
    files = {
        "main.py": ON_CHIP.encode(),
        **compile_modules({name: app_sources()[name] for name in ("flash.py", "game_file.py")}),
    }
    with closing(Rp2040Runtime(image, files, boards.read("reference"))) as runtime:
        runtime.run_until(1000)
        assert runtime.port.read(4096).startswith(b"1 c0000049")
