"""Runs before main.py, and alone when mpremote takes over; stops a watchdog that still runs."""

from machine import mem32

from chronotable.hardware.rp2040 import WATCHDOG_CTRL_CLEAR, WATCHDOG_ENABLE  # become numbers

mem32[WATCHDOG_CTRL_CLEAR] = WATCHDOG_ENABLE  # a soft reset leaves it as it is
