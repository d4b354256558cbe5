"""A table that is told its pairing: names, records, and the light by which a round begins."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from chronotable.lights import meanings
from chronotable.link.frames import LocalLinkError
from chronotable_club.at_table import ANNULLED, NOTE, PAIRING, PairedTable
from chronotable_host.live.desk import Desk
from chronotable_host.live.settings import number_of
from tests.page.evening import EAST_AND_FORWARD, WEST_AND_BACK, Evening
from ttykm.layout import new_state

START = new_state(), 0


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(folder=tmp_path)
    yield evening
    evening.close()


def paired(evening: Evening, **said: object) -> PairedTable:
    """Return the table's end, which has heard of a pairing."""
    table = PairedTable(evening, lambda _: None)
    table.hear(note(**said))
    evening.each_step = table.step
    return table


def note(**said: object) -> Any:
    """Return what tells a table of a pairing."""
    return SimpleNamespace(notes={NOTE: {**NOTED, **said}})


NOBODY: Any = SimpleNamespace(notes={})
"""Tells of no pairing."""


def lit(evening: Evening) -> list[object]:
    """Return what the table is asked to set up from now on, and does not."""
    asked: list[object] = []
    evening.session.set_up = lambda *start: asked.append(start)  # type: ignore[method-assign]
    return asked


NOTED = {
    "id": "cup/1/2",
    "tournament": "Cup",
    "round": 1,
    "board": 2,
    "white": "Ada",
    "black": "B\x1ben",
}


def test_a_table_takes_its_pairing() -> None:
    desk, heard = Desk(), []
    table = PairedTable(desk, heard.append)
    table.hear(note())
    table.hear(note())
    assert called(desk) == ["cup/1/2", "Ada", "B?en"]
    assert len(heard) == 1
    table.hear(NOBODY)
    assert called(desk) == ["", "", ""]


@pytest.mark.parametrize(
    "said",
    [
        [],
        {},
        {**NOTED, "round": "1"},
        {**NOTED, "round": True},
        {**NOTED, "white": ""},
        {**NOTED, "white": "A" * 200},
        {**NOTED, "more": 1},
    ],
)
def test_what_is_no_pairing_names_nobody(said: object) -> None:
    desk, heard = Desk(), SimpleNamespace(notes={NOTE: said})
    PairedTable(desk, lambda _: None).hear(heard)  # type: ignore[arg-type]
    assert called(desk) == ["", "", ""]


def test_a_round_begins_by_light_once_the_game_before_is_over(evening: Evening) -> None:
    """The table lights where pieces belong; with them there the game of the pairing begins."""
    mirror = evening.mirror
    evening.do(*EAST_AND_FORWARD)
    evening.wait_until(lambda: len(mirror.game.turns) == 1)
    paired(evening)
    evening.wait(2000)
    assert mirror.table.phase == "turn"
    evening.table.press("resign", 1)
    evening.wait_until(lambda: mirror.table.phase == "set-up")
    evening.wait_until(lambda: mirror.table.leds[0] != meanings.OFF)
    while mirror.table.phase == "set-up":
        evening.hand.tidy()  # what the lights ask for, and no more
        evening.wait(1000)
    assert mirror.record is not None
    assert mirror.record.headers[PAIRING] == "cup/1/2"
    evening.wait(2000)
    assert mirror.table.phase == "turn", "it is lit once"


def test_nothing_begins_before_it_is_known_what_the_table_plays() -> None:
    """A program that is started anew in the middle of a game hears of the pairing first."""
    desk = Desk()
    desk.session.set_up = lambda *_: pytest.fail("a game is begun")  # type: ignore[method-assign]
    table = PairedTable(desk, lambda _: None)
    table.hear(note())
    table.step()


def test_a_game_of_the_pairing_goes_on_after_a_restart(evening: Evening) -> None:
    """Who comes back in the middle of it lays nothing anew."""
    asked = lit(evening)
    evening.mirror.recorder.set_header(PAIRING, "cup/1/2")
    for side, name in enumerate(("Ada", "B?en")):
        evening.mirror.name_player(side, name)
    evening.do(*EAST_AND_FORWARD)
    paired(evening)
    evening.wait(500)
    evening.table.press("resign", 1)
    evening.wait(2000)
    assert evening.mirror.is_over
    assert asked == []


def test_a_pairing_that_is_made_anew_is_lit_anew_and_one_that_was_played_is_not(
    evening: Evening,
) -> None:
    """Its number is the same, its players are others."""
    asked = lit(evening)
    paired(evening)
    evening.each_step = lambda: None
    evening.do(*EAST_AND_FORWARD)
    evening.table.press("resign", 1)
    evening.wait(2000)
    again = paired(evening)  # the program is started anew, and the note still stands
    again.step()
    assert asked == []
    again.hear(note(white="Eve"))
    again.step()
    again.step()
    assert asked == [START]


