"""The step that tests each diode of the matrix with three magnets on corners of a rectangle.

With its diode a cell reads closed only if its own reed is. Where the diode of the corner between
the other two is missing, the fourth corner, which is opposite, reads closed without a magnet.
"""

from chronotable.doctor import kinds
from chronotable.doctor.examination import GHOSTS, Examination
from chronotable.doctor.lamps import WHITE
from chronotable.hardware.sensors import SENSORS
from ttykm.mp import const

if False:
    from collections.abc import Generator, Iterator


_LAIN_MS = const(250)
_STAYS_MS = const(1000)  # a magnet on its way is lifted sooner
_STRAY_MS = const(5000)
_AT_ONCE_MS = const(30)
_TRIES = const(3)
_UNTESTED = const(-1)


def ghosts(w: Examination) -> "Iterator[None]":
    """Test the diode of every sound reed."""
    if not w.has_matrix:
        return
    untested = [sensor for sensor in range(SENSORS) if w.is_sound(sensor)]
    w.begin(GHOSTS, len(untested))
    left: list[int] = []
    while untested and not w.is_ended:
        corners = _rectangle(w, untested)
        if not corners:
            untested.pop(0)
            w.done += 1
            continue
        # from each to the next one magnet moves
        for at in (0, 2, 1, 3):
            if corners[at] in untested:
                three = [corners[at], corners[(at + 1) & 3], corners[(at + 3) & 3]]
                opposite = corners[(at + 2) & 3]
                if w.is_sound(opposite) or at == 0:
                    is_bare = yield from _is_bare(w, three, opposite)
                    if is_bare > 0:
                        w.find(kinds.DIODE_MISSING, corners[at])
                    elif is_bare == _UNTESTED:
                        left.append(corners[at])
                    untested.remove(corners[at])
                    w.done += 1
    for sensor in sorted(left + untested):
        w.leave_out(sensor)


def _rectangle(w: Examination, untested: "list[int]") -> "tuple[int, ...]":
    """Return four sensors around a rectangle, the first one that is untested first.

    () where it has no sound neighbours. Of several the one that tests the most is taken. The third
    one, opposite of the first, only has to be open.
    """
    cells = w.cells.known
    first = untested[0]
    best: tuple[int, ...] = ()
    most = 0
    row, column = cells[first] >> 3, cells[first] & 7
    beside = [s for s in range(SENSORS) if cells[s] >> 3 == row and cells[s] & 7 != column]
    below = [s for s in range(SENSORS) if cells[s] & 7 == column and cells[s] >> 3 != row]
    for other in beside:
        for under in below:
            opposite = w.cells.owner(cells[under] & ~7 | cells[other] & 7)
            if w.is_sound(other) and w.is_sound(under):
                if 0 <= opposite < SENSORS and w.is_sound(opposite) and opposite not in w.nosy:
                    corners = first, other, opposite, under
                    count = len([s for s in corners if s in untested])
                    if count > most:
                        best, most = corners, count
    return best


def _is_bare(w: Examination, three: "list[int]", opposite: int) -> "Generator[None, None, int]":
    """Return 1 where the diode of the first of three sensors is missing, 0 where it is there.

    It is missing when the opposite cell opens together with the first one's magnet, twice.
    _UNTESTED where the magnets did not come.
    """
    states = w.states
    middle = w.cells.known[three[0]]
    far = w.cells.known[opposite]
    times = 0
    for _ in range(_TRIES):
        arrived = yield from _lie(w, three, opposite, three[0])
        if not arrived:
            return _UNTESTED
        if not states.closed[far]:
            return 0
        if times and abs(states.since[far] - states.since[middle]) > _AT_ONCE_MS:
            times = 0
        gone = yield from _lie(w, three[1:], opposite, three[0])
        if not gone:
            return _UNTESTED
        if states.closed[far] or abs(states.since[far] - states.since[middle]) > _AT_ONCE_MS:
            continue  # somebody has left a magnet there
        times += 1
        if times == 2:
            return 1
    return 0


def _lie(
    w: Examination, sensors: "list[int]", opposite: int, about: int
) -> "Generator[None, None, bool]":
    """Wait until magnets lie on some sensors and, unless it does not go away, nowhere else."""
    w.ask("p", about, sensors)
    for sensor in sensors:
        w.show(sensor, WHITE)
    while not w.gave_up():
        yield
        there = w.lying()
        quiet = w.waited()
        if len([s for s in sensors if s in there]) == len(sensors) and quiet >= _LAIN_MS:
            strays = [s for s in there if s not in sensors]
            if not strays:
                return True
            if quiet >= (_STAYS_MS if strays == [opposite] else _STRAY_MS):
                return True
    return False
