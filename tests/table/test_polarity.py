"""A table that feels whose copy it is: wrong owners are seen, broken poles are lived with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chronotable.hardware.board import BoardError, board_hash, load
from chronotable.hardware.sensors import SPACES
from chronotable.hardware.wiring import COLUMNS
from chronotable_host.cli import run as run_command
from chronotable_host.hardware import boards
from chronotable_host.link.parsing import parse_sensor
from chronotable_host.pieces import pieces_of
from chronotable_host.rules.notation import format_position
from chronotable_host.virtual.play import play
from chronotable_host.virtual.table import SAMPLE_MS, until_sample
from tests import lanes, sweep
from tests.lab import sensing
from tests.lab.people.account import DECIDED, LOST, WRONG
from tests.lab.people.tracker_place import PolePlace
from tests.lab.positions import random_game
from tests.table.rig import Rig
from ttykm import layout, objects
from ttykm.layout import BLACK, WHITE
from ttykm.objects import ALL_MODULES

NAME = "tiles-polarity"


@pytest.fixture
def table() -> Iterator[Rig]:
    with Rig(layout.new_state(), board=NAME) as made:
        made.table.bounce_ms = 0
        yield made


def put(table: Rig, place: str, piece: int) -> None:
    """Put a copy somewhere, in the place of what lies there."""
    sensor = parse_sensor(place)
    if table.table.has_magnet(sensor):
        table.table.lift(sensor)
        table.hands.wait(200)
    table.table.place(sensor, piece)
    table.hands.wait(400)


def lights(table: Rig) -> dict[str, str]:
    """What the lights ask for."""
    leds = [what["leds"] for what in table.told if "leds" in what][-1]
    return {place: says for place, says in leds.items() if says.startswith(("todo", "confirm"))}


# ---- the board file


def of_sensor(name: str, sensor: str) -> dict[str, Any]:
    return {**boards.read_data(name), "sensor": sensor}


def test_a_board_says_what_its_spaces_have() -> None:
    assert [boards.read(name).sensor for name in ("reference", "tiles", NAME)] == [
        *("reed", "reed", "polarity")
    ]
    hashes = {board_hash(load(of_sensor("tiles", kind))) for kind in ("reed", "hall", "polarity")}
    assert len(hashes) == 3
    assert board_hash(boards.read("tiles")) in hashes


@pytest.mark.parametrize(
    ("name", "sensor", "said"),
    [
        ("tiles", "optical", "sensor: must be reed or hall or polarity, not 'optical'"),
        ("reference", "hall", "sensor: hall needs registers, as a matrix reads reeds alone"),
        (
            "reference",
            "polarity",
            "sensor: polarity needs registers, as a matrix reads reeds alone",
        ),
    ],
)
def test_a_wrong_sensor_is_refused(name: str, sensor: str, said: str) -> None:
    with pytest.raises(BoardError) as caught:
        load(of_sensor(name, sensor))
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("sensor", "spaces", "said"),
    [
        ("hall", [], "presence_only: needs the sensor polarity, as no other tells poles apart"),
        ("polarity", 3, "presence_only: must be a list, not the number 3"),
        ("polarity", ["past 17"], "presence_only[0]: must be a space, as 'past 3', not 'past 17'"),
        (
            "polarity",
            ["past 3", "past 3"],
            "presence_only[1]: past 3 is already used by presence_only[0]",
        ),
    ],
)
def test_wrong_spaces_without_poles_are_refused(sensor: str, spaces: Any, said: str) -> None:
    with pytest.raises(BoardError) as caught:
        load({**of_sensor(NAME, sensor), "presence_only": spaces})
    assert str(caught.value) == said


def test_spaces_without_poles_make_another_board() -> None:
    data = of_sensor(NAME, "polarity")
    hashes = {
        board_hash({**data, "presence_only": spaces})
        for spaces in ([], ["past 1", "past 2"], ["past 2", "past 1"], ["past 2"])
    }
    assert len(hashes) == 3
    assert board_hash(data) in hashes


def test_only_reeds_are_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["boards", "draw", NAME, "--reeds"]) == 2
    assert "only reeds are drawn" in capsys.readouterr().err
    assert run_command(["boards", "draw", NAME, "--template"]) == 0


# ---- games


def test_set_up_says_whose_belongs_there() -> None:
    with Rig(layout.new_state(), board=NAME, set_up=False) as table:
        state = layout.new_state()
        state[0], state[3] = state[3], state[0]  # the two corners of the past
        table.hands.set_up(state)
        assert lights(table) == {"past 1": "todo_put_white", "past 16": "todo_put_black"}
        put(table, "past 1", WHITE)
        assert lights(table) == {"past 16": "todo_put_black"}
        assert not [what for what in table.told if "started" in what]
        put(table, "past 16", BLACK)
        assert lights(table) == {}
        assert [what for what in table.told if "started" in what]


def test_a_wrong_copy_in_a_turn_is_seen_in_the_act(table: Rig) -> None:
    table.do("-pa1 .300")
    put(table, "past 2", BLACK)
    assert lights(table)["past 2"] == "todo_put_white"
    put(table, "past 2", WHITE)
    assert "past 2" not in lights(table)


def test_a_copy_that_is_slid_in_is_felt_turned_for_a_moment_and_then_as_it_is(table: Rig) -> None:
    """Beside a magnet its field has the other direction."""
    table.do("-pa1 .300")
    row, column = divmod(table.board.cell_of[parse_sensor("past 2")], COLUMNS)
    for output, closed in ((1, True), (0, True), (1, False)):
        table.runtime.set_cell(2 * row + output, column, closed)
        table.hands.wait(60)
    table.do("-wpa +wpr .1500")
    assert "past 2" not in lights(table)


def test_exchanged_bystanders_are_seen_in_the_act(table: Rig) -> None:
    table.do("-pr1 -pr16")
    put(table, "present 1", BLACK)
    put(table, "present 16", WHITE)
    table.hands.wait(2500)
    assert lights(table) == {"present 1": "todo_put_white", "present 16": "todo_put_black"}


@pytest.mark.parametrize("is_exchanged", [False, True])
def test_a_power_cut_needs_no_memory(table: Rig, is_exchanged: bool) -> None:
    turns = list(random_game(2).turns)
    play(table.hands, table.game, (lambda game: turns[len(game.turns)],) * 2, most_turns=3)
    table.hands.wait(1500)
    table.table.power(False)
    here = [at for at in range(48) if table.table.has_magnet(at)]
    state = table.mirror.game.state
    owners = {at: int(state[3 + (at >> 4)] >> (at & 15) & 1) for at in here}
    for at in here:  # all is lifted, and put back
        table.table.lift(at)
    for at, owner in owners.items():
        table.table.place(at, 1 - owner if is_exchanged else owner)
    table.told.clear()
    table.table.power(True)
    table.hands.wait(5000)
    asked = lights(table)
    assert set(asked.values()) <= {"todo_put_white", "todo_put_black"}
    assert len(asked) == (len(here) if is_exchanged else 0)
    assert table.mirror.table.phase == ("set-up" if is_exchanged else "turn")


# ---- chapters


def in_chapters(**things: int) -> Rig:
    """A table in a game of all chapters with objects on spaces of the present, quick and still."""
    state = objects.new_state(ALL_MODULES)
    for space, kind in things.items():
        objects.put(state, 1, int(space[2:]) - 1, kind)
    rig = Rig(state, board=NAME)
    rig.table.bounce_ms = 0
    return rig


def test_in_chapters_exchanged_copies_are_seen_in_the_act() -> None:
    with in_chapters() as table:
        table.do("-pr1 -pr16")
        put(table, "present 1", BLACK)
        put(table, "present 16", WHITE)
        table.hands.wait(2500)
        assert lights(table) == {"present 1": "todo_put_white", "present 16": "todo_put_black"}


@pytest.mark.parametrize("pole", [WHITE, BLACK])
def test_an_object_may_lie_either_way_up(pole: int) -> None:
    """Put back as it lay or the other way up, it is in the way of no turn."""
    with in_chapters(pr6=objects.SHRUB) as table:
        table.do("-pr6")
        put(table, "present 6", pole)
        table.do("-pa1 +pa2 -pa2 +pa3 -wpa +wpr .1500")
        assert [what["turn"] for what in table.heard("turn")] == ["1 E E >present"]
        assert table.mirror.table.doubted == {}


@pytest.mark.parametrize(("pole", "said"), [(WHITE, "confirm_white"), (BLACK, "todo_put_white")])
def test_what_lies_there_after_an_object_fell_is_asked_about_unless_its_pole_denies_it(
    pole: int, said: str
) -> None:
    """The object may be where the copy belongs: a pole says whose copy it is not, and no more."""
    with in_chapters(pr6=objects.SHRUB) as table:
        table.do("-pr1 -pr6")
        put(table, "present 6", WHITE)
        put(table, "present 1", pole)
        table.hands.wait(2500)
        assert lights(table)["present 1"] == said


# ---- sensors that look now and then


def test_a_hall_switch_sees_what_lies_there_when_it_looks(table: Rig) -> None:
    """Within its time, and nothing of what came and went between two looks; a reed sees all."""
    corner, spot = parse_sensor("past 1"), parse_sensor("focus white past")
    for sensor, for_ms, most_ms in ((corner, SAMPLE_MS, SAMPLE_MS), (spot, 0, 0)):
        table.table.run_until(
            table.table.now_ms + until_sample(sensor, table.table.now_ms, SAMPLE_MS)
        )
        table.table.run_until(table.table.now_ms + 2)
        table.table.lift(sensor)
        begun = table.table.now_ms
        while table.mirror.table.reeds[sensor]:
            table.hands.wait(1)
        took = table.table.now_ms - begun
        assert for_ms * 0.8 < took < most_ms + 40
        table.table.place(sensor)
        table.hands.wait(300)


def test_what_is_gone_between_two_looks_only_was_never_gone(table: Rig) -> None:
    corner = parse_sensor("past 1")
    table.told.clear()
    for _ in range(3):
        table.table.run_until(
            table.table.now_ms + until_sample(corner, table.table.now_ms, SAMPLE_MS)
        )
        table.table.run_until(table.table.now_ms + 2)
        table.table.lift(corner)
        table.hands.wait(35)
        table.table.place(corner, WHITE)
        table.hands.wait(100)
    assert table.mirror.table.reeds[corner]
    assert not [what for what in table.told if "leds" in what]


# ---- spaces without poles


def of_own_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spaces: list[str]) -> str:
    """Write a board file of one's own; return its name."""
    data = {**boards.read_data(NAME), "name": "some-reeds", "presence_only": spaces}
    monkeypatch.chdir(tmp_path)
    (tmp_path / "some-reeds.json").write_text(json.dumps(data))
    return "some-reeds.json"


