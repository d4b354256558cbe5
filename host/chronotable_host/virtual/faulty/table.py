"""A virtual table with faults in it, for magnets, fingers and eyes.

One rule: a sensor here is a place on the table. Only `ActualTable` knows what is wired to it; the
firmware has its board file, and its doctor has to find out.
"""

from copy import copy
from random import Random
from typing import NamedTuple

from chronotable.hardware.sensors import INPUTS, SENSORS, SPACES
from chronotable.hardware.wiring import Board
from chronotable_host.live.session import Session
from chronotable_host.virtual.faulty.faults import ActualTable
from chronotable_host.virtual.runtimes.runtime import LedFrame, Runtime
from chronotable_host.virtual.table import VirtualTable
from ttykm import layout

_BOUNCE_MS = 2.0
_GAP_MS = (60, 110)  # how long a weak reed opens while the magnet is at its space's edge
_NEAR_MS = (160, 260)  # how long a magnet that slides by is near a neighbour's reed
_SEEN_MS = 2500
_IDLE_MA = 54  # one per LED, lit or not
_WEAK_MA = 0.6  # the share of the board's max_ma that a weak supply can give
_STRAIN_MS = 900  # how long it gives more; the lamp test of a start is shorter
_OFF_MS = 60
_FULL = 255

Light = tuple[int, int, int]
"""Red, green and blue, 0 to 255, as they come out of an LED."""


class View(NamedTuple):
    """What the lights showed at a time: one per place, in the order of the sensors."""

    t_ms: float
    lights: list[Light]


