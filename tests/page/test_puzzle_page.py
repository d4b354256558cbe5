"""Puzzles on the page in Chromium, by mouse, keys and touch: missed, hinted at, solved, listed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chronotable_host.learning.puzzles.puzzle import built_in
from chronotable_host.learning.puzzles.standing import Tries, todays_number
from chronotable_host.learning.puzzles.trial import WRONG, Trial
from chronotable_host.rules.notation import format_turn
from chronotable_host.rules.turn_story import story_of
from tests import lanes
from tests.lab.page import served
from tests.page.browsing import (
    PC,
    PHONE,
    Browser,
    HeldRequest,
    Person,
    Size,
    barriers,
    edges,
    finds_back,
    open_list,
    opened,
)
from tests.page.choosing import tries

pytestmark = pytest.mark.browser

BOARDS = "#puzzles .eras"
PLACE = f'{BOARDS} [data-sensor="5"]'
HOWS = ("mouse", "keys", "touch")
NUMBER = next(
    number
    for number, puzzle in enumerate(built_in(), 1)
    if puzzle.win == 2 and puzzle.mover == 1 and Trial(puzzle).solution() & 0xFFFF
)
"""Of a puzzle in which black has two turns to win, the first with a copy."""


class Solver(Person):
    """Who solves puzzles on the page by mouse, keys or touch."""

    def button(self, name: str) -> Any:
        return self.page.locator("#puzzles").get_by_role("button", name=name, exact=True)

    def link(self, name: str) -> Any:
        return self.page.locator("#puzzles").get_by_role("link", name=name, exact=True)

    def tries(self, trial: Trial, turn: int) -> None:
        tries(self.page, "#puzzles", trial.game, turn, self.by)

    def solves(self, trial: Trial, says: str = "") -> None:
        """Choose right turns until it is solved; between them the page says something."""
        while not trial.is_solved:
            turn = trial.solution()
            self.tries(trial, turn)
            if trial.play(turn).answer is not None and says:
                self.is_told(says)
        self.hears("Solved.")

    def hears(self, title: str) -> None:
        self.page.locator("#puzzles h1", has_text=title).wait_for()

    def is_told(self, words: str) -> None:
        self.page.locator("#puzzles .head p", has_text=words).wait_for()


def solver(browser: Browser, address: str, size: Size = PC, by: str = "mouse") -> Solver:
    return opened(browser, address, size=size, by=by, kind=Solver)


def wrong_turn(trial: Trial) -> int:
    turns = [*trial.game.legal_turns()]
    return next(turn for turn in turns if Trial(trial.puzzle).play(turn).verdict == WRONG)


@pytest.mark.parametrize("how", lanes.once(HOWS))
@pytest.mark.parametrize("size", lanes.once([(PHONE,), (PC,)]))
def test_puzzles_are_missed_and_solved(
    browser: Browser, tmp_path: Path, pictures: Path, size: Size, how: str
) -> None:
    with served(tmp_path) as url:
        someone = solver(browser, f"{url}#puzzles", size, how)
        page, width = someone.page, size[0]
        page.get_by_text("No puzzle was tried yet.").wait_for()
        assert page.locator(".rating").inner_text().split() == ["rating", "1500?"]
        page.locator(".status", has_text="you solve every second one. The question mark").wait_for()
        page.get_by_label("Who solves").fill("Ann")
        page.get_by_label("Length").select_option("2")
        page.screenshot(path=pictures / f"puzzles-{how}-{width}.png")
        assert barriers(page, small_ones=True) == []
        while not page.locator(f'[href="#puzzles/{NUMBER}"].listed').count():
            first = page.locator("#puzzles .listed").first.get_attribute("href")
            someone.presses(page.get_by_role("button", name="Harder puzzles"))
            page.locator(f'#puzzles .listed[href="{first}"]').wait_for(state="detached")
        someone.presses(page.locator(f'[href="#puzzles/{NUMBER}"].listed'))

        # a wrong turn: it is shown why, and tried again
        someone.hears("Win in 2 turns")
        someone.is_told("You are Black.")
        someone.finds_room(page.locator(PLACE))
        trial = Trial(built_in()[NUMBER - 1])
        someone.tries(trial, wrong_turn(trial))
        someone.hears("That does not win")
        someone.is_told("Try again.")
        page.screenshot(path=pictures / f"puzzle-wrong-{how}-{width}.png")
        someone.finds_room(page.locator(PLACE))
        finds_back(page, "All puzzles", "#puzzles")
        someone.is_told("A first guess at your rating: ")  # what it did to the rating
        someone.presses(someone.button("Try again"))
        someone.hears("Win in 2 turns")
        someone.presses(someone.button("Hint"))
        someone.hears("This copy")
        copy = story_of(trial.game.state, trial.solution()).path[0]
        page.locator(f'{BOARDS} .hinted[data-sensor="{copy}"]').wait_for()
        assert not page.locator("#puzzles .strip", has_text="space").count()
        someone.presses(someone.button("Next: the first action"))
        page.locator(f"{BOARDS} .hinted .number").wait_for()
        someone.presses(someone.button("Enough"))

        # and then the right ones
        someone.solves(trial, "Right.")
        page.screenshot(path=pictures / f"puzzle-solved-{how}-{width}.png")
        assert barriers(page, small_ones=True) == []

        # the next one is solved at once, and the list knows both
        someone.presses(someone.link("Next puzzle"))
        page.wait_for_url(lambda address: not address.endswith(f"/{NUMBER}"))
        number = int(page.url.split("/")[-1])
        someone.solves(Trial(built_in()[number - 1]))
        page.goto(f"{url}#puzzles")
        page.get_by_text("1 solved, 1 missed, 1 in a row (at best 1); rating ").wait_for()
        assert page.get_by_label("Who solves").input_value() == "Ann"
    standing = Tries(tmp_path).standing("Ann")
    assert (len(standing.solved), len(standing.missed)) == (1, 1)


def test_an_answer_that_comes_late_changes_nothing_but_what_it_is_about(
    browser: Browser, tmp_path: Path
) -> None:
    """A hint after the turn is none any more; the next puzzle is waited for."""
    with served(tmp_path) as url:
        someone = solver(browser, f"{url}#puzzles/{NUMBER}")
        page = someone.page
        someone.hears("Win in 2 turns")
        trial = Trial(built_in()[NUMBER - 1])
        hint = HeldRequest(page, "**/api/puzzles/*ask=hint*")
        someone.presses(someone.button("Hint"))
        hint.waits()
        turn = trial.solution()
        someone.tries(trial, turn)
        someone.is_told("Right.")
        following = HeldRequest(page, "**/api/puzzles?player=*")
        hint.goes_on()
        following.waits()  # it was hinted at, which the list is to know
        assert "Right." in page.locator("#puzzles .head p").inner_text()
        assert not page.locator(f"{BOARDS} .hinted").count()
        trial.play(turn)
        someone.solves(trial)
        someone.presses(someone.link("Next puzzle"))
        page.locator("#puzzles h1", has_text="Solved.").wait_for()
        following.goes_on()
        page.wait_for_url(lambda address: not address.endswith(f"/{NUMBER}"))
        assert page.url.split("#puzzles/")[1].isdigit()


@lanes.gate
def test_the_solution_is_shown_turn_by_turn_and_counts_as_missed(
    browser: Browser, tmp_path: Path
) -> None:
    trial = Trial(built_in()[NUMBER - 1])
    turns = trial.rest()
    with served(tmp_path) as url:
        someone = solver(browser, f"{url}#puzzles/{NUMBER}")
        page = someone.page
        someone.presses(someone.button("Show the solution"))
        someone.is_told("costs 30 points of your rating at most")
        someone.presses(someone.button("Keep trying"))
        someone.hears("Win in ")
        someone.presses(someone.button("Show the solution"))
        someone.presses(someone.button("Show it"))
        someone.hears("The solution")
        for turn in turns:
            trial.game.apply(turn)
        rows = page.locator("#puzzles .turns > li")
        rows.nth(len(turns) - 1).wait_for()
        found = rows.evaluate_all("all => all.map((row) => row.dataset.turn)")
        assert found == [*map(format_turn, turns)]
        assert trial.is_solved
        page.locator(f"{BOARDS} .copy.b.glad").first.wait_for()
        page.keyboard.press("ArrowLeft")
        rows.nth(len(turns) - 1).wait_for(state="detached")
        someone.presses(someone.button("Try again"))
        someone.hears("Win in 2 turns")
        someone.solves(Trial(trial.puzzle))
        chalk = page.locator(f"{BOARDS} .chalk .body").first
        assert chalk.evaluate("e => getComputedStyle(e).strokeWidth") == "3px"

        # that today's is solved is told at the start, to whoever solved it
        page.goto(f"{url}#puzzles")
        page.get_by_label("Who solves").fill("Ann")
        page.goto(f"{url}#puzzles/{todays_number()}")
        someone.button("Show the solution").wait_for()
        someone.solves(Trial(built_in()[todays_number() - 1]))
        page.goto(f"{url}#start")
        page.locator(".tile a", has_text="✓").wait_for()
    assert len(Tries(tmp_path).standing("").missed) == 1


@pytest.mark.parametrize("size", [(360, 640), (844, 390), (320, 700)], ids=str)
def test_a_puzzle_fits_on_small_screens(
    browser: Browser, tmp_path: Path, pictures: Path, size: Size
) -> None:
    with served(tmp_path) as url:
        someone = solver(browser, f"{url}#puzzles/{NUMBER}", size, "touch")
        someone.hears("Win in 2 turns")
        someone.page.screenshot(path=pictures / f"puzzle-{size[0]}x{size[1]}.png")
        boxes = edges(someone.page, f"{BOARDS} .space")
        assert len(boxes) == 48
        for left, top, right, bottom in boxes:
            assert -0.5 <= left < right <= size[0] + 0.5
            assert -0.5 <= top < bottom <= size[1] + 0.5


def test_a_puzzle_is_set_up_on_the_table(browser: Browser, tmp_path: Path) -> None:
    """From its page to the live one, and back to a game behind it; what is not there is told."""
    with served(tmp_path) as url:
        someone = solver(browser, f"{url}#puzzles/301")
        page = someone.page
        page.get_by_text("there is no puzzle 301; choose 1 to 300").wait_for()
        someone.opens(f"{url}#puzzles/{NUMBER}")
        open_list(page)
        someone.presses(someone.button("On the table"))
        page.wait_for_url("**#live")
        page.locator(".lesson p", has_text="Find a win that no answer can prevent.").wait_for()
        page.get_by_role("button", name="End puzzles").click()
        page.locator(".lesson").wait_for(state="detached")
        assert someone.trouble.pop().endswith("status of 400 (Bad Request)")
