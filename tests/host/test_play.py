"""`play`: a game at a virtual table behind a real pty or TCP socket, lost and found again.

Time is table time: the rig lets the table run, moves the bytes and steps the player, so that
nothing here waits for a clock, and two runs are alike.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chronotable_host.archive.parsing import read
from chronotable_host.archive.store import Archive
from chronotable_host.cli import run
from chronotable_host.engine.thinkers import by_chance
from chronotable_host.hardware import boards
from chronotable_host.live.desk import Desk
from chronotable_host.live.happenings import Happening, JsonLine
from chronotable_host.live.line.connection import TableConnection
from chronotable_host.live.line.port_search import PortSearch
from chronotable_host.virtual.hand import Gesture
from chronotable_host.virtual.play import Hands, play
from chronotable_host.virtual.serve import PtyLine, SerialLine, ServedRuntime, SocketLine
from chronotable_host.virtual.table import CPYTHON, VirtualTable, open_runtime, settings_for
from tests import lanes
from tests.host.archives import records
from tests.host.noise import CtrlCs
from ttykm import layout
from ttykm.game import Game
from ttykm.layout import NOBODY

pytestmark = pytest.mark.skipif(os.name != "posix", reason="ptys are POSIX")

NAME = "reference"
LINES = {"pty": PtyLine, "socket": SocketLine}


class Rig(ServedRuntime):
    """A virtual table on a line, a PC at the other end, and one clock: the table's."""

    def __init__(
        self, line: SerialLine, folder: Path, state: array[int] | None = None, port: str = ""
    ) -> None:
        self.state = layout.new_state() if state is None else state
        machine = open_runtime(CPYTHON, NAME, settings_for(self.state, 0))
        super().__init__(machine, line, clock=self._clock_s, sleep=lambda _s: None)
        self.folder = folder
        self.port_name = port or line.name
        self.heard: list[JsonLine] = []
        self.latencies_ms: list[int] = []
        self.connection: TableConnection | None = None
        self.table = VirtualTable(self, boards.read(NAME), None, Random(5))
        self.table.bounce_ms = 4.0
        self.start_pc()
        self.hands = Hands(self.table, self.mirror, Random(5))

    def _clock_s(self) -> float:
        return self._runtime.now_ms / 1000 if hasattr(self, "_runtime") else 0.0

    def start_pc(self, patience_s: float = 1e9) -> None:
        """Start the program on the PC, with no memory but its archive."""
        self.archive = Archive(self.folder)
        desk = Desk(self.archive, {"White": "Ada"}, resumes=True)
        desk.listeners.append(self._hear)
        self.mirror = desk.mirror
        search = PortSearch(self.port_name)
        self.connection = TableConnection(
            desk.session, search, desk.tell, patience_s, self._clock_s
        )
        self.connection.open()
        if hasattr(self, "hands"):
            self.hands.mirror = self.mirror

    def stop_pc(self) -> None:
        """End that program: nothing of it is left but what is on disk."""
        if self.connection is not None:
            self.connection.close()
        self.connection = None
        self.mirror.close()
        self.archive.close()

    def restart_pc(self) -> None:
        """Start the program anew and let it hear what the table has."""
        self.stop_pc()
        self.start_pc()
        self.wait_until(lambda: self.mirror.table.phase)

    def run_until(self, t_ms: float) -> None:
        while self.now_ms < t_ms:
            self._runtime.run_until(min(t_ms, self.now_ms + 5.0))
            self.pump()
            if self.connection is not None:
                self.connection.step()

    def wait_until(self, condition: Callable[[], object], bound_ms: float = 10_000) -> None:
        """Let table time pass until something is so."""
        end = self.now_ms + bound_ms
        while not condition():
            assert self.now_ms < end, "it did not come to that"
            self.table.run_until(self.now_ms + 5)

    def play(self, game: Game, turns: int, rng: Random | None = None) -> None:
        chooses = by_chance(rng or Random(7))
        play(self.hands, game, (chooses, chooses), most_turns=len(game.turns) + turns)

    def begin(self) -> Game:
        self.hands.set_up(self.state)
        self.wait_until(lambda: self.told("started"))
        game = Game()
        game.start(self.state)
        return game

    def told(self, name: str) -> list[Any]:
        return [happening[name] for happening in self.heard if name in happening]

    def close(self) -> None:
        self.stop_pc()
        super().close()

    def _hear(self, happening: Happening) -> None:
        line = happening.line()
        self.heard.append(line)
        if "provisional" in line or "turn" in line:
            self.latencies_ms.append(int(self.now_ms) - line["t_ms"])


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    opened = Rig(PtyLine(), tmp_path / "archive")
    yield opened
    opened.close()


def the_record(rig: Rig, game: Game) -> None:
    """See that one record is there, and that it has every turn of the game, once."""
    (path,) = records(rig.folder)
    record = read(path).record
    assert record.turns == list(game.turns)
    assert all(comment.count(" s, ") == 1 for comment in record.comments)
    assert run(["verify", str(path)]) == 0


# ---- a game


@lanes.gate
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
        assert rig.connection is not None
        assert rig.connection.session.link.counters["duplicates"] == 0, "TCP held the lines back"
        assert rig.told("connected") == [NAME]
        assert not rig.told("mismatch")
    finally:
        rig.close()


