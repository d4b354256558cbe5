"""A person at a table without a PC, who knows the guide and goes by the lights alone.

The guide says: take everything off; then each reed in the order past 1 to 16, present, future, then
the focus spots of white and of black; slide the magnet until a light is green, and lift it. A short
press of any button says that something does not answer; it comes once more. Then a magnet belongs
wherever a white light is, and nowhere else; of three colours first on the red one, then on the
green one. Where three focus spots of one player are white the magnet is to be a copy of that
player's, for each space in its order, and another copy where that begins anew. At last the buttons,
of which the lights of the past tell the next one; where that does not answer, a magnet anywhere
says so.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from chronotable.hardware.sensors import BUTTON, FOCUS, INPUTS, SENSORS
from chronotable_host.virtual.faulty import eyes
from chronotable_host.virtual.faulty.eyes import BLINKING, BREATHING, STEADY, WHITE, Lit
from chronotable_host.virtual.faulty.table import FaultyTable
from tests.lab.faulty.helper import GLANCE_MS, Helper, Pace

_SETTLE_MS = 450.0  # from a deed to the lights that answer it; a look over both shows neither
_ANSWER_MS = 1900.0
_TIMEOUT_MS = 22_000.0
_TRIES = 6
_PRESSES = 3
_CORNERS = 4
_BUTTONS = INPUTS - BUTTON
_NEXT_MS = 8000.0  # a light that stays away for so long does not shine

Lights = dict[int, Lit]


class Alone(Helper):
    """One pair of hands and eyes at a table that has no PC."""

    def __init__(
        self, table: FaultyTable, rng: Random, pace: Pace, is_over: Callable[[], bool]
    ) -> None:
        super().__init__(table, rng, pace, is_over)
        self._silent: list[int] = []  # reeds that did not answer
        self._colours = False  # those were shown: what follows are diodes and buttons
        self._touched = 0  # magnets put on colours since they came on
        self._shown = -1  # where a copy belonged last
        self._button: int | None = None  # one that is known to work

    def help(self, limit_ms: float) -> None:
        """Do what the lights ask for until it is over, or for so long."""
        end = self.table.now_ms + limit_ms
        self._begin()
        for sensor in range(SENSORS):
            if not self._visit(sensor):
                self._silent.append(sensor)
        while not self.is_over() and self.table.now_ms < end:
            self.wait(_SETTLE_MS)
            self._follow(self.look())

    # ---- eyes

    def _is_green(self) -> bool:
        """Tell whether a light says that the magnet was felt; its colour may be another as yet."""
        lit = eyes.look(self.table.views(GLANCE_MS))
        return any(light.colour != WHITE and light.rhythm == STEADY for light in lit.values())

    def _changes(self, lit: Lights, wait_ms: float) -> bool:
        """Wait until other lights are on, or in other colours."""
        views = self.table.views
        before = {at: light.colour for at, light in lit.items()}

        def are_others() -> bool:
            seen = eyes.look(views(eyes.LOOK_MS))
            return {at: light.colour for at, light in seen.items()} != before

        return self.wait(wait_ms, lambda: self.is_over() or are_others())

    # ---- the reeds, in their order

    def _begin(self) -> None:
        self.lift(*self.lying)
        self.wait(
            _TIMEOUT_MS,
            lambda: any(light == Lit(WHITE, BREATHING) for light in self.look().values()),
        )

    def _visit(self, sensor: int) -> bool:
        """Slide a magnet about there until the lights go on to the next one.

        Returns False where it did not answer.
        """
        for attempt in range(_TRIES):
            self.wait(_NEXT_MS, lambda: self.is_over() or bool(self.glance()))
            self.deeds.append(f"{self.table.now_ms:.0f} visit {sensor}")
            before = self.glance()
            self.place(sensor)
            is_felt = self.slide(sensor, self._is_green)
            self.lift(sensor)
            self.wait(_SETTLE_MS)
            after = self.look()
            if Lit(WHITE, BLINKING) in after.values():
                continue
            if is_felt or set(after) != set(before) or self.is_over():
                return True
            if attempt and self._skip(after):
                return False
        return False

    def _skip(self, lit: Lights) -> bool:
        """Press buttons until the lights go on, first the one that did it last; or wait for it."""
        others = self.rng.sample(range(BUTTON, INPUTS), _BUTTONS)
        known = [] if self._button is None else [self._button]
        for button in dict.fromkeys(known + others):
            self.press(button)
            if self._changes(lit, _ANSWER_MS):
                self._button = button
                return True
        return self._changes(lit, _TIMEOUT_MS)

    # ---- then by the lights

    def _follow(self, lit: Lights) -> None:
        whites = {rhythm: [at for at in lit if lit[at] == Lit(WHITE, rhythm)] for rhythm in _ALL}
        colours = {light.colour for light in lit.values() if light.rhythm == STEADY} - {WHITE}
        if len(lit) > SENSORS // 2:
            self.wait(500)  # all on: watch
        elif self._take_copy(lit):
            return
        elif len(colours) > 1:
            self._touch_colour(lit)
        elif self._colours and lit and not whites[STEADY] and max(lit) < _BUTTONS:
            self._press_next(lit)
        elif not lit or colours or any(light.colour != WHITE for light in lit.values()):
            self._clear(lit)
        elif whites[BREATHING] or (whites[BLINKING] and not whites[STEADY] and self._silent):
            self._visit_again((whites[BREATHING] + whites[BLINKING])[0])
        elif len(whites[STEADY]) <= _CORNERS:
            self._lay_on(tuple(whites[STEADY] or whites[BLINKING]), lit)
        else:
            self.wait(500)

    def _take_copy(self, lit: Lights) -> bool:
        """Put a copy where a light breathes, or else on the next space, if it matters whose."""
        spots = [(at - FOCUS) // 3 for at in lit if at >= FOCUS and lit[at] == Lit(WHITE, STEADY)]
        whose = max(spots, key=spots.count, default=0)
        if spots.count(whose) < 2 or len(lit) > _CORNERS:
            return False
        asked = [at for at in lit if at < FOCUS and lit[at] == Lit(WHITE, BREATHING)]
        space = asked[0] if asked else self._shown + 1
        if space < self._shown:
            self.table.take_another(whose)
        self._shown, self.piece = space, whose
        self._visit(space)
        return True

    def _clear(self, lit: Lights) -> None:
        there = self.lying
        self._touched = 0
        self.lift(*there)
        if not self._changes(lit, 2 * _ANSWER_MS) and not there:
            self._skip(lit)

    def _visit_again(self, shown: int) -> None:
        """A reed that did not answer comes once more: the light may be at a wrong place."""
        sensor = shown if shown in self._silent or not self._silent else self._silent[0]
        if sensor in self._silent:
            self._silent.remove(sensor)
        self._visit(sensor)

    def _lay_on(self, sensors: tuple[int, ...], lit: Lights) -> None:
        self._silent.clear()
        self.lay(sensors)
        if self._changes(lit, self.rng.uniform(*self.pace.patience) + 3000 * (len(sensors) > 1)):
            return
        self.lift(*self.lying)
        self.take(self.pace.carry)
        self.lay(sensors)
        if not self._changes(lit, 7000):
            self.lift(*self.lying)
            self._skip(lit)

    def _touch_colour(self, lit: Lights) -> None:
        """The magnet goes on the red light, then on the green one."""
        colour = (eyes.RED, eyes.GREEN)[self._touched % 2]
        there = [at for at in lit if lit[at].colour == colour]
        self._colours = True
        self._touched += 1
        self.lay((there[0],) if there else ())
        self._changes(lit, 900)

    def _press_next(self, lit: Lights) -> None:
        """The one whose light breathes; without such a light the one after those that are green."""
        self.lift(*self.lying)
        asked = [at for at in lit if lit[at] == Lit(WHITE, BREATHING)]
        dark = [at for at in range(_BUTTONS) if at not in lit]
        after = [at for at in dark if at > max(lit)]
        button = BUTTON + (asked or after or dark)[0]
        for _ in range(_PRESSES):
            self.deeds.append(f"{self.table.now_ms:.0f} press {button}")
            self.press(button)
            if self._changes(lit, 900):
                return
        for space in self.rng.sample(range(SENSORS), _PRESSES):  # a reed may be broken, too
            self.place(space)
            self.wait(400)
            self.lift(space)
            if self._changes(lit, _ANSWER_MS):
                return
        self._changes(lit, _TIMEOUT_MS)


_ALL = (STEADY, BREATHING, BLINKING)
