"""`python -m tests.lab.ladder`: how much stronger each level is than the one below it.

Level 1 plays against chance, each other level against the one below; openings are random, each is
played with both colours. The last lines are the strongest level against chance, and the table's own
levels each against one of these. What a turn takes is processor time, of turns in this process; an
engine's own process is not seen.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from itertools import repeat
from time import process_time
from typing import Annotated, NamedTuple

import typer

from chronotable.player.search import Search
from chronotable.player.search_modules import ModuleSearch
from chronotable.player.seats import LEVELS
from chronotable_host.engine.match import Choose, Score, opening, play_as
from chronotable_host.engine.thinkers import LEVEL, LEVEL_NAMES, RANDOM, chooser_of
from chronotable_host.live.players.seats import parse_seat
from ttykm.game import Game
from ttykm.layout import BLACK, STATE_WORDS, WHITE

OWN = {"easy": 1, "medium": 2, "strong": 3}
"""The names of the levels that the table itself plays."""


class OwnPlayer:
    """Chooses turns at a level of `player/seats.py`; `looked` has how much each of them took."""

    def __init__(self, level: tuple[int, int, int], seed: int) -> None:
        self.looked: list[int] = []
        self._level = level
        self._seed = seed
        self._search: Search | ModuleSearch | None = None

    def __call__(self, game: Game) -> int:
        """Return a packed turn; nobody has won yet."""
        search = self._search
        if search is None:
            search = Search() if len(game.state) == STATE_WORDS else ModuleSearch()
            self._search = search
        search.begin(game, (self._seed * 7919 + len(game.turns) * 31) & 0xFFFFF, self._level)
        turn = -1
        while turn < 0:
            turn = search.step()
        self.looked.append(search.looked)
        return turn


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
    only: Annotated[str, typer.Option(help="One match, as in 'level:8 strong'.")] = "",
    processes: Annotated[int | None, typer.Option(help="As many as there are processors.")] = None,
) -> None:
    """Play the matches and print a line for each."""
    names = [RANDOM, *LEVEL_NAMES]
    matches = [*zip(names[1:], names, strict=False), (names[-1], RANDOM)]
    matches += [(name, f"{LEVEL}{3 + level}") for name, level in OWN.items()]
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
    if name in OWN:
        return nullcontext(OwnPlayer(LEVELS[OWN[name]], seed))
    return chooser_of(parse_seat(name), seed)


if __name__ == "__main__":
    app()
