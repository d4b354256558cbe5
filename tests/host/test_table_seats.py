"""Players without hands at a whole table: their turns are lit, carried out and recorded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import pytest

from chronotable.hardware.sensors import FOCUS
from chronotable.lights.meanings import COPY, MOVER, THINKING
from chronotable.player.seats import ELSEWHERE, HANDS, STRONG
from chronotable_host.archive.store import Archive
from chronotable_host.engine.client import EngineError
from chronotable_host.engine.levels import LevelPlayer
from chronotable_host.engine.thinkers import AtOnce, by_chance
from chronotable_host.live.happenings import Happening
from chronotable_host.live.players.table_seats import TableSeats
from chronotable_host.live.settings import number_of
from chronotable_host.pieces import pieces_of
from chronotable_host.rules.notation import format_position, format_turn, parse_position, parse_turn
from chronotable_host.rules.record import format_record, parse_record
from tests import lanes
from tests.host.archives import Output
from tests.host.by_lights import typing
from tests.lab.helping import CLEAN, Helper
from tests.lab.people.place import TablePlace, Told
from tests.table.rig import Rig
from ttykm.game import Game
from ttykm.layout import BLACK, NOBODY, WHITE, new_state


def lit(helper: Helper) -> list[int]:
    """Let a moment pass; return where lights are on then."""
    helper.wait()
    return [sensor for sensor, meaning in enumerate(helper.place.picture()) if meaning]


@contextmanager
def seated_at(
    at: Rig, *sides: int, seed: int = 0, levels: tuple[int, ...] = ()
) -> Iterator[tuple[TableSeats, list[str], Helper]]:
    """Have sides played by chance, or by levels; yield who plays, what was said, and a helper."""
    said: list[str] = []

    def tell(happening: Happening) -> None:
        said.append(str(happening.line()))

    with closing(TableSeats(at.session, tell)) as seated:
        at.seats = at.players = seated
        for side in sides:
            choose = by_chance(Random(2 * seed + side))
            if levels:
                choose = LevelPlayer(levels[side], seed).choose
            seated.seat_thinker(side, AtOnce("random", choose))
        place = TablePlace(at.table, at.mirror, Told())
        yield seated, said, Helper(place, Random(seed), CLEAN, at.step)


@lanes.gate
def test_a_whole_game_is_carried_out_and_recorded(tmp_path: Path) -> None:
    with (
        Archive(tmp_path) as archive,
        Rig(new_state(), archive=archive) as at,
        seated_at(at, WHITE, BLACK) as (_, said, helper),
    ):
        game = at.mirror.game
        while game.winner() == NOBODY and len(game.turns) < 40:
            assert helper.carry_out(), format_position(game.state)
        turns = [*game.turns]
        at.hands.wait(1500)
        assert not at.heard("mismatch", "refused")
        assert said == []
    (entry,) = Archive(tmp_path).games()
    record = Archive(tmp_path).read(entry).record
    assert record.turns == turns
    assert all("certain" in comment for comment in record.comments if comment)


def test_what_is_wanted_is_told_again_to_a_table_that_was_switched_off() -> None:
    with Rig(new_state()) as at, seated_at(at, WHITE) as (seated, _, helper):
        assert lit(helper)
        at.hands.wait(500)
        assert at.mirror.table.is_turn_wanted
        told = at.mirror.table.snapshots
        seated.step(0)
        at.hands.wait(500)
        assert at.mirror.table.snapshots == told  # it is not told twice
        at.table.power(False)
        at.table.power(True)
        at.hands.wait(3000)
        assert helper.carry_out()
        assert len(at.mirror.game.turns) == 1


@pytest.mark.parametrize("gestures", range(6))
def test_power_fails_in_the_middle_of_a_turn_that_is_wanted(gestures: int) -> None:
    with Rig(new_state()) as at, seated_at(at, WHITE) as (_, said, helper):
        for _ in range(gestures):
            helper.wait()
            helper.act()
        at.table.power(False)
        at.table.power(True)
        at.hands.wait(3000)
        assert helper.carry_out()
        assert helper.board == pieces_of(at.mirror.game.state)
        assert len(at.mirror.game.turns) == 1
        assert not at.heard("mismatch")
        assert said == []


@pytest.mark.parametrize("gestures", range(6))
def test_another_program_goes_on_with_another_turn(gestures: int) -> None:
    """As after a PC that was killed: nothing is known there of what was wanted before."""
    with Rig(new_state()) as at:
        with seated_at(at, WHITE) as (_, _, helper):
            for _ in range(gestures):
                helper.wait()
            helper.act()
            lying = helper.board
        with seated_at(at, WHITE, seed=3) as (_, said, helper):
            helper.board = lying
            assert helper.carry_out()
            assert helper.board == pieces_of(at.mirror.game.state)
            assert len(at.mirror.game.turns) == 1
            assert said == []


def test_no_hints_are_lit_for_who_needs_none() -> None:
    """While somebody without hands thinks only the marker's spot is lit; then hints are back."""
    with Rig(new_state()) as at, seated_at(at) as (seated, _, helper):
        assert lit(helper) == [0, FOCUS], "the copy that may act, and the marker"
        seated.seat_thinker(WHITE, AtOnce("slow", lambda _: None))
        helper.wait()
        assert lit(helper) == [FOCUS]
        assert at.mirror.table.leds[FOCUS] == THINKING
        seated.close()
        helper.wait()
        assert lit(helper) == [0, FOCUS]


