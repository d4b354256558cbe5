"""Where each sensor and LED really is wired to, and which exchange of wires explains that.

A map is about cells (of reeds and buttons) or about places in the LED chain (of LEDs).
"""

from chronotable.hardware.sensors import INPUTS, SPACES
from ttykm.mp import const

if False:
    from collections.abc import Iterator

    Move = tuple[bytearray, int, int]

_ENOUGH = const(4)  # an exchange of many wires at once has to explain so many sensors
_SIMPLE = const(2)  # so few faults need no other explanation
_NOWHERE = const(-1)
_ALL_WRONG = const(1000)  # more than there can be exchanges and wrong sensors


def turned(space: int, how: int) -> int:
    """Return where space 0..15 of a grid comes to lie.

    `how` is a sum: 8: every second row runs backwards, 16: every second column; 1: mirrored
    east to west, 2: north to south, 4: rows become columns; in this order.
    """
    if not how:
        return space
    row, column = divmod(space, 4)
    if how & 8 and row & 1:
        column = 3 - column
    if how & 16 and column & 1:
        row = 3 - row
    if how & 1:
        column = 3 - column
    if how & 2:
        row = 3 - row
    return column * 4 + row if how & 4 else row * 4 + column


class WiringMap:
    """Where each sensor is, by sensor, and the exchanges that explain the most of it: `predict`."""

    def __init__(self, in_file: bytearray, ways: int, lines: int) -> None:
        self.in_file = in_file  # where the file has it
        self.known = [_NOWHERE] * len(in_file)  # where it is, as far as that is known yet
        self._ways = ways  # of `turned` that are thought of
        self._lines = lines  # 2 where rows and columns may be exchanged, 1 where only rows
        self._takes_last = False
        self._begin()

    def _begin(self) -> None:
        self.turns = bytearray(3)  # by era
        self.eras = bytearray(range(3))
        self.rows = bytearray(range(8))
        self.columns = bytearray(range(8))

    def predict(self, sensor: int) -> int:
        """Return where a sensor should be."""
        if sensor < SPACES:
            era = sensor >> 4
            sensor = self.eras[era] * 16 + turned(sensor & 15, self.turns[era])
        at = self.in_file[sensor]
        return self.rows[at >> 3] << 3 | self.columns[at & 7] if self._lines else at

    def owner(self, at: int) -> int:
        """Return the sensor that is known to be there, or -1."""
        return self.known.index(at) if at >= 0 and at in self.known else _NOWHERE

    def predicted(self, at: int) -> int:
        """Return the sensor that should be there, or -1."""
        for sensor in range(len(self.in_file)):
            if self.predict(sensor) == at:
                return sensor
        return _NOWHERE

    def explain(self) -> "Iterator[None]":
        """Find the exchanges of grids and lines that explain what is known, a little at a time."""
        best = _ALL_WRONG
        for self._takes_last in (False, True):  # of moves that help the same
            self._begin()
            yield from self._climb()
            count = len(self.exchanges()) + self._count_wrong()
            if count < best:
                best, found = count, (self.turns, self.eras, self.rows, self.columns)
            if best <= _SIMPLE:
                break
        self.turns, self.eras, self.rows, self.columns = found

    def _climb(self) -> "Iterator[None]":
        """Make the moves that help the most, as long as any do."""
        wrong = self._count_wrong()
        while wrong >= _ENOUGH:
            best, move, level = self._try_moves(wrong)
            found = [move]
            yield
            if best > wrong - _ENOUGH:
                found = []
                best = wrong - 2 * _ENOUGH + 1
                for first in level:  # one may hide behind another that does not help alone
                    before = self._make(first)
                    left, second, _ = self._try_moves(wrong)
                    first[0][:] = before
                    if left < best:
                        best, found = left, [first, second]
                    yield
            if not found:
                break
            for move in found:
                self._make(move)
            wrong = best

    def complete(self, count: int) -> None:
        """Take it that what is not known is where it should be, or where a place was left free.

        That of the first `count` sensors.
        """
        for direct in (True, False):
            for sensor in range(count):
                if self.known[sensor] < 0:
                    at = self.predict(sensor)
                    other = self.owner(at)
                    while other >= 0 and not direct:
                        at = self.predict(other)
                        other = self.owner(at)
                    if other < 0:
                        self.known[sensor] = at

    def exchanges(self) -> "list[tuple[int, int, int]]":
        """Return what is exchanged.

        A number and what it is about: 0 an era is turned, and how; 1 two eras, 2 rows, 3 columns
        are exchanged, 4 two sensors; 5 one is where the other should be, and that is all.
        """
        all_of: list[tuple[int, int, int]] = [
            (0, era, self.turns[era]) for era in range(3) if self.turns[era]
        ]
        for kind, exchanged in enumerate((self.eras, self.rows, self.columns)):
            order = bytearray(exchanged)
            for at in range(len(order)):
                while order[at] != at:
                    other = order[at]
                    all_of.append((kind + 1, at, other))
                    order[at], order[other] = order[other], other
        for sensor in range(len(self.in_file)):
            at = self.known[sensor]
            home = self.predict(sensor)
            if at not in (home, _NOWHERE):
                other = self.predicted(at)
                if self.known[other] not in (home, _NOWHERE):
                    all_of.append((5, sensor, other))
                elif sensor < other and self.known[other] == home:
                    all_of.append((4, sensor, other))
        return all_of

    def _try_moves(self, wrong: int) -> "tuple[int, Move, list[Move]]":
        """Return how many are wrong after the best move, that move, and those that do not help."""
        level = []
        best = INPUTS
        found = self.turns, 0, 0
        for move in self._moves():
            before = self._make(move)
            left = self._count_wrong()
            if left == wrong and move[0] != before:
                level.append(move)
            move[0][:] = before
            if left < best + self._takes_last:
                best, found = left, move
        return best, found, level

    def _count_wrong(self) -> int:
        wrong = 0
        known = self.known
        for sensor in range(len(known)):
            if known[sensor] >= 0 and known[sensor] != self.predict(sensor):
                wrong += 1
        return wrong

    def _moves(self) -> "list[Move]":
        moves = [(self.turns, era, how) for era in range(3) for how in range(self._ways)]
        orders = (self.eras, self.rows, self.columns)
        for order in orders[: 1 + self._lines]:
            for a in range(len(order)):
                moves.extend([(order, a, b) for b in range(a)])
        return moves

    def _make(self, move: "Move") -> bytearray:
        """Do it; return what was there before."""
        order, a, b = move
        before = bytearray(order)
        if order is self.turns:
            order[a] = b
        else:
            order[a], order[b] = order[b], order[a]
        return before
