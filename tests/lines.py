"""What happens at a table as the JSON objects that programs print of it: what tests look at."""

from __future__ import annotations

from collections.abc import Callable

from chronotable_host.live.happenings import Happening, JsonLine


def into(lines: list[JsonLine]) -> Callable[[Happening], None]:
    """Return what hears happenings and keeps their lines."""
    return lambda happening: lines.append(happening.line())
