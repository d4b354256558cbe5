"""`night --table`: a table at a line, kept in step by a thread, lost, found again, let go."""

from __future__ import annotations

import threading
from contextlib import closing
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from chronotable.hardware.sensors import SPACES
from chronotable.lights.meanings import TODO_PUT, TODO_TAKE
from chronotable_host.cli import run
from chronotable_host.errors import UserError
from chronotable_host.hardware import boards
from chronotable_host.virtual.serve import SerialLine, ServedRuntime, SocketLine
from chronotable_host.virtual.table import CPYTHON, VirtualTable, open_runtime
from chronotable_night.commands.night import keeper
from chronotable_night.evening import Evening
from chronotable_night.games.shelf import kinds
from chronotable_night.people import CodeCheck
from tests import lanes
from tests.night.at_table import PIECES, PLACES
from tests.night.rooms import room_of
from tests.night.small_game import KIND
from tests.waiting import until

if TYPE_CHECKING:
    from chronotable_night.room import NightRoom

BOARD = "reference"
SPEED = 8.0
LOOK_MS = 250.0
PATIENCE_S = 60.0


class HelpedTable(threading.Thread):
    """A virtual table at a line, with hands that do what the lights say while they `are_there`."""

    def __init__(self, line: SerialLine, pieces: int) -> None:
        super().__init__(name="helped table", daemon=True)
        self.served = ServedRuntime(open_runtime(CPYTHON, BOARD), line, speed=SPEED)
        self.table = VirtualTable(self.served, boards.read(BOARD), None)
        self.leds = b""  # as the table tells its PC
        self.held = pieces
        self.over = threading.Event()
        self.is_plugged = True
        self._line = line

    def run(self) -> None:
        with closing(self.served):
            while not self.over.is_set():
                until = self.table.now_ms + LOOK_MS
                self.served.run(lambda until=until: self.table.now_ms >= until)
                self._line.plug(self.is_plugged)
                self.look()

    def look(self) -> None:
        leds = self.leds
        for place, meaning in enumerate(leds[:SPACES]):
            lies = self.table.has_magnet(place)
            if meaning == TODO_PUT and self.held and not lies:
                self.table.place(place)
                self.held -= 1
                return
            if meaning == TODO_TAKE and lies:
                self.table.lift(place)
                self.held += 1
                return

    @property
    def lying(self) -> set[int]:
        return {place for place in range(SPACES) if self.table.has_magnet(place)}


class _NoThinker:
    def choose(self, due: Any) -> Any:
        raise AssertionError(due)

    def close(self) -> None:
        pass


def evening_of(room: NightRoom) -> Evening:
    return Evening(room, CodeCheck("one two three"), _NoThinker())


@lanes.gate
@pytest.mark.parametrize(("name", "players"), [("timechase", 3), ("timemit", 2)])
def test_a_night_is_followed_by_a_table_at_a_line(
    name: str, players: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """The lobby, a game in which the cable is pulled, its end, and the table's own game again."""
    chance = Random(seed := Random().randrange(1 << 32))
    print("seed", seed)
    room = room_of(*("Ann", "Ben", "Cleo")[:players], kind=kinds()[name], begun=False)
    evening = evening_of(room)
    line = SocketLine()
    helped = HelpedTable(line, PIECES[name](players))
    kept = keeper(evening, line.name)
    mirror = kept._connection.session.mirror  # the hands see the lights as the table tells them
    helped.start()
    kept.start()
    try:
        room.start()
        evening.changed()

        def is_right() -> bool:
            helped.leds = bytes(mirror.table.leds)
            assert room.play is not None
            return helped.lying == PLACES[name](room.play.state) and not room.at_table

        until(is_right)
        helped.is_plugged = False
        until(lambda: kept._connection.losses == 1)
        plays = 0
        while room.phase == "play":
            assert room.play is not None
            state = room.play.state
            seat = room.game.to_decide(state)
            view = room.game.view(state, seat)
            room.act(seat, chance.choice(list(room.game.candidates(view, seat, chance))), plays)
            plays = room.play.moment
            evening.changed()
        helped.is_plugged = True
        until(lambda: kept._connection.is_there)
        until(is_right)
    finally:
        kept.close()
        until(lambda: mirror.table.surface is None)
        helped.over.set()
        helped.join()
    assert "without the table" not in capsys.readouterr().err


def test_what_hands_are_to_do_stands_on_the_big_screen_alone() -> None:
    from chronotable_night.games.interface import SPECTATOR  # noqa: PLC0415
    from chronotable_night.messages import Door, state_of  # noqa: PLC0415

    room = room_of("Ann", "Ben")
    evening_of(room).note_table("Take it away.")
    assert "Take it away." in state_of(room, SPECTATOR, Door())["notice"]
    assert "Take it away." not in state_of(room, 0, Door())["notice"]


def test_a_game_without_a_place_on_the_table_is_refused() -> None:
    with pytest.raises(UserError, match="is not led by the table's lights"):
        keeper(evening_of(room_of("Ann", "Ben", kind=KIND)), "auto")


def test_a_night_without_the_table_that_it_asked_for(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path))
    asked = ["night", "timechase", "--no-browser", "--table", "--port", str(tmp_path / "nowhere")]
    assert run(asked) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
