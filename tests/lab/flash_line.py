"""An emulated Pico on a pty, as `flash` meets it, and what its flash is when the cable is pulled.

Power goes with the cable. `TappedLine` counts what the PC sends and stops at a byte, so that the
flash can be kept as it is there, or the power really be cut.
"""

from __future__ import annotations

import math
import threading
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

from chronotable.hardware.wiring import Board
from chronotable_host.hardware.flashing.running_firmware import FirmwareQuery, RunningFirmware
from chronotable_host.live.line.port import PortError
from chronotable_host.virtual.faulty.rehearsal import DirectPort
from chronotable_host.virtual.runtimes.rp2040 import Rp2040Runtime
from chronotable_host.virtual.runtimes.runtime import Runtime
from chronotable_host.virtual.serve import PtyLine, ServedRuntime

_SLICE_MS = 2.0
_LISTEN_MS = 20.0


class Chip(Rp2040Runtime):
    """A Pico whose flash can be taken out, and another one's put in."""

    def flash_now(self) -> bytes:
        """Return the flash as it would be if the power went now, compressed."""
        return zlib.compress(self._flash if self._chip is None else self._chip.flash(), 1)

    @classmethod
    def with_flash(cls, image: Path, board: Board, flash: bytes) -> Chip:
        """Return a chip that is switched on with this flash."""
        chip = cls(image, {}, board)
        chip.power(False)
        chip._flash = zlib.decompress(flash)
        chip.power(True)
        return chip


class TappedLine(PtyLine):
    """A pty that lets no byte of the PC's pass beyond `stop` before somebody says so."""

    def __init__(self) -> None:
        self.count = 0
        self.stop: float = math.inf
        self._held = b""
        super().__init__()

    def plug(self, is_there: bool) -> None:
        """Let the port appear, or vanish with what was on its way."""
        self._held = b""
        super().plug(is_there)

    def read(self) -> bytes:
        """Return what has come, up to the byte to stop at."""
        data = self._held + super().read()
        end = int(min(len(data), self.stop - self.count))
        self._held = data[end:]
        self.count += end
        return data[:end]


class OnPty:
    """A chip on a pty in a thread of its own.

    `at_stop` is called in that thread when the PC has sent so many bytes as `stop` says, with this
    object; it says where to stop next.
    """

    def __init__(self, chip: Chip, at_stop: Callable[[OnPty], None] | None = None) -> None:
        self.chip = chip
        self.line = TappedLine()
        self.served = ServedRuntime(chip, self.line)
        self._at_stop = at_stop
        self._over = threading.Event()
        self._wanted: list[Callable[[], None]] = []
        self._thread = threading.Thread(target=self._run, name="pico", daemon=True)

    def __enter__(self) -> OnPty:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self.served.close()

    def _run(self) -> None:
        while not self._over.is_set():
            self.served.run_until(self.served.now_ms + _SLICE_MS)
            if self.line.count >= self.line.stop:
                self.line.stop = math.inf
                if self._at_stop is not None:
                    self._at_stop(self)


def listen(chip: Runtime, patience_ms: float) -> RunningFirmware | None:
    """Return what runs on a chip, None where it does not say so in time."""
    end_ms = chip.now_ms + patience_ms
    ear: FirmwareQuery | None = None
    while chip.now_ms < end_ms:
        try:
            ear = ear or FirmwareQuery(
                DirectPort("emulated", chip.port), lambda: chip.now_ms / 1000
            )
            running = ear.step()
        except PortError:  # it has started anew
            running, ear = None, None
        if running is not None:
            return running
        chip.run_until(chip.now_ms + _LISTEN_MS)
    return None


def files_under(files: Mapping[str, bytes], folder: str) -> dict[str, bytes]:
    return {path: data for path, data in files.items() if path.startswith(f"{folder}/")}
