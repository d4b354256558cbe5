"""What is in the chip's memory: in a game what the lab counts, else nothing of the game."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from chronotable.link.packed import pack_position
from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware.files import FOLDER
from chronotable_host.hardware.firmware.image import device_files
from chronotable_host.virtual.runtimes.rp2040 import Rp2040Runtime
from tests import lanes
from tests.lab import loaded
from tests.lab.rig import CHAPTERS_FILE
from ttykm import objects

pytestmark = pytest.mark.emulator

SHARED = {
    *("start", "watchdog", "scan", "matrix", "leds", "usb", "shared"),
    *("chronotable", "chronotable.hardware"),
}
"""What a game has in common with safe mode and the doctor: board, reeds, lights, the line."""

GAME, SAFE, DOCTOR = 0, 1, 2  # as app/watchdog.py
START_MS = 6000
MAIN = """
import sys
sys.path[:] = ["/%(folder)s", ".frozen", "/%(folder)s/lib"]
import scan

def note(self, start=scan.Scanner.start):
    with open("loaded", "w") as file:
        file.write(" ".join(sys.modules))
    start(self)

scan.Scanner.start = note  # all that a mode needs is loaded by then
import start
start.run(%(mode)d)
"""


def modules_in(image: Path, mode: int, start: str = "") -> set[str]:
    """Return what a table on which all chapters are unlocked has loaded in a mode.

    `start` is the packed position that its settings ask for, "" for none.
    """
    board = boards.find("reference")
    files = device_files(board.read_bytes())
    files["main.py"] = (MAIN % {"folder": FOLDER, "mode": mode}).encode()
    files[CHAPTERS_FILE] = b"4"
    files["settings.json"] = json.dumps({"start": start} if start else {}).encode()
    with closing(Rp2040Runtime(image, files, boards.read("reference"))) as chip:
        while "loaded" not in chip.flash_files():
            assert chip.now_ms < START_MS, bytes(chip.port.read(4096)).decode()
            chip.run_until(chip.now_ms + 200)
        chip.run_until(chip.now_ms + 200)  # until it is written
        return set(chip.flash_files()["loaded"].decode().split())


@lanes.gate
def test_a_game_of_all_chapters_loads_what_the_lab_counts(image: Path) -> None:
    start = pack_position(objects.new_state(objects.ALL_MODULES))
    assert modules_in(image, GAME, start) == set(loaded.sizes())


def test_the_standard_game_loads_nothing_of_the_chapters_code(image: Path) -> None:
    missing = set(loaded.sizes()) - modules_in(image, GAME)
    assert missing == {"chapters", "ttykm.objects"}


@pytest.mark.parametrize("mode", [SAFE, DOCTOR])
def test_safe_mode_and_the_doctor_load_nothing_of_the_game(image: Path, mode: int) -> None:
    found = modules_in(image, mode)
    assert {"scan", "usb", "shared"} <= found
    assert found & loaded.sizes().keys() <= SHARED