def test_where_a_space_has_a_reed_alone_its_copy_is_taken_for_what_the_game_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = of_own_board(tmp_path, monkeypatch, ["past 2", "present 16"])
    with Rig(layout.new_state(), board=name) as table:
        table.table.bounce_ms = 0
        table.do("-pr1 -pr16")
        put(table, "present 1", BLACK)
        put(table, "present 16", WHITE)
        table.hands.wait(2500)
        assert lights(table) == {"present 1": "todo_put_white", "present 16": "confirm_black"}


def test_a_doctors_word_that_poles_lie_at_a_space_is_taken_there_alone() -> None:
    files = {"reeds.json": json.dumps({"past 2": "p"}).encode()}
    with Rig(layout.new_state(), board=NAME, flash_files=files) as table:
        table.table.bounce_ms = 0
        table.do("-pa1 .300")
        put(table, "past 2", BLACK)
        assert "past 2" not in lights(table)
        assert table.mirror.table.doubted == {}


# ---- faults


def test_a_magnet_that_is_the_wrong_way_round_is_named_once_and_played_with() -> None:
    with Rig(layout.new_state(), board=NAME, set_up=False) as table:
        table.table.bounce_ms = 0
        table.hands.set_up(layout.new_state())
        put(table, "past 1", BLACK)
        table.hands.wait(3000)
        assert lights(table) == {"past 1": "todo_put_white"}
        table.do("/a .500")
        assert table.heard("fault") == [{"fault": {"space": "past 1", "kind": "turned"}}]
        table.do("-pa1 +pa2 -pa2 +pa3 -wpa +wpr .1500")
        assert [what["turn"] for what in table.heard("turn")] == ["1 E E >present"]
        assert table.mirror.table.doubted == {}


