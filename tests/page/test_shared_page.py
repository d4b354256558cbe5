"""A shared game opened from the disk in Chromium, with no network: keys, mouse, touch, small, axe.

The pictures that are taken on the way go to the folder that CHRONOTABLE_PICTURES names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from chronotable_host.archive.parsing import parse
from chronotable_host.rules.record import Record, format_record
from chronotable_host.turn_story import story_of
from chronotable_host.web.sharing import shared
from tests import lanes
from tests.lab.page import served
from tests.page.browsing import Person, barriers
from tests.page.test_sharing import analysed_record

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

SEED, OPENS = 11, 4
REMARKED, REMARK = 2, "I <b>saw</b> it too late."
SCREENS = ((390, 844), (1440, 900))
LEAST = 35
"""Pixels of a space that is looked at."""


@pytest.fixture(scope="module")
def record() -> Record:
    found = analysed_record(SEED)
    found.comments[REMARKED - 1] += f"; {REMARK}"
    return found


@pytest.fixture(scope="module")
def file(record: Record, tmp_path_factory: pytest.TempPathFactory) -> Path:
    reading = parse(format_record(record).encode())
    path = tmp_path_factory.mktemp("shared") / "game.html"
    path.write_text(shared(reading, "page", OPENS), "utf-8")
    return path


@contextmanager
def opened(browser: Browser, file: Path, turn: str = "", **how: Any) -> Iterator[Person]:
    """Open the file where there is no network; nothing but the file itself is ever asked for."""
    context = browser.new_context(offline=True, reduced_motion="reduce", **how)
    someone = Person(context.new_page())
    asked: list[str] = []
    someone.page.on("request", lambda request: asked.append(request.url.partition("#")[0]))
    someone.opens(f"{file.as_uri()}{turn}")
    yield someone
    assert asked == [file.as_uri()]
    assert someone.trouble == []
    context.close()


@pytest.mark.parametrize("scheme", lanes.once(["light", "dark"]))
@pytest.mark.parametrize(("width", "height"), lanes.once(SCREENS))
def test_it_fits_every_screen(
    browser: Browser, file: Path, tmp_path: Path, width: int, height: int, scheme: Any
) -> None:
    how = {"viewport": {"width": width, "height": height}, "color_scheme": scheme}
    with opened(browser, file, "#5", **how) as someone:
        page = someone.page
        page.get_by_role("heading", name="Turn 5 of ").wait_for()
        pictures = Path(os.environ.get("CHRONOTABLE_PICTURES", tmp_path))
        page.screenshot(path=pictures / f"shared-{width}x{height}-{scheme}.png")
        boxes = [each.bounding_box() for each in page.locator(".space").all()]
        assert len(boxes) == 48
        assert all(box and min(box["width"], box["height"]) >= LEAST for box in boxes)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("document.documentElement.scrollHeight") <= height
        assert barriers(page) == []


@lanes.gate
def test_keys_mouse_slider_graph_and_list_lead_through_the_game(
    browser: Browser, file: Path, record: Record
) -> None:
    states = [game.state[:] for game in record.replay()]
    count = len(record.turns)
    with opened(browser, file, viewport={"width": 1440, "height": 900}) as someone:
        page = someone.page
        heading = page.locator("#replay h1")
        page.get_by_role("heading", name="Turn 4 of ").wait_for()
        page.keyboard.press("End")
        page.get_by_role("heading", name="wins by the rules.").wait_for()
        page.keyboard.press("Home")
        heading.filter(has_text="The start").wait_for()
        assert REMARK in page.locator(".turns li").nth(REMARKED - 1).inner_text()
        for number in range(1, 4):
            page.keyboard.press("ArrowRight")
            heading.filter(has_text=f"Turn {number} of {count}").wait_for()
            says = story_of(states[number - 1], record.turns[number - 1], record.options).says
            page.locator("#replay .head p").filter(has_text=says[1:]).wait_for()
        page.get_by_role("button", name="One turn back").click()
        heading.filter(has_text=f"Turn 2 of {count}").wait_for()
        page.locator("#replay .turns a").nth(6).click()
        heading.filter(has_text=f"Turn 7 of {count}").wait_for()
        assert page.locator("#replay .tag.judged").count() == count
        box = page.locator("#replay .graph").bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] * 10 / count, box["y"] + 9)
        heading.filter(has_text=f"Turn 10 of {count}").wait_for()
        page.locator("#replay .head p").filter(has_text="% for White.").wait_for()
        page.locator("#replay input").focus()
        page.keyboard.press("ArrowLeft")
        heading.filter(has_text=f"Turn 9 of {count}").wait_for()
        page.wait_for_url("**#9")
        page.get_by_role("button", name="Play").click()
        heading.filter(has_text=re.compile(rf"Turn (?!9 |10 )\d+ of {count}")).wait_for()
        page.get_by_role("button", name="Pause").click()
        page.get_by_role("button", name="Dark theme").click()
        assert page.locator("html").get_attribute("data-theme") == "dark"


def test_fingers_open_the_list_of_turns(browser: Browser, file: Path, record: Record) -> None:
    how = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    with opened(browser, file, "#1", **how) as someone:
        page = someone.page
        page.get_by_role("button", name="One turn on").tap()
        page.get_by_role("heading", name="Turn 2 of ").wait_for()
        page.get_by_role("button", name="Turns").tap()
        page.locator("#replay .turns a").nth(4).tap()
        page.get_by_role("heading", name="Turn 5 of ").wait_for()
        assert not page.locator("#replay .turns").is_visible()


def test_it_is_read_without_scripts(browser: Browser, file: Path, record: Record) -> None:
    with opened(browser, file, java_script_enabled=False) as someone:
        page = someone.page
        assert page.locator("h1:visible").inner_text() == "Ann </script> against Black"
        assert page.locator("#told li:visible").count() == len(record.turns)
        assert REMARK in page.locator("#told li").nth(REMARKED - 1).inner_text()
        assert page.locator(".chances").is_visible()
        assert not page.locator("button:visible").count()


def test_the_archive_saves_and_copies_what_is_shared(
    browser: Browser, record: Record, tmp_path: Path
) -> None:
    """On the page of a game, in its record: files of this computer, and a text to paste."""
    (tmp_path / "game.ttykm").write_text(format_record(record), "utf-8")
    reading = parse(format_record(record).encode())
    with served(tmp_path) as url:
        context = browser.new_context(reduced_motion="reduce")
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        someone = Person(context.new_page())
        page = someone.page
        someone.opens(f"{url}#games/game/3")
        page.get_by_role("heading", name="Turn 3 of ").wait_for()
        page.locator(".side summary", has_text="Record").click()
        for name, kind, turn, file in (
            ("Save as a page", "page", 3, "game-3.html"),
            ("Save the turn, moving", "turn", 3, "game-3.svg"),
        ):
            with page.expect_download() as saved:
                page.get_by_role("link", name=name).click()
            assert saved.value.suggested_filename == file
            assert saved.value.path().read_text("utf-8") == shared(reading, kind, turn)
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save as PNG").click()
        assert saved.value.suggested_filename == "game-3.png"
        assert saved.value.path().read_bytes().startswith(b"\x89PNG")
        page.get_by_role("button", name="Copy as text").click()
        page.get_by_text("The text is copied.").wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == shared(reading, "text", 3)
        assert someone.trouble == []
        context.close()
