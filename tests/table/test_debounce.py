"""The bit-parallel debouncer against an obvious model: one counter per cell."""

from chronotable.hardware.debounce import Debouncer, debounce
from tests.table.tools import Dice, sample

CELLS = range(64)


class Model:
    """Each cell by itself: so many scans in a row that say otherwise are a change."""

    def __init__(self, samples):
        self.samples = samples
        self.closed = [False] * 64
        self.counts = [0] * 64
        self.scans = 0
        self.edges = []  # scan, cell, closed

    def scan(self, raw):
        self.scans += 1
        for cell in CELLS:
            now = bool(raw[cell >> 3] >> (cell & 7) & 1)
            self.counts[cell] = self.counts[cell] + 1 if now != self.closed[cell] else 0
            if self.counts[cell] == self.samples:
                self.counts[cell] = 0
                self.closed[cell] = now
                self.edges.append((self.scans, cell, now))

    def take_edges(self):
        edges, self.edges = self.edges, []
        return edges


def scan(debouncer, raw):
    for row in range(8):
        debouncer.raw[row] = raw[row]
    return debounce(debouncer.raw, debouncer.memory, debouncer.ring, debouncer.samples)


def take_edges(debouncer, scans):
    edges = []
    edge = debouncer.next_edge()
    while edge >= 0:
        edges.append((scans - (edge >> 7), edge & 63, bool(edge & 64)))
        edge = debouncer.next_edge()
    return edges


def close(raw, cell, closed):
    if closed:
        raw[cell >> 3] |= 1 << (cell & 7)
    else:
        raw[cell >> 3] &= ~(1 << (cell & 7)) & 255


def test_it_agrees_with_the_model():
    for samples in range(1, 8):
        for seed in range(sample(6, 1)):
            dice = Dice(100 * samples + seed)
            model, debouncer = Model(samples), Debouncer(samples)
            raw = bytearray(8)
            for number in range(sample(400, 25)):
                for _ in range(dice.roll(4)):
                    close(raw, dice.roll(64), dice.roll(2) == 1)
                before = len(model.edges)
                model.scan(raw)
                where = (samples, seed, number)
                assert scan(debouncer, raw) == len(model.edges) - before, where
                if dice.roll(8) == 0:
                    assert take_edges(debouncer, model.scans) == model.take_edges(), where
                assert [debouncer.is_closed(cell) for cell in CELLS] == model.closed, where
            assert take_edges(debouncer, model.scans) == model.take_edges(), (samples, seed)
            assert debouncer.ring[3] == 0, (samples, seed)


def test_a_full_ring_keeps_the_oldest_and_makes_good_for_the_rest():
    debouncer = Debouncer(1)
    full, empty = bytearray([255] * 8), bytearray(8)
    assert scan(debouncer, full) == 64
    assert scan(debouncer, empty) == 64
    edges = take_edges(debouncer, 2)
    assert [cell for _, cell, _ in edges] == 2 * list(CELLS)
    assert all(closed for _, _, closed in edges[:64])
    assert not any(closed for _, _, closed in edges[64:])
    scan(debouncer, full)
    assert len(take_edges(debouncer, 3)) == 64, "it goes on"


def test_whatever_is_lost_the_reader_ends_with_the_state():
    for seed in range(sample(40, 3)):
        dice = Dice(seed)
        debouncer = Debouncer(1)
        known = [False] * 64
        raw = bytearray(8)
        for number in range(200):
            for _ in range(dice.roll(40)):
                close(raw, dice.roll(64), dice.roll(2) == 1)
            scan(debouncer, raw)
            if dice.roll(10) == 0:
                for _, cell, closed in take_edges(debouncer, number):
                    assert known[cell] != closed, (seed, number, "nothing is told twice")
                    known[cell] = closed
                assert known == [debouncer.is_closed(cell) for cell in CELLS], (seed, number)


def test_the_ring_goes_round():
    debouncer = Debouncer(1)
    raw = bytearray(8)
    for number in range(sample(70000, 700)):
        close(raw, number & 63, not raw[(number & 63) >> 3] >> (number & 7) & 1)
        scan(debouncer, raw)
        edge = debouncer.next_edge()
        assert edge >= 0 and edge & 63 == number & 63 and edge >> 7 == 0, number
        assert debouncer.next_edge() == -1, number


def test_ages_are_right_when_the_ticks_go_round():
    debouncer = Debouncer(1)
    debouncer.ring[2] = 0x3FFFFE
    raw = bytearray(8)
    close(raw, 5, True)
    scan(debouncer, raw)
    for _ in range(3):
        scan(debouncer, raw)
    assert debouncer.ring[2] == 2
    assert debouncer.next_edge() == 3 << 7 | 64 | 5


def refuses(samples):
    try:
        Debouncer(samples)
    except ValueError as error:
        return str(samples) in str(error)
    return False


def test_other_sample_counts_are_refused():
    for samples in (0, 8, -1):
        assert refuses(samples), samples
