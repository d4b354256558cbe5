"""Clocks beside a whole table: the focus marker presses them, and records have what they showed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from chronotable_host.archive.store import Archive
from chronotable_host.engine.thinkers import AtOnce
from chronotable_host.errors import UserError
from chronotable_host.live.happenings import Clock, Happening, Joined
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.players.clocks import Clocks, format_controls, parse_controls
from chronotable_host.live.players.table_seats import TableSeats
from chronotable_host.live.session import Session
from chronotable_host.live.texts.happening_texts import sentences
from chronotable_host.rules.notation import parse_turn
from chronotable_host.rules.record import Record
from tests import lanes
from tests.host.archives import Output
from tests.host.by_lights import typing
from tests.table.rig import Rig, act
from ttykm.layout import WHITE, new_state

STEP_MS = 50
EAST_AND_FORWARD = "-pa1 +pa2 -pa2 +pr2"


class At:
    """A table with clocks, and what these said."""

    def __init__(self, at: Rig, times: str) -> None:
        self.rig = at
        self.said: list[dict[str, object]] = []
        at.clocks = self.clocks = Clocks(at.session, self._hear)
        self.clocks.set(parse_controls(times))

    def _hear(self, happening: Happening) -> None:
        self.said.append(happening.line())

    def left_s(self) -> dict[str, int] | None:
        """Return what the clocks show, None without any."""
        view = self.clocks.view()
        return None if view is None else view["left"]

    def wait(self, duration_ms: int) -> dict[str, int] | None:
        for _ in range(duration_ms // STEP_MS):
            self.rig.hands.wait(STEP_MS)
            self.clocks.step(int(self.rig.table.now_ms))
        return self.left_s()

    def do(self, script: str) -> dict[str, int] | None:
        act(self.rig.table, script, self.wait)
        return self.left_s()


@contextmanager
def clocks_at(times: str, archive: Archive | None = None) -> Iterator[At]:
    with Rig(new_state(), archive=archive) as opened:
        at = At(opened, times)
        at.clocks.step(int(opened.table.now_ms))
        yield at


# ---- what people write


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("5+3", "300+3"), ("10", "600+0"), (" 5+3, 10 ", "300+3,600+0"), ("5+3,5+3", "300+3")],
)
def test_times_are_read_and_written(text: str, seconds: str) -> None:
    controls = parse_controls(text)
    assert format_controls(controls, unit_s=1) == seconds
    assert parse_controls(seconds, unit_s=1) == controls
    assert parse_controls(format_controls(controls)) == controls


@pytest.mark.parametrize("text", ["", "0", "5+", "+3", "5+3,", "5,5,5", "five", "5:30", "9" * 9])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(UserError, match=r"5\+3 is 5 minutes"):
        parse_controls(text)


def test_off_is_no_clock() -> None:
    assert parse_controls("Off") is None
    with clocks_at("off") as at:
        assert at.wait(1000) is None
        assert at.clocks.view() is None
        at.do(f"{EAST_AND_FORWARD} -wpa +wfu")
        at.wait(2000)
        assert at.said == []


# ---- whose clock runs


def test_the_marker_presses_them() -> None:
    with clocks_at("5+3") as at:
        assert at.wait(4000) == {"white": 296, "black": 300}
        at.do(f"{EAST_AND_FORWARD} -wpa")
        assert at.clocks.running == WHITE
        at.do("+wfu")
        view = at.clocks.view()
        assert view is not None
        assert view["running"] == "black", "the marker stands"
        at.do("-wfu")
        assert at.clocks.running == WHITE, "and is lifted again"
        at.do("+wfu")
        shown = at.wait(5000)
        assert shown is not None
        assert (shown["white"], shown["black"]) == (298, 295), "3 seconds were added"
        (said,) = [line["clock"] for line in at.said if "clock" in line]
        assert said == {"white": 298, "black": 299}


def test_they_stand_while_hands_are_led_back_and_while_the_table_asks() -> None:
    with clocks_at("5") as at:
        at.do("-pa1 +pa11")  # no turn leads there
        at.wait(1000)
        assert at.left_s() == at.wait(3000)
        at.do("-pa11 +pa1")
        assert at.left_s() != at.wait(3000)


def test_they_stand_while_hands_carry_out_a_turn_of_somebody_without_any() -> None:
    with clocks_at("5") as at:
        turns: list[int | None] = [None]
        seated = TableSeats(at.rig.session, at._hear)
        seated.seat_thinker(WHITE, AtOnce("slow", lambda _game: turns[0]))
        seated.step(0)
        assert at.wait(3000) == {"white": 297, "black": 300}, "it thinks"
        turns[0] = next(iter(at.rig.mirror.game.legal_turns()))
        seated.seat_thinker(WHITE, AtOnce("quick", lambda _game: turns[0]))
        seated.step(0)
        at.wait(1000)
        assert at.left_s() == at.wait(3000), "hands have all the time they need"


def test_a_turn_that_is_taken_back_gives_its_seconds_back() -> None:
    """Else whoever lifts the marker and puts it down again has more time each time."""
    with clocks_at("5+30") as at:
        at.do(f"{EAST_AND_FORWARD} -wpa +wfu")
        at.wait(1500)
        for _ in range(3):
            at.do("-wfu +wfu")
            at.wait(1500)
        assert len(at.rig.mirror.game.turns) == 1
        left = at.left_s()
        assert left is not None
        assert left["white"] <= 330


@pytest.mark.parametrize("header", ["?", "-", "40/7200", "9" * 5000])
def test_a_record_of_others_may_have_any_time_control(header: str) -> None:
    with clocks_at("5") as at:
        record = Record(new_state())
        record.headers["TimeControl"] = header
        record.add(parse_turn("1 E F >future"), f"1.00 s, certain; [%clk {'9' * 5000}:00:00]")
        at.rig.mirror.recorder.filing._record = record
        at.clocks.hear(Joined(1500, ""))
        assert at.left_s() == {"white": 300, "black": 300}


@lanes.gate
def test_time_that_is_up_is_said_once_and_ends_nothing() -> None:
    with clocks_at("1") as at:
        assert at.wait(65_000) == {"white": 0, "black": 60}
        (said,) = at.said
        assert said["notice"] == "White's time is up; the players decide"
        at.do(f"{EAST_AND_FORWARD} -wpa +wfu")
        at.wait(1500)
        assert len(at.rig.mirror.game.turns) == 1


def test_they_are_set_by_typing(capsys: Output) -> None:
    with clocks_at("off") as at:
        assert not typing(at.rig, ["clock 3+2,5", "clock soon"]).is_done()
        assert at.left_s() == {"white": 180, "black": 300}
        assert "'soon' is no time for a game" in capsys.readouterr().err


def test_what_they_show_is_a_sentence() -> None:
    said = Clock(0, {"white": 3897, "black": 9})
    assert [*sentences(said, None)] == [("clock", "  white 1:04:57, black 0:09")]


# ---- the record


def test_a_record_has_them_and_another_program_goes_on_with_them(tmp_path: Path) -> None:
    with Archive(tmp_path) as archive, clocks_at("5+3,10", archive) as at:
        at.rig.session.set_up(new_state(), 0)  # a game that begins with clocks
        at.wait(1500)
        at.do(f"{EAST_AND_FORWARD} -wpa +wfu")
        at.wait(8000)
        shown = at.left_s()
        assert shown is not None
        record = at.rig.mirror.record
        assert record is not None
        assert record.headers["TimeControl"] == "300+3,600+0"
        assert record.comments[0].endswith("s, certain; [%clk 0:05:00]")

        mirror = Mirror(lambda _: None)
        session = Session(mirror)
        later = Clocks(session, lambda _: None)
        mirror.game.start(record.start)
        mirror.game.apply(record.turns[0])
        mirror.recorder.filing._record = record
        later.hear(Joined(int(at.rig.table.now_ms), ""))
        again = later._left_s()
        assert later.controls == at.clocks.controls
        for before, after in zip(at.clocks._left_ms, later._left_ms, strict=True):
            # the second for which the marker rested is not in the record, nor parts of a second
            assert abs(before - after) <= 1000 + STEP_MS
        # after a break, and where the table's times have begun at 0 again
        for joined_ms in (int(at.rig.table.now_ms) + 3_600_000, 20):
            later.hear(Joined(joined_ms, ""))
            assert later._left_s() == {"white": again["white"], "black": 600}
