"""Whole games while the line, the PC or the table fails; what befalls them is seeded.

The players are those of the sensing figures, with quick hands: they look at the lights and do what
is asked. Now and then they take a turn back, resign, agree on a draw, or have the PC say so.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from chronotable import tracker
from chronotable.frames import LocalLinkError
from chronotable.packed import pack_position
from chronotable.sensors import BUTTON, BUTTONS, FOCUS, SENSORS, SHARED, SPACES
from chronotable.table import SETTINGS
from chronotable.wiring import Board
from chronotable_host.bench.line_pair import Pair, expect
from chronotable_host.bench.positions import random_game
from chronotable_host.virtual.account import LOST, TWIN, WRONG
from chronotable_host.virtual.hand import Gesture, Hand
from chronotable_host.virtual.person import Person
from chronotable_host.virtual.place import (
    OVER,
    PROVISIONAL,
    QUESTION,
    SET_UP,
    TURN,
    Told,
    is_asking,
)
from chronotable_host.virtual.steps import lying
from ttykm import layout
from ttykm.game import Game
from ttykm.layout import NOBODY
from ttykm.notation import OPTIONS

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
_START_MS = 1000  # of a table: so long it has no port
_LATE_MS = 20_000  # a PC may be started so late

_QUICK_MS = (80, 200)  # between gestures
_SETTLED_MS = 600
_PRESS_MS = 100
_PC_PATIENCE_MS = 150_000
_SLOW_MS = 3000
_SET = 0.5  # of all turns
_SETTLE, _SETTLE_MS = SETTINGS.index("settle_ms"), 250
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


class LinePlace:
    """The table of a pair as a place to play at; while time passes there, things befall it."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.faults: Faults | None = None
        self._told = Told()

    @property
    def now_ms(self) -> float:
        """The time."""
        return self.pair.now_ms

    @property
    def _tracker(self) -> tracker.Tracker:
        return self.pair.table.table.tracker

    @property
    def game(self) -> Game:
        """The table's game."""
        return self.pair.table.table.game

    @property
    def provisional(self) -> int | None:
        """The turn that stands but is not final."""
        return self.pair.table.table.standing

    @property
    def choices(self) -> list[int]:
        """The question that the LEDs show."""
        is_open = self._tracker.phase == tracker.QUESTION and is_asking(self.picture())
        return list(self._tracker.choices) if is_open else []

    @property
    def phase(self) -> str:
        """What the tracker waits for."""
        return (SET_UP, TURN, PROVISIONAL, QUESTION, OVER)[self._tracker.phase]

    def told(self) -> Told:
        """Return what was told: nothing that matters here."""
        return self._told

    def picture(self) -> bytes:
        """Return what the LEDs show."""
        return bytes(self.pair.table.table.hints.leds[:SENSORS])

    def start(self, state: array[int], options: int) -> None:
        """Put a position up, and switch the table on; there is no other way to begin."""
        expect(not self.pair.table.boots, "the table has lost the game")
        expect(options == 0, "a table begins without options")
        self.pair.table.lies = set(lying(state))
        self.pair.table.power_on()
        self.wait(_SETTLED_MS)

    def wait(self, duration_ms: int) -> None:
        """Let time pass."""
        end_ms = self.pair.now_ms + duration_ms
        while self.pair.now_ms < end_ms:
            self.pair.step()
            if self.faults is not None:
                self.faults.step()

    def lift(self, sensor: int) -> None:
        """Take something away."""
        self.pair.move(sensor, False)

    def place(self, sensor: int) -> None:
        """Put something there."""
        self.pair.move(sensor, True)

    def press(self, name: str, side: int) -> None:
        """Press a button and let go of it."""
        number = next(
            BUTTONS.index(each) for each in ((name, side), (name, SHARED)) if each in BUTTONS
        )
        self.pair.move(BUTTON + number, True)
        self.wait(_PRESS_MS)
        self.pair.move(BUTTON + number, False)

    def break_reed(self, sensor: int, how: bool | str) -> None:
        """Nothing breaks here."""
        raise NotImplementedError


class _QuickHand(Hand):
    def pause_ms(self) -> int:
        return self.rng.randint(*_QUICK_MS)


