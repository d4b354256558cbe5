"""`python -m tests.lab.learning`: learn what positions with modules are worth from own games.

Games begin with random turns and are played by the search with few nodes; each position that is
not decided yet is one observation of who won. The weights are those of a logistic regression, a
hundred times as large: so many points are a factor e in the odds of winning. What the patterns of
the standard game are worth there is taken as known.

Sets of modules have few games each, which cannot tell an edge from a corner: they keep the shape of
`FIRST_OF_MODULES` and learn how much each of PARTS counts, first in all sets together, then in each
one, near that. The same seed gives the same weights. The standard game learns more:
`python -m tests.lab.patterns`.
"""

from __future__ import annotations

import json
import random
import re
from array import array
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer
from numpy.typing import NDArray

from chronotable_host.engine import evaluation
from chronotable_host.engine.evaluation import FEATURES, Evaluation, features, hats
from chronotable_host.engine.games import ModuleGame
from chronotable_host.engine.match import LONGEST, opening
from chronotable_host.engine.patterns import boards_evaluation
from chronotable_host.engine.position import of_state
from chronotable_host.engine.search import SOON, Limits, Search
from chronotable_host.rules.notation import format_modules
from ttykm import layout, objects
from ttykm.game import Game
from ttykm.layout import NOBODY, SUPPLY


class Seen(NamedTuple):
    """A position: what the mover has more of than the other, and how the game ended for it."""

    row: tuple[float, ...]
    won: float
    """1, 0, or 0.5 for a draw."""
    counts: float = 1.0
    """As so many observations."""
    known: float = 0.0
    """What else speaks for the mover, in the regression's unit."""


_OPENING = 6  # random turns at most
_POINTS = 100  # of one in the regression's unit
_RIDGE = 1.0  # keeps the weight of what is rarely seen small
_STEPS = 30
_STILL = 1e-4  # a step as small as this changes nothing any more
_OF_A_GAME = 5.0  # as so many observations its positions count, which are like each other
_RIDGE_OF_A_SET = 20.0  # keeps a set of modules near what holds for all

WEIGHTS = Path(evaluation.__file__).with_name("weights.json")

FIRST_OF_MODULES: Mapping[str, Any] = {
    "eras": [
        {"centre": 97, "edge": 79, "corner": 62, "held": 41},
        {"centre": 84, "edge": 64, "corner": 66, "held": 19},
        {"centre": 37, "edge": 14, "corner": 8, "held": 102},
    ],
    "supply": [-188, -84, 3, 91, 177],
    "statue": 60,
    "hat": 20,
    "to_move": 11,
}
"""A fit to games of another program, and by hand what things of modules are worth."""

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
    games: Annotated[int, typer.Option(min=1, help="Of each set.")] = 300,
    nodes: Annotated[int, typer.Option(min=1, help="Of a turn.")] = 60,
    out: Annotated[Path, typer.Option("--out", help="Where all weights are written.")] = WEIGHTS,
    seed: Annotated[int, typer.Option()] = 500_000,
) -> None:
    """Play, learn, and write the weights beside those that stay as they are."""
    every = json.loads(out.read_text("utf-8"))
    played = {each: observe(each, games, nodes, seed) for each in range(1, 8)}
    for each, fitted in fit_sets(played, as_fitted(FIRST_OF_MODULES)).items():
        made = (
            f"logistic regression on {sum(map(len, played[each]))} positions of {games} games of "
            f"{nodes} nodes a turn, near those of all sets, seed {seed}"
        )
        every[format_modules(each)] |= {"made": made, **as_weights(fitted)}
    write(every, out)


def write(every: Mapping[str, Any], out: Path) -> None:
    """Write the weights of all sets, each list of numbers in a line."""
    text = json.dumps(every, indent=1)
    out.write_text(
        re.sub(r"\n *(-?\d+,?)(?:\n *(?=\]))?", r" \1", text).replace("[ ", "[") + "\n", "utf-8"
    )


