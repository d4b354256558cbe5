"""A Pico at MicroPython's prompt, reached with mpremote in a process of its own.

One rule: whatever goes wrong on the way, a vanished port, a Pico that says something else, becomes
a DeviceError, one sentence with what to do.

To restart it, whatever state it is in, is typed at the prompt instead: mpremote waits ten seconds
for a Pico that does not answer, and for ever for one that never stops printing. And it may just
have been killed in the middle of a script.
"""

from __future__ import annotations

import json
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from chronotable_host.errors import UserError, pip_install, printable
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
_GONE = re.compile(r"SerialException|OSError|PermissionError|termios\.error|device disconnected")
_DEVICE_ERROR = re.compile(r"^([A-Za-z]\w*(?:Error|Exception|Interrupt))\b:? ?(.*)$")
_NO_SPACE = "28"
_MOST_LINE = 1 << 18  # bytes: more than the heap of a Pico
_MOST_STRAY = 1 << 20  # characters that are no lines of on_device.py
_POLL_S = 0.2
_ENDS_S = 3.0  # how long a process that was killed may take to end
_NOT_ENTERED = "could not enter raw repl"


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
    """A Pico as the steps of an installation use it; `Mpremote` is one."""

    name: str

    def run(self, calls: Sequence[str], hear: Callable[[DeviceLine], None]) -> None:
        """Run calls of the functions in on_device.py; `hear` gets each line that they tell.

        Raises DeviceError, also where a call did not come to its end.
        """
        ...

    def restart(self) -> bool:
        """Start the Pico anew, as after a power cut; return whether it could be told to.

        Raises nothing but a KeyboardInterrupt that came meanwhile, at its end.
        """
        ...

    def to_bootsel(self) -> None:
        """Restart the Pico as a drive that takes UF2 files; raises as `restart`."""
        ...


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


class Mpremote:
    """A Pico at a serial port.

    `stall_s` is how long it may say nothing; to come to its prompt, before it is restarted, it may
    take a twentieth of that.
    """

    def __init__(self, name: str, stall_s: float = 20 * PROMPT_S) -> None:
        self.name = name
        self._stall_s = stall_s
        self._prompt_s = stall_s / 20

    def run(self, calls: Sequence[str], hear: Callable[[DeviceLine], None]) -> None:
        """Run calls; the program that runs there is stopped, and so is its watchdog.

        A soft reset gives them a heap that is free, and boot.py but not main.py is run by it.
        """
        ends = stray = 0

        def take(line: str) -> None:
            nonlocal ends, stray
            if not line.startswith(_MARK):
                stray += len(line) + 1
                if stray > _MOST_STRAY:
                    raise DeviceError(self._never_ends(line))
            parsed = self._parse(line)
            if parsed == ["end"]:
                ends += 1
            elif parsed:
                hear(parsed)

        with TemporaryDirectory(prefix="chronotable-flash-") as folder:
            words: list[str] = []
            scripts = [_SCRIPT.read_text("utf-8"), *(f"{call}\ntell('end')\n" for call in calls)]
            for number, text in enumerate(scripts):
                path = Path(folder) / f"{number}.py"
                path.write_text(text, "utf-8")
                words += ["run", str(path)]
            self._mpremote(["soft-reset", *words], take)
        if ends != len(calls):
            raise DeviceError(
                tr(
                    "{name}: the Pico stopped after {ends} of {count} steps; run `chronotable "
                    "flash` again",
                    name=self.name,
                    ends=ends,
                    count=len(calls),
                )
            )

    def restart(self) -> bool:
        """Start the Pico anew."""
        return self._call_machine("reset")

    def to_bootsel(self) -> None:
        """Restart the Pico as a drive."""
        self._call_machine("bootloader")

    def _call_machine(self, call: str) -> bool:
        """Restart the device; a Ctrl-C waits until that is done."""
        with _interrupts_later():
            return call_machine(self.name, call, self._prompt_s)

    def _parse(self, line: str) -> DeviceLine:
        if not line.startswith(_MARK):
            return []  # printed by a boot.py that is not ours
        try:
            parsed = json.loads(line[len(_MARK) :])
        except (ValueError, RecursionError):
            parsed = None
        if not isinstance(parsed, list) or not parsed:
            raise _unreadable(self.name, line)
        return parsed

    def _never_ends(self, last: str) -> str:
        said = printable(last.strip()[-60:])
        return tr(
            "{name}: the device prints without end and does not listen (the last it said: "
            "{said}); is it the Pico? Pull its cable, plug it in again, and run "
            "`chronotable flash` again; where that does not help, hold BOOTSEL while you "
            "plug it in, and use --image",
            name=self.name,
            said=said,
        )

    def _failure(self, sentence: str) -> DeviceError:
        """Return what to say of a device that did not do as mpremote says: maybe it speaks."""
        said = overhear(self.name)
        return DeviceError(self._never_ends(said) if said.strip() else f"{self.name}: {sentence}")

    def _mpremote(self, words: list[str], take: Callable[[str], None]) -> None:
        """Run mpremote; `take` gets each line of its output."""
        command = [sys.executable, "-m", "mpremote", "connect", f"port:{self.name}", *words]
        lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            errors: list[bytes] = []
            stderr = process.stderr
            assert stderr is not None
            readers = [
                threading.Thread(target=_read_lines, args=(process.stdout, lines), daemon=True),
                threading.Thread(target=lambda: errors.append(stderr.read()), daemon=True),
            ]
            for reader in readers:
                reader.start()
            said: list[str] = []
            stalled: Exception | None = None
            try:
                while (line := _next(lines, self._stall_s)) is not None:
                    said = [*said[-8:], line]
                    take(line)
                process.wait(self._stall_s)
            except (queue.Empty, subprocess.TimeoutExpired) as error:
                stalled = error
            finally:
                process.kill()
                for reader in readers:
                    reader.join(_ENDS_S)
        if stalled is not None:
            raise self._failure(
                tr(
                    "the Pico has said nothing for {stall_s:.0f} s; pull its cable, plug it in "
                    "again, and run `chronotable flash` again",
                    stall_s=self._stall_s,
                )
            ) from stalled
        if process.returncode:
            text = b"".join(errors).decode("utf-8", "replace")
            sentence = explain(said, text)
            if _NOT_ENTERED in text:
                raise self._failure(sentence)
            raise DeviceError(f"{self.name}: {sentence}")


