"""Scripts of physical events: what a run tells, line by line, and what is wrong with a bad one."""

from __future__ import annotations

import json
from array import array
from io import BytesIO, TextIOWrapper
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chronotable.hardware.wiring import COLUMNS
from chronotable_host.cli import run as run_command
from chronotable_host.errors import UserError
from chronotable_host.hardware import boards
from chronotable_host.link.parsing import parse_sensor
from chronotable_host.rules.notation import format_position, parse_position
from chronotable_host.virtual.runtimes.cpython import CpythonRuntime
from chronotable_host.virtual.runtimes.runtime import LedFrame, VirtualPort
from chronotable_host.virtual.script import parse_script, run_script
from chronotable_host.virtual.table import VirtualTable
from tests import lanes
from tests.table.rig import BOARD, Rig
from tests.table.streamed import Streamed, play_by_the_lights
from ttykm import layout
from ttykm.layout import STRICT_TWO_ACTIONS

Output = pytest.CaptureFixture[str]

PUSH = "w..............b/.....wb........./w..............b 1 1 4 4 w"


def text_of(events: list[dict[str, Any]]) -> str:
    return "\n".join(json.dumps(event) for event in events)


def run(table: Rig, events: list[dict[str, Any]]) -> None:
    table.table.bounce_ms = 0
    run_script(table.table, parse_script(text_of(events), "script"), "script")


def test_a_turn_with_its_pictures() -> None:
    with Rig(layout.new_state()) as table:
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
        understood = {"past 1": "lifted", "past 2": "move", "past 3": "move"}
        assert table.heard() == [
            {"leds": {**on_the_way, **home}},
            {"leds": {"past 1": "lifted", "past 2": "copy", **home}},
            {"leds": {**second, **home}},
            {"leds": {**understood, **home, **choices}},
            {"leds": {**understood, **choices}},
            {"provisional": "1 E E >present"},
            {"leds": {**understood, "focus white present": "mover"}},
            {
                "turn": "1 E E >present",
                "position": "..w............b/w..............b/w..............b 1 2 4 4 b",
                "understood": "certain",
            },
            {"leds": {"future 16": "copy", "focus black future": "mover"}},
        ]


def test_buttons_guides_and_questions() -> None:
    with Rig(parse_position(PUSH)) as table:
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
    with Rig(layout.new_state()) as table:
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
        assert isinstance(table.runtime, CpythonRuntime)
        assert not table.runtime.failure


def test_time_goes_on_for_two_seconds() -> None:
    with Rig(layout.new_state()) as table:
        before = table.table.now_ms
        run(table, [{"t_ms": 500, "lift": "past 1"}])
        assert table.table.now_ms == pytest.approx(before + 2500)
        run(table, [])
        assert table.table.now_ms == pytest.approx(before + 4500)
        run(table, [{"t_ms": 700}])
        assert table.table.now_ms == pytest.approx(before + 7200), "a time alone is an event"


def test_empty_lines_are_no_events() -> None:
    assert parse_script("\n  \n", "script") == ([], None)
    (event,) = parse_script('\n{"t_ms": 1, "lift": "past 1"}\n', "script").events
    assert (event.line, event.t_ms) == (2, 1.0)


# ---- broken reeds and wires


class Wiring:
    """A runtime without a firmware: it only notes what is done to its matrix."""

    def __init__(self) -> None:
        self.frames: list[LedFrame] = []
        self.now_ms = 0.0
        self.port = VirtualPort(connected=False)
        self.done: list[tuple[float, str, int, int, bool]] = []

    def run_until(self, t_ms: float) -> None:
        self.now_ms = max(self.now_ms, t_ms)

    def set_cell(self, row: int, col: int, closed: bool) -> None:
        self.done.append((self.now_ms, "cell", row, col, closed))

    def set_diode(self, row: int, col: int, present: bool) -> None:
        self.done.append((self.now_ms, "diode", row, col, present))

    def cut_row(self, row: int, cut: bool) -> None:
        self.done.append((self.now_ms, "row", row, 0, cut))

    def cut_col(self, col: int, cut: bool) -> None:
        self.done.append((self.now_ms, "column", 0, col, cut))

    def plug(self, connected: bool) -> None: ...

    def power(self, on: bool) -> None: ...

    def close(self) -> None: ...


def done_to(
    *events: dict[str, Any], bounce_ms: float = 0
) -> list[tuple[float, str, int, int, bool]]:
    """Run a script at a table that has the start on it; return what its wiring got to feel."""
    wiring = Wiring()
    table = VirtualTable(wiring, boards.read(BOARD), None, Random(5))
    table.put_up(layout.new_state())
    table.bounce_ms = bounce_ms
    wiring.done.clear()
    run_script(table, parse_script(text_of(list(events)), "script"), "script")
    return wiring.done