@pytest.mark.parametrize("seconds", [1, 5])
def test_no_marker_breathes_for_a_pc_that_is_gone(seconds: int) -> None:
    """Its level counts as long as the session goes on; found again, the table is told anew."""
    with Rig(new_state()) as at, seated_at(at) as (seated, _, helper):
        seated.seat_thinker(WHITE, AtOnce("slow", lambda _: None))
        helper.wait()
        assert lit(helper) == [FOCUS]
        at.table.plug(False)
        at.hands.wait(seconds * 1000)
        at.table.plug(True)
        at.hands.wait(3000)
        assert at.mirror.table.own_levels == (HANDS, HANDS)
        assert (at.mirror.table.leds[FOCUS], at.mirror.table.leds[0]) == (MOVER, COPY)
        helper.wait()
        assert lit(helper) == [FOCUS]
        assert at.mirror.table.own_levels == (ELSEWHERE, HANDS)


def test_a_turn_that_is_lit_stays_when_the_pc_is_gone() -> None:
    with Rig(new_state()) as at, seated_at(at, WHITE) as (_, _, helper):
        assert lit(helper)
        helper.wait()
        helper.act()
        at.table.plug(False)
        at.hands.wait(5000)
        at.table.plug(True)
        at.hands.wait(3000)
        assert at.mirror.table.own_levels == (HANDS, HANDS)
        assert at.mirror.table.is_turn_wanted
        assert helper.carry_out()
        assert len(at.mirror.game.turns) == 1
        assert helper.board == pieces_of(at.mirror.game.state)


def test_the_table_itself_thinks_with_the_same_light() -> None:
    with Rig(new_state()) as at:
        at.session.command("set", setting=number_of("white"), value=STRONG)
        at.hands.wait(100)
        assert at.mirror.table.leds[FOCUS] == THINKING
        at.hands.wait(3000)
        assert at.mirror.table.is_turn_wanted
        assert THINKING not in at.mirror.table.leds


@pytest.mark.parametrize(
    ("text", "is_drawn"),
    [
        ("w..............b/w..............b/w..............b 0 2 4 4 w", False),
        ("w..............b/w..............b/................ 0 2 0 0 w", True),
    ],
)
def test_a_draw_that_hands_offer_is_answered_by_who_plays(text: str, is_drawn: bool) -> None:
    """Pressed twice it is no agreement: the other side is not the hands'."""
    with Rig(parse_position(text)) as at, seated_at(at, BLACK) as (_, _, helper):
        helper.wait()
        for _ in range(2):
            at.do("/draw:w .100")
        at.table.press("a", WHITE)
        helper.wait()
        at.hands.wait(500)
        assert at.mirror.table.phase == ("over" if is_drawn else "turn")
        answer = "accepts the draw." if is_drawn else "plays on."
        said = [each["notice"] for each in at.told if "notice" in each]
        assert said == ["White offers a draw. Yes or no?", f"Black {answer}"]
        if is_drawn:
            assert at.heard("game_over")[0]["game_over"] == "draw"
            return
        at.do("-pa1 +pa1")
        at.table.press("draw", WHITE)
        helper.wait()
        helper.wait()
        assert len(at.heard("notice")) == 4, "the first offer was declined; this is another"


