"""`play`: a game at a virtual table behind a real pty or TCP socket, lost and found again.

Time is table time: the rig lets the table run, moves the bytes and steps the player, so that
nothing here waits for a clock, and two runs are alike.
"""

from __future__ import annotations

import io
import json
import os
import threading
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from serial.urlhandler import protocol_socket

from chronotable.link import TABLE, Connected, Gap, Identity, Link, Message
from chronotable.packed import pack_position
from chronotable_host import boards
from chronotable_host.archive.files import read
from chronotable_host.archive.store import Archive
from chronotable_host.cli import run
from chronotable_host.commands import play as play_command
from chronotable_host.live import player as players
from chronotable_host.live import port as ports
from chronotable_host.live.mirror import Happening, Mirror
from chronotable_host.live.player import Player, TableError
from chronotable_host.live.port import PortError
from chronotable_host.live.session import Session
from chronotable_host.virtual.hand import Gesture, act_out
from chronotable_host.virtual.play import Hands, play, random_player
from chronotable_host.virtual.serve import Line, PtyLine, Served, SocketLine
from chronotable_host.virtual.table import CPYTHON, VirtualTable, open_runtime, settings_for
from ttykm import layout
from ttykm.game import RULES_VERSION, Game, digest
from ttykm.layout import NOBODY
from ttykm.notation import format_turn, parse_turn

pytestmark = pytest.mark.skipif(os.name != "posix", reason="ptys are POSIX")

Output = pytest.CaptureFixture[str]

NAME = "reference"
LINES = {"pty": PtyLine, "socket": SocketLine}


@pytest.fixture(autouse=True)
def _quick_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    """pyserial sleeps 0.3 s when it closes a socket."""
    monkeypatch.setattr(protocol_socket, "time", SimpleNamespace(sleep=lambda _s: None))


class Rig(Served):
    """A virtual table on a line, a PC at the other end, and one clock: the table's."""

    def __init__(self, line: Line, folder: Path, state: array[int] | None = None) -> None:
        self.state = layout.new_state() if state is None else state
        self.plan = boards.read(NAME)
        machine = open_runtime(
            CPYTHON, self.plan, boards.find(NAME).read_bytes(), settings_for(self.state, 0)
        )
        super().__init__(machine, line, clock=self._clock_s, sleep=lambda _s: None)
        self.folder = folder
        self.heard: list[Happening] = []
        self.latencies_ms: list[int] = []
        self.player: Player | None = None
        self.table = VirtualTable(self, self.plan, None, Random(5))
        self.table.bounce_ms = 4.0
        self.start_pc()
        self.hands = Hands(self.table, self.mirror, Random(5))

    def _clock_s(self) -> float:
        return self._runtime.now_ms / 1000 if hasattr(self, "_runtime") else 0.0

    def start_pc(self, patience_s: float = 1e9) -> None:
        """Start the program on the PC, with no memory but its archive."""
        self.archive = Archive(self.folder)
        self.mirror = Mirror(self._hear, self.archive, {"White": "Ada"}, resumes=True)
        self.player = Player(
            Session(self.mirror), self.line.name, self._hear, patience_s, self._clock_s
        )
        self.player.open()
        if hasattr(self, "hands"):
            self.hands.mirror = self.mirror

    def stop_pc(self) -> None:
        """End that program: nothing of it is left but what is on disk."""
        if self.player is not None:
            self.player.close()
        self.player = None
        self.mirror.close()
        self.archive.close()

    def restart_pc(self) -> None:
        """Start the program anew and let it hear what the table has."""
        self.stop_pc()
        self.start_pc()
        self.wait_until(lambda: self.mirror.phase)

    def run_until(self, t_ms: float) -> None:
        while t_ms - self.now_ms > 1e-3:
            self._runtime.run_until(min(t_ms, self.now_ms + 5.0))
            self.pump()
            if self.player is not None:
                self.player.step()

    def wait_until(self, condition: Callable[[], object], bound_ms: float = 10_000) -> None:
        """Let table time pass until something is so."""
        end = self.now_ms + bound_ms
        while not condition():
            assert self.now_ms < end, "it did not come to that"
            self.table.run_until(self.now_ms + 5)

    def play(self, game: Game, turns: int, rng: Random | None = None) -> None:
        """Have a game go on for some turns."""
        chooses = random_player(rng or Random(7))
        play(self.hands, game, (chooses, chooses), most_turns=len(game.turns) + turns)

    def begin(self) -> Game:
        """Set the pieces up; return the hands' own game."""
        self.hands.set_up(self.state)
        self.wait_until(lambda: self.told("started"))
        game = Game()
        game.start(self.state)
        return game

    def told(self, name: str) -> list[Any]:
        """Return what was told under a name, in its order."""
        return [happening[name] for happening in self.heard if name in happening]

    def close(self) -> None:
        self.stop_pc()
        super().close()

    def _hear(self, happening: Happening) -> None:
        self.heard.append(happening)
        if "provisional" in happening or "turn" in happening:
            self.latencies_ms.append(int(self.now_ms) - happening["t_ms"])


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    opened = Rig(PtyLine(), tmp_path / "archive")
    yield opened
    opened.close()


