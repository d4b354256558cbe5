"""Chapters that are unlocked on one side of the line are unlocked on the other."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from chronotable.hardware.sensors import SHARED
from chronotable.link.link import Identity
from chronotable_host.errors import UserError
from chronotable_host.live.settings import parse_settings, settings_told
from tests.host.driven import Driven
from tests.lab.store import MemoryStore
from ttykm.layout import BLACK, WHITE

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
    table, kept = Driven(chapters=theirs), Kept(ours)
    table.attach(None, kept)
    assert table.table.chapters.unlocked == kept.count == max(ours, theirs)
    assert kept.writes == (theirs > ours)
    assert not table.heard("refused")


def test_what_is_unlocked_at_the_table_is_unlocked_here_at_once_and_on_the_next_table() -> None:
    table, kept = Driven(chapters=0), Kept(1)
    table.attach(None, kept)
    table.press(*UNLOCK)
    table.run()
    assert kept.count == table.table.chapters.unlocked == 2
    table.detach()
    other = Driven(chapters=0, store=MemoryStore())
    other.attach(None, kept)
    assert other.table.chapters.unlocked == 2


def test_a_table_without_a_lock_at_the_line_keeps_its_own() -> None:
    table = Driven(chapters=3)
    table.attach(None)
    assert table.table.chapters.unlocked == 3


def test_an_older_table_is_not_told() -> None:
    table, kept = Driven(chapters=0), Kept(2)
    table.table.link.hello.minor = 0
    table.attach(None, kept)
    assert table.table.chapters.unlocked == 0
    assert not table.heard("refused")


@pytest.mark.parametrize("error", [UserError("chapters.json: is damaged"), OSError(13, "no")])
def test_a_number_that_cannot_be_read_is_said_and_nothing_breaks(error: Exception) -> None:
    def fail() -> int:
        raise error

    table = Driven(chapters=1)
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
