"""A desk at a virtual table, whose time passes as fast as it is asked to."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from chronotable_host.live.desk import Desk
from chronotable_host.virtual.table import CPYTHON, VirtualTable, settings_for


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

    @property
    def now_ms(self) -> int:
        """Table time."""
        return int(self.table.now_ms)

    def run_until(self, t_ms: float) -> None:
        """Have table time pass, then do what is due."""
        self.table.run_until(t_ms)
        self.step()
