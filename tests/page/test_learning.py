"""Learn from your mistakes, in Chromium: each is a question, and what one tries is judged.

The pictures that are taken on the way go to the folder that CHRONOTABLE_PICTURES names.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from chronotable_host.analysed_games import AnalysedGame, analyse
from chronotable_host.archive.store import Archive
from chronotable_host.live.players.hinter import why_focus
from chronotable_host.rules.annotations import ERRORS
from chronotable_host.rules.notation import PLAYERS
from chronotable_host.rules.record import Record, format_record
from tests import lanes
from tests.host.archives import random_record
from tests.lab.page import served
from tests.page.browsing import HeldRequest, Person, barriers, edges, open_list, opened
from tests.page.choosing import tries
from ttykm import layout
from ttykm.game import Game

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("game")]

SEED = 11
PHONE, PC = (390, 844), (1440, 900)


@pytest.fixture(scope="module")
def record() -> Record:
    found = random_record(SEED)
    found.headers.update({"White": "Ann", "Black": "Bob", "Date": "2026-11-20"})
    return found


@pytest.fixture(scope="module")
def folder(record: Record, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an archive of a game that is analysed, and of one that is not."""
    folder = tmp_path_factory.mktemp("learn")
    for name, each in (("judged", record), ("short", random_record(SEED, 4))):
        (folder / f"{name}.ttykm").write_text(format_record(each), "utf-8")
    return folder


def mistakes(record: Record, game: AnalysedGame) -> tuple[str, list[int]]:
    """Return the side with more mistakes, and the places of its turns."""
    first = layout.mover(record.start)
    found: dict[str, list[int]] = {player: [] for player in PLAYERS}
    for at, said in enumerate(game.said):
        if said.mark in ERRORS:
            found[PLAYERS[(first + at) % 2]].append(at)
    return max(found.items(), key=lambda each: len(each[1]))


def before(record: Record, at: int) -> Game:
    """Return a game before one of its turns."""
    game = Game()
    game.start(record.start, record.options)
    for turn in record.turns[:at]:
        game.apply(turn)
    return game


def opens(browser: Browser, address: str, size: tuple[int, int], **how: Any) -> Person:
    viewport = dict(zip(("width", "height"), size, strict=True))
    awaited = '#learn [tabindex="0"].space, #learn .pick'
    return opened(browser, address, awaited, viewport=viewport, **how)


NAMES = {"white": "Ann", "black": "Bob"}


def asks(page: Page, player: str) -> None:
    page.locator("#learn h1", has_text=f"Find a better turn for {NAMES[player]}").wait_for()


def is_told(page: Page, words: str) -> None:
    page.locator("#learn .controls p, #learn .head p", has_text=re.compile(words)).wait_for()


@lanes.gate
def test_who_has_not_had_it_analysed_waits_for_the_mistakes(browser: Browser, url: str) -> None:
    someone = opened(browser, f"{url}#learn/short/white", "#learn h1")
    someone.page.locator("#learn h1", has_text="Looking for mistakes").wait_for()
    asked = re.compile("Find a better turn for White|Nothing to learn")
    someone.page.locator("#learn h1", has_text=asked).wait_for()


@pytest.mark.parametrize("how", lanes.once(["mouse", "keys", "touch"]))
@pytest.mark.parametrize("size", lanes.once([(PHONE,), (PC,)]))
def test_the_better_turn_is_found_and_played_through(
    browser: Browser, url: str, record: Record, game: AnalysedGame, size: tuple[int, int], how: str
) -> None:
    side, places = mistakes(record, game)
    someone = opens(browser, f"{url}#learn/judged/{side}", size, has_touch=True)
    page = someone.page
    asks(page, side)
    at, said = places[0], game.said[places[0]]
    tries(page, "#learn", before(record, at), said.best[0], how)
    page.locator("#learn h1", has_text="Found!").wait_for()
    is_told(page, "^That was the better turn")
    page.locator(f"#learn .mover .copy.{side[0]}.glad").wait_for()  # one's own, not the other's
    page.locator("#learn h1").focus()
    follow = min(len(said.best), 6) - 1
    assert follow  # what would follow is found out meanwhile
    page.locator('#learn [aria-label="One turn on"][aria-disabled="false"]').wait_for()
    for _ in range(follow):
        page.keyboard.press("ArrowRight")
    assert page.get_by_role("button", name="One turn on").get_attribute("aria-disabled") == "true"
    for _ in range(len(said.best)):
        page.keyboard.press("ArrowLeft")
    asks(page, side)
    assert page.locator("#learn .turns .tag").all_inner_texts() == ["found"]
    page.get_by_role("button", name="Next").click()
    if len(places) > 1:
        page.wait_for_url(f"**/{side}/2")
        asks(page, side)
    assert someone.trouble == []
    page.context.close()


