"""The engine against the independent oracle where modules are played: turns, actions, deaths.

Random games come first, since they are what is played; crowded random positions that no game
reaches follow, since they show the corners of the rules.
"""

from __future__ import annotations

import itertools
import random
from array import array

import pytest

from chronotable_host.rules import notation
from chronotable_host.rules.action_replay import can_act, play_actions
from chronotable_host.rules.perft import perft
from tests import lanes, sweep
from tests.oracle import chapters as oracle
from tests.oracle.invariants import check_position
from tests.oracle.pieces import Options, format_position, initial_position, parse_position
from tests.oracle.turns import Position
from tests.oracle.turns import format_turn as oracle_turn
from tests.oracle.wild import wild_position
from ttykm import game as rules
from ttykm import objects
from ttykm.game import Game
from ttykm.layout import BLACK, NOBODY, WHITE

SETS = [
    names
    for count in (1, 2, 3)
    for names in itertools.combinations(("growth", "influence", "memory"), count)
]
WINNERS = {"w": WHITE, "b": BLACK, None: NOBODY}
MOST_TURNS = 80
GAMES = sweep.size(2, 50, 2000)
"""Of every set of modules; of crowded positions there are four times as many."""

every_set = pytest.mark.parametrize("modules", SETS, ids="+".join)


def random_options(rng: random.Random) -> Options:
    """Return each option on in a fourth of the cases: most games are played by the defaults."""
    on = [rng.random() < 0.25 for _ in range(5)]
    return Options(on[0], on[1], on[2], "stop_2023" if on[3] else "rebound_2021", on[4])


def option_bits(options: Options) -> int:
    """Return the engine's options."""
    values = {name: str(getattr(options, name)).lower() for name, _ in notation.OPTIONS}
    return notation.parse_options(" ".join(f"{name}={value}" for name, value in values.items()))


def engine_turns(game: Game) -> dict[str, tuple[str, int]]:
    """Return each legal turn's text with the position after it and the winner."""
    after = array("H", game.state)
    found = {}
    for turn in game.legal_turns():
        assert game.after(turn, after)
        found[notation.format_turn(turn)] = (notation.format_position(after), rules.winner(after))
    return found


def oracle_turns(position: Position, options: Options) -> dict[str, tuple[str, int]]:
    """Return the same from the oracle."""
    return {
        oracle_turn(turn): (format_position(turn.position), WINNERS[turn.winner])
        for turn in oracle.legal_turns(position, options)
    }


def play(modules: tuple[str, ...], seed: int, step: int) -> None:
    """Play a random game; compare every `step`-th position, and what the game conserves in all."""
    rng = random.Random(f"{modules} {seed}")
    options = random_options(rng) if seed % 2 else Options()
    game = Game()
    text = format_position(initial_position(modules, rng.choice("wb")))
    game.start(notation.parse_position(text), option_bits(options))
    for number in range(MOST_TURNS):
        text = notation.format_position(game.state)
        position = parse_position(text)
        check_position(position)
        if number % step == 0:
            found = engine_turns(game), oracle_turns(position, options)
            assert found[0] == found[1], (modules, seed, number, text, options)
        turns = list(game.legal_turns())
        if not turns:
            break
        game.apply(rng.choice(turns))
        if game.winner() != NOBODY:
            break


@every_set
def test_random_games_have_the_turns_of_the_oracle(modules: tuple[str, ...]) -> None:
    for seed in range(GAMES):
        play(modules, seed, 12)


def compare_actions(modules: tuple[str, ...], seed: int) -> None:
    """Compare every action of every copy in a crowded position: result, active copy, deaths."""
    rng = random.Random(f"wild {modules} {seed}")
    options = random_options(rng)
    position = wild_position(rng, modules)
    text = format_position(position)
    state = notation.parse_position(text)
    assert notation.format_position(state) == text, (modules, seed)
    bits = option_bits(options)
    side = "wb".index(position.mover)
    era = position.focus[side]
    for space in range(1, 17):
        if not state[3 * side + era] >> (space - 1) & 1:
            continue
        outcomes = oracle.actions(position, (era, space), options)
        for code, name in enumerate(notation.ACTIONS[1:], 1):
            where = (modules, seed, text, space, name, options)
            steps = play_actions(state, space - 1, [code], bits)
            assert (len(steps) == 1) == (name in outcomes), where
            assert can_act(state, era << 4 | space - 1, code, bits) == (name in outcomes), where
            if steps:
                outcome = outcomes[name]
                assert notation.format_position(steps[0].state) == format_position(
                    outcome.position
                ), where
                place = steps[0].active
                active = None if place == 63 else (place >> 4, (place & 15) + 1)
                assert active == outcome.active, where
                dead = sorted(str(death) for death in steps[0].deaths)
                assert dead == sorted(str(death) for death in outcome.deaths), where


@every_set
def test_actions_in_crowded_positions_are_the_oracle_s(modules: tuple[str, ...]) -> None:
    for seed in range(4 * GAMES):
        compare_actions(modules, seed)


# G15, I12, M10, C14: lines of three turns from the start
LINES_OF_THREE = (
    pytest.param("growth", 229512, marks=lanes.full),
    ("influence", 40232),
    ("memory", 5888),
    pytest.param("growth+memory", 229016, marks=lanes.full),
    ("influence+memory", 39080),
    pytest.param("growth+influence", 705184, marks=lanes.full),
)


@pytest.mark.parametrize(("modules", "lines"), LINES_OF_THREE)
def test_the_counts_of_the_rules_to_depth_3(modules: str, lines: int) -> None:
    start = objects.new_state(notation.parse_modules(modules))
    assert [row[0] for row in perft(start, 3)][-1] == lines