def switched(*events: dict[str, Any], bounce_ms: float = 0) -> list[tuple[float, bool]]:
    """The same for a script that is about one reed."""
    done = done_to(*events, bounce_ms=bounce_ms)
    assert {what[1] for what in done} <= {"cell"} and len({what[2:4] for what in done}) <= 1
    return [(t_ms, closed) for t_ms, _, _, _, closed in done]


def test_faults_of_the_wiring_reach_it() -> None:
    cell_of = boards.read(BOARD).cell_of
    past_3 = divmod(cell_of[parse_sensor("past 3")], COLUMNS)
    button = divmod(cell_of[parse_sensor("button a")], COLUMNS)
    assert done_to(
        {"t_ms": 10, "diode": "past 3", "present": False},
        {"t_ms": 20, "diode": "button a", "present": False},
        {"t_ms": 30, "diode": "past 3", "present": True},
        {"t_ms": 40, "row": 7, "cut": True},
        {"t_ms": 50, "column": 0, "cut": True},
        {"t_ms": 60, "row": 7, "cut": False},
        {"t_ms": 70, "column": 0, "cut": False},
    ) == [
        (10, "diode", *past_3, False),
        (20, "diode", *button, False),
        (30, "diode", *past_3, True),
        (40, "row", 7, 0, True),
        (50, "column", 0, 0, True),
        (60, "row", 7, 0, False),
        (70, "column", 0, 0, False),
    ]


def test_a_slow_reed_follows_later() -> None:
    assert switched(
        {"t_ms": 0, "slow": "past 1", "ms": 150},
        {"t_ms": 100, "lift": "past 1"},
        {"t_ms": 200, "place": "past 1"},  # before the reed has felt the lift
        {"t_ms": 800, "lift": "past 1"},
        {"t_ms": 2000, "slow": "past 1", "ms": 0},
        {"t_ms": 2100, "place": "past 1"},
    ) == [
        (0, True),
        (250, False),
        (350, True),
        (950, False),
        (2000, False),
        (2100, True),
    ]


def test_a_slow_reed_settles_on_what_it_has_felt() -> None:
    """The piece lies there again before the reed has felt that it was lifted."""
    switches = switched(
        {"t_ms": 0, "slow": "past 1", "ms": 150},
        {"t_ms": 100, "lift": "past 1"},
        {"t_ms": 200, "place": "past 1"},
        bounce_ms=4,
    )
    assert [closed for t_ms, closed in switches if 250 <= t_ms < 350] == [False, True, False]
    assert [closed for t_ms, closed in switches if t_ms >= 350] == [True, False, True]


def test_only_the_slow_reed_is_slow() -> None:
    done = done_to(
        {"t_ms": 0, "slow": "past 1", "ms": 1000},
        {"t_ms": 100, "lift": "past 16"},
        {"t_ms": 200, "lift": "focus white past"},
    )
    assert [(t_ms, closed) for t_ms, *_, closed in done[1:]] == [(100, False), (200, False)]


def test_a_cured_slow_reed_feels_what_lies_there_now() -> None:
    assert switched(
        {"t_ms": 0, "slow": "past 1", "ms": 500},
        {"t_ms": 100, "lift": "past 1"},
        {"t_ms": 300, "slow": "past 1", "ms": 0},
        {"t_ms": 400, "place": "past 1"},
    ) == [(0, True), (300, False), (400, True)], "and nothing comes after"


@pytest.mark.parametrize("how", [True, False])
@pytest.mark.parametrize("lies_there", [True, False])
def test_a_cured_stuck_reed_feels_what_lies_there(how: bool, lies_there: bool) -> None:
    moves = [{"t_ms": 300, "lift": "past 1"}, {"t_ms": 600, "place": "past 1"}]
    assert switched(
        {"t_ms": 100, "stuck": "past 1", "closed": how},
        *moves[: 1 + lies_there],
        {"t_ms": 900, "stuck": "past 1", "closed": None},
        {"t_ms": 1200, "lift" if lies_there else "place": "past 1"},
        bounce_ms=0,
    ) == [(100, how), (900, lies_there), (1200, not lies_there)]


def test_a_reed_that_gets_stuck_does_not_bounce_on() -> None:
    assert switched(
        {"t_ms": 100, "lift": "past 1"},
        {"t_ms": 100, "stuck": "past 1", "closed": True},
        bounce_ms=4,
    ) == [(100, False), (100, True)]


