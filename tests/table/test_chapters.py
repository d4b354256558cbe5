"""The lock on a table, alone and at a PC: what is unlocked and chosen, and what is refused."""

from __future__ import annotations

import builtins
from types import SimpleNamespace
from typing import Any

import pytest

from chronotable.core.commands import REFUSED_POSITION, SETTINGS, change, start
from chronotable.core.progress import OVER, RESTORE
from chronotable.hardware.sensors import SHARED
from chronotable.lights import meanings
from chronotable.link.identity import Identity
from chronotable.link.messages import decode_fields, row_of
from chronotable.link.packed import pack_position
from chronotable_host.errors import UserError
from chronotable_host.live.settings import parse_settings, settings_told
from chronotable_host.live.texts.table_texts import REFUSALS
from tests.host.driven_table import DrivenTable
from tests.lab.store import MemoryStore
from ttykm import layout, objects
from ttykm.layout import BLACK, WHITE
from ttykm.objects import ALL_MODULES, GROWTH, INFLUENCE, MEMORY
from ttykm.turns import TurnTree

DRAW = ("draw", SHARED)
RESIGN = ("resign", WHITE), ("resign", BLACK)
CHAPTERS = SETTINGS.index("chapters")


def modules_of(table: DrivenTable) -> int:
    return objects.modules_of(table.table.game.state)


def lit(table: DrivenTable) -> list[int]:
    """Return which spaces of the past say that something was chosen."""
    leds = table.table.hints.leds
    return [space + 1 for space in range(16) if leds[space] == meanings.WIN]


def test_both_players_and_the_shared_button_unlock_one_after_the_other() -> None:
    store = MemoryStore()
    table = DrivenTable(chapters=0, store=store)
    for count in (1, 2, 3, 4, 4):
        table.press(*RESIGN, DRAW)
        assert table.table.chapters.unlocked == count
        assert DrivenTable(chapters=0, store=store).table.chapters.unlocked == count, "for good"
        assert lit(table) == list(range(1, count + 1))
    assert modules_of(table) == 0, "nothing was chosen"


@pytest.mark.parametrize("held", [(), RESIGN[:1], RESIGN[1:], (("undo", WHITE), *RESIGN[:1])])
def test_one_player_alone_unlocks_nothing(held: tuple[tuple[str, int], ...]) -> None:
    table = DrivenTable(chapters=0)
    table.press(*held, DRAW)
    table.press(*RESIGN)
    table.press(DRAW)
    assert table.table.chapters.unlocked == 0
    assert lit(table) == []


def test_nothing_is_unlocked_or_chosen_while_a_game_is_played() -> None:
    table = DrivenTable(chapters=1)
    table.begin(layout.new_state())
    table.play(2)
    turns = list(table.table.game.turns)
    table.press(DRAW)
    assert table.table.tracker.turn.offers, "there it offers a draw"
    table.table.tracker.phase = RESTORE  # a turn was taken back, or the power was gone
    table.press(*RESIGN, DRAW)
    table.press(DRAW)
    assert table.table.chapters.unlocked == 1
    assert list(table.table.game.turns) == turns
    table.table.tracker.phase = OVER
    table.press(*RESIGN, DRAW)
    assert table.table.chapters.unlocked == 2
    table.press(DRAW)
    assert modules_of(table) == GROWTH


def test_the_end_of_a_game_stays_where_nothing_is_unlocked() -> None:
    table = DrivenTable(chapters=0)
    table.begin(layout.new_state())
    table.resign(WHITE)
    table.press(DRAW)
    assert table.table.tracker.phase == OVER


@pytest.mark.parametrize("chapters", range(5))
def test_the_button_goes_through_what_is_unlocked(chapters: int) -> None:
    table = DrivenTable(seed=chapters, chapters=chapters)
    cycle = [GROWTH, INFLUENCE, MEMORY][:chapters]
    for _ in range(2):
        for modules in cycle:
            table.press(DRAW)
            assert table.table.game.state == objects.new_state(modules)
            assert table.table.tracker.phase == RESTORE
        if chapters == 4:
            table.press(DRAW)
            assert modules_of(table) in (3, 5, 6), "a pair was drawn"
            table.press(DRAW)
            assert modules_of(table) == ALL_MODULES
        table.press(DRAW)
        assert table.table.game.state == layout.new_state()


def test_pairs_are_drawn_anew_each_time_and_options_stay() -> None:
    pairs = set()
    for seed in range(20):
        table = DrivenTable(seed)
        table.begin(objects.new_state(MEMORY), 3)
        table.resign(WHITE)
        table.press(DRAW)
        pairs.add(modules_of(table))
        assert table.table.game.options == 3
        table.go()
        assert objects.convergence(table.table.game_id) == modules_of(table)
    assert pairs == {3, 5, 6}


