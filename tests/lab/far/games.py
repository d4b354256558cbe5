"""Whole games far apart by hands on both sides, with whatever can go wrong on the way.

Every fault comes of one seeded source: lines to the broker are cut, messages lost and doubled, the
broker restarts and forgets, programs are killed and started again, tables lose their power, players
take turns back and are answered. What has to come out of it is one game, the same at both ends.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from chronotable_host.errors import UserError
from tests.lab.far.end import End

_PLAYERS_LEFT = 60  # turns after which a game by chance is given up


class Pair(NamedTuple):
    """Both ends, and what is common to them: `wait` has time pass at both."""

    ends: tuple[End, End]
    wait: Callable[[int], None]
    faults: tuple[tuple[float, Callable[[Random, End], None]], ...] = ()
    """Each with its probability, at each look, for one of the ends."""
