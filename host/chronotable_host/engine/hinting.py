"""What a hint is: the turn that the strongest level would make, told in two steps.

Who asks first hears which copy acts, who asks again in the same turn the whole turn. The strongest
level overlooks nothing and looks at so many positions, so the same position has the same hint on
every computer.
"""

from __future__ import annotations

from chronotable_host.engine.levels import LEVELS
from chronotable_host.engine.thinkers import LEVEL_NAMES, Thinker, parse_program, program_of

COPY, TURN = 1, 2
"""The steps of a hint: which copy, the whole turn."""

LEVEL = len(LEVELS)
"""The level that thinks of them, the strongest."""

_SEED = 0  # the level that overlooks nothing never draws


def adviser() -> Thinker:
    """Return who thinks of the turns that hints tell, in a process of its own."""
    return program_of(parse_program(LEVEL_NAMES[LEVEL - 1]), _SEED)
