"""The wall in a browser: from one table to more than fit a screen, in both themes, on phones."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronotable_club.messages import Live
from chronotable_host.rules.record import format_record
from tests import lanes
from tests.club.shown import beginning, recorded, said, served, some_games
from tests.page.browsing import (
    PHONE,
    Browser,
    HeldRequest,
    Page,
    Size,
    barriers,
    comes_true,
    opened,
)
from tests.sleeping import sleeping_line

pytestmark = pytest.mark.browser

BIG = (1920, 1080)


def wall_at(browser: Browser, url: str, size: Size = BIG, theme: str = "light") -> Page:
    return opened(browser, url, ".tile", size, color_scheme=theme, reduced_motion=None).page


@pytest.mark.parametrize("count", lanes.once([1, 6, 24, 60], 1))
def test_all_tables_are_there_and_nobody_is_barred(
    browser: Browser, tmp_path: Path, count: int
) -> None:
    with served(tmp_path / "club", list(some_games(count))) as (server, _):
        for theme in ("light", "dark"):
            page = wall_at(browser, server.walls[0], theme=theme)
            comes_true(page, f"document.querySelectorAll('.tile').length == {min(count, 30)}")
            assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
            names = page.eval_on_selector_all(
                ".who .table", "all => all.map(it => parseFloat(getComputedStyle(it).fontSize))"
            )
            assert min(names) >= 17  # legible from some metres on a projector
            assert barriers(page) == []
        page = wall_at(browser, server.walls[0], PHONE)
        comes_true(page, f"document.querySelectorAll('.tile').length == {count}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert barriers(page) == []


def test_more_than_fit_are_on_pages_that_turn_unless_held(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path / "club", list(some_games(60))) as (server, _):
        page = wall_at(browser, server.walls[0])
        page.wait_for_selector("text=Table 30")
        page.click("button[aria-label='Page 2']")
        page.wait_for_selector("text=Table 60")
        assert page.locator(".hold").get_attribute("aria-pressed") == "true"


@lanes.gate
def test_a_turn_is_shown_and_one_table_large(browser: Browser, tmp_path: Path) -> None:
    record = recorded("Ada", "Bob")[3]
    game = Live("game", format_record(beginning(record, 7)), "turn")
    with served(tmp_path / "club", [game, Live("", "", "free")]) as (server, collector):
        page = wall_at(browser, server.walls[0])
        page.wait_for_selector("text=Turn 8")
        table = next(iter(collector.hub.tables.values()))
        later = game._replace(record=format_record(beginning(record, 8)))
        collector.step(said(table.channel, 50, later))
        page.wait_for_selector("text=Turn 9")
        page.click("text=Table 1")
        page.wait_for_selector("#large .turns li:nth-child(8)")
        assert page.evaluate("document.activeElement.id") == "large-title"
        later = game._replace(record=format_record(record), phase="over")
        collector.step(said(table.channel, 51, later))
        page.wait_for_selector("#large >> text=Replay")
        held = HeldRequest(page, "**/api/tables/*")
        other = Live("other", format_record(beginning(record, 3)), "turn")
        collector.step(said(table.channel, 52, other))
        page.wait_for_selector("#large >> text=Turn 4")
        held.waits()
        assert not page.locator("#large .turns li").count(), "those of the last game are gone"
        held.goes_on()
        page.wait_for_selector("#large .turns li:nth-child(3)")
        assert barriers(page) == []
        page.keyboard.press("Escape")
        page.wait_for_selector(".tile")


def test_a_wall_whose_line_dies_says_so_and_comes_back(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Likewise the director's page."""
    lives = list(some_games(3))
    with (
        sleeping_line(monkeypatch) as line,
        served(tmp_path / "club", lives, **line.where) as (server, _),
    ):
        wall = wall_at(browser, line.url)
        link = server.director_link.replace(line.host, "127.0.0.1")
        director = opened(browser, link, "#tables >> text=Table 1").page
        line.sleeps()
        for page in (wall, director):
            page.locator("#lost").wait_for()
        line.wakes()
        for page in (wall, director):
            page.locator("#lost").wait_for(state="hidden")


def test_results_and_director(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path / "club", list(some_games(3))) as (server, _):
        page = wall_at(browser, server.walls[0])
        page.goto(server.director_link)
        page.fill("#name", "Table 44")
        page.click("text=Add")
        page.wait_for_selector("#token code")
        assert page.inner_text("#token code").startswith("table-")
        page.wait_for_selector("#tables >> text=Table 44")
        assert barriers(page) == []
        page.clock.install()
        page.goto(f"{server.walls[0]}results")
        page.wait_for_selector("#results tbody tr")
        assert barriers(page) == []
        page.locator("#results tbody tr").first.evaluate("it => { it.dataset.stays = 'yes'; }")
        with page.expect_response("**/api/results"):
            page.clock.fast_forward(10_000)
        page.evaluate("fetch('/api/results').then(answer => answer.json())")
        assert page.locator("#results [data-stays]").count(), "it is drawn anew for news alone"
        page.click("#results a")
        page.wait_for_selector(".ribbon")
