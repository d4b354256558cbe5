"""Whole games while the line, the PC or the table fails; what befalls them is seeded.

The players are those of the sensing figures, with quick hands: they look at the lights and do what
is asked. Now and then they take a turn back, resign, agree on a draw, or have the PC say so.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import NamedTuple

from chronotable.wiring import Board
from tests.lab.line_pair import Pair
from tests.lab.line_players import LinePlace, Players
from tests.lab.line_truth import described, expect
from ttykm import layout
from ttykm.layout import NOBODY

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
_MEAN_MS = 5000  # between two misfortunes
_SHORT_MS = (50, 3000)  # the cable is out
_AWAY_MS = (60_000, 120_000)  # and for so long that the table's memory of events overflows
_AWAY = 0.2  # of all times
_STALL_MS = 500
_LONG_STALL_MS = 30_000
_LATE_MS = 20_000  # a PC may be started so late
_SET = 0.5  # of all turns
_MOST_TURNS = 300
_SECOND_GAME = (0, 12)  # turns
_WEIGHTS = {STALLS: 6, UNPLUGS: 4, GARBAGE: 4, KILLS: 3, LONG_STALLS: 1}
_BANNER = (
    b"\r\nMPY: soft reboot\r\n"
    b"MicroPython v1.26.1 on 2025-09-11; Raspberry Pi Pico with RP2040\r\n"
    b'Type "help()" for more information.\r\n>>> '
)
_PROBES = (b"AT\r\n", b"AT+GCAP\r\nATI\r\n", b"\xff\xff~\x00x\xf0~", b"$0000Hq0100", b"\r\n\r\n")


class Faults:
    """What befalls a pair in a game: on the wires at any time, and in whole now and then."""

    def __init__(self, pair: Pair, kind: str, rng: Random) -> None:
        self.kind = kind
        self.counts: Counter[str] = Counter()
        self._pair = pair
        self._rng = rng
        self._sudden = [what for what in _WEIGHTS if self.has(what)]
        self._next_ms = self._later()
        for wire in (pair.line.to_host, pair.line.to_table):
            wire.flips = _FLIPS if self.has(FLIPS) else 0.0
            wire.drops = wire.cuts = _LINES if self.has(DROPS) else 0.0
            wire.doubles = _LINES if self.has(DOUBLES) else 0.0
            wire.splits = self.has(SPLITS)
        pair.line.keeps_stale = rng.random() < 0.5

    def has(self, what: str) -> bool:
        """Tell whether something befalls this game."""
        return self.kind in (what, ALL)

    def step(self) -> None:
        """Let something happen if it is time."""
        if self._sudden and self._pair.now_ms >= self._next_ms:
            weights = [_WEIGHTS[what] for what in self._sudden]
            (what,) = self._rng.choices(self._sudden, weights)
            self._befall(what)
            self._next_ms = self._later()

    def _later(self) -> int:
        """Return when the next thing happens, the last one being over."""
        pair = self._pair
        over_ms = max(pair.now_ms, pair.stalled_until_ms, pair.replugs_ms, pair.pc.starts_ms)
        return over_ms + round(self._rng.expovariate(1 / _MEAN_MS))

    def _befall(self, what: str) -> None:
        pair, rng = self._pair, self._rng
        self.counts[what] += 1
        if what == STALLS:
            pair.stall(_STALL_MS)
        elif what == LONG_STALLS:
            pair.stall(_LONG_STALL_MS)
        elif what == KILLS:
            pair.pc.kill(self._away_ms())
            if rng.random() < 0.5:  # in the moment before it would have sent something
                pair.line.to_table.cut()
        else:
            pair.unplug(self._away_ms())
            if what == GARBAGE:
                self._litter()

    def _away_ms(self) -> int:
        rng = self._rng
        return rng.randint(*(_AWAY_MS if rng.random() < _AWAY else _SHORT_MS))

    def _litter(self) -> None:
        """Have garbage on the line when it is opened."""
        line, rng = self._pair.line, self._rng
        half = b"$0507E0b1c000012342a1*"[: rng.randint(1, 22)]
        line.garbage = rng.choice((rng.randbytes(rng.randint(1, 300)), half, _BANNER, b""))
        line.noise = rng.choice((rng.randbytes(rng.randint(1, 80)), *_PROBES))

    def end(self) -> None:
        """From now on all is well."""
        pair = self._pair
        self._sudden = []
        for wire in (pair.line.to_host, pair.line.to_table):
            wire.flips = wire.drops = wire.cuts = wire.doubles = 0.0
        pair.stalled_until_ms = 0
        pair.pc.starts_ms = min(pair.pc.starts_ms, pair.now_ms)
        if pair.replugs_ms >= 0:
            pair.replugs_ms = pair.now_ms


# ---------------------------------------------------------------- a job


class Outcome(NamedTuple):
    """What came of a job: figures by name, and what was wrong, "" for nothing."""

    counts: Counter[str]
    problem: str = ""


def play(kind: str, seed: int, folder: Path, board: Board) -> Outcome:
    """Play a game, and most times the beginning of another, while this kind of things happens."""
    rng = Random(f"{kind} {seed}")
    pair = Pair(folder, board, rng, records_events=seed % 3 == 0)
    place = LinePlace(pair)
    players = Players(place, rng)
    problem = ""
    faults = Faults(pair, kind, rng)
    try:
        if kind != NONE and rng.random() < 0.2:
            pair.pc.starts_ms = rng.randint(0, _LATE_MS)
        players.begin(layout.new_state())
        place.befalls = faults.step
        _play(players, faults, rng, _MOST_TURNS)
        if rng.random() < 0.7:
            if rng.random() < 0.3 and players.game.winner() != NOBODY:
                players.lift_marker_again()
            players.begin_again(by_pc=rng.random() < 0.5)
            _play(players, faults, rng, rng.randint(*_SECOND_GAME))
        faults.end()
        took_ms = pair.settle()
        _see_what_was_counted(pair, kind)
    except Exception as error:
        problem, took_ms = described(error), 0
    finally:
        pair.pc.kill(0)
    return Outcome(_counts(pair, players, faults, took_ms), problem)


def _see_what_was_counted(pair: Pair, kind: str) -> None:
    """What no fault explains must not have happened."""
    counts = pair.counts()
    never = ["violations", "unsupported", "mismatch"]
    if kind == NONE:
        never += ["resends", "duplicates", "out_of_order", "crc_errors", "gaps", "log_lines"]
    for name in never:
        expect(not counts[name], f"{counts[name]} {name}")


def _counts(pair: Pair, players: Players, faults: Faults, took_ms: int) -> Counter[str]:
    """Return the figures of a job."""
    found = pair.counts()
    truth = pair.table.truth.values()
    found["games"] = len(truth)
    found["turns"] = sum(len(played.turns) for played in truth)
    found["events"] = pair.table.posted
    found["bytes"] = pair.line.to_host.carried + pair.line.to_table.carried
    found["programs"] = pair.pc.programs
    found["gave up"] = pair.pc.gave_up
    found["seconds"] = round(pair.now_ms / 1000)
    found["settled ms"] = took_ms
    found["unread"] = pair.line.most_unread
    found.update(players.did)
    found.update(faults.counts)
    return found


def _play(players: Players, faults: Faults, rng: Random, most_turns: int) -> None:
    game = players.game
    turns = 0
    while turns < most_turns and game.winner() == NOBODY:
        turn = rng.choice(list(game.legal_turns()))
        fate = rng.random()
        if fate < 0.06 and game.turns:
            players.rest()
            players.take_back(by_pc=fate < 0.04)
            continue
        if fate < 0.08 and game.turns:
            players.rest()
            players.lift_marker_again()
        elif fate < 0.12 and game.turns and faults.has(REBOOTS):
            players.restart(turn if fate < 0.1 else None)
        elif fate < 0.125 and turns > 4:
            players.rest()
            if fate < 0.124:
                players.end_early()
            return
        if rng.random() < _SET:
            players.have_pc_set()
        players.take(turn)
        turns += 1
    players.rest()
