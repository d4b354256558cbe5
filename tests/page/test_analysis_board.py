"""The analysis board in Chromium: turns are tried, branch, are compared, stay in the address."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from chronotable_host import chapters
from chronotable_host.rules.notation import format_position, format_turn
from chronotable_host.rules.record import Record
from chronotable_host.rules.turn_builder import TurnBuilder
from chronotable_host.web.building import refusals
from tests import lanes
from tests.host.archives import random_record
from tests.lab.page import served
from tests.page.browsing import (
    PC,
    PHONE,
    Browser,
    HeldRequest,
    Page,
    Person,
    Size,
    barriers,
    edges,
    finds_back,
    open_list,
    opened,
    press,
)
from tests.page.choosing import choices_of, pressable, taps_ahead, tries
from ttykm.game import Game

pytestmark = pytest.mark.browser

SEED = 11
AT = 5
"""The turn of the game behind which something is tried; black's copy can step."""
SCREENS = ((360, 640), PHONE, (844, 390), PC)
BOARDS = "#analyse .eras"
FALLEN = f"{'/'.join(['w..............b'] * 3)} 0 2 4 4 w growth -/F6<5/- seeds=5"
READY = f"{BOARDS} .space.can"
"""Waited for: boards on which something can be chosen."""
ROWS = "#analyse .turns .entry"
NOW = "#analyse .turns .now .entry"


@pytest.fixture(scope="module")
def record() -> Record:
    found = random_record(SEED)
    found.headers.update({"White": "Ann", "Black": "level:3", "Date": "2026-11-20"})
    return found


def opens(browser: Browser, url: str, at: object = AT, **how: Any) -> Person:
    return opened(browser, f"{url}#analyse/game/game/{at}", READY, **{"size": PC, **how})


def other_turn(record: Record, number: int) -> tuple[Game, int]:
    """Return a game before a turn, and a turn of two steps that was not played there."""
    game = Game()
    game.start(record.start, record.options)
    for turn in record.turns[:number]:
        game.apply(turn)
    played = record.turns[number] & 0xFFFF
    others = [each for each in game.legal_turns() if each & 0xFFFF != played]
    return game, others[0]


def place(page: Page, sensor: int) -> Any:
    return page.locator(f'{BOARDS} [data-sensor="{sensor}"]')


def test_an_address_that_comes_late_is_let_go(browser: Browser, url: str, record: Record) -> None:
    """Who has gone elsewhere meanwhile stays there."""
    _, turn = other_turn(record, AT)
    page = opens(browser, url).page
    held = HeldRequest(page, "**/api/try?*")
    late = f"#analyse/game/game/{AT}/{quote(format_turn(turn))}"
    page.evaluate("to => { location.hash = to; }", late)
    held.waits()
    page.evaluate("location.hash = '#analyse/game/game/2'")
    page.locator(f'{NOW} .no:text-is("2")').wait_for()
    held.goes_on()
    page.locator("#analyse .variation .tried").wait_for()  # it is listed, and no more
    assert page.url.endswith("#analyse/game/game/2")
    page.keyboard.press("ArrowRight")
    page.locator(f'{NOW} .no:text-is("3")').wait_for()


@pytest.mark.parametrize("how", lanes.once(["mouse", "keys", "touch"]))
@pytest.mark.parametrize("size", lanes.once([(PHONE,), (PC,)]))
def test_a_turn_is_tried_and_told_from_the_game(
    browser: Browser, url: str, record: Record, size: Size, how: str
) -> None:
    game, turn = other_turn(record, AT)
    page = opens(browser, url, size=size, has_touch=True).page
    assert page.locator(ROWS).count() == len(record.turns)
    told = refusals(TurnBuilder(game), "")
    at, why = next((at, told["says"][why]) for at, why in enumerate(told["at"]) if why)
    press(place(page, at), how)
    page.locator("#analyse .noted", has_text=why).wait_for()
    tries(page, "#analyse", game, turn, how)
    page.wait_for_url(f"**{quote(format_turn(turn))}")
    tried = page.locator("#analyse .variation .tried")
    assert tried.count() == 1
    assert tried.locator(".no").text_content() == str(AT + 1)
    assert tried.get_attribute("aria-current") == "step"
    assert page.locator(ROWS).count() == len(record.turns) + 1
    game.apply(turn)
    answer = next(iter(game.legal_turns()))
    tries(page, "#analyse", game, answer, how)
    page.wait_for_url(f"**/{quote(format_turn(turn))}/{quote(format_turn(answer))}")
    assert page.locator("#analyse .variation .tried").count() == 2
    # to and fro: the way that one came is the way on
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")  # on the boards arrows walk from place to place
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    page.wait_for_url(f"**#analyse/game/game/{AT}")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    page.wait_for_url(f"**/{quote(format_turn(turn))}/{quote(format_turn(answer))}")
    # the address alone brings it back
    page.reload()
    page.wait_for_selector(NOW, state="attached")
    assert page.locator("#analyse .variation .tried").count() == 2


