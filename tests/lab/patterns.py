"""`python -m tests.lab.patterns`: learn what a position of the standard game is worth.

`play FOLDER` has the search play games with itself, from openings by chance and with few nodes a
turn; what is not decided yet is kept in the folder, in chunks. Those that are there are not played
again, so that what was stopped goes on. The same seed gives the same games; so that it is known who
played them, the folder has the name of the commit.

`learn FOLDER...` makes weights of the games in folders: a logistic regression by stochastic
gradient descent (Adam). What they should tell of a position is three tenths how the game ended, and
else what the search found, as the chance that so many points had in that folder's games. Positions
that come again in a game count once. With `--lines` it makes those of the table's own player of
them, which looks at fewer windows. It needs numpy (the extra `lab`).
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from random import Random
from typing import Annotated, Any, TypeAlias

import numpy as np
import typer
from numpy.typing import NDArray

from chronotable_host.engine.games import StandardGame
from chronotable_host.engine.match import LONGEST, REPEATED, opening
from chronotable_host.engine.patterns import MOST, windows
from chronotable_host.engine.position import ERA, ERA_BITS
from chronotable_host.engine.search import SOON, Limits, Search
from chronotable_host.rules.notation import format_modules
from tests.lab import lines
from tests.lab.learning import WEIGHTS, write
from ttykm.game import Game
from ttykm.layout import NOBODY, SUPPLY

Rows: TypeAlias = NDArray[np.int64]
"""A position each: six numbers as in `Position`, what the search found, 1, 0, -1 for won, drawn and
lost, and the number of the game."""

ROW = 9
_CHUNK = 50  # games of a file
_WINDOWS, _PATTERNS = windows()
_OPENING = 6  # random turns at most

_POINTS = 100  # of one in the regression's unit
_MOST_POINTS = 2000
_SCALES = range(60, 300, 2)  # points of the search that may multiply the odds by e
_OF_RESULT = 0.3  # of what a position should tell; the rest is what the search found
_EPOCHS = 12
_BATCH = 1024
_RATE = 0.03
_RIDGE = 1e-5
_COUNTS = (MOST + 1) ** 2
_OF_FOCUS = _PATTERNS + _COUNTS  # weights of an era with the focus of the same players
_FOCI, _OF_SUPPLY = 9, SUPPLY + 1
_FIRST_ERA = _FOCI + 2 * _OF_SUPPLY
SIZE = _FIRST_ERA + 3 * 4 * _OF_FOCUS

app = typer.Typer(add_completion=False)


@app.command()
def play(
    folder: Annotated[Path, typer.Argument(help="Where the games are kept.")],
    games: Annotated[int, typer.Option(min=_CHUNK)] = 4000,
    nodes: Annotated[int, typer.Option(min=1, help="Of a turn.")] = 400,
    seed: Annotated[int, typer.Option(help="Of the first game; the others count on.")] = 0,
    processes: Annotated[int | None, typer.Option(help="As many as there are processors.")] = None,
) -> None:
    """Play what is not played yet."""
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(processes) as pool:
        firsts = range(seed, seed + games, _CHUNK)
        for path in pool.map(keep, repeat(folder), firsts, repeat(nodes)):
            print(path, flush=True)


@app.command()
def learn(
    folders: Annotated[list[Path], typer.Argument(help="Where games were kept.")],
    seed: Annotated[int, typer.Option()] = 0,
    out: Annotated[Path, typer.Option("--out", help="Where the weights are written.")] = WEIGHTS,
    is_lines: Annotated[bool, typer.Option("--lines", help="The table's own player's.")] = False,
) -> None:
    """Learn, and write the weights beside those that stay."""
    rounds, told = [], []
    for folder in folders:
        kept = sorted(folder.glob("*.games"))
        nodes, first = kept[0].stem.split("-")
        rows = once(np.concatenate([np.fromfile(path, np.int64) for path in kept]))
        rounds.append(rows)
        told.append(
            f"{len(rows)} positions of {len(kept) * _CHUNK} games of {nodes} nodes a turn from "
            f"{int(first)} on by {folder.name}"
        )
    made = f"logistic regression on {' and '.join(told)}, seed {seed}"
    if is_lines:
        lines.write(fitted(rounds, seed, is_of_lines=True), made)
        return
    every = json.loads(out.read_text("utf-8"))
    every[format_modules(0)] |= {"made": made, **fitted(rounds, seed)}
    write(every, out)
    print(made)


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


def once(numbers: NDArray[np.int64]) -> Rows:
    """Return the rows that numbers are, without positions that were there in the same game."""
    rows = numbers.reshape(-1, ROW)
    _, first = np.unique(np.delete(rows, [6, 7], 1), axis=0, return_index=True)
    return rows[np.sort(first)]


def seen(rows: Rows, through: Mapping[int, Mapping[int, int]] = _WINDOWS) -> NDArray[np.int32]:
    """Return the numbers of the weights that are added up for each position, of some windows."""
    own, other, supply, other_supply, focus, other_focus = rows[:, :6].T
    found = [3 * focus + other_focus, _FOCI + supply, _FOCI + _OF_SUPPLY + other_supply]
    at = _FIRST_ERA
    for era in range(3):
        own_there, other_there = (copies >> ERA_BITS * era & ERA for copies in (own, other))
        board = own_there | other_there << ERA_BITS
        base = at + _OF_FOCUS * ((focus == era) + 2 * (other_focus == era))
        for mask, table in through.items():
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
    rounds: Sequence[Rows],
    seed: int,
    of_result: float = _OF_RESULT,
    epochs: int = _EPOCHS,
    is_of_lines: bool = False,
) -> dict[str, Any]:
    """Return weights as `PatternEvaluation` reads them.

    `of_result` is how much the end of a game counts, against what the search found. What the
    table's own player knows has no other windows than lines; those are the same in all eras, and
    where a focus is counts only with what is there.
    """
    wanted = np.concatenate([_wanted(rows, of_result) for rows in rounds])
    numbers = seen(np.concatenate(rounds), lines.LINES if is_of_lines else _WINDOWS)
    tied: NDArray[np.int32] = np.arange(SIZE, dtype=np.int32)
    if is_of_lines:
        tied[:_FOCI] = 0
        eras = tied[_FIRST_ERA:].reshape(3, 4, _OF_FOCUS)[:, :, :_PATTERNS]
        eras[1:] = eras[0]
        numbers = tied[numbers]
    weights, slope, bend = np.zeros((3, SIZE))
    rng, steps = np.random.default_rng(seed), 0
    for epoch in range(epochs):
        rate = _RATE * (1 + np.cos(np.pi * epoch / epochs)) / 2
        order = rng.permutation(len(wanted))
        for batch in np.array_split(order, max(1, len(wanted) // _BATCH)):
            steps += 1
            of_batch = numbers[batch]
            miss = _chances(weights, of_batch) - wanted[batch]
            by: NDArray[np.float64] = np.repeat(miss / len(batch), of_batch.shape[1])
            uphill = np.bincount(of_batch.ravel(), by, SIZE) + _RIDGE * weights
            slope = 0.9 * slope + 0.1 * uphill
            bend = 0.999 * bend + 0.001 * uphill**2
            step = slope / (1 - 0.9**steps) / (np.sqrt(bend / (1 - 0.999**steps)) + 1e-8)
            weights = weights - rate * step
    return as_weights(weights[tied])


def _wanted(rows: Rows, of_result: float) -> NDArray[np.float64]:
    """Return the chances that the weights should give."""
    points, results = np.clip(rows[:, 6], -_MOST_POINTS, _MOST_POINTS), (rows[:, 7] + 1) / 2

    def found(scale: float) -> NDArray[np.float64]:
        chances: NDArray[np.float64] = 1 / (1 + np.exp(-points / scale))
        return chances

    scale = min(_SCALES, key=lambda each: loss(found(each), results))
    return of_result * results + (1 - of_result) * found(scale)


def _chances(weights: NDArray[np.float64], numbers: NDArray[np.int32]) -> NDArray[np.float64]:
    chances: NDArray[np.float64] = 1 / (1 + np.exp(-weights[numbers].sum(1)))
    return chances


def loss(chances: NDArray[np.float64], wanted: NDArray[np.float64]) -> float:
    """Return how surprising what happened is, in nats for each position."""
    sure = np.clip(chances, 1e-6, 1 - 1e-6)
    return float(-(wanted * np.log(sure) + (1 - wanted) * np.log(1 - sure)).mean())


def as_weights(weights: NDArray[np.float64]) -> dict[str, Any]:
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
