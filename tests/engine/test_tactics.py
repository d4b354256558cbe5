"""Positions with a proven win in one, two or three turns: they are what they say, and are found."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from chronotable_host.engine.levels import LEVELS, LevelPlayer
from chronotable_host.learning.puzzles.puzzle import FILE
from chronotable_host.rules.notation import parse_position, parse_turn
from tests import lanes, sweep
from tests.lab.positions import game_at
from tests.lab.tactics import Solver, keeps, solved, threats

ROWS = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


def of_length(length: int, small: int, full: int) -> list[dict[str, Any]]:
    rows = [row for row in ROWS if row["win"] == length]
    return rows[: sweep.size(small, full, len(rows))]


@lanes.gate
@pytest.mark.parametrize("length", [1, 2, 0])
def test_no_level_learns_a_skill_at_once(length: int) -> None:
    """Of wins found in one and in two turns, and escaped from, a level has little more than the one
    below."""
    states = [parse_position(row["position"]) for row in ROWS if row["win"] == (length or 1)]
    if not length:
        states = [threat for state in states for threat in threats(state)]
    shares = [solved(level, states, length) for level in (None, *range(1, 7))]
    steps = [more - less for less, more in pairwise(shares)]
    assert min(steps) > -0.1, shares  # as far as these many cases tell
    assert max(steps) < 0.3, shares


@pytest.mark.parametrize(("length", "small", "full"), [(1, 100, 100), (2, 50, 100), (3, 2, 10)])
def test_they_are_won_in_so_many_turns_and_no_sooner(length: int, small: int, full: int) -> None:
    """By the shared rules alone, whatever the other one answers."""
    for row in of_length(length, small, full):
        state = parse_position(row["position"])
        assert keeps(state, parse_turn(row["turn"]), length), row
        assert length == 1 or Solver().win(state, length - 1) is None, row


@lanes.gate
@pytest.mark.parametrize(("length", "small", "full"), [(1, 100, 100), (2, 50, 100), (3, 4, 25)])
def test_the_strongest_level_finds_them(length: int, small: int, full: int) -> None:
    """All that win in one or two turns, and 95 of 100 that win in three."""
    missed = []
    rows = of_length(length, small, full)
    for row in rows:
        state = parse_position(row["position"])
        turn = LevelPlayer(len(LEVELS)).choose(game_at(state))
        if not keeps(state, turn, length):
            missed.append(row)
    assert len(missed) <= (len(rows) // 20 if length == 3 else 0), missed
