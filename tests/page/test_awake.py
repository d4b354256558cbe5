"""A phone's screen stays on while a game goes on, for who asks for it, in Chromium."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from tests.night.phones import PhoneTable, starts
from tests.night.rooms import room_of
from tests.night.test_evening_pages import plays_to_the_end
from tests.night.test_served import served
from tests.page.browsing import Browser, Page, comes_true
from tests.page.evening_served import ServedEvening

pytestmark = pytest.mark.browser

KEPT = """navigator.wakeLock.request = async () => {
    const lock = new EventTarget();
    lock.release = () => { window.held -= 1; };
    window.held = (window.held ?? 0) + 1;
    return lock;
};"""
NOT_THERE = """Object.defineProperty(navigator, "wakeLock", { value: undefined });"""
REFUSED = """navigator.wakeLock.request = async () => { throw new DOMException(); };
window.play = HTMLMediaElement.prototype.play;
HTMLMediaElement.prototype.play = navigator.wakeLock.request;"""
IS_HELD = "() => window.held === 1"
PLAYED = "[...document.querySelectorAll('video')].filter((each) => !each.paused)"
IS_PLAYED = f"""() => {PLAYED}.some(({{ currentTime, offsetWidth, offsetHeight, muted }}) =>
    currentTime > 0 && muted && offsetWidth * offsetHeight > 0.2 * innerWidth * innerHeight)"""
"""What Chromium stays awake for: a muted film has to fill a fifth of the window."""
IS_OFF = f"() => !window.held && !{PLAYED}.length"
HIDES = """(isAway) => {
    Object.defineProperty(document, "hidden", { value: isAway, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


class Seat:
    """A phone at a seat, with the menu open, and what `ends` its game."""

    def __init__(self, page: Page, ends: Callable[[], object]) -> None:
        self.page = page
        self.ends = ends
        self.toggle = page.get_by_role("switch", name="Keep the screen on")
        self.refusal = page.get_by_text("This browser does not let the page do so.")


@contextmanager
def at_a_table(browser: Browser, folder: Path, how: str) -> Iterator[Seat]:
    """Sit down as a guest, in a browser in which a script has changed something."""
    links: list[str] = []
    with ServedEvening(folder) as table:
        looker = table.looker
        looker.page.guests.open_at(f"{table.url}guest/", lambda _side, link: links.append(link))
        assert looker.ask("sit", side="black", who="guest") == ""
        page = table.enter_context(browser.new_context()).new_page()
        page.add_init_script(how)
        page.goto(links[0])
        looker.look()
        page.get_by_role("button", name="Menu").click()
        yield Seat(page, lambda: (looker.ask("resign", side="white"), looker.look()))


@contextmanager
def in_a_night(browser: Browser, _folder: Path, how: str) -> Iterator[Seat]:
    with served(room_of(begun=False)) as night, PhoneTable(night, browser) as table:
        ada, ben = phones = [table.join(name) for name in ("Ada", "Ben")]
        ada.add_init_script(how)
        ada.reload()
        starts(phones)
        ada.locator("#more").tap()
        ada.get_by_role("button", name="The table", exact=True).tap()

        def ends() -> None:
            ada.locator("#more").tap()
            plays_to_the_end(table, [ada, ben])

        yield Seat(ada, ends)


@pytest.mark.parametrize("sits", [at_a_table, in_a_night])
@pytest.mark.parametrize(
    ("how", "is_on"), [(KEPT, IS_HELD), (NOT_THERE, IS_PLAYED)], ids=["api", "film"]
)
def test_a_screen_stays_on_while_the_game_goes_on_and_somebody_looks(
    browser: Browser,
    tmp_path: Path,
    sits: Callable[[Browser, Path, str], AbstractContextManager[Seat]],
    how: str,
    is_on: str,
) -> None:
    with sits(browser, tmp_path, how) as seat:
        page = seat.page
        assert page.evaluate(IS_OFF)
        seat.toggle.click()
        comes_true(page, is_on)
        page.evaluate(HIDES, True)
        comes_true(page, IS_OFF)
        page.evaluate(HIDES, False)
        comes_true(page, is_on)
        seat.toggle.click()
        comes_true(page, IS_OFF)
        seat.toggle.click()
        comes_true(page, is_on)
        assert seat.refusal.is_hidden()
        seat.ends()
        comes_true(page, IS_OFF)


def test_a_refusal_is_said_and_tried_again_at_the_next_touch(
    browser: Browser, tmp_path: Path
) -> None:
    with at_a_table(browser, tmp_path, REFUSED) as seat:
        assert seat.refusal.is_hidden()
        seat.toggle.click()
        seat.refusal.wait_for()
        seat.page.evaluate("() => { HTMLMediaElement.prototype.play = window.play; }")
        seat.refusal.click()
        comes_true(seat.page, IS_PLAYED)
        seat.refusal.wait_for(state="hidden")
