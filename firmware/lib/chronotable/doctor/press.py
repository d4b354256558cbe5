"""Saying "it does not answer" with a button, although the buttons are not examined yet.

Any cell counts that the board file has for a button, if it closes as briefly as no magnet does.
"""

from ttykm.mp import const

_SHORT_MS = const(600)  # a magnet lies longer
_APART_MS = const(300)  # a reed that opens under its magnet closes sooner again


class Press:
    """One short press of a cell that the file has for a button, since the last question."""

    def __init__(self) -> None:
        self._cell = -1
        self._closed_ms = 0
        self._opened_ms = 0
        self._is_first = False
        self._is_done = False

    def edge(self, cell: int, closed: bool, at_ms: int) -> None:
        """Take an edge of such a cell."""
        if closed:
            self._is_first = cell != self._cell or at_ms - self._opened_ms >= _APART_MS
            self._is_done = False
            self._cell, self._closed_ms = cell, at_ms
        elif cell == self._cell:
            self._is_done = self._is_first and at_ms - self._closed_ms <= _SHORT_MS
            self._opened_ms = at_ms

    def is_over(self, now_ms: int) -> bool:
        """Tell whether a short press is complete: the cell is open for long enough since."""
        return self._is_done and now_ms - self._opened_ms >= _APART_MS
