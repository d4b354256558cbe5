"""`python -m tests.lab.patterns FOLDER`: learn what a position of the standard game is worth.

The search plays games with itself from openings by chance, with few nodes a turn, and all that was
not decided yet is kept in the folder, in chunks; those that are there are not played again, so that
what was stopped goes on. The weights are those of a logistic regression by stochastic gradient
descent (Adam). What it should tell of a position is half how the game ended and half what the
search found, as a chance; positions that come again in a game count once. The same games and the
same seed give the same weights. It needs numpy (the extra `lab`).
"""

from __future__ import annotations

import json
from array import array
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from random import Random
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from chronotable_host.engine.games import StandardGame
from chronotable_host.engine.match import LONGEST, REPEATED, opening
from chronotable_host.engine.patterns import MOST, windows
from chronotable_host.engine.position import ERA, ERA_BITS
from chronotable_host.engine.search import SOON, Limits, Search
from chronotable_host.rules.notation import format_modules
from tests.lab.learning import WEIGHTS, write
from ttykm.game import Game
from ttykm.layout import NOBODY, SUPPLY

Rows = NDArray[np.int64]
"""A position each: six numbers as in `Position`, what the search found, 1, 0, -1 for won, drawn and
lost, and the number of the game."""

_ROW = 9
_CHUNK = 50  # games of a file
_WINDOWS, _PATTERNS = windows()
_OPENING = 6  # random turns at most

_POINTS = 100  # of one in the regression's unit
_MOST_POINTS = 2000
_FOUND = 126  # points of the search that played that multiply the odds by e
_EPOCHS = 12
_BATCH = 1024
_RATE = 0.03
_RIDGE = 1e-5
_COUNTS = (MOST + 1) ** 2
_OF_FOCUS = _PATTERNS + _COUNTS  # weights of an era with the focus of the same players
_FOCI, _OF_SUPPLY = 9, SUPPLY + 1
_FIRST_ERA = _FOCI + 2 * _OF_SUPPLY
_SIZE = _FIRST_ERA + 3 * 4 * _OF_FOCUS

app = typer.Typer(add_completion=False)


@app.command()
def learn(
    folder: Annotated[Path, typer.Argument(help="Where the games are kept.")],
    games: Annotated[int, typer.Option(min=_CHUNK)] = 8000,
    nodes: Annotated[int, typer.Option(min=1, help="Of a turn.")] = 400,
    seed: Annotated[int, typer.Option(help="Of the first game; the others count on.")] = 0,
    processes: Annotated[int | None, typer.Option(help="As many as there are processors.")] = None,
    out: Annotated[Path, typer.Option("--out", help="Where the weights are written.")] = WEIGHTS,
) -> None:
    """Play what is not played yet, learn, and write the weights beside those that stay."""
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(processes) as pool:
        firsts = range(seed, seed + games, _CHUNK)
        kept = [*pool.map(keep, repeat(folder), firsts, repeat(nodes))]
    rows = np.concatenate([np.fromfile(path, np.int64).reshape(-1, _ROW) for path in kept])
    rows = once(rows)
    every = json.loads(out.read_text("utf-8"))
    weights, surprise = fitted(rows, seed)
    made = (
        f"logistic regression on {len(rows)} positions of {games} games of {nodes} nodes a turn "
        f"of commit 5edc2baf, seed {seed}"
    )
    print(made, f"loss {surprise:.4f}", flush=True)
    every[format_modules(0)] |= {"made": made, **weights}
    write(every, out)


def keep(folder: Path, first: int, nodes: int) -> Path:
    """Return the file of a chunk of games, which are played unless it is there."""
    path = folder / f"{nodes}-{first:06}.games"
    if not path.exists():
        part = path.with_suffix(".part")
        part.write_bytes(b"".join(played(each, nodes) for each in range(first, first + _CHUNK)))
        part.rename(path)
    return path


def played(seed: int, nodes: int) -> array[int]:
    """Play a game to where it is decided, and return its rows."""
    rules = StandardGame()
    search = Search(rules)
    game = Game()
    game.start(opening(seed, turns=Random(seed).randint(2, _OPENING)))
    course = [rules.node(game.state)]
    scores: list[int] = []
    result = 0  # of the player to move at the end
    while len(scores) < LONGEST and course.count(course[-1]) < REPEATED:
        if game.winner() != NOBODY:
            result = -1
            break
        *_, thought = search.think(course[-1], Limits(nodes), course[:-1])
        if abs(thought.score) > SOON:
            result = 1 if thought.score > 0 else -1
            break
        scores.append(thought.score)
        game.apply(thought.line[0])
        course.append(rules.node(game.state))
    rows = array("q")
    for number, (node, score) in enumerate(zip(course, scores, strict=False)):
        rows.extend((*node, score, -result if len(scores) - number & 1 else result, seed))
    return rows


