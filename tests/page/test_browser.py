"""The page in Chromium: games played by dragging, replayed and mirrored, by pointer and by keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from chronotable_host.archive.store import Archive
from chronotable_host.rules.notation import format_position, format_turn, parse_turn
from chronotable_host.virtual.tabletop import looks_in
from tests import lanes
from tests.host.leaks import leaks
from tests.lab.page import served
from tests.page.browsing import (
    PC,
    PHONE,
    SHOWN,
    Browser,
    HeldLine,
    Locator,
    Person,
    Size,
    barriers,
    edges,
    open_list,
    opened,
    short_game,
)
from ttykm.game import Game

pytestmark = pytest.mark.browser

WIDTHS = (320, 800, 1600)
HEIGHT = 900
BOTH = ("--white", "hands", "--black", "hands")


def person(browser: Browser, url: str, size: Size = (1280, HEIGHT), **how: Any) -> Person:
    return opened(browser, url, size=size, **{"reduced_motion": None, **how})


@pytest.fixture
def someone(browser: Browser, tmp_path: Path) -> Iterator[Person]:
    """Who plays both sides with the pieces in the hand."""
    with served(tmp_path, *BOTH) as url:
        yield person(browser, url)


def waits_for_turn(someone: Person, turn: str) -> None:
    """Wait until a turn is final, and in the list."""
    someone.waits_for(f'.turns [data-turn="{turn}"]')


@lanes.gate
def test_a_whole_game_is_played_by_dragging(someone: Person, tmp_path: Path) -> None:
    wanted_game = short_game(range(4), 30)
    someone.sees(48, "mover")
    game = Game()
    corner = someone.middle(0)
    for turn in wanted_game.turns:
        someone.makes(game, turn)
        assert someone.middle(0) == corner, "boards stay where they are, whatever is said"
    someone.hears("wins")
    for sensor, look in looks_in(game.state).items():
        someone.waits_for_piece(sensor, look)
    (record,) = (Archive(tmp_path).read(entry).record for entry in Archive(tmp_path).games())
    assert format_position(list(record.replay())[-1].state) == format_position(game.state)
    assert record.headers["Result"] in ("1-0", "0-1")
    assert all("certain" in comment for comment in record.comments if comment)


def test_quick_hands_are_ahead_of_a_slow_line(browser: Browser, tmp_path: Path) -> None:
    """A piece that was let go is taken on at once, as it is at the table."""
    with served(tmp_path, *BOTH) as url:
        someone = person(browser, "about:blank")
        line = HeldLine(someone.page)
        someone.opens(url)
        someone.sees(48, "mover")
        line.is_held = True
        someone.drag(0, 1)
        someone.drag(1, 5)
        line.goes_on()
        someone.waits_for(f'{SHOWN} [data-sensor="1"]:not(.occupied)')
        someone.waits_for_piece(5, "white")
        someone.drag(48, 50)
        waits_for_turn(someone, "1 E S >future")


@lanes.gate
def test_a_late_view_does_not_exchange_what_is_in_the_hand(
    browser: Browser, tmp_path: Path
) -> None:
    """What was dragged is put down, not what was lifted before."""
    with served(tmp_path, *BOTH) as url:
        someone = person(browser, "about:blank")
        line = HeldLine(someone.page)
        someone.opens(url)
        someone.sees(48, "mover")
        someone.place(0).click()
        someone.sees(0, "lifted")
        line.are_late = True
        someone.drag(48, 50)
        someone.page.wait_for_timeout(1000)  # longer than the page waits for one view
        line.goes_on()
        someone.waits_for_piece(50, "white-focus")


def test_levels_play_the_sides_that_they_are_given(browser: Browser, tmp_path: Path) -> None:
    """A level answers a person; then another one takes the person's seat, and the game goes on."""
    with served(tmp_path, "--white", "hands", "--black", "level:2") as url:
        someone = person(browser, url)
        someone.sees(48, "mover")
        someone.makes(Game(), parse_turn("1 E F >future"))
        waits_for_turns(someone, 2)
        someone.opens_menu("Players")
        someone.seats("White", "Practised: plays every week")
        waits_for_turns(someone, 5)
        someone.waits_for("#eras .player.near")
        someone.seats("White", "A person: with the pieces in the hand")
        someone.waits_for("#board + .player")
        someone.seats("White", "A person: who chooses here")
        someone.waits_for("#eras .player.near")  # the plates are with the boards that are shown
    (entry,) = Archive(tmp_path).games()
    record = Archive(tmp_path).read(entry).record
    assert len(record.turns) >= 5
    assert all("certain" in comment for comment in record.comments if comment)