def test_what_was_chosen_shows_for_two_seconds() -> None:
    table = DrivenTable(seed=1)
    mirror = table.attach(None)
    for spaces in ([1, 5], [1, 2, 6], [1, 2, 3, 7]):
        table.press(DRAW)
        assert lit(table) == spaces, "its number, and below what is played"
        assert [
            space + 1 for space in range(8) if mirror.table.leds[space] == meanings.WIN
        ] == spaces
    table.press(DRAW)
    assert lit(table)[:4] == [1, 2, 3, 4]
    assert len(lit(table)) == 6, "which two"
    table.press(DRAW)
    assert lit(table) == [1, 2, 3, 4, 5, 6, 7]
    table.press(DRAW)
    assert lit(table) == [], "the standard game"
    table.press(DRAW)
    table.run(1700)
    assert lit(table) == [1, 5]
    table.run(200)
    assert lit(table) == []


# ---- what is locked


@pytest.mark.parametrize("chapters", range(5))
@pytest.mark.parametrize("modules", range(8))
def test_a_table_starts_what_is_unlocked_and_refuses_the_rest(chapters: int, modules: int) -> None:
    table = DrivenTable(chapters=chapters)
    table.attach(None)
    assert table.session is not None
    due = {0: 0, GROWTH: 1, INFLUENCE: 2, MEMORY: 3}.get(modules, 4)
    table.session.set_up(objects.new_state(modules), 0)
    table.run()
    refused = table.heard("refused")
    assert refused == ([] if due <= chapters else [REFUSALS[REFUSED_POSITION]])
    assert modules_of(table) == (modules if due <= chapters else 0)


def test_a_table_refuses_what_the_box_has_not_and_unknown_options() -> None:
    table = DrivenTable().table
    state = objects.new_state(GROWTH | INFLUENCE)
    assert start(table, state, 0x1F)
    assert not start(table, state, 0x20)
    objects.put(state, 0, 9, objects.SEED)
    assert not start(table, state), "six seeds"
    assert objects.modules_of(table.game.state) == 3


def test_chapters_are_a_setting_that_only_grows_and_is_told() -> None:
    table = DrivenTable(chapters=0)
    mirror = table.attach(None)
    assert table.session is not None
    for value, count in ((2, 2), (1, 2), (5, 2), (4, 4)):
        table.session.command("set", setting=CHAPTERS, value=value)
        table.run()
        assert table.table.chapters.unlocked == count
    assert len(table.heard("refused")) == 1
    change(table.table, 0, 1)
    change(table.table, 1, 2)
    table.table._send_snapshot()
    payload = table.table.link._backlog._states["S"]
    assert decode_fields(row_of("snapshot"), payload)["settings"] == 0x20 | 1 + 3 * 4
    assert mirror.game is not None


@pytest.mark.parametrize("data", [b"", b"5", b"x", b"-1", b"\xff", b"4 and more"])
def test_a_damaged_file_unlocks_nothing_but_what_it_says(data: bytes) -> None:
    store = MemoryStore()
    store.files["chapters"] = data
    assert DrivenTable(chapters=0, store=store).table.chapters.unlocked == (
        4 if data[:1] == b"4" else 0
    )


def test_a_flash_that_fails_costs_the_chapters_with_the_power() -> None:
    class Broken(MemoryStore):
        def replace(self, name: str, data: bytes) -> None:
            raise OSError(5, "EIO")

        def read(self, name: str) -> bytes:
            raise OSError(5, "EIO")

    store = Broken()
    table = DrivenTable(chapters=0, store=store)
    table.press(*RESIGN, DRAW)
    assert table.table.chapters.unlocked == 1
    store.files["chapters"] = b"1"
    assert DrivenTable(chapters=0, store=store).table.chapters.unlocked == 0


def test_the_position_of_a_locked_game_that_goes_on_stays() -> None:
    """Its chapter was unlocked when it began; the file of the chapters was lost since."""
    store = MemoryStore()
    table = DrivenTable(store=store)
    table.begin(objects.new_state(GROWTH))
    table.play(2)
    del store.files["chapters"]
    again = DrivenTable(chapters=0, store=store, boot=6)
    assert pack_position(again.table.game.state) == pack_position(table.table.game.state)


def test_a_table_that_never_has_room_plays_the_standard_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(_table: TurnTree) -> None:
        raise MemoryError

    monkeypatch.setattr(TurnTree, "reserve", fail)
    store = MemoryStore()
    store.files["chapters"] = b"2"
    table = DrivenTable(chapters=0, store=store)
    assert not table.table.wants_restart(), "that would never end"
    table.press(DRAW)
    assert modules_of(table) == 0
    assert not start(table.table, objects.new_state(GROWTH))
    table.begin(layout.new_state())
    table.play(2)


