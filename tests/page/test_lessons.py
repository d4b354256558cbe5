"""A first lesson in Chromium: what the page says is enough to solve it by clicks."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronotable_host.archive.store import Archive
from chronotable_host.learning.lessons.exercises import LESSONS
from tests import lanes
from tests.lab.page import served
from tests.page.browsing import Browser, barriers
from tests.page.test_first_game import SIZES, Visitor, visitor

pytestmark = pytest.mark.browser

FIRST = LESSONS[0].exercises
RIGHT = (("move", "move"), ("push", "move"), ("push", "push"))
"""What is marked on the way to each."""


def presses(someone: Visitor, name: str) -> None:
    """Press a button."""
    someone.presses(someone.page.get_by_role("button", name=name, exact=True))


def is_told(someone: Visitor, words: str) -> None:
    """Wait until the lesson says something."""
    someone.page.locator(".lesson p", has_text=words).wait_for()


def acts(someone: Visitor, *marks: str) -> None:
    """Choose the copy that may act, what is marked for each action, and the first open eye."""
    due = ("Choose a copy", "Where to? 2 actions", "Where to? 1 action", "Move the focus")
    for says, mark in zip(due, ("copy", *marks, "focus"), strict=True):
        someone.hears(says)
        someone.presses(someone.page.locator(f'#eras [data-meaning="{mark}"]').first)


@pytest.mark.parametrize("how", lanes.once(SIZES))
def test_the_first_lesson(browser: Browser, tmp_path: Path, pictures: Path, how: str) -> None:
    """From its button to the last exercise; a miss and a hint on the way."""
    with served(tmp_path) as url:
        someone = visitor(browser, url, how)
        page = someone.page
        someone.hears("Choose a copy")
        presses(someone, "Lessons")
        is_told(someone, FIRST[0].says)
        page.screenshot(path=pictures / f"lesson-{how}.png")
        someone.finds_room(someone.place(5))
        if how != "keys":  # which go to no such space
            copy = page.locator("#eras .space.can").first
            place = someone.place(int(copy.get_attribute("data-sensor") or ""))
            someone.presses(someone.place(15))
            someone.hears("Not there")
            assert FIRST[0].says not in page.locator("#note").inner_text()  # but why
            someone.presses(place)
            someone.hears("Where to?")
            someone.presses(place)
        acts(someone, "forward", "move")
        is_told(someone, FIRST[0].missed)
        presses(someone, "Hint")
        is_told(someone, FIRST[0].hint)
        someone.hears("This copy")
        presses(someone, "Next: the first action")
        someone.hears("First: ")
        page.locator("#eras .hinted .number").wait_for()
        presses(someone, "Enough")
        for exercise, marks in zip(FIRST, RIGHT, strict=True):
            if exercise is not FIRST[0]:
                is_told(someone, exercise.says)
            acts(someone, *marks)
            is_told(someone, exercise.solved)
            someone.hears("Solved!")
            presses(someone, "Go on")
        is_told(someone, "The next one is lesson 2")
        someone.hears("Well done")
        assert barriers(page, small_ones=True) == []
        presses(someone, "Play a game")
        page.locator(".lesson").wait_for(state="detached")
        someone.hears("Choose a copy")
        page.evaluate("location.hash = 'lessons'")
        page.locator("#lessons .option", has_text=f"1. {LESSONS[0].title} ✓").wait_for()
        assert page.locator("#lessons .option", has_text="✓").count() == 1
    with Archive(tmp_path) as archive:
        assert [*archive.games()] == []


def test_a_lesson_that_the_command_names(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, "--lesson", "5") as url:
        someone = visitor(browser, url)
        is_told(someone, LESSONS[4].exercises[0].says)
        presses(someone, "End lesson")
        someone.page.locator("#start .form").wait_for()  # no game that nobody has begun
