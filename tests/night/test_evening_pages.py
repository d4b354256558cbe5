"""A night in real browsers: phones join by the code, play, sleep, come back and change hands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import lanes
from tests.night.drawn import BIG, look_at, open_hand, opened
from tests.night.phones import PhoneTable, starts
from tests.night.rooms import room_of
from tests.night.small_game import DUEL, TRICKS
from tests.night.test_served import CODE, served
from tests.page.browsing import PHONE, Browser, Page, waits_until
from tests.sleeping import sleeping_line

pytestmark = pytest.mark.browser


SLOW_LINE = """{
    const Real = WebSocket;
    window.WebSocket = class {
        static OPEN = 1;
        readyState = 0;
        constructor(url) {
            window.open_line = () => {
                this.real = new Real(url);
                this.real.onmessage = (event) => this.onmessage(event);
                this.real.onclose = (event) => this.onclose(event);
                this.real.onopen = (event) => {
                    this.readyState = 1;
                    this.onopen(event);
                };
            };
        }
        send(text) { this.real.send(text); }
        close() { this.real?.close(); }
    };
}"""
"""Has a page's line open when `open_line` is called, no sooner."""


@pytest.fixture
def table(browser: Browser) -> Iterator[PhoneTable]:
    with served(room_of(begun=False, others=[DUEL])) as night, PhoneTable(night, browser) as table:
        yield table


def plays(phone: Page) -> None:
    """Lift a card, and play it."""
    if phone.locator("body").get_attribute("data-mode") != "open":
        open_hand(phone)
    phone.locator("#hand .card.can").first.tap()
    phone.locator("#voice .main").tap()
    phone.locator("#hand .card.on").wait_for(state="detached")


def greets(phone: Page) -> None:
    """Answer a question whose answers are buttons of one size."""
    if phone.locator("body").get_attribute("data-mode") != "open":
        open_hand(phone)
    phone.get_by_role("button", name="Greet").tap()
    phone.locator(".equal").wait_for(state="detached")


@lanes.gate
def test_a_game_by_touch(table: PhoneTable) -> None:
    ada, ben = phones = table.begun("Ada", "Ben")
    plays_to_the_end(table, phones)
    ada.get_by_role("button", name="Again").tap()
    for page in (*phones, table.screen):
        page.locator("body[data-mode=lobby]").wait_for()
    starts([ben, ada])
    plays_to_the_end(table, phones)


def plays_to_the_end(table: PhoneTable, phones: list[Page]) -> None:
    (ada, ben), screen, play = phones, table.screen, table.night.room.play
    for _ in range(TRICKS):
        plays(ben)  # who is not asked yet: it waits, sealed
        ben.get_by_role("button", name="Change it").wait_for()
        screen.locator(".seat", has_text="Ben").locator(".eye.shut").wait_for()
        plays(ada)
        greets(phones[play.state["greets"]])
    for page in (ada, ben, screen):
        page.locator("body[data-mode=over]").wait_for()


def test_an_evening_goes_on_with_another_game(table: PhoneTable) -> None:
    """On a phone, at the big screen, in the lobby: each leads there with the same people."""
    ada, ben = phones = table.begun("Ada", "Ben")
    plays_to_the_end(table, phones)
    ada.get_by_role("button", name="The Duel").tap()
    for page in (*phones, table.screen):
        page.get_by_role("heading", name="The Duel").wait_for()
        page.locator("body[data-mode=lobby]").wait_for()
    starts([ben, ada])
    plays_to_the_end(table, phones)
    table.screen.get_by_role("button", name="The Highest Card").click()
    for page in (*phones, table.screen):
        page.get_by_role("heading", name="The Highest Card").wait_for()
    ada.get_by_role("button", name="Another game").tap()
    ada.get_by_role("button", name="The Duel").tap()
    for page in (*phones, table.screen):
        page.get_by_role("heading", name="The Duel").wait_for()


