"""`python -m tests.lab.bots GAME`: how often each bot wins against the next weaker one.

One seat is the stronger bot's, all others the weaker one's; the seat goes round. A shared win
counts in parts, a game that nobody wins for nobody. The last column is the longest decision, in
seconds of the processor, so that it is the same beside other work.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise, repeat
from math import sqrt
from random import Random
from typing import Annotated

import typer

from chronotable_host.games.bots import BOTS
from chronotable_host.games.interface import NOBODY
from chronotable_host.games.shelf import kinds

app = typer.Typer(add_completion=False)


@app.command()
def bots(
    name: Annotated[str, typer.Argument(metavar="GAME", help="The game's name.")],
    games: Annotated[int, typer.Option(min=2, help="Of each pair and number of players.")] = 400,
    players: Annotated[int, typer.Option(help="How many play; all numbers if left out.")] = 0,
    only: Annotated[str, typer.Option(help="One pair, as in 'sampling sensible'.")] = "",
) -> None:
    """Play the games and print a line for each pair and number of players."""
    kind = kinds()[name]
    pairs = [tuple(only.split())] if only else [(b, a) for a, b in pairwise(BOTS)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for count in [players] if players else kind.players:
            for stronger, weaker in pairs:
                results = list(
                    pool.map(
                        _game,
                        repeat(name),
                        repeat(count),
                        repeat(stronger),
                        repeat(weaker),
                        range(games),
                        chunksize=2,
                    )
                )
                share = sum(won for won, _, _ in results) / games
                ended = sum(someone for _, someone, _ in results)
                error = 1.96 * sqrt(share * (1 - share) / games)
                longest = max(seconds for _, _, seconds in results)
                print(
                    f"{name} {count} players: {stronger} {share:.3f} +- {error:.3f} against "
                    f"{weaker} (fair {ended / games / count:.3f}), {longest:.2f} s",
                    flush=True,
                )


def _game(
    name: str, players: int, stronger: str, weaker: str, seed: int
) -> tuple[float, bool, float]:
    """Return the stronger bot's part of the win, whether anybody won, its longest decision."""
    kind = kinds()[name]
    game = kind.game()
    chance = Random(seed)
    options = {option.name: chance.choice(list(option.values)) for option in kind.options}
    state = game.new(chance.getrandbits(64), players, options)
    own, longest = seed % players, 0.0
    while (seat := game.to_decide(state)) != NOBODY:
        bot = BOTS[stronger if seat == own else weaker]
        begun = time.process_time()
        action = bot(game, game.view(state, seat), seat, chance)
        if seat == own:
            longest = max(longest, time.process_time() - begun)
        state = game.apply(state, seat, action)
    outcome = game.outcome(state)
    winners = [] if outcome is None else list(outcome.winners)
    return (1 / len(winners) if own in winners else 0.0), bool(winners), longest


if __name__ == "__main__":
    app()
