"""What befalls a line between a table and a PC: on its wires at any time, in whole now and then."""

from __future__ import annotations

from random import Random

from tests.lab.line import Pair
from tests.lab.troubles import Trouble, Troubles

FLIPS = "flipped bits"
DROPS = "lines dropped or cut"
DOUBLES = "doubled lines"
SPLITS = "splits"
STALLS = "stalls of 500 ms"
LONG_STALLS = "stalls of 30 s"
GARBAGE = "garbage at open"
UNPLUGS = "the cable pulled out"
KILLS = "the program killed"
REBOOTS = "the table restarted"
ALL = "all at once"
NONE = "a good line"

SINGLE = (
    FLIPS,
    UNPLUGS,
    KILLS,
    REBOOTS,
    LONG_STALLS,
    DROPS,
    GARBAGE,
    STALLS,
    DOUBLES,
    SPLITS,
    NONE,
)
"""What befalls a game where it is but one thing."""

_FLIPS = 0.001  # per byte
_LINES = 0.01  # per line
_PER_MINUTE = 12
_SHORT_MS = (50, 3000)  # the cable is out
_AWAY_MS = (60_000, 120_000)  # and for so long that the table's memory of events overflows
_AWAY = 0.2  # of all times
_STALL_MS = 500
_LONG_STALL_MS = 30_000
_BANNER = (
    b"\r\nMPY: soft reboot\r\n"
    b"MicroPython v1.26.1 on 2025-09-11; Raspberry Pi Pico with RP2040\r\n"
    b'Type "help()" for more information.\r\n>>> '
)
_PROBES = (b"AT\r\n", b"AT+GCAP\r\nATI\r\n", b"\xff\xff~\x00x\xf0~", b"$0000Hq0100", b"\r\n\r\n")


class LineTroubles(Troubles):
    """What befalls a pair, of one kind or all at once; `more` befalls what is at its ends.

    On its wires it befalls `often` times as many lines.
    """

    def __init__(self, pair: Pair, kind: str, rng: Random, *more: Trouble, often: int = 1) -> None:
        self.kind = kind
        self._pair = pair
        for wire in (pair.line.to_host, pair.line.to_table):
            wire.flips = often * _FLIPS if self.has(FLIPS) else 0.0
            wire.drops = wire.cuts = often * _LINES if self.has(DROPS) else 0.0
            wire.doubles = often * _LINES if self.has(DOUBLES) else 0.0
            wire.splits = self.has(SPLITS)
        pair.line.keeps_stale = rng.random() < 0.5
        sudden = (
            Trouble(STALLS, lambda: self._stall(_STALL_MS), share=6),
            Trouble(UNPLUGS, self._unplug, share=4),
            Trouble(GARBAGE, self._litter, share=4),
            Trouble(KILLS, self._kill, share=3),
            Trouble(LONG_STALLS, lambda: self._stall(_LONG_STALL_MS)),
            *more,
        )
        super().__init__(rng, _PER_MINUTE, [each for each in sudden if self.has(each.name)])

    def has(self, what: str) -> bool:
        return self.kind in (what, ALL)

    def _stall(self, for_ms: int) -> float:
        self._pair.stall(for_ms)
        return for_ms / 1000

    def _unplug(self) -> float:
        away_ms = self._away_ms()
        self._pair.unplug(away_ms)
        return away_ms / 1000

    def _kill(self) -> float:
        away_ms = self._away_ms()
        self._pair.pc.kill(away_ms)
        if self._rng.random() < 0.5:  # in the moment before it would have sent something
            self._pair.line.to_table.cut()
        return away_ms / 1000

    def _away_ms(self) -> int:
        rng = self._rng
        return rng.randint(*(_AWAY_MS if rng.random() < _AWAY else _SHORT_MS))

    def _litter(self) -> float:
        """Pull the cable out, and have garbage on the line when it is opened again."""
        away_s = self._unplug()
        line, rng = self._pair.line, self._rng
        half = b"$0507E0b1c000012342a1*"[: rng.randint(1, 22)]
        line.garbage = rng.choice((rng.randbytes(rng.randint(1, 300)), half, _BANNER, b""))
        line.noise = rng.choice((rng.randbytes(rng.randint(1, 80)), *_PROBES))
        return away_s

    def end(self) -> None:
        super().end()
        pair = self._pair
        for wire in (pair.line.to_host, pair.line.to_table):
            wire.flips = wire.drops = wire.cuts = wire.doubles = 0.0
        pair.stalled_until_ms = 0
        pair.pc.starts_ms = min(pair.pc.starts_ms, pair.now_ms)
        if pair.replugs_ms >= 0:
            pair.replugs_ms = pair.now_ms