def test_a_stuck_reed_can_be_slow_as_well() -> None:
    assert switched(
        {"t_ms": 0, "slow": "past 1", "ms": 200},
        {"t_ms": 10, "stuck": "past 1", "closed": True},
        {"t_ms": 100, "lift": "past 1"},
        {"t_ms": 600, "stuck": "past 1", "closed": None},
        {"t_ms": 700, "place": "past 1"},
    ) == [(0, True), (10, True), (600, False), (900, True)]


def test_a_cured_flicker_is_over_and_a_second_one_does_not_double() -> None:
    once = switched(
        {"t_ms": 0, "stuck": "past 1", "closed": "flicker"},
        {"t_ms": 1000, "stuck": "past 1", "closed": None},
    )
    assert once[-1] == (1000, True)
    assert 15 < len(once) < 50
    assert [closed for _, closed in once[:4]] == [True, False, True, False]
    again = switched(
        {"t_ms": 0, "stuck": "past 1", "closed": "flicker"},
        {"t_ms": 5, "stuck": "past 1", "closed": None},
        {"t_ms": 6, "stuck": "past 1", "closed": "flicker"},
        {"t_ms": 7, "stuck": "past 1", "closed": "flicker"},
        {"t_ms": 1000, "stuck": "past 1", "closed": None},
    )
    flicker = [what for what in again if 7 <= what[0] < 1000]
    assert 15 < len(flicker) < 50
    assert all(20 <= two[0] - one[0] <= 60 for one, two in pairwise(flicker))


def test_a_cure_for_a_sound_reed_changes_nothing() -> None:
    assert switched({"t_ms": 9, "stuck": "past 1", "closed": None}) == [(9, True)]
    assert switched({"t_ms": 9, "stuck": "past 2", "closed": None}) == [(9, False)]


def test_pieces_do_not_free_a_stuck_reed() -> None:
    wiring = Wiring()
    table = VirtualTable(wiring, boards.read(BOARD), None)
    past_1 = divmod(boards.read(BOARD).cell_of[0], 8)
    table.set_stuck(0, False)
    table.put_up(layout.new_state())
    assert table.has_magnet(0)
    assert [what[4] for what in wiring.done if what[2:4] == past_1] == [False]
    table.set_stuck(0, None)
    assert wiring.done[-1] == (0, "cell", *past_1, True)


# ---- line by line, as it is typed


@lanes.gate
def test_a_program_plays_by_the_lights_it_reads(tmp_path: Path, capsys: Output) -> None:
    played = play_by_the_lights(turns=4)
    told = [what for what in played.told if "done" not in what]
    turns = [what for what in told if "turn" in what]
    assert [what["understood"] for what in turns] == ["certain"] * 4
    assert [what["position"][-1] for what in turns] == ["b", "w", "b", "w"]
    assert told[-1]["counters"]["certain"] == 4
    script = tmp_path / "evening.jsonl"
    script.write_text(played.typed)
    assert run_command(["table", "--script", str(script)]) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == told


@lanes.gate
def test_what_happened_until_a_line_is_printed_before_it_is_done() -> None:
    with Streamed() as table:
        assert table.say(text_of([{"t_ms": 0, "start": PUSH}])) == [{"t_ms": 0, "done": True}]
        *before, done = table.say('{"t_ms": 3000, "lift": "present 7"}')
        lights = [each["leds"] for each in before if "leds" in each]
        assert lights[-1]["focus white present"] == "mover"
        assert done == {"t_ms": 3000, "done": True}
        assert table.say('{"t_ms": 3000}') == [done], "no time has passed"
        felt, done = table.say('{"t_ms": 3200.5}')
        assert 3000 < felt["t_ms"] <= 3200 and felt["leds"]
        assert done == {"t_ms": 3200.5, "done": True}