def test_what_was_played_gives_away_and_may_be_tried_again(
    browser: Browser, url: str, record: Record, game: AnalysedGame
) -> None:
    side, places = mistakes(record, game)
    someone = opens(browser, f"{url}#learn/judged/{side}", PC)
    page = someone.page
    tries(page, "#learn", before(record, places[0]), record.turns[places[0]], "mouse")
    is_told(page, r"^That gives away \d+ %\.$")
    assert page.locator(f"#learn .mover .copy.{side[0]}").count()  # not of who moves now
    page.get_by_role("button", name="Try again").click()
    asks(page, side)
    assert page.locator("#learn .turns .tag").count() == 0
    # what the other could do then, and why the better turn is better, both with their places
    position, best = before(record, places[0]), game.said[places[0]].best[0]
    assert re.search(
        r"\(\w+ \d.*\)\. Then \w+ (can|wins)", page.locator("#learn .head p").inner_text()
    )
    page.get_by_role("button", name="Show it").click()
    is_told(page, rf"^.+ \(\d.*\); .+\. {re.escape(why_focus(position, best))}$")
    assert page.locator("#learn .turns .tag").all_inner_texts() == ["shown"]
    page.context.close()


def test_any_other_turn_is_judged_by_what_is_found_out(
    browser: Browser, url: str, record: Record, game: AnalysedGame
) -> None:
    side, places = mistakes(record, game)
    at = places[-1]
    someone = opens(browser, f"{url}#learn/judged/{side}/{len(places)}", PC)
    position = before(record, at)
    known = (record.turns[at], game.said[at].best[0])
    other = next(each for each in position.legal_turns() if each not in known)
    page = someone.page
    held = HeldRequest(page, "**/api/think?*")
    page.clock.install()
    tries(page, "#learn", position, other, "mouse")
    held.waits()
    page.clock.fast_forward(10_000)  # the first time a server thinks it starts a process
    held.goes_on()
    is_told(page, r"^That gives away \d+ %\.$|^That (is as good|was the better)")
    assert someone.trouble == []
    someone.page.context.close()


def test_the_way_back_leads_where_one_came_from(
    browser: Browser, url: str, record: Record, game: AnalysedGame
) -> None:
    side, _ = mistakes(record, game)
    page = opened(browser, f"{url}#games/judged/3", "#games .space", PC).page
    page.evaluate(f"location.hash = 'learn/judged/{side}'")
    asks(page, side)
    page.locator("#learn .way-back").click()
    page.wait_for_url("**#games/judged/3")
    page.context.close()


def test_all_of_them_are_counted(
    browser: Browser, url: str, record: Record, game: AnalysedGame
) -> None:
    side, places = mistakes(record, game)
    someone = opens(browser, f"{url}#learn/judged/{side}", PC)
    page = someone.page
    tries(page, "#learn", before(record, places[0]), game.said[places[0]].best[0], "mouse")
    is_told(page, "^That was the better")
    for place in places[1:]:
        page.get_by_role("button", name="Next").click()
        asks(page, side)  # what was told of the place before stands there until then
        if place == places[-1]:
            held = HeldRequest(page, "**/api/try?*")
        page.get_by_role("button", name="Show it").click()
        page.locator("#learn h1", has_text="This was better").wait_for()
    held.waits()
    page.get_by_role("button", name="Next").click()
    count = page.locator("#learn h1", has_text=f"Found 1 of {len(places)}")
    count.wait_for()
    held.goes_on()
    page.evaluate("fetch('/api/puzzles')")  # the line that was asked for is known by now
    assert count.is_visible(), "what would follow there is not shown any more"
    page.get_by_role("button", name="Once more").click()
    asks(page, side)
    page.context.close()


