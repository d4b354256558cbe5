"""Tables that are switched on, a PC that watches them, and firmware that was made to fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from chronotable.hardware.wiring import COLUMNS, Board
from chronotable.link.happenings import Message
from chronotable.link.identity import Identity
from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware.files import app_sources, files_for_board
from chronotable_host.link.pc_link import LogLine, PcLink
from chronotable_host.virtual.chance import Chance
from chronotable_host.virtual.runtimes.cpython import CpythonRuntime
from chronotable_host.virtual.runtimes.runtime import Runtime
from ttykm.game import RULES_VERSION

NAME = "reference"
BOARD = boards.read(NAME)
BOARD_JSON = boards.find(NAME).read_bytes()

POWER_ON, HUNG, ASKED, FAULT, EXAMINED = 1, 3, 4, 5, 6

LEDS = 54
_RED, _WHITE, _DARK = bytes((32, 0, 0)), bytes((20, 20, 20)), bytes(3)

FAULT_PICTURE = (_RED + 2 * _DARK) * (LEDS // 3)
DARK_PICTURE = _DARK * LEDS
FIRST_LIGHT = _WHITE + _DARK * (LEDS - 1)

HEALTHY_MS = 10_000
"""So long a start has to go well to be a good one."""

_STEP_MS = 20.0


def with_lights(picture: bytes, sensors: list[int], board: Board = BOARD) -> bytes:
    """Return a picture in which the LEDs of these sensors are white."""
    rgb = bytearray(picture)
    for sensor in sensors:
        led = board.led_of[sensor]
        rgb[3 * led : 3 * led + 3] = _WHITE
    return bytes(rgb)


# Each is appended to an app file.
AT_ONCE = {"usb.py": "\nraise ValueError('at once')\n"}

# safe mode does without this file
LATER = {
    "leds.py": """
_show = Leds.show
def show(self):
    from time import ticks_diff, ticks_ms
    if ticks_diff(ticks_ms(), BEGUN) > AT_MS:
        DO
    return _show(self)
Leds.show = show
"""
}

NO_SCAN = {
    "scan.py": """
_start = Scanner.start
def start(self):
    _start(self)
    self.stop = Timer(-1)
    self.stop.init(mode=Timer.ONE_SHOT, period=3000, callback=lambda _: self._timer.deinit())
Scanner.start = start
"""
}

NO_FRAME = {"leds.py": "\nLeds.show = lambda self: False\n"}


def later(at_ms: int, do: str) -> dict[str, str]:
    """Return what does something so long after the start, out of the middle of the loop."""
    return {
        name: text.replace("AT_MS", str(at_ms)).replace("DO", do) for name, text in LATER.items()
    }


def broken(*defects: dict[str, str]) -> dict[str, str]:
    """Return the app's sources with something appended to some of them."""
    app = app_sources()
    for defect in defects:
        for name, text in defect.items():
            app[name] += text.replace("BEGUN", str(Chance.timer_ms & 0x3FFFFFFF))
    return app


class Pc:
    """Keeps a link open to whatever starts, and takes note.

    `messages` has name and values of what came since the last `forget`, `logs` the lines that were
    no frames, `starts` the table times at which the port was lost: the chip had reset. What it
    sends goes through `noise`, which may damage it.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.link = PcLink(
            Identity("pc", rules=RULES_VERSION, unique_id="1", session=1), max_events=64
        )
        self.port = runtime.port
        self.link.open(int(runtime.now_ms))
        self.messages: list[tuple[str, dict[str, Any]]] = []
        self.logs: list[str] = []
        self.starts: list[float] = []
        self.noise: Callable[[bytes], bytes] = lambda data: data

    def run(self, ms: float) -> None:
        """Let table time pass."""
        end = self.runtime.now_ms + ms
        while self.runtime.now_ms < end:
            self.runtime.run_until(min(end, self.runtime.now_ms + _STEP_MS))
            self._talk()

    def forget(self) -> None:
        """Forget what came."""
        self.messages.clear()
        self.logs.clear()
        self.starts.clear()
        self.runtime.frames.clear()

    def last(self, name: str) -> dict[str, Any] | None:
        """Return the values of the last message of a name."""
        return next((values for known, values in reversed(self.messages) if known == name), None)

    def values(self, name: str) -> dict[str, Any]:
        """Return the values of the last message of a name, which must have come."""
        values = self.last(name)
        assert values is not None, f"no {name}; {self.logs}"
        return values

    def failure(self) -> tuple[int, str] | None:
        """Return what the table said last of its failure: failed starts in a row, and why."""
        values = self.last("failure")
        return None if values is None else (values["boots"], values["reason"])

    def cause(self) -> int:
        """Return why the table started, as it said last."""
        return int(self.values("counters")["reset_cause"])

    def picture(self) -> bytes:
        """Return what the LEDs show."""
        return self.runtime.frames[-1].rgb

    def type(self, text: str) -> None:
        """Type something on the serial line, as a terminal does."""
        self.port.write(text.encode())

    def _talk(self) -> None:
        now = int(self.runtime.now_ms)
        if self.runtime.port is not self.port:
            self.port = self.runtime.port
            self.starts.append(self.runtime.now_ms)
            self.link.close()
            self.link.open(now)
        if not self.port.is_open:
            return
        self.link.receive(self.port.read(self.port.in_waiting), now)
        while (event := self.link.next_event()) is not None:
            if isinstance(event, Message):
                self.messages.append((event.name, dict(event.values)))
            elif isinstance(event, LogLine):
                self.logs.append(event.text)
        self.link.tick(now)
        line = self.link.data_to_send()
        if line:
            self.port.write(self.noise(line))


@contextmanager
def switched_on(
    app: Mapping[str, str] | None = None,
    kept: Mapping[str, bytes] | None = None,
    held: Iterable[int] = (),
    board: str = NAME,
) -> Iterator[Pc]:
    """Switch a table on, with a PC attached; close it in the end.

    `app` is the app's sources, `kept` what its flash has besides what every firmware needs, `held`
    the sensors that are closed when the power comes on, `board` the name of its board file.
    """
    plan = boards.read(board)
    flash = {**files_for_board(boards.find(board).read_bytes()), **(kept or {})}
    runtime = CpythonRuntime(app or app_sources(), flash, plan)
    try:
        for sensor in held:  # time stands still: the firmware has not looked yet
            set_sensor(runtime, sensor, True, plan)
        yield Pc(runtime)
    finally:
        runtime.close()


def switch_off_and_on(pc: Pc) -> None:
    """Cut a table's power for a moment; its PC forgets what came before."""
    pc.runtime.power(False)
    pc.forget()
    pc.runtime.power(True)


def flash_of(pc: Pc) -> dict[str, bytes]:
    """Return the files in a table's flash, to be read or written."""
    assert isinstance(pc.runtime, CpythonRuntime)
    return pc.runtime._chip.files


def set_sensor(runtime: Runtime, sensor: int, closed: bool, board: Board = BOARD) -> None:
    """Close or open a sensor, as a magnet or a finger does."""
    runtime.set_cell(*divmod(board.cell_of[sensor], COLUMNS), closed)
