"""What people do, as a script for `chronotable table --script`: every misread becomes a test."""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import BUTTONS, SHARED
from chronotable_host.rules.notation import PLAYERS, format_options, format_position

SCRIPT_BEGINS_MS = 3000
"""When the first gesture of a script may come: the slowest table has seen its pieces then."""


class Recorder:
    """Notes what is done at a place, as a script for `chronotable table --script`.

    It begins where the game began, with a position on the table. Times are whole milliseconds.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._begun_ms = 0.0

    def begin(self, state: array[int], options: int, now_ms: float) -> None:
        self.lines = []
        self._begun_ms = now_ms
        self._add(0, {"start": format_position(state), "options": format_options(options)})

    def note(self, now_ms: float, **what: bool | str) -> None:
        t_ms = SCRIPT_BEGINS_MS + round(now_ms - self._begun_ms)
        self._add(t_ms, what)

    def _add(self, t_ms: int, what: Mapping[str, bool | str]) -> None:
        self.lines.append(json.dumps({"t_ms": t_ms, **what}))

    def contact(self, now_ms: float, sensor: int, closed: bool) -> None:
        self.note(now_ms, **{"place" if closed else "lift": sensor_name(sensor)})

    def press(self, now_ms: float, name: str, side: int) -> None:
        """Note a button; only some belong to a side."""
        sided = {} if (name, SHARED) in BUTTONS else {"side": PLAYERS[side]}
        self.note(now_ms, press=name, **sided)

    def script(self) -> str:
        return "".join(line + "\n" for line in self.lines)
