"""The doctor on the emulated chip: asked for with a button; what a short walk learned is played.

Two reeds' wires are exchanged. The person examines three reeds, and ends every step after that.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from chronotable.doctor.examination import CLEAR, CURRENT, DONE, POLES, REEDS
from chronotable.hardware import board as reader
from chronotable.hardware.wiring import COLUMNS
from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware.files import FOLDER
from chronotable_host.hardware.firmware.image import device_files
from chronotable_host.link.doctor_names import FINDINGS
from chronotable_host.link.parsing import parse_sensor
from chronotable_host.pieces import pieces_of
from chronotable_host.virtual.runtimes.rp2040 import Rp2040Runtime
from tests import lanes
from tests.table.boots import ASKED, BOARD, BOARD_JSON, EXAMINED, POWER_ON, Pc
from ttykm import layout

pytestmark = pytest.mark.emulator

START_MS = 2300
HEAP = 90_000
"""Bytes that the doctor leaves free; the tables of the game are not there."""

ONE, OTHER, THIRD = [parse_sensor(name) for name in ("past 1", "past 2", "past 3")]
BUTTON = parse_sensor("button a")


class Patient(Pc):
    """A chip at a table whose first two reeds are exchanged, and hands."""

    def touch(self, sensor: int, closed: bool) -> None:
        """Put a magnet on a space, or a finger on a button, or take it off."""
        wired = {ONE: OTHER, OTHER: ONE}.get(sensor, sensor)
        self.runtime.set_cell(*divmod(BOARD.cell_of[wired], COLUMNS), closed)

    def state(self) -> tuple[int, str, int]:
        """Return step, what is asked, and of which sensor."""
        values = self.last("step")
        return (values["step"], values["asks"], values["about"]) if values else (-1, "", -1)

    def until(self, *wanted: object, ms: float = 4000) -> None:
        """Wait until this is the state, as far as it is given."""
        end = self.runtime.now_ms + ms
        while self.state()[: len(wanted)] != wanted:
            assert self.runtime.now_ms < end, (wanted, self.state(), self.logs)
            self.run(40)

    def slide(self, sensor: int) -> None:
        """Slide a magnet about until the light says that it is enough, and lift it."""
        self.touch(sensor, True)
        self.until(REEDS, "l", sensor)
        self.touch(sensor, False)
        self.run(400)

    def say(self, letter: str) -> None:
        """Tell the doctor something."""
        self.link.send("doctor", say=letter)
        self.run(100)


@contextmanager
def table(image: Path, button: int | None = None) -> Iterator[Patient]:
    files = device_files(BOARD_JSON)
    runtime = Rp2040Runtime(image, files, BOARD)
    patient = Patient(runtime)
    if button is not None:
        patient.touch(button, True)
    try:
        yield patient
    finally:
        runtime.close()


@lanes.gate
def test_both_outputs_of_a_sensor_are_tried(image: Path) -> None:
    board_json = boards.find("tiles-polarity").read_bytes()
    board = reader.load(json.loads(board_json))
    runtime = Rp2040Runtime(image, device_files(board_json), board)
    patient = Patient(runtime)
    chip, number = divmod(board.cell_of[ONE], COLUMNS)
    button, place = divmod(board.cell_of[BUTTON], COLUMNS)
    with closing(runtime):
        runtime.set_cell(2 * button, place, True)
        patient.run(START_MS)
        patient.until(CLEAR, "d", BUTTON)
        runtime.set_cell(2 * button, place, False)
        for step, output in ((REEDS, 0), (POLES, 1)):  # the first magnet has white's pole up
            while step == POLES != patient.state()[0]:
                left = patient.state()[0]
                patient.say("e")
                while patient.state()[0] == left:  # one word ends one step
                    patient.run(40)
            patient.until(step, "p", ONE, ms=6000)
            runtime.set_cell(2 * chip + output, number, True)
            patient.until(step, "l", ONE)
            runtime.set_cell(2 * chip + output, number, False)
            patient.run(400)
        while patient.state()[0] not in (CURRENT, DONE):
            patient.say("e")
        patient.until(DONE, ms=6000)
        told = {FINDINGS[v["kind"]] for name, v in patient.messages if name == "finding"}
        assert {each for each in told if not each.endswith("_unseen")} == set()
        assert not patient.logs


def test_what_a_short_walk_learned_is_stored_and_played(image: Path) -> None:
    with table(image, BUTTON) as patient:
        patient.run(START_MS)
        patient.until(CLEAR, "d", BUTTON)
        assert patient.cause() == POWER_ON
        patient.touch(BUTTON, False)
        patient.until(REEDS, "p", ONE, ms=6000)
        for sensor in (ONE, OTHER):
            patient.slide(sensor)
            patient.until(REEDS, "a", sensor)  # a surprise
            patient.slide(sensor)
        patient.until(REEDS, "p", THIRD)
        patient.slide(THIRD)
        for _ in range(40):  # it takes a moment until the next step has begun
            if patient.state()[0] not in (CURRENT, DONE):
                patient.say("e")
        patient.until(DONE, ms=6000)
        patient.run(1500)
        counters = patient.last("counters")
        examined = patient.last("examined")
        told = [v for name, v in patient.messages if name == "finding"]
        findings = [each for each in told if not FINDINGS[each["kind"]].endswith("_unseen")]
        learned = [v for name, v in patient.messages if name == "learned"]
        assert counters is not None
        assert examined is not None
        (finding,) = findings  # beside what was not examined
        print("heap free in the doctor:", counters["heap_free"])
        assert counters["heap_free"] >= HEAP
        assert (FINDINGS[finding["kind"]], finding["sensor"], finding["other"]) == (
            "exchanged",
            ONE,
            OTHER,
        )
        assert (examined["findings"], examined["stored"], examined["complete"]) == (1, 1, 0)
        assert [(v["sensor"], v["cell"]) for v in learned] == [
            (ONE, BOARD.cell_of[OTHER]),
            (OTHER, BOARD.cell_of[ONE]),
        ]

        patient.forget()
        patient.run(3000 + START_MS)
        assert len(patient.starts) == 1
        assert patient.cause() == ASKED
        assert isinstance(patient.runtime, Rp2040Runtime)
        files = patient.runtime.flash_files()
        assert "reeds.json" not in files
        stored = json.loads(files[f"{FOLDER}/board.json"])
        hello = patient.link.peer
        assert hello is not None
        assert hello.board_hash == reader.board_hash(stored) != reader.board_hash(BOARD)

        for sensor in pieces_of(layout.new_state()):
            patient.touch(sensor, True)
            patient.run(100)
        patient.run(1000)
        assert patient.last("game") is not None


def test_a_game_makes_room_for_the_doctor_and_comes_back(image: Path) -> None:
    with table(image) as patient:
        patient.run(START_MS)
        assert patient.last("snapshot") is not None
        counters = patient.last("counters")
        assert counters is not None
        print("heap free in the game:", counters["heap_free"])
        patient.say("s")
        patient.run(START_MS + 500)
        patient.until(CLEAR, "d")
        assert patient.cause() == EXAMINED
        patient.forget()
        patient.say("x")
        patient.run(START_MS + 1000)
        assert patient.cause() == ASKED
        assert patient.last("snapshot") is not None
        assert isinstance(patient.runtime, Rp2040Runtime)
        assert "reeds.json" not in patient.runtime.flash_files()
