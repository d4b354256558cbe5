"""The firmware on an emulated RP2040 under observation: probe pin, frames, lines and their times.

The device runs the shipped files. Only main.py is another one: it collects garbage while all is
loaded as the shipped one does, notes the free heap in a file and lets the scan's two readings of
the clock flip a pin that the board leaves free, so that each scan is seen from outside, to the
cycle. That costs a scan about a microsecond.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from chronotable.hardware.board import load
from chronotable.hardware.sensors import FOCUS, SENSORS, SPACES
from chronotable.hardware.wiring import Board
from chronotable.lights.light import Light
from chronotable.lights.meanings import TODO_PUT
from chronotable.link.happenings import Message
from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware.files import FOLDER
from chronotable_host.hardware.firmware.image import device_files
from chronotable_host.link.pc_link import LogLine
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.session import Session
from chronotable_host.pieces import pieces_of
from chronotable_host.virtual.hand import Gesture
from chronotable_host.virtual.runtimes.rp2040 import Rp2040Runtime
from chronotable_host.virtual.table import VirtualTable, until_sample
from ttykm import layout

MISS_MS = 60 / 125_000
"""What a flash-cache miss costs on a real chip: 60 cycles at 125 MHz, estimated."""

READING, ABSENT, DEAF, FLOODING = "reading", "absent", "deaf", "flooding"
_GARBAGE = b"$0102x" + b"0" * 52 + b"*0000\n"
_GARBAGE_BYTES = 256  # of it always wait for the table

CHAPTERS_FILE = "games/chapters"
"""Where a table's flash keeps how many chapters are unlocked: a digit."""

_STEP_MS = 1.0
_US = 0.001
_BOOT_MS = 6000.0
_SET_UP_MS = 3000.0
_STILL_MS = 1200.0  # a still picture is sent twice a second
_HEAP_FILE = "bench.txt"
_NAME_OF_ERROR = re.compile(r"\w+(Error|Exception|Interrupt|Exit)\b")
_MAIN = """\
import gc
import sys
sys.path[:] = ["/{folder}", ".frozen", "/{folder}/lib"]
import micropython
import scan
from machine import Pin
from time import ticks_us

Pin({pin}, Pin.OUT)

@micropython.viper
def probe():
    ptr32(0xD0000000)[7] = 1 << {pin}
    return ticks_us()

scan.ticks_us = probe
gc.collect()
gc.threshold(32768)
from loop import Loop

loop = Loop()
gc.collect()
with open("{file}", "w") as file:
    file.write(str(gc.mem_free()))
gc.collect()
loop.run()
"""


class Trouble(Exception):  # noqa: N818 - the table's, not ours
    """The emulated table did not do what a figure needs; the text says what."""


class Scan(NamedTuple):
    """One scan: when it began, how long it took, and the cache misses in it."""

    begun_ms: float
    took_ms: float
    misses: int


class _Ear(Mirror):
    """A mirror that notes every event of the link with the table time at which it was heard."""

    def __init__(self) -> None:
        super().__init__(lambda _happening: None)
        self.heard: list[tuple[float, object]] = []
        self.clock: Callable[[], float] = lambda: 0.0

    def hear(self, event: object, now_ms: int) -> None:
        self.heard.append((self.clock(), event))
        super().hear(event, now_ms)


class _Probed(Rp2040Runtime):
    """The emulated table with a probe on one pin."""

    def watch_scans(self, pin: int) -> list[Scan]:
        chip = self._chip
        assert chip is not None
        scans: list[Scan] = []
        begun = [0.0, 0.0]
        high = chip.mcu.gpio[pin].value.__class__(1)

        def flipped(new: object, _old: object) -> None:
            now, misses = self.now_ms, self.xip_misses
            if new == high:
                begun[:] = now, misses
            elif begun[0]:
                scans.append(Scan(begun[0], now - begun[0], int(misses - begun[1])))

        chip.mcu.gpio[pin].add_listener(flipped)
        return scans


