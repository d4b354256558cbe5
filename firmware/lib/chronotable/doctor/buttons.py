"""The step that finds the cell of each button: one after the other is to be pressed."""

from chronotable.doctor import kinds
from chronotable.doctor.examination import BUTTONS, Examination
from chronotable.doctor.lamps import BREATH, GOOD
from chronotable.hardware.sensors import BUTTON, INPUTS, SENSORS
from ttykm.mp import const

if False:
    from collections.abc import Generator, Iterator


_TRIES = const(4)

_KINDS = (kinds.TURNED, kinds.GRIDS, kinds.ROWS, kinds.COLUMNS, kinds.EXCHANGED, kinds.MOVED)


def buttons(w: Examination) -> "Iterator[None]":
    """Have all buttons pressed; those that did not answer once more."""
    w.begin(BUTTONS, INPUTS - BUTTON)
    known = w.cells.known
    silent: list[int] = []
    left: list[int] = []
    for again in (False, True):
        if again:
            w.once_more(len(silent))
        for w.done, sensor in enumerate(silent if again else range(BUTTON, INPUTS)):
            cell = w.cells.predict(sensor)
            is_held = w.states.held[cell] and w.reported[sensor]
            if not again or not (w.is_cut(cell) or is_held):
                if not w.is_ended:
                    cell = yield from _press(w, sensor, again)
                if w.is_ended:
                    if not again:
                        left.append(sensor)
                    continue
                other = w.cells.owner(cell)
                if other >= 0 and cell == w.cells.predict(sensor):
                    known[other] = -1  # that was a mistake
                    other = -1
                if cell >= 0 and other < 0:
                    known[sensor] = cell
        silent = [s for s in range(BUTTON, INPUTS) if known[s] < 0 and s not in left]
    w.find_lines(INPUTS)
    w.tell_lines()
    w.cells.complete(INPUTS)
    for sensor in silent:
        if not w.reported[sensor]:
            left.append(sensor)
        elif w.states.held[known[sensor]]:
            w.find(kinds.BUTTON_STUCK, sensor)
        elif not w.is_cut(known[sensor]):
            w.find(kinds.BUTTON_DEAD, sensor)
    for sensor in sorted(left):
        w.leave_out(sensor)
    w.tell_exchanges(w.cells, _KINDS)


def _press(w: Examination, sensor: int, again: bool) -> "Generator[None, None, int]":
    """Return the cell of a button, -1 where it does not answer; asked twice where it surprises.

    The lights of the past count the buttons: green for each that has answered, the next one
    breathes. Who presses one of those again has not seen it, and who puts a magnet down says that
    this one does not answer.
    """
    last = -1
    for _ in range(_TRIES):
        w.ask("b", sensor)
        for button in range(BUTTON, INPUTS):
            if w.cells.known[button] >= 0:
                w.show(button - BUTTON, GOOD)
        w.show(sensor - BUTTON, BREATH)
        w.states.take()
        cell = -1
        is_open = False
        while not is_open and not w.gave_up():
            yield
            for at, closed, _ in w.states.take():
                owner = w.cells.owner(at)
                if closed and 0 <= owner < SENSORS:
                    w.skip()
                elif closed and (owner < 0 or at == w.cells.predict(sensor)):
                    cell = at
                elif at == cell:
                    is_open = True
        if not is_open:
            w.report(sensor)
            return -1
        if cell in (w.cells.predict(sensor), last):
            return cell
        last = cell
    if again:  # somebody was there, and answered elsewhere
        w.report(sensor)
    return -1
