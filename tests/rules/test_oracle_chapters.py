"""The oracle of the chapters against the vectors, node counts, the standard oracle and itself.

Single rules are tested in test_oracle_rules.py.
"""

from __future__ import annotations

import json
import random
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests import lanes, sweep
from tests.oracle import standard
from tests.oracle.chapters import (
    DEFAULTS,
    Options,
    Outcome,
    Position,
    actions,
    copies_in,
    format_position,
    format_turn,
    initial_position,
    legal_turns,
    parse_position,
    perft,
)
from tests.oracle.invariants import check_outcome, check_position
from tests.oracle.pieces import MODULES, Thing
from tests.oracle.turns import COLOURS, ERAS, SPACES, Place, of_player
from tests.oracle.wild import wild_position

VECTORS = Path(__file__).resolve().parent.parent / "vectors"
EXAMPLES: dict[str, dict[str, Any]] = {
    example["id"]: example
    for example in json.loads((VECTORS / "ttykm_examples.json").read_text("utf-8"))["examples"]
    if "actions" in example
}
SETS = [chosen for size in range(4) for chosen in combinations(MODULES, size)]
SET_IDS = ["+".join(chosen) or "standard" for chosen in SETS]
ALL_SETS = pytest.mark.parametrize("modules", SETS, ids=SET_IDS)
ALL_OPTIONS = [
    DEFAULTS,
    Options(
        strict_two_actions=True,
        voluntary_suicide=True,
        voluntary_suicide_elephant=True,
        build_blocked="stop_2023",
        shrub_removal_ungrows=True,
    ),
]
OPTIONS = pytest.mark.parametrize("options", ALL_OPTIONS, ids=["defaults", "others"])


def movers_places(position: Position) -> list[Place]:
    return [(era, s) for era in range(3) for s in copies_in(position, era, position.mover)]


# ---------------------------------------------------------------- the examples of tests/vectors


def test_all_examples_are_there() -> None:
    counts = {"XS": 14, "XG": 15, "XI": 13, "XM": 8, "XC": 15}
    names = [f"{kind}{n}" for kind, count in counts.items() for n in range(1, count + 1)]
    assert sorted(EXAMPLES) == sorted(names)


def follow(example: dict[str, Any]) -> tuple[Position, Place | None, list[str]]:
    """The position, the active copy and the dead after the example's actions."""
    options = Options(**example["options"])
    position = parse_position(example["start"])
    active: Place | None = (of_player(position.focus, position.mover), example["copy"])
    dead: list[str] = []
    for action in example["actions"]:
        assert active is not None
        outcome = actions(position, active, options)[action]
        check_outcome(position, active, outcome)
        position, active = outcome.position, outcome.active
        dead += map(str, outcome.deaths)
    return position, active, dead


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name: str) -> None:
    example = EXAMPLES[name]
    position, active, dead = follow(example)
    assert format_position(parse_position(example["start"])) == example["start"]
    assert format_position(position) == example["after"]
    assert dead == example["dead"]
    assert example["active"] == ("dead" if active is None else f"{ERAS[active[0]]} {active[1]}")
    if example["illegal_next"]:
        assert active is not None
        legal = actions(position, active, Options(**example["options"]))
        assert not set(example["illegal_next"]) & set(legal)


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_begins_a_legal_turn(name: str) -> None:
    example = EXAMPLES[name]
    taken = tuple(example["actions"])
    turns = legal_turns(parse_position(example["start"]), Options(**example["options"]))
    assert any(t.copy == example["copy"] and t.actions[: len(taken)] == taken for t in turns)


# ---------------------------------------------------------------- node counts

NODE_COUNTS = {  # XS17, G15, I12, M10, C14
    (): [16, 256, 5888],
    ("growth",): [62, 3844, 229512],
    ("influence",): [36, 1296, 40232],
    ("memory",): [16, 256, 5888],
    ("growth", "influence"): [98, 9604, 705184],
    ("growth", "memory"): [62, 3844, 229016],
    ("influence", "memory"): [36, 1296, 39080],
}
COUNTED = pytest.mark.parametrize("modules", NODE_COUNTS, ids=SET_IDS[:7])


