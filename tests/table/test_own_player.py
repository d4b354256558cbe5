"""The table plays a side itself: chosen with a button, carried out by the lights, kept, told."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from chronotable.core.chapters import COUNT
from chronotable.core.commands import SETTINGS, change
from chronotable.hardware.sensors import FOCUS
from chronotable.lights import meanings
from chronotable.lights.hints import HINTS_CONSEQUENCES, HINTS_OFF
from chronotable.player.seats import ELSEWHERE, Seats
from chronotable_host.archive.store import Archive
from chronotable_host.live.settings import number_of
from chronotable_host.live.texts.led_marks import legend
from chronotable_host.live.texts.light_names import PLAYED_WHITE
from chronotable_host.pieces import pieces_of
from chronotable_host.rules.notation import format_position, format_turn, parse_position
from tests import lanes, sweep
from tests.host.driven_table import DrivenTable
from tests.host.test_table_seats import seated_at
from tests.lab.helping import CLEAN, HEEDLESS, ROUGH, Helper, needed
from tests.lab.people.place import TablePlace, Told
from tests.table.alone import Alone
from tests.table.rig import Rig
from ttykm import objects
from ttykm.game import digest
from ttykm.layout import BLACK, NOBODY, WHITE, new_state

EASY, MEDIUM, STRONG = 1, 2, 3
SHOWN_MS = 2300
THINKING_MS = 3000  # at most, where computing takes no time
FIRST_TURN = "-pa1 +pa2 -pa2 +pr2 -wpa +wfu"
"""1 E F >future."""


def choose(at: Rig, *levels: int) -> None:
    """Press *undo* so often that white and black are played so, and wait for the turn."""
    for side, level in enumerate(levels):
        for _ in range(level):
            at.table.press("undo", side)
            at.hands.wait(300)
    at.hands.wait(SHOWN_MS + THINKING_MS)


def helper_at(at: Rig, manner: str = CLEAN, seed: int = 0) -> Helper:
    place = TablePlace(at.table, at.mirror, Told())
    return Helper(place, Random(seed), manner, lambda: None, place.words)


@contextmanager
def playing(*levels: int, seed: int = 0, archive: Archive | None = None) -> Iterator[Rig]:
    """Yield a table that plays at these levels, from the start position."""
    with Rig(new_state(), seed=seed, archive=archive) as at:
        choose(at, *levels)
        yield at


def spots(at: Rig, side: int) -> list[int]:
    return [*at.mirror.table.leds[FOCUS + 3 * side : FOCUS + 3 * side + 3]]


@pytest.mark.parametrize("side", [WHITE, BLACK])
def test_undo_goes_through_who_plays_before_a_game(side: int) -> None:
    with Rig(new_state()) as at:
        for level in (1, 2, 3, 0):
            at.table.press("undo", side)
            at.hands.wait(300)
            assert at.mirror.table.own_levels[side] == level
            lit = PLAYED_WHITE + side
            assert spots(at, side) == [lit] * level + [meanings.OFF] * (3 - level)
            assert ("the table plays this side" in legend(at.mirror.table.leds)) == (level > 0)
            assert "lift it and look" not in legend(at.mirror.table.leds)
        at.hands.wait(SHOWN_MS)
        assert not at.mirror.table.is_turn_wanted
        assert at.mirror.table.hints == (HINTS_CONSEQUENCES, HINTS_CONSEQUENCES)
        assert meanings.COPY in at.mirror.table.leds
        assert not at.heard("refused", "log")


def test_it_thinks_only_once_the_choice_is_made() -> None:
    with Rig(new_state()) as at:
        at.do("/undo:w .1500")
        assert not at.mirror.table.is_turn_wanted
        at.do("/undo:w .1500")
        assert not at.mirror.table.is_turn_wanted
        at.hands.wait(1500)
        assert at.mirror.table.is_turn_wanted
        assert at.mirror.table.hints[WHITE] == HINTS_OFF
        # and even then it can be made anew
        at.do("/undo:w .300")
        assert not at.mirror.table.is_turn_wanted
        assert at.mirror.table.own_levels == (STRONG, 0)


def at_level(level: int, side: str = "white", modules: int = 0) -> tuple[DrivenTable, Seats]:
    """Return a table at the start of a game in which it plays a side, and who does that there."""
    table = DrivenTable()
    table.begin(objects.new_state(modules))
    assert change(table.table, number_of(side), level)
    assert table.table.seats is not None
    return table, table.table.seats


def test_nothing_changes_until_it_has_thought() -> None:
    table, seats = at_level(MEDIUM)
    changes = [seats.step(ms, 1) for ms in range(0, 3000, 10)]
    assert changes.count(True) == 1, "its turn is wanted"
    assert table.table.tracker.wanted is not None


@pytest.mark.parametrize("modules", (0, objects.INFLUENCE))
def test_what_thinks_is_loaded_in_the_turn_before(
    modules: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That takes the chip half a second."""
    needed = "chronotable.player.search_modules" if modules else "chronotable.player.search"
    _, seats = at_level(STRONG, side="black", modules=modules)
    monkeypatch.delitem(sys.modules, needed, raising=False)
    assert not any(seats.step(ms, 1) for ms in range(0, 900, 10))
    assert needed not in sys.modules, "hands may be busy"
    assert not any(seats.step(ms, 1) for ms in range(900, 1500, 10))
    assert needed in sys.modules


