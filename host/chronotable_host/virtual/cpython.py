"""The firmware on CPython: the same app files, over a stand-in for the chip (`chip.py`).

The firmware runs in a thread of its own and the caller in another, never both at once: the
firmware's `machine.idle()` hands over when table time reaches what `run_until` asked for. So a
run is deterministic, and an hour of table time takes seconds.
"""

from __future__ import annotations

import builtins
import math
import threading
from collections.abc import Mapping
from contextlib import suppress
from types import ModuleType
from typing import Any

from chronotable.wiring import Board
from chronotable_host.virtual.chance import REPEATED, Chance
from chronotable_host.virtual.chip import Chip, ChipReset, builtin_names, modules
from chronotable_host.virtual.runtime import Frame, VirtualPort
from chronotable_host.virtual.wiring import wiring_of

_US = 1000


class CpythonRuntime:
    """Runs app files (`main.py`, `boot.py` and what they import) in table time.

    `app` maps file names to source text, `files` is what lies in flash besides, `board` says how
    the reeds are wired (what the firmware makes of it is its own file's), `chance` who the table
    is. A firmware that fails leaves its traceback on the serial line, as MicroPython does, and in
    `failure`. Ctrl-C (the byte 3, unless the firmware takes it as data) and the watchdog find it
    while it waits; a loop that does not wait hangs the run. Where it ends there is the prompt
    (`prompt.py`).
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
        self._chip.wait = self._wait
        self.frames: list[Frame] = self._chip.frames
        self._limit_us = 0
        self._mine = threading.Semaphore(0)
        self._firmwares = threading.Semaphore(0)
        self._thread: threading.Thread | None = None
        self._cut = False
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
        self._limit_us = until
        if self._thread is not None:
            self._firmwares.release()
            self._mine.acquire()
        self._chip.now_us = until

    def set_cell(self, row: int, col: int, closed: bool) -> None:
        """Close or open one reed, from now on.

        Raises: as `Runtime` says, here and in the next three.
        """
        self._chip.wiring.set_cell(row, col, closed)

    def set_diode(self, row: int, col: int, present: bool) -> None:
        """Put a wire in the place of a cell's diode, or the diode back."""
        self._chip.wiring.set_diode(row, col, present)

    def cut_row(self, row: int, cut: bool) -> None:
        """Cut a row's wire to the chip, or mend it."""
        self._chip.wiring.cut_row(row, cut)

    def cut_col(self, col: int, cut: bool) -> None:
        """Cut a column's wire to the chip, or mend it."""
        self._chip.wiring.cut_col(col, cut)

    def plug(self, connected: bool) -> None:
        """Plug the USB cable in, or pull it."""
        self._plugged = connected
        self._renew_port()

    def power(self, on: bool) -> None:
        """Switch the table on or off."""
        self._stop()
        chip = self._chip
        if on:
            chip.start(is_power_on=True)
            self._thread = threading.Thread(target=self._run, name="firmware", daemon=True)
            self._thread.start()
        self._renew_port()

    def close(self) -> None:
        """End the firmware's thread."""
        self._stop()
        self._chip.port.lose()

    # ---- the firmware's thread

    def _renew_port(self) -> None:
        self._chip.port.lose()
        self._chip.port = VirtualPort(connected=self._plugged and self._thread is not None)

    def _stop(self) -> None:
        if self._thread is not None:
            self._cut = True
            self._firmwares.release()
            self._thread.join()
            self._thread = None
            self._cut = False

    def _wait(self, until_us: int) -> None:
        """Called in the firmware's thread: pass table time, handing over at the limit."""
        chip = self._chip
        while until_us > self._limit_us:
            chip.now_us = self._limit_us
            self._hand_over()
        chip.now_us = max(chip.now_us, until_us)

    def _hand_over(self) -> None:
        self._mine.release()
        self._firmwares.acquire()
        if self._cut:
            raise ChipReset

    def _run(self) -> None:
        self._firmwares.acquire()
        while not self._cut:
            with suppress(ChipReset):
                self._live()
            if not self._cut:
                self._chip.start(is_power_on=False)
                self._renew_port()

    def _live(self) -> None:
        """Run the firmware, and again after each Ctrl-D at the prompt, until the chip resets."""
        while True:
            importer = _Importer(self._app, self._chip)
            try:
                with suppress(KeyboardInterrupt):
                    for name in ("boot", "main"):
                        importer.load(name)
            except Exception as error:
                importer.load("sys").print_exception(error)
            self._chip.stay_at_prompt()


class _Importer:
    """Imports the app's files with the chip's modules, apart from sys.modules."""

    def __init__(self, app: Mapping[str, str], chip: Chip) -> None:
        self._app = app
        self._modules = modules(chip)
        self._builtins = {**vars(builtins), **builtin_names(chip), "__import__": self._import}

    def load(self, name: str) -> ModuleType:
        """Run `name`.py as a module, once."""
        module = self._modules.get(name)
        if module is None:
            module = ModuleType(name)
            self._modules[name] = module
            module.__dict__["__builtins__"] = self._builtins
            code = compile(self._app[name + ".py"], f"firmware/app/{name}.py", "exec")
            exec(code, module.__dict__)
        return module

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
