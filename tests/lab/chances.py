"""`python -m tests.lab.chances`: fit how likely a player wins who stands so well.

Games are played by one that overlooks a turn in five, as people do; what the search finds in each
position is one observation of who won. The chance is a logistic curve through one half at the
value 0, so there is one number to fit: how many points multiply the odds by e. The same seed gives
the same number. It is kept with the weights that the values come from.
"""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import Annotated

import typer

from chronotable_host.engine.levels import Level, LevelPlayer, rules_of
from chronotable_host.engine.match import LONGEST, OPENING, opening
from chronotable_host.engine.search import SOON, Limits, Search
from chronotable_host.rules.notation import format_modules
from tests.lab.learning import WEIGHTS, Seen, fit, loss, write
from ttykm.game import Game
from ttykm.layout import NOBODY

_POINTS = 100.0  # of one in the regression's unit
_PERSON = Level(300, 50, overlooks=0.2)  # no level that is chosen: those may be tuned

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
        (weight,) = weights = fit(seen, [0.0], ridge=0.0)
        points = _POINTS / weight
        every = json.loads(out.read_text("utf-8"))
        every[format_modules(each)]["chance"] = {
            "made": f"logistic regression on {len(seen)} positions of {games} games with a turn in "
            f"five overlooked, searched with {nodes} nodes, seed {seed}",
            "points": round(points),
        }
        write(every, out)
        print(format_modules(each), round(points), f"loss {loss(weights, seen):.4f}", flush=True)


def observe(modules: int, nodes: int, seed: int) -> list[Seen]:
    """Play a game, and return what its undecided positions were worth to the player to move."""
    game = Game()
    game.start(opening(seed, modules, turns=OPENING))
    players = LevelPlayer(_PERSON, 2 * seed), LevelPlayer(_PERSON, 2 * seed + 1)
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
        Seen((score / _POINTS,), 0.5 if winner == NOBODY else float(winner == player))
        for player, score in found
    ]


if __name__ == "__main__":
    app()