def test_a_table_with_all_magnets_the_wrong_way_round_is_played_at() -> None:
    with Rig(layout.new_state(), board=NAME, set_up=False) as table:
        for sensor, piece in pieces_of(layout.new_state()).items():
            table.table.place(sensor, 1 - piece)
        table.hands.wait(3000)
        assert len(lights(table)) == 6
        table.do("/a .500 -pa1 +pa2 -pa2 +pa3 -wpa +wpr .1500")
        assert len(table.heard("fault")) == 6
        assert format_position(table.mirror.game.state).endswith("1 2 4 4 b")


class TurnedPlace(PolePlace):
    """Where the magnet of white's first copy is the wrong way round, wherever it goes."""

    at, is_held = 0, False

    def lift(self, sensor: int) -> None:
        if sensor == self.at:
            self.at, self.is_held = -1, True
        super().lift(sensor)

    def place(self, sensor: int) -> None:
        if self.is_held and self.piece == WHITE and sensor < SPACES:
            self.at, self.is_held = sensor, False
        super().place(sensor)

    def _pole(self, sensor: int) -> int:
        return super()._pole(sensor) ^ (sensor == self.at)


@lanes.gate
@pytest.mark.parametrize("manner", ["clean", "rough", "heedless"])
def test_games_with_a_turned_magnet_are_played(manner: str) -> None:
    """No turn is taken for another one, no reed is said to be broken."""
    for seed in range(sweep.size(3, 40)):
        place = TurnedPlace(Random(seed))
        result = sensing.play(sensing.Job(manner, seed), place)
        account = result.account
        assert account.finished
        assert not [account.of(what) for what in (WRONG, DECIDED, LOST) if account.of(what)]
        assert {kind for _, kind in place.told().faults} == {"turned"}


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("pole", [WHITE, BLACK])
def test_an_output_that_is_stuck_is_lived_with(table: Rig, pole: int, closed: bool) -> None:
    """The reed is named where presence is wrong; no turn is taken for another one."""
    sensor = parse_sensor("past 3")
    table.table.set_stuck_output(sensor, pole, closed)
    table.do("-pa1 +pa2 -pa2 +pa3 -wpa +wpr .1500")
    table.hands.wait(3000)
    if pole == WHITE or closed:
        for _ in range(3):
            if not [what for what in table.told if "turn" in what]:
                table.do("/a .2500")
    assert [what["turn"] for what in table.told if "turn" in what] == ["1 E E >present"]


def test_scripts_say_which_pole(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    script = tmp_path / "script.jsonl"
    events: list[dict[str, Any]] = [
        {"t_ms": 2000, "lift": "past 1"},
        {"t_ms": 2400, "place": "past 2", "pole": "black"},
        {"t_ms": 2600, "stuck": "past 9", "closed": False, "pole": "white"},
    ]
    script.write_text("".join(json.dumps(event) + "\n" for event in events))
    assert run_command(["table", "--board", NAME, "--script", str(script)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert any(line.get("leds", {}).get("past 2") == "todo_put_white" for line in lines)
