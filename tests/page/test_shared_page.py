"""A shared game opened from the disk in Chromium, without a network: keys, mouse, touch, axe."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from chronotable_host.archive.parsing import parse
from chronotable_host.rules.record import Record, format_record
from chronotable_host.rules.turn_story import story_of
from chronotable_host.web.sharing import text_of
from tests import lanes
from tests.lab.page import served
from tests.page.browsing import PC, PHONE, Browser, Person, Size, edges, open_list, opened
from tests.page.test_sharing import analysed_record

pytestmark = pytest.mark.browser

SEED, OPENS = 11, 4
REMARKED, REMARK = 2, "I <b>saw</b> it too late."


@pytest.fixture(scope="module")
def record() -> Record:
    found = analysed_record(SEED)
    found.comments[REMARKED - 1] += f"; {REMARK}"
    return found


@pytest.fixture(scope="module")
def file(record: Record, tmp_path_factory: pytest.TempPathFactory) -> Path:
    reading = parse(format_record(record).encode())
    path = tmp_path_factory.mktemp("shared") / "game.html"
    path.write_text(text_of(reading, "page", OPENS), "utf-8")
    return path


@contextmanager
def alone(browser: Browser, file: Path, turn: str = "", **how: Any) -> Iterator[Person]:
    """Open the file where there is no network; nothing but the file itself is ever asked for."""
    someone = opened(browser, "about:blank", "body", offline=True, **how)
    asked: list[str] = []
    someone.page.on("request", lambda request: asked.append(request.url.partition("#")[0]))
    someone.opens(f"{file.as_uri()}{turn}")
    yield someone
    assert asked == [file.as_uri()]


@pytest.mark.parametrize("scheme", lanes.once(["light", "dark"]))
@pytest.mark.parametrize("size", lanes.once([(PHONE,), (PC,)]))
def test_it_fits_every_screen(
    browser: Browser, file: Path, pictures: Path, size: Size, scheme: str
) -> None:
    with alone(browser, file, "#5", size=size, color_scheme=scheme) as someone:
        someone.page.get_by_role("heading", name="Turn 5 of ").wait_for()
        someone.page.screenshot(path=pictures / f"shared-{size[0]}x{size[1]}-{scheme}.png")
        someone.fits(".space", 48)


@lanes.gate
def test_keys_mouse_slider_graph_and_list_lead_through_the_game(
    browser: Browser, file: Path, record: Record
) -> None:
    states = [game.state[:] for game in record.replay()]
    count = len(record.turns)
    with alone(browser, file, size=PC) as someone:
        page = someone.page
        heading = page.locator("#replay h1")
        page.get_by_role("heading", name="Turn 4 of ").wait_for()
        page.keyboard.press("End")
        page.locator("#replay h1", has_text="wins").wait_for()
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
        ((left, top, right, _),) = edges(page, "#replay .graph")
        page.mouse.click(left + (right - left) * 10 / count, top + 9)
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
    with alone(browser, file, "#1", size=PHONE, has_touch=True, is_mobile=True) as someone:
        page = someone.page
        page.get_by_role("button", name="One turn on").tap()
        page.get_by_role("heading", name="Turn 2 of ").wait_for()
        page.get_by_role("button", name="Turns").tap()
        page.locator("#replay .turns a").nth(4).tap()
        page.get_by_role("heading", name="Turn 5 of ").wait_for()
        assert not page.locator("#replay .turns").is_visible()


def test_it_is_read_without_scripts(browser: Browser, file: Path, record: Record) -> None:
    with alone(browser, file, java_script_enabled=False) as someone:
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
        rights = ["clipboard-read", "clipboard-write"]
        page = opened(browser, f"{url}#games/game/3", "#games", permissions=rights).page
        page.get_by_role("heading", name="Turn 3 of ").wait_for()
        open_list(page)
        page.locator(".side summary", has_text="Share").click()
        for name, kind, turn, file in (
            ("Save as a page", "page", 3, "game-3.html"),
            ("Save the turn, moving", "turn", 3, "game-3.svg"),
        ):
            with page.expect_download() as saved:
                page.get_by_role("link", name=name).click()
            assert saved.value.suggested_filename == file
            assert saved.value.path().read_text("utf-8") == text_of(reading, kind, turn)
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save as PNG").click()
        assert saved.value.suggested_filename == "game-3.png"
        assert saved.value.path().read_bytes().startswith(b"\x89PNG")
        page.get_by_role("button", name="Copy as text").click()
        page.get_by_text("The text is copied.").wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == text_of(reading, "text", 3)
