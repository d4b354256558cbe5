"""A game of a night on the page in Chromium: found in the list, and stepped through to its end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chronotable_host.archive.nights import GameRecord, format_record
from chronotable_night.games.interface import SPECTATOR, Kind
from chronotable_night.games.record import course
from chronotable_night.games.shelf import kinds
from tests import lanes
from tests.games.courses import recorded
from tests.lab.page import served
from tests.night.drawn import BIG, SMALL_BIG, overflowing
from tests.page.browsing import PHONE, Browser, Page, barriers, edges, opened

pytestmark = pytest.mark.browser

KINDS = list(kinds().values())
BOARD = "#field > *"


@pytest.fixture(scope="module")
def records() -> dict[str, GameRecord]:
    return {kind.name: recorded(kind, bot=2) for kind in KINDS}


@pytest.fixture(scope="module")
def url(records: dict[str, GameRecord], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("nights")
    for name, record in records.items():
        (folder / f"{name}.night").write_text(format_record(record), "utf-8")
    with served(folder) as found:
        yield found


def replay_of(kind: Kind, url: str, step: int = 0) -> str:
    return f"{url.split('?', maxsplit=1)[0]}night/static/replay.html?game={kind.name}#{step}"


def at_step(page: Page, number: int, last: int) -> None:
    page.locator("#sign", has_text=f"step {number} of {last}").wait_for()


@pytest.mark.parametrize("kind", lanes.once(KINDS), ids=lambda kind: kind.name)
def test_a_game_is_stepped_through_to_its_end(
    browser: Browser, url: str, records: dict[str, GameRecord], pictures: Path, kind: Kind
) -> None:
    record = records[kind.name]
    game, states = course(record)
    last = len(record.actions)
    someone = opened(browser, f"{url}#games", ".listed", BIG)
    page = someone.page
    page.locator(".listed", has_text=kind.title).click()
    page.locator("body[data-mode=play]").wait_for()
    at_step(page, 0, last)
    for number in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        at_step(page, number, last)
        view = game.view(states[number].state, SPECTATOR)
        headline, _ = game.headline(view, record.players)
        assert page.locator("#headline").inner_text() == headline
        assert page.locator(BOARD).count() > 0
    page.get_by_role("button", name="One step back").click()
    at_step(page, 2, last)
    slider = page.get_by_role("slider", name="Step")
    slider.fill(str(last // 2))
    at_step(page, last // 2, last)
    page.wait_for_url(f"**#{last // 2}")
    page.screenshot(path=pictures / f"night-{kind.name}-middle.png")
    assert barriers(page) == []
    page.get_by_role("button", name="All steps in words").click()
    rows = page.locator("#story li")
    assert rows.count() == last
    assert page.locator("#story .now").inner_text().startswith(str(last // 2))
    rows.nth(4).locator("a").click()
    at_step(page, 5, last)
    page.keyboard.press("End")
    page.locator("body[data-mode=over]").wait_for()
    for name in record.players:
        assert name in page.locator("#field").inner_text()
    outcome = game.outcome(states[-1].state)
    assert outcome is not None
    assert page.locator("#field .why").last.inner_text().strip() != ""
    page.screenshot(path=pictures / f"night-{kind.name}-end.png")
    page.reload()
    at_step(page, last, last)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_all_hands_are_shown_where_there_are_any(
    browser: Browser, url: str, records: dict[str, GameRecord], pictures: Path, kind: Kind
) -> None:
    """Every seat's, and nothing of them before they are asked for."""
    record = records[kind.name]
    someone = opened(browser, replay_of(kind, url, 12), BOARD, BIG, color_scheme="dark")
    page = someone.page
    button = page.get_by_role("button", name="All hands")
    has_hands = "holds" in (kind.page / "big.js").read_text("utf-8")
    assert button.count() == has_hands
    if has_hands:
        assert page.locator(".hands").count() == 0
        button.click()
        hands = page.locator(".hands li")
        hands.first.wait_for()
        page.screenshot(path=pictures / f"night-{kind.name}-hands.png")
        assert [each.locator("b").first.inner_text() for each in hands.all()] == record.players
        assert all(each.locator(".holds *").count() > 1 for each in hands.all())
        assert barriers(page) == []
        page.keyboard.press("ArrowRight")
        at_step(page, 13, len(record.actions))
        assert hands.count() == len(record.players)
        page.get_by_role("slider", name="Step").fill("1")  # one card is played
        at_step(page, 1, len(record.actions))
        page.screenshot(path=pictures / f"night-{kind.name}-full-hands.png")
        assert overflowing(page) == []
        assert page.locator("#field").evaluate("each => each.scrollHeight <= each.clientHeight")
        button.click()
        page.locator(".hands").wait_for(state="detached")


@pytest.mark.parametrize("size", [SMALL_BIG, PHONE, (360, 640), (844, 390)])
def test_the_controls_are_within_reach_in_every_window(
    browser: Browser, url: str, pictures: Path, size: tuple[int, int]
) -> None:
    page = opened(browser, replay_of(KINDS[0], url, 20), BOARD, size).page
    page.screenshot(path=pictures / f"night-{size[0]}x{size[1]}.png")
    for left, top, right, bottom in edges(page, "#steps > *"):
        assert 0 <= left < right <= size[0]
        assert bottom <= size[1]
        assert bottom - top >= 40


def test_a_game_that_is_not_there_is_said(browser: Browser, url: str) -> None:
    address = f"{url.split('?', maxsplit=1)[0]}night/static/replay.html?game=nothing"
    someone = opened(browser, address)
    page = someone.page
    page.get_by_role("heading", name="There is no game of that id in the archive.").wait_for()
    page.get_by_role("link", name="All games").click()
    page.locator(".listed").first.wait_for()
    assert someone.trouble.pop().endswith("status of 404 (Not Found)")
