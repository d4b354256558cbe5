"""The buttons of a table as the PC hears them: which was pressed, when, and how long it was held.

What a press does at the table it does all the same. One rule: a press counts when the button is let
go, for what the PC itself asks for the table tells as presses that never end.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from chronotable.hardware.sensors import BUTTON, BUTTONS, INPUTS
from chronotable.link.frames import LocalLinkError
from chronotable_host.live.session import Session

_HINTS = "hints_white", "hints_black"  # the settings of how much the lights say


class Press(NamedTuple):
    """A button that was pressed, and how it was then."""

    name: str
    side: int
    """A player, or `chronotable.hardware.sensors.SHARED`."""
    at_ms: float
    mover: int
    turns: int
    """How many the game had."""
    level: int
    """How much the lights said to that side: *action* may have changed it."""
    held_ms: float = 0


class Presses:
    """Listens to a session's buttons; `heard` is told each press."""

    def __init__(self, session: Session, heard: Callable[[Press], None]) -> None:
        self._session = session
        self._heard = heard
        self._down: dict[int, Press] = {}
        session.mirror.table.listeners.append(self._hear)

    def _hear(self, sensor: int, closed: bool, at_ms: float) -> None:
        if not BUTTON <= sensor < INPUTS:
            return
        press = self._down.pop(sensor, None)
        if closed:
            mirror = self._session.mirror
            name, side = BUTTONS[sensor - BUTTON]
            game, level = mirror.game, mirror.table.hints[max(0, side)]
            self._down[sensor] = Press(name, side, at_ms, game.mover, len(game.turns), level)
            if name == "action":
                with suppress(LocalLinkError):
                    self._session.command("resync")  # how much the lights say now
        elif press is not None:
            self._heard(press._replace(held_ms=at_ms - press.at_ms))

    def set_level(self, side: int, level: int) -> None:
        """Set how much the lights say to a side; from `hints.HINT_LEVELS` on they show a copy."""
        with suppress(LocalLinkError):
            self._session.set({_HINTS[side]: level})
