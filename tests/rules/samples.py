"""Random positions: of the standard game, and crowded ones with objects."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tests.oracle.turns import Position
from tests.oracle.wild import wild_position
from ttykm import layout
from ttykm.game import Game
from ttykm.layout import META

MOST_SEEDS = 7  # of three bits in the engine's state, on the boards and in the supply together


def wild(rng: random.Random, modules: Iterable[str]) -> Position:
    """Return a random crowded position; some of its seeds are taken away."""
    position = wild_position(rng, modules)
    places = [(era, space) for era in range(3) for space in sorted(position.sown[era])]
    kept = rng.sample(places, min(len(places), rng.randint(0, MOST_SEEDS)))
    sown = tuple(frozenset(space for there, space in kept if there == era) for era in range(3))
    left = min(position.seeds, MOST_SEEDS - len(kept))
    return replace(position, sown=sown, seeds=left)


def random_states(seed: int, count: int) -> Iterator[array[int]]:
    """Yield states of random games, and random positions that no game reaches."""
    rng = random.Random(seed)
    for number in range(count):
        if number % 3 == 2:
            yield scattered(rng)
            continue
        game = Game()
        game.start(layout.new_state(rng.randrange(2), rng.randrange(3), rng.randrange(3)))
        for _ in range(rng.randrange(40)):
            turns = list(game.legal_turns())
            if not turns:
                break
            game.apply(rng.choice(turns))
        yield game.state


def scattered(rng: random.Random) -> array[int]:
    """Return a random position: up to seven copies a player, anywhere."""
    state = array("H", bytes(14))
    places = rng.sample(range(48), rng.randint(2, 14))
    for number, place in enumerate(places):
        state[3 * (number % 2) + place // 16] |= 1 << place % 16
    state[META] = layout.pack_meta(
        rng.randrange(5), rng.randrange(5), rng.randrange(3), rng.randrange(3), rng.randrange(2)
    )
    return state
