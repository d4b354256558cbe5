"""The watchdog, and what outlives a reset: why the table starts, and how often it just failed.

The chip resets four seconds after the last meal. A loop's longest stops are a write that no PC
fetches (500 ms), the erase of a sector (45 ms; 400 by the data sheet) and a collection (30 ms), and
a frame is due twice a second.

Scratch register 0 of the chip's watchdog outlives every reset but a power cut. It has mark << 24 |
reasons written << 16 | cause of the next start << 8 | failed starts in a row.
"""

import os
import sys
from time import ticks_ms

from machine import WDT, mem32
from micropython import const

from chronotable.hardware.rp2040 import WATCHDOG_CTRL_CLEAR, WATCHDOG_ENABLE
from chronotable.hardware.rp2040 import WATCHDOG_SCRATCH_0 as _NOTE

if False:
    from array import array

    from chronotable.link.link import Link

# causes of a start; the PC has words for them
_POWER_ON = const(1)  # as machine.PWRON_RESET
_HUNG = const(3)  # the watchdog bit, as machine.WDT_RESET
_ASKED = const(4)  # a person had stopped the table, or asked for this start
_FAULT = const(5)  # an exception had ended it
_EXAMINED = const(6)  # to be examined

# what a start leads to
GAME = const(0)
SAFE = const(1)
DOCTOR = const(2)
_MODES = {"action": SAFE, "a": DOCTOR}  # by the button that is held when the power comes on

_MARK = const(0x2C)
_FAILED_STARTS = const(3)
_BITE_MS = const(4000)
_STALL_MS = const(3000)  # a loop that goes round can say itself what stands still
_HEALTHY_MS = const(10000)
_FILE = const("fault.txt")
_ENOUGH_REASONS = const(0x40000)  # four

begun = ticks_ms()  # what the timer read at the start: a soft reset does not set it back
cause = _POWER_ON
fails = 0
mode = GAME


def _note(next_cause: int, failed: int) -> None:
    mem32[_NOTE] = mem32[_NOTE] & ~0xFFFF | next_cause << 8 | failed


def begin(held: str) -> int:
    """Count a start, as failed until it proves healthy; return what it leads to.

    That is safe mode after three failed starts, else what was asked for: by `examine`, or by the
    button that is `held`, if the power has just come on.
    """
    global cause, fails, mode  # noqa: PLW0603 - one table, one start
    word = mem32[_NOTE]
    if word >> 24 != _MARK:
        word = mem32[_NOTE] = _MARK << 24 | _POWER_ON << 8
    cause = word >> 8 & 255
    fails = word & 255
    _note(_HUNG, fails + 1)
    if fails >= _FAILED_STARTS:
        mode = SAFE
    elif cause == _POWER_ON:
        mode = _MODES.get(held, GAME)
    else:
        mode = DOCTOR if cause == _EXAMINED else GAME
    return mode


def rest() -> None:
    """Stop the watchdog, as a person takes the table over; the next start is an ordinary one."""
    mem32[WATCHDOG_CTRL_CLEAR] = WATCHDOG_ENABLE
    _note(_ASKED, 0)


def examine() -> None:
    """Have the next start, which the caller sees to, lead to the doctor."""
    _note(_EXAMINED, 0)


def was_power_on() -> bool:
    """Tell whether the power coming on has led to this start."""
    return cause == _POWER_ON


def failure() -> str:
    """Return why the table failed last, "" where it did not."""
    try:
        with open(_FILE) as file:
            return file.read(48)
    except (OSError, ValueError):  # there is none, or what is there is no text
        return "hung" if cause == _HUNG else ""


def store_reason(reason: str) -> None:
    """Keep why the table fails until a PC has heard it; a power-on writes four times at most."""
    word = mem32[_NOTE]
    _note(_FAULT, word & 255)
    if not word & _ENOUGH_REASONS:
        mem32[_NOTE] += 0x10000
        with open(_FILE, "w") as file:
            file.write(reason)


class Watchdog:
    """Resets the chip unless scans run, the link is served (`feed`) and frames are `shown`."""

    def __init__(self, ring: "array[int]", link: "Link", now_ms: int) -> None:
        self.shown = False
        self._ring = ring
        self._link: Link | None = link
        self._tick = 0
        self._fed_ms = now_ms
        self._healthy_ms = now_ms + _HEALTHY_MS
        self._feed = WDT(timeout=_BITE_MS).feed

    def feed(self, now_ms: int) -> None:
        """Feed, if scans and frames went on since the last time; that allocates nothing.

        Raises RuntimeError where the loop alone goes on.
        """
        tick = self._ring[2]
        if self.shown and tick != self._tick:
            self._feed()
            self.shown = False
            self._tick = tick
            self._fed_ms = now_ms
            if now_ms >= self._healthy_ms:
                _note(_HUNG, 0)
                link = self._link
                if link and link.connected:
                    self._link = None
                    if _FILE in os.listdir():
                        os.remove(_FILE)
                    if mode == GAME:
                        import slots  # not for longer than this

                        slots.confirm(link)
                        sys.modules.pop("slots", None)
        elif now_ms - self._fed_ms >= _STALL_MS:
            raise RuntimeError("no scan" if tick == self._tick else "no frame")
