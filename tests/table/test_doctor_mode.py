"""The firmware's mode for the doctor, and what a game makes of what it has found."""

from __future__ import annotations

import json
from random import Random

import pytest

from chronotable.hardware.naming import sensor_name
from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware.files import FOLDER
from chronotable_host.link.doctor_names import FINDINGS, STEPS
from chronotable_host.link.parsing import parse_sensor
from chronotable_host.live.texts.table_texts import FAULTS
from chronotable_host.virtual.table import VirtualTable
from tests import lanes
from tests.table.alone import Alone
from tests.table.boots import EXAMINED, Pc, broken, flash_of, set_sensor, switched_on
from ttykm.game import Game

DEAD = parse_sensor("past 1")  # under one of white's first copies
START_MS = 1500


class Doubted(Alone):
    """A table whose flash has something, and on which some reeds are stuck."""

    def __init__(self, kept: dict[str, bytes], stuck: dict[int, bool]) -> None:
        self.rng = Random(1)
        self.boot_ms = 900
        self.table = VirtualTable.of("reference", Random(1), flash_files=kept)
        self.machine = self.table.runtime
        self.machine.plug(False)
        self.game = Game()
        self.course = []
        self.told = []
        self.mirror = None
        for sensor, how in stuck.items():
            self.table.set_stuck(sensor, how)
        self.table.put_up(self.game.state)
        self.wait(self.boot_ms)


def doubts(**kinds: str) -> dict[str, bytes]:
    return {"reeds.json": json.dumps({k.replace("_", " "): v for k, v in kinds.items()}).encode()}


@pytest.mark.parametrize(
    ("sensor", "kind", "how"),
    [
        ("past 1", "c", False),
        ("past 6", "o", True),
        ("focus white past", "c", False),
        ("focus black present", "o", True),
    ],
)
def test_a_game_is_played_with_a_reed_that_the_doctor_found_broken(
    sensor: str, kind: str, how: bool
) -> None:
    number = parse_sensor(sensor)
    with Doubted(doubts(**{sensor.replace(" ", "_"): kind}), {number: how}) as table:
        table.attach(None)
        table.wait(1500)
        assert table.heard("started"), table.told
        assert table.mirror is not None
        assert table.mirror.table.doubted == {number: FAULTS[kind]}
        table.play_random(3, 4)
        assert len(table.heard("turn")) == 4
        assert [table.mirror.game.turns, table.mirror.needs_resync] == [table.game.turns, False]


def test_every_new_pc_hears_which_reeds_are_doubted() -> None:
    with Doubted(doubts(past_1="c", nowhere="c", past_2="h"), {DEAD: False}) as table:
        for _ in range(2):
            table.attach(None)
            table.wait(1500)
            assert table.mirror is not None
            assert [sensor_name(sensor) for sensor in table.mirror.table.doubted] == ["past 1"]
            table.table.plug(False)


@pytest.mark.parametrize("what", [b"", b"[1]", b'{"past 1": 7}', b'{"past 1": "x", "": null}'])
def test_what_no_doctor_wrote_is_no_doubt(what: bytes) -> None:
    with Doubted({"reeds.json": what}, {}) as table:
        table.attach(None)
        table.wait(1500)
        assert table.mirror is not None
        assert table.mirror.table.doubted == {}
        assert table.heard("started")


def say(pc: Pc, word: str, ms: float) -> None:
    """Tell the doctor something, and let time pass."""
    pc.link.send("doctor", say=word)
    pc.run(ms)


def test_a_doctor_that_has_waited_for_fifty_days_tells_what_it_has_found() -> None:
    waited = "\n_talk = Doctor.talk\nDoctor.talk = lambda self, now: _talk(self, now + (1 << 32))\n"
    with switched_on(broken({"doctor.py": waited})) as pc:
        pc.run(START_MS)
        say(pc, "s", 3000)
        for _ in range(6):
            say(pc, "e", 2000)
        assert pc.last("examined") is not None
        assert pc.failure() is None


def test_a_supply_that_failed_is_told_by_the_game() -> None:
    with switched_on(kept=doubts(supply="weak")) as pc:
        pc.run(2000)
        assert FINDINGS[pc.values("finding")["kind"]] == "supply_weak"


