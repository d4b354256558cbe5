"""Who plays which side at a virtual table, as it is typed: you, or a built-in player."""

from __future__ import annotations

from chronotable_host.errors import UserError

ME = "me"
THINKING = "thinking"
RANDOM = "random"
NAMES = (THINKING, RANDOM, ME)


def seat(name: str | None, default: str) -> str:
    """Return who plays a side; raises UserError for a name that is none of the players'."""
    if name is None or name in NAMES:
        return name or default
    known = f"{', '.join(NAMES[:-1])} or {NAMES[-1]}"
    raise UserError(f"'{name}' plays no side here; a side is played by {known}")