class FaultyTable(VirtualTable):
    """Hands and eyes at a table as it really is; `restless` reeds tremble without a magnet, too.

    `brownouts` counts how often a weak supply gave way.
    """

    slice_ms = 40.0  # short enough: no hand is quicker

    def __init__(
        self,
        runtime: Runtime,
        actual: ActualTable,
        session: Session | None,
        rng: Random,
        restless: frozenset[int] = frozenset(),
    ) -> None:
        self.actual = actual
        self.brownouts = 0
        self._draws = rng
        # what closes a switch: its own magnet or a finger, or a magnet on a neighbouring space
        self._own = bytearray(INPUTS)
        self._near = bytearray(INPUTS)
        self._visits = [0] * SENSORS
        self._looked = 0  # how many frames were checked against the supply
        self._known_lights: dict[bytes, list[Light]] = {}  # by frame
        self._strained_ms: float | None = None  # since when the supply has given more than it can
        super().__init__(runtime, _as_wired(actual), session, Random(rng.random()))
        self.bounce_ms = _BOUNCE_MS
        for row in actual.cut_rows:
            self.cut_row(row, True)
        for column in actual.cut_columns:
            self.cut_col(column, True)
        for sensor in actual.bare:
            self.set_diode(sensor, False)
        for sensor in actual.stuck_closed:
            self._switch(sensor, True)
            if sensor < SPACES and actual.board.outputs > 1:
                for player in (layout.WHITE, layout.BLACK):
                    self.set_stuck_output(sensor, player, True)
        for (sensor, player), closed in actual.stuck_outputs.items():
            self.set_stuck_output(sensor, player, closed)
        self._turned_of = set(actual.turned_of)  # players whose next copy has its magnet so
        self._trembling = actual.flickers - restless
        for sensor in actual.flickers & restless:
            self.set_stuck(sensor, "flicker")

    # ---- hands

    def place(self, sensor: int, piece: int | None = None) -> None:
        """Put a piece on a sensor; raises UserError where one lies there."""
        if sensor < SPACES and piece in (layout.WHITE, layout.BLACK):
            piece ^= (piece in self._turned_of) != (sensor in self.actual.wrong_poles)
        super().place(sensor, piece)
        self._visits[sensor] += 1
        if sensor in self._trembling:
            self.set_stuck(sensor, "flicker")

    def lift(self, sensor: int) -> None:
        """Take a magnet away; raises UserError where none lies."""
        super().lift(sensor)
        self._visits[sensor] += 1
        if sensor in self._trembling:
            self.set_stuck(sensor, None)
        for nosy, of in self.actual.nosy.items():
            if of == sensor:
                self._lean(nosy, False)

    def take_another(self, player: int) -> None:
        """Take another copy of this player's, whose magnet is as it should be."""
        self._turned_of.discard(player)

    def slide(self, sensor: int, duration_ms: float) -> None:
        """Slide the magnet on a sensor about within its space, from now on and for so long."""
        visit = self._visits[sensor]

        def at(share: float, what: int, closed: bool, extra_ms: float = 0) -> None:
            def do() -> None:
                if self._visits[sensor] == visit:
                    (self._switch if what == sensor else self._lean)(what, closed)

            self.later(share * duration_ms + extra_ms, do)

        draws = self._draws
        if sensor in self.actual.weak - self.actual.flickers:
            share = draws.uniform(0.3, 0.7)
            at(share, sensor, False)
            at(share, sensor, True, draws.uniform(*_GAP_MS))
        for nosy, of in self.actual.nosy.items():
            if of == sensor:
                share = draws.uniform(0.2, 0.6)
                at(share, nosy, True)
                at(share, nosy, False, draws.uniform(*_NEAR_MS))

    def finger(self, sensor: int, is_down: bool) -> None:
        """Press a button, or let go of it."""
        self._switch(sensor, is_down)

    # ---- eyes

    def views(self, duration_ms: float) -> list[View]:
        """Return what was seen in the last so many ms, the picture at their beginning included."""
        frames = self.runtime.frames
        since = self.now_ms - duration_ms
        first = max((at for at, frame in enumerate(frames) if frame.t_ms <= since), default=0)
        return [View(frame.t_ms, self._lights(frame)) for frame in frames[first:]]

    def _lights(self, frame: LedFrame) -> list[Light]:
        """Return what comes out of the LED at each place; the wire brings GRB as frames say RGB."""
        rgb = frame.rgb
        lights = self._known_lights.get(rgb)
        if lights is None:
            actual = self.actual
            on_wire = (rgb[1::3], rgb[0::3], rgb[2::3])
            parts = [on_wire[actual.colour_order.index(channel)] for channel in "RGB"]
            by_led = list(zip(*parts, strict=True))
            lights = [(0, 0, 0) if led in actual.dark else by_led[led] for led in actual.led_of]
            self._known_lights[rgb] = lights
        return lights

    # ---- time

    def run_until(self, t_ms: float) -> None:
        """Let table time pass; a weak supply gives way to a picture that is too bright."""
        super().run_until(t_ms)
        self._watch()

    def _watch(self) -> None:
        """See to the supply, and forget what was seen long ago."""
        frames = self.runtime.frames
        if self.actual.is_supply_weak:
            board = self.actual.board
            for frame in frames[self._looked :]:
                current_ma = _IDLE_MA + sum(frame.rgb) * board.channel_ma / _FULL
                if current_ma <= _WEAK_MA * board.max_ma:
                    self._strained_ms = None
                elif self._strained_ms is None:
                    self._strained_ms = frame.t_ms
            if self._strained_ms is not None and self.now_ms - self._strained_ms > _STRAIN_MS:
                self._strained_ms = None
                self._give_way()
        while frames and frames[0].t_ms < self.now_ms - _SEEN_MS and len(frames) > 1:
            del frames[0]
        self._looked = len(frames)

    def _give_way(self) -> None:
        self.brownouts += 1
        self.power(False)
        self.runtime.frames.clear()
        self.runtime.run_until(self.now_ms + _OFF_MS)
        self.power(True)

    # ---- switches

    def _switch(self, sensor: int, closed: bool) -> None:
        self._own[sensor] = closed
        self._settle_switch(sensor)

    def _lean(self, sensor: int, closed: bool) -> None:
        self._near[sensor] = closed
        self._settle_switch(sensor)

    def _settle_switch(self, sensor: int) -> None:
        actual = self.actual
        closed = bool(self._own[sensor] or self._near[sensor])
        if sensor in actual.stuck_closed:
            closed = True
        elif sensor in actual.stuck_open:
            closed = False
        if actual.dead_chips and actual.is_cut(sensor):
            closed = False  # its chip does not tell
        super()._switch(sensor, closed)


def _as_wired(actual: ActualTable) -> Board:
    """Return the board with the cells that are true."""
    told = copy(actual.board)
    told.cell_of = actual.cell_of
    return told
