"""A game looked at again at the page's virtual table: walked through, turns tried, none kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from chronotable_host.engine.levels import LevelPlayer
from chronotable_host.engine.thinkers import AtOnce
from chronotable_host.rules.notation import format_position, format_turn
from chronotable_host.rules.record import Record, format_record
from tests import lanes
from tests.host.archives import random_record
from tests.host.test_table_analysis import game_of
from tests.lab.page import served
from tests.page.browsing import Browser, open_list, opened
from tests.page.evening import Evening
from tests.page.looker import Looker
from ttykm.layout import BLACK, WHITE

TURNS = 8


class Student(Looker):
    """Who looks at a page where a game of the archive is looked at again."""

    def __init__(self, evening: Evening, folder: Path, record: Record) -> None:
        super().__init__(evening, folder)
        evening.hand.seats.seat(WHITE, "page")
        self.positions = [format_position(game.state) for game in record.replay()]
        self.best = LevelPlayer(4, 0).choose
        *_, self.analysis = evening.assist(lambda: AtOnce("", self.best))

    def comes_to(self, at: int) -> None:
        """Wait until a position of the game lies there, and a turn may be chosen."""
        self.evening.wait_until(
            lambda: self.look()["game"]["position"] == self.positions[at] and self.view["builder"],
            20_000,
        )

    def presses(self, text: str) -> None:
        """Press a button of the sheet."""
        (act,) = (act for act in self.look()["lesson"]["acts"] if act["text"] == text)
        assert self.ask(act["do"], **act["values"]) == ""


@pytest.fixture
def student(tmp_path: Path) -> Iterator[Student]:
    record = game_of(3, TURNS)
    (tmp_path / "game.ttykm").write_text(format_record(record), "utf-8")
    with closing(Evening(built_in=(BLACK,), seat="random", folder=tmp_path)) as evening:
        yield Student(evening, tmp_path, record)


def test_forth_and_back(student: Student) -> None:
    assert student.page.hello()["analyses"]
    assert student.look()["lesson"] is None
    assert student.ask("analyse", game="game", turn=TURNS) == ""
    student.comes_to(TURNS)
    sheet = student.view["lesson"]
    assert sheet["title"] == "Analysis"
    assert sheet["says"].startswith(f"Turn {TURNS} of {TURNS}: Black ")
    assert student.view["players"] == {"white": "page", "black": "page"}
    for at in range(TURNS - 1, TURNS - 4, -1):
        student.presses("Back")
        student.comes_to(at)
    student.presses("Forth")
    student.comes_to(TURNS - 2)
    assert student.ask("undo") == ""
    student.comes_to(TURNS - 3)


@lanes.gate
@pytest.mark.parametrize("first_ms", lanes.first([1, 11, 121]))
def test_who_presses_fast_comes_where_that_leads(student: Student, first_ms: int) -> None:
    """What is laid meanwhile looks like turns to a table that has not heard of the position yet."""
    assert student.ask("analyse", game="game", turn=4) == ""
    student.comes_to(4)
    for then_ms in range(1, 200, 20):
        student.analysis.forth()
        student.evening.wait(first_ms)
        student.analysis.forth()
        student.evening.wait(then_ms)
        student.analysis.back()
        student.comes_to(5)
        assert student.view["lesson"]["says"].startswith("Turn 5 of 8: ")
        student.presses("Back")
        student.comes_to(4)


@lanes.gate
def test_a_turn_is_tried_and_the_best_is_shown(student: Student, tmp_path: Path) -> None:
    assert student.ask("analyse", game="game", turn=4) == ""
    student.comes_to(4)
    student.presses("Best turn")
    student.evening.wait()
    best = format_turn(student.best(student.evening.mirror.game))
    assert student.look()["hint"]["says"].startswith(f"Hint: {best} (")
    assert student.view["hint"]["turn"]["path"]
    for text in best.split():
        assert student.ask("choose", text=text) == ""
    student.evening.wait_until(lambda: student.evening.mirror.game.turns)
    student.evening.wait_until(lambda: student.look()["builder"])
    assert student.view["lesson"]["says"].startswith(("1 turn tried behind turn 4", "Turn 5 of"))
    student.presses("Back")
    student.comes_to(4)
    student.presses("End analysis")
    student.evening.wait_until(lambda: student.look()["game"]["position"] == student.positions[0])
    assert student.view["lesson"] is None
    assert student.view["players"]["black"] == "random"
    assert [path.name for path in tmp_path.glob("*.ttykm")] == ["game.ttykm"]


def test_what_is_refused(student: Student) -> None:
    assert student.ask("walk", way="back") == "no analysis is on"
    assert student.ask("analyse", game="game", turn=TURNS + 1).endswith("none with number 9")
    assert student.ask("analyse", game="game", turn=0) == ""
    why = "in an analysis nobody else plays; end it first"
    assert student.ask("sit", side="black", who="level:3") == why


@pytest.mark.browser
@pytest.mark.parametrize("width", lanes.once([390, 1440]))
def test_in_chromium(browser: Browser, tmp_path: Path, width: int) -> None:
    record = random_record(11)
    (tmp_path / "game.ttykm").write_text(format_record(record), "utf-8")
    with served(tmp_path) as url:
        page = opened(browser, f"{url}#games/game/6", size=(width, 844)).page
        open_list(page)
        page.get_by_role("button", name="On the table").click()
        sheet = page.get_by_role("group", name="Analysis")
        count = len(record.turns)
        sheet.filter(has_text=f"Turn 6 of {count}: ").wait_for()
        sheet.get_by_role("button", name="Forth").click()
        sheet.filter(has_text=f"Turn 7 of {count}: ").wait_for()
        page.keyboard.press("Enter")  # the button keeps the focus while the sheet changes
        sheet.filter(has_text=f"Turn 8 of {count}: ").wait_for()
        sheet.get_by_role("button", name="Back").press("Enter")
        sheet.filter(has_text=f"Turn 7 of {count}: ").wait_for()
        sheet.get_by_role("button", name="Best turn").click()
        page.locator(".head").filter(has_text="Hint: ").wait_for()
        page.locator("#eras .stop.wanted").wait_for()
        sheet.get_by_role("button", name="End analysis").click()
        sheet.wait_for(state="detached")
    assert [path.name for path in tmp_path.glob("*.ttykm")] == ["game.ttykm"]
