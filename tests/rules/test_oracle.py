"""The oracle of the standard game against the rule vectors: only then may it judge an engine."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests import sweep
from tests.oracle.standard import (
    COLOURS,
    ERAS,
    SPACES,
    Position,
    Turn,
    actions,
    copies_in,
    eras_held,
    format_position,
    format_turn,
    initial_position,
    legal_turns,
    occupant,
    parse_position,
    perft,
)

VECTORS = Path(__file__).resolve().parent.parent / "vectors"
PERFT_DEPTH = sweep.size(2, 3)
NAMES = {"w": "white", "b": "black"}

PERFT: list[dict[str, Any]] = json.loads((VECTORS / "perft.json").read_text("utf-8"))["perft"]
EXAMPLES: dict[str, dict[str, Any]] = {
    example["id"]: example
    for example in json.loads((VECTORS / "ttykm_examples.json").read_text("utf-8"))["examples"]
    if example["modules"] == "standard"
}
ACTION_EXAMPLES = [name for name, example in EXAMPLES.items() if "actions" in example]
COPY_EXAMPLES = [name for name, example in EXAMPLES.items() if "copies_allowed" in example]
TURN_EXAMPLES = [name for name, example in EXAMPLES.items() if "turns" in example]
legal_turns_of = cache(legal_turns)  # of the sample, which several tests ask about
READINGS = pytest.mark.parametrize("strict", [False, True], ids=["lenient", "strict"])


def read_games(name: str) -> list[dict[str, Any]]:
    lines = (VECTORS / name).read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


GAMES = {
    f"{name}-{game['id']}": game
    for name in ("games", "games_lenient")
    for game in read_games(f"{name}.jsonl")
}


def as_dict(position: Position) -> dict[str, Any]:
    """A position in the long form of perft.json and of the games' final field."""
    return {
        "eras": [
            {NAMES[colour]: copies_in(position, era, colour) for colour in COLOURS}
            for era in range(len(ERAS))
        ],
        "focus": {NAMES[c]: ERAS[position.focus[i]] for i, c in enumerate(COLOURS)},
        "supply": {NAMES[c]: position.supply[i] for i, c in enumerate(COLOURS)},
        "mover": NAMES[position.mover],
    }


def turn_text(turn: dict[str, Any]) -> str:
    copy = [] if turn["copy"] is None else [str(turn["copy"])]
    return " ".join([*copy, *turn["actions"], f">{turn['focus']}"])


def turns_by_text(position: Position, strict: bool) -> dict[str, Turn]:
    turns = legal_turns(position, strict)
    found = {format_turn(turn): turn for turn in turns}
    assert len(found) == len(turns)  # no turn is listed twice
    return found


# ---------------------------------------------------------------- the vectors are all there


def test_nothing_is_left_out() -> None:
    assert len(PERFT) == 9
    assert len(GAMES) == 80
    assert sorted(ACTION_EXAMPLES) == sorted(f"XS{number}" for number in range(1, 15))
    assert COPY_EXAMPLES == ["XS15"]
    assert TURN_EXAMPLES == ["XS16", "XS16b"]
    assert all(example["options"] == {} for example in EXAMPLES.values())


# ---------------------------------------------------------------- perft


@pytest.mark.parametrize("mode", ["strict", "lenient"])
@pytest.mark.parametrize("entry", PERFT, ids=[entry["name"] for entry in PERFT])
def test_perft(entry: dict[str, Any], mode: str) -> None:
    position = parse_position(entry["pn"])
    rows = entry["counts"][mode][:PERFT_DEPTH]
    expected = [(row["sequences"], row["positions"], row["wins"]) for row in rows]
    assert len(expected) == PERFT_DEPTH
    assert perft(position, PERFT_DEPTH, mode == "strict") == expected


@pytest.mark.parametrize("entry", PERFT, ids=[entry["name"] for entry in PERFT])
def test_perft_position_texts(entry: dict[str, Any]) -> None:
    position = parse_position(entry["pn"])
    assert format_position(position) == entry["pn"]
    assert as_dict(position) == entry["position"]


# ---------------------------------------------------------------- examples


