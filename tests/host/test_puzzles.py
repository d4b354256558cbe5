"""Puzzles: how hard they are, whose day it is, how ratings change, and what is kept."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import pytest

from chronotable_host import chapters
from chronotable_host.chapters import LockedError
from chronotable_host.errors import UserError
from chronotable_host.learning.puzzles import standing as standing_module
from chronotable_host.learning.puzzles.making import SOLVERS, difficulty, puzzles_of
from chronotable_host.learning.puzzles.puzzle import (
    FILE,
    FOLDER,
    Puzzle,
    PuzzleBox,
    built_in,
    format_puzzle,
    of_the_day,
    parse_puzzle,
)
from chronotable_host.learning.puzzles.standing import LOOK_COST, Standing, Tries
from chronotable_host.rating import Rating
from tests import lanes, sweep
from tests.host.archives import random_record
from tests.lab import tactics
from ttykm import objects

# ---- difficulty


@lanes.full
def test_ratings_are_those_that_are_measured() -> None:
    for puzzle in built_in()[:: 300 // sweep.size(6, 20, 300)]:
        assert puzzle.rating == difficulty(puzzle)


def test_solvers_are_rated_as_far_apart_as_they_were_measured() -> None:
    """By the table of `tests/lab/figures.md`, in steps of ten points."""
    text = (Path(__file__).parent.parent / "lab" / "figures.md").read_text("utf-8")
    value, *others = SOLVERS
    for number, rating in enumerate(others, 2):
        (row,) = [line for line in text.splitlines() if line.startswith(f"| solver {number}, ")]
        value += int(row.split("|")[6].split()[0])
        assert abs(rating - value) <= 5 * number


def test_longer_wins_are_harder() -> None:
    medians = []
    for win in (1, 2, 3):
        found = sorted(puzzle.rating for puzzle in built_in() if puzzle.win == win)
        medians.append(found[len(found) // 2])
    assert medians == sorted(medians)
    assert len({*medians}) == 3


# ---- which there are


def test_a_line_of_the_file_is_a_puzzle() -> None:
    lines = FILE.read_text("utf-8").splitlines()
    assert [format_puzzle(parse_puzzle(line)) for line in lines] == [
        json.dumps({**json.loads(line)}) for line in lines
    ]
    assert len({puzzle.key for puzzle in built_in()}) == len(lines) == 300


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[]",
        "7",
        "{}",
        '{"position": "x", "win": 1, "turn": ">past", "rating": 5}',
        format_puzzle(built_in()[0]._replace(win=4)),
        format_puzzle(built_in()[0])[:-1] + ', "more": 1}',
        "[" * 100_000,
    ],
)
def test_what_is_no_puzzle(line: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError):
        parse_puzzle(line)
    if line:
        file = tmp_path / FOLDER / "made.jsonl"
        file.parent.mkdir()
        file.write_text(line + "\n", "utf-8")
        with pytest.raises(UserError, match="is no file of puzzles"):
            PuzzleBox(tmp_path)


def test_every_puzzle_has_its_day() -> None:
    """Short ones each once in 200 days, then in another order; one is known for good."""
    first = date.fromordinal(200 * 3690)
    laps = [[of_the_day(first + timedelta(200 * lap + at)) for at in range(200)] for lap in (0, 1)]
    for lap in laps:
        assert sorted(lap) == [at for at, puzzle in enumerate(built_in(), 1) if puzzle.win < 3]
    assert laps[0] != laps[1]
    assert of_the_day(date(2026, 11, 23)) == 66


@lanes.gate
def test_one_s_own_games_give_puzzles(tmp_path: Path) -> None:
    record = next(
        found for seed in range(20) if (found := random_record(seed)).headers["Result"] == "1-0"
    )
    found = [each for each in puzzles_of(record, "a-game") if each is not None]
    assert found
    assert max(Counter((each.win, each.mover) for each in found).values()) == 1
    for puzzle in found:
        solver = tactics.Solver()
        assert solver.win(puzzle.state, puzzle.win) is not None
        assert puzzle.win == 1 or solver.win(puzzle.state, puzzle.win - 1) is None
        assert puzzle.game == "a-game"
    box = PuzzleBox(tmp_path)
    numbers = box.add(found)
    assert numbers == list(range(301, 301 + len(found)))
    assert box.add(found) == numbers
    assert PuzzleBox(tmp_path).puzzles == [*built_in(), *found]
    assert [number for number, _ in PuzzleBox(tmp_path).open()] != sorted(
        number for number, _ in PuzzleBox(tmp_path).open()
    )


def test_a_locked_chapter_s_puzzles_are_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path))
    state = objects.new_state(objects.GROWTH)
    from chronotable_host.rules.notation import format_position  # noqa: PLC0415

    puzzle = Puzzle(format_position(state), 1, ">past", 1000)
    box = PuzzleBox(tmp_path)
    (number,) = box.add([puzzle])
    assert number not in dict(box.open())
    with pytest.raises(LockedError):
        box.get(number)
    chapters.unlock_to(1)
    assert number in dict(box.open())
    assert box.get(number) == puzzle


# ---- what is kept


def test_only_the_first_try_counts(tmp_path: Path) -> None:
    one, two, three = built_in()[:3]
    tries = Tries(tmp_path)
    assert tries.standing("Ann") == Standing()
    assert tries.note("Ann", one, solved=True)
    assert tries.note("Ann", two, solved=True)
    after_two = tries.standing("ann")
    assert (after_two.streak, after_two.tells(one), after_two.tells(three)) == (2, True, None)
    assert not tries.note("ANN", one, solved=False)
    assert tries.standing("Ann") == after_two
    assert tries.note("Ann", three, solved=False)
    found = Tries(tmp_path).standing("Ann")
    assert (found.streak, found.best_streak, found.tells(three)) == (0, 2, False)
    assert found.rating.value < after_two.rating.value
    assert tries.standing("Bob") == Standing()


def test_a_look_at_the_solution_costs_little(tmp_path: Path) -> None:
    """The first one, too, where a wrong turn tells most; the rating stays as unsure as before."""
    easy = built_in()[0]
    for player, shown in (("Ann", True), ("Bob", False)):
        Tries(tmp_path).note(player, easy, solved=False, shown=shown)
    looked, missed = map(Tries(tmp_path).standing, ("Ann", "Bob"))
    assert looked.rating == Rating()._replace(value=1500 - LOOK_COST)
    assert missed.rating.value < looked.rating.value
    assert looked.missed == missed.missed == {easy.key}


def test_ratings_find_how_strong_somebody_is(tmp_path: Path) -> None:
    """Who solves what is rated below 1500, and nothing above, is rated near there."""
    tries = Tries(tmp_path)
    for puzzle in built_in()[::5]:
        tries.note("", puzzle, puzzle.rating < 1500)
    found = tries.standing("").rating
    assert 1350 < found.value < 1650
    assert found.deviation < standing_module._SETTLED


def test_what_a_crash_cut_short_is_left_out(tmp_path: Path) -> None:
    tries = Tries(tmp_path)
    one, two = built_in()[:2]
    tries.note("Ann", one, solved=True)
    file = tmp_path / FOLDER / "tries.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole + whole[:20])
    tries.note("Ann", two, solved=True)
    assert tries.standing("Ann").solved == {one.key, two.key}


def test_the_next_one_is_about_as_hard_as_one_is_strong() -> None:
    puzzles = list(enumerate(built_in(), 1))
    number = Standing().next_of(puzzles)
    assert number is not None
    assert abs(built_in()[number - 1].rating - 1500) <= 20
    known = Standing(solved=frozenset(puzzle.key for puzzle in built_in()))
    assert known.next_of(puzzles) is None