def once(rows: Rows) -> Rows:
    """Return the rows without positions that were there in the same game."""
    _, first = np.unique(np.delete(rows, [6, 7], 1), axis=0, return_index=True)
    return rows[np.sort(first)]


def seen(rows: Rows) -> NDArray[np.int32]:
    """Return the numbers of the weights that are added up for each position."""
    own, other, supply, other_supply, focus, other_focus = rows[:, :6].T
    found = [3 * focus + other_focus, _FOCI + supply, _FOCI + _OF_SUPPLY + other_supply]
    at = _FIRST_ERA
    for era in range(3):
        own_there, other_there = (copies >> ERA_BITS * era & ERA for copies in (own, other))
        board = own_there | other_there << ERA_BITS
        base = at + _OF_FOCUS * ((focus == era) + 2 * (other_focus == era))
        for mask, table in _WINDOWS.items():
            keys = np.array(sorted(table))
            numbers = np.array([table[key] for key in sorted(table)])
            found.append(base + numbers[np.searchsorted(keys, board & mask)])
        many, others_many = (
            np.minimum(np.bitwise_count(copies), MOST) for copies in (own_there, other_there)
        )
        found.append(base + _PATTERNS + (MOST + 1) * many + others_many)
        at += 4 * _OF_FOCUS
    return np.stack(found, 1).astype(np.int32)


def fitted(
    rows: Rows, seed: int, result: float = 0.5, epochs: int = _EPOCHS
) -> tuple[dict[str, Any], float]:
    """Return weights as `PatternEvaluation` reads them, and how surprising the rows still are.

    `result` is how much the end of a game counts, against what the search found.
    """
    chance = 1 / (1 + np.exp(-np.clip(rows[:, 6], -_MOST_POINTS, _MOST_POINTS) / _FOUND))
    wanted = result * (rows[:, 7] + 1) / 2 + (1 - result) * chance
    numbers = seen(rows)
    weights, slope, bend = np.zeros((3, _SIZE))
    rng, steps = np.random.default_rng(seed), 0
    for epoch in range(epochs):
        rate = _RATE * (1 + np.cos(np.pi * epoch / epochs)) / 2
        order = rng.permutation(len(rows))
        for batch in np.array_split(order, max(1, len(rows) // _BATCH)):
            steps += 1
            of_batch = numbers[batch]
            miss = _chances(weights, of_batch) - wanted[batch]
            by = np.repeat(miss / len(batch), of_batch.shape[1])
            uphill = np.bincount(of_batch.ravel(), by, _SIZE) + _RIDGE * weights
            slope = 0.9 * slope + 0.1 * uphill
            bend = 0.999 * bend + 0.001 * uphill**2
            step = slope / (1 - 0.9**steps) / (np.sqrt(bend / (1 - 0.999**steps)) + 1e-8)
            weights = weights - rate * step
    return as_weights(weights), loss(_chances(weights, numbers), wanted)


def _chances(weights: NDArray[np.float64], numbers: NDArray[np.int32]) -> NDArray[np.float64]:
    chances: NDArray[np.float64] = 1 / (1 + np.exp(-weights[numbers].sum(1)))
    return chances


def loss(chances: NDArray[np.float64], wanted: NDArray[np.float64]) -> float:
    """Return how surprising what happened is, in nats for each position."""
    sure = np.clip(chances, 1e-6, 1 - 1e-6)
    return float(-(wanted * np.log(sure) + (1 - wanted) * np.log(1 - sure)).mean())


def as_weights(weights: NDArray[np.float64]) -> dict[str, Any]:
    """Return what `PatternEvaluation` reads, in points."""
    points = np.rint(_POINTS * weights).astype(int)
    eras = points[_FIRST_ERA:].reshape(3, 4, _OF_FOCUS)
    return {
        "foci": points[:_FOCI].reshape(3, 3).tolist(),
        "supply": points[_FOCI:_FIRST_ERA].reshape(2, _OF_SUPPLY).tolist(),
        "patterns": eras[:, :, :_PATTERNS].tolist(),
        "counts": eras[:, :, _PATTERNS:].tolist(),
    }


if __name__ == "__main__":
    app()
