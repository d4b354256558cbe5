"""A first visit in Chromium: games that are played by choosing, with mouse, keys or touch.

What was said and chosen on the way is written beside the pictures, where CHRONOTABLE_PICTURES
names a folder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chronotable.hardware.sensors import FOCUS, SPACES
from chronotable.lights import meanings
from chronotable_host import chapters
from chronotable_host.archive.store import Archive
from chronotable_host.rules.notation import PLAYERS, format_modules, format_turn
from chronotable_host.rules.record import Record
from chronotable_host.rules.turn_builder import TurnChoice
from tests import lanes
from tests.lab.page import served
from tests.page.browsing import (
    PHONE,
    SHOWN,
    Browser,
    Page,
    Person,
    barriers,
    edges,
    opened,
    waits_until,
)
from tests.sweep import is_small, size, some
from ttykm import objects

pytestmark = pytest.mark.browser

SEED = 7
LEVEL_1 = ("--black", "level:1", "--seed", str(SEED))
FEW_TURNS = 3
MOST_TURNS = 40
"""Of one's own. A newcomer needs some ten, and won 40 of 40 such games against level 1."""
SIZES = {"mouse": (1280, 593), "keys": (1024, 768), "touch": (360, 640)}
"""The first is what a browser leaves of a laptop's 1920 by 1080 at 150 %."""


Taste = Callable[[Mapping[str, Any], Random], dict[str, Any]]
"""Which choice of a view somebody takes."""


