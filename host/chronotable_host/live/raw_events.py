"""The raw events of a game, kept beside its record as a script that `chronotable table` takes back.

Two rules. Every line is in the file when the next event is looked at, so a crash loses nothing
that was heard. And the script is what the reeds did, not what was made of it: a turn that was
misread is misread again, and so becomes a test.

A script begins with the position of the game and goes on with every debounced edge. What cannot be
replayed is said by a line of its own: `gap` are the numbers of events that were not heard.
"""

from __future__ import annotations

import json
from array import array
from pathlib import Path
from typing import Any, TextIO

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import BUTTON, BUTTONS, INPUTS, SENSORS, SHARED
from chronotable_host.archive import regular_files
from chronotable_host.archive.disk import write_whole
from chronotable_host.archive.naming import script_path
from chronotable_host.pieces import pieces_of
from chronotable_host.rules.notation import PLAYERS, format_options, format_position

BEGINS_MS = 2000
"""When the game begins in a script: within a second from power-on a table feels what lies there."""
BLAMED_MS = 1500
"""When the button is pressed that makes the table go on without the reeds that disagree."""
_BLAMED_AGAIN_MS = 400  # until the table, which sent to the doctor first, asks once more

_NEVER_MS = 10**9  # no script goes on for so long
# least times between lines of a script, so that the table feels what it felt in the game
_SCAN_MS = 5  # between events at two times: a table that scans sees one after the other
_REED_MS = 30  # between two edges of one reed: each outlasts the debouncing
_PRESS_MS = 150  # between two presses of one button: it is let go meanwhile

_FLICKERS = "f"
_HEALED = "h"


