"""Bitboards against the shared rules: counts of turns, and turn by turn."""

import json
from array import array
from pathlib import Path

import pytest

from chronotable_host.engine.position import after, eras_held, of_state, perft, results, ways
from chronotable_host.rules.notation import format_position, parse_position
from tests import lanes, sweep
from tests.rules.samples import random_states
from ttykm import layout
from ttykm.game import Game, winner
from ttykm.layout import NOBODY, STRICT_TWO_ACTIONS, new_state

PERFT = json.loads((Path(__file__).parent.parent / "vectors" / "perft.json").read_text())["perft"]
START = {False: (16, 256, 5_888, 133_952, 3_594_400), True: (16, 256, 5_760)}


@lanes.gate
@pytest.mark.parametrize("strict", [False, True])
def test_the_start_s_turns_are_counted(strict: bool) -> None:
    start = of_state(new_state())
    counts = tuple(perft(start, depth + 1, strict) for depth in range(len(START[strict])))
    assert counts == START[strict]


@pytest.mark.parametrize("mode", ["lenient", "strict"])
@pytest.mark.parametrize("entry", PERFT, ids=lambda entry: entry["name"])
def test_turns_are_counted_as_in_the_vectors(entry: dict, mode: str) -> None:
    start = of_state(parse_position(entry["pn"]))
    wanted = [row["sequences"] for row in entry["counts"][mode] if row["sequences"] < 300_000]
    assert [perft(start, depth + 1, mode == "strict") for depth in range(len(wanted))] == wanted


@lanes.figures
@pytest.mark.parametrize(("strict", "count"), [(False, 111_670_624), (True, 104_319_168)])
def test_the_start_s_turns_are_counted_to_depth_6(strict: bool, count: int) -> None:
    assert perft(of_state(new_state()), 6, strict) == count


@lanes.gate
@pytest.mark.parametrize("options", [0, STRICT_TWO_ACTIONS], ids=["lenient", "strict"])
@pytest.mark.parametrize("seed", range(sweep.size(2, 5, 100)))
def test_turn_by_turn_as_the_shared_rules(seed: int, options: int) -> None:
    """Each way to act, what it leads to with either focus, and who has won then."""
    game = Game()
    for state in random_states(seed, 100):
        where = seed, format_position(state)
        game.start(state, options)
        own, other, supply, _, focus, _ = node = of_state(state)
        found = {
            (shifted << 16 | sequence): after(node, (mine, theirs, left), shifted)
            for (mine, theirs, left), sequence in ways(own, other, supply, focus, bool(options))
            for shifted in range(3)
            if shifted != focus
        }
        wanted = {}
        state_then = array("H", state)
        for turn in game.legal_turns():
            assert game.after(turn, state_then)
            wanted[turn] = of_state(state_then)
            held = eras_held(wanted[turn].own)
            assert (winner(state_then) != NOBODY) == (held <= 1), where
        assert found == wanted, where
        assert set(results(own, other, supply, focus, bool(options))) == {
            (then.other, then.own, then.other_supply) for then in wanted.values()
        }


def test_a_state_and_its_position() -> None:
    start = new_state(layout.BLACK, white_handicap=1)
    assert of_state(start) == (0x8000_8000_8000, 0x0001_0001_0001, 4, 3, 0, 2)
