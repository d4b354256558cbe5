"""Puzzles on the page, without a browser: what is told of them, what is kept, and at the table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from chronotable_host import chapters
from chronotable_host.archive.store import Archive
from chronotable_host.chapters import LockedError
from chronotable_host.errors import UserError
from chronotable_host.learning.puzzles.puzzle import Puzzle, PuzzleBox, built_in
from chronotable_host.learning.puzzles.standing import Tries
from chronotable_host.learning.puzzles.trial import WRONG, Trial
from chronotable_host.rules.notation import (
    ERAS,
    NotationError,
    format_position,
    format_turn,
    parse_position,
)
from chronotable_host.rules.turn_story import story_of
from chronotable_host.web.study.puzzles import Puzzles
from chronotable_host.web.study.reading import GamesElsewhere
from tests import lanes
from tests.host.leaks import leaks
from tests.page.served import served
from tests.page.test_taught import LONG_MS, Pupil, pupil
from ttykm import objects
from ttykm.game import winner

__all__ = ["pupil"]  # a fixture

FIRST = {
    win: next(n for n, each in enumerate(built_in(), 1) if each.win == win) for win in (1, 2, 3)
}


def solution(number: int) -> list[str]:
    """Return the solver's turns of a puzzle, against its longest defence."""
    trial, turns = Trial(built_in()[number - 1]), []
    while not trial.is_solved:
        turns.append(format_turn(trial.solution()))
        trial.play(trial.solution())
    return turns


def wrong(number: int) -> str:
    puzzle = built_in()[number - 1]
    turns = [*Trial(puzzle).game.legal_turns()]
    return format_turn(next(turn for turn in turns if Trial(puzzle).play(turn).verdict == WRONG))


def asked(folder: Path, number: int, *turns: str, ask: str = "") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Puzzles(folder).puzzle(number, ";".join(turns), ask))
    return found


def test_the_list_has_what_the_page_shows(tmp_path: Path) -> None:
    Tries(tmp_path).note("Ann", built_in()[0], solved=True)
    told = Puzzles(tmp_path).list("Ann")
    assert [each["number"] for each in told["puzzles"]] == list(range(1, 301))
    assert [each["solved"] for each in told["puzzles"][:2]] == [True, None]
    assert told["standing"]["streak"] == 1
    assert told["standing"]["rating"].endswith("?")
    assert told["next"] in range(2, 301)
    assert Puzzles(tmp_path).list("")["standing"]["says"] == "No puzzle was tried yet."
    assert "turn" not in told["puzzles"][0]
    assert told["puzzles"][0]["copies"] == "".join(
        f"{mask:04x}" for mask in built_in()[0].state[:6]
    )


@pytest.mark.parametrize("win", [1, 2, 3])
def test_a_puzzle_turn_by_turn(win: int, tmp_path: Path) -> None:
    number = FIRST[win]
    at_first = asked(tmp_path, number)
    assert (at_first["verdict"], at_first["left"], at_first["stories"]) == ("on", win, [])
    assert at_first["position"]["position"] == built_in()[number - 1].position
    assert built_in()[number - 1].says in at_first["says"]
    turns = solution(number)
    for count in range(1, win):
        told = asked(tmp_path, number, *turns[:count])
        assert (told["verdict"], told["left"]) == ("on", win - count)
        assert len(told["stories"]) == 2 * count
        assert told["says"].startswith("Right.")
        assert told["position"]["mover"] == told["player"]
    told = asked(tmp_path, number, *turns)
    assert told["verdict"] == "solved"
    assert told["says"].startswith("Solved: ")


def test_a_wrong_turn_is_shown_with_its_answer_and_tried_again(tmp_path: Path) -> None:
    number = FIRST[2]
    told = asked(tmp_path, number, wrong(number))
    assert told["verdict"] == "wrong"
    assert told["position"]["position"] == built_in()[number - 1].position
    assert told["tried"]["position"] != told["position"]["position"]
    assert len(told["stories"]) == 2
    assert "Try again." in told["says"]
    trial = Trial(built_in()[number - 1])
    story = story_of(trial.game.state, trial.solution())
    hint = asked(tmp_path, number, ask="hint")["hint"]
    assert (hint["turn"]["path"], hint["turn"]["focus"]) == ([*story.path], ERAS[story.focus])
    assert hint["copy"] == (story.path[0] if story.path else None)
    assert len(hint["turn"]["kinds"]) == max(0, len(story.path) - 1)
    assert told["hint"] is None
    assert told["rest"] == []
    rest = asked(tmp_path, number, ask="solution")["rest"]
    assert [each["turn"] for each in rest] == [*map(format_turn, trial.rest())]
    end = parse_position(rest[-1]["position"]["position"])
    assert winner(end) == built_in()[number - 1].mover


