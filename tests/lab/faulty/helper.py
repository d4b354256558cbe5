"""A person who helps the doctor: puts magnets, slides and lifts them, presses, skips, waits.

The person knows the order of the reeds and of the buttons, what the guide says about the lights,
what the lights show, and, with a PC, the words on its screen. Not the board file, nor the wires.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, ClassVar, NamedTuple

from chronotable.hardware.sensors import BUTTON, INPUTS, SENSORS
from chronotable_host.link.doctor_names import STEPS
from chronotable_host.virtual.faulty import eyes
from chronotable_host.virtual.faulty.eyes import Lit
from chronotable_host.virtual.faulty.table import FaultyTable
from ttykm.layout import BLACK, WHITE

CHUNK_MS = 50.0
GLANCE_MS = 200.0
"""Enough for where a light is, and for its colour."""


class Pace(NamedTuple):
    """How long things take, each from .. to, in ms."""

    react: tuple[int, int] = (150, 600)
    carry: tuple[int, int] = (300, 900)  # a magnet from one space to another
    slide: tuple[int, int] = (900, 1500)
    press: tuple[int, int] = (80, 250)
    patience: tuple[int, int] = (2500, 4000)  # before something is tried once more


HUMAN = Pace()
QUICK = Pace((60, 150), (130, 250), (900, 1100), (80, 150), (1500, 2000))
"""Somebody who has done it often: no longer than the doctor needs to be sure."""

_NEVER = float("inf")
_SLIDES = 3
_LOOKS = 5
_WITH_BLACKS = STEPS.index("poles_black")
_TIMEOUT_MS = 21_000  # the doctor's own patience


class Left(Exception):  # noqa: N818 - no error: somebody goes away
    """Raised where a person leaves the table, perhaps in the middle of a step."""


class Words(NamedTuple):
    """What the PC's screen says."""

    step: int
    asks: str
    about: int
    put: tuple[int, ...]
    done: int


class Helper:
    """One pair of hands and eyes at a table.

    `is_over` tells that the table plays again; with `words` a PC says what to do, and `enter` is
    its Enter key. At `leaves_ms` of table time the person goes away: Left is raised.
    """

    def __init__(self, table: FaultyTable, rng: Random, pace: Pace, is_over: Callable[[], bool]):
        self.table = table
        self.rng = rng
        self.pace = pace
        self.is_over = is_over
        self.deeds: list[str] = []
        self.leaves_ms = _NEVER
        self.piece = WHITE  # whose copy is the magnet in the hand
        self._pressed: int | None = None

    # ---- hands

    def go_away(self) -> None:
        """Be gone, with the fingers, but not with what lies on the table."""
        self.leaves_ms = _NEVER
        if self._pressed is not None:
            self.table.finger(self._pressed, False)
            self._pressed = None

    @property
    def lying(self) -> list[int]:
        return [sensor for sensor in range(SENSORS) if self.table.has_magnet(sensor)]

    def take(self, span: tuple[int, int]) -> None:
        self.wait(self.rng.uniform(*span))

    def wait(self, duration_ms: float, until: Callable[[], bool] | None = None) -> bool:
        """Let time pass; with `until` no longer than it takes. Tells whether that has come."""
        end = self.table.now_ms + duration_ms
        while self.table.now_ms < end - 1e-3:
            if until is not None and until():
                return True
            if self.table.now_ms >= self.leaves_ms:
                raise Left
            self.table.run_until(min(end, self.table.now_ms + CHUNK_MS))
        return until is not None and until()

    def place(self, sensor: int) -> None:
        """Put a magnet there, unless one lies there."""
        if not self.table.has_magnet(sensor):
            self.take(self.pace.carry)
            self.table.place(sensor, self.piece)

    def lift(self, *sensors: int) -> None:
        for sensor in sensors:
            if self.table.has_magnet(sensor):
                self.take(self.pace.react)
                self.table.lift(sensor)

    def lay(self, sensors: tuple[int, ...]) -> None:
        """Have magnets there and nowhere else."""
        self.lift(*(sensor for sensor in self.lying if sensor not in sensors))
        for sensor in sensors:
            self.place(sensor)

    def slide(self, sensor: int, until: Callable[[], bool]) -> bool:
        """Slide the magnet about there until something has come of it."""
        for _ in range(_SLIDES):
            duration_ms = self.rng.uniform(*self.pace.slide)
            self.table.slide(sensor, duration_ms)
            if self.wait(duration_ms + CHUNK_MS, until):
                return True
        return False

    def press(self, sensor: int) -> None:
        self.take(self.pace.react)
        self.table.finger(sensor, True)
        self._pressed = sensor
        self.take(self.pace.press)
        self.table.finger(sensor, False)
        self._pressed = None

    # ---- eyes

    def look(self) -> dict[int, Lit]:
        """Look until the lights have said the same for as long as it takes to know a rhythm."""
        for _ in range(_LOOKS):
            self.wait(eyes.LOOK_MS)
            views = self.table.views(eyes.LOOK_MS)
            middle = self.table.now_ms - eyes.LOOK_MS / 2
            halves = (
                [view for view in views if view.t_ms <= middle],
                [view for view in views if view.t_ms >= middle],
            )
            lit = eyes.look(views)
            if all(half and set(eyes.look(half)) == set(lit) for half in halves):
                break
        return lit

    def glance(self) -> dict[int, Lit]:
        """Look for a moment: which lights are on, and in which colours."""
        self.wait(GLANCE_MS)
        return eyes.look(self.table.views(GLANCE_MS))


