"""A Pico at MicroPython's raw prompt: scripts go there, and lines come back, as mpremote does it.

One rule: whatever goes wrong on the way, a vanished port, a Pico that says something else, becomes
a DeviceError, one sentence with what to do.
"""

import json
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from mpremote.transport import TransportError  # type: ignore[import-untyped]
from mpremote.transport_serial import SerialTransport  # type: ignore[import-untyped]

from chronotable_host.errors import UserError, printable
from chronotable_host.language import tr
from chronotable_host.live.line.connection import PAUSE_S, OpenPort
from chronotable_host.live.line.port import PortError, open_port

PROMPT_S = 3.0
"""How long a Pico may take to come to its prompt."""

_STOP = b"\r\x03\x03"  # Ctrl-C ends a program, and a script that is still being sent
_PLAIN = b"\r\x02"  # Ctrl-B leads from the raw prompt to the plain one
_PLAIN_S = 0.1  # after _STOP: a Ctrl-C throws away what has not been read yet
_AGAIN_S = 0.6
_GONE_S = 1.0  # a Pico that restarts takes its port away within this time
_PROMPT = b">>> "
_TAIL_BYTES = 200
_OFTEN = 3

DeviceLine = list[Any]
"""A line of on_device.py: what kind it is, and the rest."""

_SCRIPT = Path(__file__).with_name("on_device.py")
_MARK = "@"
_DEVICE_ERROR = re.compile(r"^([A-Za-z]\w*(?:Error|Exception|Interrupt))\b:? ?(.*)$")
_NO_SPACE = "28"
_MOST_STRAY = 1 << 20  # bytes that are no lines of on_device.py, nor anything that is waited for
_WAIT_S = 0.001


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Raise the KeyboardInterrupt of a Ctrl-C that comes meanwhile at the end."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals go to the main thread
        return
    noted: list[int] = []
    former = signal.signal(signal.SIGINT, lambda number, _frame: noted.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, former)
    if noted:
        raise KeyboardInterrupt


class DeviceError(UserError):
    """The Pico cannot be worked on, or not any more."""


class Device(Protocol):
    """A Pico as the steps of an installation use it; `RawPrompt` is one."""

    name: str

    def run(self, calls: Sequence[str], hear: Callable[[DeviceLine], None]) -> None:
        """Run calls of the functions in on_device.py; `hear` gets each line that they tell.

        Raises DeviceError, also where a call did not come to its end.
        """

    def restart(self) -> bool:
        """Start the Pico anew, as after a power cut; return whether it could be told to.

        Raises nothing but a KeyboardInterrupt that came meanwhile, at its end.
        """

    def to_bootsel(self) -> None:
        """Restart the Pico as a drive that takes UF2 files; raises as `restart`."""


@contextmanager
def as_device_errors(name: str) -> Iterator[None]:
    """Make a DeviceError of what goes wrong while a device's report is read."""
    try:
        yield
    except (LookupError, ValueError, TypeError, ArithmeticError) as error:
        raise _unreadable(name, str(error)) from error


def _unreadable(name: str, what: str) -> DeviceError:
    return DeviceError(
        tr(
            "{name}: a line came that cannot be read ({what}); try another USB cable, and run "
            "`chronotable flash` again",
            name=name,
            what=printable(what[:60]),
        )
    )


def parse_line(name: str, line: str) -> DeviceLine:
    """Return what a line tells, [] of one that is not ours; raises DeviceError."""
    if not line.startswith(_MARK):
        return []  # printed by a boot.py
    try:
        parsed = json.loads(line[len(_MARK) :])
    except (ValueError, RecursionError):
        parsed = None
    if not isinstance(parsed, list) or not parsed:
        raise _unreadable(name, line)
    return parsed


