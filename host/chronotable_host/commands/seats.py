"""Who plays which side at a virtual table, as it is typed: you, or a built-in player."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from chronotable_host.errors import UserError

if TYPE_CHECKING:
    from chronotable_host.virtual.play import Player

ME = "me"
THINKING = "thinking"
RANDOM = "random"
NAMES = (THINKING, RANDOM, ME)


def seat(name: str | None, default: str) -> str:
    """Return who plays a side; raises UserError where nobody is called so."""
    if name is None or name in NAMES:
        return name or default
    known = f"{', '.join(NAMES[:-1])} or {NAMES[-1]}"
    raise UserError(f"'{name}' plays no side here; a side is played by {known}")


def built_in(name: str, rng: Random) -> Player:
    """Return the built-in player of a name."""
    from chronotable_host.ai.thinking import Thinker  # noqa: PLC0415
    from chronotable_host.virtual.play import random_player  # noqa: PLC0415

    return random_player(rng) if name == RANDOM else Thinker(rng)
