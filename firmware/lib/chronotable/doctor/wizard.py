"""The wizard: the examination of a table, one step after the other.

The first step, taking all magnets off, and the last two, the supply and the result, are here; the
others have files of their own.
"""

from chronotable.doctor import kinds
from chronotable.doctor.buttons import buttons
from chronotable.doctor.examination import CLEAR, CURRENT, DONE, Examination
from chronotable.doctor.ghosts import ghosts
from chronotable.doctor.lamps import BRIGHT, FAULT, GOOD, OFF, TAKE, brightest
from chronotable.doctor.lights import colours, lights
from chronotable.doctor.poles import poles
from chronotable.doctor.reeds import reeds
from chronotable.hardware.sensors import INPUTS, SENSORS
from ttykm.mp import const

if False:
    from collections.abc import Iterator

    from chronotable.hardware.wiring import Board

_LOOK_MS = const(2500)
_CALM_MS = const(1500)
_SHOW_MS = const(2000)
_SHOWN_MS = const(3000)  # the PC hears the result meanwhile
_CHIP_MA = const(54)


class Wizard(Examination):
    """An examination that goes on, step after step, with every `update`."""

    def __init__(self, board: "Board") -> None:
        super().__init__(board)
        self._course = self._run()

    def update(self, now_ms: int) -> None:
        """Go on with the step as far as it can now; due in every round of the loop."""
        self.now = now_ms
        try:
            next(self._course)
        except StopIteration:
            self.is_over = True

    def _run(self) -> "Iterator[None]":
        for step in (_clear, reeds, lights, colours, poles, ghosts, buttons, _current, _end):
            yield from step(self)


def _clear(w: Examination) -> "Iterator[None]":
    """Have all magnets taken off, and note what stays closed as `held`."""
    w.begin(CLEAR, 0)
    w.ask("d")
    in_file = w.cells.in_file
    while True:
        yield
        w.states.take()
        closed = [s for s in range(INPUTS) if w.states.closed[in_file[s]]]
        closed = [s for s in closed if not w.states.restless[in_file[s]]]
        for sensor in range(SENSORS):
            w.show(sensor, TAKE if sensor in closed else OFF)
        w.about = closed[-1] if closed else kinds.NOTHING  # a button, if one is pressed
        w.want([sensor for sensor in closed if sensor < SENSORS])
        if w.now >= _LOOK_MS and not closed and w.waited() >= _CALM_MS:
            return
        if w.now >= _LOOK_MS and w.gave_up():
            w.states.hold()
            return


def _current(w: Examination) -> "Iterator[None]":
    """Put the supply to the test: all LEDs as bright as the board file allows."""
    w.begin(CURRENT, 1)
    w.ask("w")
    w.ma = brightest(w.max_sum) * 3 * SENSORS * w.board.channel_ma // 255 + _CHIP_MA
    for led in range(SENSORS):
        w.lamps[led] = BRIGHT
    begun = w.now
    while w.now - begun < _SHOW_MS:
        yield


def _end(w: Examination) -> "Iterator[None]":
    """Show the result: green, or the LEDs of what was found; dark what was not examined."""
    w.begin(DONE, 1)
    w.ma = 0
    w.ask("w")
    for kind, first, last in w.left_out:
        w.messages.append(("finding", {"kind": kind, "sensor": first, "other": last}))
    for sensor in range(SENSORS):
        if w.findings:
            w.show(sensor, FAULT if w.concerns(sensor) else OFF)
        elif not w.unseen[sensor]:
            w.show(sensor, GOOD)
    begun = w.now
    while w.now - begun < _SHOWN_MS:
        yield