@COUNTED
def test_node_counts(modules: tuple[str, ...]) -> None:
    rows = perft(initial_position(modules), 2)
    assert [sequences for sequences, _, _ in rows] == NODE_COUNTS[modules][:2]


@lanes.figures
@COUNTED
def test_node_counts_to_depth_3(modules: tuple[str, ...]) -> None:
    rows = perft(initial_position(modules), 3)
    assert [sequences for sequences, _, _ in rows] == NODE_COUNTS[modules]


# ---------------------------------------------------------------- random games and positions


@OPTIONS
@ALL_SETS
@pytest.mark.parametrize("seed", [1])
def test_invariants_in_random_games(modules: tuple[str, ...], options: Options, seed: int) -> None:
    rng = random.Random(f"{seed} {modules}")
    position = initial_position(modules, rng.choice(COLOURS))
    for _ in range(sweep.size(6, 60)):
        check_position(position)
        turn = rng.choice(legal_turns(position, options))
        active: Place | None = (of_player(position.focus, position.mover), turn.copy or 0)
        for action in turn.actions:
            assert active is not None
            outcome = actions(position, active, options)[action]
            check_outcome(position, active, outcome)
            check_position(outcome.position)
            position, active = outcome.position, outcome.active
        assert (position.eras, position.things) == (turn.position.eras, turn.position.things)
        position = turn.position
        if turn.winner:
            break


@OPTIONS
@ALL_SETS
@pytest.mark.parametrize("seed", [3])
def test_outcomes_in_wild_positions(modules: tuple[str, ...], options: Options, seed: int) -> None:
    rng = random.Random(f"{seed} {modules}")
    for _ in range(sweep.size(5, 20)):
        position = wild_position(rng, modules)
        assert parse_position(format_position(position)) == position
        for active in movers_places(position):
            for outcome in actions(position, active, options).values():
                check_outcome(position, active, outcome)


