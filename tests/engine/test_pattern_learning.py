"""How weights of patterns are learned (`python -m tests.lab.patterns`)."""

from __future__ import annotations

import runpy
from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="what learns weights needs the extra `lab`")

import numpy as np

from chronotable_host.engine.patterns import PatternEvaluation
from chronotable_host.engine.position import Position, after
from tests import lanes
from tests.lab import lines, patterns

pytestmark = lanes.tool

SEED = 3


@pytest.fixture(scope="module")
def rows() -> patterns.Rows:
    """Positions of some games with few nodes a turn."""
    found = [np.frombuffer(patterns.played(SEED + game, 12), np.int64) for game in range(40)]
    return np.concatenate(found).reshape(-1, patterns.ROW)


def test_a_game_s_rows_are_its_positions_seen_from_who_moves(rows: patterns.Rows) -> None:
    for game in range(SEED, SEED + 40):
        course = rows[rows[:, 8] == game]
        results = course[:, 7]
        assert (results[1:] == -results[:-1]).all()
        for row, following in pairwise(course):
            at, then = Position(*row[:6].tolist()), Position(*following[:6].tolist())
            outcome = then.other, then.own, then.other_supply
            assert after(at, outcome, then.other_focus) == then
    assert {-1, 1} <= {*rows[:, 7].tolist()}


def test_what_the_weights_sum_up_to_is_what_the_evaluation_says(rows: patterns.Rows) -> None:
    weights = np.random.default_rng(SEED).integers(-90, 90, patterns.SIZE) / 100
    evaluation = PatternEvaluation(patterns.as_weights(weights))
    summed = np.rint(100 * weights[patterns.seen(rows)].sum(1))
    for row, wanted in zip(rows, summed, strict=True):
        assert evaluation.worth(Position(*row[:6].tolist())) == wanted, row


def test_what_the_search_found_is_learned(rows: patterns.Rows) -> None:
    """It found what some weights say."""
    truth = np.random.default_rng(SEED).normal(0, 0.3, patterns.SIZE)
    told = rows.copy()
    told[:, 6] = np.rint(100 * truth[patterns.seen(rows)].sum(1))
    evaluation = PatternEvaluation(patterns.fitted([told], SEED, of_result=0.0, epochs=60))
    found = [evaluation.worth(Position(*row[:6].tolist())) for row in rows]
    assert np.corrcoef(found, told[:, 6])[0, 1] > 0.95


def test_what_the_table_knows_is_what_was_learned_of_lines(
    rows: patterns.Rows, tmp_path: Path
) -> None:
    """But for what is rounded, and a supply, which is worth as much to both; most of the truth."""
    truth = np.random.default_rng(SEED).normal(0, 0.3, patterns.SIZE)
    told = rows.copy()
    told[:, 6] = np.rint(100 * truth[patterns.seen(rows)].sum(1))
    learned = patterns.fitted([told], SEED, of_result=0.0, epochs=60, is_of_lines=True)
    lines.write(learned, "by a test", tmp_path / "weights.py")
    written = runpy.run_path(str(tmp_path / "weights.py"))
    known = lines.known(written["WEIGHTS"], written["SUPPLY"])
    found = [known.worth(Position(*row[:6].tolist())) for row in rows]
    wanted = [PatternEvaluation(learned).worth(Position(*row[:6].tolist())) for row in rows]
    assert np.corrcoef(found, wanted)[0, 1] > 0.98
    assert np.corrcoef(found, told[:, 6])[0, 1] > 0.7


def test_what_was_played_is_not_played_again(tmp_path: Path) -> None:
    path = patterns.keep(tmp_path, 0, 2)
    path.write_bytes(b"as it was")
    assert patterns.keep(tmp_path, 0, 2) == path
    assert path.read_bytes() == b"as it was"
