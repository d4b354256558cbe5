"""A lesson, or an analysis, at a table on a pty and in a terminal, led by what is typed."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from chronotable_host.cli import run
from chronotable_host.learning.lessons.exercises import LESSONS
from chronotable_host.learning.puzzles.puzzle import built_in
from chronotable_host.rules.record import format_record
from chronotable_host.virtual.serve import PtyLine
from tests.host.archives import Output, records
from tests.host.served_table import Keyboard, ServedTable
from tests.host.test_table_analysis import game_of

IS_POSIX = pytest.mark.skipif(os.name != "posix", reason="ptys are POSIX")


@IS_POSIX
def test_what_is_typed_in_a_lesson(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = PtyLine()
    served = ServedTable(line)
    with Keyboard(monkeypatch) as keyboard, served:
        served.acts = [
            (2000, lambda: keyboard.type("hint\nlesson 2\nhint\nlesson 7\nhelp\n")),
            (3500, lambda: keyboard.type("puzzle 1\npuzzle 301\n")),
            (5000, lambda: keyboard.type("quit\n")),
        ]
        args = ["play", "--port", line.name, "--archive", str(tmp_path), "--lesson", "1"]
        assert run(args) == 0
    shown = capsys.readouterr()
    first = LESSONS[0].exercises[0]
    assert f"Lesson 1: Move and push, 1 of {len(LESSONS[0].exercises)}: {first.says}" in shown.out
    assert first.hint in shown.out
    exercise = LESSONS[1].exercises[0]
    assert f"Lesson 2: Walls and squish, 1 of 3: {exercise.says}" in shown.out
    assert f"1 of 3: {exercise.hint}" in shown.out
    assert "'7' is not a whole number from 1 to 5" in shown.err
    assert f"Puzzle 1: {built_in()[0].says}" in shown.out
    assert "there is no puzzle 301; choose 1 to 300" in shown.err
    assert "lesson 1, puzzle 1, hint" in shown.err
    assert records(tmp_path) == []


@pytest.mark.parametrize("number", range(1, len(LESSONS) + 1))
def test_a_lesson_in_the_terminal(
    number: int, tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    exercises = LESSONS[number - 1].exercises
    typed = ["hint", "nonsense", *(exercise.turn for exercise in exercises)]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join([*typed, ""])))
    args = ["try", "--headless", "--archive", str(tmp_path), "--seed", "1"]
    assert run([*args, "--lesson", str(number)]) == 0
    shown = capsys.readouterr()
    assert f"For example: {exercises[0].turn}" in shown.out
    for exercise in exercises:
        assert exercise.solved in shown.out
    assert "That was" in shown.out.splitlines()[-1]
    assert shown.err == ""
    assert records(tmp_path) == []


def test_a_missed_turn_is_tried_again_and_the_end_of_the_input_ends(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    exercise = LESSONS[1].exercises[0]
    monkeypatch.setattr("sys.stdin", io.StringIO(f"7 N W >future\n{exercise.turn}\n"))
    args = ["try", "--headless", "--archive", str(tmp_path), "--lesson", "2"]
    assert run(args) == 0
    shown = capsys.readouterr().out
    assert shown.index(exercise.missed) < shown.index(exercise.solved)
    assert "2 of 3" in shown
    assert records(tmp_path) == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["try", "--lesson", "6"], "there is no lesson 6; choose 1 to 5"),
        (["try", "--headless", "--lesson", "0"], "there is no lesson 0; choose 1 to 5"),
        (["play", "--lesson", "-1"], "there is no lesson -1; choose 1 to 5"),
        (["play", "--lesson", "1", "--clock", "5"], "a lesson has no clocks: leave --clock out"),
        (["play", "--puzzle", "1", "--clock", "5"], "a lesson has no clocks: leave --clock out"),
        (["play", "--puzzle", "301"], "there is no puzzle 301; choose 1 to 300"),
        (["try", "--puzzle", "x"], "'x' is no puzzle; give its number, today or next"),
        (
            ["try", "--headless", "--puzzle", "1"],
            "in the terminal `chronotable puzzles play` has the puzzles",
        ),
        (
            ["try", "--lesson", "1", "--puzzle", "1"],
            "--lesson and --puzzle: one after the other; leave one of them out",
        ),
        (["play", "--analyse", "none-such"], "…none-such"),
        (["try", "--analyse", "none-such"], "…none-such"),
        (["try", "--headless", "--analyse", "last"], "…an analysis is on the page"),
        (["play", "--hints", "red"], "…'red': hints are for white, black, both, none"),
        (["try", "--hints", "red"], "…'red': hints are for white, black, both, none"),
    ],
)
def test_what_is_refused(
    arguments: list[str], sentence: str, tmp_path: Path, capsys: Output
) -> None:
    assert run([*arguments, "--archive", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("chronotable: ") and said.count("\n") == 1
    assert sentence.lstrip("…") in said if sentence[0] == "…" else said[13:-1] == sentence


# ---- an analysis


@IS_POSIX
def test_what_is_typed_in_an_analysis(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "game.ttykm").write_text(format_record(game_of(1)), "utf-8")
    line = PtyLine()
    served = ServedTable(line)
    with Keyboard(monkeypatch) as keyboard, served:
        served.acts = [
            (2000, lambda: keyboard.type("turn 0\nturn 99\nseat black level:1\nhelp\n")),
            (4000, lambda: keyboard.type("back\nnew\nback\n")),
            (6000, lambda: keyboard.type("analyse none-such\nanalyse game\nquit\n")),
        ]
        args = ["play", "--port", line.name, "--archive", str(tmp_path), "--analyse", "game"]
        assert run(args) == 0
    shown = capsys.readouterr()
    assert "Analysis: The start of 8 turns." in shown.out
    assert "the game has 8 turns, so none with number 99" in shown.err
    assert "in an analysis nobody else plays; end it first" in shown.err
    assert "analyse last, turn 12, back, forth" in shown.err
    assert "no analysis is on" in shown.err
    assert "none-such" in shown.err
    assert [path.name for path in tmp_path.glob("*.ttykm")] == ["game.ttykm"]