class RawEvents:
    """The script of one game after the other; does nothing unless `is_recorded`.

    Times are table time. A script grows in memory until `beside` names the record that it belongs
    to. Lines that the script's file has already, written by an earlier program, are not written
    again.
    """

    def __init__(self, is_recorded: bool) -> None:
        self.is_recorded = is_recorded
        self.path: Path | None = None
        self._lines: list[str] = []
        self._ahead = ""  # what the script's file has beyond `_lines`
        self._file: TextIO | None = None
        self._reeds = bytearray(SENSORS)  # which are closed, by the edges since power-on
        self._knows_reeds = True
        self._magnets: dict[int, bool] = {}  # where magnets lie in the script; empty after a gap
        self._stuck: set[int] = set()  # the reeds that the script holds closed or open
        self._lost = [0, 0]  # the last events that were not heard
        self._shift_ms: int | None = 0  # script time less table time; None: not known
        self._at_ms = 0  # the last event, in table time
        self._t_ms = 0  # the same in script time
        self._last_t_ms: dict[int, int] = {}  # the last event of each sensor, in script time

    # ---- the course of a game

    def power_on(self) -> None:
        """The table was switched on: nothing has been felt yet, and no game is going on."""
        self.end()
        self._reeds = bytearray(SENSORS)
        self._knows_reeds = True

    def begin(self, state: array[int], options: int, at_ms: int, knows_reeds: bool = True) -> None:
        """A game begins with this position on the table."""
        self.end()
        if not self.is_recorded:
            return
        self._stuck = set()
        self._last_t_ms = {}
        self._t_ms = 0
        self._write(start=format_position(state), options=format_options(options))
        lie = pieces_of(state)
        self._magnets = {sensor: sensor in lie for sensor in range(SENSORS)}
        if knows_reeds and self._knows_reeds:
            self._begin_with_broken_reeds()
        self._at_ms, self._t_ms = at_ms, BEGINS_MS
        self._shift_ms = BEGINS_MS - at_ms

    def _begin_with_broken_reeds(self) -> None:
        """Begin with the reeds that disagree with the position: stuck, and played around.

        Button `a` tells the table that the pieces do lie there, pressed twice where some reeds do
        not open and others do not close: such a table sends to the doctor first.
        """
        magnets = self._magnets
        broken = [sensor for sensor in magnets if bool(self._reeds[sensor]) != magnets[sensor]]
        for sensor in broken:
            self._stick(sensor, bool(self._reeds[sensor]))
        for press in range(len({bool(self._reeds[sensor]) for sensor in broken})):
            self._t_ms = BLAMED_MS + press * _BLAMED_AGAIN_MS
            self._write(press="a")

    def join(self, state: array[int], options: int, at_ms: int) -> None:
        """A game is in progress whose turns so far, and what was touched since, nobody heard."""
        self.begin(state, options, at_ms, knows_reeds=False)
        self._write_gap()

    def resume(self, record: Path, state: array[int], options: int) -> None:
        """The game of this record goes on, and so does the script beside it."""
        self.begin(state, options, 0, knows_reeds=False)
        if not self.is_recorded:
            return
        text = _read(script_path(record))
        lines = text[: text.rfind("\n") + 1].splitlines(keepends=True)
        if lines:
            self._lines = lines
            self._t_ms = _time_of(lines[-1])
        self._shift_ms = None
        self.beside(record)

    def gap(self, first: int, last: int) -> None:
        """These events were not heard."""
        self._lost = [first, last]
        self._knows_reeds = False
        self._write_gap()

    def miss(self) -> None:
        """Something was not heard, nobody knows how much."""
        self._knows_reeds = False
        self._write_gap()

    def _write_gap(self) -> None:
        self._magnets = {}  # from here on nobody knows what lies there
        if self._lines:
            self._write(gap=self._lost)

    def end(self) -> None:
        """No game is followed any more."""
        self.detach()
        self._lines = []

    def edge(self, sensor: int, closed: bool, at_ms: int) -> None:
        """A reed or a button closed or opened."""
        if not self.is_recorded:
            return
        if sensor < SENSORS:
            self._reeds[sensor] = closed
        if not self._lines or sensor >= INPUTS or (sensor >= SENSORS and not closed):
            return
        self._pass_time(sensor, at_ms)
        if sensor >= SENSORS:
            self._press(sensor)
        elif sensor in self._stuck or self._magnets.get(sensor, not closed) == closed:
            self._stick(sensor, closed)  # no hand did that
        else:
            self._magnets[sensor] = closed
            self._write(**{"place" if closed else "lift": sensor_name(sensor)})

    def fault(self, sensor: int, kind: str, state: array[int], at_ms: int) -> None:
        """A reed was found to be broken, or to work again; `state` is what should lie there.

        A flickering reed is left to the script: the table does not tell its edges any more.
        """
        if not self._lines or sensor >= SENSORS:
            return
        if kind == _FLICKERS:
            self._pass_time(sensor, at_ms)
            self._write(stuck=sensor_name(sensor), closed="flicker")
            self._stuck.add(sensor)
        elif kind == _HEALED and sensor in self._stuck:
            self._pass_time(sensor, at_ms)
            lies = sensor in pieces_of(state)
            if self._magnets.get(sensor, lies) != lies:
                self._write(**{"place" if lies else "lift": sensor_name(sensor)})
            self._magnets[sensor] = lies
            self._stuck.discard(sensor)
            self._write(stuck=sensor_name(sensor), closed=None)

    # ---- the file

    def beside(self, record: Path) -> None:
        """Keep the script beside this record from now on.

        Raises OSError where it cannot be written, as all that follows.
        """
        path = script_path(record)
        if not self.is_recorded or path == self.path:
            return
        self.detach()
        path.parent.mkdir(parents=True, exist_ok=True)  # the record may come later
        self.path = path
        text = "".join(self._lines)
        known = _read(path)
        if known.startswith(text):
            self._ahead = known[len(text) :]
        else:
            write_whole(path, text)

    def detach(self) -> None:
        """Write no more to the file; what comes is kept in memory until `beside`."""
        self.close()
        self.path = None
        self._ahead = ""

    def close(self) -> None:
        """Close the file; the next event opens it again."""
        if self._file is not None:
            self._file.close()
        self._file = None

    # ---- one line

    def _pass_time(self, sensor: int, at_ms: int) -> None:
        """Come to the time of an event, late enough to be told from the one before."""
        if self._shift_ms is None:
            self._shift_ms = self._t_ms + _SCAN_MS - at_ms
        t_ms = max(at_ms + self._shift_ms, self._t_ms)
        if at_ms != self._at_ms:
            t_ms = max(t_ms, self._t_ms + _SCAN_MS)
        if sensor in self._last_t_ms:
            pause_ms = _REED_MS if sensor < SENSORS else _PRESS_MS
            t_ms = max(t_ms, self._last_t_ms[sensor] + pause_ms)
        self._last_t_ms[sensor] = t_ms
        self._at_ms, self._t_ms = at_ms, t_ms

    def _press(self, sensor: int) -> None:
        name, side = BUTTONS[sensor - BUTTON]
        if side == SHARED:
            self._write(press=name)
        else:
            self._write(press=name, side=PLAYERS[side])

    def _stick(self, sensor: int, closed: bool) -> None:
        self._stuck.add(sensor)
        self._write(stuck=sensor_name(sensor), closed=closed)

    def _write(self, **what: Any) -> None:
        if not self.is_recorded:
            return
        line = json.dumps({"t_ms": self._t_ms, **what}, separators=(",", ":")) + "\n"
        self._lines.append(line)
        if self.path is None:
            return
        if self._ahead.startswith(line):
            self._ahead = self._ahead[len(line) :]
        elif self._ahead:  # cut short, or of a program that heard less
            self.close()
            self._ahead = ""
            write_whole(self.path, "".join(self._lines))
        else:
            if self._file is None:
                self._file = self.path.open("a", encoding="utf-8", newline="\n")
            self._file.write(line)
            self._file.flush()


def _read(path: Path) -> str:
    try:
        return regular_files.read(path).decode("utf-8", "replace")
    except FileNotFoundError:
        return ""


def _time_of(line: str) -> int:
    try:
        t_ms = int(json.loads(line)["t_ms"])
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return BEGINS_MS
    return t_ms if 0 <= t_ms < _NEVER_MS else BEGINS_MS
