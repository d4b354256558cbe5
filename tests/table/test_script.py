"""Scripts of physical events: what a run tells, line by line, and what is wrong with a bad one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from chronotable_host.errors import UserError
from chronotable_host.virtual.script import parse_script, run_script
from tests.table.rig import Rig, rig
from ttykm import layout
from ttykm.notation import parse_position

PUSH = "w..............b/.....wb........./w..............b 1 1 4 4 w"


def run(table: Rig, events: list[dict[str, Any]]) -> None:
    table.table.bounce_ms = 0
    text = "\n".join(json.dumps(event) for event in events)
    run_script(table.table, parse_script(text, "script"), "script")


def test_a_turn_with_its_pictures() -> None:
    with rig(layout.new_state()) as table:
        table.heard()
        run(
            table,
            [
                {"t_ms": 100, "lift": "past 1"},
                {"t_ms": 400, "place": "past 2"},
                {"t_ms": 700, "lift": "past 2"},
                {"t_ms": 1000, "place": "past 3"},
                {"t_ms": 1300, "lift": "focus white past"},
                {"t_ms": 1700, "place": "focus white present"},
            ],
        )
        on_the_way = {"past 1": "lifted", "past 2": "move", "past 5": "move"}
        second = {
            "past 1": "move",
            "past 2": "lifted",
            "past 3": "move",
            "past 6": "move",
            "present 2": "forward",
        }
        choices = {"focus white present": "focus", "focus white future": "focus"}
        home = {"focus white past": "mover"}
        assert table.heard() == [
            {"leds": {**on_the_way, **home}},
            {"leds": {"past 2": "copy", **home}},
            {"leds": {**second, **home}},
            {"leds": {**home, **choices}},
            {"leds": choices},
            {"provisional": "1 E E >present"},
            {"leds": {"focus white present": "mover"}},
            {
                "turn": "1 E E >present",
                "position": "..w............b/w..............b/w..............b 1 2 4 4 b",
                "understood": "certain",
            },
            {"leds": {"future 16": "copy", "focus black future": "mover"}},
        ]


def test_buttons_guides_and_questions() -> None:
    with rig(parse_position(PUSH)) as table:
        table.heard()
        run(
            table,
            [
                {"t_ms": 0, "lift": "focus white present"},
                {"t_ms": 300, "place": "focus white past"},
                {"t_ms": 600, "press": "a"},
                {"t_ms": 2000, "lift": "present 7"},
                {"t_ms": 2300, "place": "present 14"},
                {"t_ms": 3000, "press": "undo", "side": "black"},
                {"t_ms": 3600, "press": "resign", "side": "white"},
            ],
        )
        told = table.heard("ask", "provisional", "turn", "guide", "taken_back", "game_over")
        assert told == [
            {"ask": {"a": "6 N S >past"}},
            {"provisional": "6 N S >past"},
            {
                "turn": "6 N S >past",
                "position": "w..............b/.....wb........./w..............b 0 1 4 4 b",
                "understood": "asked",
            },
            {"guide": told[3]["guide"]},
            {"taken_back": "6 N S >past"},
            {"guide": told[5]["guide"]},
        ], "and nobody can resign while a position is put back"
        assert (told[3]["guide"]["take"], told[3]["guide"]["put"]) == (
            ["present 14"],
            ["present 7"],
        )
        assert told[5]["guide"]["take"] == ["present 14", "focus white past"]
        assert told[5]["guide"]["put"] == ["present 7", "focus white present"]


def test_cable_mains_and_broken_reeds() -> None:
    with rig(layout.new_state()) as table:
        table.heard()
        run(
            table,
            [
                {"t_ms": 0, "unplug": True},
                {"t_ms": 100, "lift": "past 1"},
                {"t_ms": 900, "place": "past 1"},
                {"t_ms": 1000, "plug": True},
                {"t_ms": 2500, "power": "off"},
                {"t_ms": 2600, "power": "on"},
                {"t_ms": 4500, "bounce_ms": 3},
                {"t_ms": 4600, "lift": "past 1"},
                {"t_ms": 5000, "place": "past 1"},
                {"t_ms": 5400, "stuck": "past 12", "closed": True},
                {"t_ms": 6200, "stuck": "past 12", "closed": False},
                {"t_ms": 7000, "cell": [2, 2], "closed": True},
                {"t_ms": 7500, "cell": [2, 2], "closed": False},
                {"t_ms": 8000, "stuck": "past 12", "closed": "flicker"},
            ],
        )
        told = table.heard()
        assert [what for what in told if "connected" in what] == [{"connected": "reference"}] * 2
        guides = [what["guide"]["take"] for what in told if "guide" in what]
        assert guides[:2] == [["past 12"], ["past 11"]]
        assert not table.runtime.failure  # type: ignore[union-attr]


def test_time_goes_on_for_two_seconds() -> None:
    with rig(layout.new_state()) as table:
        before = table.table.now_ms
        run(table, [{"t_ms": 500, "lift": "past 1"}])
        assert table.table.now_ms == pytest.approx(before + 2500)
        run(table, [])
        assert table.table.now_ms == pytest.approx(before + 4500)


def test_empty_lines_are_no_events() -> None:
    assert parse_script("\n  \n", "script") == []
    (event,) = parse_script('\n{"t_ms": 1, "lift": "past 1"}\n', "script")
    assert (event.line, event.t_ms) == (2, 1.0)


BAD_LINES = [
    ("lift", "not JSON"),
    ("[1]", "an event is an object"),
    ('"lift"', "an event is an object"),
    ('{"lift": "past 1"}', "t_ms must be a time in ms"),
    ('{"t_ms": "1", "lift": "past 1"}', "t_ms must be a time in ms"),
    ('{"t_ms": true, "lift": "past 1"}', "t_ms must be a time in ms"),
    ('{"t_ms": -1, "lift": "past 1"}', "t_ms must be a time in ms"),
    ('{"t_ms": NaN, "lift": "past 1"}', "t_ms must be a time in ms"),
    ('{"t_ms": 1}', "exactly one of lift, place"),
    ('{"t_ms": 1, "lift": "past 1", "place": "past 2"}', "exactly one of lift, place"),
    ('{"t_ms": 1, "shake": "past 1"}', "exactly one of lift, place"),
    ('{"t_ms": 1, "lift": "past 1", "hard": true}', "'hard' does not go with 'lift'"),
    ('{"t_ms": 1, "lift": 6}', "a space or focus spot is a text"),
    ('{"t_ms": 1, "lift": "past 17"}', "'17' in 'past 17' is no space"),
    ('{"t_ms": 1, "place": "p 1"}', "'p' in 'p 1' fits past and present"),
    ('{"t_ms": 1, "place": "focus red past"}', "is no player"),
    ('{"t_ms": 1, "lift": "button a"}', "is a button; use press"),
    ('{"t_ms": 1, "press": "d"}', "none of the buttons undo, action"),
    ('{"t_ms": 1, "press": ["a"]}', "none of the buttons undo, action"),
    ('{"t_ms": 1, "press": "undo"}', 'say "side"'),
    ('{"t_ms": 1, "press": "undo", "side": "red"}', "red"),
    ('{"t_ms": 1, "cell": [8, 0], "closed": true}', r"within 8 x 8"),
    ('{"t_ms": 1, "cell": [0, -1], "closed": true}', r"within 8 x 8"),
    ('{"t_ms": 1, "cell": [0], "closed": true}', r"within 8 x 8"),
    ('{"t_ms": 1, "cell": [true, 0], "closed": true}', r"within 8 x 8"),
    ('{"t_ms": 1, "cell": [0, 0]}', "closed must be true or false"),
    ('{"t_ms": 1, "stuck": "past 12", "closed": 1}', "closed must be true or false"),
    ('{"t_ms": 1, "bounce_ms": 51}', "bounce_ms must be a number from 0 to 50"),
    ('{"t_ms": 1, "bounce_ms": true}', "bounce_ms must be a number from 0 to 50"),
    ('{"t_ms": 1, "plug": false}', "plug must be true"),
    ('{"t_ms": 1, "unplug": "yes"}', "unplug must be true"),
    ('{"t_ms": 1, "power": true}', "power is 'on' or 'off'"),
]


@pytest.mark.parametrize(("line", "says"), BAD_LINES)
def test_a_bad_line_is_named(line: str, says: str) -> None:
    good = '{"t_ms": 0, "lift": "past 1"}\n'
    with pytest.raises(UserError, match=says) as caught:
        parse_script(good + line, "evening.jsonl")
    assert str(caught.value).startswith("evening.jsonl, line 2: ")


def test_time_does_not_go_back() -> None:
    text = '{"t_ms": 20, "lift": "past 1"}\n{"t_ms": 10, "place": "past 1"}'
    with pytest.raises(UserError, match="line 2: t_ms 10 is before 20"):
        parse_script(text, "script")


@pytest.mark.parametrize(
    ("events", "says"),
    [
        ([{"t_ms": 9, "lift": "past 2"}], "line 1: nothing lies on past 2"),
        (
            [{"t_ms": 9, "lift": "past 1"}, {"t_ms": 99, "place": "past 16"}],
            "line 2: past 16 is taken",
        ),
    ],
)
def test_what_hands_cannot_do_ends_the_run(events: list[dict[str, Any]], says: str) -> None:
    with rig(layout.new_state()) as table, pytest.raises(UserError, match=says):
        run(table, events)
