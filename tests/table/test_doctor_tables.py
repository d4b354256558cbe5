"""Tables built wrong, a person at each, the whole firmware in the doctor: all found, none invented.

`python -m tests.lab --only doctor --tables 500` does the same with more of them.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from chronotable.hardware.sensors import INPUTS, SENSORS
from chronotable_host.hardware import boards
from chronotable_host.virtual.faulty import faults as kinds
from chronotable_host.virtual.faulty.faults import (
    NONE,
    ActualTable,
    PlantedFault,
    draw,
    kinds_of,
    led_positions,
    path,
    turned,
)
from chronotable_host.virtual.faulty.observations import observations
from tests import lanes, sweep
from tests.lab.doctor import figure_of_silence, outcome_text, silence_text
from tests.lab.faulty import nobody
from tests.lab.faulty.due import due
from tests.lab.faulty.examined import Examination, examine
from tests.lab.faulty.helper import HUMAN

REFERENCE = "reference"
TABLES = (pytest.param(4, marks=lanes.gate), 5, 6, 7) if sweep.is_small() else range(30)
"""Each board, with a PC and without, asked by a command and by a held button; 1 is much like 3."""


@lanes.gate
@pytest.mark.parametrize("seed", TABLES)
def test_all_faults_are_found_and_none_invented(seed: int) -> None:
    outcome = examine(seed)
    assert outcome.is_good, outcome_text(outcome)


@lanes.gate
def test_a_hand_of_human_speed_finds_the_same() -> None:
    faults = [PlantedFault(kinds.WEAK, 7), PlantedFault(kinds.NOSY, 21, 20)]
    outcome = Examination(REFERENCE, faults, 5, HUMAN).examine()
    assert outcome.told == set(faults), outcome_text(outcome)
    assert outcome.is_good, outcome_text(outcome)


OF_POLES = (kinds.OUTPUT_STUCK, kinds.OUTPUT_DEAD, kinds.POLES_WRONG, kinds.MAGNET_TURNED)
DESERTED = sweep.size(2, 6)


@lanes.gate
@pytest.mark.parametrize("seed", range(DESERTED))
def test_whoever_leaves_a_table_accuses_nothing(seed: int) -> None:
    silence = nobody.examine(seed)
    assert silence.is_good, silence_text(silence)
    if seed == 1:
        what_is_said_of_a_sound_part_is_an_accusation(silence)


def what_is_said_of_a_sound_part_is_an_accusation(silence: nobody.Silence) -> None:
    """The proof can fail: a doctor that blames a reed of a table that everybody left is bad."""
    assert silence.is_judged, silence_text(silence)
    blamed = silence._replace(accused={PlantedFault(kinds.STUCK_OPEN, 0)}, doubts=["past 1"])
    figure = figure_of_silence([silence, blamed])
    assert (figure.measured["accused"], figure.measured["doubted"], figure.met) == (1, 1, False)
    assert "accused stuck_open 0" in figure.remark


TOGETHER = {
    "what opens under its magnet is where the file has buttons": (
        "tiles",
        [PlantedFault(kinds.ROWS_EXCHANGED, 5, 7), PlantedFault(kinds.WEAK, 40)],
    ),
    "it thinks long before it has an explanation": (
        "tiles",
        [PlantedFault(kinds.TURNED, 0, 2), PlantedFault(kinds.ROWS_EXCHANGED, 1, 2)],
    ),
    "the light of a button is dark": (REFERENCE, [PlantedFault(kinds.LED_DARK, 2)]),
    "nobody can answer to lights in another order": (
        "tiles",
        [PlantedFault(kinds.CHIP_DEAD, 3, 5), PlantedFault(kinds.LED_ORDER, 2, 2)],
    ),
}


@pytest.mark.parametrize("seed", range(sweep.size(1, 2)))
@pytest.mark.parametrize("name", lanes.once(TOGETHER))
def test_faults_that_mislead_together(name: str, seed: int) -> None:
    board, faults = TOGETHER[name]
    outcome = Examination(board, faults, seed).examine()
    assert outcome.is_good, outcome_text(outcome)


@lanes.gate
@pytest.mark.parametrize("seed", range(sweep.size(4, 10)))
def test_what_is_wrong_with_poles_is_found_among_other_faults(seed: int) -> None:
    board, rng = boards.read("tiles-polarity"), Random(seed)
    kind = OF_POLES[seed % 4]
    faults = [kinds_of(board)[kind](rng, board)]
    others = [fault for fault in draw(board, rng, 2) if faults[0].first not in fault[1:]]
    outcome = Examination("tiles-polarity", faults + others, seed).examine()
    assert outcome.is_good, outcome_text(outcome)


# ---- what the proof rests on


@pytest.mark.parametrize("name", boards.names())
def test_every_kind_of_fault_is_drawn_as_often(name: str) -> None:
    board = boards.read(name)
    rng = Random(1)
    counts = Counter(fault.kind for _ in range(1500) for fault in draw(board, rng))
    assert set(counts) == set(kinds_of(board))
    assert max(counts.values()) < 2.5 * min(counts.values()), counts


@pytest.mark.parametrize("name", boards.names())
def test_a_table_with_faults_is_still_a_table(name: str) -> None:
    """Whatever is exchanged: each cell has one switch, each place of the chain one LED."""
    board = boards.read(name)
    for seed in range(300):
        actual = ActualTable(board, draw(board, Random(seed)))
        assert sorted(actual.cell_of) == sorted(board.cell_of), seed
        assert sorted(actual.led_of) == sorted(board.led_of), seed


@lanes.gate
@pytest.mark.parametrize("name", boards.names())
def test_a_fault_that_is_alone_is_due(name: str) -> None:
    """Nothing that can be drawn hides itself."""
    board = boards.read(name)
    for kind, draw_one in kinds_of(board).items():
        for seed in range(20):
            fault = draw_one(Random(seed), board)
            assert due(board, [fault]) == {fault}, (kind, seed)


def test_what_hides_behind_something_else_is_not_due() -> None:
    board = boards.read(REFERENCE)
    cut = PlantedFault(kinds.ROW_CUT, 0)
    for hidden in (
        PlantedFault(kinds.STUCK_OPEN, 1),
        PlantedFault(kinds.STUCK_CLOSED, 2),
        PlantedFault(kinds.WEAK, 3),
        PlantedFault(kinds.FLICKERS, 16),
        PlantedFault(kinds.DIODE_MISSING, 17),
    ):
        assert due(board, [cut, hidden]) == {cut}, hidden
    both = [PlantedFault(kinds.FLICKERS, 5), PlantedFault(kinds.WEAK, 6)]
    assert due(board, both) == set(both)
    neighbour = PlantedFault(kinds.NOSY, 5, 6)
    assert due(board, [neighbour, PlantedFault(kinds.STUCK_OPEN, 6)]) == {
        PlantedFault(kinds.STUCK_OPEN, 6)
    }
    pressed = PlantedFault(kinds.BUTTON_DEAD, board.sensor_of[4 * 8 + 7])
    row = PlantedFault(kinds.ROW_CUT, 4)
    assert due(board, [row, pressed]) == {row}


def test_exchanges_that_share_a_reed_are_a_cycle() -> None:
    board = boards.read(REFERENCE)
    chained = [PlantedFault(kinds.EXCHANGED, 1, 2), PlantedFault(kinds.EXCHANGED, 2, 3)]
    actual = ActualTable(board, chained)
    told = due(board, chained)
    assert {fault.kind for fault in told} == {kinds.MOVED}
    assert {fault.first for fault in told} == {1, 2, 3}
    for fault in told:
        assert actual.cell_of[fault.first] == board.cell_of[fault.second]


def test_signs_tell_tables_apart() -> None:
    board = boards.read(REFERENCE)
    sound = observations(ActualTable(board, []))
    assert len([sign for sign in sound if isinstance(sign, tuple) and sign[0] == "led"]) == SENSORS
    answers = [sign for sign in sound if isinstance(sign, tuple) and sign[0] == "answers"]
    assert len(answers) == INPUTS


def test_symmetries_and_ways_are_all_different() -> None:
    assert len({tuple(turned(place, how) for place in range(16)) for how in range(8)}) == 8
    assert len({tuple(path(way)) for way in range(16)}) == 16
    board = boards.read(REFERENCE)
    assert led_positions(board, 0, 8) == board.led_of[:16]  # to and fro from space 1, as it is laid


def test_what_a_tile_is_called_by_the_doctor_is_one_way_to_lay_it() -> None:
    board = boards.read(REFERENCE)
    for era in range(3):
        ways = [kinds.way_of(board, era, how) for how in range(24)]
        assert set(range(16)) <= set(ways)
        assert ways.count(NONE) <= 8