def by_chance(view: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    """Take any choice."""
    taken: dict[str, Any] = rng.choice(view["builder"]["choices"])
    return taken


# ---------------------------------------------------------------- somebody who is new to the game

Lying = Mapping[int, str]
"""Looks by place."""
_HARM = (meanings.SQUISH, meanings.PARADOX)


def favourite(view: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    """Return the choice of a view that a newcomer would make, by the boards and the marks on them.

    They harm the other side where a mark says so, keep out of harm, and go to where the others are.
    """
    builder = view["builder"]
    own, other = PLAYERS[builder["side"]], PLAYERS[1 - builder["side"]]
    lying = {each["at"]: each["look"] for each in view["pieces"] if each["at"] < SPACES}
    worth = {"copy": _copy, "action": _action, "focus": _era}[builder["due"]]
    best: dict[str, Any] = max(
        builder["choices"],
        key=lambda each: (worth(each, lying, own, other, builder["active"]), rng.random()),
    )
    return best


def _copy(choice: Mapping[str, Any], lying: Lying, _own: str, other: str, _at: Any) -> float:
    """Tell how much somebody could do there: how near the others are."""
    return -_distance(choice["at"], lying, other)


def _action(choice: Mapping[str, Any], lying: Lying, own: str, other: str, _at: Any) -> float:
    at, meaning = choice["at"], choice["meaning"]
    there = lying.get(at)
    if meaning == meanings.OWN_DEATH or (meaning in _HARM and there == own):
        return -100
    if meaning in _HARM:
        return 20 - _count(lying, other, at >> 4)
    if meaning == meanings.PUSH:
        return 6 if there == other else 0
    if meaning == meanings.BACK:
        return 5
    return 3 - _distance(at, {each: look for each, look in lying.items() if each != _at}, other)


def _era(choice: Mapping[str, Any], lying: Lying, own: str, other: str, _at: Any) -> float:
    """Tell how near both sides are to each other in an era."""
    era = (choice["at"] - SPACES) % 3
    mine = [at for at, look in lying.items() if look == own and at >> 4 == era]
    if not mine:
        return -100
    near = min(_distance(at, lying, other) for at in mine)
    return -near - _count(lying, other, era) / 10


_NOBODY = 9


def _distance(at: int, lying: Lying, other: str) -> int:
    """Return the steps from a space to the nearest of the others in its era."""
    steps = [
        abs((at & 3) - (to & 3)) + abs((at >> 2 & 3) - (to >> 2 & 3))
        for to, look in lying.items()
        if look == other and to >> 4 == at >> 4
    ]
    return min(steps, default=_NOBODY)


def _count(lying: Lying, whose: str, era: int) -> int:
    return sum(look == whose and at >> 4 == era for at, look in lying.items())


# ---------------------------------------------------------------- who plays


class Visitor(Person):
    """Who plays by what the page shows; `view` is what the server told last.

    `path` has what the page said and what was chosen then, `taste` chooses of what is offered.
    """

    taste: Taste = staticmethod(favourite)

    def __init__(self, page: Page, by: str) -> None:
        super().__init__(page, by)
        self.view: dict[str, Any] = {}
        self.path: list[str] = []
        page.on("websocket", lambda socket: socket.on("framereceived", self._hear))

    def _hear(self, text: Any) -> None:
        told = json.loads(text)
        if told["type"] == "view":
            self.view = told

    def plays_a_choice(self, rng: Random) -> None:
        """Choose what one likes best."""
        view = self.view
        builder = view["builder"]
        choices = [TurnChoice(**each) for each in builder["choices"]]
        choice = TurnChoice(**self.taste(view, rng))
        self.path.append(f"{view['says']}: {choice.text}")
        if choice.at >= FOCUS:
            self.reads_whether_anybody_is_there(choice.at)
        self.plays(choice, choices)
        waits_until(self.page, lambda: self.view["builder"] != builder)

    def reads_whether_anybody_is_there(self, at: int) -> None:
        """Read at an eye that may be chosen whether one has copies in its era."""
        spot = at - FOCUS
        spaces = range(16 * (spot % 3), 16 * (spot % 3) + 16)
        look = PLAYERS[spot // 3]
        own = [f"{SHOWN} [data-sensor='{space}'] [data-look='{look}']" for space in spaces]
        says = "Focus here" if self.page.locator(", ".join(own)).count() else "Nobody there"
        self.place(at).filter(has_text=says).wait_for()

    def plays_a_turn(self, rng: Random) -> None:
        """Choose until the turn is whole."""
        waits_until(self.page, lambda: self.view.get("builder"))
        turns = len(self.view["game"]["turns"])
        while self.view["builder"] and len(self.view["game"]["turns"]) == turns:
            self.plays_a_choice(rng)

    def is_over(self) -> bool:
        return self.view["game"]["over"] is not None


def visitor(browser: Browser, url: str, by: str = "mouse") -> Visitor:
    return opened(browser, url, size=SIZES[by], by=by, kind=Visitor, reduced_motion=None)


def plays_on(someone: Visitor, rng: Random, most_turns: int) -> None:
    """Play one's turns, and wait for the other's, until the game is over."""
    for _ in range(most_turns):
        someone.plays_a_turn(rng)
        someone.finds_room(someone.place(0))
        waits_until(someone.page, lambda: someone.view["builder"] or someone.is_over())
        if someone.is_over():
            return


def record_in(folder: Path, someone: Visitor) -> Record:
    """Return the record of the only game; it has what the page told, and no doubts."""
    told = [each["turn"] for each in someone.view["game"]["turns"]]
    with Archive(folder) as archive:
        (record,) = (archive.read(entry).record for entry in archive.games())
    assert [format_turn(turn) for turn in record.turns][: len(told)] == told
    assert all("certain" in comment for comment in record.comments if comment)
    return record


@pytest.mark.parametrize("how", lanes.once(SIZES, 2))
def test_a_game_against_level_1(browser: Browser, tmp_path: Path, pictures: Path, how: str) -> None:
    """Nothing but what the page shows is used; what was chosen is what is kept; it is won."""
    with served(tmp_path, *LEVEL_1) as url:
        someone = visitor(browser, url, how)
        someone.hears("Choose a copy")
        someone.page.screenshot(path=pictures / f"play-{how}.png")
        plays_on(someone, Random(SEED), size(FEW_TURNS, MOST_TURNS))
        record = record_in(tmp_path, someone)
        assert record.turns
        if not is_small():
            someone.hears("You won")
            someone.page.locator(".end").wait_for()
            someone.finds_room(someone.place(0))
            someone.page.screenshot(path=pictures / f"won-{how}.png")
            (pictures / f"won-{how}.txt").write_text("\n".join(someone.path) + "\n", "utf-8")
            assert record_in(tmp_path, someone).headers["Result"] == "1-0"


SPACES_PX = {
    (1440, 900): 104, (1024, 768): 73, (844, 390): 59, (390, 844): 55, (390, 664): 40,
    (360, 640): 38, (1366, 768): 80, (1366, 640): 72,
}  # fmt: skip
"""How large a space is on a screen."""


OVER_BOARDS = """() => [...document.querySelectorAll("#eras .player > *")].filter((part) => {
    const a = part.getBoundingClientRect();
    return [...document.querySelectorAll("#eras .spaces")].some((board) => {
        const b = board.getBoundingClientRect();
        return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
    });
}).map((part) => part.textContent)"""
"""What of the plates lies over a board."""


@pytest.mark.parametrize("screen", lanes.once([(each,) for each in SPACES_PX], 2), ids=str)
def test_no_board_ever_moves(browser: Browser, tmp_path: Path, screen: tuple[int, int]) -> None:
    """In a whole game, whatever is said, asked and answered: each board has one place and size."""
    with served(tmp_path, *LEVEL_1) as url:
        someone = opened(browser, url, size=screen, kind=Visitor)
        page, rng = someone.page, Random(SEED)
        seen: set[str] = set()

        def looks() -> None:
            seen.add(str(edges(page, "#eras .spaces")))
            assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")

        def presses(name: str) -> None:
            page.get_by_role("button", name=name, exact=True).click()
            looks()

        someone.hears("Choose a copy")
        looks()
        presses("Hint")
        page.locator("#eras .hinted").wait_for()
        looks()
        presses("Enough")
        for _ in range(size(FEW_TURNS, MOST_TURNS)):
            waits_until(page, lambda: someone.view["builder"] or someone.is_over())
            looks()
            if someone.is_over():
                break
            turns = len(someone.view["game"]["turns"])
            while someone.view["builder"] and len(someone.view["game"]["turns"]) == turns:
                someone.plays_a_choice(rng)
                looks()
        for name in () if someone.is_over() else ("Back", "Never mind", "End", "Resign"):
            presses(name)
        page.locator(".strip.end").wait_for()
        looks()
        page.locator("#eras .score").nth(1).wait_for()
        looks()
        assert page.evaluate(OVER_BOARDS) == []
        assert len(seen) == 1, seen
        box = someone.place(0).bounding_box()
        assert box is not None and round(box["width"]) == SPACES_PX[screen]


HEARD = """() => {
    window.heard = [];
    new MutationObserver(() => window.heard.push(document.querySelector("#says").textContent))
        .observe(document.querySelector("#says"), { childList: true });
    const shown = document.querySelectorAll("#eras .space .copy");
    window.kept = [...shown];
}"""


@lanes.gate
def test_a_turn_is_seen_as_it_was_played(browser: Browser, tmp_path: Path) -> None:
    """What one has chosen stays where it is; then the other's turn comes beat by beat."""
    with served(tmp_path, *LEVEL_1) as url:
        someone = opened(browser, url, size=(1280, 900), kind=Visitor, beats=True)
        page, rng = someone.page, Random(SEED)
        while (someone.view.get("builder") or {}).get("due") != "focus":
            waits_until(page, lambda: someone.view.get("builder"))
            someone.plays_a_choice(rng)
        page.evaluate(HEARD)
        someone.plays_a_choice(rng)
        waits_until(page, lambda: len(someone.view["game"]["turns"]) == 1)
        assert page.evaluate("kept.every((copy) => copy.isConnected)"), "nothing vanishes"
        waits_until(page, lambda: len(someone.view["game"]["turns"]) == 2)
        someone.hears("Choose a copy")
        last = someone.view["game"]["last"]
        lie = [
            [each for each in pieces if each["at"] < SPACES]
            for pieces in (last["beats"][-1]["pieces"], someone.view["pieces"])
        ]
        assert lie[0] == lie[1]
        told = [says for says in page.evaluate("heard") if says.startswith("Black")]
        told = told[told.index("Black moves this copy") :]
        beats = [f"{order} action" for order in ("first", "second")][: len(last["beats"])]
        assert [says.split(" ", 1)[1] for says in told[1:-1]] == beats
        assert told[-1].endswith(f"focus: the {last['focus']}")


TAP = """async () => {
    const skip = [...document.querySelectorAll("#voice button")].at(-2);
    const { x, y, width, height } = skip.getBoundingClientRect();
    const how = { bubbles: true, clientX: x + width / 2, clientY: y + height / 2, detail: 1 };
    const says = document.querySelector("#says");
    await new Promise((done) => new MutationObserver(() =>
        says.textContent.startsWith("Choose") && done()).observe(says, { childList: true }));
    const there = document.elementFromPoint(how.clientX, how.clientY);
    there.dispatchEvent(new MouseEvent("click", how));
    return there.closest("button").textContent;
}"""


@lanes.gate
def test_who_taps_skip_too_late_presses_nothing_else(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, *LEVEL_1) as url:
        someone = opened(browser, url, size=(390, 664), kind=Visitor, beats=True)
        page = someone.page
        someone.plays_a_turn(Random(SEED))
        page.get_by_role("button", name="Skip").wait_for()
        assert page.evaluate(TAP) != "Skip"
        page.wait_for_timeout(500)
        assert page.locator("#says").inner_text() == "Choose a copy"


@pytest.mark.parametrize("modules", some(range(1, objects.ALL_MODULES + 1), 2), ids=format_modules)
def test_a_game_of_every_set_of_modules_by_clicks(
    browser: Browser, tmp_path: Path, modules: int
) -> None:
    """Whatever is offered is chosen, special actions as often as any."""
    chapters.unlock_to(chapters.COUNT)
    played = ("--modules", format_modules(modules), *LEVEL_1)
    with served(tmp_path, *played) as url:
        someone = visitor(browser, url)
        someone.taste = by_chance
        plays_on(someone, Random(SEED + modules), size(2, 5))
        record = record_in(tmp_path, someone)
    assert record.turns
    assert objects.modules_of(record.start) == modules


@lanes.gate
def test_to_resign_and_to_play_again_with_sides_swapped(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, "--black", "level:1") as url:
        someone = visitor(browser, url)
        someone.plays_a_turn(Random(1))
        waits_until(someone.page, lambda: len(someone.view["game"]["turns"]) == 2)
        page = someone.page
        page.get_by_role("button", name="End", exact=True).click()
        page.get_by_role("button", name="Offer a draw").click()
        someone.hears("Black plays on.")  # after one turn there is a game to be played
        page.get_by_role("button", name="End", exact=True).click()
        page.get_by_role("button", name="Resign").click()
        someone.hears("You lost")
        assert page.locator(".whole.due > *").count()  # its place is never empty
        page.evaluate("location.hash = 'start'")  # which tells how it ended
        ended = page.locator(".going", has_text="by resignation")
        ended.get_by_role("button", name="To the game").click()
        page.get_by_role("link", name="Review my mistakes").wait_for()
        page.locator(".score", has_text="% accurate").nth(1).wait_for()
        counts = page.locator(".score [role=img]").evaluate_all("all => all.map((e) => e.title)")
        words = (r"\d+ blunders?: 15 %", r"\d+ mistakes?: 10 %", r"\d+ inaccurac(y|ies): 5 %")
        assert all(re.match(word, said) for word, said in zip(words, counts[:3], strict=True))
        key = page.locator("#note.key span").all_inner_texts()  # in words what they count
        assert all(said.startswith(it) for it, said in zip(key, counts[:3], strict=True)), key
        page.locator("#eras .player.far .name").click()
        page.locator("#note", has_text="% accurate: 100 % is always the best turn.").wait_for()
        page.locator(".whole svg").first.wait_for()
        assert barriers(page) == []
        page.set_viewport_size({"width": 390, "height": 844})
        for left, _, right, _ in edges(page, ".score [role=img]"):  # nothing is cut
            assert 0 <= left < right <= PHONE[0]
        page.set_viewport_size({"width": 1280, "height": 593})
        page.get_by_role("button", name="Swap", exact=True).click()
        waits_until(someone.page, lambda: someone.view["players"]["white"] == "level:1")
        waits_until(someone.page, lambda: someone.view["builder"])  # who lost begins (T4)
        assert someone.view["game"]["turns"] == []
        assert someone.view["builder"]["side"] == 1
        assert someone.place(47).bounding_box()["y"] > someone.place(32).bounding_box()["y"]  # type: ignore[index]


@lanes.gate
def test_what_is_not_possible_is_answered(browser: Browser, tmp_path: Path) -> None:
    """In one line with its reason, and a nudge of what was tapped, until something is chosen."""
    with served(tmp_path) as url:
        someone = visitor(browser, url)
        page = someone.page
        someone.hears("Choose a copy")
        someone.place(16).click()
        someone.hears("Not there")
        page.locator(
            "#note", has_text="White's focus is on the past. Only copies there can act"
        ).wait_for()
        someone.waits_for('#eras .refused[data-sensor="16"]')
        someone.place(0).click()
        someone.hears("Where to? 2 actions")
        assert page.locator(".refused").count() == 0
        someone.place(2).click()
        page.locator("#note", has_text="One space at a time").wait_for()


@lanes.gate
@pytest.mark.parametrize("how", ["mouse", "touch"])
def test_newcomers_are_told_each_tip_once(browser: Browser, tmp_path: Path, how: str) -> None:
    with served(tmp_path) as url:
        someone = visitor(browser, url, how)
        page = someone.page
        page.locator("#note", has_text="left in one era, Black loses.").wait_for()
        someone.presses(someone.place(0))
        page.locator("#note", has_text="Green is a step.").wait_for()
        page.reload()
        page.locator("#note", has_text="Green is a step.").wait_for()
        someone.presses(page.get_by_role("button", name="Back", exact=True))
        page.locator("#note", has_text="Your focus throws the light").wait_for()
        someone.presses(someone.place(0))
        page.locator(".key").wait_for()
        assert page.locator(".key span").all_inner_texts() == ["step"]


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_copy_flies_from_era_to_era_unless_less_motion_is_wanted(
    browser: Browser, tmp_path: Path, motion: str
) -> None:
    with served(tmp_path, *LEVEL_1) as url:
        someone = opened(browser, url, "#eras .can", reduced_motion=motion)
        page = someone.page
        page.evaluate(
            "new MutationObserver((all) => { window.flown = all.some(({ addedNodes: [node] }) =>"
            " node?.classList.contains('flight')) || window.flown; })"
            ".observe(document.querySelector('.ribbon'), { childList: true })"
        )
        for place in (0, 1, 17):  # steps east, then forward
            someone.presses(someone.place(place))
        someone.hears("Move the focus")
        someone.waits_for_piece(17, "white")
        assert bool(page.evaluate("window.flown")) == (motion == "no-preference")
        page.wait_for_selector(".flight", state="detached")