def explain(said: Sequence[str], errors: str) -> str:
    """Return what went wrong, from mpremote's last lines and what it wrote to stderr."""
    if "No module named mpremote" in errors:
        return tr("mpremote is missing: {command}", command=pip_install("mpremote"))
    if "failed to access" in errors:
        return tr(
            "the port cannot be opened: close the other program that has it open, or pull the "
            "Pico's cable and plug it in again"
        )
    if _NOT_ENTERED in errors:
        return tr(
            "MicroPython does not answer there: pull the Pico's cable, plug it in again, and run "
            "`chronotable flash` again; a Pico without MicroPython needs --image"
        )
    for line in reversed(said):
        found = _DEVICE_ERROR.match(line.strip())
        if found and not line.startswith("mpremote"):
            what = printable(f"{found[1]}: {found[2]}")
            if found[1] == "OSError" and _NO_SPACE in found[2]:
                return tr(
                    "the Pico has no room left: `chronotable play` fetches the games it keeps"
                )
            return tr("the Pico failed ({what}); run `chronotable flash` again", what=what)
    if _GONE.search(errors):
        return tr(
            "the Pico vanished: the cable was pulled or it restarted; plug it in again and run "
            "`chronotable flash` again, a firmware that is whole is started"
        )
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    return tr(
        "mpremote failed ({said})",
        said=printable(lines[-1]) if lines else tr("it does not say why"),
    )


def _next(lines: queue.SimpleQueue[str | None], patience_s: float) -> str | None:
    """Wait for the next line; raises queue.Empty. On Windows a wait is deaf to Ctrl-C."""
    end_s = time.monotonic() + patience_s
    while True:
        left_s = end_s - time.monotonic()
        try:
            return lines.get(timeout=max(0, min(left_s, _POLL_S)))
        except queue.Empty:
            if left_s <= 0:
                raise


def _read_lines(stream: Any, lines: queue.SimpleQueue[str | None]) -> None:
    while line := stream.readline(_MOST_LINE):
        lines.put(line.decode("utf-8", "replace").rstrip("\r\n"))
    lines.put(None)


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
        is_told = _tell(port, f"import machine;machine.{call}()\r", patience_s, clock, sleep)
        end_s = clock() + _GONE_S
        while is_told and clock() < end_s:
            port.read()
            sleep(PAUSE_S)
    return is_told


def _tell(
    port: OpenPort,
    line: str,
    patience_s: float,
    clock: Callable[[], float],
    sleep: Callable[[float], None],
) -> bool:
    """Type a line at the prompt, as soon as it is there; raises PortError."""
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
            port.write(line.encode())
            return True
        sleep(PAUSE_S)
    return False


def overhear(
    name: str,
    duration_s: float = 1.0,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    opens: Callable[[str], OpenPort] = open_port,
) -> str:
    """Return the last that a device says which never stops printing, "" where it does stop.

    It never stops where something came in at least three of the four quarters of `duration_s`.
    Nothing is written to it. Raises nothing.
    """
    heard = b""
    quarters = set()
    with suppress(PortError), closing(opens(name)) as port:
        begun_s = clock()
        while (passed_s := clock() - begun_s) < duration_s:
            data = port.read()
            if data:
                quarters.add(int(4 * passed_s / duration_s))
            heard = (heard + data)[-_TAIL_BYTES:]
            sleep(PAUSE_S)
    return heard.decode("ascii", "replace") if len(quarters) >= _OFTEN else ""
