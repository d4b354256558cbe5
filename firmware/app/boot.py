"""Runs before main.py, and alone when mpremote takes over; stops a watchdog that still runs."""

from machine import mem32

from chronotable.hardware.rp2040 import (  # numbers, once it is installed
    WATCHDOG_CTRL_CLEAR,
    WATCHDOG_ENABLE,
)

mem32[WATCHDOG_CTRL_CLEAR] = WATCHDOG_ENABLE  # a soft reset leaves it as it is
