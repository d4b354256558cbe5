"""Help for a chapter is on the page once it is unlocked, and not a word of it before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chronotable_host import chapters
from chronotable_host.rulebook import book
from chronotable_host.rulebook.book import introductions
from tests import lanes
from tests.host.leaks import leaks
from tests.lab.page import served
from tests.page.browsing import PHONE, Browser, edges, opened
from tests.page.evening_served import ServedEvening

STATUES = (
    "w..............b/w..............b/w..............b 0 2 4 4 w influence nN7/nN7/nN7 statues=wb"
)
OWN_WORDS = ("growth", "influence", "memory", "convergence")


@pytest.mark.parametrize("count", range(chapters.COUNT + 1))
def test_what_is_unlocked_is_introduced_with_its_rules(count: int) -> None:
    chapters.unlock_to(count)
    told = introductions()
    assert [each.name for each in told] == list(OWN_WORDS[:count])
    assert all(each.rule in book.rules() for each in told)
    if count == 0:
        assert leaks(json.dumps(told)) == []


@lanes.gate
@pytest.mark.browser
def test_the_first_game_with_a_chapter_leads_to_its_rules(
    browser: Browser, tmp_path: Path, pictures: Path
) -> None:
    chapters.unlock_to(1)
    with served(tmp_path, "--modules", "growth") as url:
        someone = opened(browser, url, size=PHONE)
        page = someone.page
        help_ = page.locator(".chapter", has_text="Copies can plant seeds")
        help_.wait_for()
        page.locator("#note", has_text="Copies can plant seeds").wait_for()
        page.screenshot(path=pictures / "chapter-390.png")
        help_.get_by_role("link", name="Its rules").click()
        page.locator('.rule[aria-current="true"]', has_text="What there is").wait_for()
        page.locator(".rules-contents a", has_text="Chapter 1").wait_for()
        page.go_back()
        help_.get_by_role("button", name="I see").click()
        help_.wait_for(state="detached")
        page.reload()
        someone.hears("Choose a copy")
        assert help_.count() == 0


@lanes.gate
@pytest.mark.browser
@pytest.mark.parametrize("size", [(390, 664), (1440, 900)])
def test_how_a_table_s_light_asks_for_a_chapter_s_piece_is_said_behind_the_turns(
    browser: Browser, tmp_path: Path, pictures: Path, size: tuple[int, int]
) -> None:
    """Where the pieces lie on a real table; no board moves for it."""
    chapters.unlock_to(2)
    with ServedEvening(tmp_path, STATUES, real=True) as at:
        page = at.opens(browser, size).page
        at.looker.look()
        page.get_by_text("White to move").first.wait_for()
        spaces = edges(page, "#eras .space")
        assert page.locator(".piece-sign").count() == 0
        at.evening.do(("lift", 6), ("place", 5, "statue-neutral"))
        at.evening.wait(3000)
        at.looker.look()
        sign = page.locator(".turns .piece-sign", has_text="yellow for the neutral one")
        sign.wait_for(state="attached")
        assert edges(page, "#eras .space") == spaces
        if size[0] < size[1]:
            page.get_by_role("button", name="Turns").click()
        page.screenshot(path=pictures / f"sign-{size[0]}.png")
        ((left, top, right, bottom),) = edges(page, ".turns .piece-sign")
        assert 0 <= left < right <= size[0]
        assert 0 <= top < bottom <= size[1]


@pytest.mark.browser
def test_the_standard_game_needs_no_chapter(browser: Browser, tmp_path: Path) -> None:
    chapters.unlock_to(1)
    with served(tmp_path) as url:
        page = opened(browser, url, ".tip").page
        assert page.locator(".chapter").count() == 0
