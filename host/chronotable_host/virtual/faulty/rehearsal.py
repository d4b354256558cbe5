"""A virtual table at which a person rehearses an examination, by typing, and reading of the lights.

One rule: table, firmware and faults are those with which the doctor is tried out; only hands and
eyes are a person's. Table time is real time.
"""

import time
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from chronotable.hardware.sensors import BUTTON, ERAS, FOCUS, INPUTS, SENSORS
from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware.files import app_sources, files_for_board
from chronotable_host.language import tr, tr_c, tr_n
from chronotable_host.link.doctor_names import STEPS
from chronotable_host.link.parsing import parse_sensor
from chronotable_host.live.line.connection import LineSource, OpenPort
from chronotable_host.live.line.port import PortError
from chronotable_host.live.texts.place_names import place_name, place_to_find
from chronotable_host.virtual.faulty import eyes
from chronotable_host.virtual.faulty.eyes import Lit
from chronotable_host.virtual.faulty.faults import ActualTable, PlantedFault, draw_some
from chronotable_host.virtual.faulty.observations import visible
from chronotable_host.virtual.faulty.table import FaultyTable
from chronotable_host.virtual.runtimes.cpython import CpythonRuntime
from chronotable_host.virtual.runtimes.runtime import VirtualPort
from ttykm.layout import BLACK, WHITE

PORT = "virtual"

HANDS = (
    tr(
        "present 6: the magnet on that space and nowhere else (short: pr 6; a number alone: the "
        "same era); slid about by itself where that is asked for."
    ),
    tr(
        "past 1, past 4, pr 1: three magnets. focus white past: on a focus spot. off: all magnets "
        "off."
    ),
    tr("button a, button undo white: press that button. look: which lights are on."),
)
"""What hands and eyes are told by."""

_CARRY_MS = 400.0
_SLIDES_MS = (0.0, 1200.0, 2400.0)
_SLIDE_MS = 1100.0
_PRESS_MS = 200.0
_SETTLE_MS = 100.0  # from a question until its lights are on
_LOOKS_MS = 100.0  # from one look at the lights to the next
_MOST_BEHIND_MS = 250.0
_WHOSE = {STEPS.index("poles_black"): BLACK, STEPS.index("poles_white"): WHITE}
_SLIDES = 1  # the number of the step in which magnets are slid about
_BY_THE_LIGHTS = tuple("mcrgw")  # asks (link/doctor_names.py) for which only lights say where
_MANY = 6  # of more lights of one kind their number is told, and not their places

_LOOKS = {
    eyes.STEADY: tr_c("light", "steady"),
    eyes.BREATHING: tr_c("light", "breathing"),
    eyes.BLINKING: tr_c("light", "blinking"),
    eyes.WHITE: tr_c("light", "white"),
    eyes.RED: tr_c("light", "red"),
    eyes.GREEN: tr_c("light", "green"),
    eyes.BLUE: tr_c("light", "blue"),
    eyes.MIXED: tr_c("light", "mixed"),
}

Lights = dict[int, Lit]


class DirectPort:
    """A virtual table's port, with the methods that a TableConnection calls."""

    def __init__(self, name: str, port: VirtualPort) -> None:
        self.name = name
        self.unsent = 0
        self._port = port

    def read(self) -> bytes:
        """Return what has come; raises PortError where the table is gone."""
        try:
            return self._port.read(self._port.in_waiting)
        except OSError as error:
            raise PortError(f"{self.name} vanished") from error

    def write(self, data: bytes) -> None:
        """Send bytes; raises PortError where the table is gone."""
        try:
            self._port.write(data)
        except OSError as error:
            raise PortError(f"{self.name} vanished") from error

    def close(self) -> None:
        """Hang up."""
        self._port.close()