def leave_no_room_for(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    """Have a module of the rules fail to load from now on."""
    load = builtins.__import__

    def fail(name: str, *rest: Any) -> Any:
        if name == "ttykm" and module in rest[2]:
            raise MemoryError
        return load(name, *rest)

    monkeypatch.setattr(builtins, "__import__", fail)


def test_a_standard_game_needs_no_room_for_the_code_of_objects(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    leave_no_room_for(monkeypatch, "objects")
    table = DrivenTable(chapters=0)
    table.begin(layout.new_state())
    table.play(2)
    assert table.table.game.turns


def test_code_that_has_no_room_is_a_reason_to_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    table = DrivenTable(chapters=1)
    assert not table.table.wants_restart()
    leave_no_room_for(monkeypatch, "acts")
    table.press(DRAW)
    assert modules_of(table) == 0
    assert lit(table) == []
    assert table.table.wants_restart()
    assert not start(table.table, objects.new_state(GROWTH))
    table.begin(layout.new_state())
    table.play(2)


def test_a_restart_is_wanted_when_nobody_plays_and_the_light_has_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reserve = TurnTree.reserve

    def fail(_table: TurnTree) -> None:
        raise MemoryError

    monkeypatch.setattr(TurnTree, "reserve", fail)
    table = DrivenTable(chapters=0)
    table.begin(layout.new_state())
    assert change(table.table, CHAPTERS, 1)
    assert not table.table.wants_restart()
    table.resign(WHITE)
    assert table.table.wants_restart()
    table.press(*RESIGN, DRAW)
    assert not table.table.wants_restart()
    table.run(2000)
    assert table.table.wants_restart()
    monkeypatch.setattr(TurnTree, "reserve", reserve)
    assert change(table.table, CHAPTERS, 2)
    assert not table.table.wants_restart(), "there was room after all"


# ---- two locks at a line

UNLOCK = ("resign", WHITE), ("resign", BLACK), ("draw", SHARED)


class Kept:
    """What a PC keeps of its chapters."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.writes = 0

    def unlocked(self) -> int:
        return self.count

    def unlock_to(self, count: int) -> None:
        assert count > self.count
        self.count = count
        self.writes += 1


@pytest.mark.parametrize("theirs", range(5))
@pytest.mark.parametrize("ours", range(5))
def test_the_larger_number_wins_on_both_sides(ours: int, theirs: int) -> None:
    table, kept = DrivenTable(chapters=theirs), Kept(ours)
    table.attach(None, kept)
    assert table.table.chapters.unlocked == kept.count == max(ours, theirs)
    assert kept.writes == (theirs > ours)
    assert not table.heard("refused")


def test_what_is_unlocked_at_the_table_is_unlocked_here_at_once_and_on_the_next_table() -> None:
    table, kept = DrivenTable(chapters=0), Kept(1)
    table.attach(None, kept)
    table.press(*UNLOCK)
    table.run()
    assert kept.count == table.table.chapters.unlocked == 2
    table.detach()
    other = DrivenTable(chapters=0, store=MemoryStore())
    other.attach(None, kept)
    assert other.table.chapters.unlocked == 2


def test_a_table_without_a_lock_at_the_line_keeps_its_own() -> None:
    table = DrivenTable(chapters=3)
    table.attach(None)
    assert table.table.chapters.unlocked == 3


def test_an_older_table_is_not_told() -> None:
    table, kept = DrivenTable(chapters=0), Kept(2)
    table.table.link.hello.minor = 0
    table.attach(None, kept)
    assert table.table.chapters.unlocked == 0
    assert not table.heard("refused")


@pytest.mark.parametrize("error", [UserError("chapters.json: is damaged"), OSError(13, "no")])
def test_a_number_that_cannot_be_read_is_said_and_nothing_breaks(error: Exception) -> None:
    def fail() -> int:
        raise error

    table = DrivenTable(chapters=1)
    lock = SimpleNamespace(unlocked=fail, unlock_to=lambda _count: None)
    table.attach(None, lock)
    assert table.heard("notice") == [str(error)]
    assert not table.heard("log"), "a log is said to be the table's own words"
    assert table.table.chapters.unlocked == 1


def test_no_settings_say_more_chapters_than_there_are() -> None:
    assert {settings_told(settings).chapters for settings in range(256)} == set(range(5))
    for level in range(3):
        for chapters in range(5):
            assert settings_told(level + 3 * chapters | 0x20).chapters == chapters
    assert Identity().minor >= 1


def test_nobody_unlocks_chapters_by_a_setting() -> None:
    """`chronotable unlock` does, and no list of settings tells that there is something."""
    with pytest.raises(UserError) as caught:
        parse_settings(["chapters=4"])
    assert str(caught.value).count("chapters") == 1, "what was typed"