def waits_for_turns(someone: Person, count: int) -> None:
    """Wait until so many turns are final."""
    someone.waits_for(f".turns li:nth-child({count})")


@lanes.gate
def test_a_turn_by_keys_alone(someone: Person, tmp_path: Path) -> None:
    """1 E F >future: nothing but the keyboard is used, names tell where one is."""
    someone.sees(0, "copy")
    keys = someone.page.keyboard
    for _ in range(40):
        keys.press("Tab")
        if someone.page.evaluate("document.activeElement.closest('#board') !== null"):
            break
    here = "document.activeElement.getAttribute('aria-label')"
    assert someone.page.evaluate(here).startswith("past 1, white copy, may act")
    keys.press("Enter")
    someone.sees(1, "move")
    keys.press("ArrowRight")
    assert someone.page.evaluate(here).startswith("past 2, empty, may move here")
    keys.press("Enter")
    someone.waits_for_piece(1, "white")
    someone.sees(1, "copy")
    keys.press("Enter")
    someone.waits_for("#board [data-sensor='1']:not(.occupied)")
    someone.sees(17, "forward")
    keys.press("PageDown")
    assert someone.page.evaluate(here).startswith("present 2")
    keys.press("Enter")
    someone.waits_for_piece(17, "white")
    goes_to(someone, "focus white past", "ArrowUp", "ArrowUp", "ArrowLeft")
    keys.press("Enter")
    someone.waits_for("#board [data-sensor='48']:not(.occupied)")
    goes_to(someone, "focus white future", "ArrowRight", "ArrowRight")
    keys.press("Enter")
    waits_for_turn(someone, "1 E F >future")
    (entry,) = Archive(tmp_path).games()
    assert format_turn(Archive(tmp_path).read(entry).record.turns[0]) == "1 E F >future"


def goes_to(someone: Person, name: str, *keys: str) -> None:
    """Press the keys until a place of this name has the focus."""
    here = "document.activeElement.getAttribute('aria-label')"
    for key in keys:
        someone.page.keyboard.press(key)
        if someone.page.evaluate(here).startswith(name):
            return
    raise AssertionError(f"no way to {name}, but to {someone.page.evaluate(here)}")


@lanes.gate
def test_two_look_on_and_one_has_control(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, *BOTH) as url:
        first, second = person(browser, url), person(browser, url)
        for someone in (first, second):
            someone.sees(0, "copy")
        first.drag(0, 1)
        second.waits_for_piece(1, "white")
        second.page.get_by_text("plays here").first.wait_for()
        second.drag(1, 0)
        second.page.locator("#note .noted", has_text="plays here").wait_for()
        first.waits_for_piece(1, "white")
        second.page.get_by_role("button", name="Take over").first.click()
        first.page.get_by_text("plays here").first.wait_for()
        second.page.locator("#control").wait_for(state="hidden")
        second.drag(1, 0)
        first.waits_for_piece(0, "white")