class Players(Person):
    """Both players of a pair's games, who sometimes have the PC speak for them."""

    def __init__(self, place: LinePlace, rng: Random) -> None:
        super().__init__(place, rng)
        self.at = place
        self.hand = self._careful = _QuickHand(rng)
        self.did: Counter[str] = Counter()

    def take(self, turn: int) -> None:
        """Act a turn out; that it is understood is taken for granted here."""
        self.take_turn(turn)
        for what in (WRONG, LOST, TWIN):
            expect(not self.account.of(what), f"a turn was {what}")

    def wait_until(self, is_so: Callable[[], bool], most_ms: int = 5000) -> bool:
        """Wait for something; return whether it came."""
        end_ms = self.place.now_ms + most_ms
        while not is_so() and self.place.now_ms < end_ms:
            self.place.wait(_PRESS_MS // 2)
        return is_so()

    def rest(self) -> None:
        """Wait until the last turn is final; then the table has the game that was meant.

        Its turns may be written otherwise: there are two ways to go around a corner.
        """
        self.wait_until(lambda: self.place.provisional is None)
        has = self.place.game
        expect(has.state == self.game.state, "the table has another position than was played")
        expect(len(has.turns) == len(self.game.turns), "the table has lost turns")

    def take_back(self, by_pc: bool = False) -> None:
        """Take the last turn back, which the other player agrees to, and put the pieces back."""
        number = len(self.game.turns)
        if not (by_pc and self._have_pc_say(lambda: self._turns() < number, "undo")):
            self.place.press("undo", self.game.mover)
        self.did["taken back"] += 1
        self.game.undo()
        self._arrange(lying(self.game.state))
        self.rest()

    def take_back_by_pc(self) -> None:
        """Have the PC take the last turn back, wait for as long as that may take, put it back."""
        self.at.pair.say("undo")
        self.place.wait(_SLOW_MS)
        self.did["taken back by the PC"] += 1
        self.game.undo()
        self._arrange(lying(self.game.state))
        self.rest()

    def have_pc_set(self) -> None:
        """Have the PC set what is so already: a command like any other."""
        process = self.at.pair.pc.process
        if process is not None and process.player.is_there:
            with suppress(LocalLinkError):  # too many wait
                process.session.command("set", setting=_SETTLE, value=_SETTLE_MS)

    def _turns(self) -> int:
        return len(self.place.game.turns)

    def lift_marker_again(self) -> None:
        """Take a final turn back with the own marker, and end it again."""
        owner = 1 - self.game.mover
        spot = FOCUS + 3 * owner + layout.focus(self.game.state, owner)
        self.place.lift(spot)
        self.place.wait(4 * _PRESS_MS)
        number = len(self.game.turns) - 1
        expect(self._turns() == number, "the turn does not go on")
        self.place.place(spot)
        self.did["marker lifted again"] += 1
        expect(self._verdict(self.game.state, number) == "", "the turn is not taken again")
        self.rest()

    def restart(self, turn: int | None = None) -> None:
        """Let the table restart; in the middle of `turn`, if it is given."""
        self.rest()
        if turn is not None:
            gestures = self.hand.act_out(self.game, turn)
            for gesture in gestures[: self.rng.randint(1, len(gestures) - 1)]:
                self._do(gesture)
        pair = self.at.pair
        self.did["restarts in mid-turn" if turn else "restarts"] += 1
        if self.rng.random() < 0.7:
            pair.unplug(_START_MS)  # else the port outlives it
        pair.line.restart()
        pair.table.power_on()
        self._arrange(lying(self.game.state))
        self.rest()
        expect(self.place.phase == TURN, f"the game does not go on, but {self.place.phase}")

    def end_early(self) -> None:
        """Resign, or agree on a draw."""
        side = self.rng.randrange(2)
        if self.rng.random() < 0.3:
            self.place.press("draw", side)
            self.place.press("draw", 1 - side)
        elif self.rng.random() < 0.5 or not self._have_pc_say(
            lambda: self.place.phase == OVER, "resign", side="wb"[side]
        ):
            self.place.press("resign", side)
        expect(self.wait_until(lambda: self.place.phase == OVER), "the game does not end")

    def begin_again(self, by_pc: bool) -> None:
        """Begin another game; the PC may name any position and any options."""
        state, options = layout.new_state(), 0
        if by_pc:
            if self.rng.random() < 0.5:
                state = random_game(self.rng.randrange(1000), 10).state
            options = self.rng.randrange(1 << len(OPTIONS))
            by_pc = self._have_pc_say(
                self._is_new, "new_game", position=pack_position(state), options=options
            )
        if not by_pc:
            if self.place.phase != OVER:
                return
            state, options = layout.new_state(), 0
        self.game.start(state, options)
        for sensor in [at for at in self.board if at < SPACES]:  # the last marker is no take-back
            self._do(Gesture(self.hand.pause_ms(), sensor, False, self.board[sensor]))
        self._arrange(lying(state))
        self.did["new games by the PC" if by_pc else "new games"] += 1
        expect(self.wait_until(lambda: self.place.phase == TURN), "no game begins")
        self.rest()

    def _is_new(self) -> bool:
        return self.place.phase == SET_UP

    def _have_pc_say(self, is_done: Callable[[], bool], name: str, **fields: Any) -> bool:
        """Have the PC send a command; return whether the table did it.

        It is done once, or the program was killed before it could see to that.
        """
        pc, table = self.at.pair.pc, self.at.pair.table
        process = pc.process
        if process is None or not process.player.is_there:
            return False
        if process.mirror.boot != table.boots[-1]:  # it is about to hear of a restart
            return False
        try:
            process.session.command(name, **fields)
        except LocalLinkError:
            return False
        self.did["commands"] += 1
        self.wait_until(lambda: is_done() or pc.process is not process, _PC_PATIENCE_MS)
        expect(is_done() or pc.process is not process, f"the table does not '{name}'")
        self.wait_until(is_done, 1000)
        return is_done()


# ---------------------------------------------------------------- a job


class Outcome(NamedTuple):
    """What came of a job: figures by name, and what was wrong, "" for nothing."""

    counts: Counter[str]
    problem: str = ""


def play(kind: str, seed: int, folder: Path, board: Board) -> Outcome:
    """Play a game, and most times the beginning of another, while this kind of things happens."""
    rng = Random(f"{kind} {seed}")
    pair = Pair(folder, board, rng, keeps_events=seed % 3 == 0)
    place = LinePlace(pair)
    players = Players(place, rng)
    problem = ""
    faults = Faults(pair, kind, rng)
    try:
        if kind != NONE and rng.random() < 0.2:
            pair.pc.starts_ms = rng.randint(0, _LATE_MS)
        players.begin(layout.new_state())
        place.faults = faults
        _play(players, faults, rng, _MOST_TURNS)
        if rng.random() < 0.7:
            if rng.random() < 0.3 and players.game.winner() != NOBODY:
                players.lift_marker_again()
            players.begin_again(by_pc=rng.random() < 0.5)
            _play(players, faults, rng, rng.randint(*_SECOND_GAME))
        faults.end()
        took_ms = pair.settle()
        _see_what_was_counted(pair, kind)
    except AssertionError as error:
        problem, took_ms = str(error) or repr(error), 0
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