class Led(Helper):
    """Somebody who is led by a PC: `read` returns its words, None while there are none.

    `enter` presses its Enter key.
    """

    def __init__(
        self,
        table: FaultyTable,
        rng: Random,
        pace: Pace,
        is_over: Callable[[], bool],
        read: Callable[[], dict[str, Any] | None],
        enter: Callable[[], None],
    ) -> None:
        super().__init__(table, rng, pace, is_over)
        self._read = read
        self._enter = enter
        self._tries: dict[Words, int] = {}
        self._last: Words | None = None
        self._skipped: set[tuple[int, int]] = set()  # step, and what it was about

    def help(self, limit_ms: float) -> None:
        """Do what is asked until it is over, or for so long."""
        end = self.table.now_ms + limit_ms
        while not self.is_over() and self.table.now_ms < end:
            words = self.words()
            if words is not None:
                if words != self._last:
                    self.deeds.append(f"{self.table.now_ms:.0f} {words}")
                    self._last = words
                self.take(self.pace.react)
                self.piece = BLACK if words.step == _WITH_BLACKS else WHITE
                self._DEEDS[words.asks](self, words)
            else:
                self.wait(CHUNK_MS)

    def words(self) -> Words | None:
        step = self._read()
        if step is None:
            return None
        return Words(step["step"], step["asks"], step["about"], tuple(step["put"]), step["done"])

    def _goes_on(self, words: Words) -> Callable[[], bool]:
        return lambda: self.is_over() or self.words() != words

    def _answered(self, words: Words, wait_ms: float) -> bool:
        return self.wait(wait_ms, self._goes_on(words))

    def _skip(self, words: Words) -> None:
        """Nothing answers: press Enter, a button that may work, or wait once for it to go on."""
        self.deeds.append(f"{self.table.now_ms:.0f} skip")
        how = self.rng.random()
        is_first = (words.step, words.about) not in self._skipped and words.asks != "c"
        self._skipped.add((words.step, words.about))
        if how < 0.15 and words.step not in (0, 5):
            self.press(self.rng.randrange(BUTTON, INPUTS))
            if self._answered(words, 800):
                return
        elif how < 0.2 and is_first and self._answered(words, _TIMEOUT_MS):
            return
        if not self._goes_on(words)():
            self._enter()
            self._answered(words, 1500)

    def _has_tried(self, words: Words, often: int) -> bool:
        tries = self._tries[words] = self._tries.get(words, 0) + 1
        if tries > often:
            self._tries[words] = 0
        return tries > often

    # ---- what is asked

    def _clear(self, words: Words) -> None:
        self.lift(*self.lying)
        patience_ms = self.rng.uniform(*self.pace.patience)
        if not self._answered(words, 2 * patience_ms) and words.about < INPUTS:
            self._skip(words)

    def _take_off(self, words: Words) -> None:
        self.lift(*self.lying)
        if not self._answered(words, self.rng.uniform(*self.pace.patience)):
            self._skip(words)

    def _put(self, words: Words) -> None:
        if words.step == 1:
            self._visit(words)
        else:
            self._corners(words)

    def _visit(self, words: Words) -> None:
        self.lay((words.about,))
        if self.slide(words.about, self._goes_on(words)):
            return
        self.lift(words.about)
        self.take(self.pace.carry)
        if not self._goes_on(words)() and self._has_tried(words, 1):
            self._skip(words)

    def _lift(self, words: Words) -> None:
        self.lift(*self.lying)
        self._answered(words, self.rng.uniform(*self.pace.patience))

    def _again(self, words: Words) -> None:
        self.lift(*self.lying)
        self.take(self.pace.carry)
        self._visit(words)

    def _corners(self, words: Words) -> None:
        self.lay(words.put)
        if not self._answered(words, 7000):
            self.lift(*self.lying)
            if self._has_tried(words, 1):
                self._skip(words)

    def _on_light(
        self,
        words: Words,
        wanted: Callable[[dict[int, Lit]], list[int]],
        needs_rhythm: bool = False,
    ) -> None:
        there = wanted(self.look() if needs_rhythm else self.glance())
        if self._goes_on(words)():
            return
        if len(there) == 1:
            self.lay((there[0],))
            if self._answered(words, self.rng.uniform(*self.pace.patience)):
                return
            self.lift(*self.lying)
        if self._has_tried(words, 1):
            self._skip(words)

    def _one_light(self, words: Words) -> None:
        def wanted(lit: dict[int, Lit]) -> list[int]:
            return [at for at, light in lit.items() if light.colour == eyes.WHITE]

        self._on_light(words, wanted)

    def _choice(self, words: Words) -> None:
        def wanted(lit: dict[int, Lit]) -> list[int]:
            steady = [at for at, light in lit.items() if light == Lit(eyes.WHITE, eyes.STEADY)]
            return steady or [at for at, light in lit.items() if light.rhythm == eyes.BLINKING]

        self._on_light(words, wanted, needs_rhythm=True)

    def _coloured(self, words: Words) -> None:
        colour = eyes.RED if words.asks == "r" else eyes.GREEN
        self._on_light(words, lambda lit: [at for at in lit if lit[at].colour == colour])

    def _button(self, words: Words) -> None:
        self.lift(*self.lying)
        self.press(words.about)
        if self._answered(words, 900) or not self._has_tried(words, 2):
            return
        self.deeds.append(f"{self.table.now_ms:.0f} skip")
        if self.rng.random() < 0.3:
            space = self.rng.randrange(SENSORS)
            self.place(space)
            self._answered(words, 800)
            self.lift(space)
            if self._answered(words, 300):
                return
        self._enter()
        self._answered(words, 1500)

    def _watch(self, words: Words) -> None:
        self._answered(words, 1000)

    _DEEDS: ClassVar[dict[str, Callable[[Led, Words], None]]] = {
        "d": _clear,
        "p": _put,
        "l": _lift,
        "a": _again,
        "z": _take_off,
        "m": _one_light,
        "c": _choice,
        "r": _coloured,
        "g": _coloured,
        "b": _button,
        "w": _watch,
    }