@pytest.mark.parametrize("size", [(360, 640), (1280, 900)], ids=str)
def test_who_comes_to_look_on_moves_no_boards(browser: Browser, tmp_path: Path, size: Size) -> None:
    """Nor who goes: a piece that is dragged just then would miss its space."""
    with served(tmp_path, "--black", "level:1") as url:
        someone = person(browser, url, size)
        someone.sees(0, "copy")
        places = edges(someone.page, f"{SHOWN} [data-sensor]")
        other = person(browser, url)
        other.sees(0, "copy")
        screens = someone.page.locator("#menu .control")
        screens.get_by_text("Open on 2 screens").wait_for(state="attached")
        assert edges(someone.page, f"{SHOWN} [data-sensor]") == places
        someone.page.get_by_role("button", name="Menu").click()
        someone.page.get_by_role("button", name="Take over").click()
        other.page.locator("#control", has_text="Screen 1 plays here").wait_for()
        someone.page.get_by_role("button", name="Back to the game").click()
        assert edges(someone.page, f"{SHOWN} [data-sensor]") == places
        other.page.get_by_role("button", name="Take over").click()
        someone.page.locator("#control", has_text="Screen 2 plays here").wait_for()
        ((_, top, _, bottom),) = edges(someone.page, "#control button")
        assert bottom <= size[1]
        assert 44 <= bottom - top <= 48, "in one line"
        other.page.close()
        someone.page.locator("#control").wait_for(state="hidden")
        assert edges(someone.page, f"{SHOWN} [data-sensor]") == places


@lanes.gate
def test_the_page_comes_back_with_its_server(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, *BOTH) as url:
        someone = person(browser, url)
        someone.sees(0, "copy")
        someone.drag(0, 5)
        someone.waits_for_piece(5, "white")
    someone.page.get_by_text("connection is lost").first.wait_for()
    with served(tmp_path, *BOTH, "--listen", urlsplit(url).netloc):
        someone.waits_for_piece(0, "white")
        someone.sees(0, "copy")
        someone.page.get_by_text("connection is lost").first.wait_for(state="hidden")
        someone.drag(0, 1)
        someone.waits_for_piece(1, "white")


@lanes.gate
def test_a_game_is_replayed_and_gone_on_with(someone: Person) -> None:
    someone.sees(0, "copy")
    game = Game()
    for text in ("1 E F >future", "16 W B >present"):
        someone.makes(game, parse_turn(text))
    waits_for_turn(someone, "16 W B >present")
    page = someone.page
    page.locator("#so-far [data-turn='1 E F >future'] a").click()  # a look back
    page.get_by_role("heading", name="Turn 1 of 2").wait_for()
    someone.waits_for("#games [data-sensor='17'] [data-look='white']")
    page.get_by_role("link", name="Back to the game").click()
    someone.waits_for_piece(17, "white")
    page.get_by_role("button", name="End", exact=True).click()
    page.get_by_role("button", name="White resigns").click()
    someone.hears("by resignation")
    page.locator(".top").get_by_role("link", name="Games").click()
    page.locator("#games a[href^='#games/']").first.click()
    page.get_by_role("heading", name="Black wins", exact=True).wait_for()  # how is told below
    page.locator("#games .head p", has_text="Black wins by resignation.").wait_for()
    page.keyboard.press("Home")
    shown = "#games [data-sensor='0'] [data-look='white']"
    someone.waits_for(shown)
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(shown, state="detached")
    someone.waits_for("#games [data-sensor='17'] [data-look='white']")
    open_list(page)
    page.get_by_role("button", name="Play on from here").click()
    someone.waits_for_piece(17, "white")
    someone.sees(53, "mover")