def observe(modules: int, games: int, nodes: int, seed: int) -> list[list[Seen]]:
    """Play so many games, on all processors, and return the positions of each."""
    with ProcessPoolExecutor() as pool:
        seeds = range(seed, seed + games)
        return list(pool.map(_play, repeat(modules), repeat(nodes), seeds, chunksize=4))


def _play(modules: int, nodes: int, seed: int) -> list[Seen]:
    rng = random.Random(seed)
    rules = ModuleGame(0, Evaluation(FIRST_OF_MODULES), boards_evaluation())
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
        Seen(
            differences(state),
            0.5 if winner == NOBODY else float(winner == layout.mover(state)),
            known=boards_evaluation().worth(of_state(state)) / _POINTS,
        )
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


def fit_sets(
    played: Mapping[int, Sequence[Sequence[Seen]]], shape: Sequence[float]
) -> dict[int, list[float]]:
    """Return the weights of each set of modules, which scale PARTS of a shape.

    `played` are the positions of its games.
    """
    seen = {
        modules: [
            Seen(
                tuple(sum(shape[at] * each.row[at] for at in part) for part in PARTS),
                each.won,
                _OF_A_GAME / len(game),
                each.known,
            )
            for game in games
            for each in game
        ]
        for modules, games in played.items()
    }
    of_all = fit([each for some in seen.values() for each in some], [1.0] * len(PARTS))
    return {
        modules: _scaled(shape, fit(some, of_all, _RIDGE_OF_A_SET))
        for modules, some in seen.items()
    }


def _scaled(shape: Sequence[float], factors: Sequence[float]) -> list[float]:
    weights = [0.0] * len(shape)
    for factor, part in zip(factors, PARTS, strict=True):
        for at in part:
            weights[at] = shape[at] * factor
    return weights


def fit(seen: Sequence[Seen], first: Sequence[float], ridge: float = _RIDGE) -> list[float]:
    """Return the weights of a logistic regression, by Newton's method.

    They stay near `first` where few positions say otherwise; `ridge` is how much that counts.
    """
    rows, won, counts, known = (np.array(each) for each in zip(*seen, strict=True))
    start = np.array(first)
    weights = start

    def cost(weights: NDArray[np.float64]) -> float:
        return float(
            ridge / 2 * ((weights - start) ** 2).sum() + counts.sum() * loss(weights, seen)
        )

    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-rows @ weights - known))
        slope = ridge * (start - weights) + (counts * (won - chance)) @ rows
        sure = counts * chance * (1 - chance)
        step = np.linalg.solve(ridge * np.eye(len(start)) + rows.T * sure @ rows, slope)
        while abs(step).max() >= _STILL:
            if cost(weights + step) < cost(weights):
                weights = weights + step
                break
            step = step / 2  # too far: the curve is steeper there
        else:
            break
    found: list[float] = weights.tolist()
    return found


def loss(weights: Sequence[float] | NDArray[np.float64], seen: Sequence[Seen]) -> float:
    """Return how surprising the results are, in nats for each observation."""
    rows, won, counts, known = (np.array(each) for each in zip(*seen, strict=True))
    chance = np.clip(1 / (1 + np.exp(-rows @ np.array(weights) - known)), 1e-9, 1 - 1e-9)
    surprise = won * np.log(chance) + (1 - won) * np.log(1 - chance)
    return -float(np.average(surprise, weights=counts))


def as_weights(fitted: Sequence[float]) -> dict[str, Any]:
    """Return what `Evaluation` reads, in points."""
    points = [round(_POINTS * weight) for weight in fitted]
    count = len(FEATURES)
    eras = [dict(zip(FEATURES, points[count * era :], strict=False)) for era in range(3)]
    *supply, statue, hat, to_move = points[3 * count :]
    return {"eras": eras, "supply": supply, "statue": statue, "hat": hat, "to_move": to_move}


def as_fitted(weights: Mapping[str, Any]) -> list[float]:
    """Return what `as_weights` makes these weights of."""
    points = [era[name] for era in weights["eras"] for name in FEATURES]
    points += [*weights["supply"], weights["statue"], weights["hat"], weights["to_move"]]
    return [point / _POINTS for point in points]


if __name__ == "__main__":
    app()
