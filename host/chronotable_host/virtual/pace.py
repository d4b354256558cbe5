"""Real time for a virtual table that people play at.

One rule: a table that falls far behind, because the computer slept or is too slow, does not run
faster to catch up; its time goes on from there.
"""

from __future__ import annotations

import time
from collections.abc import Callable

_MOST_BEHIND_MS = 250.0


class Pace:
    """Tells what time it is to be at a table whose time is `now_ms` at the beginning."""

    def __init__(self, now_ms: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._zero_ms = clock() * 1000 - now_ms

    def due_ms(self, now_ms: float) -> float:
        """Return the table time to run to; `now_ms` is the table time it is."""
        due_ms = self._clock() * 1000 - self._zero_ms
        if due_ms - now_ms > _MOST_BEHIND_MS:
            self._zero_ms += due_ms - now_ms - _MOST_BEHIND_MS
            due_ms = now_ms + _MOST_BEHIND_MS
        return due_ms