def records(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.ttykm"))


def the_record(rig: Rig, game: Game) -> None:
    """See that one record is there, and that it has every turn of the game, once."""
    (path,) = records(rig.folder)
    record = read(path).record
    assert record.turns == list(game.turns)
    assert all(comment.count(" s, ") == 1 for comment in record.comments)
    assert run(["verify", str(path)]) == 0


# ---------------------------------------------------------------- a game


@pytest.mark.parametrize("kind", LINES)
def test_a_game_over_a_real_line(kind: str, tmp_path: Path) -> None:
    rig = Rig(LINES[kind](), tmp_path / "archive")
    try:
        game = rig.begin()
        rig.play(game, 6)
        assert len(game.turns) == 6
        assert rig.mirror.game.state == game.state
        the_record(rig, game)
        assert read(records(rig.folder)[0]).record.headers["White"] == "Ada"
        assert max(rig.latencies_ms) <= 50
        assert rig.player is not None
        assert rig.player.session.link.counters["duplicates"] == 0, "TCP held the lines back"
        assert rig.told("connected") == [NAME]
        assert not rig.told("mismatch")
    finally:
        rig.close()


def test_both_lines_make_the_same_record(tmp_path: Path) -> None:
    texts = []
    for kind, line in LINES.items():
        rig = Rig(line(), tmp_path / kind)
        try:
            rig.play(rig.begin(), 3)
        finally:
            rig.close()
        (path,) = records(tmp_path / kind)
        texts.append(path.read_text())
    assert texts[0] == texts[1]


def test_the_end_of_a_game_is_on_disk(rig: Rig) -> None:
    game = rig.begin()
    rig.play(game, 1000, Random(0))
    assert game.winner() != NOBODY
    the_record(rig, game)
    record = read(records(rig.folder)[0]).record
    assert record.headers["Result"] == ("1-0", "0-1")[game.winner()]
    assert rig.mirror.ended == 1
    rig.restart_pc()
    assert rig.told("game_over")[1:]
    assert rig.mirror.ended == 0, "the archive knows that end"
    the_record(rig, game)


# ---------------------------------------------------------------- lost and found


def cut(rig: Rig, how: str) -> None:
    if how == "cable":
        rig.table.plug(False)
    else:
        rig.stop_pc()


def mend(rig: Rig, how: str) -> None:
    if how == "cable":
        rig.table.plug(True)
    else:
        rig.start_pc()


@pytest.mark.parametrize("how", ["cable", "new program"])
@pytest.mark.parametrize("gestures", range(1, 8))
def test_the_line_is_lost_in_a_turn_and_comes_back(rig: Rig, how: str, gestures: int) -> None:
    game = rig.begin()
    rig.play(game, 2)
    left = [gestures]

    def gestured(_: Gesture) -> None:
        left[0] -= 1
        if left[0] == 0:
            cut(rig, how)
            rig.table.run_until(rig.now_ms + 1234)
            mend(rig, how)

    rig.hands._gestured = gestured
    rig.play(game, 3)
    assert rig.mirror.game.state == game.state
    the_record(rig, game)
    if how == "cable":
        (sentence,) = rig.told("lost")
        assert "vanished" in sentence
        assert rig.told("connected") == [NAME] * 2
        assert len(rig.told("turn")) == 5


def test_turns_that_were_played_without_the_pc_arrive(rig: Rig) -> None:
    game = rig.begin()
    rig.play(game, 1)
    rig.stop_pc()
    for gesture in act_out(game, next(iter(game.legal_turns())), Random(3)):
        rig.table.run_until(rig.now_ms + gesture.after_ms)
        (rig.table.place if gesture.closed else rig.table.lift)(gesture.sensor)
    rig.table.run_until(rig.now_ms + 3000)
    rig.start_pc()
    rig.wait_until(lambda: len(rig.mirror.game.turns) == 2 or rig.mirror.choices)
    game.apply(rig.mirror.game.turns[1])
    rig.play(game, 2)
    the_record(rig, game)


def test_a_new_program_goes_on_though_the_table_forgot_the_beginning(rig: Rig) -> None:
    game = rig.begin()
    rig.play(game, 40, Random(4))
    assert len(game.turns) == 40, "the seed is of a long game"
    rig.restart_pc()
    assert rig.told("gap"), "the table's memory was to be too short for this game"
    assert not rig.told("joined")
    rig.play(game, 3, Random(4))
    the_record(rig, game)


def test_without_an_archive_of_the_beginning_a_game_is_joined(rig: Rig) -> None:
    game = rig.begin()
    rig.play(game, 40, Random(4))
    rig.stop_pc()
    rig.folder = rig.folder.with_name("other")
    rig.start_pc()
    rig.wait_until(lambda: rig.told("joined"))
    rig.play(game, 4, Random(4))
    assert len(rig.told("joined")) == 1
    assert not rig.told("mismatch")
    (path,) = records(rig.folder)
    assert read(path).record.turns == list(game.turns)[40:]
    rig.restart_pc()
    rig.play(game, 2, Random(4))
    (path,) = records(rig.folder)
    assert read(path).record.turns == list(game.turns)[40:]
    assert run(["verify", str(path)]) == 0


def test_what_is_asked_of_the_table_while_it_is_away_is_not_forgotten(rig: Rig) -> None:
    game = rig.begin()
    rig.play(game, 1)
    rig.table.plug(False)
    rig.table.run_until(rig.now_ms + 100)
    assert rig.player is not None
    rig.player.session.command("resign", side="b")
    rig.table.run_until(rig.now_ms + 1000)
    rig.table.plug(True)
    rig.wait_until(lambda: rig.told("game_over"))
    record = read(records(rig.folder)[0]).record
    assert (record.headers["Result"], record.headers["Termination"]) == ("1-0", "resigned")


def test_a_table_that_restarts_begins_anew(rig: Rig) -> None:
    game = rig.begin()
    rig.play(game, 2)
    rig.table.power(False)
    rig.table.run_until(rig.now_ms + 500)
    rig.table.power(True)
    rig.wait_until(lambda: len(rig.told("connected")) == 2)
    first = records(rig.folder)[0]
    assert read(first).record.turns == list(game.turns)
    assert read(first).record.headers["Result"] == "*"


def test_patience_ends(rig: Rig) -> None:
    game = rig.begin()
    rig.play(game, 1)
    rig.stop_pc()
    rig.start_pc(patience_s=30)
    rig.wait_until(lambda: rig.mirror.phase)
    rig.table.plug(False)
    start = rig.now_ms
    with pytest.raises(TableError, match=r"away for 3\d s; nothing of the game is lost"):
        rig.table.run_until(start + 40_000)
    assert 29_000 < rig.now_ms - start < 32_000
    assert len(rig.told("lost")) == 1
    the_record(rig, game)


def test_auto_takes_the_board_back_under_another_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = PtyLine(), PtyLine()
    rig = Rig(first, tmp_path)
    assert rig.player is not None
    rig.stop_pc()
    rig.start_pc()
    names = [first.name]
    monkeypatch.setattr(
        ports, "find_ports", lambda: [ports.Candidate(name, "MicroPython") for name in names]
    )
    rig.player._wanted = ports.AUTO
    game = rig.begin()
    rig.play(game, 1)
    first.plug(False)
    names[:] = ["/dev/ttyACM8", "/dev/ttyACM9"]
    rig.table.run_until(rig.now_ms + 2000)
    names[:] = [second.name]
    rig.line = second
    rig.wait_until(lambda: len(rig.told("connected")) == 2)
    assert rig.player.name == second.name
    rig.play(game, 2)
    the_record(rig, game)
    first.close()
    rig.close()


# ---------------------------------------------------------------- refusals


class Device:
    """Something at the other end of a line that is perhaps no table; time is counted."""

    def __init__(self, answer: Callable[[bytes, int], bytes]) -> None:
        self.line = PtyLine()
        self.now_s = 0.0
        self._answer = answer

    def clock(self) -> float:
        return self.now_s

    def sleep(self, duration_s: float) -> None:
        self.now_s += duration_s
        if self.line.is_held():
            self.line.write(self._answer(self.line.read(), int(self.now_s * 1000)))

    def play(self, heard: list[Happening]) -> None:
        """Play with it until it is refused."""
        mirror = Mirror(heard.append)
        player = Player(Session(mirror), self.line.name, heard.append, 30, self.clock, self.sleep)
        try:
            player.run(lambda: self.now_s > 60)
        finally:
            player.close()
            self.line.close()


def a_table(**changes: Any) -> Callable[[bytes, int], bytes]:
    """Return a table of another version."""
    identity = Identity(NAME, unique_id="e6", rules=RULES_VERSION, boot=3)
    for name, value in changes.items():
        setattr(identity, name, value)
    link = Link(TABLE, identity)
    link.open(0)
    link.post_event("game", 5, position=pack_position(layout.new_state()), options=0, game_id=1)

    def answer(data: bytes, now_ms: int) -> bytes:
        link.receive(data, now_ms)
        while link.next_event():
            pass
        link.tick(now_ms)
        return link.data_to_send()

    return answer


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"major": 9}, "version 9 of the link, the PC version 1: update chronotable on the PC"),
        ({"major": 0}, "update the firmware with `chronotable flash`"),
        ({"rules": RULES_VERSION + 1}, "of the rules, the PC by .*: update chronotable on the PC"),
        ({"rules": 0}, "of the rules, the PC by .*: update the firmware with `chronotable flash`"),
    ],
)
def test_another_version_is_refused(changes: dict[str, int], words: str) -> None:
    heard: list[Happening] = []
    device = Device(a_table(**changes))
    with pytest.raises(TableError, match=words):
        device.play(heard)
    assert device.now_s < 1
    assert not [happening for happening in heard if "started" in happening]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda _data, _now: b"", r"`chronotable flash`.*it said nothing"),
        (lambda data, _now: data and data + b"\r\nSyntaxError: invalid syntax\r\n>>> ", r"\| >>>"),
        (lambda _data, now: os.urandom(64) if now % 100 == 0 else b"", "no Chronotable firmware"),
        (lambda _data, _now: b"\x00\xff" * 32, "no Chronotable firmware"),
        (lambda _data, _now: b"OSError: no board.json\r\n", r"said: .*OSError: no board.json\)"),
    ],
    ids=["silent", "prompt", "noise", "flood", "traceback"],
)
def test_a_device_that_is_no_table(answer: Callable[[bytes, int], bytes], words: str) -> None:
    device = Device(answer)
    with pytest.raises(TableError, match=words) as caught:
        device.play([])
    assert 5 <= device.now_s < 5.1
    assert "\n" not in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_device_that_vanishes_before_it_answers() -> None:
    device = Device(lambda _data, _now: b"")
    device._answer = lambda _data, _now: device.line.plug(False) or b""
    with pytest.raises(PortError, match="vanished"):
        device.play([])


