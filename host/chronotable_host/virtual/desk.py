"""A desk at a virtual table, whose time passes as fast as it is asked to, or as people's does.

One rule: a table that falls far behind, because the computer slept or is too slow, does not run
faster to catch up; its time goes on from there.
"""

import time
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.live.desk import Desk
from chronotable_host.virtual.table import CPYTHON, VirtualTable, settings_for

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


class VirtualDesk(Desk):
    """Has a virtual table, once it is switched on."""

    table: VirtualTable

    def switch_on(
        self,
        board: str,
        rng: Random,
        settings: Mapping[str, object] | None = None,
        runtime: str = CPYTHON,
        **how: Any,
    ) -> VirtualTable:
        """Switch a table on that has the desk's start, as `open_runtime` says."""
        own = {**settings_for(self.start, self.options), **(settings or {})}
        table = VirtualTable.of(board, rng, runtime, settings=own, **how)
        self.callback(table.close)
        return self.attach(table)

    def attach(self, table: VirtualTable) -> VirtualTable:
        """Have a table that is on already, in the place of who had it before."""
        self.table = table
        table.attach(self.session)
        return table

    def check_answered(self) -> None:
        """Raise UserError where the firmware sent text but no HELLO: it failed at its start."""
        logs = self.mirror.table.logs
        if self.mirror.table.peer is None and logs:
            said = next((line for line in logs if "needs MicroPython" in line), logs[-1])
            raise UserError(tr("the firmware does not run there; it says: {said}", said=said))

    @property
    def now_ms(self) -> int:
        """Table time."""
        return int(self.table.now_ms)

    def run_until(self, t_ms: float) -> None:
        """Have table time pass, then do what is due."""
        self.table.run_until(t_ms)
        self.step()
