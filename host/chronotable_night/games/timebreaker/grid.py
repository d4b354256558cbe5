"""Steps on the grid of 5 by 5 tiles: over the edge to the other side, past gaps (B7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

SIZE = 5
CELLS = SIZE * SIZE
CENTRE = CELLS // 2
GAP = ""

OFFSETS = {"L": (0, -1), "R": (0, 1), "U": (-1, 0), "D": (1, 0)}
"""How many rows down and columns right a step of each direction goes."""
EVERY_WAY = "LRUD"


@lru_cache(maxsize=4096)
def _steps(grid: tuple[str, ...]) -> Mapping[str, Mapping[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for cell, tile in enumerate(grid):
        if tile == GAP:
            continue
        found[tile] = {}
        for direction, (down, right) in OFFSETS.items():
            row, column = divmod(cell, SIZE)
            for _ in range(SIZE - 1):
                row, column = (row + down) % SIZE, (column + right) % SIZE
                other = grid[row * SIZE + column]
                if other != GAP:
                    found[tile][direction] = other
                    break
    return found


def steps_from(grid: Sequence[str], tile: str) -> Mapping[str, str]:
    """Return the tile a step away by direction, L R U D; a line without others has none."""
    return _steps(tuple(grid))[tile]


def step_targets(grid: Sequence[str], tile: str, directions: str = EVERY_WAY) -> Sequence[str]:
    """Return the different tiles a step away in the directions, such as "LR"."""
    return _targets(tuple(grid), tile, directions)


@lru_cache(maxsize=16384)
def _targets(grid: tuple[str, ...], tile: str, directions: str) -> Sequence[str]:
    steps = steps_from(grid, tile)
    return tuple(dict.fromkeys(steps[each] for each in directions if each in steps))
