"""How likely a player is to win who stands so well.

A search's value says who stands better, in points; two points more matter little to who is winning
anyway. The chance of winning is what a turn can lose: one over one and e to the power of minus the
value over so many points. How many they are was fitted to games (`python -m tests.lab.chances`) and
stands with the weights.
"""

from __future__ import annotations

import math

from chronotable_host.engine.evaluation import weights_of
from chronotable_host.engine.search import SOON


def chance_of(value: int, modules: int) -> float:
    """Return how likely the player wins for whom a search found `value`, 0 to 1.

    `modules` is the set that is played, as bits; a proven win is certain.
    """
    if abs(value) > SOON:
        return float(value > 0)
    return 1 / (1 + math.exp(-value / float(weights_of(modules)["chance"]["points"])))
