"""Raw events of a game that are kept and replayed, and the lines of its script."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chronotable.hardware.sensors import BUTTON, BUTTONS, FOCUS, SENSORS, SPACES
from chronotable.link.frames import LocalLinkError
from chronotable.link.happenings import Connected
from chronotable.player.seats import STRONG
from chronotable_host.archive.comments import count_understood
from chronotable_host.archive.parsing import read
from chronotable_host.archive.store import Archive
from chronotable_host.cli import run
from chronotable_host.engine.thinkers import by_chance
from chronotable_host.errors import UserError
from chronotable_host.link.pc_link import LostEvents
from chronotable_host.live.happenings import Happening, JsonLine
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.raw_events import BEGINS_MS, RawEvents
from chronotable_host.live.session import Session
from chronotable_host.rules.notation import format_turn, parse_position, parse_turn
from chronotable_host.rules.record import Record
from chronotable_host.virtual.hand import Gesture
from chronotable_host.virtual.play import Hands, Misread, play
from chronotable_host.virtual.script import parse_script, run_script
from chronotable_host.virtual.table import VirtualTable, settings_for
from tests import lanes, sweep
from tests.host.archives import Output
from tests.host.spoken_table import SpokenTable
from tests.table.rig import act
from ttykm import layout
from ttykm.game import Game
from ttykm.layout import WHITE

TOLD = {"started", "provisional", "reopened", "turn", "taken_back", "ask", "fault", "game_over"}
SET_UP = (0, 15, 16, 31, 32, 47, FOCUS, FOCUS + 5)


class Kept:
    """A virtual table whose mirror keeps the events, or with no archive replays them."""

    def __init__(self, archive: Archive | None, state: array[int], seed: int = 0) -> None:
        self.told: list[JsonLine] = []
        self.archive = archive
        self.table = VirtualTable.of("reference", Random(seed), settings=settings_for(state, 0))
        self.open()
        self.hands = Hands(self.table, self.mirror, Random(seed))

    def open(self) -> None:
        """Start a program on the PC that knows nothing but its archive."""
        is_kept = self.archive is not None
        self.mirror = Mirror(self._tell, self.archive, resumes=is_kept, records_events=is_kept)
        self.table.attach(Session(self.mirror))

    def do(self, script: str) -> None:
        act(self.table, script, self.hands.wait)

    def restart(self) -> None:
        """End the program and start it anew."""
        assert self.table.session is not None
        self.table.session.close()
        self.mirror.close()
        self.table.runtime.port.close()
        self.open()
        self.hands.mirror = self.mirror
        self.hands.wait(500)

    def _tell(self, happening: Happening) -> None:
        line = happening.line()
        if TOLD & line.keys():
            self.told.append({key: value for key, value in line.items() if key != "t_ms"})

    @property
    def script(self) -> Path:
        assert self.mirror.recorder.events_path is not None
        return self.mirror.recorder.events_path

    def close(self) -> None:
        self.table.close()
        self.mirror.close()


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


PUSH = "w..............b/.....wb........./w..............b 1 1 4 4 w"


def set_up(archive: Archive, state: array[int]) -> Kept:
    """Return a table with its pieces set up."""
    made = Kept(archive, state)
    made.hands.set_up(state)
    made.hands.wait(500)
    return made


@pytest.fixture
def kept(archive: Archive) -> Iterator[Kept]:
    made = set_up(archive, layout.new_state())
    yield made
    made.close()


def replay(path: Path) -> list[JsonLine]:
    """Return what a fresh table tells about a script."""
    script = parse_script(path.read_text("utf-8"), path.name)
    assert script.start is not None
    fresh = Kept(None, script.start.state)
    fresh.table.put_up(script.start.state)
    try:
        run_script(fresh.table, script, path.name)
    finally:
        fresh.close()
    return fresh.told


# ---- kept and replayed


@lanes.gate
def test_a_game_from_its_start_to_its_record_and_back(tmp_path: Path, capsys: Output) -> None:
    args = ["try", "--headless", "--quiet", "--seed", "1", "--archive", str(tmp_path)]
    assert run([*args, "--events"]) == 0
    (path,) = tmp_path.glob("*.script.jsonl")
    assert f"events: {path}" in capsys.readouterr().out
    record = read(path.with_name(path.name.replace(".script.jsonl", ".ttykm"))).record
    assert run(["table", "--script", str(path)]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    turns = [what for what in told if "turn" in what]
    assert [what["turn"] for what in turns] == [format_turn(turn) for turn in record.turns]
    for what, comment in zip(turns, record.comments, strict=True):
        assert comment.endswith(f" s, {what['understood']}")
    (over,) = [what for what in told if "game_over" in what]
    assert over["understood"] == count_understood(record)
    assert sum(over["understood"].values()) == len(record.turns) > 10


def rough(made: Kept, rng: Random) -> None:
    """Let the hands slip: neighbours, bystanders, second thoughts, buttons."""
    table, hands = made.table, made.hands

    def slip(gesture: Gesture) -> None:
        what = rng.random()
        if what < 0.06:
            sensor = rng.choice([s for s in range(SPACES) if not table.has_magnet(s)])
            table.place(sensor)
            hands.wait(rng.randint(20, 60))
            table.lift(sensor)
        elif what < 0.12:
            sensor = rng.choice([s for s in range(SENSORS) if table.has_magnet(s)])
            table.lift(sensor)
            hands.wait(rng.randint(60, 600))
            table.place(sensor)
        elif what < 0.16 and gesture.closed:
            hands.wait(rng.randint(60, 2000))
            table.lift(gesture.sensor)
            hands.wait(rng.randint(60, 900))
            table.place(gesture.sensor)
        elif what < 0.18:
            table.press(rng.choice(("a", "b", "c", "undo", "action")), rng.randrange(2))

    hands._gestured = slip


def play_on(made: Kept, rng: Random, turns: int) -> None:
    """Play until the hands are not understood any more: what they did is to be kept even so."""
    game = Game()
    game.start(layout.new_state())
    try:
        play(made.hands, game, (by_chance(rng),) * 2, most_turns=turns)
    except Misread:
        made.hands.wait(3000)
    made.hands.wait(2000)


@lanes.gate
@pytest.mark.parametrize("seed", range(sweep.size(1, 3)))
def test_rough_hands_are_understood_the_same_again(kept: Kept, seed: int) -> None:
    rng = Random(seed)
    kept.table.bounce_ms = 4.0
    rough(kept, rng)
    play_on(kept, rng, 10)
    assert len(kept.told) > 10
    assert replay(kept.script) == kept.told, seed


def test_asked_corrected_and_taken_back(archive: Archive) -> None:
    made = set_up(archive, parse_position(PUSH))
    made.do("-wpr .500 +wpa .500 /a .2000 /undo:b .700")
    for gesture in ["-wpa", "+wpr", "-pr6", "+pr5", "-pr5", "+pr9", "-wpr", "+wfu", "-wfu", "+wpa"]:
        made.do(f"{gesture} .500")
    made.hands.wait(2000)
    made.close()
    words = [what["understood"] for what in made.told if "turn" in what]
    assert words == ["asked", "corrected"]
    assert {"press": "undo", "side": "black"}.items() <= lines_of(made.script)[4].items()
    assert replay(made.script) == made.told


@lanes.gate
def test_a_reed_that_is_broken_from_the_start(archive: Archive) -> None:
    made = Kept(archive, layout.new_state())
    made.table.set_stuck(SPACES - 1, False)
    made.table.set_stuck(5, True)
    made.hands.set_up(layout.new_state())
    made.hands.wait(1000)
    for _ in range(2):  # exchanged wires would look like this, too: the first sends to the doctor
        made.do("/a .1000")
    faults = [what["fault"] for what in made.told if "fault" in what]
    assert faults == [
        {"space": "past 6", "kind": "may be wired wrongly"},
        {"space": "future 16", "kind": "may be wired wrongly"},
    ]
    play_on(made, Random(3), 6)
    made.close()
    first = [line.get("stuck", line.get("press")) for line in lines_of(made.script)[1:5]]
    assert first == ["past 6", "future 16", "a", "a"]
    told = replay(made.script)
    assert [what for what in told if "turn" in what] == [
        what for what in made.told if "turn" in what
    ]
    assert [what for what in told if "fault" in what][:2] == [
        what for what in made.told if "fault" in what
    ][:2]


@lanes.gate
@pytest.mark.parametrize("how", [True, False, "flicker"])
def test_a_reed_that_breaks_in_the_game(kept: Kept, how: bool | str) -> None:
    rng = Random(8)
    play_on(kept, rng, 3)
    kept.table.set_stuck(1, how)
    kept.hands.wait(3000)
    kept.do("/a .1000")
    for sensor in (0, FOCUS):
        if kept.table.has_magnet(sensor):
            kept.table.lift(sensor)
            kept.hands.wait(900)
            kept.table.place(sensor)
            kept.hands.wait(900)
    kept.hands.wait(4000)
    assert replay(kept.script) == kept.told


def test_what_the_pc_says_is_replayed_as_presses(archive: Archive) -> None:
    made = set_up(archive, parse_position(PUSH))
    session = made.table.session
    assert session is not None
    made.do("-wpr .300 +wpa .800")
    session.command("answer", choice="a")
    made.hands.wait(2000)
    session.command("undo")
    made.do(".1000 -wpa .300 +wpr .800")
    session.command("draw", side="w")
    made.hands.wait(500)
    session.command("draw", side="b")
    made.hands.wait(1000)
    made.close()
    assert [key for what in made.told for key in what if key in ("turn", "game_over")] == [
        "turn",
        "game_over",
    ]
    presses = [line["press"] for line in lines_of(made.script) if "press" in line]
    assert presses == ["a", "undo", "draw", "draw"]
    assert replay(made.script) == made.told


# ---- as it comes


def test_a_line_is_in_the_file_when_it_was_heard(kept: Kept) -> None:
    assert lines_of(kept.script) == [
        {
            "t_ms": 0,
            "start": "w..............b/w..............b/w..............b 0 2 4 4 w",
            "options": "",
        }
    ]
    kept.do("-pa1 +pa1")
    lift, place = lines_of(kept.script)[1:]
    assert (lift["lift"], place["place"]) == ("past 1", "past 1")
    assert 195 <= place["t_ms"] - lift["t_ms"] <= 205
    assert lift["t_ms"] >= BEGINS_MS


def test_without_the_option_there_is_no_script(tmp_path: Path, capsys: Output) -> None:
    args = ["try", "--headless", "--quiet", "--turns", "1", "--archive", str(tmp_path)]
    assert run(args) == 0
    assert len(list(tmp_path.glob("*.ttykm"))) == 1
    assert not list(tmp_path.glob("*.jsonl"))
    assert "events" not in capsys.readouterr().out


@lanes.gate
def test_a_program_that_is_started_again_goes_on_with_the_script(kept: Kept) -> None:
    rng = Random(5)
    game = Game()
    game.start(layout.new_state())
    players = (by_chance(rng),) * 2
    for turns in (2, 4, 6):
        play(kept.hands, game, players, most_turns=turns)
        before = kept.script.read_bytes()
        if turns == 4:
            kept.script.write_bytes(before[:-7])  # a crash cut the last line short
        kept.restart()
        assert kept.script.read_bytes() == before
    scripts = list(kept.script.parent.glob("*.jsonl"))
    assert scripts == [kept.script]
    turns_told = [what["turn"] for what in replay(kept.script) if "turn" in what]
    assert turns_told == [format_turn(turn) for turn in game.turns]


def test_a_program_that_keeps_events_from_the_middle_of_a_game_on(kept: Kept) -> None:
    """What it did not hear itself the table tells it again."""
    play_on(kept, Random(5), 3)
    whole = kept.script.read_bytes()
    kept.script.unlink()
    kept.restart()
    assert kept.script.read_bytes() == whole


def test_two_games_are_two_scripts(kept: Kept) -> None:
    session = kept.table.session
    assert session is not None
    kept.do("-pa1 +pa1")
    first = kept.script
    session.set_up(layout.new_state(), 0)
    kept.do(".1000 -pa1")
    assert kept.script != first
    assert [line.get("lift") for line in lines_of(kept.script)] == [None, "past 1"]
    assert len(lines_of(first)) == 3


def test_a_table_that_restarts_ends_the_script(kept: Kept) -> None:
    kept.table.power(False)
    kept.hands.wait(500)
    kept.table.power(True)
    kept.hands.wait(3000)
    assert len(list(kept.script.parent.glob("*.jsonl"))) == 2
    assert len(lines_of(kept.script)) == 1


def test_what_nobody_asked_for_is_sent_when_there_is_room_for_it(kept: Kept) -> None:
    """The queue is full when a snapshot is needed, or a table is back: all comes later."""
    session = kept.table.session
    assert session is not None
    kept.mirror.needs_resync = True
    fill(session)
    kept.hands.wait(500)
    assert session.is_ready
    session.settings = {"white": STRONG}
    kept.table.power(False)
    kept.hands.wait(500)
    kept.table.power(True)
    fill(session)
    kept.hands.wait(3000)
    assert session.is_ready
    assert kept.mirror.table.own_levels[WHITE] == STRONG


def fill(session: Session) -> None:
    with pytest.raises(LocalLinkError):
        while True:
            session.command("set", setting=0, value=0)


# ---- what was not heard


class Keeping(SpokenTable):
    """A table whose mirror hears each event at once and keeps the raw ones."""

    is_heard = True

    def __init__(self, archive: Archive) -> None:
        super().__init__(begins=False)
        self.mirror = Mirror(lambda _happening: None, archive, resumes=True, records_events=True)
        self.mirror.hear(Connected(self.identity, True), 0)
        self.show()

    def begin(self) -> None:
        self.edges(*((True, sensor) for sensor in SET_UP))
        super().begin()

    def note(self, name: str, **fields: Any) -> None:
        super().note(name, **fields)
        if self.is_heard:
            self.mirror.hear(self.events[-1], 0)

    def gap(self, first: int, last: int) -> None:
        self.number = last
        self.mirror.hear(LostEvents(first, last), 0)

    def show(self) -> None:
        self.answer(self.mirror)

    @property
    def script(self) -> Path:
        assert self.mirror.recorder.events_path is not None
        return self.mirror.recorder.events_path

    def kinds(self) -> list[str]:
        return [list(line)[1] for line in lines_of(self.script)]


def test_events_that_were_lost_are_said_to_be(archive: Archive) -> None:
    table = Keeping(archive)
    table.begin()
    table.edges((False, 0), (True, 1))
    table.gap(12, 13)
    table.edges((False, 1), (True, 1))
    assert table.kinds() == ["start", "lift", "place", "gap", "lift", "place"]
    assert lines_of(table.script)[3]["gap"] == [12, 13]
    table.mirror.close()


def test_a_script_with_a_gap_is_refused(archive: Archive, capsys: Output) -> None:
    table = Keeping(archive)
    table.begin()
    table.edges((False, 0))
    table.gap(11, 15)
    table.mirror.close()
    assert run(["table", "--script", str(table.script)]) == 2
    (sentence,) = capsys.readouterr().err.splitlines()
    assert "line 3: the events 11 to 15 of this game were not heard" in sentence


def test_a_game_that_was_joined_begins_with_a_gap(archive: Archive) -> None:
    table = Keeping(archive)
    table.is_heard = False
    table.begin()
    table.turn("1 E F >future")
    table.is_heard = True
    table.gap(1, table.number)
    table.edges((False, 3))
    table.show()
    table.edges((True, 3))
    assert table.kinds() == ["start", "gap", "place"]
    table.mirror.close()


def test_a_program_that_misses_the_beginning_leaves_what_is_there(archive: Archive) -> None:
    first = Keeping(archive)
    first.begin()
    first.edges((False, 0), (True, 1))
    first.turn("1 E F >future")
    first.mirror.close()
    again = Keeping(archive)
    again.journal, again.game, again.game_id = first.journal, first.game, first.game_id
    again.gap(1, first.number)
    again.show()
    again.edges((False, 16))
    assert again.script == first.script
    assert again.kinds() == ["start", "lift", "place", "gap", "lift"]
    times = [line["t_ms"] for line in lines_of(again.script)]
    assert times == sorted(times)
    again.mirror.close()


def test_the_script_of_another_game_is_left_alone(archive: Archive) -> None:
    """Two games that a table numbered alike: neither record nor script is overwritten."""
    first = Keeping(archive)
    first.begin()
    first.edges((False, 0))
    first.turn("1 E F >future")
    first.turn("16 W B >present")
    first.mirror.close()
    before = first.script.read_bytes()
    other = Keeping(archive)
    other.begin()
    other.edges((False, 1))
    other.turn("1 S E >present")
    other.show()
    assert other.script != first.script
    assert other.kinds() == ["start", "stuck"], "nothing lies on past 2, so no hand lifted it"
    assert first.script.read_bytes() == before
    other.mirror.close()


# ---- how turns were understood


def test_a_game_shows_its_counts(kept: Kept, capsys: Output) -> None:
    play_on(kept, Random(5), 3)
    folder = str(kept.script.parent)
    assert run(["show", "last", "--archive", folder]) == 0
    assert "understood: certain 3, asked 0, corrected 0" in capsys.readouterr().out
    assert run(["show", "last", "--json", "--archive", folder]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["understood"] == {"certain": 3, "asked": 0, "corrected": 0}


def test_a_game_that_no_table_saw_has_no_counts() -> None:
    record = Record()
    record.add(parse_turn("1 E F >future"), "a certain win")
    assert count_understood(record) == {}
    record.add(parse_turn("16 W B >present"), "took back 16 N N >past; 12.30 s, asked")
    assert count_understood(record) == {"certain": 0, "asked": 1, "corrected": 0}


# ---- the lines of a script


def noted(tmp_path: Path, *edges: tuple[int, int, bool]) -> list[dict[str, Any]]:
    """Return the lines for edges: time, sensor, closed."""
    events = RawEvents(True)
    for sensor in SET_UP:
        events.edge(sensor, True, 400)
    events.begin(layout.new_state(), 0, 500)
    events.beside(tmp_path / "game.ttykm")
    for at_ms, sensor, closed in edges:
        events.edge(sensor, closed, at_ms)
    events.close()
    return lines_of(tmp_path / "game.script.jsonl")[1:]


def test_times_never_go_back(tmp_path: Path) -> None:
    """The table counts back from the time of a round, so an edge may seem older than the last."""
    lines = noted(tmp_path, (600, 0, False), (598, 15, False), (590, 16, False), (700, 31, False))
    assert [line["t_ms"] - BEGINS_MS for line in lines] == [100, 105, 110, 200]


def test_two_scans_stay_two_scans_and_one_stays_one(tmp_path: Path) -> None:
    lines = noted(tmp_path, (600, 0, False), (600, 15, False), (601, 16, False))
    assert [line["t_ms"] - BEGINS_MS for line in lines] == [100, 100, 105]


def test_a_short_touch_outlasts_the_debouncing_again(tmp_path: Path) -> None:
    lines = noted(tmp_path, (600, 1, True), (621, 1, False), (640, 0, False))
    assert [line["t_ms"] - BEGINS_MS for line in lines] == [100, 130, 140]


def test_every_button(tmp_path: Path) -> None:
    edges = []
    for number in range(len(BUTTONS)):
        edges += [
            (1000 * number, BUTTON + number, True),
            (1000 * number + 80, BUTTON + number, False),
        ]
    lines = noted(tmp_path, *edges)
    assert [(line["press"], line.get("side")) for line in lines] == [
        (name, None if side < 0 else ("white", "black")[side]) for name, side in BUTTONS
    ]
    parse_script((tmp_path / "game.script.jsonl").read_text(), "script")


def test_what_no_hand_can_have_done_is_the_reeds_doing(tmp_path: Path) -> None:
    lines = noted(tmp_path, (600, 0, True), (700, 0, False), (800, 0, True), (900, 99, True))
    assert [line["stuck"] for line in lines] == ["past 1"] * 3, "and 99 is no sensor"
    assert [line["closed"] for line in lines] == [True, False, True]


@pytest.mark.parametrize("seed", range(sweep.size(8, 20)))
def test_whatever_is_heard_the_script_is_legal(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    at_ms, edges = 500, []
    for _ in range(60):
        at_ms += rng.choice((0, 0, 1, 5, 30, 200))
        edges.append((at_ms - rng.randrange(5), rng.randrange(70), rng.random() < 0.5))
    lines = noted(tmp_path, *edges)
    assert lines, seed
    script = parse_script((tmp_path / "game.script.jsonl").read_text(), "script")
    fresh = Kept(None, layout.new_state())
    fresh.table.put_up(layout.new_state())
    try:
        run_script(fresh.table, script, "script")
    except UserError as error:
        pytest.fail(f"seed {seed}: {error}")
    finally:
        fresh.close()
