"""Pictures of what the page can look like, on five screens and in both themes: it fits, for all.

They go to the folder that CHRONOTABLE_PICTURES names, to be looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from chronotable_host.rules.notation import format_turn, parse_turn
from tests import lanes
from tests.lab.positions import random_game
from tests.page.browsing import LEAST, PC, PHONE, Browser, barriers
from tests.page.evening_served import ServedEvening
from tests.sweep import some
from tests.table.hands import LAST_STAND, PUSH, START, TWINS
from ttykm.layout import BLACK

pytestmark = pytest.mark.browser

SIZES = ((360, 640), (844, 390), PHONE, (800, 1180), PC)
THEMES = ("light", "dark")
SEED, TURNS, CHOSEN = 265, 10, "9"
ASKED = (
    ("lift", 31), ("place", 31, "black"), ("lift", 26), ("place", 25, "white"), ("lift", 24),
    ("lift", 25), ("place", 24, "white"), ("lift", 49), ("place", 48, "white-focus"),
)  # fmt: skip
"""At TWINS 11 W W, after a bystander was touched where 11 S E would have touched."""
BUSY = "w....b.....w..../.w...b...wb..b../w..w......b....b 1 2 1 1 w"
DANGER = "w..............b/....bbwb..w...../w..............b 1 0 2 2 w"
"""White's 7 can squish, lead into a paradox, and die."""
BACK_IN_TIME = "w..............b/w....b...w.b..../.....w....b....b 1 2 2 2 b"


def has_chosen(*texts: str) -> Callable[[ServedEvening], None]:
    """Return how somebody chooses so much of a turn."""

    def prepare(table: ServedEvening) -> None:
        table.evening.wait_until(lambda: table.looker.look()["builder"])
        for text in texts:
            assert table.looker.ask("choose", text=text) == "", text

    return prepare


def is_in_the_middle(table: ServedEvening) -> None:
    """Play a game for some turns, and choose a copy that can do much."""
    played = table.evening.mirror.game.turns
    for turn in random_game(SEED, TURNS).turns:
        before = len(played)
        has_chosen(*format_turn(turn).split())(table)
        table.evening.wait_until(lambda: len(played) > before, 60_000)  # noqa: B023
    has_chosen(CHOSEN)(table)


def has_played(table: ServedEvening) -> None:
    """Make the last turn of a game."""
    has_chosen("7", "E", "N", ">past")(table)
    table.evening.wait_until(lambda: table.looker.look()["game"]["over"], 60_000)


def has_moved(table: ServedEvening) -> None:
    """Make a turn by hand, and begin another."""
    gestures = [("lift", 21), ("place", 25, "white"), ("lift", 25), ("place", 29, "white")]
    table.evening.do(*gestures, ("lift", 49), ("place", 48, "white-focus"))
    table.evening.wait(1500)
    table.evening.do(("lift", 22))
    table.evening.wait(300)


def is_asked(table: ServedEvening) -> None:
    """Have the table ask which of two turns it was."""
    table.evening.do(*ASKED)
    table.evening.wait(1000)


def is_wanted(table: ServedEvening) -> None:
    table.wants(BLACK, parse_turn("11 B N >past"))
    table.evening.do(("place", 26, "black"))
    table.evening.wait(300)


class State(NamedTuple):
    """What a page can look like: how it comes to that, and what it says then."""

    says: str
    position: str = START
    prepare: Callable[[ServedEvening], None] = has_chosen()
    is_real: bool = False
    has_menu: bool = False
    has_faces: bool = False


STATES = {
    "start": State("Choose a copy"),
    "choose": State("Choose a copy", BUSY),
    "targets": State("Where to? 2 actions", BUSY, has_chosen("10")),
    "danger": State("Where to? 2 actions", DANGER, has_chosen("7")),
    "focus": State("Move the focus", BUSY, has_chosen("10", "W", "F")),
    "question": State("Which turn was it?", TWINS, is_asked, is_real=True),
    "wanted": State("Lend Black your hands", BACK_IN_TIME, is_wanted, is_real=True),
    "end": State("White wins", LAST_STAND, has_played),
    "turns": State("Choose a copy", BUSY, has_menu=True),
    "faces": State("Choose a copy", BUSY, has_faces=True),
    "mirrored": State("Black to move", PUSH, has_moved, is_real=True),
}
"""Replays have pictures in test_replay.py."""


@pytest.mark.parametrize("name", STATES)
def test_every_state_fits_its_screen(
    browser: Browser, tmp_path: Path, pictures: Path, name: str
) -> None:
    state = STATES[name]
    seat = "" if state.is_real else "page"
    unfit = []
    with ServedEvening(tmp_path, state.position, state.is_real, seat) as table:
        state.prepare(table)
        table.is_left()
        for (width, height), theme in some(list(product(SIZES, THEMES)), 3):
            how: dict[str, Any] = {"color_scheme": theme, "reduced_motion": "reduce"}
            someone = table.opens(browser, (width, height), **how)
            page = someone.page
            someone.hears(state.says)
            if state.has_menu:
                page.get_by_role("button", name="Menu").click()
            if state.has_faces:
                someone.opens_menu("Players")
                page.locator(".seat-choice summary", has_text="Black is played by").click()
            page.screenshot(path=pictures / f"{name}-{width}x{height}-{theme}.png")
            where = f"{width}x{height} {theme}"
            fits = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
            if page.evaluate(fits) != [width, height]:
                unfit.append(f"{where}: {page.evaluate(fits)}")
            box = someone.place(0).bounding_box()
            assert box is not None
            if box["width"] < LEAST:
                unfit.append(f"{where}: spaces of {box['width']} px")
            unfit += [f"{where}: {each}" for each in barriers(page)]
            page.context.close()
    assert unfit == []


@lanes.gate
def test_the_picture_of_the_readme(browser: Browser, tmp_path: Path, pictures: Path) -> None:
    """It shows a game that goes on, with something to push and somebody who sees it coming."""
    with ServedEvening(tmp_path, seat="page") as table:
        is_in_the_middle(table)
        table.is_left()
        someone = table.opens(browser, (1280, 800), color_scheme="light", reduced_motion="reduce")
        page = someone.page
        page.locator(".space .copy.wide").first.wait_for()
        assert page.locator(".turns li[data-turn]").count() == TURNS
        page.screenshot(path=pictures / "play.png")