class _RawRepl(SerialTransport):  # type: ignore[misc]
    """mpremote's raw prompt over a port that is open, which waits as we do; its own `serial`."""

    def __init__(self, port: OpenPort, wait: Callable[[bytes, int], bytes]) -> None:
        # not the base's, which opens one by its name
        self.in_raw_repl = self.mounted = False
        self.use_raw_paste = True
        self.serial = self
        self._port = port
        self._wait = wait
        self._heard = b""
        self._thrown_away = 0

    def inWaiting(self) -> int:  # noqa: N802 - pyserial's name
        """Return how many bytes have come; raises DeviceError where that never ends."""
        self._heard += self._port.read()
        self._thrown_away += len(self._heard)
        if self._thrown_away > _MOST_STRAY:
            self._wait(self._heard, self._thrown_away)
        return len(self._heard)

    def read(self, count: int) -> bytes:
        """Return so many bytes."""
        while len(self._heard) < count:
            self._heard += self._wait(self._heard, len(self._heard))
        found, self._heard = self._heard[:count], self._heard[count:]
        return found

    def write(self, data: bytes) -> None:
        """Send."""
        self._port.write(data)

    def read_until(
        self,
        _least: int,
        ending: bytes,
        timeout: float | None = None,  # noqa: ARG002
        data_consumer: Callable[[bytes], None] | None = None,
        timeout_overall: float | None = None,  # noqa: ARG002
    ) -> bytes:
        """Return what comes up to an ending and with it; one byte where it goes to a consumer."""
        self._thrown_away = 0
        while ending not in self._heard:
            if data_consumer and self._heard:
                data_consumer(self._heard)
                self._heard = b""
            self._heard += self._wait(self._heard, len(self._heard))
        found, _, self._heard = self._heard.partition(ending)
        if data_consumer:
            data_consumer(found)
            found = b""
        return found + ending


