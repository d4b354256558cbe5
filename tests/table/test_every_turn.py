"""Every legal turn of many positions, acted out by clean hands: none is taken for another one."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from chronotable.core.progress import PROVISIONAL, QUESTION
from chronotable_host.rules.notation import format_position, format_turn, parse_position
from chronotable_host.virtual.hand import act_out
from tests import lanes, sweep
from tests.table.hands import START, Scene
from ttykm.layout import STRICT_TWO_ACTIONS

VECTORS = Path(__file__).resolve().parent.parent / "vectors"
SAMPLE = sweep.size(25, 90)
MOST_QUESTIONS = 0.002


class Place(NamedTuple):
    """A position from a game or an example, with the options it was played under."""

    position: str
    options: int


def of_games() -> list[Place]:
    """Every position of the vectors' games in which a turn was taken."""
    places = []
    for name, options in (("games", STRICT_TWO_ACTIONS), ("games_lenient", 0)):
        for line in (VECTORS / f"{name}.jsonl").read_text("utf-8").splitlines():
            game = json.loads(line)
            positions = [game["start"], *(turn["pos"] for turn in game["turns"])]
            places += [Place(position, options) for position in positions[:-1]]
    return places


def of_examples() -> Iterator[Place]:
    """Every start of an example of the standard game, XS1 to XS16b."""
    data = json.loads((VECTORS / "ttykm_examples.json").read_text("utf-8"))
    for example in data["examples"]:
        if example["modules"] == "standard":
            yield Place(example["start"], 0)


class Count:
    """What became of the turns."""

    def __init__(self) -> None:
        self.turns = 0
        self.questions = 0

    def act(self, place: Place, seeds: int) -> None:
        """Act every legal turn of a position out, in so many ways."""
        state = parse_position(place.position)
        scene = Scene(place.position, place.options)
        for turn in list(scene.game.legal_turns()):
            for seed in range(seeds):
                where = f"{place}, {format_turn(turn)}, seed {seed}"
                self._act(scene, turn, Random(f"{place.position} {turn} {seed}"), where)
                scene.tracker.set_up(state, place.options)
                scene.put_up(state)
                scene.do(".300")

    def _act(self, scene: Scene, turn: int, rng: Random, where: str) -> None:
        game, tracker = scene.game, scene.tracker
        wanted = array("H", game.state)
        assert game.after(turn, wanted), where
        for gesture in act_out(game, turn, rng):
            scene.gesture(gesture.sensor, gesture.closed, gesture.after_ms)
        if tracker.phase != PROVISIONAL:
            scene.wait(tracker.settle_ms)
        told = scene.heard()
        self.turns += 1
        if tracker.phase == QUESTION:
            self.questions += 1
            print(f"{where}: {told}")
            after = array("H", wanted)
            fitting = [
                number
                for number, choice in enumerate(tracker.open_question.choices)
                if game.after(choice, after) and after == wanted
            ]
            assert fitting, f"{where}: asked without it: {told}"
            tracker.answer(fitting[0], scene.now_ms)
        assert tracker.phase == PROVISIONAL, f"{where}: {told}"
        scene.do(".1000")
        assert format_position(game.state) == format_position(wanted), f"{where}: {told}"

    def check(self) -> None:
        """See that hardly any clean turn was asked about."""
        print(f"{self.questions} of {self.turns} turns were asked about")
        assert self.questions <= MOST_QUESTIONS * self.turns


@lanes.gate
def test_the_examples_and_the_start() -> None:
    count = Count()
    for place in [Place(START, 0), Place(START, STRICT_TWO_ACTIONS), *of_examples()]:
        count.act(place, sweep.size(1, 3))
    assert count.turns > sweep.size(300, 1000)
    count.check()


@lanes.gate
def test_a_sample_of_the_games() -> None:
    count = Count()
    for place in Random(1).sample(of_games(), SAMPLE):
        count.act(place, 1)
    assert count.turns > sweep.size(300, 1000)
    count.check()


@lanes.figures
@pytest.mark.parametrize("part", range(10))
def test_all_of_the_games(part: int) -> None:
    count = Count()
    for place in of_games()[part::10]:
        count.act(place, 2)
    count.check()
