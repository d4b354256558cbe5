"""Follows the Pico that is worked on: it restarts, and may come back at another port.

Two rules. Once it was looked at, it is known by its id, which is the end of its USB serial number,
and followed to whatever port the system gives it. Where the system tells of no port with that
number, as for a virtual table or a Pico in BOOTSEL mode, the name stays as the user gave it, unless
another board has it.
"""

from __future__ import annotations

import os

from chronotable_host.language import tr
from chronotable_host.live.port import PortError
from chronotable_host.live.port_search import PortSearch, find_ports


class Whereabouts:
    """The port of the Pico that `search` finds, from restart to restart."""

    def __init__(self, search: PortSearch) -> None:
        self._search = search
        self._table_id = ""
        self.port = ""
        """Where it was looked for last."""

    def next(self) -> str:
        """Return the name of the port to try now; raises PortError where there is none."""
        self.port = self._followed_from(self._search.next())
        return self.port

    def settle(self, table_id: str, port: str) -> None:
        """The Pico with this id is at this port."""
        self._search.settle(table_id, port)
        self._table_id = table_id
        self.port = port

    def is_at(self, port: str) -> bool:
        """Tell whether a name means the port where it was looked for last."""
        return os.path.realpath(port) == os.path.realpath(self.port)

    def _followed_from(self, name: str) -> str:
        """Return where the Pico is that is looked for under a name.

        Raises PortError where another board has that name, and the Pico is nowhere.
        """
        if not self._table_id:
            return name
        known = [each for each in find_ports() if each.table_id]
        mine = [each for each in known if each.table_id == self._table_id]
        if mine:
            return name if any(each.is_at(name) for each in mine) else mine[0].device
        for each in known:
            if each.is_at(name):
                raise PortError(
                    tr(
                        "{wanted} is not plugged in, at {name} is {other}",
                        wanted=self._search.wanted,
                        name=name,
                        other=each,
                    )
                )
        return name