@pytest.mark.parametrize("name", ACTION_EXAMPLES)
def test_example_actions(name: str) -> None:
    example = EXAMPLES[name]
    position = parse_position(example["start"])
    era = position.focus[COLOURS.index(position.mover)]
    active: tuple[int, int] | None = (era, example["copy"])
    dead: list[str] = []
    for action in example["actions"]:
        assert active is not None
        outcome = actions(position, active)[action]
        position, active = outcome.position, outcome.active
        dead += [str(death) for death in outcome.deaths]
    assert format_position(position) == example["after"]
    assert dead == example["dead"]
    assert example["active"] == ("dead" if active is None else f"{ERAS[active[0]]} {active[1]}")
    if example["illegal_next"]:
        assert active is not None
        assert not set(example["illegal_next"]) & set(actions(position, active))


@pytest.mark.parametrize("name", ACTION_EXAMPLES)
def test_example_begins_a_legal_turn(name: str) -> None:
    example = EXAMPLES[name]
    taken = tuple(example["actions"])
    turns = legal_turns(parse_position(example["start"]))
    same = [turn for turn in turns if turn.copy == example["copy"]]
    assert [turn for turn in same if turn.actions[: len(taken)] == taken]


@READINGS
@pytest.mark.parametrize("name", COPY_EXAMPLES)
def test_example_copies_allowed(name: str, strict: bool) -> None:
    turns = legal_turns(parse_position(EXAMPLES[name]["start"]), strict)
    assert sorted({turn.copy or 0 for turn in turns}) == EXAMPLES[name]["copies_allowed"]


@READINGS
@pytest.mark.parametrize("name", TURN_EXAMPLES)
def test_example_turns(name: str, strict: bool) -> None:
    example = EXAMPLES[name]
    turns = legal_turns(parse_position(example["start"]), strict)
    assert sorted(map(format_turn, turns)) == sorted(example["turns"])
    assert {NAMES.get(turn.winner or "") for turn in turns} == {example["winner"]}


@READINGS
def test_xs10_mover_with_one_era_wins(strict: bool) -> None:
    """T29, T30: both hold one era when white's turn ends; white wins."""
    turn = turns_by_text(parse_position(EXAMPLES["XS10"]["start"]), strict)["11 F E >future"]
    assert [eras_held(turn.position, colour) for colour in COLOURS] == [1, 1]
    assert turn.winner == "w"


def test_xs5_self_paradox_ends_the_actions() -> None:
    """T14, T21: by default a legal one-action turn, literally read an illegal one."""
    position = parse_position(EXAMPLES["XS5"]["start"])
    lenient = turns_by_text(position, False)
    alone = {text for text in lenient if text.startswith("7 S ")}
    assert alone == {"7 S >past", "7 S >future"}
    assert not alone & set(turns_by_text(position, True))


@READINGS
def test_one_action_turns_when_no_copy_can_take_two(strict: bool) -> None:
    """T12, T14: then every copy with one action may be chosen, in both readings.

    Seven pieces cannot make this happen: every neighbour of every copy must be an own copy.
    """
    full = "w" * 16
    position = parse_position(f"{full}/{full}/b............... 0 2 4 4 w")
    turns = legal_turns(position, strict)
    assert {turn.copy for turn in turns} == set(SPACES)
    assert {len(turn.actions) for turn in turns} == {1}
    assert len(turns) == 2 * (4 * 2 + 8 * 3 + 4 * 4)  # two focuses; corners, edges, middle


# ---------------------------------------------------------------- whole games


@pytest.mark.parametrize("name", sweep.some([*GAMES], 24))
def test_game(name: str) -> None:
    game = GAMES[name]
    strict = game["mode"] == "strict"
    assert name.startswith("games_lenient") == (not strict)
    position = parse_position(game["start"])
    assert position in (initial_position("w"), initial_position("b"))
    winner: str | None = None
    for given in game["turns"]:
        assert winner is None  # no turn is played after the end
        turn = turns_by_text(position, strict)[turn_text(given)]
        assert format_position(turn.position) == given["pos"]
        assert parse_position(given["pos"]) == turn.position
        position, winner = turn.position, turn.winner
    assert winner is not None
    assert NAMES[winner] == game["winner"]
    assert as_dict(position) == game["final"]


