"""A first visit in Chromium: games that are played by choosing, with mouse, keys or touch."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from chronotable_host.archive.store import Archive
from chronotable_host.rules.notation import format_turn
from chronotable_host.rules.turn_builder import Choice
from tests.lab.page import served
from tests.page.browsing import Person, open_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

MOST_TURNS = 6
"""Of one's own, in each way of playing."""
SIZES = {"mouse": (1280, 900), "keys": (1024, 768), "touch": (360, 640)}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


class Visitor(Person):
    """Who plays by what the page shows; `view` is what the server told last."""

    def __init__(self, page: Any, how: str) -> None:
        super().__init__(page)
        self.how = how
        self.view: dict[str, Any] = {}
        page.on("websocket", lambda socket: socket.on("framereceived", self._hear))

    def _hear(self, text: Any) -> None:
        told = json.loads(text)
        if told["type"] == "view":
            self.view = told

    def waits_until(self, condition: Any) -> None:
        for _ in range(800):
            if condition():
                return
            self.page.wait_for_timeout(25)
        raise AssertionError(f"it does not come to that; the page says {self.view.get('says')}")

    def chooses(self, choice: Choice, choices: list[Choice]) -> None:
        """Choose something that the boards offer, with what this person has in hand."""
        here = [each for each in choices if each.at == choice.at]
        options = self.page.locator(".options .option")
        match self.how:
            case "mouse":
                self.plays(choice, choices)
            case "touch":
                self.place(choice.at).tap()
                if len(here) > 1:
                    options.nth(here.index(choice)).tap()
            case "keys":
                self.place(choice.at).focus()
                self.page.keyboard.press("Enter")
                for _ in range(here.index(choice)):
                    self.page.keyboard.press("Tab")
                if len(here) > 1:
                    self.page.keyboard.press("Enter")

    def plays_a_choice(self, rng: Random) -> None:
        """Choose something by chance."""
        builder = self.view["builder"]
        choices = [Choice(**each) for each in builder["choices"]]
        self.chooses(rng.choice(choices), choices)
        self.waits_until(lambda: self.view["builder"] != builder)

    def plays_a_turn(self, rng: Random) -> None:
        """Choose until the turn is whole."""
        self.waits_until(lambda: self.view.get("builder"))
        turns = len(self.view["game"]["turns"])
        while self.view["builder"] and len(self.view["game"]["turns"]) == turns:
            self.plays_a_choice(rng)


@contextmanager
def visitor(browser: Browser, url: str, how: str) -> Iterator[Visitor]:
    width, height = SIZES[how]
    size: Any = {"width": width, "height": height}
    with browser.new_context(viewport=size, has_touch=how == "touch") as context:
        someone = Visitor(context.new_page(), how)
        someone.opens(url)
        yield someone
        assert someone.trouble == []


@pytest.mark.parametrize("how", SIZES)
def test_a_game_against_level_1(browser: Browser, tmp_path: Path, pictures: Path, how: str) -> None:
    """Nothing but what the page shows is used; what was chosen is what is kept."""
    seed = 7
    print(f"seed {seed}")
    rng = Random(seed)
    with served(tmp_path, "--black", "level:1") as url, visitor(browser, url, how) as someone:
        someone.hears("Choose a copy")
        for _ in range(MOST_TURNS):
            someone.plays_a_turn(rng)
            played = len(someone.view["game"]["turns"])
            someone.waits_until(lambda: someone.view["builder"] or someone.view["game"]["over"])
            if someone.view["game"]["over"]:
                break
        assert played
        if someone.view["builder"]:
            someone.plays_a_choice(rng)
        someone.page.screenshot(path=pictures / f"play-{how}.png")
        box = someone.place(0).bounding_box()
        assert box is not None
        assert box["width"] >= 35
        assert someone.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        told = [each["turn"] for each in someone.view["game"]["turns"]]
        for each in someone.view["game"]["turns"][-2:]:
            someone.page.locator(f'.turns [data-turn="{each["turn"]}"]', has_text=each["says"])
    with Archive(tmp_path) as archive:
        (record,) = (archive.read(entry).record for entry in archive.games())
    assert [format_turn(turn) for turn in record.turns][: len(told)] == told
    assert all("certain" in comment for comment in record.comments if comment)


def test_to_resign_and_to_play_again_with_sides_swapped(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, "--black", "level:1") as url, visitor(browser, url, "mouse") as someone:
        someone.plays_a_turn(Random(1))
        page = someone.page
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("button", name="Yes, I resign").click()
        someone.hears("Black wins by resignation")
        page.get_by_role("button", name="Swap sides").click()
        someone.waits_until(lambda: someone.view["players"]["white"] == "level:1")
        someone.waits_until(lambda: someone.view["builder"])  # white has moved, now it is black
        assert someone.view["builder"]["side"] == 1
        assert someone.place(47).bounding_box()["y"] > someone.place(32).bounding_box()["y"]  # type: ignore[index]


def test_newcomers_are_given_tips_until_they_know_the_game(
    browser: Browser, tmp_path: Path
) -> None:
    with served(tmp_path) as url, visitor(browser, url, "mouse") as someone:
        page = someone.page
        page.get_by_text("These are all you, at different times.").wait_for()
        someone.place(0).click()
        page.get_by_text("Green is a step.").wait_for()
        page.get_by_role("button", name="I know the game").click()
        page.locator(".tip").wait_for(state="detached")
        page.reload()
        someone.hears("2 actions left")
        assert page.locator(".tip").count() == 0
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="Tips for newcomers").click()
        page.get_by_text("Green is a step.").wait_for()