def test_it_thinks_in_few_rounds() -> None:
    """Between them the chip does all else, which takes it as long as four positions."""
    _, seats = at_level(STRONG)
    rounds = 1
    while not seats.step(1000, 1):
        rounds += 1
        assert rounds <= 240
    assert rounds > 100, "and each is short"


@pytest.mark.parametrize(
    ("before", "modules"), [(0, objects.INFLUENCE), (objects.INFLUENCE, 0)], ids=str
)
def test_a_game_before_with_other_modules_changes_no_turn(before: int, modules: int) -> None:
    def wanted(*games: int) -> int:
        table = DrivenTable()
        for each in games:
            table.begin(objects.new_state(each))
            assert change(table.table, number_of("white"), MEDIUM)
            assert table.table.seats is not None
            while not table.table.seats.step(table.now_ms, 1):
                table.now_ms += 10
        assert table.table.tracker.wanted is not None
        return table.table.tracker.wanted.turn

    assert wanted(before, modules) == wanted(modules)


@lanes.gate
@pytest.mark.parametrize(
    ("manner", "level", "name"),
    [
        pytest.param(CLEAN, STRONG, "strong", marks=lanes.gate),
        (ROUGH, MEDIUM, "medium"),
        pytest.param(HEEDLESS, MEDIUM, "medium", marks=lanes.gate),
    ],
    ids=str,
)
def test_a_whole_game_by_the_lights_alone(
    tmp_path: Path, manner: str, level: int, name: str
) -> None:
    """Both sides are the table's: the hands know nothing but what the lights mean."""
    with Archive(tmp_path) as archive, playing(EASY, level, archive=archive) as at:
        helper = helper_at(at, manner)
        game = at.mirror.game
        while game.winner() == NOBODY and len(game.turns) < 60:
            assert helper.carry_out(), format_position(game.state)
        at.hands.wait(1500)
        assert game.winner() != NOBODY
        assert not at.heard("mismatch", "refused", "log")
        if manner == CLEAN:
            assert helper.done == needed(game.turns)
        turns = [*game.turns]
    (entry,) = Archive(tmp_path).games()
    record = Archive(tmp_path).read(entry).record
    assert record.turns == turns
    assert record.headers["White"] == "Chronotable, the table (easy)"
    assert record.headers["Black"] == f"Chronotable, the table ({name})"


@pytest.mark.parametrize("modules", range(1, 8))
def test_it_plays_with_modules(modules: int) -> None:
    with Rig(new_state(), set_up=False) as at:
        at.session.command("set", setting=SETTINGS.index("chapters"), value=COUNT)
        at.hands.wait(300)
        state = objects.new_state(modules)
        at.session.set_up(state, 0)
        at.hands.set_up(state)
        choose(at, MEDIUM, EASY)
        helper = helper_at(at)
        helper.board = pieces_of(at.mirror.game.state)
        while at.mirror.game.winner() == NOBODY and len(at.mirror.game.turns) < sweep.size(
            2, 6, 20
        ):
            assert helper.carry_out(), format_position(at.mirror.game.state)
        assert not at.heard("mismatch", "refused", "log")


@lanes.gate
def test_a_person_plays_and_undo_goes_back_to_the_own_last_decision() -> None:
    with playing(0, MEDIUM) as at:
        game = at.mirror.game
        for pressed_by in (WHITE, BLACK, None):
            at.do(FIRST_TURN + " .3000")
            assert [format_turn(turn) for turn in game.turns] == ["1 E F >future"]
            assert at.mirror.table.is_turn_wanted
            helper = helper_at(at)
            helper.board = pieces_of(game.state)
            if pressed_by is None:  # its answer lies there already
                assert helper.carry_out()
                at.hands.wait(1500)
                assert len(game.turns) == 2
            at.table.press("undo", pressed_by or WHITE)
            at.hands.wait(500)
            assert not game.turns
            assert not at.mirror.table.is_turn_wanted
            for _ in range(40):
                helper.act()
                helper.wait()
            assert at.mirror.table.phase == "turn"
            assert helper.board == pieces_of(game.state)
            at.table.press("undo", WHITE)  # once too often
            at.hands.wait(500)
            assert at.mirror.table.own_levels == (0, MEDIUM), "the game has begun"
        assert not at.heard("mismatch", "log")


