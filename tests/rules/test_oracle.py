"""The oracle against the vectors, node counts and itself: only then may it judge an engine.

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
from tests.oracle.chapters import actions, legal_turns, perft
from tests.oracle.invariants import check_outcome, check_position
from tests.oracle.pieces import (
    DEFAULTS,
    MODULES,
    Options,
    format_position,
    initial_position,
    parse_position,
)
from tests.oracle.turns import (
    COLOURS,
    ERAS,
    SPACES,
    Outcome,
    Place,
    Position,
    Thing,
    Turn,
    copies_in,
    eras_held,
    format_turn,
    of_player,
)
from tests.oracle.wild import wild_position

VECTORS = Path(__file__).resolve().parent.parent / "vectors"
OF_EXAMPLES = json.loads((VECTORS / "ttykm_examples.json").read_text("utf-8"))["examples"]
EXAMPLES: dict[str, dict[str, Any]] = {each["id"]: each for each in OF_EXAMPLES}
ACTED = [name for name, example in EXAMPLES.items() if "actions" in example]
PERFT: list[dict[str, Any]] = json.loads((VECTORS / "perft.json").read_text("utf-8"))["perft"]
PERFT_DEPTH = sweep.size(2, 3)
GAMES: dict[str, dict[str, Any]] = {
    f"{name}-{game['id']}": game
    for name in ("games", "games_lenient")
    for game in map(json.loads, (VECTORS / f"{name}.jsonl").read_text("utf-8").splitlines())
}
NAMES = {"w": "white", "b": "black"}
STRICT = Options(strict_two_actions=True)
READINGS = pytest.mark.parametrize("options", [DEFAULTS, STRICT], ids=["lenient", "strict"])
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


def as_dict(position: Position) -> dict[str, Any]:
    """A position in the long form of perft.json and of the games' final field."""
    return {
        "eras": [{NAMES[c]: copies_in(position, era, c) for c in COLOURS} for era in range(3)],
        "focus": {NAMES[c]: ERAS[position.focus[i]] for i, c in enumerate(COLOURS)},
        "supply": {NAMES[c]: position.supply[i] for i, c in enumerate(COLOURS)},
        "mover": NAMES[position.mover],
    }


def turns_by_text(position: Position, options: Options = DEFAULTS) -> dict[str, Turn]:
    turns = legal_turns(position, options)
    found = {format_turn(turn): turn for turn in turns}
    assert len(found) == len(turns), "no turn is listed twice"
    return found


# ---- the vectors


def test_nothing_is_left_out() -> None:
    counts = {"XS": 14, "XG": 15, "XI": 13, "XM": 8, "XC": 15}
    names = [f"{kind}{n}" for kind, count in counts.items() for n in range(1, count + 1)]
    assert sorted(ACTED) == sorted(names)
    assert (len(PERFT), len(GAMES)) == (9, 80)


@READINGS
@pytest.mark.parametrize("entry", PERFT, ids=lambda entry: entry["name"])
def test_perft(entry: dict[str, Any], options: Options) -> None:
    position = parse_position(entry["pn"])
    assert format_position(position) == entry["pn"]
    assert as_dict(position) == entry["position"]
    rows = entry["counts"]["strict" if options is STRICT else "lenient"][:PERFT_DEPTH]
    expected = [(row["sequences"], row["positions"], row["wins"]) for row in rows]
    assert perft(position, PERFT_DEPTH, options) == expected


@pytest.mark.parametrize("name", sweep.some([*GAMES], 24))
def test_game(name: str) -> None:
    game = GAMES[name]
    options = DEFAULTS if name.startswith("games_lenient") else STRICT
    position = parse_position(game["start"])
    assert position in (initial_position(), initial_position(first="b"))
    winner: str | None = None
    for given in game["turns"]:
        assert winner is None, "no turn is played after the end"
        copy = [] if given["copy"] is None else [str(given["copy"])]
        text = " ".join([*copy, *given["actions"], f">{given['focus']}"])
        turn = turns_by_text(position, options)[text]
        assert format_position(turn.position) == given["pos"]
        assert parse_position(given["pos"]) == turn.position
        position, winner = turn.position, turn.winner
    assert winner is not None
    assert NAMES[winner] == game["winner"]
    assert as_dict(position) == game["final"]


# ---- the examples


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


@pytest.mark.parametrize("name", ACTED)
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


@pytest.mark.parametrize("name", ACTED)
def test_example_begins_a_legal_turn(name: str) -> None:
    example = EXAMPLES[name]
    taken = tuple(example["actions"])
    turns = legal_turns(parse_position(example["start"]), Options(**example["options"]))
    assert any(t.copy == example["copy"] and t.actions[: len(taken)] == taken for t in turns)


@READINGS
def test_examples_of_copies_and_whole_turns(options: Options) -> None:
    turns = legal_turns(parse_position(EXAMPLES["XS15"]["start"]), options)
    assert sorted({turn.copy or 0 for turn in turns}) == EXAMPLES["XS15"]["copies_allowed"]
    for example in (EXAMPLES["XS16"], EXAMPLES["XS16b"]):
        turns = legal_turns(parse_position(example["start"]), options)
        assert sorted(map(format_turn, turns)) == sorted(example["turns"])
        assert {NAMES.get(turn.winner or "") for turn in turns} == {example["winner"]}


@READINGS
def test_xs10_mover_with_one_era_wins(options: Options) -> None:
    """T29, T30: both hold one era when white's turn ends; white wins."""
    turn = turns_by_text(parse_position(EXAMPLES["XS10"]["start"]), options)["11 F E >future"]
    assert [eras_held(turn.position, colour) for colour in COLOURS] == [1, 1]
    assert turn.winner == "w"


def test_xs5_self_paradox_ends_the_actions() -> None:
    """T14, T21: by default a legal one-action turn, literally read an illegal one."""
    position = parse_position(EXAMPLES["XS5"]["start"])
    alone = {text for text in turns_by_text(position) if text.startswith("7 S ")}
    assert alone == {"7 S >past", "7 S >future"}
    assert not alone & set(turns_by_text(position, STRICT))


@READINGS
def test_one_action_turns_when_no_copy_can_take_two(options: Options) -> None:
    """T12, T14: then every copy with one action may be chosen, in both readings.

    Seven pieces cannot make this happen: every neighbour of every copy must be an own copy.
    """
    full = "w" * 16
    turns = legal_turns(parse_position(f"{full}/{full}/b............... 0 2 4 4 w"), options)
    assert {turn.copy for turn in turns} == set(SPACES)
    assert {len(turn.actions) for turn in turns} == {1}
    assert len(turns) == 2 * (4 * 2 + 8 * 3 + 4 * 4)  # two focuses; corners, edges, middle


@ALL_SETS
def test_strict_turns_are_the_longest_lenient_ones(modules: tuple[str, ...]) -> None:
    rng = random.Random(f"longest {modules}")
    for _ in range(sweep.size(4, 30)):
        position = wild_position(rng, modules)
        lenient = legal_turns(position)
        longest = max(len(turn.actions) for turn in lenient)
        wanted = [turn for turn in lenient if len(turn.actions) == longest]
        assert legal_turns(position, STRICT) == wanted, format_position(position)


# ---- node counts

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


# ---- random games and positions


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


# ---- symmetry

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


# ---- misuse


def test_actions_need_the_movers_copy() -> None:
    with pytest.raises(ValueError, match="no copy of w"):
        actions(initial_position(("growth",)), (0, 16))