# ---------------------------------------------------------------- the mirror's files


class Told:
    """A table that tells a mirror its events; it keeps all of them, as a real one's ring does."""

    def __init__(self, boot: int = 3, game_id: int = 1) -> None:
        self.identity = Identity(NAME, unique_id="e6", boot=boot)
        self.game = Game()
        self.events: list[Message] = []
        self._id = game_id
        self.new_game()

    def new_game(self) -> None:
        self.game.start(layout.new_state())
        self._id += 1
        position = pack_position(self.game.state)
        self._note("game", position=position, options=0, game_id=self._id)

    def turn(self, text: str) -> None:
        self.game.apply(parse_turn(text))
        self._note(
            "turn",
            turn_no=len(self.game.turns),
            turn=self.game.turns[-1],
            digest=digest(self.game.state),
            understood="c",
        )

    def take_back(self) -> None:
        self._note("taken_back", turn_no=len(self.game.turns))
        self.game.undo()

    def resigned(self) -> None:
        self._note("over", winner="w", by="r")

    def _note(self, name: str, **fields: Any) -> None:
        number = len(self.events) + 1
        self.events.append(Message(name, {"number": number, "time_ms": 100 * number, **fields}))

    def snapshot(self) -> Message:
        state = self.game.state
        return Message(
            "snapshot",
            {
                "position": pack_position(state),
                "turn_no": len(self.game.turns),
                "digest": digest(state),
                "phase": "t",
                "settings": 0,
            },
        )

    def tell(self, archive: Archive, lost: int = 0) -> Mirror:
        """Tell everything to a program that was just started."""
        mirror = Mirror(lambda _happening: None, archive, resumes=True)
        mirror.hear(Connected(self.identity, True), 0)
        if lost:
            mirror.hear(Gap(1, lost), 0)
        self.hear(mirror, lost)
        mirror.hear(self.snapshot(), 0)
        return mirror

    def hear(self, mirror: Mirror, told: int) -> None:
        """Tell a program what it was not told yet."""
        for event in self.events[told:]:
            mirror.hear(event, 0)


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive(tmp_path / "archive") as opened:
        yield opened