@lanes.gate
def test_three_lines_are_shown_walked_and_turned_by_keys(browser: Browser, url: str) -> None:
    page = opens(browser, url).page
    lines = page.locator("#analyse .lines li")
    lines.nth(2).locator(".chance").wait_for()
    assert "Step twice in the future" in lines.first.inner_text()
    for _ in "words", "notation":
        # of one moment: the lines become others while the search goes on
        first = lines.evaluate_all("all => all.map((li) => li.children[1].innerText)")
        assert len(set(first)) == 3, "each begins with a turn of its own"
        page.keyboard.press("n")
    page.keyboard.press("n")
    assert page.locator(f"{BOARDS} .at").all_inner_texts() == [*map(str, range(16, 0, -1))] * 3
    assert page.locator(f"{BOARDS} .rose").inner_text().split() == ["N", "E", "S", "W"]
    lines.nth(1).locator(".chance").click()
    page.locator(f"{BOARDS} .thread.way").first.wait_for(state="attached")
    page.locator("#analyse h1").click()
    page.keyboard.press(" ")
    page.locator("#analyse .variation .tried.now").wait_for()
    lines.nth(1).locator(".black, .white").nth(1).click()  # two turns of it
    page.locator("#analyse .variation .tried").nth(2).wait_for()
    assert barriers(page) == []
    page.keyboard.press("f")
    assert page.locator(f"{BOARDS} .at").first.inner_text() == "1"
    page.keyboard.press("?")
    page.locator("dialog.keys", has_text="turns the boards round").wait_for()
    page.keyboard.press("?")
    page.locator("dialog.keys").wait_for(state="hidden")


def test_what_else_is_offered_before_an_answer_is_there_is_not_meant(
    browser: Browser, url: str, record: Record
) -> None:
    """The boards show what there was to choose before: the first choice stands."""
    number, game, turn = next(
        (number, game, turn)
        for number in range(len(record.turns))
        for game, turn in [other_turn(record, number)]
        if len({each.at for each in TurnBuilder(game).choices}) > 1
    )
    page = opens(browser, url, number).page
    first = choices_of(game, turn)[0]
    other = next(each.at for each in TurnBuilder(game).choices if each.at != first)
    held = HeldRequest(page, "**/api/try?*")
    place(page, first).click()
    place(page, other).click()
    held.goes_on()
    page.locator(BOARDS).locator(f'[data-sensor="{first}"].active').wait_for()
    page.locator(BOARDS).locator(pressable(choices_of(game, turn)[1])).wait_for()


