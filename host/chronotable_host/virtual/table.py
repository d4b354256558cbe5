"""A virtual table with hands at it: sensors to lift from and place on, in table time.

It runs a runtime's firmware, keeps a session with it over its serial port, and does to the switches
what magnets do, bounce and broken reeds included.
"""

from __future__ import annotations

import functools
import heapq
import itertools
import json
from array import array
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

from chronotable.core.chapters import chapter_of
from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import BUTTON, BUTTONS, SHARED, SPACES
from chronotable.hardware.wiring import COLUMNS, Board
from chronotable.link.packed import pack_objects, pack_position
from chronotable_host.errors import UserError
from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware import uf2
from chronotable_host.hardware.firmware.files import app_sources, files_for_board
from chronotable_host.hardware.firmware.image import device_files
from chronotable_host.language import names, tr
from chronotable_host.live.session import Session
from chronotable_host.pieces import is_object, pieces_of
from chronotable_host.rules.notation import format_position, with_box_pieces
from chronotable_host.virtual.chance import REPEATED, Chance
from chronotable_host.virtual.runtimes.cpython import CpythonRuntime
from chronotable_host.virtual.runtimes.runtime import Runtime
from ttykm import layout
from ttykm.objects import modules_of

CPYTHON = "cpython"
RP2040 = "rp2040"
RUNTIMES = (CPYTHON, RP2040)

_PRESS_MS = 80.0

SAMPLE_MS = 50.0
"""A Hall switch that takes little looks 20 times a second (SLVSDC7H, of DRV5032)."""


def open_runtime(
    kind: str,
    name: str,
    settings: Mapping[str, object] | None = None,
    image: Path | None = None,
    flash_files: Mapping[str, bytes] | None = None,
    chance: Chance = REPEATED,
) -> Runtime:
    """Switch a virtual table on, of a board of this name, with settings.

    `flash_files` lie in its flash already, content by name, as after games without a PC.
    Without a `chance` of its own it is the same table in every run.
    Raises RuntimeUnavailable, BoardError and UserError that say what is missing.
    """
    board, board_json = boards.read(name), boards.find(name).read_bytes()
    own = json.dumps(settings or {}).encode()
    if kind == CPYTHON:
        files = {**files_for_board(board_json), "settings.json": own, **(flash_files or {})}
        return CpythonRuntime(app_sources(), files, board, chance)
    if kind != RP2040:
        raise UserError(
            tr(
                "there is no runtime '{name}'; known are {known}",
                name=kind,
                known=", ".join(RUNTIMES),
            )
        )
    if image is None:
        raise UserError(tr("the runtime rp2040 needs a MicroPython image: --image FILE.uf2"))
    from chronotable_host.virtual.runtimes.rp2040 import Rp2040Runtime  # noqa: PLC0415

    for _ in uf2.blocks(uf2.read(image), image):
        pass  # whether it is one is told before all is compiled for it, which takes seconds
    files = device_files(board_json)
    files |= {"settings.json": own, **(flash_files or {})}
    return Rp2040Runtime(image, files, board, chance=chance)


def settings_for(state: array[int], options: int) -> dict[str, object]:
    """Return the settings that make a table set up this position instead of the start.

    The chapter that it needs is unlocked on that table.
    Raises UserError for a position with more pieces than are in the box.
    """
    settings: dict[str, object] = {"options": options}
    if format_position(with_box_pieces(state)) != format_position(layout.new_state()):
        settings["start"] = position = pack_position(state)
        objects = pack_objects(state, position)
        if objects:
            settings["objects"] = objects
        chapter = chapter_of(modules_of(state))
        if chapter:
            settings["chapters"] = chapter
    return settings


def until_sample(sensor: int, now_ms: float, period_ms: float) -> float:
    """Return how long it is until a Hall switch looks again, of which each has its own moments."""
    return (sensor * 29 % SPACES / SPACES * period_ms - now_ms) % period_ms