def texts(archive: Archive) -> list[str]:
    return [path.read_text() for path in records(archive.folder)]


TURNS = ("1 E F >future", "16 W B >present", "1 S B >past")


def test_a_game_that_was_given_up_before_its_first_turn_counted(archive: Archive) -> None:
    table = Told()
    table.turn(TURNS[0])
    table.take_back()
    table.resigned()
    for _ in range(3):
        table.tell(archive).close()
        (text,) = texts(archive)
        assert '[Termination "resigned"]' in text


def test_hearing_it_all_again_changes_nothing(archive: Archive) -> None:
    table = Told()
    for text in TURNS:
        table.turn(text)
    table.take_back()
    table.turn("1 S S >past")
    table.tell(archive).close()
    (before,) = texts(archive)
    assert before.count("took back") == 1
    table.tell(archive).close()
    assert texts(archive) == [before]
    table.take_back()
    table.turn(TURNS[2])
    table.tell(archive).close()
    table.resigned()
    table.tell(archive).close()
    (after,) = texts(archive)
    assert after.count("took back") == 2
    assert '[Result "1-0"]' in after
    table.tell(archive).close()
    assert texts(archive) == [after]


def test_two_games_and_a_program_that_heard_half_of_the_second(archive: Archive) -> None:
    table = Told()
    table.turn(TURNS[0])
    table.resigned()
    table.new_game()
    table.turn(TURNS[0])
    table.tell(archive).close()
    table.turn(TURNS[1])
    table.tell(archive).close()
    assert len(texts(archive)) == 2
    assert sorted(len(read(path).record.turns) for path in records(archive.folder)) == [1, 2]