def test_a_choice_is_taken_back_and_a_copy_can_be_dragged(
    browser: Browser, url: str, record: Record
) -> None:
    game, turn = other_turn(record, AT)
    page = opens(browser, url).page
    first, second, *_ = choices_of(game, turn)
    title = page.locator("#analyse h1")

    def drag() -> None:
        boxes = [place(page, each).bounding_box() for each in (first, second)]
        (x, y), to = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(*to, steps=5)
        page.mouse.up()

    drag()
    title.filter(has_text="Where to? 1 action").wait_for()
    page.get_by_role("button", name="One turn back").click()
    title.filter(has_text="Where to? 2 actions").wait_for()
    place(page, first).focus()
    page.keyboard.press("Escape")
    title.filter(has_text="Choose a copy").wait_for()
    page.wait_for_url(f"**/game/{AT}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SCREENS, ids=str)
def test_it_fits_on_every_screen(
    browser: Browser, url: str, pictures: Path, record: Record, size: Size, scheme: str
) -> None:
    _, turn = other_turn(record, AT)
    at = f"{AT}/{quote(format_turn(turn))}"
    someone = opens(browser, url, at, size=size, color_scheme=scheme)
    page = someone.page
    page.locator("#analyse .worth", has_text="depth").wait_for()
    page.get_by_role("button", name="Show the best turn").click()
    page.wait_for_selector("#analyse .thread.way", state="attached")
    page.screenshot(path=pictures / f"analyse-{size[0]}x{size[1]}-{scheme}.png")
    someone.fits(f"{BOARDS} .space")
    page.locator(".lines .chance").nth(2).wait_for()
    shown, *_ = edges(page, ".lines")
    boards, *_ = edges(page, BOARDS)
    for left, top, right, bottom in edges(page, ".lines .chance"):  # all three, and off the boards
        assert left >= shown[0] and top >= shown[1] and right <= shown[2] and bottom <= shown[3]
        assert bottom <= boards[1] or top >= boards[3]


def test_what_is_tried_is_compared_and_forgotten(
    browser: Browser, url: str, record: Record
) -> None:
    """What a turn is worth stays beside it in the list, so that two can be compared."""
    _, turn = other_turn(record, AT)
    page = opens(browser, url).page
    page.locator(NOW, has_text="%").wait_for()
    page.goto(f"{url}#analyse/game/game/{AT}/{quote(format_turn(turn))}")
    page.locator("#analyse .tried.now .entry", has_text="%").wait_for()
    assert page.locator(f"{ROWS} .worth-tag").count() == 2
    shown = page.locator("#analyse .worth b").inner_text()
    assert re.fullmatch(r"\d+ % for White|(White|Black) wins .+", shown)
    assert page.locator("#analyse .lines [data-line]").count()  # how it would go on
    open_list(page)
    page.get_by_role("button", name="Remove this variation").click()
    assert page.locator("#analyse .tried").count() == 0
    page.wait_for_url(f"**/game/{AT}")


@lanes.gate
def test_the_replay_leads_there_and_back(browser: Browser, url: str) -> None:
    someone = opened(browser, f"{url}#games/game/7", "#games .space", PC)
    page = someone.page
    open_list(page)
    page.get_by_role("button", name="Try something here").click()
    page.wait_for_url("**#analyse/game/game/7")
    someone.waits_for(f"{BOARDS} .space.can, {BOARDS} .pick")
    finds_back(page, "Back to the game", "#games/game/7")
    page.get_by_role("link", name="Back to the game").click()
    page.get_by_role("heading", name="Turn 7 of").wait_for()


@lanes.gate
def test_any_position_can_be_typed(browser: Browser, url: str, record: Record) -> None:
    game, turn = other_turn(record, AT)
    someone = opened(browser, f"{url}#games", "#games", PC)
    page = someone.page
    page.get_by_role("link", name="Analysis board").click()
    someone.waits_for(READY)
    open_list(page)
    folded = page.locator("#analyse summary", has_text="Position")
    folded.click()
    field = page.get_by_label("As it is written")
    assert field.input_value().startswith("w..............b/")
    field.fill(format_position(game.state))
    field.press("Enter")
    places = choices_of(game, turn)
    someone.waits_for(f"#analyse {pressable(places[0])}")  # nothing can be done there at the start
    taps_ahead(page, "#analyse", places)
    page.wait_for_url(f"**{quote(format_turn(turn))}")
    assert page.locator(ROWS).count() == 1
    open_list(page)
    folded.click()
    field.fill("nonsense")
    page.get_by_role("button", name="Look at it").click()
    page.locator("#analyse [role=alert]").wait_for()
    assert "Try again" in page.locator("#analyse").inner_text()
    assert someone.trouble.pop().endswith("status of 400 (Bad Request)")


@lanes.gate
def test_a_fallen_tree_lies_as_its_board_does(browser: Browser, tmp_path: Path) -> None:
    """Its roots are where it stood, whoever sits at the lower edge (G10)."""
    chapters.unlock_to(1)
    with served(tmp_path) as url:
        page = opened(browser, f"{url}#analyse", READY, size=PC).page
        open_list(page)
        page.locator("#analyse summary", has_text="Position").click()
        field = page.get_by_label("As it is written")
        field.fill(FALLEN)
        field.press("Enter")
        tree = page.locator(f"{BOARDS} .thing[data-look=fallen-e]")
        tree.wait_for()
        root, tip = (page.locator(f'{BOARDS} [data-sensor="{at}"]') for at in (20, 21))
        for _ in range(2):
            (root_x, tip_x) = (each.bounding_box()["x"] for each in (root, tip))
            assert ("turned" in str(tree.get_attribute("class"))) == (root_x > tip_x)
            page.evaluate("document.activeElement.blur()")
            page.keyboard.press("f")


def test_a_game_that_was_won_has_nothing_left_to_try(
    browser: Browser, url: str, record: Record
) -> None:
    winner = "White" if record.headers["Result"] == "1-0" else "Black"
    at = f"{url}#analyse/game/game/{len(record.turns)}"
    page = opened(browser, at, f'#analyse h1:has-text("{winner} has won")').page
    assert page.locator(f"{BOARDS} .can").count() == 0
    assert "The game is over." in page.locator("#analyse .worth").inner_text()
