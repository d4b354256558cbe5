"""The watchdog of a virtual Pico: its countdown and its scratch registers, as machine has them."""

from __future__ import annotations

from collections.abc import Callable

from chronotable.rp2040 import WATCHDOG_CTRL_CLEAR, WATCHDOG_ENABLE, WATCHDOG_SCRATCH_0

LONGEST_MS = 8388

_SCRATCH = range(WATCHDOG_SCRATCH_0, WATCHDOG_SCRATCH_0 + 16, 4)  # 0 to 3; the SDK has the others


class Watchdog:
    """Counts in table time (`clock`, in µs); `bite_us` is when the chip resets, None for never.

    A new one is what a power-on leaves. As on the emulated chip it counts on after its bite.
    """

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._timeout_ms = LONGEST_MS
        self._scratch = dict.fromkeys(_SCRATCH, 0)
        self.bite_us: int | None = None

    def start(self, timeout_ms: int) -> None:
        """Begin to count, or begin anew with another time; raises ValueError as machine does."""
        if not 1 <= timeout_ms <= LONGEST_MS:
            raise ValueError(f"timeout exceeds {LONGEST_MS}")
        self._timeout_ms = timeout_ms
        self.feed()

    def feed(self) -> None:
        """Count from the top again."""
        self.bite_us = self._clock() + self._timeout_ms * 1000

    def __getitem__(self, address: int) -> int:
        """Read what `machine.mem32` has there; raises NotImplementedError elsewhere."""
        if address not in self._scratch:
            raise NotImplementedError(f"register {address:#x} cannot be read on the virtual table")
        return self._scratch[address]

    def __setitem__(self, address: int, value: int) -> None:
        """Write through `machine.mem32`; raises NotImplementedError elsewhere."""
        if address in self._scratch:
            self._scratch[address] = value & 0xFFFFFFFF
        elif address == WATCHDOG_CTRL_CLEAR:
            if value & WATCHDOG_ENABLE:
                self.bite_us = None
        else:
            raise NotImplementedError(
                f"register {address:#x} cannot be written on the virtual table"
            )