def test_another_game_of_the_same_number_does_not_overwrite(archive: Archive) -> None:
    first, second = Told(), Told()
    for text in TURNS:
        first.turn(text)
    second.turn("1 S E >present")
    first.tell(archive).close()
    before = texts(archive)
    mirror = second.tell(archive)
    second.turn("16 N N >past")
    mirror.hear(second.events[-1], 0)
    mirror.close()
    assert len(texts(archive)) == 2
    assert texts(archive)[0] == before[0]
    assert read(records(archive.folder)[1]).record.turns == list(second.game.turns)


@pytest.mark.parametrize("lost", range(1, 6))
def test_the_beginning_is_lost(archive: Archive, lost: int) -> None:
    table = Told()
    for text in TURNS:
        table.turn(text)
    table.tell(archive).close()
    table.turn("15 W W >past")
    table.tell(archive, lost=lost).close()
    assert len(texts(archive)) == (1 if lost < 5 else 2)
    wanted = list(table.game.turns) if lost < 5 else []
    assert read(records(archive.folder)[-1]).record.turns == wanted


def test_events_lost_on_the_way_do_not_end_a_record_wrongly(archive: Archive) -> None:
    table = Told()
    mirror = table.tell(archive)
    table.turn(TURNS[0])
    mirror.hear(Gap(2, 2), 0)
    table.resigned()
    mirror.hear(table.events[-1], 0)
    mirror.close()
    (path,) = records(archive.folder)
    record = read(path).record
    assert record.headers["Result"] == "*"