@lanes.gate
def test_a_locked_chapter_is_not_to_be_seen(browser: Browser, tmp_path: Path) -> None:
    """A locked chapter is not on the page, in its markup or in what the server tells."""
    with served(tmp_path) as url:
        someone = person(browser, url)
        heard: list[str] = []
        someone.page.on(
            "websocket",
            lambda socket: socket.on("framereceived", lambda text: heard.append(str(text))),
        )
        someone.page.reload()
        someone.sees(0, "copy")
        assert leaks(someone.page.content()) == []
        someone.page.goto(url + "#games")
        someone.page.locator("#games").wait_for()
        assert leaks(someone.page.content()) == []
        someone.page.goto(url + "#rules/G4")
        someone.page.get_by_text("There is no rule G4 here.").wait_for()
        assert leaks(someone.page.content()) == []
        assert heard
        assert [found for text in heard if (found := leaks(str(text)))] == []


@pytest.mark.parametrize("scheme", lanes.once(["light", "dark"]))
@pytest.mark.parametrize("width", lanes.once(WIDTHS))
def test_it_fits_and_everybody_can_use_it(
    browser: Browser, tmp_path: Path, pictures: Path, width: int, scheme: Any
) -> None:
    """Nothing runs out of the window; axe finds nothing serious; pictures are kept."""
    with served(tmp_path, *BOTH) as url:
        someone = opened(browser, url, size=(width, HEIGHT), color_scheme=scheme)
        page = someone.page
        someone.sees(0, "copy")
        game = Game()
        someone.makes(game, parse_turn("1 E F >future"))
        waits_for_turn(someone, "1 E F >future")
        someone.place(47).click()
        someone.sees(47, "lifted")
        for name in ("live", "games", "rules"):
            page.evaluate(f"location.hash = '#{name}'")
            page.locator(f"#{name}").wait_for()
            if name == "rules":
                page.locator("#rule-T34").wait_for()
            page.screenshot(path=pictures / f"{name}-{width}-{scheme}.png", full_page=True)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert barriers(page) == []


def test_who_plays_reads_no_number_of_a_rule_and_its_address_leads_there(someone: Person) -> None:
    someone.sees(0, "copy")
    someone.drag(0, 10)
    page = someone.page
    page.locator("#note", has_text="what lies there; take it back.").wait_for()
    page.evaluate("location.hash = 'rules/T16'")
    rule = page.locator("#rule-T16[aria-current]")
    rule.wait_for()
    assert page.evaluate("document.activeElement.id") == "rule-T16"
    assert rule.inner_text().split("\n")[0].startswith("T16")
    box, height = rule.bounding_box(), page.evaluate("innerHeight")
    assert box is not None and 0 < box["y"] < height - box["height"]


def test_a_place_says_what_it_is(someone: Person) -> None:
    someone.sees(0, "copy")
    label = someone.place(0).get_attribute("aria-label")
    assert label == "past 1, white copy, may act"
    someone.drag("black", 22)
    someone.waits_for_piece(22, "black")
    assert (someone.place(22).get_attribute("aria-label") or "").startswith("present 7, black copy")


APPROACH = ("1 E S >present", "16 W N >past", "1 E S >past", "16 W N >present")
"""After these white in the past is two steps from a black copy."""


@pytest.mark.parametrize("first", [10, 14])
def test_the_pushed_piece_goes_where_it_is_pushed(someone: Person, first: int) -> None:
    """By clicks on what is lit, in either order: no colours are exchanged."""
    someone.sees(48, "mover")
    game = Game()
    for text in APPROACH:
        someone.makes(game, parse_turn(text))
        waits_for_turn(someone, text)
    for sensor, light in ((5, "lifted"), (6, "copy"), (6, "lifted"), (10, "push")):
        someone.place(sensor).click()
        someone.sees(sensor, light)
    someone.sees(14, "todo_put_black")
    for sensor in (first, 24 - first):
        someone.place(sensor).click()
        someone.waits_for_piece(sensor, {10: "white", 14: "black"}[sensor])
    someone.drag(48, 49)
    waits_for_turn(someone, "6 E S >present")


