"""The firmware on CPython: the same app files, over a stand-in for the chip (`chip.py`).

The firmware's functions that wait are coroutines (`waiting.py`), and come back to the caller when
table time reaches what `run_until` asked for. So a run is deterministic, and an hour of table time
takes seconds.
"""

import builtins
import math
from array import array
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from types import ModuleType
from typing import Any

from chronotable.hardware.debounce import ROWS, debounce
from chronotable.hardware.wiring import Board
from chronotable_host.virtual.chance import REPEATED, Chance
from chronotable_host.virtual.runtimes.chip import Chip, ChipInterrupt, ChipReset
from chronotable_host.virtual.runtimes.micropython_modules import builtin_names, modules
from chronotable_host.virtual.runtimes.runtime import LedFrame, Tone, VirtualPort
from chronotable_host.virtual.runtimes.waiting import AWAITED, awaited, compiled
from chronotable_host.virtual.runtimes.wiring import SwitchProxy, wiring_of

_US = 1000
_SCANS = ("matrix", "registers")
"""The app's modules whose `read` scans all cells."""
_TICK_MASK = 0x3FFFFF
_NO_COUNTS = bytes(3 * ROWS)
"""The three planes of counters behind the debounced rows, where nothing is being counted."""


class CpythonRuntime(SwitchProxy):
    """Runs app files (`main.py`, `boot.py` and what they import) in table time.

    `app` maps file names to source text, `files` is what lies in flash besides, `board` says how
    the reeds are wired (what the firmware makes of it is its own file's), `chance` who the table
    is. A firmware that fails leaves its traceback on the serial line, as MicroPython does, and in
    `failure`. Ctrl-C (the byte 3, unless the firmware takes it as data) and the watchdog find it
    while it waits; a loop that does not wait hangs the run. Where it ends there is the prompt
    (`Prompt`). All calls come from one thread. Whatever ends the firmware from without, as the
    user's Ctrl-C does, leaves a table without power.
    """

    def __init__(
        self,
        app: Mapping[str, str],
        files: Mapping[str, bytes],
        board: Board,
        chance: Chance = REPEATED,
    ) -> None:
        self._app = dict(app)
        self._chip = Chip(dict(files), wiring_of(board), chance)
        self.switches = self._chip.wiring
        self.frames: list[LedFrame] = self._chip.frames
        self.tones: list[Tone] = self._chip.tones
        self._firmware: Coroutine[Any, None, None] | None = None
        self._plugged = True
        self.power(True)

    @property
    def failure(self) -> str:
        """The last traceback of the firmware, "" where there was none."""
        return self._chip.failure

    @property
    def now_ms(self) -> float:
        """Table time in milliseconds since the first power-on."""
        return self._chip.now_us / _US

    def flash_files(self) -> dict[str, bytes]:
        """What lies in the device's file system now (path -> bytes)."""
        return dict(self._chip.flash.files)

    @property
    def port(self) -> VirtualPort:
        """The serial port of the moment; see `Runtime.port`."""
        if self._chip.port.is_closed:
            self._renew_port()
        return self._chip.port

    def run_until(self, t_ms: float) -> None:
        """Let the table run to `t_ms` of table time."""
        until = math.ceil(t_ms * _US)
        until += until / _US < t_ms  # rounding: whoever waits for `t_ms` has it afterwards
        if until <= self._chip.now_us:
            return
        self._chip.limit_us = until
        if self._firmware is not None:
            try:
                self._firmware.send(None)
            except BaseException:
                self._firmware = None
                self._renew_port()
                raise
        self._chip.now_us = until

    def rewired(self) -> None:
        """Have the cells read anew."""
        self._chip.changes += 1

    def plug(self, connected: bool) -> None:
        """Plug the USB cable in, or pull it."""
        self._plugged = connected
        self._renew_port()

    def power(self, on: bool) -> None:
        """Switch the table on or off."""
        self._unwind()
        if on:
            self._chip.start(is_power_on=True)
            self._firmware = self._run()
        self._renew_port()

    def close(self) -> None:
        """End the firmware; any thread may do that when no call is under way."""
        self._unwind()
        self._chip.port.lose()

    def _unwind(self) -> None:
        firmware, self._firmware = self._firmware, None
        if firmware is not None:
            firmware.close()

    def _renew_port(self) -> None:
        self._chip.port.lose()
        self._chip.port = VirtualPort(connected=self._plugged and self._firmware is not None)

    # ---- the firmware

    async def _run(self) -> None:
        while True:
            with suppress(ChipReset):
                await self._live()
            self._chip.start(is_power_on=False)
            self._renew_port()

    async def _live(self) -> None:
        """Run the firmware, and again after each Ctrl-D at the prompt, until the chip resets."""
        while True:
            importer = _Importer(self._app, self._chip)
            try:
                with suppress(ChipInterrupt):
                    for name in ("boot", "main"):
                        await awaited(importer.begin(name))
            except Exception as error:
                importer.load("sys").print_exception(error)
            await self._chip.stay_at_prompt()


class _Importer:
    """Imports the app's files with the chip's modules, apart from sys.modules."""

    def __init__(self, app: Mapping[str, str], chip: Chip) -> None:
        self._app = compiled(frozenset(app.items()))
        self._chip = chip
        self._modules = modules(chip)
        self._builtins = {
            **vars(builtins),
            **builtin_names(chip),
            AWAITED: awaited,
            "__import__": self._import,
        }

    def begin(self, name: str) -> Any:
        """Run `name`.py as a module; return a coroutine where it waits."""
        module = self._modules[name] = ModuleType(name)
        module.__dict__["__builtins__"] = self._builtins
        return eval(self._app[name + ".py"], module.__dict__)

    def load(self, name: str) -> ModuleType:
        """Return the module `name`, which is run once; it may not wait itself."""
        if name not in self._modules:
            waits = self.begin(name)
            assert waits is None, f"{name}.py waits while it is imported"
            module = self._modules[name]
            if name in _SCANS:
                vars(module)["read"] = _remembered(module.read, self._chip)
            elif name == "scan":
                vars(module)["debounce"] = debounced
        return self._modules[name]

    def _import(
        self,
        name: str,
        globals_: Any = None,
        locals_: Any = None,
        fromlist: Any = (),
        level: int = 0,
    ) -> ModuleType:
        if name in self._modules or name + ".py" in self._app:
            return self.load(name)
        return builtins.__import__(name, globals_, locals_, fromlist, level)


def debounced(raw: bytearray, memory: bytearray, ring: "array[int]", samples: int) -> int:
    """Do what `debounce` does, and at once where the scan says what is known: nearly always."""
    if memory.startswith(raw) and memory.startswith(_NO_COUNTS, ROWS):
        ring[2] = ring[2] + 1 & _TICK_MASK
        return 0
    return debounce(raw, memory, ring, samples)


def _remembered(
    read: Callable[[bytearray, Any], int], chip: Chip
) -> Callable[[bytearray, Any], int]:
    """Return a scan that reads the cells anew only where a pin or a switch has changed."""
    seen: tuple[int, bytes] | None = None

    def scan(raw: bytearray, lines: Any) -> int:
        nonlocal seen
        if seen is not None and seen[0] == chip.changes:
            raw[:] = seen[1]
        else:
            read(raw, lines)
            seen = chip.changes, bytes(raw)
        return 0

    return scan
