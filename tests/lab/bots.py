"""`python -m tests.lab.bots GAME`: how often each bot wins against the next weaker one.

One seat is the stronger bot's, all others the weaker one's; the seat goes round. A shared win
counts in parts, a game that nobody wins for nobody. There is a line every 50 games, so that one may
stop when it is clear. The last column is the longest decision, in
seconds of the processor, so that it is the same beside other work.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise, repeat
from math import sqrt
from random import Random
from typing import Annotated

import typer

from chronotable_night.games.bots import BOTS
from chronotable_night.games.interface import NOBODY
from chronotable_night.games.shelf import kinds

app = typer.Typer(add_completion=False)

_A_LINE = 50
"""Games between two lines."""


@app.command()
def bots(
    name: Annotated[str, typer.Argument(metavar="GAME", help="The game's name.")],
    games: Annotated[int, typer.Option(min=2, help="Of each pair and number of players.")] = 400,
    players: Annotated[int, typer.Option(help="How many play; all numbers if left out.")] = 0,
    only: Annotated[str, typer.Option(help="One pair, as in 'sampling sensible'.")] = "",
    processes: Annotated[int, typer.Option(min=1, help="How many play at once.")] = (
        os.cpu_count() or 1
    ),
) -> None:
    """Play the games of each pair and number of players, and print how they stand."""
    kind = kinds()[name]
    pairs = [tuple(only.split())] if only else [(b, a) for a, b in pairwise(BOTS)]
    with ProcessPoolExecutor(processes) as pool:
        for count in [players] if players else kind.players:
            for stronger, weaker in pairs:
                who = f"{name} {count} players: {stronger} against {weaker}"
                asked = repeat(name), repeat(count), repeat(stronger), repeat(weaker)
                results = pool.map(_game, *asked, range(games), chunksize=2)
                _report(who, count, games, results)


def _report(
    who: str, players: int, games: int, results: Iterable[tuple[float, bool, float]]
) -> None:
    share = ended = longest = 0.0
    for played, (won, someone, seconds) in enumerate(results, 1):
        share += (won - share) / played
        ended += (someone - ended) / played
        longest = max(longest, seconds)
        if played % _A_LINE == 0 or played == games:
            error = 1.96 * sqrt(share * (1 - share) / played)
            print(
                f"{who}: {share:.3f} +- {error:.3f} (fair {ended / players:.3f}) in "
                f"{played} games, {longest:.2f} s",
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
