"""Sensors with two outputs: besides where a magnet is, which pole it has up, debounced alike.

White's magnets have their north pole up, black's the south pole. Loaded on a board with sensors of
polarity only.
"""

from chronotable.hardware.debounce import ROWS, Debouncer, debounce

if False:
    from array import array
    from collections.abc import Callable


class PoleDebouncer(Debouncer):
    """The debouncer of where magnets are, with one for north poles and one for south poles.

    `feel` is told of each change of a pole (cell, player, whether it is felt) before `next_edge`
    returns the edge that it goes with. `read_all` is the scan's, into 24 bytes.
    """

    def __init__(
        self,
        samples: int,
        read_all: "Callable[[bytearray, array[int]], int]",
        feel: "Callable[[int, int, bool], None] | None",
    ) -> None:
        super().__init__(samples)
        self._read_all = read_all
        self._feel = feel
        self._cells = bytearray(3 * ROWS)
        self._poles = (Debouncer(samples), Debouncer(samples))
        cells = memoryview(self._cells)
        self.raw = cells[:ROWS]  # type: ignore[assignment]
        for player in range(2):
            at = (player + 1) * ROWS
            self._poles[player].raw = cells[at : at + ROWS]  # type: ignore[assignment]

    def read(self, _raw: bytearray, lines: "array[int]") -> int:
        """Read all chips, and note which poles are felt: before the edge that they go with."""
        self._read_all(self._cells, lines)
        for pole in self._poles:
            debounce(pole.raw, pole.memory, pole.ring, self.samples)
        return 0

    def next_edge(self) -> int:
        """Return what `Debouncer.next_edge` does."""
        edge = Debouncer.next_edge(self)
        for player in range(2):
            ring = self._poles[player].ring
            if ring[0] == ring[1] and not ring[3]:  # as a rule, and this is in the way of light
                continue
            change = self._poles[player].next_edge()
            while change >= 0:
                if self._feel is not None:
                    self._feel(change & 63, player, change & 64 != 0)
                change = self._poles[player].next_edge()
        return edge
