"""Debouncing the whole matrix at once, for the scan interrupt: no allocation, no float, no call.

Each cell has an integrator: a change counts when `samples` scans in a row say the same (five at
5 ms are 20 ms; contact bounce itself is under 1 ms, the rest is magnets at the edge of a reed's
field). The counters lie bit-parallel, in three bit planes, and four rows are counted at once.
"""

from array import array

from ttykm.mp import const, micropython, ptr8, ptr32

ROWS = const(8)
_RING = const(64)  # edges; a power of two
_MAX_SAMPLES = const(7)

_TICK_MASK = const(0x3FFFFF)
_REPORTED = const(32)  # in `memory`: the rows as the edges that were read tell them


@micropython.viper
def debounce(raw: ptr8, memory: ptr8, ring: ptr32, samples: int) -> int:
    """Take one scan, 8 bytes in `raw` with a 1 for each closed cell, and note changes in `ring`.

    `memory` holds 5 x 8 bytes: the debounced rows, three planes of counters, and what is the
    reader's. `ring` is laid out as in `Debouncer`; its tick counts the scans. Returns the number of
    changes.
    """
    tick = (ring[2] + 1) & 0x3FFFFF
    ring[2] = tick
    changes = 0
    rows = ptr32(raw)  # type: ignore[call-overload]  # viper: the same bytes as words
    words = ptr32(memory)  # type: ignore[call-overload]
    for word in range(2):
        state = words[word]
        differs = rows[word] ^ state
        low = words[word + 2]
        middle = words[word + 4]
        high = words[word + 6]
        if differs | low | middle | high:
            # count up where the scan differs, start again where it agrees
            carry = differs & low
            low = differs ^ carry
            high = (high ^ (middle & carry)) & differs
            middle = (middle ^ carry) & differs
            done = differs
            done = done & low if samples & 1 else done ^ (done & low)
            done = done & middle if samples & 2 else done ^ (done & middle)
            done = done & high if samples & 4 else done ^ (done & high)
            if done:
                state ^= done
                words[word] = state
                low ^= low & done
                middle ^= middle & done
                high ^= high & done
                cell = 0
                while cell < 32:
                    if (done >> cell) & 255 == 0:
                        cell += 8
                        continue
                    if (done >> cell) & 1:
                        changes += 1
                        head = ring[0]
                        if (head - ring[1]) & 0xFFFF >= 64:
                            ring[3] = ring[3] + 1  # lost: the reader compares instead
                        else:
                            closed = (state >> cell) & 1
                            ring[4 + (head & 63)] = (tick << 7) | (closed << 6) | (word << 5) | cell
                            ring[0] = (head + 1) & 0xFFFF
                    cell += 1
            words[word + 2] = low
            words[word + 4] = middle
            words[word + 6] = high
    return changes


class Debouncer:
    """The debounced matrix and a ring of its edges, written by the scan and read by the loop.

    `ring`: head, tail, tick of the last scan (22 bits), lost edges, then 64 edges packed as
    tick << 7 | closed << 6 | row << 3 | column.
    """

    def __init__(self, samples: int = 5) -> None:
        if not 1 <= samples <= _MAX_SAMPLES:
            raise ValueError("debouncing takes 1 to 7 samples, not %d" % samples)
        self.samples = samples
        self.raw = bytearray(ROWS)
        self.memory = bytearray(5 * ROWS)
        self.ring = array("I", bytes(4 * (4 + _RING)))

    def next_edge(self) -> int:
        """Return the oldest edge not yet read as age << 7 | closed << 6 | cell, or -1.

        The age counts scans since the edge; the cell is row * 8 + column. Where edges were lost, as
        the ring was full, a cell whose state is not the one reported last follows as a new edge.
        """
        ring = self.ring
        while ring[1] != ring[0]:
            edge = ring[4 + (ring[1] & 63)]
            ring[1] = ring[1] + 1 & 0xFFFF
            if self._report(edge & 63, edge >> 6 & 1):  # else it was among what followed
                return (ring[2] - (edge >> 7) & _TICK_MASK) << 7 | edge & 127
        if ring[3]:
            for cell in range(8 * ROWS):
                closed = self.is_closed(cell)
                if self._report(cell, closed):
                    return closed << 6 | cell
            ring[3] = 0
        return -1

    def _report(self, cell: int, closed: int) -> bool:
        """Note the state of a cell as reported; return False where it had been reported."""
        row = _REPORTED + (cell >> 3)
        reported = self.memory[row]
        self.memory[row] = reported & ~(1 << (cell & 7)) | closed << (cell & 7)
        return self.memory[row] != reported

    def is_closed(self, cell: int) -> bool:
        """Tell whether a cell is closed, debounced."""
        return bool(self.memory[cell >> 3] >> (cell & 7) & 1)
