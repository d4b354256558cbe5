"""Passes each happening on to several listeners, where a mirror knows only one."""

from __future__ import annotations

from collections.abc import Callable

from chronotable_host.live.happenings import Happening


class Audience:
    """Tells every happening to all who listen, in the order in which they came."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[Happening], None]] = []

    def add(self, listener: Callable[[Happening], None]) -> None:
        """Have somebody hear what happens from now on."""
        self._listeners.append(listener)

    def tell(self, happening: Happening) -> None:
        """Tell a happening."""
        for listener in self._listeners:
            listener(happening)
