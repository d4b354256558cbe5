"""What a match says of two players' strength."""

import json
import math
import sys
from pathlib import Path

import pytest

from chronotable_host.cli import run
from chronotable_host.engine.levels import LevelPlayer
from chronotable_host.engine.match import Score, elo_of, opening, play, share_of, sprt_bounds
from chronotable_host.engine.thinkers import chooser_of, own_engine, parse_program
from chronotable_host.rules.notation import format_position, format_turn
from tests import lanes
from ttykm import layout
from ttykm.layout import BLACK, NOBODY, WHITE

HEARD = """
import subprocess, sys
with subprocess.Popen({engine}, stdin=subprocess.PIPE, text=True, bufsize=1) as engine:
    for line in sys.stdin:
        print(line, end="", file=open({heard!r}, "a"))
        engine.stdin.write(line)
"""


def test_elo_and_share() -> None:
    assert share_of(0) == 0.5
    assert round(share_of(200), 3) == 0.76
    assert round(elo_of(0.75)) == 191
    assert elo_of(0.0) == -math.inf
    assert elo_of(share_of(123.0)) == pytest.approx(123)


def test_a_score_with_its_interval() -> None:
    score = Score()
    for winner, first in [(WHITE, WHITE), (WHITE, BLACK), (NOBODY, WHITE), (BLACK, BLACK)]:
        score = score.plus(winner, first)
    assert score == Score(won=2, drawn=1, lost=1)
    assert score.share == 0.625
    # 100 of 200 games, no draws: 48 Elo to either side, as every calculator of matches says
    low, middle, high = Score(100, 0, 100).elo()
    assert (round(low), round(middle), round(high)) == (-48, 0, 48)
    assert Score(20, 0, 0).elo()[0] > 300


def test_the_evidence_for_one_of_two_differences() -> None:
    low, high = sprt_bounds()
    assert (round(low, 2), round(high, 2)) == (-2.94, 2.94)
    assert Score(150, 0, 50).evidence(0, 50) > high
    assert Score(90, 0, 110).evidence(0, 50) < low
    assert low < Score(6, 0, 4).evidence(0, 50) < high


def test_a_game_between_two() -> None:
    def first(game):
        return next(iter(game.legal_turns()))

    start = opening(1)
    winner, game = play(first, first, start)
    assert winner == game.winner()
    assert opening(1) == start != opening(2)


@lanes.gate
def test_an_engine_is_told_the_whole_game_each_time(tmp_path: Path) -> None:
    """Not positions alone: it could not see then that it comes back to one."""
    program, heard = tmp_path / "engine.py", tmp_path / "heard"
    program.write_text(HEARD.format(engine=own_engine(), heard=str(heard)))
    start = opening(1)
    with chooser_of(parse_program(f"engine:{sys.executable} {program}"), 0, "nodes 9") as engine:
        _, game = play(engine, LevelPlayer(5, 0).choose, start)
    turns = [format_turn(turn) for turn in game.turns]
    told = [line for line in heard.read_text().splitlines() if line.startswith("position")]
    assert len(turns) > 4
    assert told == [
        f"position {format_position(start)} turns {'; '.join(turns[:count])}".removesuffix(
            " turns "
        )
        for count in range(layout.mover(start) != WHITE, len(turns), 2)
    ]


def test_a_match_as_it_is_typed(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["match", "level:4", "random", "--games", "4", "--jobs", "1", "--seed", "3"]
    assert run(words) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first == "level:4 against random: 4 won, 0 drawn, 0 lost"
    assert run([*words, "--json", "--sprt", "0,400"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["won"], found["elo"]) == (3, None)
    assert found["sprt"] == "the test has ended after 3 games: +400 rather than +0"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["level:0", "random"], "'level:0': levels are level:1 to level:8"),
        (["random", "you"], "'you' plays no side"),
        (["random", "random", "--sprt", "5"], "--sprt '5': two differences in Elo"),
        (["random", "random", "--openings", "nowhere"], "nowhere: cannot be read"),
    ],
)
def test_what_cannot_be_played(
    words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["match", *words]) == 2
    assert why in capsys.readouterr().err
