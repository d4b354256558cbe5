"""The start in Chromium: what begins, goes on, is learnt or shared from there, at every size."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests import lanes
from tests.lab.page import served
from tests.page.browsing import PHONE, SHOWN, Browser, Page, Person, Size, barriers, edges, opened
from tests.page.choosing import taps_ahead

pytestmark = pytest.mark.browser
TABLET = (1024, 768)
SIZES = [(1440, 900), TABLET, (844, 390), (390, 844), (390, 664), (360, 640)]
FORM = "#start .form"


def at_start(browser: Browser, url: str, size: Size = PHONE, **how: Any) -> Person:
    """Open the page by its bare address."""
    someone = opened(browser, "about:blank", size=size, **how)
    someone.page.goto(url)
    someone.waits_for(FORM)
    return someone


def begins(page: Page) -> None:
    page.get_by_role("button", name="Begin", exact=True).click()


def plays_a_turn(someone: Person) -> None:
    """Begin, make the first turn, each tap before the one before it shows, and be answered."""
    begins(someone.page)
    someone.hears("Choose a copy")
    taps_ahead(someone.page, SHOWN, [0, 1, 5, 50])
    someone.waits_for(".turns li:nth-child(2)[data-turn]")


@lanes.gate
def test_a_first_game_begins_and_is_gone_on_with(browser: Browser, tmp_path: Path) -> None:
    """It is against the easiest; a reload leads back to it, the bare address offers it."""
    with served(tmp_path) as url:
        someone = at_start(browser, url)
        page = someone.page
        assert (
            page.locator("#summary").inner_text() == "You are White, against Easy, without a clock."
        )
        assert page.locator(".going").count() == 0
        plays_a_turn(someone)
        page.reload()
        someone.waits_for(".turns li:nth-child(2)[data-turn]")
        assert page.locator(FORM).count() == 0
        someone.waits_for(f"{SHOWN} .space.can")
        page.keyboard.press("ArrowUp")  # leads to the boards
        assert page.locator(f"{SHOWN} .can:focus").count() == 1
        page.goto("about:blank")
        page.goto(url)
        going = page.locator(".going")
        going.get_by_text("Turn 3 is yours, against Easy.").wait_for()
        going.get_by_role("button", name="Continue").click()
        someone.waits_for(".turns li:nth-child(2)[data-turn]")
    with served(tmp_path) as url:
        someone = at_start(browser, url)  # of a program that was ended in mid-game
        someone.page.locator(".going", has_text="turn 3").get_by_role("button").click()
        someone.hears("Choose a copy")
        someone.waits_for_piece(5, "white")
        someone.waits_for('.turns .none:text-is("The game goes on from here.")')


@lanes.gate
def test_what_another_game_breaks_off_is_in_the_list(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as url:
        someone = at_start(browser, url)
        page = someone.page
        plays_a_turn(someone)
        page.evaluate("location.hash = 'start'")
        page.locator(".going").get_by_text("Turn 3 is yours").wait_for()
        begins(page)
        someone.waits_for(".turns li.none")
        page.evaluate("location.hash = 'games'")
        page.locator(".games.going").get_by_text("2 turns").wait_for()
        [(left, top, right, bottom)] = edges(page, ".games.going li")
        assert bottom - top < right - left  # a row of the list, not a card of the start page


@lanes.gate
def test_two_at_one_screen_are_told_apart_by_their_names(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as url:
        someone = at_start(browser, url, TABLET)
        page = someone.page
        page.locator(f"{FORM} label", has_text="somebody here").click()
        for at, name in enumerate(("Ann", "Ben")):
            page.locator(f"{FORM} .names input").nth(at).fill(name)
        begins(page)

        def press(name: str) -> None:
            page.get_by_role("button", name=name, exact=True).click()

        someone.hears("Ann: choose a copy")
        press("Hint")
        page.locator("#note", has_text="Hints are off where two people play.").wait_for()
        press("Lessons")
        press("End lesson")  # for the game that was begun
        someone.hears("Ann: choose a copy")
        taps_ahead(page, SHOWN, [0, 1, 5, 50])
        someone.hears("Ben: choose a copy")
        assert page.locator(".turns li .unseen").text_content() == "Ann: "
        someone.place(5).click()
        page.get_by_text("That copy is Ann's. Choose one of Ben's, in the light.").first.wait_for()
        press("Back")
        someone.hears("last turn back?")
        press("Never mind")
        press("End")
        someone.hears("End this game?")
        (said,) = page.locator("#says").evaluate_all(
            "all => all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)"
        )
        assert said == 0  # nothing of the question is cut
        press("Ben resigns")
        someone.hears("Ann wins")
        page.locator("#note", has_text="Ann wins by resignation.").wait_for()
        page.get_by_role("link", name="Review the game").click()
        page.get_by_role("heading", name="Ann wins").wait_for()
        page.locator("#games .head", has_text="Ann stepped twice in the past.").wait_for()
        assert page.locator("#games .turns li .unseen").first.text_content() == "Ann: "
        page.get_by_role("link", name="Games", exact=True).click()
        page.locator(".listed .says", has_text="Ann wins by resignation.").wait_for()
        page.evaluate("location.hash = 'live'")
        press("Swap")
        someone.hears("Ben: choose a copy")
        assert "Ann wins" not in "".join(page.locator("[aria-live]").all_text_contents())


@lanes.gate
def test_one_form_says_all_of_a_new_game(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as url:
        page = at_start(browser, url, (360, 560)).page
        form = page.locator(FORM)
        rows = page.locator(".hero, .form-line, .tiles")
        where = "all => all.map(({ offsetTop, offsetHeight }) => [offsetTop, offsetHeight])"
        choices = ("somebody here", "a friend", "the program", "Your equal", "Sly", "Black")
        for size in ((360, 560), (390, 664), (844, 340), (1280, 720)):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            lie = rows.evaluate_all(where)
            for choice in (*choices, "none", "other"):
                form.get_by_role("radio", name=choice).check()
                assert rows.evaluate_all(where) == lie, (size, choice)
        form.get_by_label("minutes").fill("3")
        form.get_by_label("seconds a turn").fill("2")
        form.get_by_label("Name of Black").fill("Ada")
        form.get_by_role("group", name="White").get_by_role("button", name="one fewer").click()
        says = "You are Black, against Sly, 3 min + 2 s each."
        assert page.locator("#summary").inner_text() == says
        boxes = form.get_by_role("button", name="closed boxes: 4")
        boxes.click()
        form.get_by_text("Each box holds a chapter").wait_for()
        form.get_by_role("button", name="Open the next one").click()
        form.get_by_role("button", name="closed boxes: 3").wait_for()
        assert form.get_by_role("radio", name="Growth").is_checked()
        assert page.locator("#summary").inner_text() == f"Growth. {says}"
        begins(page)
        page.get_by_text("Copies can plant seeds").wait_for()
        page.get_by_role("button", name="I see").click()
        white = page.locator(".player", has_text="sly")
        white.locator('[aria-label="3 in the supply"]').wait_for()
        page.locator(".player.near time").wait_for()
        page.wait_for_selector(".turns li[data-turn]")
        page.locator(".player.near time.running").wait_for()
        page.goto(f"{url}#start")
        page.get_by_text("The clock stands.").wait_for()
        form.get_by_role("radio", name="Sly").wait_for()
        assert form.get_by_role("radio", name="Sly").is_checked()  # what was last
        assert form.get_by_role("radio", name="other").is_checked()
        assert form.get_by_label("minutes").input_value() == "3"


def test_the_clock_stays_as_it_was_for_the_easiest_too(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as url:
        page = at_start(browser, url).page
        page.get_by_role("radio", name="other").check()
        begins(page)
        page.locator(".player.near time").wait_for()
        page.goto(f"{url}#start")
        page.get_by_text("against Easy, 20 min + 0 s each.").wait_for()
        assert page.get_by_role("radio", name="other").is_checked()
        page.get_by_role("spinbutton", name="seconds a turn").fill("5")
        page.get_by_text("against Easy, 20 min + 5 s each.").wait_for()


@lanes.gate
def test_no_clock_runs_while_the_others_turn_is_shown(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as url:
        someone = at_start(browser, url, beats=True)
        someone.page.get_by_role("radio", name="other").check()
        plays_a_turn(someone)
        someone.page.get_by_role("button", name="Skip").wait_for()
        someone.page.locator(".player time.running").wait_for(state="detached")
        assert someone.page.get_by_role("button", name="Skip").is_visible()
        assert someone.page.locator(".player time").count() == 2
        someone.hears("Choose a copy")
        someone.page.locator(".player.near time.running").wait_for()


@lanes.gate
def test_whose_time_is_up_is_asked_what_now(browser: Browser, tmp_path: Path) -> None:
    """Once: who plays on plays without a clock."""

    def empties(line: Any) -> None:
        server = line.connect_to_server()
        server.on_message(
            lambda text: line.send(re.sub(r'("left": ?{"white": ?)\d+', r"\g<1>0", text))
        )

    with served(tmp_path) as url:
        someone = opened(browser, "about:blank", size=PHONE)
        page = someone.page
        page.route_web_socket("**/ws", empties)
        page.goto(url)
        page.get_by_role("radio", name="10 min").check()
        begins(page)
        someone.hears("Your time is up")
        page.get_by_role("button", name="End the game").click()
        someone.hears("End this game?")
        page.get_by_role("button", name="Never mind").click()
        page.get_by_role("button", name="Play on").click()
        someone.hears("Choose a copy")
        page.goto(f"{url}#start")  # what was chosen and not begun stays, too
        page.get_by_role("radio", name="Practised").check()
        page.get_by_label("Name of White").fill("Ada")
        page.goto(f"{url}#rules")
        page.goto(f"{url}#start")
        assert page.get_by_role("radio", name="Practised").is_checked()
        assert page.get_by_label("Name of White").input_value() == "Ada"


@lanes.gate
def test_a_friend_is_shown_no_code_that_leads_nowhere(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as url:
        page = at_start(browser, url).page
        page.locator(FORM).get_by_role("radio", name="a friend, by link").check()
        begins(page)
        page.get_by_text("This page is closed to other devices").wait_for()
        assert page.locator(".invite img").count() == 0
        page.get_by_role("link", name="To the game").click()
        page.locator("#says", has_text="Choose a copy").wait_for()
        assert not page.locator(".player", has_text="guest").count()  # nobody was seated yet
        page.go_back()  # to what was asked for
        page.get_by_role("button", name="Open it to my Wi-Fi").click()
        link = page.locator(".invite a")
        link.wait_for()
        assert "/guest/" in link.inner_text()
        assert "127.0.0.1" not in link.inner_text()
        assert page.locator(".invite img").is_visible()
        page.get_by_role("link", name="To the game").click()
        page.locator("#says", has_text="Choose a copy").wait_for()


@lanes.gate
def test_a_seat_is_a_friend_s_once_a_link_leads_there(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as url:
        page = at_start(browser, url).page
        page.get_by_role("button", name="Invite", exact=True).click()
        page.get_by_role("button", name="Open it to my Wi-Fi").click()
        stays = page.get_by_text("The game that goes on stays as it is")
        page.get_by_text("Black is not yet a friend").wait_for()
        assert stays.is_visible()
        page.get_by_role("button", name="Invite", exact=True).click()
        page.locator(".invite img").wait_for()


def test_a_lesson_puts_no_game_aside_unasked(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as url:
        someone = opened(browser, url, "#live .can", size=PHONE)
        for place in (0, 1, 5, 50):
            someone.presses(someone.place(place))
        someone.waits_for(".turns li:nth-child(2)[data-turn]")
        page = someone.page
        page.goto(f"{url}#lessons")
        page.get_by_role("button", name="3. Paradox").wait_for()
        alike = "all => all.map((e) => e.innerHTML + getComputedStyle(e).fill)"
        marks = page.locator("#lessons .marks svg").evaluate_all(alike)
        assert len({*marks}) == len(marks)  # each looks like itself alone
        page.get_by_role("button", name="3. Paradox").click()
        someone.hears("Put this game aside?")
        page.get_by_role("button", name="Begin the lesson").click()
        page.locator('.strip[aria-label*="Paradox"]').wait_for()


def test_who_looks_on_comes_to_the_game(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as url:
        someone = opened(browser, url, "#live .can")
        someone.presses(someone.place(0))  # who acts plays here
        someone.hears("Where to?")
        other = opened(browser, "about:blank")
        other.page.goto(url)
        other.hears("White is choosing")
        assert other.page.url.endswith("#live")
        other.page.locator("#control", has_text="Screen 1 plays here").wait_for()


@lanes.gate
def test_who_plays_is_named_beside_begin_and_can_be_relieved(
    browser: Browser, tmp_path: Path
) -> None:
    with served(tmp_path) as url:
        someone = at_start(browser, url)
        someone.page.get_by_label("Name of White").fill("Mia")
        begins(someone.page)
        someone.presses(someone.place(0))
        other = opened(browser, f"{url}#start", FORM, size=PHONE)
        page = other.page
        page.locator("#summary", has_text="Mia plays here.").wait_for()
        begin = page.get_by_role("button", name="Begin", exact=True)
        assert not begin.is_visible(), "a button that does nothing"
        page.get_by_role("radio", name="Black").check()
        page.locator(".go").get_by_role("button", name="Take over").click()
        page.locator("#summary", has_text="You are Black").wait_for()
        begin.click()
        page.wait_for_url("**#live")
        someone.page.locator("#control", has_text="plays here").wait_for()


@pytest.mark.parametrize("scheme", lanes.once(["light", "dark"]))
@pytest.mark.parametrize("size", lanes.once([(size,) for size in SIZES]), ids=str)
def test_begin_stays_in_sight_and_everybody_can_use_it(
    browser: Browser, tmp_path: Path, size: Size, scheme: str
) -> None:
    with served(tmp_path) as url:
        page = at_start(browser, url, size, color_scheme=scheme).page
        page.get_by_role("link", name="wins in").wait_for()
        for _ in range(2):
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
            assert barriers(page) == []
            for left, top, right, bottom in edges(page, "#summary, .go button:visible"):
                assert 0 <= left < right <= size[0]
                assert 0 <= top < bottom <= size[1]
            page.get_by_role("radio", name="a friend, by link").check()
        for place in ("#lessons", "#start/friend"):
            page.goto(f"{url}{place}")
            page.locator(".narrow h1").wait_for()
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
            assert barriers(page) == []


@lanes.gate
def test_an_evening_with_a_guest(browser: Browser, tmp_path: Path) -> None:
    """Who comes is seen, turns back are asked for, a rematch wanted by both.

    Who comes by the same link looks on; the game that was played is taken along.
    """
    with served(tmp_path) as url:
        ann = at_start(browser, url)
        host = ann.page
        host.set_default_timeout(15_000)
        host.get_by_role("button", name="Invite", exact=True).click()
        host.get_by_role("button", name="Open it to my Wi-Fi").click()
        host.get_by_role("button", name="Invite", exact=True).click()
        link = host.locator(".invite a").get_attribute("href")
        assert link is not None
        seat = f"{url}guest/{link.split('/guest/')[1]}"
        ben = opened(browser, seat, "#live .eras", size=(390, 664))
        host.wait_for_url("**#live")
        host.locator("#says", has_text="Choose a copy").wait_for()
        ben.presses(ben.place(47))
        ben.hears("Not there")
        ben.page.locator("#says", has_text="White").wait_for()  # whose turn it is comes back
        host.goto(f"{url}#start/friend")
        host.locator(".invite", has_text="Who opens this now looks on").wait_for()
        host.go_back()
        for place in (0, 1, 5, 50):
            ann.presses(ann.place(place))
        ben.hears("Choose a copy")
        knobs = [each.bounding_box() for each in ben.page.locator(".bar .tool:visible").all()]
        assert all(each and each["width"] >= 40 for each in knobs)
        texts = ben.page.locator(".bar .tool:visible").all()
        assert all(each.evaluate("e => e.scrollWidth <= e.clientWidth") for each in texts)
        host.get_by_role("button", name="Back").click()
        host.get_by_role("button", name="Take it back").click()
        ben.page.get_by_role("button", name="Give them back").click()
        host.locator("#says", has_text="Black says yes.").wait_for()
        ann.waits_for('#live .eras [data-sensor="0"][tabindex="0"]')
        for place in (0, 1, 5, 50):
            ann.presses(ann.place(place))
        ben.hears("Choose a copy")
        eve = opened(browser, seat, "#live .eras", size=(390, 664))
        eve.hears("This place is taken")
        eve.page.get_by_role("button", name="Look on").click()
        eve.page.locator("#note", has_text="You look on.").wait_for()
        ben.page.get_by_role("button", name="End", exact=True).click()
        ben.fits("#voice button", 4)
        ben.page.get_by_role("button", name="Without a result").click()
        host.get_by_role("button", name="Play on").click()
        ben.hears("White says no.")
        ben.page.get_by_role("button", name="End", exact=True).click()
        ben.page.get_by_role("button", name="Resign", exact=True).click()
        ben.page.locator(".share-knob").wait_for()
        ben.page.get_by_role("link", name="Review the game").click()
        ben.page.locator(".head p", has_text="White wins by resignation.").wait_for()
        ben.page.get_by_role("link", name="Back to the game").click()
        eve.hears("White wins by resignation.")
        assert not eve.page.get_by_role("button", name="Rematch").count()
        ben.page.get_by_role("button", name="Rematch").click()
        host.get_by_role("button", name="Rematch").wait_for()
        host.get_by_role("button", name="No", exact=True).click()
        host.get_by_role("button", name="Rematch").click()
        ben.page.get_by_role("button", name="Rematch").click()  # is asked, too
        ben.hears("Choose a copy")  # who lost begins (T4)
        host.locator("#note", has_text="You play White. Win by leaving Black").wait_for()
        ben.page.close()
        host.get_by_role("link", name="Show the link").wait_for(timeout=20_000)
        eve.page.get_by_role("button", name="Play on").click()
        host.locator(".there, .away").wait_for(state="detached")
