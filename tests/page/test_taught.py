"""Lessons on the page, in table time: the page's hand sets up, a person chooses, nothing waits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from chronotable_host.archive.store import Archive
from chronotable_host.learning.lessons.exercises import LESSONS
from chronotable_host.virtual.tabletop import looks_in
from tests.host.test_lessons import turns_that_miss
from tests.page.evening import Evening
from tests.page.looker import NEW, Looker
from ttykm.layout import BLACK, WHITE, new_state

LONG_MS = 60_000


class Pupil(Looker):
    """Who looks at a page with lessons, against the built-in player."""

    def __init__(self, evening: Evening, folder: Path) -> None:
        super().__init__(evening, folder)
        evening.hand.seats.seat(WHITE, "page")
        self.tutor, *_ = evening.assist()

    def waits(self) -> None:
        """Wait until there is something to choose."""
        self.evening.wait_until(lambda: self.look()["builder"], LONG_MS)

    def plays(self, *texts: str) -> None:
        """Choose a turn, and wait until it is final."""
        self.waits()
        says = self.view["lesson"] and self.view["lesson"]["says"]
        for text in texts:
            assert self.ask("choose", text=text) == ""
        turns = self.evening.mirror.game.turns
        self.evening.wait_until(
            lambda: self.look()["lesson"]["says"] != says if says else turns, LONG_MS
        )

    def presses(self, text: str) -> None:
        """Press a button of the lesson."""
        (act,) = (act for act in self.look()["lesson"]["acts"] if act["text"] == text)
        assert self.ask(act["do"], **act["values"]) == ""


@pytest.fixture
def pupil(tmp_path: Path) -> Iterator[Pupil]:
    with closing(Evening(built_in=(BLACK,), seat="random", folder=tmp_path)) as evening:
        yield Pupil(evening, tmp_path)


def test_what_is_asked_for_is_said_until_it_is_done(pupil: Pupil) -> None:
    for number, turn in ((1, ("6", "N", "E")), (2, ("7", "E")), (5, ("6", "N", "E"))):
        assert pupil.ask("lesson", number=number) == ""
        pupil.evening.wait(3000)
        pupil.waits()
        for text in turn:
            assert pupil.view["lesson"]["says"] == LESSONS[number - 1].exercises[0].says
            assert pupil.ask("choose", text=text) == ""
        is_met = pupil.view["lesson"]["says"].startswith("That is it!")
        assert is_met == (number != 5)
        assert pupil.ask("leave") == ""


def test_the_page_offers_lessons(pupil: Pupil) -> None:
    learn = pupil.page.hello()["learn"]
    assert [each["number"] for each in learn["lessons"]] == [1, 2, 3, 4, 5]
    assert learn["lessons"][0]["title"] == "1. Move and push"
    assert pupil.look()["lesson"] is None


def test_what_misses_is_laid_back_and_tried_again(pupil: Pupil) -> None:
    assert pupil.ask("lesson", number=1) == ""
    exercise = LESSONS[0].exercises[0]
    pupil.waits()
    pupil.plays("6", "F", "N", ">future")
    assert pupil.view["lesson"]["says"] == exercise.missed
    pupil.waits()
    assert pupil.view["lesson"]["says"] == exercise.missed
    assert pupil.evening.top.there == looks_in(exercise.state)
    assert not pupil.evening.mirror.game.turns
    pupil.presses("Hint")
    assert pupil.view["lesson"]["says"] == exercise.hint
    pupil.plays(*exercise.turn.split())
    assert pupil.view["says"] == "Solved!"


def test_choices_are_taken_back_in_a_lesson(pupil: Pupil) -> None:
    assert pupil.ask("lesson", number=2) == ""
    pupil.waits()
    assert pupil.ask("choose", text="7") == ""
    assert pupil.ask("choose", text="N") == ""
    assert pupil.ask("back") == ""
    assert pupil.ask("undo") == "a lesson takes back by itself what is to be tried again"
    pupil.plays("E", "W", ">future")
    assert pupil.view["says"] == "Solved!"


def test_with_the_pieces_in_the_hand(pupil: Pupil) -> None:
    """The lights ask for what is to be put back, and the page says so."""
    assert pupil.ask("sit", side="white", who="hands") == ""
    assert pupil.ask("lesson", number=1) == ""
    pupil.evening.wait_until(lambda: pupil.tutor.course.state == "try", LONG_MS)
    pupil.evening.do(("lift", 5), ("place", 21, "white"), ("lift", 21), ("place", 17, "white"))
    pupil.evening.do(("lift", 48), ("place", 50, "white-focus"))
    missed = LESSONS[0].exercises[0].missed
    pupil.evening.wait_until(lambda: pupil.look()["lesson"]["says"] == missed)
    pupil.evening.wait(1000)
    assert pupil.look()["todo"]
    assert pupil.ask("tidy") == ""
    pupil.evening.wait_until(lambda: pupil.look()["phase"] == "turn", LONG_MS)
    assert pupil.evening.top.there == looks_in(LESSONS[0].exercises[0].state)


def test_the_end_of_a_lesson_is_a_new_game(pupil: Pupil) -> None:
    assert pupil.ask("lesson", number=3) == ""
    pupil.waits()
    pupil.presses("End lesson")
    pupil.waits()
    assert pupil.view["lesson"] is None
    assert pupil.evening.mirror.game.state == new_state()
    assert pupil.view["players"]["black"] == "random"


def test_a_new_game_of_another_kind_ends_it(pupil: Pupil) -> None:
    assert pupil.ask("lesson", number=3) == ""
    pupil.waits()
    assert pupil.ask("new", **{**NEW, "handicap": [0, 1]}) == ""
    pupil.evening.wait_until(lambda: pupil.look()["game"]["turns"], LONG_MS)
    assert pupil.view["lesson"] is None
    assert pupil.view["players"]["black"] == "random"


def test_what_is_refused(pupil: Pupil) -> None:
    assert pupil.ask("go_on") == "this exercise is not solved yet"
    assert pupil.ask("lesson", number=1) == ""
    assert pupil.ask("go_on") == "this exercise is not solved yet"
    why = "in a lesson nobody else plays; end it first"
    assert pupil.ask("sit", side="black", who="level:3") == why
    assert pupil.ask("leave") == ""
    pupil.plays("1", "E", "E", ">present")
    why = "a game is in progress: end it, or begin a new one, and then the lesson"
    assert pupil.ask("lesson", number=1) == why


def test_a_page_without_lessons(pupil: Pupil) -> None:
    pupil.evening.tutor = None
    assert pupil.page.hello()["learn"] is None
    assert pupil.ask("lesson", number=1) == "there are no lessons at this table"


def test_there_is_always_a_turn_that_misses() -> None:
    """What the tests above rely on: 6 F N is one of the first exercise."""
    assert turns_that_miss(LESSONS[0].exercises[0])


def test_a_game_is_put_aside_for_a_lesson(pupil: Pupil, tmp_path: Path) -> None:
    """It stays among the games, broken off."""
    pupil.waits()
    for text in ("1", "E", "E", ">present"):
        assert pupil.ask("choose", text=text) == ""
    pupil.waits()
    assert pupil.ask("lesson", number=1).startswith("a game is in progress")
    assert pupil.ask("lesson_now", number=1) == ""
    pupil.evening.wait_until(lambda: pupil.look()["lesson"] and pupil.view["builder"], LONG_MS)
    assert pupil.view["lesson"]["says"] == LESSONS[0].exercises[0].says
    with Archive(tmp_path) as archive:
        (entry,) = archive.games()
    assert (entry.result, entry.turns >= 1) == ("*", True)