@pytest.mark.parametrize("seed", range(30))
def test_whatever_is_lost_taken_back_and_told_again_the_file_has_the_game(
    archive: Archive, seed: int
) -> None:
    rng = Random(seed)
    table = Told()
    mirror = table.tell(archive)
    told = len(table.events)
    for _ in range(40):
        legal = list(table.game.legal_turns())
        if legal and rng.random() < 0.6:
            table.turn(format_turn(rng.choice(legal[:3])))
        elif table.game.turns and rng.random() < 0.7:
            table.take_back()
        elif rng.random() < 0.3:
            if table.game.winner() == NOBODY:
                table.resigned()
            table.new_game()
        if rng.random() < 0.2:
            mirror.close()
            mirror = table.tell(archive, lost=rng.choice([0, rng.randint(0, told)]))
        elif rng.random() < 0.1 and told < len(table.events):
            mirror.hear(Gap(told + 1, told + 1), 0)
            told += 1
            table.hear(mirror, told)
        elif rng.random() < 0.7:
            table.hear(mirror, told)
        else:
            continue
        told = len(table.events)
        mirror.hear(table.snapshot(), 0)
        assert list(mirror.game.turns) == list(table.game.turns)[mirror._before :]
        if table.game.turns:
            assert mirror.file is not None
            assert mirror.file.record.turns == list(mirror.game.turns)
    mirror.close()
    for path in records(archive.folder):
        read(path)


# ---------------------------------------------------------------- the command


class Guest(threading.Thread):
    """A virtual table that is served in a thread of its own, in its own time, with a hand."""

    def __init__(self, line: Line, speed: float = 4.0) -> None:
        super().__init__(name="guest", daemon=True)
        plan = boards.read(NAME)
        machine = open_runtime(CPYTHON, plan, boards.find(NAME).read_bytes(), {})
        self.served = Served(machine, line, speed=speed)
        self.table = VirtualTable(self.served, plan, None)
        self.line = line
        self.over = threading.Event()
        self.acts: list[tuple[float, Callable[[], None]]] = []

    def run(self) -> None:
        self.table.put_up(layout.new_state())
        self.served.run(lambda: self.line.is_held() or self.over.is_set())
        begun_ms = self.table.now_ms  # a busy computer may take its time to open the port
        for t_ms, act in self.acts:
            self.table.run_until(begun_ms + t_ms)
            act()
        self.served.run(self.over.is_set)

    def __enter__(self) -> Guest:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.join()
        self.served.close()


def test_the_command_ends_with_the_game(tmp_path: Path, capsys: Output) -> None:
    line = SocketLine()
    guest = Guest(line)
    guest.acts = [(1500, lambda: guest.table.press("resign", 1))]
    args = ["play", "--port", line.name, "--archive", str(tmp_path), "--white", "Ada", "--once"]
    with guest:
        assert run([*args, "--json"]) == 0
    heard = [json.loads(text) for text in capsys.readouterr().out.splitlines()]
    kinds = [next(iter(happening.keys() - {"t_ms"})) for happening in heard]
    assert kinds[0] == "connected"
    assert "leds" in kinds
    (over,) = [happening for happening in heard if "game_over" in happening]
    assert over["game_over"] == "white"
    text = records(tmp_path)[0].read_text()  # the start lies there, so the next game begins
    assert '[White "Ada"]' in text
    assert '[Termination "resigned"]' in text


