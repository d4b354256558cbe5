"""A desk at a virtual table, whose time passes as fast as it is asked to."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from chronotable_host.errors import UserError
from chronotable_host.language import tr
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
