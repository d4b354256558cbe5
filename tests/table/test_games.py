"""Whole games through the whole firmware, on the CPython runtime: hands, reeds, link, mirror."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chronotable.hardware.sensors import FOCUS, SENSORS
from chronotable.lights import meanings
from chronotable_host.rules.notation import format_position, parse_position, parse_turn
from chronotable_host.virtual.play import play
from tests import sweep
from tests.table.hands import Scene
from tests.table.rig import Rig, player_of
from tests.table.tools import Dice, played_game
from ttykm import layout
from ttykm.game import Game, digest
from ttykm.layout import ACTIVE, NOBODY, RECORD_WORDS, STRICT_TWO_ACTIONS

VECTORS = Path(__file__).resolve().parent.parent / "vectors"
GAMES: list[dict[str, Any]] = [
    json.loads(line) for line in (VECTORS / "games.jsonl").read_text("utf-8").splitlines()
]
WRONG = {"mismatch", "gap", "log", "notice", "fault"}
MOST_TURNS = sweep.size(30, 10_000)  # random games can be long
SAMPLE = sweep.some(range(len(GAMES)), 2)

TWO_EAST = "-pa1 +pa3 -wpa +wpr"
TWO_NORTH = "-fu16 +fu8 -bfu +bpr"


def turn_text(turn: dict[str, Any]) -> str:
    copy = [] if turn["copy"] is None else [str(turn["copy"])]
    return " ".join([*copy, *turn["actions"], f">{turn['focus']}"])


def picture_at_turn_start(game: Game) -> bytes:
    """What the LEDs say when nobody has touched anything yet."""
    leds = bytearray(SENSORS)
    table, mover = game.legal(), game.mover
    here = layout.focus(game.state, mover)
    for choice in range(1, table.firsts):
        leds[table.records[choice * RECORD_WORDS + ACTIVE]] = meanings.COPY
    leds[FOCUS + 3 * mover + here] = meanings.MOVER
    if table.end == 1:
        for era in {0, 1, 2} - {here}:
            leds[FOCUS + 3 * mover + era] = meanings.FOCUS
    return bytes(leds)


def picture_of_a_win(game: Game) -> bytes:
    leds = bytearray(SENSORS)
    winner = game.winner()
    for place in range(48):
        if game.state[3 * winner + (place >> 4)] >> (place & 15) & 1:
            leds[place] = meanings.WIN
    return bytes(leds)


def replay(number: int, most_turns: int) -> None:
    data = GAMES[number]
    turns = [turn_text(turn) for turn in data["turns"]]
    positions = [turn["pos"] for turn in data["turns"]]
    pictures: list[tuple[int, bytes]] = []
    with Rig(parse_position(data["start"]), STRICT_TWO_ACTIONS, seed=number) as table:

        def played(game: Game) -> None:
            count = len(game.turns)
            assert format_position(game.state) == positions[count - 1], count
            if count % 3 == 0 or game.winner() != NOBODY:
                table.hands.wait(1400)  # final by rest, the opponent's hands away
                assert format_position(table.mirror.game.state) == positions[count - 1], count
                won = game.winner() != NOBODY
                expected = picture_of_a_win(game) if won else picture_at_turn_start(game)
                assert table.mirror.table.leds == expected, f"game {number}, turn {count}"
                pictures.append((count, expected))

        assert table.mirror.table.leds == picture_at_turn_start(table.game)
        player = player_of(turns)
        play(table.hands, table.game, (player, player), played, most_turns)
        count = min(most_turns, len(turns))
        told = table.heard("turn", *WRONG, "game_over")
        assert [what.get("position") for what in told if "turn" in what] == positions[:count]
        assert not [what for what in told if what.keys() & WRONG]
        assert table.hands.questions == 0
        assert pictures
        if count == len(turns) and table.game.winner() != NOBODY:
            assert told[-1]["game_over"] in ("white", "black")
            assert told[-1]["by"] == "normal"


@pytest.mark.parametrize("number", SAMPLE)
def test_a_game_of_the_vectors(number: int) -> None:
    replay(number, MOST_TURNS)


@pytest.mark.parametrize("seed", range(60))
def test_the_movers_marker_has_a_light_that_idle_tables_and_own_players_know(seed: int) -> None:
    scene = Scene(format_position(played_game(Dice(seed), 40).state))
    scene.hints.paint()
    state, mover = scene.game.state, scene.game.mover
    here = FOCUS + 3 * mover + layout.focus(state, mover)
    assert scene.hints.leds[here] in meanings.WHOSE_TURN


# ---- cable and mains


def test_the_link_tells_of_a_turn_and_its_taking_back() -> None:
    with Rig(layout.new_state()) as table:
        table.heard()
        table.do(TWO_EAST + " .1200")
        table.do("-wpr")
        told = table.heard("turn", "provisional", "reopened", "taken_back")
        assert [next(iter(what)) for what in told] == ["provisional", "turn", "taken_back"]
        assert told[1] == {
            "turn": "1 E E >present",
            "position": "..w............b/w..............b/w..............b 1 2 4 4 b",
            "understood": "certain",
        }


def test_the_game_goes_on_without_its_cable() -> None:
    """The cable is pulled in mid-turn; what the PC missed it hears when it is back."""
    with Rig(layout.new_state()) as table:
        table.do("-pa1 +pa3")
        table.heard()
        table.table.plug(False)
        table.hands.wait(500)
        table.do("-wpa +wpr .1500")
        table.do(TWO_NORTH + " .1500")
        assert table.heard("turn", "provisional", "leds") == []
        table.table.plug(True)
        table.hands.wait(1500)
        assert [what["turn"] for what in table.heard("turn", "mismatch", "gap")] == [
            "1 E E >present",
            "16 N N >present",
        ]
        table.game.apply(parse_turn("1 E E >present"))
        table.game.apply(parse_turn("16 N N >present"))
        assert digest(table.mirror.game.state) == digest(table.game.state)
        assert table.mirror.table.leds == picture_at_turn_start(table.game)
