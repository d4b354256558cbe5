"""Whole games in real browsers, by touch: whoever sits there knows no game and tries what is there.

Each kind of decision of each game can so be made with fingers: there is always something to touch,
and what is lifted can be played. Played to the end in `--lane full`. One phone is killed on the
way, and comes back.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from chronotable_night.games.interface import Kind, Option
from chronotable_night.games.shelf import kinds
from tests import lanes
from tests.night.drawn import SMALL_PHONE, open_hand, overflowing
from tests.night.phones import PhoneTable
from tests.night.rooms import room_of
from tests.night.small_game import KIND as SMALL_GAME
from tests.night.test_served import Night, served
from tests.page.browsing import PHONE, Browser, Page, comes_true
from tests.sweep import is_small, size, some

pytestmark = pytest.mark.browser

NAMES = ("Ada", "Ben", "Cleo", "Dov")
TOUCHES = 60  # that a decision may take somebody who does not read
DECISIONS = size(60, 600)  # some games of chance take long
KILLED_AT = 5

DUE = """steps => document.documentElement.dataset.steps === String(steps)
    && document.body.dataset.due === "true"
    && ["open", "covered"].includes(document.body.dataset.mode)"""

TOUCHABLE = """() => [...document.querySelectorAll(
    "#field button, #hand button, #voice .main, .equal > button")]
    .filter((each) => !each.disabled && each.getAttribute("aria-disabled") !== "true")
    .filter((each) => each.tabIndex >= 0)
    .map((each) => [each, each.getBoundingClientRect()])
    .filter(([each, box]) => box.width && box.height
        && each.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)))
    .map(([each, box]) => ({
        x: box.x + box.width / 2, y: box.y + box.height / 2,
        acts: Boolean(each.closest("#voice")), name: each.ariaLabel ?? each.textContent }))"""


class Touch(NamedTuple):
    """A place to put a finger, and whether that ends the decision."""

    x: float
    y: float
    acts: bool
    name: str


class Table(PhoneTable):
    """A game that goes on; `chance` is who plays."""

    def __init__(self, night: Night, browser: Browser, chance: Random) -> None:
        super().__init__(night, browser)
        self.chance = chance
        self.phones: list[Page] = []

    @property
    def play(self) -> Any:
        return self.night.room.play

    def begins(self, names: Sequence[str]) -> None:
        sizes = cycle((SMALL_PHONE, PHONE))
        self.phones = [self.join(name, size=size) for name, size in zip(names, sizes, strict=False)]
        self.screen.get_by_role("button", name="Start").click()
        for phone in self.phones:
            phone.locator("body:is([data-mode=covered], [data-mode=open])").wait_for()

    def decides(self, seat: int) -> None:
        """Have somebody touch what is there until something is played."""
        phone, before = self.phones[seat], self.moment(seat)
        comes_true(phone, DUE, self.play.moment)
        if phone.locator("body").get_attribute("data-mode") == "covered":
            open_hand(phone)
        touched = []
        for _ in range(TOUCHES):
            phone.locator('#field:not(:has([aria-busy="true"]))').wait_for()
            places = [Touch(**each) for each in phone.evaluate(TOUCHABLE)]
            assert places, f"nothing can be touched: {self.asked(seat)}, after {touched}"
            acts = [each for each in places if each.acts]
            place = self.chance.choice(acts or places)
            touched.append(place.name)
            phone.touchscreen.tap(place.x, place.y)
            if place.acts:
                phone.locator("#voice:not([aria-busy=true])").wait_for(state="attached")
                if self.moment(seat) != before:
                    return
        raise AssertionError(f"nothing was played: {self.asked(seat)}, touched {touched}")

    def moment(self, seat: int) -> tuple[int, bool]:
        return self.play.moment, seat in self.play.sealed

    def asked(self, seat: int) -> Any:
        room = self.night.room
        view = room.game.view(self.play.state, seat)
        return room.game.decision(view, seat, room.people.names())


def why_of(page: Page) -> str:
    return page.locator(".why").last.inner_text()  # one before it may say "you"


_NO_OPTION = Option("", "", {None: ""})
GAMES = [SMALL_GAME, *(each for each in kinds().values() if (each.page / "phone.js").is_file())]


CASES = [
    pytest.param(kind, option.name, value, id=f"{kind.name}-{option.name}-{value}")
    for kind in GAMES
    for option in kind.options[:1] or [_NO_OPTION]
    for value in some([*option.values], 2)
]


@lanes.long
@pytest.mark.parametrize(("kind", "option", "value"), lanes.once(CASES, 4))
@pytest.mark.parametrize("seed", lanes.once(range(size(1, 1, 5))))
def test_a_whole_game(
    browser: Browser, pictures: Path, kind: Kind, option: str, value: Any, seed: int
) -> None:
    """With the first option of each game both ways."""
    room = room_of(begun=False, kind=kind)
    if option:
        room.set_option(option, value)
    with served(room) as night, Table(night, browser, Random(seed)) as table:
        names = NAMES[: min(len(NAMES), max(kind.players))]
        table.begins(names)
        for number in range(DECISIONS):
            if table.play.is_over:
                break
            if number == KILLED_AT:
                table.phones[0] = table.dies_and_comes_back(table.phones[0])
            waiting = [each for each in table.play.deciding() if each not in table.play.sealed]
            table.decides(table.chance.choice(waiting))
            assert overflowing(table.phones[0]) == [], f"seed {seed}"
        if not table.play.is_over:
            assert is_small(), f"the game does not end; seed {seed}"
            return
        for page in (table.screen, *table.phones):
            page.locator("body[data-mode=over]").wait_for()
            assert overflowing(page) == []
            assert why_of(page) == why_of(table.screen)
        table.screen.screenshot(path=pictures / f"night-whole-{kind.name}-{value}.png")