def test_hints_are_back_after_a_seat_that_was_taken_for_a_moment_only() -> None:
    with Rig(new_state()) as at, seated_at(at) as (seated, _, helper):
        lit(helper)
        seated.seat_thinker(WHITE, AtOnce("slow", lambda _: None))
        seated.step(0)
        seated.seat_thinker(WHITE, None)  # before the table says that its hints are off
        seated.step(0)
        for _ in range(3):
            helper.wait()
        assert lit(helper) == [0, FOCUS]


def test_a_turn_that_the_table_refuses_is_not_told_without_end() -> None:
    with Rig(new_state()) as at, seated_at(at) as (seated, _, helper):
        seated.seat_thinker(WHITE, AtOnce("wrong", lambda _: parse_turn("1 E F >past")))
        begun_ms = at.table.now_ms
        while at.table.now_ms < begun_ms + 5000:
            helper.wait()
        assert 2 <= len(at.heard("refused")) <= 6


def test_hands_may_take_a_seat_over() -> None:
    with Rig(new_state()) as at, seated_at(at, WHITE) as (seated, _, helper):
        lit(helper)
        at.hands.wait(500)
        assert at.mirror.table.is_turn_wanted
        seated.seat(WHITE, "hands")
        at.hands.wait(500)
        assert not at.mirror.table.is_turn_wanted
        at.do("-pa1 +pa2 -pa2 +pr2 -wpa +wfu .1500")
        assert [format_turn(turn) for turn in at.mirror.game.turns] == ["1 E F >future"]


def test_undo_goes_back_to_the_hands_own_decision() -> None:
    with Rig(new_state()) as at, seated_at(at, BLACK) as (_, _, helper):
        at.do("-pa1 +pa2 -pa2 +pr2 -wpa +wfu .1500")
        helper.board = pieces_of(at.mirror.game.state)
        assert helper.carry_out()
        at.do("/undo:w .300")
        at.step()
        at.hands.wait(500)
        assert not at.mirror.game.turns


def test_a_seat_is_changed_by_typing(capsys: Output) -> None:
    lines: list[str] = []
    with Rig(new_state()) as at, seated_at(at) as (seated, _, _):
        control = typing(at, lines)
        for line, names in [
            ("seat Black RANDOM", {BLACK: "random"}),
            ("seat white level:9", {BLACK: "random"}),
            ("seat white engine:/no/Such --book A", {BLACK: "random"}),
            ("seat black hands", {}),
        ]:
            lines.append(line)
            assert not control.is_done()
            assert {side: each.name for side, each in seated.thinkers.items()} == names, line
    said = capsys.readouterr().err
    assert "levels are level:1 to level:8" in said
    assert "'engine:/no/Such --book A': /no/Such is no program that can be started here" in said


def test_who_is_seated_before_the_first_turn_is_in_the_record(tmp_path: Path) -> None:
    with (
        Archive(tmp_path) as archive,
        Rig(new_state(), archive=archive) as at,
        seated_at(at) as (seated, _, helper),
    ):
        at.hands.wait(500)
        assert at.mirror.record is not None, "the game has begun"
        seated.seat(WHITE, "random")
        assert helper.carry_out()
        at.hands.wait(1500)
        seated.seat(BLACK, "random")
        assert at.mirror.record.headers["White"] == "Chronotable, by chance"
        assert at.mirror.record.headers["Black"] == "?", "its turns are another's, too"
    (entry,) = Archive(tmp_path).games()
    assert entry.white == "Chronotable, by chance"


