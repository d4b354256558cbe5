"""The built-in players, by the names that `seats` knows."""

from __future__ import annotations

from random import Random

from chronotable_host.ai.lookahead import LookaheadPlayer
from chronotable_host.commands.seats import RANDOM
from chronotable_host.virtual.play import Player, random_player


def built_in(name: str, rng: Random) -> Player:
    """Return the built-in player of a name."""
    return random_player(rng) if name == RANDOM else LookaheadPlayer(rng)
