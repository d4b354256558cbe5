"""A night in browsers: its big screen, and the phones of those who play."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from tests.night.drawn import BIG, opened
from tests.night.test_served import CODE, Night
from tests.page.browsing import PHONE, Browser, Page, Size


class PhoneTable(ExitStack):
    """A night with its big screen; `join` has somebody take a seat with a new phone."""

    def __init__(self, night: Night, browser: Browser, url: str = "") -> None:
        super().__init__()
        self.night = night
        self.url = url or f"http://{night.own}"
        self._browser = browser
        self.screen = self.opens("/", BIG)

    def opens(self, path: str, size: Size = PHONE) -> Page:
        return self.enter_context(opened(self._browser, self.url + path, size))

    def join(self, name: str, mode: str = "lobby", size: Size = PHONE) -> Page:
        phone = self.opens(f"/join?code={CODE}", size)
        phone.get_by_label("Your name").fill(name)
        phone.get_by_role("button", name="Take a seat").click()
        phone.locator(f"body[data-mode={mode}]").wait_for()
        return phone

    def begun(self, *names: str) -> list[Page]:
        """Return the phones of these people in a game that has begun."""
        phones = [self.join(name) for name in names]
        starts(phones)
        return phones

    def dies_and_comes_back(self, phone: Page) -> Page:
        """Have a phone be killed, and its page opened again."""
        path = phone.url.removeprefix(self.url)
        phone.close()
        self.screen.locator("#seats .ghost").wait_for()
        again = self.opens(path)
        self.screen.locator("#seats .ghost").wait_for(state="detached")
        return again

    def link_on(self, page: Page) -> str:
        """Return where the link leads that a page shows for a seat."""
        link = page.locator(".seat-code a").get_attribute("href")
        assert link is not None
        return link.removeprefix(self.url)


def starts(phones: Sequence[Page]) -> None:
    """Start the game of the lobby on the first phone; on each the hand is dealt, and covered."""
    phones[0].get_by_role("button", name="Start").tap()
    for phone in phones:
        phone.locator("body[data-mode=covered]").wait_for()