class RawPrompt:
    """A Pico at a serial port, in a browser at that of the page.

    `stall_s` is how long it may say nothing; to come to its prompt, before it is restarted, it may
    take a twentieth of that.
    """

    def __init__(
        self,
        name: str,
        stall_s: float = 20 * PROMPT_S,
        opens: Callable[[str], OpenPort] = open_port,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = name
        self._stall_s = stall_s
        self._prompt_s = stall_s / 20
        self._opens = opens
        self._clock = clock
        self._sleep = sleep

    def run(self, calls: Sequence[str], hear: Callable[[DeviceLine], None]) -> None:
        """Run calls; the program that runs there is stopped, and so is its watchdog.

        A soft reset gives them a heap that is free, and boot.py but not main.py is run by it.
        """
        try:
            port = self._opens(self.name)
        except PortError as error:
            raise DeviceError(str(error)) from error
        with closing(port):
            try:
                self._stop(port)
                repl = _RawRepl(port, partial(self._wait, port))
                repl.enter_raw_repl()
                for script in (_SCRIPT.read_text("utf-8"), *calls):
                    self._execute(repl, script, hear)
            except TransportError as error:
                raise _unreadable(self.name, str(error)) from error
            except PortError as error:
                raise DeviceError(
                    tr(
                        "{name}: the Pico vanished: the cable was pulled or it restarted; plug it "
                        "in again and run `chronotable flash` again, a firmware that is whole is "
                        "started",
                        name=self.name,
                    )
                ) from error

    def restart(self) -> bool:
        """Start the Pico anew."""
        return self._call_machine("reset")

    def to_bootsel(self) -> None:
        """Restart the Pico as a drive."""
        self._call_machine("bootloader")

    def _call_machine(self, call: str) -> bool:
        """Restart the device; a Ctrl-C waits until that is done."""
        with _interrupts_later():
            return call_machine(
                self.name, call, self._prompt_s, self._clock, self._sleep, self._opens
            )

    def _stop(self, port: OpenPort) -> None:
        """Stop what runs there."""
        if not _comes_to_prompt(port, self._stall_s / 6, self._clock, self._sleep):
            raise self._failure(
                port,
                tr(
                    "MicroPython does not answer there: pull the Pico's cable, plug it in again, "
                    "and run `chronotable flash` again; a Pico without MicroPython needs --image"
                ),
            )

    def _execute(self, repl: _RawRepl, script: str, hear: Callable[[DeviceLine], None]) -> None:
        """Run a script to its end; `hear` gets each line that it tells."""
        rest, stray = b"", 0

        def take(data: bytes) -> None:
            nonlocal rest, stray
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                parsed = parse_line(self.name, line.decode("utf-8", "replace").rstrip("\r"))
                if parsed:
                    hear(parsed)
                else:
                    stray += len(line) + 1
            if stray + len(rest) > _MOST_STRAY:
                raise self._never_ends((rest or lines[-1]).decode("utf-8", "replace"))

        _, failed = repl.exec_raw(script, None, take)
        if failed:
            raise DeviceError(f"{self.name}: {explain(failed.decode('utf-8', 'replace'))}")

    def _wait(self, port: OpenPort, heard: bytes, stray: int) -> bytes:
        """Return what comes next; `stray` bytes came in vain, of which `heard` are the last.

        Raises DeviceError where nothing comes, or what is endless.
        """
        if stray > _MOST_STRAY:
            raise self._never_ends(heard[-_TAIL_BYTES:].decode("utf-8", "replace"))
        late_s = self._clock() + self._stall_s
        while not (data := port.read()):
            if self._clock() >= late_s:
                raise self._failure(
                    port,
                    tr(
                        "the Pico has said nothing for {stall_s:.0f} s; pull its cable, plug it "
                        "in again, and run `chronotable flash` again",
                        stall_s=self._stall_s,
                    ),
                )
            self._sleep(_WAIT_S)
        return data

    def _never_ends(self, last: str) -> DeviceError:
        return DeviceError(
            tr(
                "{name}: the device prints without end and does not listen (the last it said: "
                "{said}); is it the Pico? Pull its cable, plug it in again, and run "
                "`chronotable flash` again; where that does not help, hold BOOTSEL while you "
                "plug it in, and use --image",
                name=self.name,
                said=printable(last.strip()[-60:]),
            )
        )

    def _failure(self, port: OpenPort, sentence: str) -> DeviceError:
        """Return what to say of a device that does not do as MicroPython does: maybe it speaks."""
        said = overhear(port, 1.0, self._clock, self._sleep)
        return self._never_ends(said) if said.strip() else DeviceError(f"{self.name}: {sentence}")


def explain(failed: str) -> str:
    """Return what went wrong on the Pico, from the text of the exception there."""
    last = failed.strip().rpartition("\n")[2].strip()
    found = _DEVICE_ERROR.match(last)
    if found and found[1] == "OSError" and _NO_SPACE in found[2]:
        return tr("the Pico has no room left: `chronotable play` fetches the games it keeps")
    return tr("the Pico failed ({what}); run `chronotable flash` again", what=printable(last))


def call_machine(
    name: str,
    call: str,
    patience_s: float = PROMPT_S,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    opens: Callable[[str], OpenPort] = open_port,
) -> bool:
    """Have the Pico at a port call a function of `machine` that restarts it, such as `reset`.

    Return whether it came to its prompt and was told to. Raises nothing.
    """
    is_told = False
    with suppress(PortError), closing(opens(name)) as port:  # once it is gone, the Pico restarts
        is_told = _comes_to_prompt(port, patience_s, clock, sleep)
        if is_told:
            port.write(f"import machine;machine.{call}()\r".encode())
        end_s = clock() + _GONE_S
        while is_told and clock() < end_s:
            port.read()
            sleep(PAUSE_S)
    return is_told


def _comes_to_prompt(
    port: OpenPort, patience_s: float, clock: Callable[[], float], sleep: Callable[[float], None]
) -> bool:
    """Stop what runs there; tell whether the plain prompt comes. Raises PortError."""
    begun_s = stop_s = clock()
    plain_s = begun_s + _PLAIN_S
    heard = b""
    while clock() - begun_s < patience_s:
        now = clock()
        if now >= stop_s:
            port.write(_STOP)
            stop_s, plain_s = now + _AGAIN_S, now + _PLAIN_S
        elif now >= plain_s:
            port.write(_PLAIN)
            plain_s = stop_s + 1
        heard = (heard + port.read())[-_TAIL_BYTES:]
        if heard.endswith(_PROMPT):
            return True
        sleep(PAUSE_S)
    return False


def overhear(
    port: OpenPort,
    duration_s: float = 1.0,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> str:
    """Return the last that a device says which never stops printing, "" where it does stop.

    It never stops where something came in at least three of the four quarters of `duration_s`.
    Nothing is written to it. Raises nothing.
    """
    heard = b""
    quarters = set()
    with suppress(PortError):
        begun_s = clock()
        while (passed_s := clock() - begun_s) < duration_s:
            data = port.read()
            if data:
                quarters.add(int(4 * passed_s / duration_s))
            heard = (heard + data)[-_TAIL_BYTES:]
            sleep(PAUSE_S)
    return heard.decode("ascii", "replace") if len(quarters) >= _OFTEN else ""