class Rig:
    """An emulated table that has booted, with the start position on it.

    `host` is READING, FLOODING (it sends wrong frames, too, as fast as they are read), ABSENT (no
    cable) or DEAF: it has greeted, and then reads no more. So many `chapters` were unlocked before
    the power came on; with a piezo, on `piezo_pin`, if it is not -1.
    `scans` and `heard` grow; whoever has read them may clear them.
    Raises RuntimeUnavailable, and Trouble where the firmware does not start.
    """

    def __init__(
        self,
        image: Path,
        host: str = READING,
        board: str = "reference",
        chapters: int = 0,
        piezo_pin: int = -1,
    ) -> None:
        data = {**boards.read_data(board), "sound": {"pin": piezo_pin}}
        if piezo_pin < 0:
            del data["sound"]
        self.board: Board = load(data)
        self.host = host
        files = device_files(json.dumps(data).encode())
        pin = _free_pin(self.board)
        files["main.py"] = _MAIN.format(folder=FOLDER, pin=pin, file=_HEAP_FILE).encode()
        files["settings.json"] = json.dumps({}).encode()
        if chapters:
            files[CHAPTERS_FILE] = b"%d" % chapters
        self.runtime = _Probed(image, files, self.board)
        self.ear = _Ear()
        self.ear.clock = lambda: self.runtime.now_ms
        self.session = Session(self.ear)
        self.hands = VirtualTable(self.runtime, self.board, None, Random(0))
        self._light = Light(
            self.board.led_of, self.board.colour_order, self.board.max_ma, self.board.channel_ma
        )
        self._clock_offset_ms: float | None = None
        self._misses: list[tuple[float, int]] = []
        if host == ABSENT:
            self.runtime.plug(False)
        self._port = self.runtime.port
        self.scans = self.runtime.watch_scans(pin)
        self._boot()

    def _boot(self) -> None:
        if self.host != ABSENT:
            self.session.open(0)
        self.hands.put_up(layout.new_state())
        while len(self.scans) < 10:
            if self.now_ms > _BOOT_MS:
                said = bytes(self._port.read(2000)) if self._port.is_open else b""
                raise Trouble(
                    f"the firmware does not scan; it says {said.decode('ascii', 'replace')!r}"
                )
            self.run(50)
        self.run(1500 if self.host == ABSENT else 600)
        if self.host != ABSENT:
            self.run_until(lambda: self.ear.table.phase == "turn", _SET_UP_MS)
            if self.ear.table.phase != "turn":
                raise Trouble(
                    f"the table does not begin a game: {self.ear.table.phase or 'silent'}"
                )
        if self.host == DEAF:
            self._port.feed(b"\n" * self._port.room)
        del self.scans[:]

    def close(self) -> None:
        self.runtime.close()

    @property
    def now_ms(self) -> float:
        return self.runtime.now_ms

    @property
    def heard(self) -> list[tuple[float, object]]:
        """Events of the link, each with the table time of its arrival (to the millisecond)."""
        return self.ear.heard

    def counters(self) -> list[dict[str, Any]]:
        """Return all counters that the table told."""
        return [fields for _, event in self.heard if (fields := values_of(event, "counters"))]

    def heap_after_boot(self) -> int:
        """Return the bytes that were free once everything was loaded and collected."""
        return int(self.runtime.flash_files()[_HEAP_FILE])

    def run(self, duration_ms: float) -> None:
        """Let table time pass; the host, if it reads, takes what came every millisecond."""
        end = self.now_ms + duration_ms
        while self.now_ms < end - _US:
            # whole microseconds: the chip's clock cannot stop at every float
            self.hands.run_until(round(min(end, self.now_ms + _STEP_MS) + _US, 3))
            self._misses.append((self.now_ms, self.runtime.xip_misses))
            if self.host in (READING, FLOODING) or (
                self.host == DEAF and self._port.room and self._is_new()
            ):
                self._talk()
        del self._misses[:-2000]

    def check_alive(self) -> None:
        """Raise Trouble, with what the firmware said last, when it shows no pictures any more."""
        frames = self.runtime.frames
        if frames and frames[-1].t_ms > self.now_ms - _STILL_MS:
            return
        if self._port.is_open:
            self._talk()
        said = [event.text for _, event in self.heard if isinstance(event, LogLine)]
        while said and not _NAME_OF_ERROR.match(said[-1]):
            said.pop()  # the prompt's greeting
        raise Trouble(f"the firmware stopped: {said[-1]}" if said else "the firmware stopped")

    def _is_new(self) -> bool:
        """Tell whether a host that will turn deaf still listens: until the game begins."""
        return self.ear.table.phase != "turn"

    def _talk(self) -> None:
        if self._port.is_open:
            now = int(self.now_ms)
            out = self.session.exchange(self._port.read(self._port.in_waiting), now, now)
            if self.host == FLOODING and self._port.outgoing < _GARBAGE_BYTES:
                out += _GARBAGE * (_GARBAGE_BYTES // len(_GARBAGE))
            if out:
                self._port.write(out)

    def run_until(self, done: Callable[[], bool], at_most_ms: float) -> bool:
        end = self.now_ms + at_most_ms
        while not done() and self.now_ms < end:
            self.run(5)
        return done()

    def move(self, gesture: Gesture) -> None:
        if gesture.closed:
            self.hands.place(gesture.sensor, gesture.piece)
        else:
            self.hands.lift(gesture.sensor)

    def until_look(self, sensor: int) -> float:
        """Return how long it is until what is done at a sensor now is felt: a Hall switch waits."""
        period_ms = self.hands.sample_ms
        return until_sample(sensor, self.now_ms, period_ms) if period_ms and sensor < SPACES else 0

    def arrange(self, state: array[int]) -> None:
        """Begin a game at a position: lift all magnets, lay those of it, and tell the table.

        What lies there before it is asked for needs no confirming lift, but for what was not
        lifted: whose that is the table knows. Raises Trouble where the table does not follow.
        """
        for sensor in range(SENSORS):
            if self.hands.has_magnet(sensor):
                self.move(Gesture(0, sensor, False))
        self.run(40 + self.hands.sample_ms)
        for sensor, piece in pieces_of(state).items():
            self.move(Gesture(0, sensor, True, piece))
        self.run(40 + self.hands.sample_ms)
        del self.heard[:]
        self.session.set_up(state, 0)
        if not self.run_until(lambda: self._has_begun(state), _SET_UP_MS):
            self.check_alive()
            raise Trouble("the table does not take a position that lies on it")
        self.run(60)

    def _has_begun(self, state: array[int]) -> bool:
        begun = any(isinstance(event, Message) and event.name == "game" for _, event in self.heard)
        return begun and self.ear.table.phase == "turn" and self.ear.game.state == state

    def debounced_ms(self, moved_ms: float) -> float:
        """Return when a change at that time counted: at the end of the scan that made it sure."""
        samples = min(7, self.board.debounce_ms // self.board.scan_ms + 1)
        later = [scan for scan in self.scans if scan.begun_ms >= moved_ms]
        if len(later) < samples:
            return float("inf")
        last = later[samples - 1]
        return last.begun_ms + last.took_ms

    def misses_between(self, first_ms: float, last_ms: float) -> int:
        """Return the flash-cache misses between two times not long ago, to the millisecond."""
        inside = [misses for t_ms, misses in self._misses if first_ms - _STEP_MS <= t_ms]
        until = [misses for t_ms, misses in self._misses if t_ms <= last_ms + _STEP_MS]
        return max(0, until[-1] - inside[0]) if inside and until else 0

    # ---- pictures

    def note_clock(self) -> None:
        """Learn from the edges heard by how much the device's clock is behind table time."""
        for arrived_ms, event in self.heard:
            if isinstance(event, Message) and event.name == "edge":
                behind = arrived_ms - int(event.values["time_ms"] or 0)
                if self._clock_offset_ms is None or behind < self._clock_offset_ms:
                    self._clock_offset_ms = behind

    def first_frame(self, leds: bytes, before: bytes, moved_ms: float) -> float | None:
        """Return when the last bit of the first frame was sent that shows `leds`, not `before`."""
        offset = self._clock_offset_ms or 0.0
        for frame in self.runtime.frames:
            if frame.t_ms < moved_ms:
                continue
            near = int(frame.t_ms - offset)
            # the picture is of the moment at which its round began, which may have taken long
            times = range(near - 80, near + 25)
            if self._shows(frame.rgb, leds, times) and not self._shows(frame.rgb, before, times):
                return frame.t_ms
        return None

    def _shows(self, rgb: bytes, leds: bytes, times: range) -> bool:
        meanings = bytearray(leds) + bytearray(64 - len(leds))
        # where an object is to be put no PC is told its kind, and so not its colour (Hints.told)
        objects = [self.board.led_of[at] for at in range(FOCUS) if leds[at] == TODO_PUT]
        lit = _without(rgb, objects)
        for now_ms in times:
            self._light.render(meanings, now_ms)
            if _without(_wire(self._light.frame), objects) == lit:
                return True
        return False


def values_of(event: object, name: str) -> dict[str, Any] | None:
    """Return the fields of an event of the link if it is a message of that name."""
    if isinstance(event, Message) and event.name == name:
        return dict(event.values)
    return None


def _wire(frame: array[int]) -> bytes:
    """Return a frame as the emulated chain reports it: red before green, as it decodes GRB."""
    rgb = bytearray()
    for word in frame:
        rgb += bytes((word >> 16 & 255, word >> 24, word >> 8 & 255))
    return bytes(rgb)


def _without(rgb: bytes, leds: Sequence[int]) -> bytes:
    left = bytearray(rgb)
    for led in leds:
        left[3 * led : 3 * led + 3] = bytes(3)
    return bytes(left)


def _free_pin(board: Board) -> int:
    used = {*board.row_pins, *board.col_pins, *board.register_pins, board.led_pin, board.sound_pin}
    pins: tuple[int, ...] = (26, 27, 28, *range(23))
    for pin in pins:
        if pin not in used:
            return pin
    raise Trouble("the board leaves no pin free to watch the scan with")
