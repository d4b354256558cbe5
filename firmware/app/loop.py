"""The loop: edges to the table, frames to the LEDs, lines to and from the PC; nothing waits.

The scan runs in its interrupt whatever happens here. One round takes well under a scan period
when nothing happened; what happened is answered in the order reed, light, PC.
"""

import gc
from time import sleep_ms, sleep_us, ticks_diff, ticks_ms

from machine import reset
from micropython import const

import watchdog
from chip import entropy, report, unload
from chronotable.hardware.debounce import ROWS
from chronotable.journal.journal import Journal
from chronotable.lights.light import Light
from flash import Flash
from leds import Leds
from scan import Scanner

_SPARED = ("chronotable.journal.pages", "chronotable.link.unpacked", "ttykm.box", "ttykm.moves")
"""What a game with modules needs seldom or never: it is short of memory, and loads them again."""

_SELDOM = (
    "chronotable.core.candidates",
    "chronotable.core.commands",
    "chronotable.core.doubts",
    "chronotable.core.faults",
    "chronotable.core.whole_pictures",
)
"""What few turns need."""

_FRAME_MS = const(40)
_STILL_FRAME_MS = const(500)  # a still picture is sent again, in case a glitch hit the chain
_LINK_MS = const(10)
_EDGES_KEPT = const(24)
_QUIET_MS = const(250)
_REST_MS = const(4)  # between rounds: less than a scan period, and the chip sleeps
_LOOK_US = const(500)
_LOOKS = const(40)  # at most, at changes that nearly count: a reed may flicker for ever


class Loop:
    """Everything that runs on the table, built from its board file and its settings."""

    def __init__(self) -> None:
        import about  # neither this nor `startup` for longer
        import chronotable.journal.pages  # noqa: F401 - loaded when the PC gets a game, it delays the lights
        import startup

        board, board_hash = about.read_board()
        light = Light(board.led_of, board.colour_order, board.max_ma, board.channel_ma)
        self.link = about.make_link(board, board_hash)
        self.usb = about.make_usb()
        journal = Journal(Flash(), self.link.hello.boot)
        self.table = startup.make_table(board, light, self.link, entropy, journal)
        self.scan_ms = board.scan_ms
        startup.configure(self.table)
        unload("about", "startup", "slots", "chronotable.core.commands")
        unload("chronotable.journal.reader", "chronotable.link.unpacked", "ttykm.box")
        poles = self.table.tracker.evidence.poles
        self.scanner = Scanner(board, None if poles is None else poles.feel)
        # changes that two scans have seen, or more, of five
        self._nearly = memoryview(self.scanner.debouncer.memory)[2 * ROWS : 4 * ROWS]
        self.leds = Leds(board.led_pin, light.frame)
        self._ticks = ticks_ms()
        self.now_ms = ticks_diff(self._ticks, watchdog.begun)  # table time counts from the start
        self._frame_ms = 0
        self._frame_period_ms = _FRAME_MS
        self._link_ms = 0
        self._rest_ms = _REST_MS
        self._edges = 0  # rounds with edges since the last collection
        self._edge_ms = 0
        self._report_due = True
        self.slowest_ms = 0

    def run(self) -> None:
        """Run for ever."""
        gc.collect()
        gc.threshold(-1)  # from now on `_tidy_up` knows better when
        self.link.open(self.now_ms)
        self.table.tracker.begin_at(self.now_ms)
        self.scanner.start()
        ring = self.scanner.debouncer.ring
        self.watchdog = watchdog.Watchdog(ring, self.link, self.now_ms)
        while True:
            self.round()
            self._rest()

    def _rest(self) -> None:
        """Wait for the next round, or until an edge waits.

        While a change is about to count nothing is begun that its light would wait for. What is
        thrown away meanwhile leads MicroPython past the memory that is in use: its search begins
        behind the last small piece that it found, and else takes a millisecond each time.
        """
        ring = self.scanner.debouncer.ring
        for _ in range(self._rest_ms):
            sleep_ms(1)
            if ring[0] != ring[1]:
                return
        for _ in range(_LOOKS):
            if ring[0] != ring[1] or not any(self._nearly):
                return
            bytearray()
            sleep_us(_LOOK_US)

    def round(self) -> None:
        """Do what is due now."""
        begun = ticks_ms()
        self.now_ms += ticks_diff(begun, self._ticks)
        self._ticks = begun
        now = self.now_ms
        table = self.table
        debouncer = self.scanner.debouncer
        edge = debouncer.next_edge()
        busy = edge >= 0
        while edge >= 0:
            table.edge(edge & 63, bool(edge & 64), now - (edge >> 7) * self.scan_ms)
            edge = debouncer.next_edge()
        painted = table.step(now)
        if painted or now - self._frame_ms >= self._frame_period_ms:
            self._frame_ms = now
            table.render(now)
            if self.leds.show():
                self.watchdog.shown = True
            self._frame_period_ms = _FRAME_MS if table.light.is_moving() else _STILL_FRAME_MS
        if busy or painted or now - self._link_ms >= _LINK_MS:
            self._serve_link(now)
            self.watchdog.feed(now)
        if busy:
            self._edges += 1
            self._edge_ms = now
        elif not painted:
            self._tidy_up(now)
        took = ticks_diff(ticks_ms(), begun)
        if took > self.slowest_ms:
            self.slowest_ms = took

    def _serve_link(self, now: int) -> None:
        """Read what has come and write what fits, one line at most."""
        self._link_ms = now
        link = self.link
        self.table.tell()
        data = self.usb.read(link.connected, self.scanner.debouncer.ring)
        if data is not None:
            self.table.receive(data, now)
        link.tick(now)
        if self.usb.has_room():
            line = link.data_to_send(1)
            if line:
                self.usb.write(line)
                self._link_ms = now - _LINK_MS  # there may be more
                self._rest_ms = 1
                return
            if self.table.wants_doctor:  # all is written, and the PC has heard that we heard
                watchdog.examine()
                reset()
        seats = self.table.seats
        self._rest_ms = _REST_MS if seats is None else seats.rest_ms

    def _tidy_up(self, now: int) -> None:
        """Collect garbage (some 20 ms) and report on the health, in quiet rounds of their own.

        An edge leaves about 1.5 KB behind; collecting after a turn, or after many edges when the
        hands rest, keeps the automatic collection out of the way between a lift and its light.
        """
        table = self.table
        if self._report_due:
            self._report_due = False
            report(self.link, self.scanner, self.slowest_ms)
        elif table.turn_ended or (self._edges >= _EDGES_KEPT and now - self._edge_ms >= _QUIET_MS):
            self._report_due = table.turn_ended
            table.turn_ended = False
            self._edges = 0
            unload(*_SELDOM)
            if table.game.turn_tree.has_modules:
                unload(*_SPARED)
            if table.unused:
                unload(*table.unused.split())
                table.unused = ""
            gc.collect()
        elif table.wants_restart():
            watchdog.rest()
            reset()


def run() -> None:
    """Build the table and run it."""
    Loop().run()
