"""Starts the firmware, which lies in one of two folders, `a` and `b`.

A new firmware is written beside the one that runs, into the other folder. `slot` names the folder
whose firmware is known to run. `trial` names one that is not: it gets one start, before which
`trial` becomes `tried`, and takes the slot once it has proved healthy (slots.py). So whatever
fails, and wherever the power goes, the next start is that of a firmware that has run before: every
step is one rename, which littlefs does whole or not at all.
"""

import os
import sys

from machine import WDT, reset

_FOLDERS = ("a", "b")
_TRIAL_MS = 8388  # the longest watchdog: a firmware that hangs while it is loaded is no good either
_BUILT_IN = ("array", "binascii", "json", "machine", "os", "time")
"""Noted as loaded: else each import of one looks through the flash first, for 8 ms each time."""


def folder_in(name: str) -> str:
    """Return the folder that a file names, "" where it names none."""
    try:
        with open(name) as file:
            folder = file.read(8).strip()
    except (OSError, ValueError):  # ValueError: what is no text
        return ""
    return folder if folder in _FOLDERS else ""


def store_reason(error: Exception) -> None:
    """Keep for the firmware that runs next why this one does not; it tells the PC."""
    sys.print_exception(error)  # type: ignore[attr-defined]  # MicroPython's
    text = "%s %s" % (type(error).__name__, error)
    with open("fault.txt", "w") as file:
        file.write("".join([c for c in text if " " <= c <= "~" and c not in '",$*'])[:48])


def run(folder: str) -> None:
    """Run a folder's firmware for ever."""
    sys.path[:] = [".frozen"]
    for name in _BUILT_IN:
        sys.modules[name] = __import__(name)
    sys.path[:] = ["/" + folder, ".frozen", "/" + folder + "/lib"]
    import start

    start.start()


def choose_and_start() -> None:
    """Run the firmware on trial, if there is one, else the one that is known to run."""
    if "trial" in os.listdir():
        os.rename("trial", "tried")
        folder = folder_in("tried")
        if folder:
            WDT(timeout=_TRIAL_MS)
            try:
                run(folder)
            except Exception as error:
                store_reason(error)
                reset()
            return
    folder = folder_in("slot")
    if folder:
        run(folder)
    else:
        print("No firmware is installed here: run `chronotable flash` on the PC.")


if sys.implementation.version >= (1, 26):
    choose_and_start()
else:  # the scan needs a hard timer, which came with 1.26
    print(
        "Chronotable needs MicroPython 1.26 or newer; this is %d.%d. Put a newer one on the Pico."
        % tuple(sys.implementation.version[:2])
    )
