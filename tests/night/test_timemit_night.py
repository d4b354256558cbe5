"""A whole TIMEmiT in real browsers: two phones by touch, and the big screen."""

from __future__ import annotations

from contextlib import ExitStack
from random import Random

import pytest

from chronotable_night.games.timemit.kind import KIND
from tests.night.drawn import PHONE, SMALL_BIG, SMALL_PHONE, open_hand, opened, overflowing
from tests.night.rooms import room_of
from tests.night.test_served import Night, served
from tests.page.browsing import Browser, Page

pytestmark = pytest.mark.browser

SEED = 2
MOST_STEPS = 400
READY = (
    "body:not([data-mode=open]), .equal button:enabled, "
    "#voice .main:disabled:text('Choose first'), #voice .trouble"
)
"""What a phone shows once what it asked for is answered."""


def decides(phone: Page, ask: str, chance: Random) -> None:
    """Decide by touch, whatever is asked."""
    if phone.locator("body").get_attribute("data-mode") != "open":
        open_hand(phone)
    if ask == "bid":
        bids(phone, chance)
    elif phone.locator(".equal button").count():
        choices = phone.locator(".equal button:enabled")
        choices.nth(chance.randrange(choices.count())).tap()
    else:
        things = phone.locator("#hand .gadget, #hand .coin")
        for at in range(things.count()):
            things.nth(at).tap()
            if phone.locator("#voice .main:enabled").count():
                break
        phone.locator("#voice .main").tap()
    phone.locator(READY).first.wait_for()


def bids(phone: Page, chance: Random) -> None:
    coins = phone.locator("#hand .coins .coin")
    for lane in range(4):
        if coins.count() and chance.random() < 0.6:
            phone.locator(".lanes .choose").nth(lane).tap()
            coins.nth(chance.randrange(coins.count())).tap()
    recall = phone.get_by_role("button", name="Recall")
    if recall.count():
        recall.tap()
    elif not phone.locator("#voice .main:enabled").count():
        phone.get_by_role("button", name="Bid nothing").tap()
    phone.locator("#voice .main").tap()


def play_on(night: Night, phones: list[Page], chance: Random, steps: int) -> None:
    """Let the phones decide in turn, until so many steps are done or the game is over."""
    for _ in range(steps):
        state = night.room.play.state
        if state["phase"] == "over":
            return
        phone = phones[state["turn"]]
        phone.locator(f"html[data-steps='{night.room.play.moment}']").wait_for()
        decides(phone, state["ask"], chance)
        assert overflowing(phones[0]) == [], f"seed {SEED}"


def test_a_whole_game_by_touch_with_a_phone_that_is_killed(browser: Browser) -> None:
    chance = Random(SEED)
    with served(room_of("Ada", "Ben", kind=KIND)) as night, ExitStack() as open_pages:
        at = f"http://{night.own}"

        def opens(path: str, size: tuple[int, int]) -> Page:
            return open_pages.enter_context(opened(browser, at + path, size))

        screen = opens("/", SMALL_BIG)
        phones = [opens("/seat/t1/", PHONE), opens("/seat/t2/", SMALL_PHONE)]
        play_on(night, phones, chance, 12)
        phones[1].close()
        screen.locator("#seats .ghost").wait_for()
        phones[1] = opens("/seat/t2/", SMALL_PHONE)
        screen.locator("#seats .ghost").wait_for(state="detached")
        play_on(night, phones, chance, MOST_STEPS)
        assert night.room.play.state["phase"] == "over", f"seed {SEED}"
        for page in (*phones, screen):
            page.locator("body[data-mode=over]").wait_for()
        assert screen.locator(".why").inner_text() == phones[0].locator(".why").inner_text()
        assert overflowing(screen) == []
