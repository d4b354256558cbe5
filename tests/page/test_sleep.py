"""Pages whose line dies while a phone sleeps, in Chromium: they say so, and are told what was.

Those of a games night do so in `night/test_evening_pages.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import lanes
from tests.page.browsing import Browser, Page, Person, WebSocket, edges, waits_until
from tests.page.evening import EAST_AND_FORWARD
from tests.page.evening_served import ServedEvening
from tests.sleeping import SleepingLine, sleeping_line

pytestmark = pytest.mark.browser

PHONE = (390, 844)
STIRS = """["pageshow", "focus"].forEach((name) => dispatchEvent(new Event(name)))
document.dispatchEvent(new Event("visibilitychange"))"""
FLICKERS = """() => {
    window.flickers = 0;
    const see = () => { window.flickers += !document.getElementById("lost").hidden; };
    new MutationObserver(see).observe(document.getElementById("lost"), { attributes: true });
}"""


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> Iterator[SleepingLine]:
    with sleeping_line(monkeypatch) as made:
        yield made


class Heard:
    """How many lines a page has opened, and how many beats came by them."""

    def __init__(self, page: Page) -> None:
        self.lines = self.beats = 0
        page.on("websocket", self._opened)

    def _opened(self, line: WebSocket) -> None:
        self.lines += 1
        line.on("framereceived", self._hear)

    def _hear(self, text: str | bytes) -> None:
        self.beats += '"beat"' in str(text)


def link_to(table: ServedEvening, line: SleepingLine, is_guest: bool) -> str:
    """Return where black plays: at the table's own page, or at a guest's."""
    if not is_guest:
        return line.url
    links: list[str] = []
    guests = table.looker.page.guests
    guests.open_at(f"{line.url}/guest/", lambda _side, link: links.append(link))
    assert table.looker.ask("sit", side="black", who="guest") == ""
    return links[0]


@lanes.gate
@pytest.mark.parametrize("is_guest", [False, True], ids=["table", "guest"])
def test_a_page_says_that_its_line_is_dead_and_comes_back_by_itself(
    browser: Browser, tmp_path: Path, line: SleepingLine, is_guest: bool
) -> None:
    with ServedEvening(tmp_path, **line.where) as table:
        table.url = link_to(table, line, is_guest)
        someone = table.opens(browser, PHONE)
        lost = someone.page.locator("#lost")
        table.looker.look()
        someone.hears("White")
        line.sleeps()
        stood = edges(someone.page, "#eras .spaces")
        lost.wait_for()
        assert edges(someone.page, "#eras .spaces") == stood  # no board moves
        table.evening.do(*EAST_AND_FORWARD)
        table.evening.wait_until(lambda: table.evening.heard("turn"))
        table.looker.look()
        assert "Black" not in someone.page.locator("#says").inner_text()
        line.wakes()
        someone.hears("Black")
        lost.wait_for(state="hidden")


def test_a_quiet_page_never_flickers_also_where_it_is_frozen(
    browser: Browser, tmp_path: Path, line: SleepingLine
) -> None:
    """Timers of a page that lies behind others are late: they tell nothing of the line."""
    with ServedEvening(tmp_path, **line.where) as table:
        table.url = line.url
        someone = Person(browser.new_context().new_page())
        heard = Heard(someone.page)
        someone.opens(table.url)
        table.looker.look()
        someone.hears("White")
        someone.page.evaluate(FLICKERS)
        waits_until(someone.page, lambda: heard.beats > 10)
        someone.page.evaluate(STIRS)
        life = someone.page.context.new_cdp_session(someone.page)
        life.send("Page.setWebLifecycleState", {"state": "frozen"})
        seen = heard.beats
        waits_until(someone.page, lambda: heard.beats > seen + 8)
        life.send("Page.setWebLifecycleState", {"state": "active"})
        waits_until(someone.page, lambda: heard.beats > seen + 12)
        assert heard.lines == 1
        assert someone.page.evaluate("window.flickers") == 0
