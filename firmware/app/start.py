"""What the firmware does: the game; safe mode after three failed starts; the doctor where asked.

`action` held while the power comes on asks for safe mode, `a` for the doctor.

A failure is shown by the LEDs, kept for the PC, and the chip starts again. Ctrl-C on the serial
line (see usb.py) stops all that and gives the MicroPython prompt.
"""

import gc
import sys
from time import sleep_ms

from machine import WDT, reset
from micropython import const

import watchdog

_MODULES = ("loop", "trouble", "doctor")  # by mode; none but the one is loaded
_START_MS = const(8388)  # the longest watchdog; a start takes about a second
_SHOWN_MS = const(5000)
_GARBAGE = const(32768)  # at most so much while all is loaded: else the heap is in small pieces


def run(mode: int) -> None:
    """Run the table for ever."""
    gc.collect()
    gc.threshold(_GARBAGE)
    __import__(_MODULES[mode]).run()


def wanted() -> int:
    """Count a start and return what it leads to."""
    import held  # not for longer than this

    mode = watchdog.begin(held.button())
    sys.modules.pop("held", None)
    return mode


def fail(error: Exception) -> None:
    """Show, tell and keep what failed."""
    import micropython

    micropython.kbd_intr(3)  # as it was before a PC was linked
    gc.collect()  # it may have been for want of memory, and the loop's is free now
    import lamp
    import trouble

    lamp.show(32, ())
    watchdog.store_reason(trouble.reason(error))
    sys.print_exception(error)  # type: ignore[attr-defined]  # MicroPython's


def start() -> None:
    """Run the table; where it fails, the chip starts again. From safe mode it does not."""
    mode = wanted()
    try:
        try:
            if mode != watchdog.SAFE:
                WDT(timeout=_START_MS)
            run(mode)
        except Exception as error:
            if mode == watchdog.SAFE:
                fail(error)
                watchdog.rest()
            else:
                WDT(timeout=_START_MS)
                fail(error)
                sleep_ms(_SHOWN_MS)
                reset()
    except KeyboardInterrupt:
        watchdog.rest()
        print("Stopped, and the watchdog with it. Ctrl-D starts the table again.")
