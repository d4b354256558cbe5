"""The same script gives the same turns on CPython and on the emulated chip: hands of all kinds.

A person plays a short game at the firmware on CPython, looking at the lights and answering; what
the hands did is kept as a script, and the script is run on both.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from chronotable_host.live.happenings import Happening
from chronotable_host.virtual.desk import VirtualDesk
from chronotable_host.virtual.script import parse_script, run_script
from chronotable_host.virtual.table import CPYTHON, RP2040
from tests import sweep
from tests.lab.people.account import LOST, WRONG, Fault
from tests.lab.people.person import Person
from tests.lab.people.place import open_table_place
from tests.lab.positions import random_game
from tests.table.rig import BOARD
from tests.table.streamed import play_by_the_lights
from tests.table.test_sounds import A_TURN, sounds, with_piezo
from ttykm import layout

pytestmark = pytest.mark.emulator

TOLD = ("turn", "provisional", "reopened", "taken_back", "ask", "fault", "game_over")
MOST_TURNS = 13
CLEAN, ROUGH, BUMPED, FAULTY = "clean", "rough", "bumped", "faulty"


class Case(NamedTuple):
    """A short game: how it is played, and the seed of everything in it."""

    kind: str
    seed: int


def short_games(first: int) -> list[int]:
    """Return seeds, from `first` on, whose random games are short."""
    found = []
    seed = first
    while len(found) < 15:
        if len(turns_of(seed)) <= MOST_TURNS:
            found.append(seed)
        seed += 1
    return found


def turns_of(seed: int) -> list[int]:
    """Return the turns of a random game, one more than are wanted where it is longer."""
    return list(random_game(seed, MOST_TURNS + 1).turns)


SEEDS = short_games(0)
CASES = (
    [Case(CLEAN, seed) for seed in SEEDS[: sweep.size(1, 2, 12)]]
    + [Case(ROUGH, seed) for seed in SEEDS[12:15][: sweep.size(1, 1, 3)]]
    + [Case(BUMPED, seed) for seed in SEEDS[: sweep.size(1, 1, 2)]]
    + [Case(FAULTY, seed) for seed in SEEDS[2:5][-sweep.size(1, 2, 3) :]]
)


def script_of(case: Case) -> str:
    """Return what a person's hands did in a game at the firmware on CPython."""
    turns = turns_of(case.seed)
    place = open_table_place(case.seed)
    try:
        person = Person(place, Random(case.seed), case.kind in (ROUGH, BUMPED))
        if case.kind == FAULTY:
            person.fault = Fault(16 * (case.seed % 3), (False, True, "flicker")[case.seed % 3], 2)
        person.begin(layout.new_state())
        person.bump_turn = 3 if case.kind == BUMPED else 0
        person.play(lambda game: turns[len(game.turns)])
        assert person.account.finished, case
        assert not [each for each in person.account.incidents if each.what in (WRONG, LOST)], case
        return person.recorder.script()
    finally:
        place.table.close()


def told_on(kind: str, image: Path | None, text: str) -> list[dict[str, Any]]:
    """Run a script on a runtime; return the turns and what else was understood."""
    told: list[dict[str, Any]] = []

    def tell(happening: Happening) -> None:
        line = happening.line()
        if any(name in line for name in TOLD):
            told.append({name: what for name, what in line.items() if name != "t_ms"})

    script = parse_script(text, "script")
    assert script.start is not None
    with VirtualDesk(start=script.start.state, options=script.start.options) as desk:
        desk.listeners.append(tell)
        table = desk.switch_on(BOARD, Random(1), None, kind, image=image)
        table.bounce_ms = 4.0
        table.put_up(script.start.state)
        run_script(table, script, "script")
    return told


def check(case: Case, image: Path, note: Callable[[str], None] = print) -> None:
    text = script_of(case)
    here = told_on(CPYTHON, None, text)
    there = told_on(RP2040, image, text)
    turns = [what for what in here if "turn" in what]
    note(f"{case}: {len(text.splitlines())} events, {len(turns)} turns")
    assert len(turns) >= len(turns_of(case.seed)), case
    assert there == here, case


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_script_gives_the_same_turns(case: Case, image: Path) -> None:
    check(case, image)


def test_a_program_plays_by_the_lights_it_reads(image: Path) -> None:
    told = play_by_the_lights("--runtime", RP2040, "--image", str(image), turns=2).told
    assert [what["understood"] for what in told if "turn" in what] == ["certain"] * 2


@pytest.mark.gate
def test_the_pin_of_a_piezo_swings_as_a_turn_ends(
    image: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chip = ("--runtime", RP2040, "--image", str(image))
    ((sound, at_ms),) = sounds(with_piezo(tmp_path), A_TURN, tmp_path, capsys, *chip)
    assert sound == "turn"
    assert 0 < at_ms - A_TURN[-1]["t_ms"] < 100