@lanes.gate
def test_who_sits_down_in_the_middle_of_a_game_is_in_the_record(tmp_path: Path) -> None:
    """At the first turn from then on, as every reader keeps it; headers stay those of the start."""
    with (
        Archive(tmp_path) as archive,
        Rig(new_state(), archive=archive) as at,
        seated_at(at, WHITE, BLACK) as (seated, _, helper),
    ):
        at.mirror.name_player(WHITE, "Ann")
        for name in ("Ann", "B; black: [x] {y}", "B; black: [x] {y}", "", "random"):
            at.mirror.name_player(WHITE, name)
            assert helper.carry_out()
        at.hands.wait(1500)
        at.mirror.name_player(BLACK, "Eve")
        at.mirror.name_player(BLACK, "")  # back before a turn was made
        assert helper.carry_out()
        seated.seat(BLACK, "random")
        seated.seat(WHITE, "hands")
        seated.seat(WHITE, "random")
        at.mirror.name_player(WHITE, "Ann")
        assert helper.carry_out()
        at.hands.wait(1500)
    (entry,) = Archive(tmp_path).games()
    record = Archive(tmp_path).read(entry).record
    assert (record.headers["White"], record.headers["Black"]) == ("Ann", "?")
    assert [comment.partition("certain; ")[2] for comment in record.comments] == [
        "",
        "white: B, black: (x) (y)",
        "",
        "white: hands",
        "white: random",
        "",
        "white: Ann; black: Chronotable, by chance",
    ]
    text = format_record(record)
    again = parse_record(text)
    assert again.comments == record.comments
    assert format_record(again) == text


def test_a_program_that_goes_on_with_a_game_says_who_plays_now(tmp_path: Path) -> None:
    with Archive(tmp_path) as archive, Rig(new_state(), archive=archive) as at:
        for player in ("random", "random", "hands"):
            with seated_at(at, WHITE, BLACK) as (_, _, helper):
                at.mirror.name_player(BLACK, player)
                helper.board = pieces_of(at.mirror.game.state)
                assert helper.carry_out()
        at.hands.wait(1500)
        assert at.mirror.record is not None
        comments = [each.partition("certain; ")[2] for each in at.mirror.record.comments]
        assert comments == ["", "", "black: hands"]
        assert at.mirror.record.headers["Black"] == "random"


def test_the_table_itself_is_seated_by_typing(capsys: Output) -> None:
    lines: list[str] = []
    with Rig(new_state()) as at, seated_at(at) as (_, _, _):
        control = typing(at, lines)
        for line, levels in [
            ("seat black table:easy", (0, 1)),
            ("seat black table", (0, 3)),
            ("seat black table:hard", (0, 3)),
            ("seat white random", (0, 3)),
            ("seat black hands", (ELSEWHERE, 0)),
        ]:
            lines.append(line)
            at.step()
            assert not control.is_done()
            at.hands.wait(500)
            assert at.mirror.table.own_levels == levels, line
    assert "'table:hard': the table itself plays as table:easy" in capsys.readouterr().err


class _Broken(AtOnce):
    def begin(self, game: Game) -> None:
        raise EngineError("engine:x has ended")


def test_a_player_that_fails_leaves_its_side_to_hands() -> None:
    with Rig(new_state()) as at, seated_at(at) as (seated, said, _):
        at.mirror.name_player(WHITE, "x")
        seated.seat_thinker(WHITE, _Broken("engine:x", lambda _: None))
        seated.step(7)
        assert seated.thinkers == {}
        assert "White" not in at.mirror.recorder.filing.headers, "hands play the next game"
        assert "engine:x has ended; hands play white now" in said[0]


def test_an_older_table_is_told_from_a_newer_one() -> None:
    with Rig(new_state()) as at, seated_at(at, WHITE) as (seated, said, _):
        assert at.mirror.table.peer is not None
        at.mirror.table.peer.minor = 5
        seated.step(0)
        assert seated.thinkers == {}
        assert "`chronotable flash` brings one that can" in said[0]
        at.hands.wait(500)
        assert not at.mirror.table.is_turn_wanted


@pytest.mark.parametrize(
    ("text", "number"),
    [("1 E F >past", 1), ("2 E E >future", 1), ("1 E E >future", 2), ("1 E E >future", 1)],
    ids=["the same focus", "no copy", "another number", "a wrong digest"],
)
def test_the_table_refuses_what_is_not_legal_or_of_another_position(text: str, number: int) -> None:
    with Rig(new_state()) as at:
        at.session.command("want", turn_no=number, turn=parse_turn(text), digest=0)
        at.hands.wait(500)
        assert at.heard("refused") == [
            {"refused": "The table is not at the turn that it was told to show."}
        ]
        assert not at.mirror.table.is_turn_wanted
