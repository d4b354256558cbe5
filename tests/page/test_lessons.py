"""A first lesson in Chromium: what the page says is enough to solve it by clicks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chronotable_host.archive.store import Archive
from chronotable_host.lessons.exercises import LESSONS
from tests import lanes
from tests.lab.page import served
from tests.page.browsing import import_axe
from tests.page.test_first_game import SIZES, Visitor, visitor

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

FIRST = LESSONS[0].exercises
FITS = "document.documentElement.scrollHeight <= innerHeight"


def presses(someone: Visitor, name: str) -> None:
    """Press a button as this person does."""
    button = someone.page.get_by_role("button", name=name, exact=True)
    match someone.how:
        case "mouse":
            button.click()
        case "touch":
            button.tap()
        case "keys":
            button.press("Enter")


def is_told(someone: Visitor, words: str) -> None:
    """Wait until the lesson says something."""
    someone.page.locator(".lesson p", has_text=words).wait_for()


def chooses(someone: Visitor, selector: str) -> None:
    """Choose the first place on the boards that is marked so."""
    place = someone.page.locator(f"#eras {selector}").first
    place.wait_for()
    match someone.how:
        case "mouse":
            place.click()
        case "touch":
            place.tap()
        case "keys":
            place.press("Enter")


def acts(someone: Visitor, *marks: str) -> None:
    """Choose the copy that may act, what is marked for each action, and the first open eye."""
    due = ("Choose a copy", "2 actions left", "1 action left", "Now your focus")
    for says, mark in zip(due, ("copy", *marks, "focus"), strict=True):
        someone.hears(says)
        chooses(someone, f'[data-meaning="{mark}"]')


@pytest.mark.parametrize("how", lanes.once(SIZES))
def test_the_first_lesson(browser: Browser, tmp_path: Path, pictures: Path, how: str) -> None:
    """From the newcomer's tip, or the menu, to the last exercise; a miss and a hint on the way."""
    with served(tmp_path) as url, visitor(browser, url, how) as someone:
        page = someone.page
        someone.hears("Choose a copy")
        if how == "touch":  # a small screen has no room for tips
            presses(someone, "Menu")
            page.locator("#menu summary", has_text="Learn the game").tap()
            presses(someone, "1. Move and push")
        else:
            presses(someone, "Five lessons")
        is_told(someone, FIRST[0].says)
        page.screenshot(path=pictures / f"lesson-{how}.png")
        box = someone.place(5).bounding_box()
        assert box is not None
        assert box["width"] >= 35
        assert page.evaluate(FITS)
        acts(someone, "forward", "move")
        is_told(someone, FIRST[0].missed)
        presses(someone, "Hint")
        is_told(someone, FIRST[0].hint)
        acts(someone, "move", "move")
        is_told(someone, FIRST[0].solved)
        someone.hears("Solved!")
        presses(someone, "Go on")
        is_told(someone, FIRST[1].says)
        acts(someone, "push", "move")
        is_told(someone, FIRST[1].solved)
        presses(someone, "Go on")
        is_told(someone, FIRST[2].says)
        acts(someone, "push", "push")
        is_told(someone, FIRST[2].solved)
        presses(someone, "Go on")
        is_told(someone, "The next one is lesson 2")
        axe = import_axe().Axe().run(page)
        assert not axe.response["violations"], axe.generate_report()
        presses(someone, "Play a game")
        page.locator(".lesson").wait_for(state="detached")
        someone.hears("Choose a copy")
    with Archive(tmp_path) as archive:
        assert [*archive.games()] == []


def test_a_lesson_that_the_command_names(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, "--lesson", "5") as url, visitor(browser, url, "mouse") as someone:
        is_told(someone, LESSONS[4].exercises[0].says)
        presses(someone, "End lesson")
        someone.page.locator(".lesson").wait_for(state="detached")
        someone.page.get_by_text("These are all you, at different times.").wait_for()