def test_what_is_sent_last_arrives_before_the_port_is_closed(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.begin()
    assert rig.connection is not None
    monkeypatch.setattr(
        rig.connection, "_sleep", lambda pause_s: rig.run_until(rig.now_ms + 1000 * pause_s)
    )
    link = rig.connection.session.link
    link.send("set", setting=1, value=0)
    assert not link.is_settled
    rig.connection.settle()
    assert link.is_settled
    begun = rig.now_ms
    rig.connection.settle()
    assert rig.now_ms == begun, "there is nothing to wait for"
    rig.restart_pc()
    assert rig.mirror.table.hints == (2, 0)


@lanes.gate
def test_the_end_of_a_game_is_on_disk(rig: Rig) -> None:
    game = rig.begin()
    rig.play(game, 1000, Random(0))
    assert game.winner() != NOBODY
    the_record(rig, game)
    record = read(records(rig.folder)[0]).record
    assert record.headers["Result"] == ("1-0", "0-1")[game.winner()]
    assert rig.mirror.ended == 1
    rig.restart_pc()
    assert len(rig.told("game_over")) == 1
    assert rig.mirror.ended == 0, "the archive knows that end"
    the_record(rig, game)


# ---- lost and found


@lanes.gate
@pytest.mark.parametrize("how", ["cable", "new program"])
@pytest.mark.parametrize("gestures", lanes.first(range(1, 8), 3))
def test_the_line_is_lost_in_a_turn_and_comes_back(rig: Rig, how: str, gestures: int) -> None:
    game = rig.begin()
    rig.play(game, 2)
    left = [gestures]
    cut, mend = {
        "cable": (lambda: rig.table.plug(False), lambda: rig.table.plug(True)),
        "new program": (rig.stop_pc, rig.start_pc),
    }[how]

    def gestured(_: Gesture) -> None:
        left[0] -= 1
        if left[0] == 0:
            cut()
            rig.table.run_until(rig.now_ms + 1234)
            mend()

    rig.hands._gestured = gestured
    rig.play(game, 3)
    assert rig.mirror.game.state == game.state
    the_record(rig, game)
    if how == "cable":
        (sentence,) = rig.told("lost")
        assert "vanished" in sentence
        assert rig.told("connected") == [NAME] * 2
        assert len(rig.told("turn")) == 5


@lanes.gate
def test_a_new_program_goes_on_though_the_table_forgot_the_beginning(rig: Rig) -> None:
    game = rig.begin()
    rig.play(game, 40, Random(4))
    assert len(game.turns) == 40, "the seed is of a long game"
    rig.restart_pc()
    assert rig.told("gap"), "the table's memory was to be too short for this game"
    assert not rig.told("joined")
    rig.play(game, 3, Random(4))
    the_record(rig, game)


@lanes.gate
def test_without_an_archive_of_the_beginning_a_game_is_fetched_whole(rig: Rig) -> None:
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
    assert read(path).record.turns == list(game.turns)
    rig.restart_pc()
    rig.play(game, 2, Random(4))
    (path,) = records(rig.folder)
    assert read(path).record.turns == list(game.turns)
    assert run(["verify", str(path)]) == 0


# ---- the byte 3


class NoisyLine(PtyLine):
    """A pty on which what the PC sends may be damaged."""

    noise: Callable[[bytes], bytes] = staticmethod(lambda data: data)

    def read(self) -> bytes:
        return self.noise(super().read())


@pytest.fixture
def noisy(tmp_path: Path) -> Iterator[Rig]:
    opened = Rig(NoisyLine(), tmp_path / "archive")
    yield opened
    opened.close()


def stop(rig: Rig) -> None:
    """Stop the table, as a person with a terminal does."""
    assert isinstance(rig.line, NoisyLine)
    rig.line.noise = lambda data: data + b"\r\x03"
    rig.table.run_until(rig.now_ms + 10)
    rig.line.noise = lambda data: data


RESTARTED = "MicroPython waits at its prompt there: Ctrl-D starts the table again"


@lanes.gate
@pytest.mark.parametrize("between", [False, True], ids=["within", "between"])
def test_a_game_over_a_line_with_stray_bytes(noisy: Rig, between: bool) -> None:
    assert isinstance(noisy.line, NoisyLine)
    noise = noisy.line.noise = CtrlCs(between)
    game = noisy.begin()
    noisy.play(game, 12)
    assert noisy.mirror.game.state == game.state
    the_record(noisy, game)
    assert noise.has_been_everywhere("K"), "in acknowledgements"
    assert len(noisy.told("connected")) == 1
    assert not noisy.told("notice") and not noisy.told("lost")


@lanes.gate
@pytest.mark.parametrize("left", [b"", b"(", b"'x"], ids=["whole", "bracket", "quote"])
def test_a_table_that_is_stopped_in_a_game_is_started_again(noisy: Rig, left: bytes) -> None:
    game = noisy.begin()
    noisy.play(game, 2)
    stop(noisy)
    noisy.line.noise = lambda data: left + data  # type: ignore[attr-defined]
    noisy.table.run_until(noisy.now_ms + 10)
    noisy.line.noise = lambda data: data  # type: ignore[attr-defined]
    noisy.wait_until(lambda: len(noisy.told("connected")) == 2, 8000)
    assert noisy.told("notice") == [f"{noisy.line.name}: {RESTARTED}"]
    noisy.play(game, 2)
    assert noisy.mirror.game.state == game.state
    the_record(noisy, game)
