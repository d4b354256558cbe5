"""The positions of a game, as the search and the protocol want them."""

from __future__ import annotations

from array import array

from ttykm.game import Game


def states_of(game: Game) -> list[array[int]]:
    """Return all states of a game, the present one at the end."""
    words = len(game.state)
    return [game.past[at : at + words] for at in range(0, len(game.past), words)] + [game.state]


def start_of(game: Game) -> array[int]:
    """Return the state that a game began with."""
    return states_of(game)[0]