def fits(page: Page, size: tuple[int, int]) -> None:
    """Expect all of it on the screen, and large enough for a finger."""
    width, height = size
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.documentElement.scrollHeight") <= height
    for left, top, right, bottom in edges(page, "#learn .space, #learn .controls button:visible"):
        assert 0 <= left < right <= width
        assert 0 <= top < bottom <= height
        assert min(right - left, bottom - top) >= 35  # what a finger meets


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(360, 640), PHONE, (844, 390), PC])
def test_it_fits_on_every_screen(
    browser: Browser,
    url: str,
    record: Record,
    game: AnalysedGame,
    pictures: Path,
    size: tuple[int, int],
    scheme: Any,
) -> None:
    side, _ = mistakes(record, game)
    someone = opens(browser, f"{url}#learn/judged/{side}", size, color_scheme=scheme)
    page, (width, height) = someone.page, size
    for name in ("asked", "shown"):
        page.screenshot(path=pictures / f"learn-{name}-{width}x{height}-{scheme}.png")
        fits(page, size)
        if name == "asked":
            page.get_by_role("button", name="Show it").click()
            page.locator("#learn h1", has_text="This was better").wait_for()
    assert barriers(page) == []
    assert someone.trouble == []
    page.context.close()


@lanes.gate
def test_who_played_is_spoken_to(browser: Browser, tmp_path: Path) -> None:
    found = random_record(SEED)
    found.headers["Black"] = "you"
    (tmp_path / "own.ttykm").write_text(format_record(found), "utf-8")
    with Archive(tmp_path) as archive:
        analyse(archive, "own", 4, lambda *_: None)
    with served(tmp_path) as url:
        page = opened(browser, f"{url}#learn/own/black", "#learn h1").page
        page.locator("#learn h1", has_text="Find your better turn").wait_for()
        page.locator("#learn h2", has_text="Your mistakes").wait_for(state="attached")
        page.get_by_text("Your turn was: ").wait_for()
        page.goto(f"{url}#learn/own/white")
        page.locator("#learn h1", has_text="Find a better turn for White").wait_for()


def test_the_replay_leads_there_and_a_game_without_mistakes_says_so(
    browser: Browser, url: str, record: Record, game: AnalysedGame
) -> None:
    side, places = mistakes(record, game)
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{url}#games/judged/1")
    open_list(page)
    link = page.locator(".learn a", has_text=f"Learn from {side.capitalize()}")
    assert (str(len(places)) in link.inner_text()) is (len(places) > 1)
    link.click()
    asks(page, side)
    page.goto(f"{url}#learn/nowhere/white")
    page.locator("#learn [role=alert]", has_text="There is no game of that id").wait_for()
    page.close()


NARROW = 561
"""Pixels: less is a phone."""
BOARDS = """() => [...document.querySelectorAll("main > :not([hidden]) .eras .spaces")]
    .map((each) => each.getBoundingClientRect())
    .map(({ x, y, width }) => [x, y, width].map(Math.round))"""
"""Where the boards are that are shown."""


@lanes.gate
def test_boards_have_one_place_on_all_pages(browser: Browser, url: str, game: AnalysedGame) -> None:
    """That of the game, in each window; on a phone an analysis has slots of its own."""
    sizes = ((390, 664), (360, 560), (844, 340), (1024, 768), (1366, 640), (1440, 900))
    seen: dict[tuple[int, int], set[str]] = {size: set() for size in sizes}
    for page_of in (
        "live", "games/judged/2", "analyse/game/judged/2", "learn/judged/white", "puzzles/150",
    ):  # fmt: skip
        page = opened(browser, f"{url}#{page_of}", f"#{page_of.split('/', 1)[0]} .space").page
        if page_of.startswith("analyse"):
            page.locator(".lines .chance").nth(2).wait_for(state="attached")
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            found = page.evaluate(BOARDS)
            assert len(found) == 3
            if not (page_of.startswith("analyse") and min(width, height) < NARROW):
                seen[width, height].add(str(found))
        page.context.close()
    assert all(len(places) == 1 for places in seen.values()), seen