def test_a_game_that_was_annulled_is_lit_once_more(evening: Evening) -> None:
    asked = lit(evening)
    table = paired(evening, black="Ben")
    evening.wait(100)
    evening.do(*EAST_AND_FORWARD)
    evening.table.press("resign", 1)
    evening.wait(2000)
    table.hear(NOBODY)
    evening.wait(100)
    del asked[:]
    assert evening.archive is not None
    (game,) = evening.archive.games()
    again = note(black="Ben")
    again.notes[ANNULLED] = [Path(game.file).stem]
    table.hear(again)
    evening.wait(100)
    assert asked == [START]


def test_a_round_waits_until_the_table_is_ready_and_no_analysis_is_on(evening: Evening) -> None:
    asked: list[object] = []

    def set_up(*start: object) -> None:
        asked.append(start)
        if len(asked) == 1:
            raise LocalLinkError("too much waits")

    evening.session.set_up = set_up  # type: ignore[method-assign]
    mirror = evening.mirror
    table = paired(evening)
    mirror.needs_resync = True
    table.step()
    mirror.needs_resync = False
    mirror.recorder.filing.is_paused = True
    table.step()
    assert asked == []
    mirror.recorder.filing.is_paused = False
    for _ in range(3):
        table.step()
    assert asked == [START, START], "what the table did not take is asked for once more"


def called(desk: Desk) -> list[str]:
    """Return what records call the pairing and the players of the next game."""
    return [desk.mirror.recorder.header(name) for name in (PAIRING, "White", "Black")]


def test_a_pairing_keeps_its_names_whatever_is_asked_for_at_the_table(evening: Evening) -> None:
    """A new game without names is begun on the page, say."""
    table = paired(evening, black="Ben")
    assert called(evening) == ["cup/1/2", "Ada", "Ben"]
    evening.mirror.name_player(0, "")
    evening.mirror.name_player(1, "Chronotable, level 3")
    evening.wait(100)
    assert called(evening) == ["cup/1/2", "Ada", "Ben"]
    table.hear(NOBODY)
    assert called(evening) == ["", "", ""]
    evening.mirror.name_player(0, "Eve")
    evening.wait(100)
    assert called(evening) == ["", "Eve", ""], "without a pairing it is the table's own business"


def test_a_game_that_goes_on_is_nobody_s_of_the_pairing(evening: Evening) -> None:
    evening.do(*EAST_AND_FORWARD)
    evening.wait_until(lambda: evening.mirror.game.turns)
    paired(evening, black="Ben")
    assert called(evening) == ["cup/1/2", "Ada", "Ben"], "the next one may begin unseen"
    evening.wait(100)
    evening.do(*WEST_AND_BACK)
    evening.wait_until(lambda: len(evening.mirror.game.turns) == 2)
    record = evening.mirror.record
    assert record is not None
    assert PAIRING not in record.headers
    assert "Ada" not in str([record.headers, record.comments])


def test_no_program_plays_in_a_person_s_name(evening: Evening) -> None:
    heard: list[object] = []
    seats = evening.hand.seats
    seats.seat(1, "level:3")
    table = PairedTable(evening, heard.append)
    evening.each_step = table.step
    table.hear(note(white="Chronotable, level 3", black="Ben"))
    evening.wait(100)
    assert seats.players() == {"white": "hands", "black": "hands"}
    assert called(evening)[1:] == ["Chronotable, level 3", "Ben"]
    assert len(heard) == 2
    seats.seat(0, "level:3")
    seats.seat(1, "level:1")
    evening.wait(100)
    assert seats.players() == {"white": "level:3", "black": "hands"}, "one was paired as such"
    assert called(evening)[1:] == ["Chronotable, level 3", "Ben"]


def test_the_table_itself_does_not_play_in_a_person_s_name(evening: Evening) -> None:
    paired(evening, black="Ben")
    evening.session.command("set", setting=number_of("black"), value=3)
    evening.wait_until(lambda: evening.mirror.table.own_levels == (0, 3))
    evening.wait_until(lambda: evening.mirror.table.own_levels == (0, 0))
    evening.wait(500)
    assert called(evening) == ["cup/1/2", "Ada", "Ben"]


def test_who_came_back_from_a_lesson_does_not_play_either(evening: Evening) -> None:
    """Somebody else may have the seat while a pairing is told: it is looked at behind it."""
    seats = evening.hand.seats
    seats.seat(1, "level:3")
    level = seats.thinkers[1]
    evening.mirror.recorder.filing.is_paused = True
    paired(evening, black="Ben")
    evening.wait(100)
    assert seats.thinkers[1] is level
    evening.mirror.recorder.filing.is_paused = False
    evening.wait(100)
    assert seats.players()["black"] == "hands"