# ---------------------------------------------------------------- the oracle against itself


def sample_positions() -> list[Position]:
    """Every 7th position of the games, and all starts."""
    games = [parse_position(t["pos"]) for game in GAMES.values() for t in game["turns"][::7]]
    return [*(parse_position(entry["pn"]) for entry in PERFT), *games]


SAMPLE = sample_positions()


def turned(position: Position) -> Position:
    """The boards turned by half a turn and the colours exchanged (T3: the set-up is the same)."""
    past, present, future = (
        frozenset((17 - space, "b" if colour == "w" else "w") for space, colour in board)
        for board in position.eras
    )
    return Position(
        (past, present, future),
        position.focus[::-1],
        position.supply[::-1],
        "b" if position.mover == "w" else "w",
    )


@READINGS
def test_colours_are_equal(strict: bool) -> None:
    compass = str.maketrans("NESW", "SWNE")
    for position in SAMPLE:
        expected = {
            (
                None if turn.copy is None else 17 - turn.copy,
                tuple(action.translate(compass) for action in turn.actions),
                turn.focus,
                turned(turn.position),
            )
            for turn in legal_turns_of(position, strict)
        }
        found = {
            (turn.copy, turn.actions, turn.focus, turn.position)
            for turn in legal_turns(turned(position), strict)
        }
        assert found == expected


def test_strict_turns_are_the_longest_lenient_ones() -> None:
    for position in SAMPLE:
        lenient = legal_turns_of(position, False)
        longest = max(len(turn.actions) for turn in lenient)
        assert legal_turns_of(position, True) == [t for t in lenient if len(t.actions) == longest]


def test_pieces_are_conserved() -> None:
    """T23, T25: each copy is on a board, in the supply, or named among the dead."""

    def pieces(position: Position, colour: str) -> int:
        on_board = sum(len(copies_in(position, era, colour)) for era in range(len(ERAS)))
        return on_board + position.supply[COLOURS.index(colour)]

    for position in SAMPLE:
        for era in range(len(ERAS)):
            for space in copies_in(position, era, position.mover):
                for outcome in actions(position, (era, space)).values():
                    for colour in COLOURS:
                        dead = [d for d in outcome.deaths if d.colour.lower() == colour]
                        left = pieces(outcome.position, colour)
                        assert pieces(position, colour) == left + len(dead)
                        for death in dead:
                            board = position.eras[ERAS.index(death.era)]
                            assert occupant(board, death.space) == colour
                    if outcome.active is not None:
                        where, there = outcome.active
                        assert occupant(outcome.position.eras[where], there) == position.mover


# ---------------------------------------------------------------- texts


def test_position_text_is_read_leniently() -> None:
    text = "w..............b/w..............b/w..............b 0 2 4 4 w"
    assert parse_position(text) == initial_position()
    loose = "  W..............B / w..............b/w..............b\t0 2  4 4 W\n"
    assert parse_position(loose) == initial_position()
    assert set(SPACES) == set(range(1, 17))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "w..............b/w..............b 0 2 4 4 w",
        "w..............b/w..............b/w.............b 0 2 4 4 w",
        "w..............b/w..............b/w.............xb 0 2 4 4 w",
        "w..............b/w..............b/w..............b 0 3 4 4 w",
        "w..............b/w..............b/w..............b 0 2 -1 4 w",
        "w..............b/w..............b/w..............b 0 2 4 4 x",
        "w..............b/w..............b/w..............b 0 2 4 4",
        "w..............b/w..............b/w..............b 0 2 4 4 w growth -/-/- seeds=5",
    ],
)
def test_position_text_is_read_strictly(text: str) -> None:
    with pytest.raises(ValueError, match=r"needed|fields|focus|supply|mover"):
        parse_position(text)


def test_actions_need_the_movers_copy() -> None:
    with pytest.raises(ValueError, match="no copy of w"):
        actions(initial_position(), (0, 16))
