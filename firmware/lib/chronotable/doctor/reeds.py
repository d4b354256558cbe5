"""The step that finds each reed's cell and whether it works: a magnet visits space by space."""

from chronotable.doctor import kinds
from chronotable.doctor.examination import REEDS, Examination
from chronotable.doctor.lamps import BLINK, BREATH, GOOD, TAKE
from chronotable.hardware.sensors import BUTTON, SENSORS, SPACES
from ttykm.mp import const

if False:
    from collections.abc import Generator, Iterator

    Visit = tuple[tuple[int, ...], int, bool]

_SLID_MS = const(1000)  # with the magnet in its space; then the light is green
_LAIN_MS = const(600)  # less than that was no visit
_LIFTED_MS = const(250)
_GONE_MS = const(1500)  # after so long without a magnet a visit begins anew
_ALONG_MS = const(100)
_HELD_MS = const(8000)
_TRIES = const(5)
_WAYS = const(6)
_SILENT = const(2)  # in `unseen`

# Points for a reed that opens under its magnet, by visit, and how many of them prove it: three for
# a gap that is shorter than any hand's, two for a longer one, which a hand makes, but not thrice.
_QUICK_MS = const(110)
_QUICK = const(3)
_SLOW = const(2)
_WEAK = const(6)


def reeds(w: Examination) -> "Iterator[None]":
    """Have all reeds visited; once more those that did not answer, if no cut line explains it."""
    w.begin(REEDS, SENSORS)
    answers: dict[int, tuple[int, ...] | None] = {}
    wrong = 0
    for sensor in range(SENSORS):
        w.done = sensor
        answers[sensor] = ()
        if not w.is_ended:
            answers[sensor] = yield from _examine(w, sensor)
        if w.is_ended:
            answers[sensor] = ()
            w.unseen[sensor] = 1
        cells = answers[sensor]
        if cells and cells[0] != w.cells.predict(sensor):
            wrong += 1
            if wrong % _WAYS == 0:  # the rest of a turned grid is no surprise
                yield from _settle(w, answers)
    yield from _settle(w, answers)
    explained = _gone(w)
    late = [s for s in range(SENSORS) if w.cells.known[s] < 0 and not w.unseen[s]]
    late = [s for s in late if s not in explained and not _is_visibly_broken(w, s)]
    w.once_more(len(late))
    for w.done, sensor in enumerate(late):
        answers[sensor] = None  # what was answered once may have been a mistake
        if not w.is_ended:
            answers[sensor] = yield from _examine(w, sensor)
    yield from _settle(w, answers)
    _judge(w, answers)


def _examine(w: Examination, sensor: int) -> "Generator[None, None, tuple[int, ...] | None]":
    """Return which cells answer to a reed, its own one first; None for none, () if unclear."""
    last: tuple[int, ...] = ()
    points = 0
    for attempt in range(_TRIES):
        visit = yield from _visit(w, sensor, attempt > 0)
        if visit is None:
            w.report(sensor)
            return None
        cells, gap, is_held = visit
        if is_held:
            w.report(sensor)
            w.states.held[cells[0]] = w.reported[sensor]
            return None
        points = points + gap if gap else 0
        if (cells == last or cells == (w.cells.predict(sensor),)) and not 0 < points < _WEAK:
            if points:
                w.faults[sensor] = kinds.WEAK
            return cells
        last = cells
    return ()


class _VisitLog:
    """What a visit showed of each cell, in ms: how long it was closed, also along with others."""

    def __init__(self, restless: bytearray) -> None:
        self.shut: list[int] = []  # what is closed now
        self._restless = restless
        self.begin()

    def begin(self) -> None:
        """Forget everything: the magnet was away for long."""
        self.total: dict[int, int] = {}
        self.along: dict[int, int] = {}
        self.closed: dict[int, int] = {}  # when, last
        self.opened: dict[int, int] = {}
        self.gaps: dict[int, int] = {}  # points for having opened under the magnet

    def let_pass(self, passed_ms: int) -> None:
        """Count the time; what has begun to flicker does not count any more."""
        self.shut = [cell for cell in self.shut if not self._restless[cell]]
        for cell in self.shut:
            self.total[cell] += passed_ms
            if len(self.shut) > 1:
                self.along[cell] = self.along.get(cell, 0) + passed_ms

    def edge(self, cell: int, closed: bool, at_ms: int) -> None:
        """Take an edge; a gap in which another cell closed was a way out of the space and back."""
        if not closed:
            if cell in self.shut:
                self.shut.remove(cell)
                self.opened[cell] = at_ms
            return
        opened_ms = self.opened.get(cell, at_ms)
        if opened_ms < at_ms and not [c for c in self.closed if self.closed[c] > opened_ms]:
            points = _QUICK
            if at_ms - opened_ms >= _QUICK_MS:
                points = _SLOW
                if cell not in self.gaps:  # perhaps a hand put it back: it has to slide anew
                    self.total[cell] = 0
            self.gaps[cell] = max(points, self.gaps.get(cell, 0))
        self.closed[cell] = at_ms
        self.total[cell] = self.total.get(cell, 0)
        if cell not in self.shut:
            self.shut.append(cell)

    def longest(self, expected: int) -> int:
        """Return the cell that was closed for longest, -1 for none; the expected one need not."""
        if self.total.get(expected, 0) >= _LAIN_MS:
            return expected
        longest = -1
        for cell, lain_ms in self.total.items():
            if longest < 0 or lain_ms > self.total[longest]:
                longest = cell
        return longest

    def result(self, main: int) -> "Visit":
        """Return what `_visit` does."""
        others = [c for c in self.along if c != main and self.along[c] >= _ALONG_MS]
        return (main,) + tuple(sorted(others)), self.gaps.get(main, 0), False  # noqa: RUF005