def test_people_type_commands(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, sink = os.pipe()
    line = PtyLine()
    guest = Guest(line)

    def type_in() -> None:
        os.write(sink, b"help\nnonsense\nresign nobody\nresign black\n")

    guest.acts = [(1200, type_in), (2400, lambda: os.write(sink, b"quit\n"))]
    with guest, os.fdopen(source) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        assert run(["play", "--port", line.name, "--archive", str(tmp_path)]) == 0
        os.close(sink)
        for thread in threading.enumerate():
            if thread.name == "typed":
                thread.join()
    shown = capsys.readouterr()
    assert "A game begins; white is to move." in shown.out
    assert "LEDs: " in shown.out
    assert "White wins by resignation." in shown.out
    assert "commands: a, b, c" in shown.err
    assert "'nonsense' is no command" in shown.err
    assert "record: " in shown.err


def test_ctrl_c_leaves_a_game_to_go_on_with(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_done(desk: play_command._Desk) -> bool:
        if records(tmp_path):
            raise KeyboardInterrupt
        return False

    monkeypatch.setattr(play_command._Desk, "is_done", is_done)
    line = PtyLine()
    args = ["play", "--port", line.name, "--archive", str(tmp_path)]
    with Guest(line):
        assert run([*args, "--once"]) == 1
    assert "goes on with it" in capsys.readouterr().err
    assert '[Result "*"]' in records(tmp_path)[0].read_text()


def test_refusals_are_one_line_and_status_2(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "ANSWER_S", 0.05)
    args = ["play", "--archive", str(tmp_path), "--port"]
    line = PtyLine()
    for name, words in ((line.name, "flash"), (str(tmp_path / "no"), "does not exist")):
        assert run([*args, name]) == 2
        (sentence,) = capsys.readouterr().err.splitlines()
        assert words in sentence
    line.close()
    monkeypatch.setattr(ports.list_ports, "comports", list)
    assert run(["play", "--archive", str(tmp_path)]) == 2
    assert "no table was found" in capsys.readouterr().err


def test_only_terminals_and_pipes_are_read_from(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with file.open() as stream:
        assert play_command._descriptor(stream) is None
    assert play_command._descriptor(None) is None
    assert play_command._descriptor(io.StringIO()) is None


def test_a_board_that_is_not_known_is_remarked_on(capsys: Output) -> None:
    show = play_command._Show(as_json=True)
    show.mirror = Mirror(show.hear)
    show.mirror.hear(Connected(Identity("attic", boot=1), True), 0)
    assert "the board 'attic' is not known here" in capsys.readouterr().err


def test_serving_says_where(tmp_path: Path, capsys: Output) -> None:
    assert run(["table"]) == 2
    assert run(["table", "--serve", "nowhere"]) == 2
    assert "pty or on the number" in capsys.readouterr().err


def test_a_served_table_keeps_the_time() -> None:
    now = [100.0]
    slept: list[float] = []

    def sleep(duration_s: float) -> None:
        slept.append(duration_s)
        now[0] += duration_s

    plan = boards.read(NAME)
    machine = open_runtime(CPYTHON, plan, boards.find(NAME).read_bytes(), {})
    served = Served(machine, SocketLine(), lambda: now[0], sleep)
    served.run_until(1000)
    assert now[0] == pytest.approx(101.0)
    now[0] += 60  # the computer was asleep: the table's time does not hurry after
    served.run_until(2000)
    assert now[0] == pytest.approx(162.0, abs=0.3)
    served.close()


def test_a_runtime_comes_to_the_time_it_was_asked_for() -> None:
    plan = boards.read(NAME)
    machine = open_runtime(CPYTHON, plan, boards.find(NAME).read_bytes(), {})
    rng = Random(1)
    t_ms = 0.0
    for _ in range(200):
        t_ms += rng.random() * 5
        machine.run_until(t_ms)
        assert machine.now_ms >= t_ms
    machine.close()


def test_a_port_that_the_pc_closed_can_be_opened_again() -> None:
    plan = boards.read(NAME)
    machine = open_runtime(CPYTHON, plan, boards.find(NAME).read_bytes(), {})
    machine.port.close()
    assert machine.port.is_open
    machine.plug(False)
    assert not machine.port.is_open
    machine.close()
