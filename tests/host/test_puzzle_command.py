"""`puzzles` as a user meets it: the list, one solved, one missed, some of one's own games."""

from __future__ import annotations

import io
import json
from datetime import date
from pathlib import Path

import pytest

from chronotable_host.archive.store import Archive
from chronotable_host.cli import run
from chronotable_host.learning.puzzles import standing
from chronotable_host.learning.puzzles.puzzle import built_in, of_the_day
from chronotable_host.learning.puzzles.trial import WRONG, Trial
from chronotable_host.rules.notation import format_turn
from tests import lanes
from tests.host.archives import Output, random_record

DAY = date(2026, 11, 23)
TODAY = of_the_day(DAY)


class Calendar:
    """A day that does not end."""

    @staticmethod
    def today() -> date:
        return DAY


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(standing, "date", Calendar)
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path))
    return tmp_path


def types(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def solution(number: int) -> list[str]:
    """Return the turns that solve a puzzle."""
    trial, turns = Trial(built_in()[number - 1]), []
    while not trial.is_solved:
        turns.append(trial.solution())
        trial.play(turns[-1])
    return [format_turn(turn) for turn in turns]


def wrong(number: int) -> str:
    puzzle = built_in()[number - 1]
    game = Trial(puzzle).game
    turns = [*game.legal_turns()]
    return format_turn(next(turn for turn in turns if Trial(puzzle).play(turn).verdict == WRONG))


def number_of(win: int) -> int:
    return next(number for number, puzzle in enumerate(built_in(), 1) if puzzle.win == win)


def test_the_list(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    first = number_of(2)
    types(monkeypatch, *solution(first))
    assert run(["puzzles", "play", str(first), "--player", "Ann"]) == 0
    capsys.readouterr()
    assert run(["puzzles", "--player", "ann"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 301
    assert lines[first - 1].rstrip(")").endswith("solved")
    assert "today's" in lines[TODAY - 1]
    assert lines[-1].startswith("1 solved, 0 missed, 1 in a row (at best 1); rating ")
    assert lines[-1].endswith("?.")
    assert run(["puzzles", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["today"] == TODAY
    assert told["standing"]["rating"] == 1500
    assert len(told["puzzles"]) == 300
    assert {each["solved"] for each in told["puzzles"]} == {None}
    assert "turn" not in told["puzzles"][0]


@lanes.gate
@pytest.mark.parametrize("win", [1, 2, 3])
def test_a_puzzle_is_solved(win: int, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    number = number_of(win)
    types(monkeypatch, "nonsense", *solution(number))
    assert run(["puzzles", "play", str(number)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith(f"Puzzle {number}: {built_in()[number - 1].says}\n")
    assert out.count("Right. ") == win - 1
    assert "Solved: " in out
    assert out.splitlines()[-1].startswith("1 solved, 0 missed")


def test_a_missed_one_is_tried_again_and_counts_once(
    capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = number_of(2)
    types(monkeypatch, wrong(number), *solution(number))
    assert run(["puzzles", "play", str(number)]) == 0
    out = capsys.readouterr().out
    assert "the win takes longer, or is gone. Try again." in out
    assert "Solved: " in out
    assert "0 solved, 1 missed" in out
    assert "1 solved" not in out
    types(monkeypatch, *solution(number))
    assert run(["puzzles", "play", str(number)]) == 0
    assert "missed" not in capsys.readouterr().out


def test_with_a_hint_it_is_not_solved(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    number = number_of(1)
    types(monkeypatch, "hint", *solution(number))
    assert run(["puzzles", "play", str(number)]) == 0
    out = capsys.readouterr().out
    space = solution(number)[0].split()[0]
    assert f"It begins with the copy on space {space} of the " in out
    assert out.splitlines()[-1].startswith("0 solved, 1 missed")


def test_the_one_of_the_day_and_the_next_one(
    capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    types(monkeypatch)
    assert run(["puzzles", "play", "today"]) == 1
    assert f"Puzzle {TODAY}: " in capsys.readouterr().out
    types(monkeypatch)
    assert run(["puzzles", "play"]) == 1
    number = int(capsys.readouterr().out.split(":")[0].removeprefix("Puzzle "))
    types(monkeypatch, *solution(number))
    assert run(["puzzles", "play"]) == 0
    capsys.readouterr()
    types(monkeypatch)
    assert run(["puzzles", "play"]) == 1
    assert not capsys.readouterr().out.startswith(f"Puzzle {number}:")


@lanes.gate
def test_some_are_made_of_games(home: Path, capsys: Output) -> None:
    won = [found for seed in range(30) if (found := random_record(seed)).headers["Result"] != "*"]
    with Archive(home) as archive:
        stored = archive.store(won[1::-1])  # the first one of these has some
    assert run(["puzzles", "make", stored[0].id, "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made
    assert [each["number"] for each in made] == list(range(301, 301 + len(made)))
    assert {each["game"] for each in made} == {stored[0].id}
    assert run(["puzzles", "make"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith(" puzzles in 2 games")
    assert run(["games", "--rebuild"]) == 0
    capsys.readouterr()
    assert run(["puzzles", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["puzzles"]
    assert {each["number"] for each in made} <= {each["number"] for each in listed}


def test_the_index_may_be_lost(home: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ratings are no part of it: `games --rebuild` keeps them, and so does losing the file."""
    number = number_of(1)
    types(monkeypatch, *solution(number))
    assert run(["puzzles", "play", str(number)]) == 0
    with Archive(home) as archive:
        archive.store([random_record(1)])
    assert run(["games", "--rebuild"]) == 0
    for file in home.glob("*.sqlite*"):
        file.unlink()
    capsys.readouterr()
    assert run(["puzzles", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["standing"]["solved"] == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["0"], "there is no puzzle 0; choose 1 to 300"),
        (["301"], "there is no puzzle 301; choose 1 to 300"),
        (["hard"], "'hard' is no puzzle; give its number, today or next"),
    ],
)
def test_what_is_refused(arguments: list[str], sentence: str, capsys: Output) -> None:
    assert run(["puzzles", "play", *arguments]) == 2
    assert capsys.readouterr().err == f"chronotable: {sentence}\n"