class VirtualTable:
    """Hands at a table. Sensors are numbered as in chronotable.hardware.sensors.

    `rng` drives bounce and flicker. `session` may be None: then no PC is attached.
    """

    slice_ms = 5.0
    """The longest time between two exchanges over the serial line."""

    def __init__(
        self, runtime: Runtime, board: Board, session: Session | None, rng: Random | None = None
    ) -> None:
        self.runtime = runtime
        self.session = session
        self.bounce_ms = 0.0
        self.sample_ms = 0.0 if board.sensor == "reed" else SAMPLE_MS
        self._board = board
        self._cells = bytearray(board.cell_of)  # where each sensor is wired to
        self._rng = rng or Random(0)
        self._magnets: set[int] = set()
        self._poles: dict[int, int] = {}  # by sensor: whose pole its magnet has, or had, up
        self._lifted_pole = layout.WHITE
        self._outputs: dict[tuple[int, int], bool] = {}  # those that are stuck, of a sensor's two
        self._felt: set[int] = set()  # the magnets whose reeds have noticed them
        self._stuck: dict[int, bool | str] = {}
        self._slow_ms: dict[int, float] = {}
        self._breaks: dict[int, int] = {}  # per reed: how often its faults have changed
        self._later: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._port = None if session is None else runtime.port
        if session is not None:
            session.open(int(runtime.now_ms))

    @classmethod
    def of(cls, board: str, rng: Random, kind: str = CPYTHON, **how: Any) -> VirtualTable:
        """Return a table without a PC that was just switched on, as `open_runtime` says."""
        return cls(open_runtime(kind, board, **how), boards.read(board), None, rng)

    @property
    def now_ms(self) -> float:
        """Table time in ms."""
        return self.runtime.now_ms

    def put_up(self, state: array[int]) -> None:
        """Put the pieces and markers of a position on the empty table, at once."""
        for sensor, piece in pieces_of(state).items():
            self._put(sensor, piece)

    def has_magnet(self, sensor: int) -> bool:
        """Tell whether something lies on a sensor."""
        return sensor in self._magnets

    def lift(self, sensor: int) -> None:
        """Take away what lies on a sensor; raises UserError where nothing does."""
        if sensor not in self._magnets:
            raise UserError(
                tr(
                    "nothing lies on {place} that could be lifted",
                    place=names.place(sensor_name(sensor)),
                )
            )
        self._lifted_pole = self._poles.get(sensor, layout.WHITE)
        self._move(sensor, False)

    def place(self, sensor: int, piece: int | None = None) -> None:
        """Put a piece (pieces.py) on a sensor; raises UserError where one lies there.

        Its magnet has the pole up that this player's copies have, an object's either one. Without
        a `piece` it is one as was lifted last.
        """
        if sensor in self._magnets:
            raise UserError(
                tr(
                    "{place} is taken; nothing can be placed on it",
                    place=names.place(sensor_name(sensor)),
                )
            )
        self._turn_up(sensor, self._lifted_pole if piece is None else piece)
        self._move(sensor, True)

    def press(self, name: str, side: int, for_ms: float = _PRESS_MS) -> None:
        """Press a button for a time; `side` matters only where each player has one."""
        for number, (known, owner) in enumerate(BUTTONS):
            if known == name and owner in (side, SHARED):
                self._switch(BUTTON + number, True)
                release = functools.partial(self._switch, BUTTON + number, False)
                self.later(for_ms, release)
                return
        raise UserError(tr("there is no button '{name}' of that side", name=name))

    def set_cell(self, row: int, col: int, closed: bool) -> None:
        """Close or open a switch, whatever it belongs to; of a sensor of polarity, the first."""
        self._set_output(row, col, layout.WHITE, closed)

    def _set_output(self, row: int, col: int, player: int, closed: bool) -> None:
        outputs = self._board.outputs
        self.runtime.set_cell(outputs * row + (player if outputs > 1 else 0), col, closed)

    def set_stuck(self, sensor: int, how: bool | str | None) -> None:
        """Break a reed: stuck closed (True), stuck open (False), or "flicker"; None cures it."""
        if how is None:
            self._stuck.pop(sensor, None)
        else:
            self._stuck[sensor] = how
        self._start_afresh(sensor)

    def set_stuck_output(self, sensor: int, player: int, closed: bool) -> None:
        """Break the output of a sensor of polarity that a player's pole has closed."""
        self._outputs[sensor, player] = closed
        self._set_output(*self._place_of(sensor), player, closed)

    def set_slow(self, sensor: int, delay_ms: float) -> None:
        """Let a reed follow its magnet so much later from now on; 0 cures it."""
        self._slow_ms[sensor] = delay_ms
        self._start_afresh(sensor)

    def set_diode(self, sensor: int, present: bool) -> None:
        """Put a wire in the place of a sensor's diode, or the diode back."""
        self.runtime.set_diode(*self._place_of(sensor), present)

    def exchange(self, first: int, second: int) -> None:
        """Exchange the wires of two reeds, or of two buttons, while nothing lies there."""
        cells = self._cells
        cells[first], cells[second] = cells[second], cells[first]

    def cut_row(self, row: int, cut: bool) -> None:
        """Cut a row's wire to the chip, or mend it."""
        self.runtime.cut_row(row, cut)

    def cut_col(self, col: int, cut: bool) -> None:
        """Cut a column's wire to the chip, or mend it."""
        self.runtime.cut_col(col, cut)

    def attach(self, session: Session) -> None:
        """Have a program at the cable, in the place of who was there; it knows nothing yet."""
        self.session = session
        self.plug(True)

    def plug(self, connected: bool) -> None:
        """Plug the USB cable in, or pull it."""
        self.runtime.plug(connected)
        if self.session is None:
            return
        if connected:
            self._port = self.runtime.port
            self.session.open(int(self.now_ms))
        else:
            self._port = None
            self.session.close()

    def power(self, on: bool) -> None:
        """Switch the table off or on."""
        self.runtime.power(on)
        if on and self.session is not None:
            self.session.mirror.table.clock_ms = int(self.now_ms)
        self.plug(on)

    def run_until(self, t_ms: float) -> None:
        """Let table time pass to `t_ms` or just beyond, the session going on meanwhile."""
        while self.now_ms < t_ms:
            until = min(t_ms, self.now_ms + self.slice_ms)
            if self._later and self._later[0][0] <= until:
                when, _, action = heapq.heappop(self._later)
                self.runtime.run_until(max(when, self.now_ms))
                action()
            else:
                self.runtime.run_until(until)
            self.talk()

    def talk(self) -> None:
        """Exchange what lies in the port."""
        if self.session is None or self._port is None:
            return
        if not self._port.is_open and self.runtime.port.is_open:  # the chip was reset
            self._port = self.runtime.port
            self.session.open(int(self.now_ms))
        if not self._port.is_open:
            return
        now = int(self.now_ms)
        out = self.session.exchange(self._port.read(self._port.in_waiting), now, now)
        if out:
            self._port.write(out)

    def close(self) -> None:
        """Switch off for good."""
        self.runtime.close()

    def later(self, delay_ms: float, action: Callable[[], None]) -> None:
        """Do something when so much table time has passed."""
        heapq.heappush(self._later, (self.now_ms + delay_ms, next(self._order), action))

    # ---- switches

    def _move(self, sensor: int, closed: bool) -> None:
        if closed:
            self._magnets.add(sensor)
        else:
            self._magnets.discard(sensor)
        delay_ms = self._slow_ms.get(sensor, 0.0)
        if self.sample_ms and sensor < SPACES:
            delay_ms += until_sample(sensor, self.now_ms + delay_ms, self.sample_ms)
            self._after(delay_ms, sensor, lambda: self._sample(sensor))
        elif delay_ms:
            self._after(delay_ms, sensor, lambda: self._feel(sensor, closed))
        else:
            self._feel(sensor, closed)

    def _sample(self, sensor: int) -> None:
        """A Hall switch looks what lies there, and says so at once."""
        closed = sensor in self._magnets
        if sensor not in self._stuck:
            if self._board.outputs > 1:
                other = 1 - self._poles.get(sensor, layout.WHITE)
                is_stuck = self._outputs.get((sensor, other), False)
                self._set_output(*self._place_of(sensor), other, is_stuck)
            self._switch(sensor, closed)
        (self._felt.add if closed else self._felt.discard)(sensor)

    def _feel(self, sensor: int, closed: bool) -> None:
        """A reed notices its magnet, and its contact bounces."""
        if closed:
            self._felt.add(sensor)
        else:
            self._felt.discard(sensor)
        if sensor in self._stuck:
            return
        self._switch(sensor, closed)
        if self.bounce_ms:
            # opens and closes again while the contact settles
            first = self._rng.uniform(0, self.bounce_ms)
            second = self._rng.uniform(first, self.bounce_ms)
            self._after(first, sensor, lambda: self._switch(sensor, not closed))
            self._after(second, sensor, lambda: self._settle(sensor))

    def _turn_up(self, sensor: int, piece: int) -> None:
        """Note whose pole is up of what comes to lie there.

        A marker's does not matter; an object lies either way up.
        """
        is_black = piece == layout.BLACK and sensor < SPACES
        if is_object(piece) and sensor < SPACES and self._board.outputs > 1:
            is_black = self._rng.random() < 0.5
        self._poles[sensor] = layout.BLACK if is_black else layout.WHITE

    def _put(self, sensor: int, piece: int) -> None:
        """A magnet lies there, and always has."""
        self._turn_up(sensor, piece)
        self._magnets.add(sensor)
        self._felt.add(sensor)
        self._settle(sensor)

    def _settle(self, sensor: int) -> None:
        if sensor not in self._stuck:
            self._switch(sensor, sensor in self._felt)

    def _start_afresh(self, sensor: int) -> None:
        """A reed's faults have changed: what was under way is void, its magnet is felt at once."""
        self._breaks[sensor] = self._breaks.get(sensor, 0) + 1
        if sensor in self._magnets:
            self._felt.add(sensor)
        else:
            self._felt.discard(sensor)
        how = self._stuck.get(sensor)
        if how == "flicker":
            self._flicker(sensor, True)
        elif how is None:
            self._settle(sensor)
        else:
            self._switch(sensor, bool(how))

    def _flicker(self, sensor: int, closed: bool) -> None:
        self._switch(sensor, closed)
        wait_ms = self._rng.uniform(20, 60)
        self._after(wait_ms, sensor, lambda: self._flicker(sensor, not closed))

    def _switch(self, sensor: int, closed: bool) -> None:
        player = self._poles.get(sensor, layout.WHITE)
        closed = self._outputs.get((sensor, player), closed)
        self._set_output(*self._place_of(sensor), player, closed)

    def _place_of(self, sensor: int) -> tuple[int, int]:
        """Row and column of a sensor, or chip and input."""
        return divmod(self._cells[sensor], COLUMNS)

    def _after(self, delay_ms: float, sensor: int, action: Callable[[], None]) -> None:
        """Do something to a reed later, unless its faults change before."""
        breaks = self._breaks.get(sensor, 0)

        def do() -> None:
            if self._breaks.get(sensor, 0) == breaks:
                action()

        self.later(delay_ms, do)