def _visit(w: Examination, sensor: int, again: bool) -> "Generator[None, None, Visit | None]":
    """Have a magnet slid about in a space and lifted.

    Returns None where nothing answers, else the cells that were closed, the longest first, the
    points for having opened meanwhile, and whether it did not open in the end.
    """
    states = w.states
    seen = _VisitLog(states.restless)
    later: list[tuple[int, bool, int]] = []  # edges of the next visit, which began already
    main = -1
    w.ask("a" if again else "p", sensor, (sensor,))
    w.show(sensor, BLINK if again else BREATH)
    home = w.cells.predict(sensor)
    before = w.now
    while True:
        yield
        seen.let_pass(w.now - before)
        before = w.now
        for edge in states.take():
            if main >= 0 and edge[0] not in seen.total:
                later.append(edge)
            else:
                seen.edge(*edge)
        longest = seen.longest(home)
        if main >= 0:
            if main not in seen.shut:
                if later or w.now - seen.opened.get(main, 0) >= _LIFTED_MS:
                    states.edges = later + states.edges
                    return seen.result(main)
            elif w.asks == "l":
                if w.waited() >= _HELD_MS:
                    w.ask("z", sensor, (sensor,))
                    w.show(sensor, TAKE)
            elif w.gave_up():
                states.edges = later + states.edges
                return (main,), 0, True
        elif longest in seen.shut and seen.total[longest] >= _SLID_MS:
            main = longest
            if sensor < SPACES:
                w.poles[sensor] = w.pole(main)
            w.ask("l", sensor)
            w.show(sensor, GOOD)
        elif w.gave_up():
            return None
        elif longest >= 0 and not seen.shut and w.waited() >= _GONE_MS:
            seen.begin()


def _settle(w: Examination, answers: "dict[int, tuple[int, ...] | None]") -> "Iterator[None]":
    """Give each sensor its cell: where a reed answers to others, too, theirs are left to them."""
    cells = w.cells
    for _ in range(2):  # the exchanges that explain the most make other answers likely
        for sensor in range(SENSORS):
            cells.known[sensor] = -1
        for is_sure, is_home in ((True, True), (True, False), (False, True), (False, False)):
            for sensor in answers:
                could = answers[sensor] or ()
                if cells.known[sensor] < 0 and (len(could) == 1 or not is_sure):
                    home = cells.predict(sensor)
                    free = [at for at in could if cells.owner(at) < 0]
                    free = [at for at in free if at == home or not is_home]
                    if free:
                        cells.known[sensor] = free[0]
        yield from w.think(cells)


def _gone(w: Examination) -> "list[int]":
    """Return the sensors that do not answer because nothing in their lines does; note the lines."""
    cells = w.cells
    silent = [sensor for sensor in range(SENSORS) if cells.known[sensor] < 0]
    w.find_lines(BUTTON)
    known = list(cells.known)
    cells.complete(SENSORS)
    gone = [sensor for sensor in silent if w.is_cut(cells.known[sensor])]
    cells.known = known
    return gone


def _is_visibly_broken(w: Examination, sensor: int) -> bool:
    cell = w.cells.predict(sensor)
    return bool(w.states.restless[cell] or (w.states.held[cell] and w.reported[sensor]))


def _judge(w: Examination, answers: "dict[int, tuple[int, ...] | None]") -> None:
    """Tell the findings: of reeds that were visited, or that show by themselves what is wrong."""
    cells = w.cells
    _judge_silent(w, answers)
    for sensor in range(SENSORS):
        if w.unseen[sensor]:
            w.leave_out(sensor)
        for cell in answers[sensor] or ():
            other = cells.owner(cell)
            if other not in (sensor, -1) and other not in w.nosy:
                w.nosy[other] = sensor
    for sensor in sorted(w.faults):
        is_told_later = w.has_poles and w.faults[sensor] in _OF_OUTPUTS and sensor < SPACES
        if w.faults[sensor] != kinds.ROW_CUT and not is_told_later:
            w.find(w.faults[sensor], sensor)
    for sensor in sorted(w.nosy):
        w.find(kinds.NOSY, sensor, w.nosy[sensor])
    if w.has_matrix:
        w.tell_lines()
    w.tell_exchanges(cells, _KINDS)


def _judge_silent(w: Examination, answers: "dict[int, tuple[int, ...] | None]") -> None:
    """Note of each silent reed what is wrong with it, or that no person was at it."""
    cells, states = w.cells, w.states
    cut = _gone(w)
    silent = [sensor for sensor in range(SENSORS) if cells.known[sensor] < 0]
    cells.complete(SENSORS)
    for sensor in silent:
        cell = cells.known[sensor]
        answer = answers[sensor]
        if sensor in cut:
            w.faults[sensor] = kinds.ROW_CUT
        elif w.unseen[sensor]:
            continue
        elif states.restless[cell]:
            w.faults[sensor] = kinds.FLICKERS
        elif answer is None and not w.reported[sensor]:
            w.unseen[sensor] = _SILENT
        elif states.held[cell]:
            w.faults[sensor] = kinds.STUCK_CLOSED
        elif answer is None or len(answer) > 0:
            w.faults[sensor] = kinds.STUCK_OPEN


_OF_OUTPUTS = (kinds.STUCK_OPEN, kinds.STUCK_CLOSED)
_KINDS = (kinds.TURNED, kinds.GRIDS, kinds.ROWS, kinds.COLUMNS, kinds.EXCHANGED, kinds.MOVED)
