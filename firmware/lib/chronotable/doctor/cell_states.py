"""The state of each cell, by number: which sensor a cell belongs to is not known yet.

And a press that says "it does not answer", although the buttons are not examined yet.
"""

from ttykm.mp import const

CELLS = const(64)

# each edge of a cell fills its bucket by one, each 128 ms empty it by one: no hand is that quick
_LEAK = const(7)
_FLICKER = const(8)

_SHORT_MS = const(600)  # a magnet lies longer than a button is pressed
_APART_MS = const(300)  # a reed that opens under its magnet closes sooner again


class CellStates:
    """What each cell says; edges of restless ones are not told."""

    def __init__(self) -> None:
        self.closed = bytearray(CELLS)
        self.restless = bytearray(CELLS)  # it flickers
        self.held = bytearray(CELLS)  # it stays closed and should not
        self.since = [0] * CELLS  # the time of the last edge, in ms
        self.edges: list[tuple[int, bool, int]] = []
        self._levels = bytearray(CELLS)

    def edge(self, cell: int, closed: bool, at_ms: int) -> bool:
        """Take a debounced edge; return False for one of a restless cell."""
        level = max(0, self._levels[cell] - (at_ms - self.since[cell] >> _LEAK)) + 1
        self._levels[cell] = min(level, 2 * _FLICKER)
        self.since[cell] = at_ms
        self.closed[cell] = closed
        self.held[cell] = 0
        if level >= _FLICKER:
            self.restless[cell] = 1
        if self.restless[cell]:
            return False
        self.edges.append((cell, closed, at_ms))
        return True

    def take(self) -> "list[tuple[int, bool, int]]":
        """Return the edges (cell, closed, time in ms) since the last call."""
        edges, self.edges = self.edges, []
        return edges

    def hold(self) -> None:
        """Note as `held` what is closed now, when all magnets should be off."""
        for cell in range(CELLS):
            self.held[cell] = self.closed[cell] and not self.restless[cell]


class Press:
    """One press of a cell that the file has for a button, as brief as no magnet closes one."""

    def __init__(self) -> None:
        self._cell = -1
        self._closed_ms = self._opened_ms = 0
        self._is_first = self._is_done = False

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
