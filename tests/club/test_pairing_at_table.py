"""A table that is told its pairing: names, records, and the light by which a round begins."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronotable import meanings
from chronotable.frames import LocalLinkError
from chronotable_host.club.pairing_at_table import NOTE, PAIRING, PairedTable
from chronotable_host.live.mirror import Mirror as LiveMirror
from tests.page.evening import EAST_AND_FORWARD, Evening
from ttykm.layout import new_state


class Recorder:
    def __init__(self) -> None:
        self.headers: dict[str, str] = {}

    def set_header(self, name: str, value: str) -> None:
        self.headers[name] = value


class Mirror:
    def __init__(self) -> None:
        self.recorder = Recorder()
        self.names: dict[int, str] = {}

    def name_player(self, side: int, name: str) -> None:
        self.names[side] = name


class Publisher:
    def __init__(self, said: object) -> None:
        self.notes = {NOTE: said} if said is not None else {}


NOTED = {
    "id": "cup/1/2",
    "tournament": "Cup",
    "round": 1,
    "board": 2,
    "white": "Ada",
    "black": "B\x1ben",
}


def test_a_table_takes_its_pairing() -> None:
    mirror, heard = Mirror(), []
    table = PairedTable(mirror, heard.append)  # type: ignore[arg-type]
    table.hear(Publisher(NOTED))  # type: ignore[arg-type]
    table.hear(Publisher(NOTED))  # type: ignore[arg-type]
    assert mirror.recorder.headers == {PAIRING: "cup/1/2"}
    assert mirror.names[0] == "Ada" and "\x1b" not in mirror.names[1]
    assert len(heard) == 1
    table.hear(Publisher(None))  # type: ignore[arg-type]
    assert mirror.recorder.headers == {PAIRING: ""}
    assert mirror.names == {0: "", 1: ""}


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
    mirror = Mirror()
    PairedTable(mirror, lambda _: None).hear(Publisher(said))  # type: ignore[arg-type]
    assert mirror.names == {}


def test_a_round_begins_by_light_once_the_game_before_is_over(tmp_path: Path) -> None:
    """The table lights where pieces belong; with them there the game of the pairing begins."""
    evening = Evening(folder=tmp_path)
    try:
        session, mirror = evening.session, evening.mirror
        table = PairedTable(mirror, lambda _: None, lambda: session.set_up(new_state(), 0))
        evening.each_step = table.step
        evening.do(*EAST_AND_FORWARD)
        evening.wait_until(lambda: len(mirror.game.turns) == 1)
        table.hear(Publisher(NOTED))  # type: ignore[arg-type]
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
    finally:
        evening.close()


def test_nothing_begins_before_it_is_known_what_the_table_plays() -> None:
    """A program that is started anew in the middle of a game hears of the pairing first."""
    begun: list[str] = []
    table = PairedTable(LiveMirror(lambda _: None), lambda _: None, lambda: begun.append("lit"))
    table.hear(Publisher(NOTED))  # type: ignore[arg-type]
    table.step()
    assert begun == []


def test_a_game_of_the_pairing_goes_on_after_a_restart(tmp_path: Path) -> None:
    """Who comes back in the middle of it lays nothing anew."""
    evening = Evening(folder=tmp_path)
    try:
        begun: list[str] = []
        evening.mirror.recorder.set_header(PAIRING, "cup/1/2")
        evening.do(*EAST_AND_FORWARD)
        table = PairedTable(evening.mirror, lambda _: None, lambda: begun.append("lit"))
        table.hear(Publisher(NOTED))  # type: ignore[arg-type]
        evening.each_step = table.step
        evening.wait(500)
        evening.table.press("resign", 1)
        evening.wait(2000)
        assert evening.mirror.is_over and begun == []
    finally:
        evening.close()


def test_a_pairing_that_is_made_anew_is_lit_anew_and_one_that_was_played_is_not(
    tmp_path: Path,
) -> None:
    """Its number is the same, its players are others."""
    evening = Evening(folder=tmp_path)
    try:
        begun: list[str] = []

        def paired() -> PairedTable:
            return PairedTable(
                evening.mirror,
                lambda _: None,
                lambda: begun.append("lit"),
                archive=evening.archive,
            )

        first = paired()
        first.hear(Publisher(NOTED))  # type: ignore[arg-type]
        evening.do(*EAST_AND_FORWARD)
        evening.table.press("resign", 1)
        evening.wait(2000)
        again = paired()  # the program is started anew, and the note still stands
        again.hear(Publisher(NOTED))  # type: ignore[arg-type]
        again.step()
        assert begun == []
        again.hear(Publisher({**NOTED, "white": "Eve"}))  # type: ignore[arg-type]
        again.step()
        again.step()
        assert begun == ["lit"]
    finally:
        evening.close()


def test_a_round_waits_until_the_table_is_there_and_no_analysis_is_on() -> None:
    evening = Evening()
    try:
        begun: list[str] = []
        is_there = [False]

        def begin() -> None:
            begun.append("asked")
            if len(begun) == 1:
                raise LocalLinkError("too much waits")

        mirror = evening.mirror
        table = PairedTable(mirror, lambda _: None, begin, lambda: is_there[0])
        table.hear(Publisher(NOTED))  # type: ignore[arg-type]
        table.step()
        is_there[0] = True
        mirror.recorder.pause(True)
        table.step()
        assert begun == []
        mirror.recorder.pause(False)
        for _ in range(3):
            table.step()
        assert begun == ["asked", "asked"], "what the table did not take is asked for once more"
    finally:
        evening.close()
