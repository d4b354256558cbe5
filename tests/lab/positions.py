"""Positions to measure with: from random games by seed, so that figures can be compared."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from random import Random

from ttykm import layout, objects
from ttykm.game import Game
from ttykm.layout import NOBODY
from ttykm.objects import ALL_MODULES
from ttykm.turns import TurnTree

_MOST_TURNS = 80
_MIDDLE = 6  # turns after which a game counts as in its middle


def random_game(seed: int, most_turns: int = _MOST_TURNS, start: array[int] | None = None) -> Game:
    """Return a game of two random players, finished unless it has so many turns.

    It begins at `start`, a state of any set of modules: by default that of the standard game.
    """
    rng = Random(seed)
    game = Game()
    if start is not None:
        game.start(start)
    while game.winner() == NOBODY and len(game.turns) < most_turns:
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
    """Return positions of every stage of random games.

    A quarter have the largest turn trees among 50 times as many; one is built for it.
    """
    tree = TurnTree()
    found = _largest_and_others(count - 1, count, (0,), lambda state: _records(tree, state))
    return [*found, _crowded(tree)]


def sample_with_modules(count: int) -> list[array[int]]:
    """Return positions of every stage of random games with each set of modules.

    A quarter have the most first actions among 50 times as many.
    """
    tree = TurnTree()
    sets = range(1, ALL_MODULES + 1)
    return _largest_and_others(count, count, sets, lambda state: _first_actions(tree, state))


def _largest_and_others(
    wanted: int, count: int, sets: Sequence[int], size: Callable[[array[int]], int]
) -> list[array[int]]:
    """Return so many positions of games with some sets of modules, the largest quarter first."""
    pool: list[array[int]] = []
    seed = 0
    while len(pool) < max(50 * count, 1000):
        for modules in sets:
            start = objects.new_state(modules, seed % 2) if modules else None
            game = random_game(seed, start=start)
            while game.turns:
                game.undo()
                pool.append(array("H", game.state))
        seed += 1
    by_size = sorted(range(len(pool)), key=lambda index: -size(pool[index]))
    large = by_size[: (wanted + 3) // 4]
    rest = Random(count).sample(by_size[len(large) :], wanted - len(large))
    return [pool[index] for index in large + rest]


def _first_actions(tree: TurnTree, state: array[int]) -> int:
    tree.build(state, whole=False)
    return tree.seconds - tree.firsts


def _records(tree: TurnTree, state: array[int]) -> int:
    tree.build(state)
    return tree.end


def _crowded(tree: TurnTree) -> array[int]:
    """Return a position that games can have, with as many records as a short search finds."""
    rng = Random(0)
    best = layout.new_state()
    meta = layout.pack_meta(1, 0, layout.PRESENT, layout.FUTURE, layout.WHITE)
    for _ in range(300):
        white = rng.sample(range(16), 5)
        black = rng.sample([space for space in range(16) if space not in white], 2)
        masks = [1 << 5, sum(1 << space for space in white), 0]
        masks += [1 << 10, sum(1 << space for space in black), 0x8421]
        state = array("H", [*masks, meta])
        if _records(tree, state) > _records(tree, best):
            best = state
    return best


def game_at(state: array[int]) -> Game:
    game = Game()
    game.start(state)
    return game
