"""A game of the archive on the page in Chromium: told turn by turn, on every screen, quietly."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from chronotable_host.rules.notation import format_turn
from chronotable_host.rules.record import Record, format_record
from chronotable_host.rules.turn_story import story_of
from chronotable_host.web.study.games import Games
from tests import lanes
from tests.host.archives import random_record
from tests.page.browsing import PC, PHONE, Browser, Size, finds_back, opened

pytestmark = pytest.mark.browser

SEED = 20
ASKED, CORRECTED = 3, 7
REMARK = "I <b>saw</b> it too late."
SCREENS = ((360, 640), PHONE, (844, 390), (800, 1000), (1024, 768), PC)
PLACES = "#games .space, #games .stop"


@pytest.fixture(scope="module")
def record() -> Record:
    """Return a won game in which copies die, and in which the table was twice in doubt."""
    found = random_record(SEED)
    found.headers.update({"White": "Ann", "Black": "level:3", "Date": "2026-11-20"})
    hows = {ASKED: "asked", CORRECTED: "corrected"}
    found.comments[:] = [
        f"{at}.25 s, {hows.get(at, 'certain')}" for at in range(1, len(found.turns) + 1)
    ]
    found.comments[ASKED - 1] += f"; {REMARK}"
    return found


@pytest.mark.parametrize("scheme", lanes.once(["light", "dark"]))
@pytest.mark.parametrize("size", lanes.once([(each,) for each in SCREENS]))
def test_three_eras_are_on_every_screen(
    browser: Browser, url: str, pictures: Path, size: Size, scheme: str
) -> None:
    address = f"{url}#games/game/5"
    someone = opened(browser, address, "#games .space", size, color_scheme=scheme)
    someone.page.get_by_role("heading", name="Turn 5 of ").wait_for()
    someone.page.screenshot(path=pictures / f"replay-{size[0]}x{size[1]}-{scheme}.png")
    someone.fits(PLACES, 54)


@lanes.gate
def test_each_turn_is_told_and_only_doubts_are_said(
    browser: Browser, url: str, record: Record
) -> None:
    """What the stage says is a sentence; the notation and the file are a fold away."""
    page = opened(browser, f"{url}#games/game/0", "#games .space").page
    stage, folded = page.locator("#games .stage"), page.locator("#games details")
    states = [step.state for step in record.replay()]
    for number, turn in enumerate(record.turns[:12], 1):
        page.keyboard.press("ArrowRight")
        told = story_of(states[number - 1], turn, record.options).says
        line = page.locator("#games .head p")
        line.filter(has_text=told[1:]).wait_for()
        assert format_turn(turn) not in stage.inner_text()
        assert format_turn(turn) in (folded.text_content() or "")
        assert page.locator("#games .turns .now .no").inner_text() == str(number)
    cut = "all => all.filter((e) => e.scrollHeight > e.clientHeight).map((e) => e.textContent)"
    assert page.locator("#games .turns .did").evaluate_all(cut) == []
    page.locator("#games .turns li").first.locator("a").click()
    page.get_by_role("heading", name="Turn 1 of ").wait_for()
    assert "certain" not in page.locator("#games").inner_text()
    assert page.locator("#games .turns .tag").all_inner_texts() == ["asked", "corrected"]
    rows = page.locator("#games .turns li").filter(has_text=REMARK)
    assert [row.get_by_text(str(ASKED), exact=True).count() for row in rows.all()] == [1]
    assert "game.ttykm" in (folded.text_content() or "")


def test_the_slider_shows_where_somebody_died(
    browser: Browser, url: str, record: Record, tmp_path: Path
) -> None:
    (tmp_path / "game.ttykm").write_text(format_record(record), "utf-8")
    with closing(Games(tmp_path)) as games:
        turns = games.stories("game")["turns"]
    deaths = [at for at, turn in enumerate(turns, 1) if turn["died"]]
    assert deaths
    page = opened(browser, f"{url}#games/game", "#games .space").page
    page.locator("#games h1", has_text="wins").wait_for()
    parts = page.locator("#games .ticks .death").evaluate_all(
        "ticks => ticks.map(tick => Number(tick.style.getPropertyValue('--part')))"
    )
    assert [round(part * len(turns)) for part in parts] == deaths
    assert page.locator("#games .ticks .win").count() == 1
    page.keyboard.press("Home")
    slider = page.get_by_role("slider", name="Turn")
    assert slider.input_value() == "0"
    page.keyboard.press("End")
    assert slider.input_value() == str(len(turns))


def test_on_a_phone_the_turns_are_a_drawer(browser: Browser, url: str) -> None:
    """Opened by its button, closed by Escape, and by a turn that is chosen."""
    page = opened(browser, f"{url}#games/game/9", "#games .space", PHONE).page
    turns = page.locator("#games .turns")
    finds_back(page, "All games", "#games")
    button = page.get_by_role("button", name="Turns", exact=True)
    assert not turns.is_visible()
    button.click()
    turns.wait_for()
    page.keyboard.press("Escape")
    turns.wait_for(state="hidden")
    assert button.evaluate("it => it === document.activeElement")
    button.click()
    turns.locator("li").nth(7).locator("a").click()
    page.get_by_role("heading", name="Turn 8 of ").wait_for()
    turns.wait_for(state="hidden")