@lanes.gate
def test_each_page_speaks_the_language_that_is_chosen_on_it(table: PhoneTable) -> None:
    """On the big screen where no game goes on, on phones in their menus."""
    ada, ben = phones = [table.join(name) for name in ("Ada", "Ben")]
    for label, language, code in (("Language", "Deutsch", "de"), ("Sprache", "English", "en")):
        table.screen.get_by_label(label).select_option(language)
        table.screen.locator(f"html[lang={code}] body[data-mode=lobby]").wait_for()
    starts(phones)
    ada.locator("#more").tap()
    ada.get_by_role("button", name="The table", exact=True).tap()
    ada.get_by_label("Language").select_option("Deutsch")
    ada.get_by_label("Deine Hand, verdeckt").wait_for()
    ada.reload()
    ada.locator("html[lang=de] body[data-mode=covered]").wait_for()
    assert ben.locator("html").get_attribute("lang") == "en"
    assert table.screen.locator("html").get_attribute("lang") == "en"


def test_a_night_that_has_no_game_yet_asks_on_every_page(browser: Browser) -> None:
    room = room_of(begun=False, others=[DUEL], is_chosen=False)
    with served(room) as night, PhoneTable(night, browser) as table:
        table.screen.get_by_role("heading", name="Which game tonight?").wait_for()
        ada, ben = (table.join(name, "choosing") for name in ("Ada", "Ben"))
        ben.get_by_role("heading", name="Which game tonight?").wait_for()
        ben.get_by_role("button", name="The Highest Card").tap()
        ada.get_by_role("button", name="Start").tap()
        open_hand(ada)


def test_who_comes_late_plays_on_for_a_bot_or_looks_on(table: PhoneTable) -> None:
    ada = table.join("Ada")
    table.screen.get_by_label("A bot for seat 2").select_option("sensible")
    ada.get_by_role("button", name="Start").tap()
    open_hand(ada)
    ben = table.join("Ben", "covered")
    table.screen.get_by_text("Ben plays on for Bot 1.").wait_for()
    ben.locator("#hand .lids").wait_for()
    table.join("Cleo", "covered").get_by_text("Your place is kept").wait_for()
    other = table.opens(f"/join?code={CODE}")
    other.get_by_role("button", name="Only look on").click()
    other.locator("html.big body[data-mode=play]").wait_for()


@lanes.gate
def test_the_lobby(table: PhoneTable) -> None:
    """Seats, names, a bot and an option are chosen; the big screen begins the game."""
    screen, ada = table.screen, table.join("Ada")
    ada.locator(".pick button").nth(1).tap()
    screen.locator(".chair").nth(1).get_by_text("Ada").wait_for()
    ada.get_by_label("Your name").fill("Zoë")
    ada.get_by_label("Your name").press("Tab")
    screen.get_by_text("Zoë").wait_for()
    screen.get_by_label("A bot for seat 3").focus()  # which stays there when all is drawn anew
    screen.get_by_label("A bot for seat 3").select_option("random")
    screen.get_by_text("Bot 1").wait_for()
    screen.get_by_label("Which card wins").select_option("The lowest")
    screen.get_by_label("Each kind of decision explains itself once").uncheck()
    screen.get_by_role("button", name="Start").click()
    open_hand(ada)
    assert table.night.room.play.state["lowest"]
    assert ada.get_by_text("The highest card wins.").count() == 0


def test_bots_take_free_seats_where_phones_are_all_there_is(table: PhoneTable) -> None:
    ada = table.join("Ada")
    ada.get_by_text("the menu has bots", exact=False).wait_for()
    ada.locator("#more").tap()
    ada.get_by_role("button", name="The table", exact=True).tap()
    for seat in (2, 3):
        ada.get_by_label(f"A bot for seat {seat}").select_option("sensible")
        ada.get_by_text(f"Bot {seat - 1}", exact=True).wait_for()
    ada.get_by_label("A bot for seat 3").select_option("no bot")
    ada.get_by_text("Bot 2", exact=True).wait_for(state="detached")
    ada.locator("#more").tap()
    starts([ada])
    assert [each.who for each in table.night.room.people] == ["phone", "bot"]


