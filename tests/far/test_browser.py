"""Two people in Chromium, each at the page of a program of their own, far apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronotable_host.rules.notation import parse_turn
from tests import lanes
from tests.page.browsing import PC, PHONE, Browser, Page, Size, barriers, opened
from tests.page.choosing import tries
from tests.programs import Program
from ttykm.game import Game
from ttykm.layout import new_state

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("usual_broker_port")]

TURNS = ("1 E F >future", "16 N N >present", "1 E E >past")
HELLO = "Hello from far away, and take your time: the kettle is on"


def seen(browser: Browser, program: Program, size: Size, scheme: str) -> Page:
    return opened(browser, f"http://{program.page}/", size=size, color_scheme=scheme).page


def overflows(page: Page) -> list[str]:
    """Return what of the voice, the chat and the headline is wider than the window."""
    found: list[str] = page.evaluate(
        "() => [...document.querySelectorAll('#voice *, #far *, .head *')]"
        ".filter(each => each.getBoundingClientRect().right > innerWidth + 1)"
        ".map(each => each.outerHTML.slice(0, 80))"
    )
    return found


def names_upon_boards(page: Page) -> list[str]:
    """Return the words beside a focus marker that reach onto the spaces of its era."""
    found: list[str] = page.evaluate(
        "() => [...document.querySelectorAll('#eras .stop > span:not(:empty)')]"
        ".filter(each => { const { top, bottom } = each.getBoundingClientRect();"
        " const board = each.closest('.era').querySelector('.spaces').getBoundingClientRect();"
        " return bottom > board.top && top < board.bottom; }).map(each => each.textContent)"
    )
    return found


@lanes.long
@lanes.gate
def test_two_people_play_talk_and_take_a_turn_back(browser: Browser, tmp_path: Path) -> None:
    game = Game()
    game.start(new_state(), 0)
    with Program(tmp_path / "here", "invite", "--no-browser", "--name", "Ada") as invite:
        ada = seen(browser, invite, PC, "light")
        ada.locator(".invite code").wait_for()
        assert invite.link in ada.locator(".invite code").inner_text()
        ada.locator(".invite img[src^='data:image/svg']").wait_for()
        assert overflows(ada) == []
        assert barriers(ada) == []
        words = ("join", invite.link, "--no-browser", "--name", "Bo")
        with Program(tmp_path / "there", *words) as join:
            bo = seen(browser, join, PHONE, "dark")
            ada.locator(".player .there").wait_for()
            plays(ada, bo, game, TURNS[0])
            plays(bo, ada, game, TURNS[1])
            assert names_upon_boards(ada) == []
            talk(ada, bo)
            take_back(bo, ada, game)
            plays(bo, ada, game, TURNS[1])
            plays(ada, bo, game, TURNS[2])
            assert barriers(bo) == []
            ends(ada, bo)
            join.quit()
        invite.quit()


def plays(mover: Page, other: Page, game: Game, text: str) -> None:
    """Choose a turn on one page, and see it on the other."""
    turn = parse_turn(text)
    mover.locator("#eras [data-sensor][tabindex='0']").first.wait_for()
    tries(mover, "#eras", game, turn)
    game.apply(turn)
    for page in (mover, other):
        page.wait_for_selector(
            f".so-far .turns > [data-turn]:nth-child({len(game.turns)})", state="attached"
        )


def talk(ada: Page, bo: Page) -> None:
    """Say something; on a phone, whose list lies in a drawer, the voice tells it."""
    ada.get_by_label("Say something").fill(HELLO)
    ada.locator(".chat-form").evaluate("it => { it.requestSubmit(); it.requestSubmit(); }")
    said = bo.locator(".far-said")
    said.wait_for()
    assert said.inner_text().startswith(f"Ada: {HELLO}")
    assert overflows(bo) == []
    bo.get_by_role("button", name="Answer").click()
    bo.get_by_label("Say something").fill("Hello, you")
    bo.keyboard.press("Enter")
    ada.locator(".chat li", has_text="Bo Hello, you").wait_for()
    assert ada.locator(".chat li.own").count() == 1, "Enter twice says it once"
    bo.get_by_role("button", name="Back to the game").click()
    bo.locator(".far-said").wait_for(state="detached")


def take_back(asks: Page, asked: Page, game: Game) -> None:
    """Ask to take the last turn back; the other one says no, then yes."""
    for answer in ("No", "Give them back"):
        asks.get_by_role("button", name="Back").click()
        asks.get_by_role("button", name="Take it back").click()
        sheet = asked.locator(".asks")
        sheet.wait_for()
        assert "Bo would like to take 1 turn back" in sheet.inner_text()
        assert overflows(asked) == []
        sheet.get_by_role("button", name=answer, exact=True).click()
        sheet.wait_for(state="detached")
        asks.locator(".asked").wait_for(state="detached")
    game.undo()
    for page in (asks, asked):
        page.wait_for_selector(
            f".so-far .turns > :nth-child({len(game.turns) + 1})", state="detached"
        )


def ends(ada: Page, bo: Page) -> None:
    """Resign, and begin again with colours exchanged."""
    ada.get_by_role("button", name="End", exact=True).click()
    ada.get_by_role("button", name="Resign").click()
    bo.locator(".strip.end").wait_for()
    bo.get_by_role("button", name="Rematch").click()
    ada.locator(".asks", has_text="another game").wait_for()
    ada.get_by_role("button", name="Rematch", exact=True).click()
    bo.locator("#eras [data-sensor][tabindex='0']").first.wait_for()
    assert bo.locator("#says").inner_text() == "Choose a copy"