def stream(
    monkeypatch: pytest.MonkeyPatch, capsys: Output, typed: bytes
) -> tuple[int, list[dict[str, Any]], str]:
    """Type lines, all at once; return the exit status, what is told and the complaint."""
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(typed)))
    status = run_command(["table", "--script", "-"])
    said = capsys.readouterr()
    return status, [json.loads(line) for line in said.out.splitlines()], said.err


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b'{"t_ms": 2999, "lift": "past 16"}', "t_ms 2999 is before 3000 of the line before"),
        (b'{"t_ms": 3000, "lift": "past 2"}', "nothing lies on past 2 that could be lifted"),
        (b"lift past 16", "not JSON"),
        (b'{"t_ms": 3000, "lift": "past \xff"}', "is no space"),
        pytest.param(b"[" * 1_000_000, "brackets are nested without end", id="deep"),
        pytest.param(b'"' + bytes(1_000_000), "not JSON", id="long"),
    ],
)
def test_a_bad_line_ends_the_stream_and_nothing_is_lost(
    line: bytes, says: str, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    good = b'\xef\xbb\xbf{"t_ms": 3000, "lift": "past 1"}\r\n\n'
    status, told, complaint = stream(monkeypatch, capsys, good + line)
    assert status == 2
    assert complaint.startswith("chronotable: stdin, line 3: ") and complaint.count("\n") == 1
    assert says in complaint
    assert [what for what in told if "done" in what] == [{"t_ms": 3000, "done": True}]
    assert told[-1]["leds"]["past 1"] == "lifted", "what the line before caused"


def test_a_stream_can_end_before_it_begins(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    status, told, _ = stream(monkeypatch, capsys, b"")
    assert (status, told[-1]["t_ms"]) == (0, 2000)


# ---- with what the table starts


def test_a_script_says_how_the_table_starts() -> None:
    text = text_of([{"t_ms": 0, "start": PUSH, "options": "strict_two_actions=true"}])
    script = parse_script("\n" + text + '\n{"t_ms": 0, "lift": "past 1"}', "script")
    assert script.start is not None
    assert format_position(script.start.state) == PUSH
    assert script.start.options == STRICT_TWO_ACTIONS
    assert [event.line for event in script.events] == [2, 3]
    plain = parse_script(text_of([{"t_ms": 0, "start": PUSH}]), "script")
    assert plain.start == (array("H", script.start.state), 0)
    assert parse_script('{"t_ms": 0, "lift": "past 1"}', "script").start is None


def test_the_command_sets_that_start_up(tmp_path: Path, capsys: Output) -> None:
    start = {"t_ms": 0, "start": PUSH, "options": "strict_two_actions=true"}
    script = tmp_path / "evening.jsonl"
    script.write_text(text_of([start, {"t_ms": 1500, "lift": "present 7"}]))
    assert run_command(["table", "--script", str(script), "--trace"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    felt = [(what["t_ms"], what["reed"], what["closed"]) for what in told if "reed" in what]
    assert {reed for t_ms, reed, closed in felt if t_ms < 1500 and closed} == {
        *("past 1", "past 16", "present 6", "present 7", "future 1", "future 16"),
        *("focus white present", "focus black present"),
    }
    assert felt[-1][1:] == ("present 7", False)


@pytest.mark.parametrize("more", [["--start", PUSH], ["--option", "strict_two_actions=false"]])
def test_one_start_is_enough(more: list[str], tmp_path: Path, capsys: Output) -> None:
    script = tmp_path / "evening.jsonl"
    script.write_text(text_of([{"t_ms": 0, "start": PUSH}]))
    assert run_command(["table", "--script", str(script), *more]) == 2
    said = capsys.readouterr()
    assert not said.out
    assert said.err.splitlines() == [
        "chronotable: the script says how the table starts; leave --start and --option out"
    ]


TOO_MANY = PUSH.replace(" 4 4 ", " 7 4 ")

BAD_STARTS: list[tuple[dict[str, Any], str]] = [
    ({"t_ms": 1, "start": PUSH}, "start can only be the first event, and its t_ms is 0"),
    ({"start": PUSH}, "t_ms must be a time in ms"),
    ({"t_ms": 0, "start": 1}, "start is a position"),
    ({"t_ms": 0, "start": "w"}, "position: 1 of 6 fields found"),
    ({"t_ms": 0, "start": PUSH + " gardening"}, "only the standard game is known"),
    ({"t_ms": 0, "start": TOO_MANY}, "more than seven pieces"),
    ({"t_ms": 0, "start": PUSH, "options": 1}, "options is a text such as"),
    ({"t_ms": 0, "start": PUSH, "options": "fast=true"}, "option 'fast=true'"),
    ({"t_ms": 0, "start": PUSH, "board": "mine"}, "'board' does not go with 'start'"),
    ({"t_ms": 0, "start": PUSH, "lift": "past 1"}, "exactly one of lift, place"),
    ({"t_ms": 0, "lift": "past 1", "options": ""}, "'options' does not go with 'lift'"),
]


@pytest.mark.parametrize(("event", "says"), BAD_STARTS)
def test_a_bad_start_is_named(event: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError, match=says) as caught:
        parse_script("\n" + text_of([event]), "evening.jsonl")
    assert str(caught.value).startswith("evening.jsonl, line 2: ")


@pytest.mark.parametrize("before", [{"lift": "past 1"}, {"start": PUSH}])
def test_a_start_comes_first(before: dict[str, Any]) -> None:
    text = text_of([{"t_ms": 0, **before}, {"t_ms": 0, "start": PUSH}])
    with pytest.raises(UserError, match="line 2: start can only be the first event"):
        parse_script(text, "script")


# ---- wrong lines


BAD_LINES = [
    ("lift", "not JSON"),
    ("[1]", "an event is an object"),
    ('"lift"', "an event is an object"),
    ('{"lift": "past 1"}', "t_ms must be a time in ms"),
    ('{"t_ms": "1", "lift": "past 1"}', "t_ms must be a time in ms"),
    ('{"t_ms": true, "lift": "past 1"}', "t_ms must be a time in ms"),
    ('{"t_ms": -1, "lift": "past 1"}', "t_ms must be a time in ms"),
    ('{"t_ms": NaN, "lift": "past 1"}', "t_ms must be a time in ms"),
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
    ('{"t_ms": 1, "stuck": "past 12", "closed": 1}', 'closed must be true, false, "flicker"'),
    ('{"t_ms": 1, "stuck": "past 12"}', "or null for a cured reed"),
    ('{"t_ms": 1, "stuck": "past 12", "closed": "no"}', "or null for a cured reed"),
    ('{"t_ms": 1, "stuck": "button a", "closed": true}', "is a button; use press"),
    ('{"t_ms": 1, "slow": "past 12"}', r"ms must be a number from 0 \(cured\) to 1000"),
    ('{"t_ms": 1, "slow": "past 12", "ms": 1001}', r"ms must be a number from 0 \(cured\)"),
    ('{"t_ms": 1, "slow": "past 12", "ms": -1}', r"ms must be a number from 0 \(cured\)"),
    ('{"t_ms": 1, "slow": "past 12", "ms": NaN}', r"ms must be a number from 0 \(cured\)"),
    ('{"t_ms": 1, "slow": "past 12", "ms": true}', r"ms must be a number from 0 \(cured\)"),
    ('{"t_ms": 1, "slow": "button a", "ms": 9}', "is a button; use press"),
    ('{"t_ms": 1, "slow": "past 12", "ms": 9, "closed": true}', "'closed' does not go with 'slow'"),
    ('{"t_ms": 1, "diode": 3, "present": false}', "a diode is named by its sensor"),
    ('{"t_ms": 1, "diode": "past 17", "present": false}', "'17' in 'past 17' is no space"),
    ('{"t_ms": 1, "diode": "past 3"}', "present must be true or false"),
    ('{"t_ms": 1, "diode": "past 3", "present": null}', "present must be true or false"),
    ('{"t_ms": 1, "row": 8, "cut": true}', "row must be a whole number from 0 to 7"),
    ('{"t_ms": 1, "row": -1, "cut": true}', "row must be a whole number from 0 to 7"),
    ('{"t_ms": 1, "row": true, "cut": true}', "row must be a whole number from 0 to 7"),
    ('{"t_ms": 1, "row": "past", "cut": true}', "row must be a whole number from 0 to 7"),
    ('{"t_ms": 1, "row": 3}', "cut must be true or false"),
    ('{"t_ms": 1, "column": 2.0, "cut": true}', "column must be a whole number from 0 to 7"),
    ('{"t_ms": 1, "column": 8, "cut": true}', "column must be a whole number from 0 to 7"),
    ('{"t_ms": 1, "column": 2, "cut": 1}', "cut must be true or false"),
    ('{"t_ms": 1, "column": 2, "row": 2, "cut": true}', "exactly one of lift, place"),
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


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"t_ms": 1, "row": 3, "cut": true}', "shift registers: it has no row$"),
        ('{"t_ms": 1, "column": 5, "cut": true}', "shift registers: it has no column$"),
        ('{"t_ms": 1, "diode": "past 3", "present": false}', "shift registers: it has no diode$"),
        ('{"t_ms": 1, "cell": [8, 0], "closed": true}', r"\[chip, input\] within 8 x 8"),
    ],
)
def test_without_a_matrix_nothing_of_one_breaks(line: str, says: str) -> None:
    with pytest.raises(UserError, match=f"^script, line 1: .*{says}"):
        parse_script(line, "script", has_matrix=False)
    parse_script('{"t_ms": 1, "cell": [7, 7], "closed": true}', "script", has_matrix=False)


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
    with Rig(layout.new_state()) as table, pytest.raises(UserError, match=says):
        run(table, events)
