"""Positions to measure with: from random games by seed, so that figures can be compared."""

from __future__ import annotations

from array import array
from random import Random

from ttykm import layout
from ttykm.game import Game
from ttykm.layout import NOBODY
from ttykm.turns import TurnTable

_MOST_TURNS = 80
_MIDDLE = 6  # turns after which a game counts as in its middle


def random_game(seed: int) -> Game:
    """Return a finished game of two random players."""
    rng = Random(seed)
    game = Game()
    game.start(layout.new_state())
    while game.winner() == NOBODY and len(game.turns) < _MOST_TURNS:
        game.apply(rng.choice(list(game.legal_turns())))
    return game


def mid_game(count: int) -> list[array[int]]:
    """Return positions from the middle of random games, one per game and a few turns."""
    found: list[array[int]] = []
    seed = 0
    while len(found) < count:
        game = random_game(seed)
        seed += 1
        game.undo()
        while len(game.turns) >= _MIDDLE and len(found) < count:
            found.append(array("H", game.state))
            for _ in range(min(5, len(game.turns))):
                game.undo()
    return found


def sample(count: int) -> list[array[int]]:
    """Return positions of every stage, a quarter of them with the largest turn tables."""
    pool: list[array[int]] = []
    seed = 0
    while len(pool) < max(10 * count, 400):
        game = random_game(seed)
        seed += 1
        while game.turns:
            game.undo()
            pool.append(array("H", game.state))
    table = TurnTable()
    sizes: list[int] = []
    for state in pool:
        table.build(state)
        sizes.append(table.end)
    by_size = sorted(range(len(pool)), key=lambda index: -sizes[index])
    large = by_size[: (count + 3) // 4]
    rest = Random(count).sample(by_size[len(large) :], count - len(large))
    return [pool[index] for index in large + rest]
