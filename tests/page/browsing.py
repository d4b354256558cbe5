"""People at the page in a real browser: pointer, keys, and what they see of the boards."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar
from urllib.parse import urlsplit

import pytest

from chronotable.hardware.sensors import FOCUS
from chronotable_host.rules.notation import format_turn
from chronotable_host.rules.turn_builder import TurnChoice
from chronotable_host.virtual.steps import actions_of
from chronotable_host.virtual.tabletop import MARKERS, look_of
from chronotable_host.web.turns_told import whole_turn
from tests.lab.page import FLAGS, find_browser
from ttykm import layout
from ttykm.game import Game

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route, WebSocket, WebSocketRoute
else:  # an extra, which takes long to import
    Browser = Locator = Page = WebSocket = Any

__all__ = ["Browser", "Locator", "Page", "WebSocket"]  # for the signatures of tests

REQUIRED = "CHRONOTABLE_REQUIRE_BROWSER"
SHOWN = "#live .stage > :not([hidden])"
"""The boards that are shown: the drawn table, or the eras."""
PATIENCE_MS = 60_000  # a busy machine may take its time
Size = tuple[int, int]
GAME = "#live"
"""Where the game is on the page."""
PHONE, PC = (390, 844), (1440, 900)
"""Windows."""
LEAST = 35
"""Pixels of a place that a finger meets."""
_OFFERS = """([boards, choices]) => {
    const offered = [...document.querySelectorAll(`${boards} [data-sensor][tabindex="0"]`)];
    const at = new Set(offered.map((place) => Number(place.dataset.sensor)));
    const all = offered.every(
        (place) => choices.includes(Number(place.dataset.sensor)) || place.matches(".active"));
    return all && choices.every((sensor) => at.has(sensor));
}"""
_NOBODY_ANSWERS = re.compile(r"net::ERR_(?!BLOCKED)|Failed to fetch")
"""Said of a server that has ended."""
_NO_BEATS = "try { localStorage.setItem('chronotable-beats', 'no') } catch { /* about:blank */ }"
OFF_THE_BOARDS = (3, 3)  # above the table


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Start Chromium, or skip the test where it is not there."""
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - an extra
    except ImportError:
        missing("the extra `browser` is not installed")
    program = find_browser()
    if program is None:
        missing("there is no Chromium here")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


_kept = ExitStack()  # what ends the browser of this process
_browsers: list[Browser] = []
_people: list[Person] = []  # of the test that runs


def kept_browser() -> Browser:
    """Return the browser of this process, which the first test that asks for it starts."""
    if not _browsers:
        _browsers.append(_kept.enter_context(open_browser()))
    return _browsers[0]


def end_visits(browser: Browser) -> None:
    """Close what a test has opened: an open page keeps asking for its server.

    Nothing may have gone wrong on a page where there was a `Person`.
    """
    for context in browser.contexts:
        context.close()
    trouble = [each for person in _people for each in person.trouble]
    _people.clear()
    assert not trouble, trouble


def end_browser() -> None:
    """End the browser of this process, and the event loop that Playwright runs in this thread."""
    _browsers.clear()
    _kept.close()


def barriers(page: Page, small_ones: bool = False) -> list[str]:
    """Return what seriously bars people from a page, or at all: the rules of axe that it breaks."""
    try:
        from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415 - an extra
    except ImportError:
        missing("axe is not installed")
    found = Axe().run(page).response["violations"]
    serious = ("serious", "critical")
    return [each["id"] for each in found if small_ones or each["impact"] in serious]


def edges(page: Page, selector: str) -> list[tuple[float, float, float, float]]:
    """Return the left, top, right and bottom of all such elements, in pixels of the window."""
    found: list[tuple[float, float, float, float]] = page.locator(selector).evaluate_all(
        "all => all.map(each => each.getBoundingClientRect()).map(({left, top, right, bottom}) =>"
        " [left, top, right, bottom])"
    )
    return found


def missing(what: str) -> NoReturn:
    """Skip the test, or fail it where this layer is mandatory."""
    if os.environ.get(REQUIRED):
        pytest.fail(what)
    pytest.skip(what)


def open_list(page: Page) -> None:
    """Open the drawer of a game that is looked at: its turns, and what else can be done with it."""
    page.locator("main > :not([hidden]) .list-knob").click()


def finds_back(page: Page, says: str, to: str) -> None:
    """The way out is seen without a drawer, and a finger meets it."""
    out = page.get_by_role("link", name=says)
    box = out.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= LEAST
    assert (
        page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y)?.closest('a')?.getAttribute('href')",
            [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2],
        )
        == to
    )


def press(it: Locator, by: str) -> None:
    """Press something with a mouse, keys or a finger."""
    if by == "keys":
        it.press("Enter")
    elif by == "touch":
        it.tap()
    else:
        it.click()


