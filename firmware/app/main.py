"""Starts the table. Ctrl-C on the serial line stops it and gives the MicroPython prompt."""

import sys

if sys.implementation.version >= (1, 26):
    from loop import run

    run()
else:  # the scan needs a hard timer, which came with 1.26
    print(
        "Chronotable needs MicroPython 1.26 or newer; this is %d.%d. Put a newer one on the Pico."
        % tuple(sys.implementation.version[:2])
    )
