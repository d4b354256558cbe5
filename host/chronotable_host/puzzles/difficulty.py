"""How hard a puzzle is: the levels 1 to 6 of the built-in player try it, each with several seeds.

What they solve and what they do not is a rating period of the puzzle, against players whose
strength is known. A puzzle that level 2 solves every other time is rated as level 2 is.
"""

from __future__ import annotations

from chronotable_host.engine.levels import LevelPlayer
from chronotable_host.puzzles.puzzle import Puzzle
from chronotable_host.puzzles.trial import ON, SOLVED, Trial
from chronotable_host.rating.glicko import Rating, Result, rated

LEVEL_RATINGS = (600, 1010, 1400, 1780, 2110, 2410)
"""Of the levels from 1 on: their measured distances (tests/README.md), from 600 points up."""

_SEEDS = 8
_DEVIATION = 50.0  # of a level's rating


def difficulty(puzzle: Puzzle) -> int:
    """Return the rating of a puzzle; its own is not looked at."""
    results: list[Result] = []
    for level, value in enumerate(LEVEL_RATINGS, 1):
        known = Rating(value, _DEVIATION)
        results += [(known, float(not solves(puzzle, level, seed))) for seed in range(_SEEDS)]
    return round(rated(Rating(), results).value)


def solves(puzzle: Puzzle, level: int, seed: int) -> bool:
    """Tell whether a level finds every turn of a puzzle."""
    trial = Trial(puzzle)
    player = LevelPlayer(level, seed)
    while (reply := trial.play(player.choose(trial.game))).verdict == ON:
        pass
    return reply.verdict == SOLVED