@pytest.mark.parametrize(
    ("number", "turns", "kind"),
    [
        (0, "", UserError),
        (301, "", UserError),
        (1, "nonsense", NotationError),
        (1, "16 N N >past;16 N N >past;16 N N >past;16 N N >past", UserError),
        (1, f"{solution(1)[0]};{solution(1)[0]}", UserError),
    ],
)
def test_what_is_refused(number: int, turns: str, kind: type[Exception], tmp_path: Path) -> None:
    with pytest.raises(kind):
        Puzzles(tmp_path).puzzle(number, turns, "")


# ---------------------------------------------------------------- asked for on the page


def test_a_try_is_kept_as_it_is_judged(pupil: Pupil, tmp_path: Path) -> None:
    number = FIRST[2]
    turns = solution(number)
    half = {"number": number, "player": "Ann", "turns": turns[0], "hinted": 0}
    assert "neither solved nor missed" in pupil.ask("tried", **half)
    assert pupil.ask("tried", **{**half, "turns": ";".join(turns)}) == ""
    assert pupil.ask("tried", **{**half, "number": 1, "turns": wrong(1)}) == ""
    assert pupil.ask("tried", **{**half, "number": 2, "turns": "", "hinted": 1}) == ""
    standing = Tries(tmp_path).standing("Ann")
    assert (len(standing.solved), len(standing.missed)) == (1, 2)


@lanes.gate
@pytest.mark.parametrize("number", [*FIRST.values()])
def test_a_puzzle_at_the_virtual_table(pupil: Pupil, number: int, tmp_path: Path) -> None:
    """Chosen choice by choice; the page's hand carries the answers out."""
    assert pupil.ask("puzzle", number=number, player="Ann") == ""
    for turn in solution(number):
        pupil.evening.wait_until(lambda: pupil.look()["builder"], LONG_MS)
        assert pupil.view["lesson"]["title"].startswith(f"Puzzle {number}: ")
        assert pupil.view["lesson"]["learner"] == built_in()[number - 1].mover
        for text in turn.split():
            assert pupil.ask("choose", text=text) == "", (turn, text)
        says = pupil.view["lesson"]["says"]
        pupil.evening.wait_until(lambda says=says: pupil.look()["lesson"]["says"] != says, LONG_MS)
    pupil.evening.wait_until(lambda: pupil.tutor.course.state == "solved", LONG_MS)
    assert len(Tries(tmp_path).standing("Ann").solved) == 1
    pupil.presses("Go on")
    pupil.evening.wait_until(lambda: pupil.tutor.course.state == "try", LONG_MS)
    assert pupil.tutor.course.number != number
    pupil.presses("End puzzles")
    pupil.evening.wait_until(lambda: pupil.look()["lesson"] is None, LONG_MS)
    with Archive(tmp_path) as archive:
        assert [*archive.games()] == []


# ---------------------------------------------------------------- asked for over HTTP


def test_the_server_tells_of_puzzles(tmp_path: Path) -> None:
    static = tmp_path / "static"
    static.mkdir()
    games = GamesElsewhere(tmp_path)
    with served(static, games=games) as page:
        told = page.get("/api/puzzles?player=Ann").told
        assert len(told["puzzles"]) == 300
        number = FIRST[2]
        asked = f"/api/puzzles/{number}?turns={quote(solution(number)[0])}"
        assert page.get(asked).told["verdict"] == "on"
        assert page.get(f"/api/puzzles/{number}?ask=hint").told["left"] == 2
        for wrong_one in ("301", "0", "x", "9" * 40):
            answer = page.get(f"/api/puzzles/{wrong_one}")
            assert answer.status == 400
            assert answer.why.startswith("there is no puzzle ")


def test_a_locked_chapter_s_puzzle_is_silent(tmp_path: Path) -> None:
    position = format_position(objects.new_state(objects.ALL_MODULES))
    (number,) = PuzzleBox(tmp_path).add([Puzzle(position, 1, ">past", 1000)])
    told = Puzzles(tmp_path)
    assert not leaks(json.dumps(told.list("")))
    assert number not in [each["number"] for each in told.list("")["puzzles"]]
    with pytest.raises(LockedError) as refusal:
        told.puzzle(number, "", "")
    assert not leaks(str(refusal.value))
    chapters.unlock_to(chapters.COUNT)
    assert number in [each["number"] for each in told.list("")["puzzles"]]
    assert leaks(str(told.puzzle(number, "", "")))