class Rehearsal:
    """A table of a board with so many faults at random, and what is typed for hands at it.

    `faults` are those that can be found. It is a source of lines: it takes what is meant for hands
    and eyes out of those of `typed`, and leaves the rest to the doctor. `tell` hears sentences.
    """

    def __init__(
        self,
        board: str,
        faults: int,
        seed: int,
        typed: LineSource,
        tell: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        rng = Random(seed)
        plan = boards.read(board)
        actual = ActualTable(plan, draw_some(plan, rng, faults))
        files = {**files_for_board(boards.find(board).read_bytes()), "settings.json": b"{}"}
        self.faults: list[PlantedFault] = visible(plan, actual.faults)
        self._runtime = CpythonRuntime(app_sources(), files, plan)
        self._table = FaultyTable(self._runtime, actual, None, rng)
        self._typed = typed
        self._tell = tell
        self._clock = clock
        self._sleep = sleep
        self._before_s = clock()
        self._era = "past"
        self._said = {
            says(sensor).lower(): sensor
            for says in (place_name, place_to_find)
            for sensor in range(INPUTS)
        }  # in the doctor's words and language
        self._seen: Lights = {}
        self._step: dict[str, Any] = {}
        self._look_ms = 0.0  # when to look next

    # ---- for the connection

    def open_port(self, name: str) -> OpenPort:
        """Open the table's port; raises PortError while it restarts."""
        if not self._runtime.port.is_open:
            raise PortError(tr("{port} is not there", port=name))
        return DirectPort(name, self._runtime.port)

    def pause(self, duration_s: float) -> None:
        """Wait, and let the table's time pass."""
        self._sleep(duration_s)
        now_s = self._clock()
        passed_ms = min((now_s - self._before_s) * 1000, _MOST_BEHIND_MS)
        self._before_s = now_s
        self._table.run_until(self._table.now_ms + passed_ms)
        is_asked = self._step.get("asks", "") in _BY_THE_LIGHTS
        if is_asked and self._table.now_ms >= self._look_ms:
            self._look_ms = self._table.now_ms + _LOOKS_MS
            self._watch()

    def follow(self, step: dict[str, Any]) -> None:
        """Know what the doctor asks for: whether to slide a magnet, and whether to look."""
        if (step["asks"], step["about"]) != (self._step.get("asks"), self._step.get("about")):
            self._seen = {}
            self._look_ms = self._table.now_ms + eyes.LOOK_MS + _SETTLE_MS
        begins_anew = step["step"] == self._step.get("step") and step["about"] < self._step["about"]
        if begins_anew and step["step"] in _WHOSE:
            self._table.take_another(_WHOSE[step["step"]])
        self._step = step

    def close(self) -> None:
        """Switch the table off."""
        self._table.close()

    # ---- hands and eyes

    def take(self) -> str | None:
        """Return the next line that is not for hands or eyes; None where there is none."""
        while (line := self._typed.take()) is not None:
            word = " ".join(line.lower().split())
            if word == "off":
                self._lay(())
            elif word == "look":
                self._tell(tr("You see: {lights}.", lights=lights_text(self.look())))
            elif (
                word in self._said
                or any(letter.isdigit() for letter in word)
                or word[:6] in ("focus ", "button")
            ):
                try:
                    self._touch(word)
                except ValueError as error:
                    self._tell(f"{error}.")
            else:
                return line
        return None

    def look(self) -> Lights:
        """Return the lights that are on, by sensor, as eyes have seen them for a moment."""
        views = self._table.views(eyes.LOOK_MS)
        return eyes.look(views) if views else {}

    def _watch(self) -> None:
        """Tell the lights where they are others than before."""
        seen = self.look()
        if seen and seen != self._seen and self._is_steady(seen):
            self._seen = seen
            self._tell(tr("You see: {lights}.", lights=lights_text(seen)))

    def _is_steady(self, seen: Lights) -> bool:
        """Tell whether the lights have been so for as long as it takes to know a rhythm."""
        views = self._table.views(eyes.LOOK_MS)
        middle = self._table.now_ms - eyes.LOOK_MS / 2
        halves = [v for v in views if v.t_ms <= middle], [v for v in views if v.t_ms >= middle]
        return all(half and set(eyes.look(half)) == set(seen) for half in halves)

    def _touch(self, word: str) -> None:
        """Do what a line of places says; raises ValueError where one of them is none."""
        names = [word] if word in self._said else [name.strip() for name in word.split(",")]
        sensors = [
            self._said[name]
            if name in self._said
            else parse_sensor(f"{self._era} {name}" if name.isdigit() else name)
            for name in names
        ]
        if len(sensors) == 1 and sensors[0] >= BUTTON:
            self._press(sensors[0])
            return
        if any(sensor >= BUTTON for sensor in sensors):
            raise ValueError(tr("a button is pressed alone; write it in a line of its own"))
        if sensors[-1] < FOCUS:
            self._era = ERAS[sensors[-1] // 16]
        self._lay(tuple(sensors))

    def _lay(self, sensors: tuple[int, ...]) -> None:
        """Have magnets there and nowhere else; a single one is slid about where that is asked."""
        table = self._table
        for sensor in range(SENSORS):
            if sensor not in sensors and table.has_magnet(sensor):
                table.lift(sensor)
        for sensor in sensors:
            table.later(_CARRY_MS, partial(self._place, sensor))
        if len(sensors) == 1 and self._step.get("step") == _SLIDES:
            for after_ms in _SLIDES_MS:
                table.later(_CARRY_MS + after_ms, lambda: self._slide(sensors[0]))
        where = ", ".join(map(place_name, sensors)) or tr_c("magnets", "none")
        self._tell(tr("Magnets: {places}.", places=where))

    def _place(self, sensor: int) -> None:
        if not self._table.has_magnet(sensor):
            self._table.place(sensor, _WHOSE.get(self._step.get("step", 0), WHITE))

    def _slide(self, sensor: int) -> None:
        if self._table.has_magnet(sensor):
            self._table.slide(sensor, _SLIDE_MS)

    def _press(self, button: int) -> None:
        self._table.finger(button, True)
        self._table.later(_PRESS_MS, lambda: self._table.finger(button, False))
        self._tell(tr("Pressed: {button}.", button=place_name(button)))


def lights_text(lit: Lights) -> str:
    """Name the lights that are on, those of one colour and rhythm together."""
    kinds: dict[Lit, list[int]] = {}
    for sensor, light in lit.items():
        kinds.setdefault(light, []).append(sensor)
    parts = []
    for light, sensors in kinds.items():
        is_many = len(sensors) > _MANY
        places = ", ".join(map(place_name, sensors))
        parts.append(
            tr(
                "{rhythm} {colour} at {places}",
                rhythm=_LOOKS[light.rhythm],
                colour=_LOOKS[light.colour],
                places=tr_n("{n} place", "{n} places", len(sensors)) if is_many else places,
            )
        )
    return "; ".join(parts) or tr("no light")
