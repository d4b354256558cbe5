"""`python -m tests.lab.ladder`: how much stronger each level is than the one below it.

Level 1 plays against chance, each other level against the one below; openings are random, each is
played with both colours. The last lines are the strongest level against chance, and it and the
table's own levels against the built-in player as it was before there was a search. `nodes:120` is
the strongest level with so many nodes, `counting:120` the same with an evaluation that only counts
copies. What a turn takes is processor time, of turns in this
process; an engine's own process is not seen.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from itertools import repeat
from random import Random
from time import process_time
from typing import Annotated, NamedTuple

import typer

from chronotable.player.seats import LEVELS
from chronotable_host.engine.levels import LEVELS as STRENGTHS
from chronotable_host.engine.levels import LevelPlayer
from chronotable_host.engine.match import Choose, Score, opening, play_as
from chronotable_host.engine.thinkers import LEVEL_NAMES, RANDOM, chooser_of
from chronotable_host.live.players.seats import parse_seat
from tests.lab.counting import CountingPlayer
from tests.lab.players import LookaheadPlayer, OwnPlayer
from ttykm.game import Game
from ttykm.layout import BLACK, WHITE

FORMER = "former"
"""The name of `LookaheadPlayer` here."""
OWN = {"easy": 1, "medium": 2, "strong": 3}
"""The names of the levels that the table itself plays."""

BY_NODES = {"nodes": LevelPlayer, "counting": CountingPlayer}

app = typer.Typer(add_completion=False)


class Played(NamedTuple):
    """Who won a game, the side of the first player, and the milliseconds of each one's turns."""

    winner: int
    side: int
    ms: tuple[list[float], list[float]]


@app.command()
def ladder(
    games: Annotated[int, typer.Option(min=2, help="Of each match.")] = 200,
    seed: Annotated[int, typer.Option()] = 0,
    modules: Annotated[int, typer.Option(help="Bits of a set of modules.")] = 0,
    only: Annotated[str, typer.Option(help="One match, as in 'level:8 former'.")] = "",
    processes: Annotated[int | None, typer.Option(help="As many as there are processors.")] = None,
) -> None:
    """Play the matches and print a line for each."""
    names = [RANDOM, *LEVEL_NAMES]
    matches = [*zip(names[1:], names, strict=False), (names[-1], RANDOM)]
    matches += [(name, FORMER) for name in (names[-1], *OWN)]
    if only:
        first, second = only.split()
        matches = [(first, second)]
    with ProcessPoolExecutor(processes) as pool:
        for first, second in matches:
            numbers = range(seed, seed + games)
            score = Score()
            ms: tuple[list[float], list[float]] = [], []
            for played in pool.map(
                _game, repeat(first), repeat(second), numbers, repeat(modules), chunksize=2
            ):
                score = score.plus(played.winner, played.side)
                for all_of_one, turns in zip(ms, played.ms, strict=True):
                    all_of_one.extend(turns)
            low, middle, high = score.elo()
            print(
                f"{first:8} {second:8} {score.won:4} won {score.drawn:3} drawn {score.lost:4} lost"
                f"   Elo {middle:+5.0f} ({low:+.0f} to {high:+.0f})"
                f"   {' and '.join(f'{sum(each) / len(each):.0f}' for each in ms)} ms a turn",
                flush=True,
            )


def _game(first: str, second: str, number: int, modules: int) -> Played:
    """Play a game."""
    side = (WHITE, BLACK)[number % 2]
    ms: tuple[list[float], list[float]] = [], []
    with _player(first, number) as one, _player(second, number) as other:
        players = _timed(one, ms[0]), _timed(other, ms[1])
        return Played(*play_as(side, *players, opening(number // 2, modules)), ms)


def _timed(choose: Choose, ms: list[float]) -> Choose:
    def timed(game: Game) -> int:
        begun = process_time()
        turn = choose(game)
        ms.append(1000 * (process_time() - begun))
        return turn

    return timed


def _player(name: str, seed: int) -> AbstractContextManager[Choose]:
    if name == FORMER:
        player = LookaheadPlayer(Random(seed))
        return nullcontext(lambda game: player(game) or 0)
    if name in OWN:
        return nullcontext(OwnPlayer(LEVELS[OWN[name]], seed))
    kind, _, nodes_text = name.partition(":")
    if kind in BY_NODES:
        nodes = int(nodes_text)
        strongest = BY_NODES[kind](len(STRENGTHS), seed)
        strongest.level = strongest.level._replace(nodes=nodes, nodes_with_modules=nodes)
        return nullcontext(strongest.choose)
    return chooser_of(parse_seat(name), seed)


if __name__ == "__main__":
    app()
