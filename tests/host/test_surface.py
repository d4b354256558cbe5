"""Pictures of other games on a table: shown, kept up, gone with the PC; its own game is kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from chronotable.core import surface as surface_of_the_table
from chronotable.core.surface import GONE_MS, SAID_MS
from chronotable.hardware.sensors import FOCUS, SENSORS, SPACES
from chronotable.lights.meanings import CONFIRM_WHITE, COPY, MOVE, OFF, TODO_TAKE
from chronotable_host.live.surface import AGAIN_MS, Surface
from chronotable_host.live.texts.light_names import NO_PC, PLAYED_WHITE
from chronotable_host.rules.notation import format_position, format_turn
from tests import lanes
from tests.lab.store import MemoryStore, new_table
from tests.table.hands import name_of
from tests.table.rig import Rig
from ttykm.layout import WHITE, new_state

PICTURE = bytes(1 + sensor % 21 for sensor in range(SENSORS))
BOARDS = ("reference", "tiles")
GONE = bytes(SPACES) + bytes([NO_PC]) * (SENSORS - SPACES)


class Scene:
    """A table and what the PC keeps on it; the PC `is_there` while it does."""

    def __init__(self, at: Rig) -> None:
        self.at = at
        self.pressed: list[str] = []
        self.surface = Surface(at.session, self.pressed.append)
        self.is_there = True

    @property
    def leds(self) -> bytes:
        return bytes(self.at.mirror.table.leds)

    def waits(self, ms: float) -> None:
        table = self.at.table
        until = table.now_ms + ms
        while table.now_ms < until:
            table.run_until(min(until, table.now_ms + 20))
            if self.is_there:
                self.surface.step(table.now_ms)

    def shows(self, picture: bytes | None) -> None:
        self.surface.show(picture)
        self.waits(300)


@contextmanager
def scene(board: str = "reference", set_up: bool = True) -> Iterator[Scene]:
    with Rig(new_state(), board=board, set_up=set_up) as at:
        yield Scene(at)


@pytest.mark.parametrize("board", BOARDS)
def test_a_picture_is_shown_and_reeds_are_told(board: str) -> None:
    with scene(board) as here:
        at = here.at
        here.waits(500)
        own = here.leds
        at.heard()
        here.shows(PICTURE)
        assert here.leds == PICTURE
        assert here.surface.closed == {0, 15, 16, 31, 32, 47, FOCUS, FOCUS + 5}
        at.table.lift(0)
        at.table.place(7)
        here.waits(300)
        assert here.surface.closed == {7, 15, 16, 31, 32, 47, FOCUS, FOCUS + 5}
        assert here.leds == PICTURE, "the own game hears nothing of it"
        at.table.lift(7)
        at.table.place(0)
        here.waits(300)
        here.shows(None)
        assert here.surface.closed is None
        here.waits(1000)
        assert here.leds == own
        assert not at.heard("refused", "mismatch", "turn", "provisional", "guide")


def test_a_picture_in_a_game_that_goes_on_behind_it() -> None:
    with scene() as here:
        at = here.at
        at.do("-pa1 +pa2 -pa2 +pr2 -wpa +wfu")
        here.shows(PICTURE)  # the turn is provisional
        assert [format_turn(turn) for turn in at.mirror.game.turns] == ["1 E F >future"]
        position = format_position(at.mirror.game.state)
        at.do("-pr2 -wfu +wpa")
        here.shows(None)
        here.waits(600)
        assert here.leds[17] and here.leds[50], "what is missing is asked for"
        at.do("-wpa +wfu +pr2")
        here.waits(1500)
        doubtful = [sensor for sensor in range(48) if here.leds[sensor]]
        assert doubtful == [15, 16, 31, 32, 47], "nobody saw whose pieces were moved meanwhile"
        for sensor in doubtful:
            at.do(f"-{name_of(sensor)} +{name_of(sensor)}")
        here.waits(1500)
        assert format_position(at.mirror.game.state) == position
        assert at.mirror.table.phase == "turn"
        assert not at.heard("mismatch", "refused", "taken_back")


def test_behind_a_game_that_was_over_a_new_one_is_set_up() -> None:
    with scene() as here:
        at = here.at
        at.session.command("resign", side="w")
        here.waits(300)
        assert at.mirror.table.phase == "over"
        here.shows(PICTURE)
        assert here.leds == PICTURE
        here.shows(None)
        here.waits(1000)
        assert at.mirror.table.phase == "turn"
        assert not at.mirror.game.turns


@lanes.gate
def test_a_table_whose_pc_is_gone_says_so_and_goes_back() -> None:
    with scene() as here:
        here.waits(500)
        own = here.leds
        here.shows(PICTURE)
        here.waits(GONE_MS + SAID_MS)
        assert here.leds == PICTURE, "as long as the PC is there"
        here.is_there = False
        here.waits(GONE_MS - 3000)
        assert here.leds == PICTURE
        here.waits(3000)
        assert here.leds == GONE
        here.is_there = True
        here.waits(100)
        assert here.leds == PICTURE, "it was there again"
        here.is_there = False
        here.waits(GONE_MS + SAID_MS)
        assert here.leds == own
        here.is_there = True
        here.waits(100)
        assert here.leds == PICTURE


def test_what_time_changes_is_told_at_the_moment() -> None:
    table = new_table(MemoryStore())
    surface = surface_of_the_table.Surface(table.link, table.tracker)
    surface.show("", 0)
    told = [ms for ms in range(GONE_MS + SAID_MS + 2000) if surface.step(ms)]
    assert told == [GONE_MS, GONE_MS + SAID_MS]


def test_another_program_does_not_keep_it_up_and_may_bring_the_own_game() -> None:
    with scene() as here:
        here.shows(PICTURE)
        here.is_there = False
        here.at.session.command("resync")
        here.waits(500)
        assert here.leds == PICTURE
        here.at.session.command("undo")
        here.waits(500)
        assert here.surface.closed is None
        assert here.leds[0] == COPY


@pytest.mark.parametrize("power", [False, True])
def test_the_cable_is_out_for_a_while(power: bool) -> None:
    with scene() as here:
        table = here.at.table
        here.shows(PICTURE)
        if power:
            table.power(False)
        table.plug(False)
        here.waits(4000)
        assert here.surface.closed is None
        table.lift(0)
        if power:
            table.power(True)
        table.plug(True)
        here.waits(3000)
        assert here.leds == PICTURE
        assert here.surface.closed == {15, 16, 31, 32, 47, FOCUS, FOCUS + 5}


def test_buttons_are_told_and_two_of_them_set_the_lights() -> None:
    with scene() as here:
        here.shows(bytes([MOVE]) * SENSORS)
        colours = []
        for name in ("undo", "action", "resign", "a", "b", "c", "draw"):
            colours.append(here.at.runtime.frames[-1].rgb[:3])
            here.at.table.press(name, WHITE)
            here.waits(700)
        assert here.pressed == ["undo", "action", "resign", "a", "b", "c", "draw"]
        assert len({*colours[:5]}) == 1
        assert sum(colours[5]) < sum(colours[4])
        assert colours[6] != colours[5]
        here.shows(None)
        here.waits(500)
        assert here.at.mirror.table.phase == "turn"
        assert here.at.mirror.table.hints == (2, 2)


def test_pieces_that_lie_elsewhere_are_asked_back() -> None:
    with scene() as here:
        here.waits(500)
        here.shows(PICTURE)
        here.at.do("-pa1 +pa6")
        here.shows(None)
        here.waits(600)
        assert here.leds[5] == TODO_TAKE
        assert here.leds[0] not in (OFF, COPY)
        here.at.do("-pa6 +pa1")
        here.waits(1000)
        assert here.leds[0] == COPY


def test_a_light_that_means_something_else_at_a_spot_is_no_other_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with scene() as here:
        here.shows(bytes([MOVE] * SPACES + [CONFIRM_WHITE] * 6))
        assert here.leds == bytes([MOVE] * SPACES + [PLAYED_WHITE] * 6)
        again: list[str] = []
        monkeypatch.setattr(here.at.session, "command", lambda name, **_: again.append(name))
        here.waits(AGAIN_MS - 500)
        assert again == []


def test_an_older_table_is_told_apart() -> None:
    with scene() as here:
        peer = here.at.mirror.table.peer
        assert peer is not None
        peer.minor = 7
        here.shows(PICTURE)
        assert here.leds != PICTURE
        assert "`chronotable flash` brings one that can" in here.surface.problem
