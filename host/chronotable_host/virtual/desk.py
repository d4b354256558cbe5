"""A desk at a virtual table, whose time passes as fast as it is asked to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random

from chronotable_host import boards
from chronotable_host.live.desk import Desk
from chronotable_host.virtual.chance import REPEATED, Chance
from chronotable_host.virtual.table import CPYTHON, VirtualTable, open_runtime, settings_for


class VirtualDesk(Desk):
    """Has a virtual table, once it is switched on."""

    table: VirtualTable

    def switch_on(
        self,
        board: str,
        rng: Random,
        settings: Mapping[str, object] | None = None,
        runtime: str = CPYTHON,
        image: Path | None = None,
        chance: Chance = REPEATED,
    ) -> VirtualTable:
        """Switch a table on that has the desk's start, as `open_runtime` says."""
        plan = boards.read(board)
        own = {**settings_for(self.start, self.options), **(settings or {})}
        machine = open_runtime(
            *(runtime, plan, boards.find(board).read_bytes(), own, image), chance=chance
        )
        self.table = VirtualTable(machine, plan, self.session, rng)
        self.callback(self.table.close)
        return self.table

    def attach(self, table: VirtualTable) -> None:
        """Have a table that is on already, in the place of who had it before."""
        self.table = table
        table.session = self.session

    @property
    def now_ms(self) -> int:
        """Table time."""
        return int(self.table.now_ms)

    def run_until(self, t_ms: float) -> None:
        """Have table time pass, then do what is due."""
        self.table.run_until(t_ms)
        self.step()
