"""`python -m tests.lab.learning`: learn what a position is worth from the search's own games.

Games begin with random turns and are played by the search with few nodes; each position that is
not decided yet is one observation of who won. The weights are those of a logistic regression, a
hundred times as large: so many points are a factor e in the odds of winning. The standard game
learns each weight, and begins with `FIRST`. A set of modules has few games, which cannot tell an
edge from a corner: it keeps the shape of `FIRST_OF_MODULES` and learns how much each of PARTS
counts. The same seed gives the same weights.
"""

from __future__ import annotations

import json
import math
import random
from array import array
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import resources
from itertools import repeat
from pathlib import Path
from typing import Annotated, Any

import typer

from chronotable_host.engine.evaluation import FEATURES, Evaluation, features, hats
from chronotable_host.engine.levels import rules_of
from chronotable_host.engine.match import LONGEST, opening
from chronotable_host.engine.search import SOON, Limits, Search
from chronotable_host.rules.notation import format_modules
from ttykm import layout, objects
from ttykm.game import Game
from ttykm.layout import NOBODY, SUPPLY

Observation = tuple[tuple[int, ...], float]
"""What a position has more of for the mover than for the other, and 1, 0 or 0.5 for the mover."""

_OPENING = 6  # random turns at most
_POINTS = 100  # of one in the regression's unit
_RIDGE = 1.0  # keeps the weight of what is rarely seen small
_STEPS = 30
_STILL = 1e-4  # a step as small as this changes nothing any more

FIRST: Mapping[str, Any] = {
    "eras": [
        {"centre": 97, "edge": 79, "corner": 62, "held": 41},
        {"centre": 84, "edge": 64, "corner": 66, "held": 19},
        {"centre": 37, "edge": 14, "corner": 8, "held": 102},
    ],
    "supply": [-188, -84, 3, 91, 177],
    "statue": 0,
    "hat": 0,
    "to_move": 11,
}
"""A fit to games of another program."""

FIRST_OF_MODULES: Mapping[str, Any] = {**FIRST, "statue": 60, "hat": 20}
"""The same, and by hand what things of modules are worth."""

PARTS: Sequence[Sequence[int]] = (
    *(range(4 * era, 4 * era + 3) for era in range(3)),
    range(3, 12, 4),
    range(12, 17),
    *((place,) for place in range(17, 20)),
)
"""Places in `differences`: copies by era; eras held, supply, statue, hats, to move."""

app = typer.Typer(add_completion=False)


@app.command()
def learn(
    out: Annotated[Path, typer.Option("--out", help="Where all weights are written.")],
    modules: Annotated[int, typer.Option(help="Bits of a set of modules.")] = 0,
    games: Annotated[int, typer.Option(min=1)] = 1600,
    nodes: Annotated[int, typer.Option(min=1, help="Of a turn.")] = 300,
    rounds: Annotated[int, typer.Option(min=1, help="Each plays with what was learned.")] = 2,
    seed: Annotated[int, typer.Option()] = 0,
) -> None:
    """Play, learn, and write the weights of a set of modules beside those of the others."""
    text = resources.files("chronotable_host.engine").joinpath("weights.json").read_text("utf-8")
    every = json.loads(text)
    name = format_modules(modules)
    weights = known = FIRST_OF_MODULES if modules else FIRST
    for number in range(rounds):
        seen = observe(weights, modules, games, nodes, seed + number * games)
        rows, won = [each for each, _ in seen], [each for _, each in seen]
        fitted = fit_parts(rows, won, as_fitted(known)) if modules else fit(rows, won)
        every[name] = weights = {
            "made": f"logistic regression on {len(seen)} positions of {games} games of {nodes} "
            f"nodes a turn, round {number + 1}, seed {seed}",
            **as_weights(fitted),
        }
        print(name, weights["made"], f"loss {loss(fitted, seen):.4f}", flush=True)
    out.write_text(json.dumps(every, indent=2) + "\n", "utf-8")


def observe(
    weights: Mapping[str, Any], modules: int, games: int, nodes: int, seed: int
) -> list[Observation]:
    """Play so many games, on all processors, and return their positions."""
    with ProcessPoolExecutor() as pool:
        seeds = range(seed, seed + games)
        played = pool.map(
            _play, repeat(weights), repeat(modules), repeat(nodes), seeds, chunksize=4
        )
        return [each for game in played for each in game]


def _play(weights: Mapping[str, Any], modules: int, nodes: int, seed: int) -> list[Observation]:
    rng = random.Random(seed)
    rules = rules_of(objects.new_state(modules), 0, Evaluation(weights))
    search = Search(rules)
    game = Game()
    game.start(opening(seed, modules, turns=rng.randint(2, _OPENING)))
    course: list[array[int]] = []
    undecided: list[bool] = []
    while game.winner() == NOBODY and len(course) < LONGEST:
        course.append(game.state)
        played = [rules.node(state) for state in course]
        *_, thought = search.think(played[-1], Limits(nodes=nodes), played[:-1])
        undecided.append(abs(thought.score) < SOON)
        game.apply(thought.line[0])
    winner = game.winner()
    return [
        (differences(state), 0.5 if winner == NOBODY else float(winner == layout.mover(state)))
        for state, is_open in zip(course, undecided, strict=True)
        if is_open
    ]


