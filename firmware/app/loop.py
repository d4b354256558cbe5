"""The loop: edges to the table, frames to the LEDs, lines to and from the PC; nothing waits.

The scan runs in its interrupt whatever happens here. One round takes well under a scan period
when nothing happened; what happened is answered in the order reed, light, PC.
"""

import binascii
import gc
import json
import os
import sys
from time import sleep_ms, ticks_diff, ticks_ms

import machine

from chronotable.light import Light
from chronotable.link import TABLE, Identity, Link
from chronotable.table import SETTINGS, Table
from leds import Leds
from matrix import Matrix
from ttykm.game import RULES_VERSION
from ttykm.notation import parse_options, parse_position
from usb import Usb

if False:
    from chronotable.wiring import Board

FIRMWARE_VERSION = "0.1.0"

_FRAME_MS = 40
_STILL_FRAME_MS = 500  # a still picture is sent again, in case a glitch hit the chain
_LINK_MS = 10
_EDGES_KEPT = 24
_QUIET_MS = 250
_REST_MS = 4  # between rounds: less than a scan period, and the chip sleeps


def read_json(name: str) -> "dict[str, object]":
    """Return the object in a file of the flash, {} where there is none."""
    try:
        with open(name) as file:
            data = json.load(file)
            return data if isinstance(data, dict) else {}
    except OSError:
        return {}


def read_board() -> "tuple[Board, int]":
    """Return what the board file says, and its hash; what reads it gives its memory back."""
    from chronotable import board as reader  # not for longer than this

    board = reader.load(read_json("board.json"))
    board_hash = reader.board_hash(board)
    sys.modules.pop("chronotable.board", None)
    package = sys.modules.get("chronotable")
    if package is not None:
        del package.board
    return board, board_hash


def entropy() -> int:
    """Return 32 random bits."""
    return int.from_bytes(os.urandom(4), "little")


class Loop:
    """Everything that runs on the table, built from its board file and its settings."""

    def __init__(self) -> None:
        board, board_hash = read_board()
        light = Light(board.led_of, board.colour_order, board.max_ma, board.channel_ma)
        boot = entropy() & 0xFFFF or 1
        identity = Identity(
            board.name[:12],
            board_hash,
            binascii.hexlify(machine.unique_id()[-6:]).decode(),
            RULES_VERSION,
            boot,
        )
        self.link = Link(TABLE, identity)
        self.table = Table(board, light, self.link, entropy)
        self.scan_ms = board.scan_ms
        self._configure(read_json("settings.json"))
        self.matrix = Matrix(board)
        self.leds = Leds(board.led_pin, light.frame)
        self.usb = Usb()
        self._ticks = ticks_ms()
        self.now_ms = ticks_diff(self._ticks, 0)  # table time counts from power-on
        self._frame_ms = 0
        self._frame_period_ms = _FRAME_MS
        self._link_ms = 0
        self._rest_ms = _REST_MS
        self._edges = 0  # rounds with edges since the last collection
        self._edge_ms = 0
        self._report_due = True
        self.slowest_ms = 0
        self.link.send(
            "about",
            firmware=FIRMWARE_VERSION,
            micropython="%d.%d.%d" % tuple(sys.implementation.version[:3]),
        )

    def _configure(self, settings: "dict[str, object]") -> None:
        """Apply settings.json: numbers by name, and a position to set up instead of the start."""
        for number, name in enumerate(SETTINGS):
            if name in settings:
                self.table.set(number, int(str(settings[name])))
        options = parse_options(str(settings.get("options", "")))
        if "start" in settings:
            self.table.start(parse_position(str(settings["start"])), options)
        elif options:
            self.table.start(None, options)

    def run(self) -> None:
        """Run for ever."""
        gc.collect()
        self.link.open(self.now_ms)
        self.table.tracker.begin_at(self.now_ms)
        self.matrix.start()
        ring = self.matrix.debouncer.ring
        while True:
            self.round()
            for _ in range(self._rest_ms):
                sleep_ms(1)
                if ring[0] != ring[1]:  # an edge waits
                    break

    def round(self) -> None:
        """Do what is due now."""
        begun = ticks_ms()
        self.now_ms += ticks_diff(begun, self._ticks)
        self._ticks = begun
        now = self.now_ms
        table = self.table
        debouncer = self.matrix.debouncer
        edge = debouncer.next_edge()
        busy = edge >= 0
        while edge >= 0:
            table.edge(edge & 63, bool(edge & 64), now - (edge >> 7) * self.scan_ms)
            edge = debouncer.next_edge()
        painted = table.step(now)
        if painted or now - self._frame_ms >= self._frame_period_ms:
            self._frame_ms = now
            table.render(now)
            self.leds.show()
            self._frame_period_ms = _FRAME_MS if table.light.is_moving() else _STILL_FRAME_MS
        if busy or painted or now - self._link_ms >= _LINK_MS:
            self._serve_link(now)
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
        data = self.usb.read()
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
        self._rest_ms = _REST_MS

    def _tidy_up(self, now: int) -> None:
        """Collect garbage (some 20 ms) and report on the health, in quiet rounds of their own.

        An edge leaves about 1.5 KB behind; collecting after a turn, or after many edges when the
        hands rest, keeps the automatic collection out of the way between a lift and its light.
        """
        table = self.table
        if self._report_due:
            self._report_due = False
            self._report()
        elif table.turn_ended or (self._edges >= _EDGES_KEPT and now - self._edge_ms >= _QUIET_MS):
            self._report_due = table.turn_ended
            table.turn_ended = False
            self._edges = 0
            gc.collect()

    def _report(self) -> None:
        """Send the counters; `mem_free` takes 8 ms, the scan goes on meanwhile."""
        counters = self.link.counters
        self.link.send(
            "counters",
            scan_max_us=min(0xFFFF, self.matrix.slowest_us),
            loop_max_ms=min(0xFFFF, self.slowest_ms),
            heap_free=gc.mem_free(),
            crc_errors=min(0xFFFF, counters["crc_errors"]),
            overlong=min(0xFFFF, counters["overlong"]),
            resends=min(0xFFFF, counters["resends"]),
            gaps=min(0xFFFF, counters["gaps"]),
            rx_overflow=min(0xFFFF, counters["rx_overflow"]),
            tx_dropped=min(0xFFFF, counters["tx_dropped"]),
            reset_cause=machine.reset_cause(),
        )


def run() -> None:
    """Build the table and run it."""
    Loop().run()
