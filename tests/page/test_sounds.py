"""In Chromium: sounds are there for who wants them, and for nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import lanes
from tests.lab.page import served
from tests.page.browsing import Browser, Person, comes_true, opened
from tests.page.evening_served import ServedEvening

pytestmark = pytest.mark.browser

COUNTED = """
    window.sounded = 0;
    window.pitches = [];
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) {
        window.sounded += 1;
        window.pitches.push(this.frequency.value);
        return start.apply(this, when);
    };
    window.contexts = 0;
    window.AudioContext = class extends AudioContext {
        constructor() { super(); window.contexts += 1; }
    };
"""
TURN = ((0, "copy"), (1, "move"), (17, "forward"), (50, "focus"))
"""The places of 1 E F >future, each chosen by a click once it is lit with this meaning."""

WRONG, QUESTION = [587, 392], [784, 1175]
"""The pitches of two sounds, in Hz."""


@pytest.fixture
def someone(browser: Browser, tmp_path: Path) -> Iterator[Person]:
    with served(tmp_path, "--white", "me", "--black", "me") as url:
        someone = opened(browser, "about:blank")
        someone.page.add_init_script(COUNTED)
        someone.opens(url)
        someone.hears("Choose a copy")
        yield someone


def plays(someone: Person, count: int) -> None:
    """Make the first turn, and wait until it is in the list."""
    for place, meaning in TURN:
        someone.sees(place, meaning)
        someone.place(place).click()
    someone.waits_for(f".turns li:nth-child({count})[data-turn]")


def test_nothing_sounds_by_default(someone: Person) -> None:
    plays(someone, 1)
    someone.page.get_by_role("button", name="End", exact=True).click()
    someone.page.get_by_role("button", name="Black resigns").click()
    someone.hears("White wins by resignation")
    assert someone.page.evaluate("[sounded, contexts]") == [0, 0]


@lanes.gate
def test_who_wants_sounds_hears_turns_and_the_end(someone: Person) -> None:
    page = someone.page
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("radio", name="Look").check()
    switch = page.get_by_role("switch", name="Sounds")
    assert switch.get_attribute("aria-checked") == "false"
    switch.click()
    assert switch.get_attribute("aria-checked") == "true"
    page.get_by_role("button", name="Back to the game").click()
    plays(someone, 1)
    assert page.evaluate("sounded") == 1
    page.reload()  # it is remembered; but nothing sounds before a gesture, nor an old turn
    someone.hears("Choose a copy")
    assert page.evaluate("[sounded, contexts]") == [0, 0]
    page.get_by_role("button", name="End", exact=True).click()
    page.get_by_role("button", name="Black resigns").click()
    someone.hears("White wins by resignation")
    assert page.evaluate("sounded > 1")
    assert page.evaluate("contexts") == 1


SPEAKS = """
    localStorage.setItem("chronotable-spoken", "yes");
    window.spoken = [];
    speechSynthesis.speak = (words) => spoken.push([words.lang, words.text]);
"""


@lanes.gate
@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "White: Stepped, then went forward to the present."),
        ("de", "Weiß: Ging einen Schritt und reiste vorwärts in die Gegenwart."),
    ],
)
def test_turns_are_spoken_in_the_language_of_the_page(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, told: str
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    with served(tmp_path, "--white", "me", "--black", "me") as url:
        someone = opened(browser, "about:blank")
        someone.page.add_init_script(SPEAKS)
        someone.opens(url)
        plays(someone, 1)
        assert someone.page.evaluate("spoken") == [[language, told]]


@lanes.gate
def test_what_the_table_asks_and_finds_wrong_sounds_but_not_at_night(
    browser: Browser, tmp_path: Path
) -> None:
    with ServedEvening(tmp_path) as table:
        someone = opened(browser, "about:blank")
        someone.page.add_init_script(COUNTED + 'localStorage.setItem("chronotable-sounds", "yes");')
        table.looker.look()
        someone.opens(table.url)
        someone.waits_for_piece(15, "black")
        someone.page.get_by_role("button", name="Menu").click()  # from a gesture on a page sounds
        for brightness, heard in (("full", WRONG), ("night", WRONG), ("half", [*WRONG, *WRONG])):
            assert table.looker.ask("set", settings=f"brightness={brightness}") == ""
            table.evening.do(("lift", 15), ("place", 12, "black"))
            table.evening.wait(1000)
            someone.sees(12, "todo_take")
            comes_true(someone.page, f"pitches.length >= {len(heard)}")
            assert someone.page.evaluate("pitches") == heard
            table.evening.do(("lift", 12), ("place", 15, "black"))
        table.evening.do(("lift", 48), ("place", 49, "white-focus"))
        table.evening.wait(1000)
        comes_true(someone.page, "pitches.length > 4")
        assert someone.page.evaluate("pitches") == [*WRONG, *WRONG, *QUESTION]