class Person:
    """Somebody who plays on a page by dragging what lies there.

    `trouble` is what went wrong; when the test has ended it has to be empty.
    """

    def __init__(self, page: Page, by: str = "mouse") -> None:
        self.page = page
        self.by = by  # with which this person presses things: mouse, keys or touch
        self.trouble: list[str] = []
        _people.append(self)
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self._note(str(error)))
        page.on("console", lambda said: self._note(said.text) if said.type == "error" else None)

    def presses(self, it: Locator) -> None:
        """Press something as this person does."""
        press(it, self.by)

    def opens(self, url: str) -> None:
        """Go to a page; of one that begins with its start, to the game."""
        self.page.goto(url + GAME if urlsplit(url).path in ("", "/") and "#" not in url else url)

    def plays(self, choice: TurnChoice, choices: list[TurnChoice]) -> None:
        """Choose something on the boards; where a place has several choices, by its name then."""
        self.waits_for_offer(choices)
        here = [each for each in choices if each.at == choice.at]
        self.presses(self.place(choice.at))
        if len(here) > 1 and self.by == "keys":
            for _ in range(here.index(choice)):
                self.page.keyboard.press("Tab")
            self.page.keyboard.press("Enter")
        elif len(here) > 1:
            self.presses(self.page.locator(".options .option").nth(here.index(choice)))

    def waits_for_offer(self, choices: list[TurnChoice]) -> None:
        """Wait until the boards offer these: the table may be ahead of what a page shows."""
        at = sorted({each.at for each in choices})
        comes_true(self.page, _OFFERS, [SHOWN, at])

    def opens_menu(self, card: str) -> None:
        """Open the menu, and a card of it."""
        self.page.get_by_role("button", name="Menu").click()
        self.page.locator("#menu summary", has_text=card).click()

    def seats(self, side: str, who: str) -> None:
        """Choose who plays a side, in the open card of the players."""
        self.page.locator(".seat-choice summary", has_text=f"{side} is played by").click()
        self.page.get_by_role("button", name=who).click()

    def _note(self, trouble: str) -> None:
        if not _NOBODY_ANSWERS.search(trouble):
            self.trouble.append(trouble)

    def finds_room(self, place: Locator) -> None:
        """Have a place that is large enough for a finger, without scrolling."""
        box = place.bounding_box()
        assert box is not None
        assert box["width"] >= LEAST
        assert self.page.evaluate("document.documentElement.scrollHeight <= innerHeight")

    def fits(self, places: str, count: int | None = None) -> None:
        """Nothing runs out of the window or bars people; a finger meets each of the places."""
        assert self.page.viewport_size is not None
        width, height = self.page.viewport_size["width"], self.page.viewport_size["height"]
        assert self.page.evaluate("document.documentElement.scrollWidth") <= width
        assert self.page.evaluate("document.documentElement.scrollHeight") <= height
        boxes = edges(self.page, places)
        assert boxes if count is None else len(boxes) == count
        for left, top, right, bottom in boxes:
            assert 0 <= left < right <= width
            assert 0 <= top < bottom <= height
            assert min(right - left, bottom - top) >= LEAST
        assert barriers(self.page) == []

    def place(self, sensor: int) -> Locator:
        return self.page.locator(f'{SHOWN} [data-sensor="{sensor}"]')

    def waits_for(self, selector: str) -> None:
        self.page.wait_for_selector(selector, state="attached")

    def sees(self, sensor: int, meaning: str) -> None:
        """Wait for a light."""
        self.waits_for(f'{SHOWN} [data-sensor="{sensor}"][data-meaning="{meaning}"]')

    def hears(self, words: str) -> None:
        """Wait until the big line says something."""
        self.page.locator("#says", has_text=words).wait_for()

    def waits_for_piece(self, sensor: int, look: str) -> None:
        self.waits_for(f'{SHOWN} [data-sensor="{sensor}"] [data-look="{look}"]')

    def middle(self, sensor: int) -> tuple[float, float]:
        box = self.place(sensor).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, start: int | str, end: int | None) -> None:
        """Drag what lies on a sensor, or a piece of the box, to a sensor, or off the boards."""
        mouse = self.page.mouse
        if isinstance(start, str):
            self.page.locator(f'.box-part [data-piece="{start}"]').hover()
        else:
            mouse.move(*self.middle(start))
        mouse.down()
        mouse.move(*(OFF_THE_BOARDS if end is None else self.middle(end)), steps=6)
        mouse.up()

    def makes(self, game: Game, turn: int) -> None:
        """Make a turn: each action piece by piece, then the marker. The game takes it, too."""
        for action in actions_of(game, turn & 0xFFFF):
            lifts = {at: look_of(piece, at) for at, piece in action.lifts.items()}
            places = {at: look_of(piece, at) for at, piece in action.places.items()}
            while lifts or places:
                start, end = next_drag(lifts, places)
                piece = lifts.pop(start) if isinstance(start, int) else start
                if end is not None:
                    del places[end]
                self.drag(start, end)
                if end is not None:
                    self.waits_for_piece(end, piece)
        spots = FOCUS + 3 * game.mover
        marker = MARKERS[game.mover]
        target = spots + layout.turn_focus(turn)
        self.drag(spots + layout.focus(game.state, game.mover), target)
        self.waits_for_piece(target, marker)
        # told while it may be taken back, which takes a second, and then in the list
        said = self.page.locator(".head", has_text=whole_turn(game, turn))
        row = f'[data-turn="{format_turn(turn)}"]:nth-child({len(game.turns) + 1})'
        listed = self.page.locator(f"#so-far .turns > {row}")
        said.or_(listed).first.wait_for(state="attached")
        game.apply(turn)


