"""That Time You Killed Me on a night: the play page's boards on phones and the big screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from chronotable_night.games.shelf import kinds
from tests import lanes
from tests.night.drawn import SMALL_BIG, SMALL_PHONE, look_at, opened
from tests.night.phones import PhoneTable
from tests.night.rooms import play_on, room_of
from tests.night.test_served import served
from tests.page.browsing import PHONE, Browser, Page, Size, comes_true

pytestmark = pytest.mark.browser

KIND = kinds()["ttykm"]
OFFERED = '#field [data-sensor][tabindex="0"]:not(.active)'


@pytest.fixture
def table(browser: Browser) -> Iterator[PhoneTable]:
    with served(room_of(kind=KIND, begun=False)) as night, PhoneTable(night, browser) as table:
        yield table


def begun(table: PhoneTable, sizes: tuple[Size, ...] = (PHONE, SMALL_PHONE)) -> list[Page]:
    phones = [table.join(name, size=size) for name, size in zip(("Ada", "Ben"), sizes, strict=True)]
    phones[0].get_by_role("button", name="Start").tap()
    for phone in phones:
        phone.locator("body[data-mode=open] #field .ribbon").wait_for()
    return phones


def makes(phone: Page, picks: int = 0) -> None:
    """Make a turn of what is offered, by touch."""
    main = phone.locator("#voice .main")
    while main.is_disabled():
        phone.locator('#field .eras:not([aria-busy="true"])').wait_for()
        said = phone.locator("#headline").text_content()
        offered = phone.locator(OFFERED)
        offered.nth(picks % offered.count()).tap()
        comes_true(
            phone,
            "said => document.querySelector('#headline').textContent !== said"
            " || !document.querySelector('#voice .main').disabled",
            said,
        )


@lanes.gate
def test_a_turn_is_made_on_the_boards(table: PhoneTable) -> None:
    """Whoever waits sees them, too; nothing is covered, and no notation is said."""
    ada, ben = begun(table)
    assert not ada.locator("#peek, .shutter").count()
    makes(ada)
    whole = ada.locator("#voice .says").text_content() or ""
    assert "Your focus goes to the" in whole
    ada.get_by_role("button", name="Back").tap()  # the focus is chosen once more
    ada.get_by_role("button", name="Take this turn").and_(ada.locator(":disabled")).wait_for()
    makes(ada)
    ada.get_by_role("button", name="Take this turn").tap()
    ben.get_by_role("heading", name="Choose a copy").wait_for()
    assert ben.locator("#field .ribbon .space > .copy").count() == 6
    assert len(table.night.room.play.state["turns"]) == 1
    table.screen.locator("#field .ribbon .came").wait_for()


HEARD = """() => {
  window.heard = [];
  const look = () => document.querySelectorAll("h1,h2").forEach((it) => heard.push(it.textContent));
  const all = { subtree: true, childList: true, characterData: true };
  new MutationObserver(look).observe(document.body, all);
}"""
"""Notes all headings from now on."""


@lanes.gate
def test_the_big_screen_shows_a_turn_in_its_beats(table: PhoneTable, browser: Browser) -> None:
    ada, ben = begun(table)
    with opened(browser, f"{table.url}/", SMALL_BIG, still=False) as screen:
        screen.locator("#field .ribbon").wait_for()
        screen.evaluate("localStorage.setItem('chronotable-beats', 'yes')")
        for page in (screen, ben):  # a beat is over before a busy computer looks
            page.evaluate(HEARD)
        makes(ada)
        ada.get_by_role("button", name="Take this turn").tap()
        screen.get_by_role("heading", name="Ben takes a turn").wait_for()
        ben.get_by_role("heading", name="Choose a copy").wait_for()
        said = "\n".join(screen.evaluate("heard"))
        beats = [said.index(each) for each in ("Ada moves this copy", "irst action", "Ben takes")]
        assert beats == sorted(beats)
        assert "Look up!" in "\n".join(ben.evaluate("heard"))


@lanes.gate
def test_the_game_in_one_minute(table: PhoneTable, pictures: Path) -> None:
    """On the big screen before anybody has acted, once a night; on phones beside the rules."""
    ada, ben = begun(table)
    screen = table.screen
    screen.locator(".minute .now", has_text="You live three times").wait_for()
    look_at(screen, "minute-screen", pictures)
    assert table.night.evening.bots_due() == []
    ada.locator("#more").tap()
    ada.get_by_role("button", name="Rules now").tap()
    ada.locator(".panel .minute li", has_text="Left in one time: lost").wait_for()
    look_at(ada, "minute-phone", pictures)
    ada.locator("#more").tap()
    ben.get_by_role("button", name="I know this game").tap()
    screen.get_by_role("heading", name="Ada takes a turn").wait_for()
    ben.get_by_role("button", name="I know this game").wait_for(state="detached")
    assert screen.locator(".minute").count() == 0


@lanes.gate
def test_its_pages(table: PhoneTable, pictures: Path) -> None:
    """In the middle of a game, while a turn is made, and when it is over."""
    ada, ben = begun(table)
    pages = {"ada": ada, "ben": ben, "screen": table.screen}
    pages["small"] = table.opens("/", SMALL_BIG)
    room = table.night.room
    for number in range(4):
        mover = (ada, ben)[number % 2]
        makes(mover, number)
        for name, page in pages.items():
            look_at(page, f"ttykm-{number}-{name}", pictures)
        mover.get_by_role("button", name="Take this turn").tap()
        mover.locator("#voice .main").wait_for(state="detached")
        (ben, ada)[number % 2].locator("#voice .main").wait_for()
    play_on(room, Random(3))
    table.night.evening.note_table("")

    for name, page in pages.items():
        page.locator("body[data-mode=over] .ribbon").wait_for()
        look_at(page, f"ttykm-over-{name}", pictures)