@pytest.mark.parametrize("board", ["reference", "tiles"])
def test_the_doctor_is_asked_for_and_sent_away(board: str) -> None:
    with switched_on(board=board) as pc:
        pc.run(START_MS)
        say(pc, "s", 1500)
        assert pc.cause() == EXAMINED
        assert pc.last("step") is not None
        set_sensor(pc.runtime, DEAD, True, boards.read(board))
        pc.run(500)
        step = pc.values("step")
        assert (step["step"], step["asks"], step["about"]) == (0, "d", DEAD)
        for word in "nx":
            pc.forget()
            say(pc, word, 3500)
        assert len(pc.starts) == 1
        assert pc.last("snapshot") is not None
        assert pc.failure() is None
        files = flash_of(pc)
        assert json.loads(files[f"{FOLDER}/board.json"]) == json.loads(
            boards.find(board).read_bytes()
        )
        assert not [name for name in files if "reeds" in name or name.endswith("~")]


@lanes.gate
def test_what_is_left_out_stays_in_doubt() -> None:
    with switched_on(kept=doubts(past_3="o", supply="weak")) as pc:
        pc.run(START_MS)
        say(pc, "s", 6000)
        for _ in range(6):
            say(pc, "e", 2500)
        pc.run(6000)
        examined = pc.last("examined")
        assert examined is not None, pc.last("step")
        assert (examined["findings"], examined["complete"]) == (0, 0)
        assert json.loads(flash_of(pc)["reeds.json"]) == {"past 3": "o"}


@pytest.mark.parametrize("board", ["reference", "tiles"])
def test_a_button_that_is_stuck_does_not_keep_a_table_from_playing(board: str) -> None:
    with switched_on(held=[parse_sensor("button a")], board=board) as pc:
        pc.run(10_000)
        assert pc.last("step") is not None
        pc.run(10_000)
        assert pc.last("snapshot") is not None


def test_a_button_that_is_stuck_does_not_hide_that_the_supply_failed() -> None:
    """The game tells of it, once; later the same button asks for another examination."""
    with switched_on(kept=doubts(supply="weak"), held=[parse_sensor("button a")]) as pc:
        pc.run(6000)
        assert FINDINGS[pc.values("finding")["kind"]] == "supply_weak"
        assert pc.last("snapshot") is not None
        kept = {name: data for name, data in flash_of(pc).items() if name == "reeds.json"}
    with switched_on(kept=kept, held=[parse_sensor("button a")]) as pc:
        pc.run(6000)
        assert pc.last("step") is not None
        assert pc.last("snapshot") is None


@pytest.mark.parametrize("board", ["reference", "tiles"])
def test_a_pc_that_asks_is_told_of_a_button_that_is_stuck(board: str) -> None:
    with switched_on(held=[parse_sensor("button a")], board=board) as pc:
        pc.run(5000)
        say(pc, "s", 20_000)
        assert pc.last("step") is not None
        assert pc.last("snapshot") is None
        assert not pc.starts


def test_whoever_stops_while_all_is_lit_has_no_weak_supply() -> None:
    with switched_on() as pc:
        pc.run(START_MS)
        say(pc, "s", 6000)
        for _ in range(30):
            if STEPS[pc.values("step")["step"]] == "current":
                break
            say(pc, "e", 300)
        else:
            raise AssertionError(pc.last("step"))
        assert json.loads(flash_of(pc)["reeds.json"]) == {"supply": "weak"}
        say(pc, "x", 500)
        assert "reeds.json" not in flash_of(pc)


def test_the_game_goes_on_after_the_doctor() -> None:
    with Alone() as table:
        table.attach(None)
        table.wait(1500)
        table.play_one()
        assert table.table.session is not None
        table.table.session.link.send("doctor", say="s")
        table.wait(2000)
        table.table.session.link.send("doctor", say="x")
        table.wait(4000)
        table.play_one()
        assert table.mirror is not None
        assert table.mirror.game.turns == table.game.turns
        assert len(table.heard("started")) == 1