def test_a_draw_is_declined_where_it_stands_no_worse_and_accepted_where_it_does() -> None:
    for text, is_drawn in (
        ("w..............b/w..............b/w..............b 0 2 4 4 w", False),
        ("w....w.........b/w....w.........b/w..............b 0 2 2 0 w", True),
    ):
        with Rig(parse_position(text)) as at:
            choose(at, 0, EASY)
            at.do("/draw:w .500")
            assert (at.mirror.table.phase == "over") == is_drawn
            if not is_drawn:  # the offer is gone
                at.do("/draw:w .500")
                assert at.mirror.table.phase == "turn"


def test_a_draw_that_a_pc_offers_for_the_table_waits_and_the_table_plays_on() -> None:
    with Rig(parse_position("w....b.........b/w....b.........b/w..............b 0 2 0 2 w")) as at:
        at.session.command("set", setting=number_of("white"), value=EASY)
        at.session.command("draw", side="w")
        at.hands.wait(THINKING_MS)
        assert at.mirror.table.offers == {WHITE}
        assert at.mirror.table.is_turn_wanted
        at.do("/draw:b .500")
        assert at.mirror.table.phase == "over"


@lanes.gate
@pytest.mark.parametrize("gestures", lanes.first([2, 0, 4]))
def test_it_plays_on_after_a_power_cut(tmp_path: Path, gestures: int) -> None:
    with Archive(tmp_path) as archive, playing(0, STRONG, archive=archive) as at:
        at.do(FIRST_TURN + " .3000")
        helper = helper_at(at)
        helper.board = pieces_of(at.mirror.game.state)
        for _ in range(gestures):
            helper.act()
            helper.wait()
        at.table.power(False)
        at.table.power(True)
        at.hands.wait(3000)
        assert at.mirror.table.own_levels == (0, STRONG)
        assert helper.carry_out()
        at.hands.wait(1500)
        assert len(at.mirror.game.turns) == 2
        assert at.mirror.table.hints == (HINTS_CONSEQUENCES, HINTS_OFF)
        assert not at.heard("mismatch")


def test_what_was_played_without_a_pc_says_who_played(tmp_path: Path) -> None:
    with Alone() as alone, Archive(tmp_path) as archive:
        for _ in range(MEDIUM):
            alone.press("undo", BLACK)
        alone.wait(SHOWN_MS)
        alone.play_one()
        alone.press("resign", WHITE)
        alone.set_up()
        alone.play_one()  # it still is who plays
        alone.press("resign", WHITE)
        alone.attach(archive)
        alone.wait(2000)
        for entry in archive.games():
            record = archive.read(entry).record
            assert record.headers["Black"] == "Chronotable, the table (medium)"
            assert record.headers["White"] == "?"
        assert len(archive.games()) == 2


def test_a_setting_has_the_table_play_and_hands_again() -> None:
    with Rig(new_state()) as at:
        at.session.command("set", setting=number_of("white"), value=EASY)
        at.hands.wait(1000)
        assert at.mirror.table.own_levels == (EASY, 0)
        assert at.mirror.table.is_turn_wanted
        at.session.command("set", setting=number_of("white"), value=0)
        at.hands.wait(500)
        assert at.mirror.table.own_levels == (0, 0)
        assert not at.mirror.table.is_turn_wanted
        assert meanings.COPY in at.mirror.table.leds
        notices = [each["notice"] for each in at.heard("notice")]
        assert notices == ["Chronotable, the table (easy) plays white", "hands play white"]


@lanes.gate
def test_who_is_seated_at_the_pc_plays_instead() -> None:
    with playing(0, STRONG) as at, seated_at(at, BLACK) as (_, said, helper):
        at.do(FIRST_TURN + " .1500")
        helper.board = pieces_of(at.mirror.game.state)
        assert helper.carry_out()
        assert at.mirror.table.own_levels == (0, ELSEWHERE)
        assert len(at.mirror.game.turns) == 2
        assert any("random plays black now, no more the table itself" in each for each in said)
        assert not at.heard("mismatch", "refused")


@lanes.gate
def test_a_turn_that_a_pc_wants_takes_the_place_of_the_table_s_own() -> None:
    """As of a PC that does not know of the table's own player."""
    with playing(STRONG, STRONG) as at:
        assert at.mirror.table.is_turn_wanted
        game = at.mirror.game
        turn = next(game.legal_turns())
        after = game.state[:]
        game.after(turn, after)
        at.session.command("want", turn_no=1, turn=turn, digest=digest(after))
        at.hands.wait(500)
        assert at.mirror.table.is_turn_wanted
        assert helper_at(at).carry_out()
        assert [*game.turns] == [turn]