def waits_until(page: Page, is_so: Callable[[], bool]) -> None:
    """Wait for what no page shows, while pages go on."""
    for _ in range(PATIENCE_MS // 10):
        if is_so():
            return
        page.wait_for_timeout(10)
    raise AssertionError("it has not come to that")


def comes_true(page: Page, expression: str, arg: Any = None) -> None:
    """Wait for something that is so in the page's JavaScript, told as to `Page.evaluate`.

    Playwright's `wait_for_function` evaluates the text in the page itself from the second look on,
    which the pages' content security policy refuses.
    """
    waits_until(page, lambda: bool(page.evaluate(expression, arg)))


class HeldRequest:
    """The first request of a page that is like a pattern: it waits until it `goes_on`."""

    def __init__(self, page: Page, pattern: str) -> None:
        self._page = page
        self._pattern = pattern
        self._route: Route | None = None
        page.route(pattern, self._hear)

    def _hear(self, route: Route) -> None:
        if self._route is None:
            self._route = route
        else:
            route.continue_()

    def waits(self) -> None:
        """Wait until it is asked for."""
        waits_until(self._page, lambda: self._route is not None)

    def goes_on(self) -> None:
        """Let it be answered, and wait for the answer."""
        self.waits()
        assert self._route is not None
        with self._page.expect_response(self._pattern):
            self._route.continue_()


class HeldLine:
    """A page's line to its server; what that says waits while it `is_held`.

    Views alone wait while they `are_late`.
    """

    def __init__(self, page: Page) -> None:
        self.is_held = self.are_late = False
        self._waiting: list[str | bytes] = []
        page.route_web_socket("**", self._carry)

    def _carry(self, to_page: WebSocketRoute) -> None:
        self._to_page = to_page
        to_page.connect_to_server().on_message(self._hear)

    def _hear(self, told: str | bytes) -> None:
        is_beat = '"beat"' in str(told)  # a server that is slow is there
        is_view = json.loads(told).get("type") == "view"
        if (self.is_held and not is_beat) or (self.are_late and is_view):
            self._waiting.append(told)
        else:
            self._to_page.send(told)

    def was_told(self, part: str) -> bool:
        """Whether what waits has such a part."""
        return any(part in str(told) for told in self._waiting)

    def goes_on(self, is_slow: bool = False) -> None:
        """Let the page hear what was said meanwhile, and all that comes.

        Who `is_slow` is told of no view but the last one.
        """
        self.is_held = self.are_late = False
        views = [told for told in self._waiting if json.loads(told).get("type") == "view"]
        for told in self._waiting:
            if not (is_slow and told in views[:-1]):
                self._to_page.send(told)
        self._waiting.clear()


Someone = TypeVar("Someone", bound=Person)


def opened(
    browser: Browser,
    address: str,
    awaited: str = "body",
    size: Size | None = None,
    by: str = "mouse",
    kind: type[Someone] = Person,  # type: ignore[assignment]
    beats: bool = False,
    **how: Any,
) -> Someone:
    """Open a page of its own, with nothing kept from another one, and wait for what is awaited.

    Who wants no `beats` sees turns of others at once.
    """
    how = {"reduced_motion": "reduce", "has_touch": by == "touch", **how}
    if size is not None:
        how["viewport"] = dict(zip(("width", "height"), size, strict=True))
    context = browser.new_context(**how)
    if not beats:
        context.add_init_script(_NO_BEATS)
    someone = kind(context.new_page(), by)
    someone.opens(address)
    someone.waits_for(awaited)
    return someone


def next_drag(lifts: dict[int, str], places: dict[int, str]) -> tuple[int | str, int | None]:
    """Return a drag that is possible: where from, or a piece of the box; where to, or nowhere."""
    for end, piece in places.items():
        if end in lifts:
            continue  # taken still
        return next((at for at, other in lifts.items() if other == piece), piece), end
    return next(iter(lifts)), None


def short_game(seeds: range, most_turns: int) -> Game:
    """Return the shortest won game of random players with these seeds."""
    best: Game | None = None
    for seed in seeds:
        rng, game = Random(seed), Game()
        while len(game.turns) < (len(best.turns) if best else most_turns) and game.winner() < 0:
            game.apply(rng.choice(list(game.legal_turns())))
        if game.winner() >= 0:
            best = game
    assert best is not None
    return best