def test_a_spectator_is_asked_nothing(browser: Browser, tmp_path: Path) -> None:
    """On a phone: no button that cannot be pressed, no *you*, and no note over what is said."""
    with served(tmp_path, "--white", "hands", "--black", "level:1") as url:
        first, second = person(browser, url), person(browser, url, PHONE)
        first.sees(0, "copy")
        first.drag(48, 49)
        first.page.locator(".question").wait_for()
        second.hears("Which turn was it?")
        page = second.page
        assert page.locator(".question").count() == 0
        assert page.locator("#voice button:disabled").count() == 0
        assert {*page.locator(".player .name").all_inner_texts()} == {"White", "Black"}
        assert {*first.page.locator(".player .name").all_inner_texts()} == {"You", "Black"}
        page.evaluate("document.querySelector('.stage').scrollTo(0, 0)")
        second.place(0).click(position={"x": 3, "y": 3}, force=True)
        page.locator("#note .noted", has_text="plays here").wait_for()
        for part in ("#says", "#control", "#voice"):
            assert not overlap(page.locator(".noted"), page.locator(part)), part
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="Back to the game").click()


ONE_NOTE = "import('/static/speak.js').then(({ note }) => note('One thing is wrong.'))"


def test_a_note_leaves_the_banner_free(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, *BOTH) as url:
        someone = person(browser, url)
        someone.sees(0, "copy")
    page, said = someone.page, ("#lost", "#says", "#voice", "#eras", "#board")
    page.locator("#lost:not([hidden])").wait_for()
    page.evaluate(ONE_NOTE)
    noted = page.locator("#note .noted")
    noted.wait_for()
    someone.place(0).click(force=True)
    assert noted.inner_text() == "One thing is wrong.", "that the line is lost is said already"
    for size in (PC, PHONE):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        assert [part for part in said if overlap(noted, page.locator(part))] == []


def overlap(one: Locator, other: Locator) -> bool:
    """Tell whether two parts of a page cover each other."""
    a, b = one.bounding_box(), other.bounding_box()
    if a is None or b is None or not a["height"] or not b["height"]:
        return False
    across = a["x"] < b["x"] + b["width"] and b["x"] < a["x"] + a["width"]
    return across and a["y"] < b["y"] + b["height"] and b["y"] < a["y"] + a["height"]


def test_a_piece_is_put_back_on_a_phone(browser: Browser, tmp_path: Path, pictures: Path) -> None:
    """The button is in sight, and nothing lies on it."""
    with served(tmp_path, *BOTH) as url:
        someone = person(browser, url, PHONE)
        someone.sees(0, "copy")
        someone.place(0).click()
        someone.sees(0, "lifted")
        back = someone.page.locator(".put-back")
        box = back.bounding_box()
        someone.page.screenshot(path=pictures / "hand-390.png")
        assert box is not None and box["y"] + box["height"] <= 844
        back.click(trial=True)
        assert box == back.bounding_box(), "without scrolling"
        back.click()
        someone.waits_for_piece(0, "white")


@lanes.gate
@pytest.mark.browser
def test_escape_closes_what_lies_on_top_and_no_more(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, "--black", "random") as url:
        someone = opened(browser, url, size=(390, 664))
        page = someone.page
        someone.hears("Choose a copy")
        someone.place(0).click()
        someone.hears("Where to? 2 actions")
        for name, what in (("Menu", "#menu"), ("Turns", "#so-far .turns")):
            page.get_by_role("button", name=name, exact=True).click()
            page.locator(what).wait_for()
            page.keyboard.press("Escape")
            page.locator(what).wait_for(state="hidden")
        page.get_by_role("button", name="End", exact=True).click()
        someone.hears("End this game?")
        page.keyboard.press("Escape")
        someone.hears("Where to? 2 actions")
        page.keyboard.press("?")
        page.locator("dialog.keys[open]").wait_for()
        page.keyboard.press("Escape")
        page.locator("dialog.keys[open]").wait_for(state="detached")
        someone.hears("Where to? 2 actions")
        page.keyboard.press("Escape")
        someone.hears("Choose a copy")
