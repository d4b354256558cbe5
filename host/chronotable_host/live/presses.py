"""The buttons of a table as the PC hears them: pressed, and held for a second.

What a press does at the table it does all the same. *action* goes through how much the lights say
where nothing waits for it; `levels` has what it was before.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from chronotable.frames import LocalLinkError
from chronotable.sensors import BUTTON, BUTTONS, INPUTS
from chronotable_host.live.session import Session
from chronotable_host.live.settings import number_of

HELD_MS = 1000.0
_HINTS = "hints_white", "hints_black"  # the settings of how much the lights say


class Presses:
    """Listens to a session's buttons; `pressed` and `held` are told a button's name and side.

    `levels` is how much the lights said to each side before its *action* was pressed.
    """

    def __init__(
        self,
        session: Session,
        pressed: Callable[[str, int], None] = lambda _name, _side: None,
        held: Callable[[str, int], None] = lambda _name, _side: None,
    ) -> None:
        self._session = session
        self._pressed = pressed
        self._held = held
        self._since_ms: dict[int, float | None] = {}  # the buttons that are down; None: just now
        self.levels = [0, 0]
        session.mirror.table.listeners.append(self._hear)

    def _hear(self, sensor: int, closed: bool) -> None:
        if not BUTTON <= sensor < INPUTS:
            return
        self._since_ms.pop(sensor, None)
        if not closed:
            return
        self._since_ms[sensor] = None
        name, side = BUTTONS[sensor - BUTTON]
        if name == "action":
            self.levels[side] = self._session.mirror.table.hints[side]
            with suppress(LocalLinkError):
                self._session.command("resync")  # how much they say now
        self._pressed(name, side)

    def step(self, now_ms: float) -> None:
        """Let time pass; `now_ms` is any clock's."""
        for sensor, since_ms in list(self._since_ms.items()):
            if since_ms is None:
                self._since_ms[sensor] = now_ms
            elif now_ms - since_ms >= HELD_MS:
                del self._since_ms[sensor]
                self._held(*BUTTONS[sensor - BUTTON])

    def set_level(self, side: int, level: int) -> None:
        """Set how much the lights say to a side; from `hints.HINT_LEVELS` on they show a copy."""
        with suppress(LocalLinkError):
            self._session.command("set", setting=number_of(_HINTS[side]), value=level)
