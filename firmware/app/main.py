"""Starts the table: the game, or safe mode after three failed starts or with `action` held.

What fails is shown, told and tried again. Ctrl-C on the serial line stops all that and gives the
MicroPython prompt.
"""

import gc
import json
import sys
from time import sleep_ms

from machine import WDT, Pin, reset

import watchdog

_START_MS = 8388  # the longest watchdog; a start takes about a second
_SHOWN_MS = 5000
_GARBAGE = 32768  # at most so much while all is loaded: else the heap is left in small pieces


def is_action_held() -> bool:
    """Tell whether an `action` button is pressed; False where the board file does not say."""
    try:
        with open("board.json") as file:
            board = json.load(file)
        rows, columns = board["matrix"]["row_pins"], board["matrix"]["col_pins"]
        for button in board["buttons"]:
            if button["name"] == "action":
                row, column = button["cell"]
                reads = Pin(columns[column], Pin.IN, Pin.PULL_UP)
                Pin(rows[row], Pin.OUT, value=0)
                sleep_ms(1)
                is_low = not reads.value()
                Pin(rows[row], Pin.IN)
                if is_low:
                    return True
    except Exception:  # whoever needs the file says what is wrong with it
        return False
    return False


def run(is_safe: bool) -> None:
    """Run the table for ever."""
    gc.collect()
    gc.threshold(_GARBAGE)
    if is_safe:
        from trouble import run as run_for_ever
    else:
        from loop import run as run_for_ever
    run_for_ever()


def fail(error: Exception) -> None:
    """Show, tell and keep what failed."""
    gc.collect()  # it may have been for want of memory, and the loop's is free now
    import trouble

    trouble.show()
    watchdog.keep(trouble.reason(error))
    sys.print_exception(error)  # type: ignore[attr-defined]  # MicroPython's


def start() -> None:
    """Run the table; where it fails, the chip starts again. From safe mode it does not."""
    is_safe = watchdog.begin(is_action_held)
    try:
        try:
            if not is_safe:
                WDT(timeout=_START_MS)
            run(is_safe)
        except Exception as error:
            if is_safe:
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


if sys.implementation.version >= (1, 26):
    start()
else:  # the scan needs a hard timer, which came with 1.26
    print(
        "Chronotable needs MicroPython 1.26 or newer; this is %d.%d. Put a newer one on the Pico."
        % tuple(sys.implementation.version[:2])
    )
