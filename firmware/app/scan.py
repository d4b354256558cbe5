"""The scan: reeds and buttons, all of them every few milliseconds from a hard timer interrupt."""

from time import ticks_diff, ticks_us

from machine import Timer

from chronotable.hardware.debounce import Debouncer, debounce

if False:
    from array import array
    from collections.abc import Callable

    from chronotable.hardware.wiring import Board


class Scanner:
    """Scans every `scan_ms` from `start` on; `debouncer` has the edges, `slowest_us` a figure.

    `feel` hears of poles, on a board that has sensors for them (hardware/poles.py).
    """

    def __init__(
        self, board: "Board", feel: "Callable[[int, int, bool], None] | None" = None
    ) -> None:
        # only what the board has is loaded; bound once: nothing may be allocated in the interrupt
        self._read: Callable[[bytearray, array[int]], int]
        if board.register_pins:
            import registers

            self._read = registers.read
            self._lines = registers.lines_of(board.register_pins, board.settle_us, board.sensor)
        else:
            import matrix

            self._read = matrix.read
            self._lines = matrix.lines_of((board.row_pins, board.col_pins), board.settle_us)
        samples = board.debounce_ms // board.scan_ms + 1
        if board.sensor == "polarity":
            from chronotable.hardware.poles import PoleDebouncer

            poles = PoleDebouncer(samples, self._read, feel)
            self.debouncer: Debouncer = poles
            self._read = poles.read
        else:
            self.debouncer = Debouncer(samples)
        self.slowest_us = 0
        self._timer = Timer(-1)  # kept: an unreferenced timer is collected and stops
        self._period_ms = board.scan_ms
        self._raw = self.debouncer.raw
        self._memory = self.debouncer.memory
        self._ring = self.debouncer.ring
        self._samples = self.debouncer.samples

    def start(self) -> None:
        """Begin to scan."""
        self._timer.init(
            mode=Timer.PERIODIC, period=self._period_ms, hard=True, callback=self._scan
        )

    def _scan(self, _timer: Timer) -> None:
        begun = ticks_us()
        self._read(self._raw, self._lines)
        debounce(self._raw, self._memory, self._ring, self._samples)
        took = ticks_diff(ticks_us(), begun)
        if took > self.slowest_us:
            self.slowest_us = took
