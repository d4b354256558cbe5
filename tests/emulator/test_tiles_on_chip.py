"""The board with shift registers on the emulated chip: reads as on CPython, and how fast."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from chronotable.hardware.sensors import SENSORS
from chronotable.hardware.wiring import COLUMNS
from chronotable.lights import meanings
from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware.image import device_files
from chronotable_host.link.parsing import parse_sensor
from chronotable_host.virtual.play import play
from chronotable_host.virtual.runtimes.rp2040 import Rp2040Runtime
from chronotable_host.virtual.table import CPYTHON, RP2040
from tests.lab.positions import random_game
from tests.lab.rig import Rig
from tests.table.boots import DARK_PICTURE, FAULT_PICTURE
from tests.table.rig import Rig as WholeTable
from ttykm import layout
from ttykm.game import Game

pytestmark = pytest.mark.emulator

NAME = "tiles"
BOARD = boards.read(NAME)
SEED, TURNS = 2, 4
_BOOT_MS = 3000
_TOLD = ("turn", "ask", "fault", "mismatch", "gap", "log", "notice", "guide")


POLARITY = "tiles-polarity"


def told_on(kind: str, image: Path | None, name: str) -> list[dict[str, Any]]:
    """What is told of the first turns of a game."""
    turns = list(random_game(SEED).turns)

    def next_turn(game: Game) -> int:
        return turns[len(game.turns)]

    with WholeTable(layout.new_state(), seed=SEED, runtime=kind, image=image, board=name) as table:
        table.hands.wait(_BOOT_MS)
        play(table.hands, table.game, (next_turn, next_turn), most_turns=TURNS)
        assert table.hands.questions == 0
        return table.heard(*_TOLD)


@pytest.mark.parametrize("name", [NAME, "hall", POLARITY])
def test_turns_are_those_of_cpython(image: Path, name: str, tmp_path: Path) -> None:
    if name == "hall":
        name = str(tmp_path / "hall.json")
        data = {**boards.read_data(NAME), "name": "hall", "sensor": "hall"}
        Path(name).write_text(json.dumps(data), "utf-8")
    told = told_on(RP2040, image, name)
    assert told == told_on(CPYTHON, None, name)
    assert sum("turn" in what for what in told) == TURNS


@pytest.fixture(params=[NAME, POLARITY])
def watched(image: Path, request: pytest.FixtureRequest) -> Iterator[Rig]:
    with closing(Rig(image, board=request.param)) as made:
        yield made


def closed(watched: Rig) -> set[int]:
    return {sensor for sensor, is_closed in watched.ear.table.reeds.items() if is_closed}


def changed_by(watched: Rig, sensor: int) -> set[int]:
    """The reeds that change first when a piece is lifted or placed."""
    before = closed(watched)
    (watched.hands.lift if watched.hands.has_magnet(sensor) else watched.hands.place)(sensor)
    watched.run_until(lambda: closed(watched) != before, 1000)
    return before ^ closed(watched)


def test_every_reed_is_felt_as_itself_and_the_scan_keeps_its_pace(watched: Rig) -> None:
    del watched.scans[:]
    for sensor in range(SENSORS):
        assert changed_by(watched, sensor) == {sensor}
    gaps = [later.begun_ms - before.begun_ms for before, later in pairwise(watched.scans)]
    assert len(gaps) >= 5 * SENSORS
    assert max(gaps) < 6
    took = sorted(1000 * scan.took_ms for scan in watched.scans)
    print(f"a scan takes {took[0]:.0f} to {took[-1]:.0f} us, {took[len(took) // 2]:.0f} as a rule")
    print(f"heap free after boot: {watched.heap_after_boot()} bytes")


def test_whose_copy_it_is_is_felt_on_the_chip(image: Path) -> None:
    with closing(Rig(image, board=POLARITY)) as watched:
        corner = parse_sensor("past 1")
        watched.hands.lift(corner)
        watched.run(300)
        watched.hands.place(corner + 1, layout.BLACK)
        watched.run(700)
        assert watched.ear.table.leds[corner + 1] == meanings.PUT_WHITE
        watched.hands.lift(corner + 1)
        watched.run(300)
        watched.hands.place(corner + 1, layout.WHITE)
        watched.run(700)
        assert watched.ear.table.leds[corner + 1] != meanings.PUT_WHITE


@pytest.mark.parametrize(
    ("button", "is_safe"), [("button action black", True), ("button draw", False)]
)
def test_action_held_at_power_on_is_safe_mode(image: Path, button: str, is_safe: bool) -> None:
    files = device_files(boards.find(NAME).read_bytes())
    with closing(Rp2040Runtime(image, files, BOARD)) as runtime:
        runtime.set_cell(*divmod(BOARD.cell_of[parse_sensor(button)], COLUMNS), True)
        runtime.run_until(_BOOT_MS)
        last = {frame.rgb for frame in runtime.frames if frame.t_ms > _BOOT_MS / 2}
        assert last
        assert (last <= {FAULT_PICTURE, DARK_PICTURE}) == is_safe
