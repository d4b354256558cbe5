"""Hints on the page: asked for by its button, told in the quiet line, shown on the boards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from chronotable.lights.meanings import COPY, FORWARD, MOVE
from chronotable_host.engine.thinkers import AtOnce
from chronotable_host.rules.notation import parse_position, parse_turn
from tests import lanes
from tests.lab.page import served
from tests.page.browsing import Browser, Page, opened
from tests.page.evening import Evening
from tests.page.looker import Looker
from ttykm.layout import BLACK, WHITE

HINT = "2 E F >future"
TWO_COPIES = "ww.............b/w..............b/w..............b 0 2 3 4 w"


class Asker(Looker):
    """Who looks at a page where white chooses turns, with hints of HINT."""

    def __init__(self, evening: Evening, folder: Path) -> None:
        super().__init__(evening, folder)
        evening.hand.seats.seat(WHITE, "page")
        evening.assist(lambda: AtOnce("level:8", lambda _: parse_turn(HINT)))

    def lit(self) -> list[int]:
        """Return where copies to choose are lit."""
        return [at for at, says in enumerate(self.look()["leds"]) if says == COPY]


@pytest.fixture
def asker(tmp_path: Path) -> Iterator[Asker]:
    start = parse_position(TWO_COPIES)
    with closing(Evening(start, built_in=(BLACK,), seat="random", folder=tmp_path)) as evening:
        made = Asker(evening, tmp_path)
        evening.wait_until(lambda: made.look()["builder"])
        yield made


def test_the_copy_and_then_the_turn(asker: Asker) -> None:
    none = {"step": 0, "says": "", "thinking": False, "copy": None, "turn": None}
    assert asker.view["hint"] == none
    assert asker.ask("hint") == ""
    asker.evening.wait()
    assert asker.look()["hint"]["says"] == "Hint: the copy on past 2 is the one to choose."
    assert (asker.view["hint"]["copy"], asker.view["hint"]["turn"]) == (1, None)
    assert asker.lit() == [0, 1], "any may act"
    assert asker.ask("hint") == ""
    asker.evening.wait()
    assert asker.look()["hint"]["turn"] == {
        "path": [1, 2, 18],
        "died": [],
        "focus": "future",
        "kinds": [MOVE, FORWARD],
        "why": "White has 1 copy there to act next.",
    }


def test_it_ends_with_the_turn(asker: Asker) -> None:
    assert asker.ask("hint") == ""
    asker.evening.wait()
    for text in ("1", "S", "S", ">present"):
        assert asker.ask("choose", text=text) == ""
    asker.evening.wait_until(lambda: len(asker.evening.mirror.game.turns) == 1)
    assert asker.look()["hint"] is None, "black thinks"
    asker.evening.wait_until(lambda: asker.look()["hint"])
    assert asker.view["hint"]["step"] == 0
    comments = asker.evening.mirror.file.record.comments  # type: ignore[union-attr]
    assert ["[%hint" in each for each in comments] == [True, False]


def test_who_may_ask_is_chosen_on_the_page(asker: Asker) -> None:
    assert asker.view["hints"] == {"white": True, "black": False}
    assert asker.ask("hints", sides="none") == ""
    assert asker.look()["hints"] == {"white": False, "black": False}
    assert asker.view["hint"] is None
    assert asker.ask("hint").startswith("there are no hints for white")


@pytest.mark.browser
@pytest.mark.parametrize("width", lanes.once([320, 390, 1440], 1))
def test_in_chromium(browser: Browser, tmp_path: Path, width: int) -> None:
    """By keys, at every width; the bar has room for all of its buttons."""
    with served(tmp_path, "--black", "random") as url:
        someone = opened(browser, url, size=(width, 800))
        someone.hears("Choose a copy")
        page = someone.page
        turns = ["Turns"] if width <= 800 else []  # which a wide screen has at its foot
        assert bar_of(page) == ["Back", "Hint", "Lessons", *turns, "End", "Menu"]
        page.get_by_role("button", name="Hint").press("Enter")
        someone.hears("This copy")
        someone.waits_for('#eras .hinted[data-sensor="0"]')
        page.get_by_role("button", name="Next: the first action").press("Enter")
        someone.hears("First: step")
        target = page.locator("#eras .hinted:has(.number)")
        assert target.locator(".number").inner_text() == "1"
        someone.place(0).press("Enter")
        page.locator('#eras .hinted[data-sensor="0"]').wait_for(state="detached")
        target.press("Enter")
        page.get_by_role("button", name="Hint").press("Enter")
        page.locator("#says", has_text="Second: ").wait_for()
        page.get_by_role("button", name="Next: the focus").press("Enter")
        page.locator("#says", has_text="Focus on the ").wait_for()
        page.locator("#eras .stop.wanted").wait_for()
        assert page.locator("#note").inner_text() in (
            "White acts there next, having nobody in the past.",
            "White has 1 copy there to act next.",
        )
        said = page.locator("#says, #note").all_inner_texts()
        assert not [text for text in said if ">" in text], "nothing is told in notation"
        page.get_by_role("button", name="I will do it").press("Enter")
        page.locator("#eras .hinted").press("Enter")
        page.locator("#eras .stop.wanted").press("Enter")
        page.locator("#eras .hinted").wait_for(state="detached")


@lanes.gate
@pytest.mark.browser
def test_who_has_chosen_gets_the_rest_or_hears_that_it_differs(
    browser: Browser, tmp_path: Path
) -> None:
    """The hint is there in mid-turn, too; in front of another copy it says so, and leads back."""
    with served(tmp_path, "--black", "level:1", "--seed", "1") as url:
        someone = opened(browser, url, size=(390, 664))
        page = someone.page
        someone.hears("Choose a copy")
        someone.place(0).click()
        someone.hears("Where to? 2 actions")
        hint = page.locator(".hint-knob")
        hint.click()
        someone.hears("First: ")  # of the only copy that can act
        other = page.locator("#eras .target:not(.hinted)").get_attribute("data-sensor") or ""
        page.get_by_role("button", name="Enough").click()
        someone.place(int(other)).click()
        someone.hears("Where to? 1 action")
        hint.click()
        someone.hears("Another action is better")
        page.get_by_role("button", name="Take it back").click()
        someone.hears("First: ")


def bar_of(page: Page) -> list[Any]:
    """Return the buttons of the bar, all of which have to be within it."""
    bar = page.locator(".bar")
    inside: bool = bar.evaluate(
        "bar => [...bar.querySelectorAll('button')].every(each =>"
        " each.scrollWidth <= each.clientWidth && each.getBoundingClientRect().right"
        " <= innerWidth + 1)"
    )
    assert inside
    return [text.strip() for text in bar.locator("button:visible").all_inner_texts()]