def test_an_answer_is_changed_and_a_step_taken_back(table: PhoneTable) -> None:
    ada, ben = table.begun("Ada", "Ben")
    plays(ben)
    ben.get_by_role("button", name="Change it").tap()
    ben.get_by_text("Tap to open").wait_for()
    plays(ada)
    ada.get_by_role("button", name="Take my last action back").tap()
    ben.get_by_text("Ada wants to take the last action back.").wait_for()
    ada.get_by_role("button", name="Never mind").wait_for()
    ben.get_by_role("button", name="No").tap()
    ada.get_by_role("button", name="Take my last action back").tap()
    ben.get_by_role("button", name="Agree").tap()
    ada.get_by_text("Tap to open").wait_for()
    assert table.night.room.play.steps == []


@lanes.gate
def test_a_phone_sleeps_and_comes_back(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others wait; its seat, its hand and what it is asked are as before."""
    room = room_of(begun=False, others=[DUEL])
    with (
        sleeping_line(monkeypatch) as line,
        served(room, **line.where) as night,
        PhoneTable(night, browser, f"http://{line.host}:{line.port}") as table,
    ):
        ben = table.join("Ben")
        screen, table.url = table.screen, line.url
        ada = table.join("Ada")
        starts([ben, ada])
        open_hand(ada)
        held = [each.inner_text() for each in ada.locator("#hand .card").all()]
        line.sleeps()
        ada.get_by_role("heading", name="Looking for the table").wait_for()
        assert ada.locator("#hand .card").count() == 0
        screen.get_by_text("The table waits for Ada's phone.").wait_for()
        screen.locator("#seats .ghost").wait_for()
        line.wakes()
        open_hand(ada)
        assert [each.inner_text() for each in ada.locator("#hand .card").all()] == held
        screen.locator("#seats .ghost").wait_for(state="detached")


@lanes.gate
@pytest.mark.parametrize(("path", "comes"), [("/", "Ada"), (f"/join?code={CODE}", "")])
def test_a_screen_and_who_is_about_to_join_hear_that_the_line_is_dead(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, path: str, comes: str
) -> None:
    """They come back by themselves: what was meanwhile is shown, and a seat can be taken."""
    with (
        sleeping_line(monkeypatch) as line,
        served(room_of(begun=False), **line.where) as night,
        PhoneTable(night, browser, f"http://{line.host}:{line.port}") as table,
    ):
        table.url, awake = line.url, table.url
        page = table.opens(path, BIG if comes else PHONE)
        away = page.get_by_text("The table is away. It comes back by itself.")
        page.locator("body[data-mode=lobby], #form").wait_for()
        assert away.count() == 0
        line.sleeps()
        away.wait_for()
        table.url = awake
        table.join("Ada")
        assert page.get_by_text("Ada").count() == 0
        line.wakes()
        away.wait_for(state="detached")
        if comes:
            page.get_by_text(comes).wait_for()
        else:
            page.get_by_label("Your name").fill("Ben")
            page.get_by_role("button", name="Take a seat").click()
            waits_until(page, lambda: "Ben" in night.room.people.names())


@lanes.gate
def test_a_phone_is_killed_and_another_has_its_seat(table: PhoneTable) -> None:
    ada, ben = table.begun("Ada", "Ben")
    old = ben.url
    ben.close()
    ada.locator("#more").tap()
    ada.get_by_role("button", name="The table", exact=True).tap()
    ada.get_by_role("button", name="A bot plays").tap()
    table.screen.get_by_text("sensible bot", exact=True).wait_for()
    again = table.opens(old.removeprefix(table.url))
    again.get_by_role("button", name="Play myself").tap()
    again.get_by_text("Tap to open").wait_for()
    again.goto(f"{table.url}/join?code={CODE}")
    again.locator("#name").fill("Ben")
    again.locator("#form button").first.tap()
    again.get_by_text("Ben is here already: if that is you").wait_for()
    again.get_by_role("button", name="Back to my seat").tap()
    again.get_by_text("Tap to open").wait_for()


def test_a_seat_moves_to_another_phone(table: PhoneTable) -> None:
    """The new one has the link as a picture; the old one is told, and sees no card."""
    ada, _ben = table.begun("Ada", "Ben")
    ada.locator("#more").tap()
    ada.get_by_role("button", name="The table", exact=True).tap()
    ada.get_by_role("button", name="To another phone").tap()
    ada.locator(".seat-code .qr").wait_for()
    other = table.opens(table.link_on(ada))
    open_hand(other)
    ada.locator("#more").tap()
    ada.get_by_role("heading", name="This seat has moved").wait_for()
    assert ada.locator("#hand .card").count() == 0
    ada.reload()
    ada.get_by_role("heading", name="This link has ended").wait_for()
    assert ada.get_by_role("button", name="Take a seat").is_visible()


@lanes.gate
def test_three_people_and_a_game_for_two(table: PhoneTable, pictures: Path) -> None:
    """Two play; the third looks on, sees no hand, and is the first in the next game."""
    phones = ada, ben, cleo = [table.join(name) for name in ("Ada", "Ben", "Cleo")]
    ada.get_by_role("button", name="Another game").tap()
    ada.get_by_role("button", name=DUEL.title).tap()
    cleo.locator(".pick small").wait_for()
    look_at(cleo, "night-phone-who-plays", pictures)
    cleo.get_by_role("button", name="Ada").tap()
    table.screen.locator(".chair", has_text="Ada").get_by_text("looks on").wait_for()
    starts([cleo, ben])
    ada.get_by_text("Your place is kept").wait_for()
    assert ada.locator("#peek, .card").count() == 0
    look_at(ada, "night-phone-looks-on", pictures)
    plays_to_the_end(table, [cleo, ben])
    dora = table.join("Dora", mode="over")
    look_at(dora, "night-phone-between", pictures)
    dora.get_by_role("button", name="Again").tap()
    for page in (*phones, dora):
        page.locator("body[data-mode=lobby]").wait_for()
    assert table.night.room.people.names() == ["Ada", "Dora", "Cleo", "Ben"]


def test_a_lost_phone_gets_a_link_at_the_big_screen(table: PhoneTable) -> None:
    _ada, ben = table.begun("Ada", "Ben")
    ben.close()
    table.screen.get_by_role("button", name="A new link for Ben").click()
    open_hand(table.opens(table.link_on(table.screen)))
    table.screen.locator(".seat-code").wait_for(state="hidden")


def test_a_press_waits_for_the_line(table: PhoneTable, browser: Browser) -> None:
    """In a slow network the page is there before its line is."""
    with opened(browser, "about:blank") as phone:
        phone.add_init_script(SLOW_LINE)
        phone.goto(f"{table.url}/join?code={CODE}")
        phone.get_by_label("Your name").fill("Ada")
        phone.get_by_role("button", name="Take a seat").click()
        phone.evaluate("open_line()")
        phone.wait_for_url("**/seat/*/")


def test_a_stranger_says_the_code(browser: Browser) -> None:
    """A wrong one is refused in a sentence; the right one leads to the big screen, too."""
    with (
        served(room_of(begun=False), token="secret") as night,
        opened(browser, f"http://{night.own}/join") as page,
    ):
        page.get_by_label("The three words").fill("moon moon moon")
        page.get_by_label("Your name").fill("Eve")
        page.get_by_role("button", name="Take a seat").click()
        page.get_by_text("this is not the code", exact=False).wait_for()
        page.get_by_label("The three words").fill(CODE)
        page.get_by_role("button", name="Only look on").click()
        page.locator("html.big body[data-mode=lobby]").wait_for()