def differences(state: array[int]) -> tuple[int, ...]:
    """Return FEATURES of the three eras, supplies 0..4, statue, hats and the move.

    Each is what the mover has, less what the other has.
    """
    mover = layout.mover(state)
    mine, theirs = (_counted(state, player) for player in (mover, 1 - mover))
    return (*map(int.__sub__, mine, theirs), 1)


def _counted(state: array[int], player: int) -> list[int]:
    found: list[int] = []
    for era in range(3):
        found += features(state[layout.COPIES + 3 * player + era])
    supply = layout.supply(state, player)
    found += [int(supply == pieces) for pieces in range(SUPPLY + 1)]
    if len(state) == layout.STATE_WORDS:
        return [*found, 0, 0]
    return [*found, int(objects.holds_statue(state, player)), hats(state, player)]


def fit_parts(
    rows: Sequence[tuple[int, ...]], won: Sequence[float], shape: Sequence[float]
) -> list[float]:
    """Return the weights of a logistic regression that scales each of PARTS of a shape.

    Its eras count as much as before, taken together: only what parts are to each other changes.
    """
    factors = fit(
        [tuple(sum(shape[at] * row[at] for at in part) for part in PARTS) for row in rows],
        won,
        [1.0] * len(PARTS),
    )
    of_eras = sum(factors[:3]) / 3
    weights = [0.0] * len(shape)
    for factor, part in zip(factors, PARTS, strict=True):
        for at in part:
            weights[at] = shape[at] * factor / of_eras
    return weights


def fit(
    rows: Sequence[tuple[float, ...]], won: Sequence[float], kept: Sequence[float] | None = None
) -> list[float]:
    """Return the weights of a logistic regression, by Newton's method.

    They stay near `kept`, or near 0 without it, where few rows say otherwise.
    """
    first = [0.0] * len(rows[0]) if kept is None else list(kept)
    size, weights = len(first), first

    def cost(weights: Sequence[float]) -> float:
        away = sum((now - then) ** 2 for now, then in zip(weights, first, strict=True))
        return _RIDGE / 2 * away + len(rows) * loss(weights, zip(rows, won, strict=True))

    for _ in range(_STEPS):
        slope = [_RIDGE * (at_first - now) for at_first, now in zip(first, weights, strict=True)]
        bend = [[_RIDGE if at == other else 0.0 for other in range(size)] for at in range(size)]
        for row, is_won in zip(rows, won, strict=True):
            chance = _chance(weights, row)
            miss, sure = is_won - chance, chance * (1 - chance)
            used = [(at, value) for at, value in enumerate(row) if value]
            for at, value in used:
                slope[at] += miss * value
                line, scaled = bend[at], sure * value
                for other, its_value in used:
                    line[other] += scaled * its_value
        step = _solve(bend, slope)
        while max(map(abs, step)) >= _STILL:
            tried = [weight + by for weight, by in zip(weights, step, strict=True)]
            if cost(tried) < cost(weights):
                weights = tried
                break
            step = [by / 2 for by in step]  # too far: the curve is steeper there
        else:
            break
    return weights


def loss(weights: Sequence[float], seen: Iterable[tuple[Sequence[float], float]]) -> float:
    """Return how surprising the results are, in nats for each position."""
    surprises = []
    for row, won in seen:
        chance = min(max(_chance(weights, row), 1e-9), 1 - 1e-9)
        surprises.append(-won * math.log(chance) - (1 - won) * math.log(1 - chance))
    return sum(surprises) / len(surprises)


def as_weights(fitted: Sequence[float]) -> dict[str, Any]:
    """Return what `Evaluation` reads, in points."""
    points = [round(_POINTS * weight) for weight in fitted]
    count = len(FEATURES)
    eras = [dict(zip(FEATURES, points[count * era :], strict=False)) for era in range(3)]
    *supply, statue, hat, to_move = points[3 * count :]
    return {
        "eras": eras,
        "supply": supply,
        "statue": statue,
        "hat": hat,
        "to_move": to_move,
    }


def as_fitted(weights: Mapping[str, Any]) -> list[float]:
    """Return what `as_weights` makes these weights of."""
    points = [era[name] for era in weights["eras"] for name in FEATURES]
    points += [*weights["supply"], weights["statue"], weights["hat"], weights["to_move"]]
    return [point / _POINTS for point in points]


def _chance(weights: Sequence[float], row: Sequence[float]) -> float:
    total = sum(weight * value for weight, value in zip(weights, row, strict=True))
    return 1 / (1 + math.exp(-total)) if total > -60 else 0.0


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Return what the symmetric matrix maps to `right`, by elimination."""
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for at in range(size):
        pivot = max(range(at, size), key=lambda row: abs(rows[row][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for row in range(at + 1, size):
            by = rows[row][at] / rows[at][at]
            rows[row] = [a - by * b for a, b in zip(rows[row], rows[at], strict=True)]
    found = [0.0] * size
    for at in reversed(range(size)):
        known = sum(rows[at][other] * found[other] for other in range(at + 1, size))
        found[at] = (rows[at][size] - known) / rows[at][at]
    return found


if __name__ == "__main__":
    app()