@pytest.mark.parametrize("seed", [4])
def test_without_modules_it_is_the_standard_game(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(sweep.size(4, 30)):
        position = wild_position(rng, ())
        text = format_position(position)
        plain = standard.parse_position(text)
        assert standard.format_position(plain) == text
        for active in movers_places(position):
            found, expected = actions(position, active), standard.actions(plain, active)
            assert set(found) == set(expected), text
            for name, outcome in found.items():
                other = expected[name]
                assert format_position(outcome.position) == standard.format_position(other.position)
                assert (outcome.active, outcome.deaths) == (other.active, other.deaths), text
        for strict in (False, True):
            ours = legal_turns(position, Options(strict_two_actions=strict))
            theirs = standard.legal_turns(plain, strict)
            assert [(format_turn(t), format_position(t.position), t.winner) for t in ours] == [
                (format_turn(t), standard.format_position(t.position), t.winner) for t in theirs
            ], text


# ---------------------------------------------------------------- symmetry

HALF_TURN = {space: 17 - space for space in SPACES}
DIAGONAL = {space: (space - 1) % 4 * 4 + (space - 1) // 4 + 1 for space in SPACES}
SWAPPED = {"w": "b", "b": "w", "": ""}
SWAPPED_STATUES = {"W": "B", "B": "W", "N": "N"}
SWAPPED_ELEPHANTS = {"D": "L", "L": "D"}


def moved_thing(thing: Thing, spaces: dict[int, int], swap: bool) -> Thing:
    thing = thing._replace(root=spaces.get(thing.root, 0))
    if not swap:
        return thing
    if thing.kind == "statue":
        return thing._replace(name=SWAPPED_STATUES[thing.name])
    if thing.kind == "elephant":
        return thing._replace(name=SWAPPED_ELEPHANTS[thing.name], hat=SWAPPED[thing.hat])
    return thing


def changed(position: Position, spaces: dict[int, int], swap: bool) -> Position:
    """The boards turned or mirrored, and, if `swap`, colours and elephants exchanged."""
    who = SWAPPED if swap else {colour: colour for colour in COLOURS}
    eras = [frozenset((spaces[s], who[c]) for s, c in era) for era in position.eras]
    things = [
        frozenset((spaces[s], moved_thing(thing, spaces, swap)) for s, thing in era)
        for era in position.things
    ]
    sown = [frozenset(spaces[s] for s in era) for era in position.sown]
    return Position(
        eras=(eras[0], eras[1], eras[2]),
        focus=position.focus[::-1] if swap else position.focus,
        supply=position.supply[::-1] if swap else position.supply,
        mover=who[position.mover],
        modules=position.modules,
        things=(things[0], things[1], things[2]),
        sown=(sown[0], sown[1], sown[2]),
        seeds=position.seeds,
        statues=frozenset(who[colour] for colour in position.statues),
    )


def picture(outcome: Outcome) -> tuple[Position, Place | None, list[tuple[Any, ...]]]:
    """An outcome without the order of deaths in different lines, on which the rules are silent."""
    return outcome.position, outcome.active, sorted(outcome.deaths)


@pytest.mark.parametrize("seed", [5])
@pytest.mark.parametrize("swap", [False, True], ids=["mirrored", "turned, colours exchanged"])
@ALL_SETS
def test_symmetry(modules: tuple[str, ...], swap: bool, seed: int) -> None:
    rng = random.Random(f"{seed} {modules}")
    spaces = HALF_TURN if swap else DIAGONAL
    words = str.maketrans("NESWDL", "SWNELD") if swap else str.maketrans("NESW", "WSEN")
    for _ in range(sweep.size(4, 12)):
        position = wild_position(rng, modules)
        other = changed(position, spaces, swap)
        assert changed(other, spaces, swap) == position
        for era, space in movers_places(position):
            expected = {}
            for name, outcome in actions(position, (era, space)).items():
                active, dead = outcome.active, outcome.deaths
                expected[name.translate(words)] = (
                    changed(outcome.position, spaces, swap),
                    active and (active[0], spaces[active[1]]),
                    sorted(
                        death._replace(
                            colour=death.colour.translate(str.maketrans("WB", "BW"))
                            if swap
                            else death.colour,
                            space=spaces[death.space],
                        )
                        for death in dead
                    ),
                )
            found = actions(other, (era, spaces[space]))
            assert {name: picture(o) for name, o in found.items()} == expected, format_position(
                position
            )


# ---------------------------------------------------------------- texts and options


def test_position_text_is_read_leniently() -> None:
    board = "w..............b/w..............b/w..............b"
    text = f"{board} 0 2 4 4 w growth+memory eD4b,*10/F11<10,eL13/- seeds=4"
    loose = f" {board.upper()} 0 2 4 4 W  Memory + GROWTH *10 , ed4B / el13,f11 < 10/ -  Seeds = 4"
    assert format_position(parse_position(loose)) == text


@pytest.mark.parametrize(
    "tail",
    [
        "growth",
        "growth -/-/-",
        "growth -/- seeds=5",
        "growth -/-/- seeds=",
        "growth -/-/- seeds=5 statues=wb",
        "growth -/-/- statues=wb",
        "influence -/-/- seeds=5",
        "influence -/-/- statues=",
        "influence -/-/- statues=ww",
        "influence nW7/-/- statues=w",
        "influence nN7,nN8/-/- statues=wb",
        "influence+influence -/-/- statues=wb",
        "memory eD4,eD5/-/-",
        "memory eD4r/-/-",
        "memory eX4/-/-",
        "memory nN7/-/-",
        "memory eD1/-/-",
        "memory eD17/-/-",
        "growth *5,sh5/-/- seeds=4",
        "growth F6/-/- seeds=5",
        "growth F6<8/-/- seeds=5",
        "growth F2<-2/-/- seeds=5",
        "growth ,/-/- seeds=5",
        "standard",
        "standard -/-/-",
        "time -/-/-",
    ],
)
def test_position_text_is_read_strictly(tail: str) -> None:
    text = "w..............b/w..............b/w..............b 0 2 4 4 w"
    parse_position(text)
    with pytest.raises(ValueError, match=r"."):
        parse_position(f"{text} {tail}")


def test_options_are_checked() -> None:
    with pytest.raises(ValueError, match="rebound_2021"):
        Options(build_blocked="never")


def test_actions_need_the_movers_copy() -> None:
    with pytest.raises(ValueError, match="no copy of w"):
        actions(initial_position(("growth",)), (0, 16))
