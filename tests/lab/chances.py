"""`python -m tests.lab.chances`: fit how likely a player wins who stands so well.

Games are played by a level that overlooks turns, as people do; what the search finds in each
position is one observation of who won. The chance is a logistic curve through one half at the
value 0, so there is one number to fit: how many points multiply the odds by e. The same seed gives
the same number. It is kept with the weights that the values come from.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import Annotated

import typer

from chronotable_host.engine import evaluation
from chronotable_host.engine.levels import LevelPlayer, rules_of
from chronotable_host.engine.match import LONGEST, OPENING, opening
from chronotable_host.engine.search import SOON, Limits, Search
from chronotable_host.rules.notation import format_modules
from ttykm.game import Game
from ttykm.layout import NOBODY

Observation = tuple[int, float]
"""What the search found for the player to move, and 1, 0 or 0.5 for how it ended for that one."""

WEIGHTS = Path(evaluation.__file__).with_name("weights.json")
_LEVEL = 5  # overlooks one turn in five
_LEAST, _MOST = 20.0, 2000.0  # points

app = typer.Typer(add_completion=False)


@app.command()
def chances(
    modules: Annotated[list[int], typer.Argument(help="Sets of modules, as bits.")],
    games: Annotated[int, typer.Option(min=1)] = 400,
    nodes: Annotated[int, typer.Option(min=1, help="Of the search in each position.")] = 300,
    seed: Annotated[int, typer.Option()] = 0,
    out: Annotated[Path, typer.Option("--out", help="Where the weights are written.")] = WEIGHTS,
) -> None:
    """Play, fit, and write the number beside the weights."""
    for each in modules:
        with ProcessPoolExecutor() as pool:
            seeds = range(seed, seed + games)
            played = pool.map(observe, repeat(each), repeat(nodes), seeds, chunksize=4)
            seen = [position for game in played for position in game]
        points = fit(seen)
        every = json.loads(out.read_text("utf-8"))
        every[format_modules(each)]["chance"] = {
            "made": f"logistic regression on {len(seen)} positions of {games} games of level "
            f"{_LEVEL}, searched with {nodes} nodes, seed {seed}",
            "points": round(points),
        }
        out.write_text(json.dumps(every, indent=2) + "\n", "utf-8")
        print(format_modules(each), round(points), f"loss {loss(points, seen):.4f}", flush=True)


def observe(modules: int, nodes: int, seed: int) -> list[Observation]:
    """Play a game, and return what its undecided positions were worth to the player to move."""
    game = Game()
    game.start(opening(seed, modules, turns=OPENING))
    players = LevelPlayer(_LEVEL, 2 * seed), LevelPlayer(_LEVEL, 2 * seed + 1)
    rules = rules_of(game.state, 0)
    search = Search(rules)
    found: list[tuple[int, int]] = []
    while game.winner() == NOBODY and len(game.turns) < LONGEST:
        *_, thought = search.think(rules.node(game.state), Limits(nodes))
        if abs(thought.score) < SOON:
            found.append((game.mover, thought.score))
        game.apply(players[game.mover].choose(game))
    winner = game.winner()
    return [
        (score, 0.5 if winner == NOBODY else float(winner == player)) for player, score in found
    ]


def fit(seen: list[Observation]) -> float:
    """Return for how many points the results are the least surprising, to a tenth of one.

    The surprise has one lowest place; so an interval around it can be made smaller and smaller.
    """
    low, high = _LEAST, _MOST
    while high - low > 0.1:
        third = (high - low) / 3
        if loss(low + third, seen) < loss(high - third, seen):
            high -= third
        else:
            low += third
    return (low + high) / 2


def loss(points: float, seen: Iterable[Observation]) -> float:
    """Return how surprising the results are, in nats for each position."""
    total, count = 0.0, 0
    for value, won in seen:
        odds = value / points
        # log(1 + e^odds) without an overflow, less what the result gives
        total += max(odds, 0.0) + math.log1p(math.exp(-abs(odds))) - won * odds
        count += 1
    return total / count


if __name__ == "__main__":
    app()
